#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GPS example: its codes are those of the standard; every satellite is found, where it
is, and no other."""

import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import gnss  # noqa: E402 (from the folders just added)
from example_test import ENGINE, ExampleTestCase  # noqa: E402

# The first 10 chips of each code in octal, IS-GPS-200, table 3-Ia.
FIRST_CHIPS = """
    1440 1620 1710 1744 1133 1455 1131 1454 1626 1504 1642 1750 1764 1772 1775 1776
    1156 1467 1633 1715 1746 1763 1063 1706 1743 1761 1770 1774 1127 1453 1625 1712
"""


class QaGnss(ExampleTestCase):
    def test_codes_are_those_of_the_standard(self):
        for number, octal in enumerate(FIRST_CHIPS.split(), 1):
            bits = (1 - gnss.ca_code(number)[:10]) // 2
            self.assertEqual(int("".join(map(str, bits)), 2), int(octal, 8), number)

    def test_codes_correlate_as_gold_codes(self):
        spectra = np.fft.fft([gnss.ca_code(n) for n in range(1, gnss.SATELLITES + 1)])
        for k, spectrum in enumerate(spectra):
            values = np.rint(np.fft.ifft(spectra * spectrum.conj()).real).astype(int)
            self.assertEqual(values[k, 0], gnss.CHIPS)
            self.assertLessEqual(set(values.ravel()) - {gnss.CHIPS}, {-65, -1, 63})

    def test_satellites_are_found_where_they_are(self):
        """At 40 dB-Hz too, and with the largest Doppler shifts."""
        satellites = [
            gnss.Satellite(3, -9900.0, 100.25, 40.0),
            gnss.Satellite(11, 9750.0, 4000.5, 41.0),
            gnss.Satellite(32, 240.0, 2047.9, 45.0),
        ]
        random = np.random.default_rng(7)
        x = gnss.make_signal(satellites, 3, random)
        peaks = gnss.Receiver(x, ENGINE).receive()
        self.assertEqual(peaks.shape, (3, 32, 5))
        for frame, row in enumerate(peaks):
            found = gnss.find_satellites(row)
            self.assertEqual([each.number for each in found], [3, 11, 32])
            for satellite, each in zip(satellites, found):
                self.assertTrue(gnss.is_right(satellite, each, frame), each)
                # losses between shifts, samples and in bits that change
                self.assertLess(each.level, satellite.level + 1)
                self.assertGreater(each.level, satellite.level - 4)

    def test_peaks_are_those_of_numpy(self):
        random = np.random.default_rng(8)
        x = gnss.make_signal([gnss.Satellite(5, 1200.0, 77.0, 45.0)], 1, random)
        peaks = gnss.Receiver(x, ENGINE).receive()[0]
        blocks = x.reshape(gnss.BLOCKS, gnss.PERIOD)
        time = np.arange(gnss.PERIOD) / gnss.RATE
        spectra = np.fft.fft(gnss.replicas()).conj()
        for number in (5, 20):
            powers = np.array(
                [
                    (
                        np.abs(
                            np.fft.ifft(
                                np.fft.fft(blocks * np.exp(-2j * np.pi * shift * time))
                                * spectra[number - 1]
                            )
                        )
                        ** 2
                    ).sum(0)
                    for shift in gnss.SHIFTS
                ]
            )
            shift, delay = np.unravel_index(powers.argmax(), powers.shape)
            expected = [number - 1, shift, delay, powers.max() / powers.mean()]
            np.testing.assert_allclose(peaks[number - 1, :4], expected, rtol=1e-5)

    def test_noise_is_no_satellite(self):
        x = gnss.make_signal([], 2, np.random.default_rng(9))
        for row in gnss.Receiver(x, ENGINE).receive():
            self.assertEqual(gnss.find_satellites(row), [])

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "gnss.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn("6 satellites, 0 errors", printed)


if __name__ == "__main__":
    unittest.main()
