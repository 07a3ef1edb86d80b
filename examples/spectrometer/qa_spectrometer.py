#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The spectrometer example: every line at its frequency and level, and the noise."""

import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import spectrometer  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)


class QaSpectrometer(ExampleTestCase):
    def assert_lines(self, found, sent):
        """All of `sent` and nothing else, within a tenth of a bin and 0.3 dB."""
        self.assertEqual(len(found), len(sent), found)
        for ours, theirs in zip(found, sorted(sent)):
            self.assertAlmostEqual(ours[0], theirs[0], delta=1)
            self.assertAlmostEqual(ours[1], theirs[1], delta=0.3)

    def test_lines_anywhere_between_the_bins(self):
        random = np.random.default_rng(3)
        places = random.uniform(-5e6, 5e6, 6)
        pairs = places + 60 * random.uniform(1, 2, 6)  # beside each, 6 to 12 bins apart
        levels = random.uniform(-84, -60, 12)
        sent = [*zip([*places, *pairs], levels), (spectrometer.CARRIER, -3)]
        found = spectrometer.find_lines(
            spectrometer.Spectrometer(sent, ENGINE, 7).measure()
        )
        self.assert_lines(found, sent)

    def test_an_empty_band_has_noise_and_no_lines(self):
        levels = spectrometer.Spectrometer([], ENGINE, 5).measure()
        self.assertEqual(spectrometer.find_lines(levels), [])
        density = spectrometer.noise_density(levels, [])
        self.assertAlmostEqual(density, spectrometer.NOISE, delta=0.02)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "spectrometer.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertRegex(printed, r"-3209879\.[34] Hz +-8[56]\.\d\d dBFS")
        self.assertIn("11 lines, all within", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "spectrometer.grc"
        row = run_grc(grc, self.folder, {"rows_file": 4 * spectrometer.SIZE})["rows_file"]
        levels = np.frombuffer(row, np.float32)
        found = spectrometer.find_lines(levels)
        self.assert_lines(found, grc_variables(grc)["lines"])
        self.assertAlmostEqual(
            spectrometer.noise_density(levels, found), -120, delta=0.05
        )


if __name__ == "__main__":
    unittest.main()
