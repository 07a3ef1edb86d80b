#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peaks of synthetic spectra whose signals are known: tones, AM, FSK and PSK over flat,
sloping and stepped noise."""

import unittest

import numpy as np
from gnuradio.gpufft.cli.levels import level_text
from gnuradio.gpufft.cli.peaks import Lobe, find_peaks
from scipy.signal import get_window

SIZES = 512, 2048, 8192
FRAMES = 1, 4, 30, 200
MOST_SAMPLES = 1 << 18  # of a picture
ROLL_OFF = 0.35
# Above the noise in a bin, dB: a peak of it stands clear.
TONE_DB, AM_DB, WIDE_DB = (25, 55), (38, 55), (20, 32)


def make_noise(rng, size, frames):
    """(samples whose density slopes or has steps, its level over the spectrum in dB)."""
    place = np.arange(size) / size
    level = np.zeros(size)
    kind = rng.integers(3)
    if kind == 1:
        level = rng.uniform(-25, 25) * place
    elif kind == 2:
        first = rng.uniform(0.05, 0.6)
        for step in (first, first + rng.uniform(0.35, 0.7)):
            level += rng.uniform(-18, 18) * (place > step)
    samples = (frames + 1) * size // 2
    white = rng.standard_normal((2, samples))
    density = np.interp(np.arange(samples) / samples, place, level)
    spectrum = (white[0] + 1j * white[1]) / np.sqrt(2) * 10 ** (density / 20)
    return np.fft.ifft(spectrum, norm="ortho"), level


def mean_power(samples, window):
    """dB of every bin: the mean of frames that overlap by half. A tone reads its level."""
    size = len(window)
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[:: size // 2]
    spectra = np.fft.fft(frames * (window / window.sum()))
    return 10 * np.log10(np.mean(np.abs(spectra) ** 2, axis=0))


def carrier(samples, frequency):
    return np.exp(2j * np.pi * frequency * np.arange(samples))


def make_tone(_rng, samples, frequency):
    """A signal of power 1 and the bands, each with one peak, as (low, high)."""
    return carrier(samples, frequency), [(frequency, frequency)]


def make_am(rng, samples, frequency):
    tone, depth = rng.uniform(0.02, 0.04), rng.uniform(0.5, 0.9)
    envelope = 1 + depth * np.cos(2 * np.pi * tone * np.arange(samples))
    places = frequency + tone * np.arange(-1, 2)
    return envelope * carrier(samples, frequency), [(place, place) for place in places]


def make_fsk(rng, samples, frequency):
    """GMSK."""
    length = int(rng.integers(20, 60))
    symbols = rng.choice((-1.0, 1.0), samples // length + 1).repeat(length)[:samples]
    pulse = np.exp(-(np.linspace(-3, 3, 2 * length + 1) ** 2) / 2)
    symbols = np.convolve(symbols, pulse / pulse.sum(), "same")
    phase = np.pi / 2 / length * np.cumsum(symbols)
    band = frequency - 0.6 / length, frequency + 0.6 / length
    return np.exp(1j * phase) * carrier(samples, frequency), [band]


def make_psk(rng, samples, frequency):
    """BPSK or QPSK with root-raised-cosine pulses."""
    length = int(rng.integers(20, 60))
    symbols = np.zeros(samples, complex)
    count = -(-samples // length)
    turns = rng.integers(0, 4, count) / rng.choice((2, 4))
    symbols[::length] = np.exp(2j * np.pi * turns)
    t = np.arange(-8 * length, 8 * length + 1) / length + 1e-7
    pulse = np.sin(np.pi * t * (1 - ROLL_OFF))
    pulse += 4 * ROLL_OFF * t * np.cos(np.pi * t * (1 + ROLL_OFF))
    pulse /= np.pi * t * (1 - (4 * ROLL_OFF * t) ** 2)
    shaped = np.convolve(symbols, pulse, "full")[8 * length :][:samples]
    band = frequency - 0.7 / length, frequency + 0.7 / length
    return shaped * carrier(samples, frequency), [band]


KINDS = (make_tone, TONE_DB), (make_am, AM_DB), (make_fsk, WIDE_DB), (make_psk, WIDE_DB)


def add_signals(rng, samples, level, window):
    """Adds up to five signals; returns their bands."""
    bands = []
    size = len(window)
    for slot in rng.permutation(6)[: rng.integers(1, 6)]:
        frequency = (slot + 0.5 + rng.uniform(-0.1, 0.1)) / 6
        make, levels = KINDS[rng.integers(4)]
        signal, found = make(rng, len(samples), frequency)
        bands += found
        width = max(0.0, found[0][1] - found[0][0]) * size
        near = level[int(frequency * size)] + 10 * np.log10(np.sum(window**2))
        power = near - 20 * np.log10(np.sum(window)) + rng.uniform(*levels)
        spread = 10 * np.log10(max(width, 1))  # over this many bins
        samples += signal * 10 ** ((power + spread) / 20)
    return bands


class QaPeaks(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(20)

    def pictures(self, count, frames):
        """(size, frames) of random pictures."""
        while count:
            size, averaged = self.rng.choice(SIZES), self.rng.choice(frames)
            if size * averaged <= MOST_SAMPLES:
                count -= 1
                yield int(size), int(averaged)

    def find(self, decibels, window):
        return list(find_peaks(decibels, Lobe(window[:: max(1, len(window) // 1024)])))

    def test_noise_has_no_peaks(self):
        for picture, (size, frames) in enumerate(self.pictures(200, FRAMES)):
            samples, _ = make_noise(self.rng, size, frames)
            window = get_window("hann" if picture % 2 else "blackmanharris", size)
            peaks = self.find(mean_power(samples, window), window)
            self.assertEqual(peaks, [], f"picture {picture}: {frames} x {size}")

    def test_signals(self):
        """At least 95 % are found; at most one other peak in 100 pictures."""
        total = found = wrong = 0
        for size, frames in self.pictures(100, FRAMES[1:]):
            size = max(size, 2048)  # AM's lines are apart
            window = get_window("hann", size)
            samples, level = make_noise(self.rng, size, frames)
            bands = add_signals(self.rng, samples, level, window)
            peaks = self.find(mean_power(samples, window), window)
            places = [peak.position / size for peak in peaks]
            for low, high in bands:
                inside = [p for p in places if low - 2 / size <= p <= high + 2 / size]
                found += bool(inside)
                places = [p for p in places if p not in inside[:1]]
            total += len(bands)
            wrong += len(places)
        self.assertGreaterEqual(found, 0.95 * total)
        self.assertLessEqual(wrong, 1)

    def test_tones_are_read_between_bins(self):
        size = 4096
        for name in ("boxcar", "hann", "hamming", "blackmanharris", "flattop", "cosine"):
            window = get_window(name, size)
            for offset in (-0.5, -0.3, 0.0, 0.2, 0.49):
                tone = 0.5 * carrier(3 * size, (1000 + offset) / size)
                peaks = self.find(mean_power(tone, window), window)
                with self.subTest(window=name, offset=offset):
                    self.assertEqual(len(peaks), 1)
                    self.assertAlmostEqual(peaks[0].position, 1000 + offset, delta=0.02)
                    self.assertAlmostEqual(peaks[0].level, -6.02, delta=0.05)
                    if offset == 0:
                        self.assertAlmostEqual(peaks[0].level, -6.0206, delta=1e-4)

    def test_levels_in_words(self):
        words = [level_text(each) for each in (-0.04, 0.04, -0.06, np.float32(-12.34))]
        self.assertEqual(words, ["0.0", "0.0", "-0.1", "-12.3"])

    def test_line_beside_a_filtered_signal(self):
        """A weak line on the slope beyond the edge of a wide signal, 15 dB up."""
        size, frames = 4096, 150
        place = np.arange(size)
        slope = 15 / 1400 * np.maximum(place - 2600, 0)
        level = np.where(place < 1800, -60, -140) + slope
        noise = self.rng.gamma(frames, 1 / frames, size)
        decibels = level + 10 * np.log10(noise)
        lines = {800: 20, 2900: 15}
        for bin, height in lines.items():
            shape = height + np.array([-6.0, 0.0, -6.0])
            decibels[bin - 1 : bin + 2] = level[bin] + shape
        peaks = self.find(decibels, get_window("hann", size))
        self.assertEqual([round(peak.position) for peak in peaks], list(lines))

    def test_strongest_first_and_large(self):
        """Four million bins, of which the search sees groups."""
        size = 1 << 22
        power = self.rng.exponential(size=size)
        places = {size - 5000: 1e4, size // 3: 3e3, 9000: 2e3}
        power[list(places)] = list(places.values())
        decibels = (10 * np.log10(power)).astype(np.float32)
        peaks = find_peaks(decibels, Lobe(get_window("hann", 1024)))
        self.assertEqual([round(peak.position) for peak in peaks], list(places))

    def test_nothing_to_find(self):
        lobe = Lobe(get_window("hann", 1024))
        for size in (1, 2, 3, 5, 16, 4096):
            for decibels in (
                np.zeros(size),
                np.full(size, -379.0),
                np.arange(1.0 * size),
            ):
                self.assertEqual(list(find_peaks(decibels, lobe)), [])


if __name__ == "__main__":
    unittest.main()
