#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What gpufft analyzer measures and its markers read, without a window: against signals whose
powers, frequencies and bandwidths are known."""

import unittest

import numpy as np
from gnuradio import gpufft

import cli_testing as cli
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import markers, measure, readout, screen, settings
from gnuradio.gpufft.cli.analyzer.trace import Trace
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.spectrum import parse_window

RATE, CENTRE = 1e6, 100e6
WINDOWS = ("none", "hann", "blackmanharris", "flattop", "kaiser:8.6")


def spectrum(x, size, window):
    """Mean power of every bin of half-overlapping frames, DC in the middle."""
    taps = np.array(gpufft.window_taps(parse_window(window), size))
    taps = taps if len(taps) else np.ones(size)
    frames = np.lib.stride_tricks.sliding_window_view(x, size)[:: max(1, size // 2)]
    powers = np.abs(np.fft.fft(frames * taps, axis=1)) ** 2 / np.sum(taps) ** 2
    return np.fft.fftshift(powers.mean(axis=0))


def make_trace(powers, window="hann", rate=RATE, centre=CENTRE):
    """A Trace of these bins."""
    axis = screen.Axis(len(powers), rate, centre, 1e6, "")
    return Trace(
        axis,
        lambda first, count: powers[first : first + count],
        settings.noise_bandwidth(window, len(powers)),
    )


def band_of_noise(n, low, high, power, random):
    """n samples of noise between two frequencies (Hz from the centre), of exactly this
    power, and nothing outside."""
    frequencies = np.fft.fftfreq(n, 1 / RATE)
    bins = random.normal(size=n) + 1j * random.normal(size=n)
    bins[(frequencies < low) | (frequencies >= high)] = 0
    x = np.fft.ifft(bins)
    return x * np.sqrt(power / np.mean(np.abs(x) ** 2))


def decibels(power):
    return 10 * np.log10(power)


class QaChannel(unittest.TestCase):
    def measure(self, trace, low, high, share=99.0):
        """Of a channel, Hz from the centre."""
        return measure.Channel(CENTRE + low, CENTRE + high).measure(trace, share)

    def test_power_of_tones(self):
        """Between bins or not, with every window and size: the sum of the tones' powers."""
        random = np.random.default_rng(5)
        for size in (16, 64, 1009, 4096):
            for window in WINDOWS:
                with self.subTest(size=size, window=window):
                    tones = random.uniform(-0.2, -0.15), random.uniform(0.1, 0.2)
                    amplitudes = 10 ** (random.uniform(-60, -10, 2) / 20)
                    x = cli.tones(50 * size, tones, amplitudes, noise=0)
                    trace = make_trace(spectrum(x, size, window), window)
                    found = self.measure(trace, -RATE / 2, RATE / 2)
                    power = np.mean(np.abs(x) ** 2)
                    self.assertAlmostEqual(found.power, decibels(power), delta=0.15)
                    self.assertAlmostEqual(
                        found.density, found.power - decibels(RATE), delta=0.05
                    )

    def test_a_tone_beside_the_channel_is_not_in_it(self):
        x = cli.tones(1 << 15, (0.1, -0.2), (0.1, 1.0), noise=0)
        trace = make_trace(spectrum(x, 1024, "blackmanharris"), "blackmanharris")
        found = self.measure(trace, 60e3, 140e3)
        self.assertAlmostEqual(found.power, -20, delta=0.1)

    def test_power_of_noise(self):
        """White noise in a channel that ends between two bins: density times width."""
        random = np.random.default_rng(3)
        for size in (256, 1000):
            x = 0.1 * random.normal(size=(2, 1 << 18))
            trace = make_trace(spectrum(x[0] + 1j * x[1], size, "hann"))
            for low, high in ((-200.3e3, 133.7e3), (10e3, 10e3 + 2.4 * RATE / size)):
                density = 2 * 0.1**2 / RATE
                found = self.measure(trace, low, high)
                expected = decibels(density * (high - low))
                self.assertAlmostEqual(found.power, expected, delta=0.6)
                self.assertAlmostEqual(found.density, decibels(density), delta=0.6)

    def test_occupied_bandwidth(self):
        """Of flat noise it is its share of the band, wherever the band lies."""
        random = np.random.default_rng(7)
        for low, width in ((-250e3, 200e3), (31e3, 50e3)):
            x = band_of_noise(1 << 19, low, low + width, 0.01, random)
            x += cli.tones(len(x), (0.45,), (1.0,), noise=1e-5)  # outside the channel
            trace = make_trace(spectrum(x, 4096, "blackmanharris"), "blackmanharris")
            for share in (99.0, 90.0, 50.0):
                found = self.measure(trace, low - 30e3, low + width + 30e3, share)
                start, end = (edge - CENTRE for edge in found.occupied)
                rest = (1 - share / 100) / 2 * width
                with self.subTest(low=low, share=share):
                    slack = 0.015 * width
                    self.assertAlmostEqual(start, low + rest, delta=slack)
                    self.assertAlmostEqual(end, low + width - rest, delta=slack)
                    self.assertAlmostEqual(found.power, -20, delta=0.1)

    def test_adjacent_channels(self):
        random = np.random.default_rng(11)
        n, width, space = 1 << 18, 100e3, 4e3
        powers = {-1: 1e-5, 0: 1e-2, 1: 3e-4}  # linear
        x = sum(
            band_of_noise(
                n, place * width - 50e3 + space, place * width + 50e3 - space, p, random
            )
            for place, p in powers.items()
        )
        trace = make_trace(spectrum(x, 4096, "blackmanharris"), "blackmanharris")
        found = self.measure(trace, -50e3, 50e3)
        self.assertAlmostEqual(found.power, -20, delta=0.1)
        self.assertAlmostEqual(found.lower, decibels(powers[-1] / powers[0]), delta=0.1)
        self.assertAlmostEqual(found.upper, decibels(powers[1] / powers[0]), delta=0.1)

    def test_neighbours_outside_the_stream(self):
        trace = make_trace(np.ones(1000), "none")
        found = self.measure(trace, -490e3, -290e3)
        self.assertIsNone(found.lower)
        self.assertAlmostEqual(found.upper, 0, delta=1e-6)
        found = self.measure(trace, -300e3, 300e3)
        self.assertEqual((found.lower, found.upper), (None, None))

    def test_nothing(self):
        """A silent band has no power and no bandwidth, and nothing is divided by it."""
        found = self.measure(make_trace(np.zeros(64)), -10e3, 10e3)
        self.assertEqual((found.power, found.occupied), (-np.inf, None))

    def test_channel_stays_in_the_band(self):
        trace = make_trace(np.ones(100))
        channel = measure.Channel(CENTRE, CENTRE + 1e3)
        for low, high, expected in (
            (100.1e6, 99.9e6, (99.9e6, 100.1e6)),
            (1.0, 1e12, (99.5e6, 100.5e6)),
            (100.2e6, 100.2e6, (100.2e6, 100.21e6)),
            (2e8, 3e8, (100.49e6, 100.5e6)),
        ):
            channel.move_to(low, high, trace)
            np.testing.assert_allclose((channel.low, channel.high), expected)

    def test_share(self):
        self.assertEqual(measure.check_share("99.5 %", "share"), 99.5)
        for text in ("0", "100", "-3", "x", "nan"):
            with self.assertRaisesRegex(InputError, text):
                measure.check_share(text, "share")


