#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The radar example: each target's range, speed and level, and no target but these."""

import math
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import range_doppler as radar  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)


class QaRangeDoppler(ExampleTestCase):
    def assert_targets(self, power, targets):
        """All of them within a cell of range and speed, and nothing else."""
        found = list(radar.find_targets(power))
        self.assertEqual(len(found), len(targets), found)
        for target, other in radar.pair(targets, found):
            self.assertIsNotNone(other, f"{target} is not among {found}")
        return found

    def test_every_target_is_found(self):
        power = radar.RangeDoppler(radar.TARGETS, ENGINE, 3).receive()
        self.assert_targets(power, radar.TARGETS)
        # Clutter is at speed 0 only, and far above the noise.
        middle = radar.PULSES // 2
        ranges = power[:, radar.NEAREST : radar.FARTHEST]
        self.assertGreater(np.median(ranges[middle]), 100)
        self.assertLess(np.median(ranges[middle + 5]), 1)

    def test_level_of_a_target(self):
        """As pulses, chirp and both weightings have it, to a few tenths of a decibel."""
        distance, speed = 1000 * radar.RANGE_CELL, 20 * radar.SPEED_CELL
        target = radar.Target(distance, speed, -12.0)
        power = radar.RangeDoppler([target], ENGINE, 4).receive()
        (found,) = self.assert_targets(power, [target])
        chirp = np.exp(2j * np.pi * np.cumsum(radar.chirp_frequency()) / radar.RATE)
        weights = radar.matched_filter()
        sum_over_range = abs(np.sum(np.fft.fft(chirp, radar.COLUMNS) * weights)) ** 2
        noise = radar.COLUMNS * np.sum(np.abs(weights) ** 2)
        window = np.array(radar.fft.window.blackmanharris(radar.PULSES))
        pulses = np.sum(window) ** 2 / np.sum(window**2)
        gain = 10 * math.log10(sum_over_range / noise * pulses)
        self.assertAlmostEqual(found.level, target.level + gain, delta=0.4)

    def test_speeds_to_both_ends(self):
        for speed in (-70.0, -9.0, 9.0, 70.0):
            with self.subTest(speed=speed):
                target = radar.Target(5000.0, speed, -15.0)
                power = radar.RangeDoppler([target], ENGINE, 5).receive()
                self.assert_targets(power, [target])

    def test_clutter_and_noise_alone_hold_no_target(self):
        power = radar.RangeDoppler([], ENGINE, 6).receive()
        self.assert_targets(power, [])

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "range_doppler.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn("0 missed, 0 false", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "range_doppler.grc"
        made = grc_variables(grc)
        shape = (made["rows"], made["columns"])
        got = run_grc(grc, self.folder, {"map_file": 4 * math.prod(shape)})["map_file"]
        power = np.frombuffer(got, np.float32).reshape(shape)
        mean = np.median(power) / math.log(2)
        self.assertAlmostEqual(mean / made["noise_power"], 1, delta=0.05)
        places = zip(made["distances"], made["closing_speeds"])
        targets = [radar.Target(distance, speed, -20) for distance, speed in places]
        self.assert_targets(radar.over_noise(power), targets)


if __name__ == "__main__":
    unittest.main()
