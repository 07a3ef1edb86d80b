#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peaks of real recordings, and of synthetic signals that are made like them.

The recordings are those of https://github.com/daniestevez/satellite-recordings and modes1.cu8
of https://github.com/antirez/dump1090 (testfiles/modes1.bin). GPUFFT_RECORDINGS names the
folder with them; those that are not in it are passed over."""

import os
import unittest
from pathlib import Path

import numpy as np
from gnuradio.gpufft.cli.peaks import Lobe, find_peaks
from scipy.signal import get_window
from spectrum_testing import SpectrumTest

FOLDER = os.environ.get("GPUFFT_RECORDINGS")
SIZES = 1024, 2048, 4096
# Recording -> (frequencies of lines that are in sight, bands in which other peaks may be), Hz.
RECORDINGS = {
    "aalto1.wav": ((4800, 14400), ()),  # the floor beyond 10 kHz rises slowly
    "ao73.wav": ((462, 1670, 2074), ((300, 4400),)),  # lines; some drift, some are short
    "at03.wav": ((), ()),  # a filter's edge
    "atl_1.wav": ((), ()),  # a filter's edge, and waves of its stop band
    "ca03_9k6.wav": ((4800,), ()),
    "cz02.wav": ((3600,), ()),
    "duchifat_3.wav": ((), ()),  # noise, wide and steep
    "gomx_3.wav": ((9603,), ()),  # a line of 5 dB
    "koyo.wav": ((20040,), ()),
    "sat_3cat_2.wav": ((7500, 8700, 9860), ((1000, 14800),)),  # a comb of lines
    "smog_p.wav": ((), ()),  # slopes from 0 Hz
    "smog_p_long.wav": ((), ()),
    "us04.wav": ((), ()),  # a slope of 70 dB
    "vzlusat2.wav": ((2400,), ()),
}
NEAR = 40.0  # Hz


@unittest.skipUnless(FOLDER, "GPUFFT_RECORDINGS names no folder of recordings")
class QaPeaksOfRecordings(SpectrumTest):
    def peaks_of(self, name, *options):
        """Frequencies of the peaks in a recording's picture, or None without the file."""
        file = Path(FOLDER) / name
        if not file.exists():
            return None
        self.run_command(file, *options)
        return [mark.frequency for mark in self.view.peaks]

    def test_what_is_in_sight(self):
        looked_at = 0
        for name, (lines, bands) in RECORDINGS.items():
            found = self.peaks_of(name)
            if found is None:
                continue
            looked_at += 1
            with self.subTest(recording=name, found=found):
                for line in lines:
                    self.assertTrue(any(abs(each - line) < NEAR for each in found), line)
                for each in found:
                    is_line = any(abs(each - line) < NEAR for line in lines)
                    is_allowed = any(low <= each <= high for low, high in bands)
                    self.assertTrue(is_line or is_allowed, each)
        self.assertGreater(looked_at, 0, f"no recording of the list is in {FOLDER}")

    def test_the_size_changes_nothing(self):
        for size in SIZES:
            found = self.peaks_of("aalto1.wav", "--size", size)
            if found is None:
                self.skipTest("aalto1.wav is not in the folder")
            with self.subTest(size=size):
                self.assertEqual([round(each, -2) for each in found], [4800, 14400])

    def test_pulses(self):
        """Of transponders at 1090 MHz: a few bursts, whose spectrum has waves."""
        found = self.peaks_of("modes1.cu8", "--rate", "2M")
        if found is None:
            self.skipTest("modes1.cu8 is not in the folder")
        self.assertAlmostEqual(found[0], -67e3, delta=3e3)
        self.assertEqual(len(found), 1, found)


