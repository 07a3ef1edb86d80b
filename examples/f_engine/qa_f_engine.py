#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-engine example: all numbers of small ones, the gains, the order, the command."""

import sys
import unittest
from pathlib import Path

import numpy as np
from gnuradio import gpufft

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import f_engine  # noqa: E402 (from the folders just added)
from example_test import ENGINE, ExampleTestCase  # noqa: E402


class QaFEngine(ExampleTestCase):
    def check(self, channels, arms, spectra, gains=None):
        taps = f_engine.prototype(channels, arms)
        if gains is None:
            gains = f_engine.leveling(channels, taps)
        samples = f_engine.sky(3 * spectra, channels, np.random.default_rng(channels))
        result, engine = f_engine.run(
            lambda: f_engine.FEngine(gains, taps, spectra, ENGINE),
            f_engine.packed(samples),
        )
        self.assertEqual(engine, ENGINE)
        self.assertEqual(result.shape, (3, channels, spectra, 2))
        expected = f_engine.exact(samples, taps, channels, gains)
        self.assertLess(f_engine.errors(result, expected).max(), f_engine.ALLOWED)
        return result

    def test_every_number_is_that_of_double_precision(self):
        for channels, arms, spectra in (
            (2, 4, 2),
            (16, 16, 16),
            (64, 3, 6),
            (2048, 8, 16),
        ):
            self.check(channels, arms, spectra)

    def test_gains_level_the_band(self):
        result = self.check(512, 16, 64)
        power = (result.astype(float) ** 2).mean(axis=(0, 2, 3))
        tones = f_engine.tones(512)
        noise = np.delete(power, [0, *tones, *(tones + 1), *(tones - 1)])
        self.assertAlmostEqual(np.sqrt(noise.mean()), f_engine.LEVEL, delta=1)
        slope = np.polyfit(np.arange(len(noise)), 10 * np.log10(noise), 1)[0]
        self.assertLess(abs(slope * len(noise)), 1)  # dB over the band; it had 12
        self.assertTrue(np.all(power[tones] > 2 * noise.mean()))

    def test_each_channel_has_its_own_gain(self):
        gains = np.random.default_rng(5).uniform(-4000, 4000, 32)
        gains[7] = 0
        result = self.check(32, 4, 8, gains)
        self.assertFalse(result[:, 7].any())
        self.assertEqual(np.abs(result).max(), 127)  # saturates, and never is -128

    def test_packing_has_the_highest_bits_first(self):
        self.assertEqual(
            f_engine.packed([-512, 1, 511, -1]), bytes([128, 0, 23, 255, 255])
        )

    def test_the_kernel_compiles(self):
        """On any machine with NVRTC."""
        engine = f_engine.FEngine(np.ones(1024), f_engine.prototype(1024, 4), 16, "cpu")
        try:
            engine.quantizer.check()
        except gpufft.cuda_error as error:
            self.skipTest(str(error))

    def test_sizes_that_are_none(self):
        for gains, spectra, word in (
            (np.ones(3), 16, "3 channels"),
            (np.ones(4), 3, "is 3"),
        ):
            with self.assertRaisesRegex(ValueError, word):
                f_engine.FEngine(gains, np.ones(8), spectra, ENGINE)

    def test_the_command_compares_and_measures(self):
        sizes = ("--channels", 256, "--taps", 8, "--seconds", 0.2)
        printed = self.run_example(HERE / "f_engine.py", *sizes)
        self.assertRegex(
            printed, rf"engine {ENGINE}, 256 channels of 8 taps: 24576 numbers"
        )
        self.assertRegex(printed, r"\n\d+\.\d Msps from host memory to host memory")


if __name__ == "__main__":
    unittest.main()