class QaReadout(unittest.TestCase):
    def test_share_of_the_time_up_to_the_edges_of_the_density(self):
        density = np.zeros((4, 160))
        density[2] = np.arange(160)
        place = {"density": density, "density_first_bin": 0, "density_bins": 8}
        axis = screen.Axis(8, RATE, CENTRE, 1e6, "")
        frequency = axis.edge(5)
        for low, high in ((-120.0, 0.0), (-123.4, -7.7), (-90.0, -30.0)):
            picture = {**place, "density_low": low, "density_high": high}
            for level, row in (
                (low, 0),
                (np.nextafter(high, low), 159),
                (high, None),
                (np.nextafter(low, -np.inf), None),
            ):
                share = readout.density_at(picture, axis, frequency, level)
                self.assertEqual(share, row, (low, high, level))


class QaMarkers(unittest.TestCase):
    def setUp(self):
        """Tones of 0, -10, -20 and -30 dB on bins 200, 300, 700, 900 over -80 dB."""
        self.powers = np.full(1000, 1e-8)
        self.bins = (200, 300, 700, 900)
        self.powers[list(self.bins)] = 10.0 ** -np.arange(4)
        self.trace = make_trace(self.powers)
        interpolated = 300  # Hz, from the bin's centre
        self.peaks = [self.trace.frequency(bin) + interpolated for bin in self.bins]
        self.markers = markers.Markers()

    def read(self):
        return self.markers.read(self.trace)

    def at(self):
        """The chosen marker's bin."""
        return next(
            self.trace.nearest(reading.frequency)
            for reading in self.read()
            if reading.is_chosen
        )

    def add(self):
        self.markers.add_at_peak(self.trace, self.peaks, self.trace.band)

    def place(self, bin, reach=0.4):
        middle, width = self.trace.frequency(bin), self.trace.bin_width
        self.markers.place(self.trace, middle - reach * width, middle + reach * width)

    def test_place_snaps_to_the_trace(self):
        """To the strongest bin under the mouse's pixel, and to that only."""
        self.place(297, reach=5)
        self.assertEqual(self.at(), 300)
        self.place(299)
        self.assertEqual(self.at(), 299)
        (reading,) = self.read()
        self.assertAlmostEqual(reading.level, -80)

    def test_level_follows_the_trace(self):
        self.place(700)
        self.assertAlmostEqual(self.read()[0].level, -20)
        self.powers[700] = 0.5
        self.assertAlmostEqual(self.read()[0].level, decibels(0.5))

    def test_noise_density(self):
        """White noise of known density, by every window."""
        random = np.random.default_rng(2)
        x = random.normal(size=1 << 20) + 1j * random.normal(size=1 << 20)
        for window in WINDOWS:
            self.trace = make_trace(spectrum(x, 256, window), window)
            self.place(100)
            density = decibels(2 / RATE)
            self.assertAlmostEqual(self.read()[0].density, density, delta=0.35)

    def test_next_marker_at_the_next_strongest_peak(self):
        for number, bin in enumerate(self.bins, 1):
            self.add()
            self.assertEqual((self.at(), self.markers.chosen), (bin, number))
        with self.assertRaisesRegex(InputError, "all 4 markers"):
            self.add()

    def test_without_peaks_the_highest_bin_shown(self):
        self.peaks = []
        self.markers.add_at_peak(
            self.trace, [], (self.trace.frequency(250), self.trace.frequency(800))
        )
        self.assertEqual(self.at(), 300)

    def test_steps(self):
        self.place(990)
        self.markers.step(self.trace, -1)
        self.assertEqual(self.at(), 989)
        self.markers.step(self.trace, 1)
        self.markers.step_division(self.trace, (99.5e6, 100.5e6), -1)
        self.assertEqual(self.at(), 890)
        self.markers.step_division(self.trace, (99.5e6, 99.502e6), 1)  # less than a bin
        self.assertEqual(self.at(), 891)
        self.markers.step_division(self.trace, (99.5e6, 100.5e6), 5)
        self.assertEqual(self.at(), 999)
        self.markers.step(self.trace, -5000)
        self.assertEqual(self.at(), 0)

    def test_next_peaks(self):
        step = self.markers.to_next_peak
        step(self.trace, self.peaks, 1)
        self.assertEqual(self.at(), 200)  # the strongest, for a start
        seen = []
        for direction in (1, 1, 1, 1, -1, -1, -1, -1):
            step(self.trace, self.peaks, direction)
            seen.append(self.at())
        self.assertEqual(seen, [300, 700, 900, 900, 700, 300, 200, 200])
        self.markers.clear()
        step(self.trace, [], 1)
        self.assertEqual(len(self.markers), 0)

    def test_deltas(self):
        with self.assertRaisesRegex(InputError, "marker 1"):
            self.markers.toggle_delta()
        self.place(200)
        self.markers.toggle_delta()
        self.assertEqual(self.markers.chosen, 2)
        self.assertEqual(self.read()[1].delta, (0, 0))
        self.place(700)
        reading = self.read()[1]
        self.assertAlmostEqual(reading.delta[0], 500 * RATE / 1000, delta=1e-3)
        self.assertAlmostEqual(reading.delta[1], -20)
        self.assertAlmostEqual(reading.level, -20)
        self.markers.toggle_delta()
        self.assertIsNone(self.read()[1].delta)

    def test_removal(self):
        """Deltas end with their reference; numbers stay, and free ones are given again."""
        self.add()
        self.markers.toggle_delta()
        self.add()
        self.markers.choose(1)
        self.markers.remove()
        readings = self.read()
        self.assertEqual([reading.number for reading in readings], [2, 3])
        self.assertEqual([reading.delta for reading in readings], [None, None])
        self.assertEqual(self.markers.chosen, 3)
        self.add()
        self.assertEqual((self.markers.chosen, len(self.markers)), (1, 3))
        self.markers.clear()
        self.assertEqual((self.read(), self.markers.chosen), ([], 1))
        self.markers.remove()  # nothing
        self.markers.step(self.trace, 1)

    def test_marker_outside_the_band(self):
        """A receiver that is tuned elsewhere: the marker stays, and reads nothing."""
        self.place(200)
        self.markers.toggle_delta()
        self.place(300)
        axis = screen.Axis(1000, RATE, CENTRE + 0.25e6, 1e6, "")
        self.trace = Trace(axis, lambda first, count: self.powers[first:][:count], 1.5)
        first, second = self.read()
        self.assertEqual((first.level, first.density), (None, None))
        self.assertEqual(second.level, decibels(self.powers[50]))
        self.assertAlmostEqual(second.delta[0], 100e3, delta=1e-3)
        self.assertIsNone(second.delta[1])


if __name__ == "__main__":
    ending.run(unittest.main)