class QaPeaksLikeThose(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(21)
        self.lobe = Lobe(get_window("hann", 1024))

    def find(self, decibels):
        """Bins of the peaks."""
        return [round(peak.position) for peak in find_peaks(decibels, self.lobe)]

    def noise(self, level, frames):
        """Averaged noise of these levels."""
        return level + 10 * np.log10(self.rng.gamma(frames, 1 / frames, len(level)))

    def real_power(self, samples, size):
        """Mean power of real samples, from 0 to half the rate, in dB."""
        window = get_window("hann", size)
        frames = np.lib.stride_tricks.sliding_window_view(samples, size)[:: size // 2]
        spectra = np.fft.rfft(frames * (window / window.sum()))
        return 10 * np.log10(np.mean(np.abs(spectra) ** 2, axis=0))

    def audio_floor(self, size):
        """Of demodulated FM: a notch at 0, a plateau that slopes, a filter's edge or a long
        skirt, and beyond it a floor that rises or falls."""
        place = np.arange(size) / size
        edge, width = self.rng.uniform(0.1, 0.5), self.rng.choice((0.01, 0.1, 0.3))
        depth = self.rng.uniform(30, 80)
        level = -40 + self.rng.uniform(-15, 2) / edge * np.minimum(place, edge)
        level -= depth / (1 + np.exp(-(place - edge - width / 2) / width * 10))
        level += self.rng.uniform(-20, 20) * np.maximum(place - edge, 0)
        notch = self.rng.choice((1, 3, 6))
        return level - self.rng.uniform(0, 15) * np.exp(-np.arange(size) / notch)

    def test_audio_without_lines(self):
        for picture in range(60):
            size, frames = self.rng.choice((512, 1024, 2048)), self.rng.choice((60, 300))
            found = self.find(self.noise(self.audio_floor(size), frames))
            self.assertEqual(found, [], f"picture {picture}: {frames} x {size}")

    def test_lines_in_audio(self):
        """Lines of 4.5 dB and more, also on a slope."""
        missed = others = 0
        for _ in range(40):
            size = int(self.rng.choice((1024, 2048)))
            level = self.audio_floor(size)
            bins = [int(each * size) for each in (0.06, self.rng.uniform(0.55, 0.9))]
            for bin in bins:
                line = level[bin] + self.rng.uniform(4.5, 20) + np.array((-6, 0, -6))
                level[bin - 1 : bin + 2] = np.maximum(level[bin - 1 : bin + 2], line)
            found = self.find(self.noise(level, 400))
            missed += sum(all(abs(each - bin) > 1 for each in found) for bin in bins)
            others += sum(all(abs(each - bin) > 1 for bin in bins) for each in found)
        self.assertLessEqual(missed, 2)
        self.assertEqual(others, 0)

    def test_packets_in_audio(self):
        """AFSK of Bell 202, whose mirror image is not drawn: peaks between its tones only."""
        rate, count = 48000, 1 << 18
        for _ in range(5):
            bits = self.rng.integers(0, 2, count // 40 + 1).repeat(40)[:count]
            phase = 2 * np.pi * np.cumsum(np.where(bits, 1200, 2200)) / rate
            samples = 0.3 * np.sin(phase) + 1e-3 * self.rng.standard_normal(count)
            hertz = np.array(self.find(self.real_power(samples, 2048))) * rate / 2048
            self.assertGreater(np.sum((hertz > 1000) & (hertz < 2400)), 0)
            self.assertEqual(list(hertz[(hertz < 500) | (hertz > 3000)]), [])

    def test_carriers_that_drift(self):
        """By up to ten bins in the time of the picture: one peak, where it was."""
        size, frames = 2048, 200
        count = size // 2 * (frames + 1)
        t = np.arange(count) / count
        for drift in (0.5, 1, 2, 5, 10):
            first = self.rng.uniform(200, 800)
            phase = 2 * np.pi * count / size * (first * t + drift / 2 * t**2)
            samples = 0.1 * np.cos(phase) + 0.02 * self.rng.standard_normal(count)
            found = self.find(self.real_power(samples, size))
            with self.subTest(drift=drift, found=found):
                self.assertEqual(len(found), 1)
                self.assertLess(abs(found[0] - first - drift / 2), drift / 2 + 1.5)

    def test_a_few_bursts(self):
        """Pulses of 0.5 us in a few packets: their carrier, none of the waves beside it."""
        rate, count, size = 2000000, 360000, 2048
        others = 0
        for _ in range(20):
            samples = 0.01 * (self.rng.standard_normal((count, 2)) @ (1, 1j))
            for start in self.rng.integers(0, count - 240, 5):
                pulses = self.rng.integers(0, 2, 120)
                on = np.column_stack((pulses, 1 - pulses)).ravel()
                tone = np.exp(2j * np.pi * -67e3 / rate * np.arange(240))
                samples[start : start + 240] += self.rng.uniform(0.1, 0.5) * on * tone
            window = get_window("hann", size)
            frames = np.lib.stride_tricks.sliding_window_view(samples, size)[:: size // 2]
            power = np.mean(np.abs(np.fft.fft(frames * window)) ** 2, axis=0)
            bins = np.array(self.find(10 * np.log10(np.fft.fftshift(power)))) - size / 2
            hertz = bins * rate / size
            self.assertTrue(np.any(np.abs(hertz + 67e3) < 5e3))
            others += np.sum(np.abs(hertz + 67e3) > 50e3)
        self.assertLessEqual(others, 4)


if __name__ == "__main__":
    unittest.main()
