#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The detectors and holds of power_spectrum against numpy in double precision."""

import itertools

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import (
    GpufftTestCase,
    engine_for,
    run,
    settled_row,
    tag,
    tag_places,
    wait,
)

DETECTORS = ("mean", "max", "min", "kurtosis")
HOLDS = {"max": np.maximum, "min": np.minimum}
CLASSES = {"c": gpufft.power_spectrum_cf, "s": gpufft.power_spectrum_sf}


def make(n, hop=None, taps=(), average=1, mode="linear", kind="c", **keywords):
    keywords = {"scaling": "none", "nthreads": 2, "engine": engine_for(n), **keywords}
    return CLASSES[kind](n, hop, list(taps), average, mode, False, **keywords)


def powers_of(x, n, hop, taps=None):
    """|X|^2 of every frame, in double precision."""
    frames = (len(x) - n) // hop + 1
    cut = np.array([x[f * hop : f * hop + n] for f in range(frames)])
    return np.abs(np.fft.fft(cut * (1 if taps is None else taps), axis=1)) ** 2


def spectral_kurtosis(p):
    """Nita & Gary 2010, over axis 1."""
    m = p.shape[1]
    s1, s2 = p.sum(axis=1), (p**2).sum(axis=1)
    return (m + 1) / (m - 1) * (m * s2 / s1**2 - 1)


def rows_of(powers, average, detector):
    rows = len(powers) // average
    p = powers[: rows * average].reshape(rows, average, -1)
    if detector == "kurtosis":
        return spectral_kurtosis(p)
    return getattr(p, detector)(axis=1)


class qa_detectors(GpufftTestCase):
    # Values

    def test_detectors(self):
        """Every detector and hold, overlap and gaps, arrival in odd pieces."""
        for detector, hold, (n, hop, average), limit in itertools.product(
            DETECTORS,
            ("none", "max", "min"),
            ((64, 64, 7), (63, 16, 3), (100, 150, 2)),
            (None, 97),
        ):
            x = self.complex_noise(6000)
            taps = np.array(window.hann(n))
            block = make(n, hop, taps, average, detector=detector, hold=hold)
            result, _ = run(x, block, vlen_out=n, limit=limit)
            expected = rows_of(powers_of(x, n, hop, taps), average, detector)
            if hold != "none":
                expected = HOLDS[hold].accumulate(expected)
            self.assertEqual(result.shape, expected.shape)
            # relative to the power of a frame: min is far below it, and as precise
            level = expected.max() if detector == "kurtosis" else n * np.mean(taps**2) * 2
            self.assertLess(
                np.abs(result - expected).max() / max(level, expected.max()),
                3e-6,
                f"{detector}, hold {hold}, n={n} hop={hop} average={average}",
            )

    def test_integers_and_decibels(self):
        n, average = 64, 5
        items = self.random.integers(-32768, 32768, 2 * 100 * n)
        x = (items[0::2] + 1j * items[1::2]) / 32768
        for detector, hold in itertools.product(DETECTORS, ("none", "max")):
            block = make(n, None, (), average, "db", "s", detector=detector, hold=hold)
            result, _ = run(items, block, kind="s", vlen_out=n)
            expected = rows_of(powers_of(x, n, n), average, detector)
            if hold == "max":
                expected = np.maximum.accumulate(expected)
            if detector != "kurtosis":  # which is a ratio, in either mode
                expected = 10 * np.log10(expected)
            self.assertLess(np.abs(result - expected).max(), 2e-3, (detector, hold))

    def test_alpha_smooths_rows_of_any_detector(self):
        n, average, alpha = 32, 4, 0.25
        x = self.complex_noise(100 * n)
        for detector in DETECTORS:
            block = make(n, None, (), average, detector=detector, alpha=alpha)
            result, _ = run(x, block, vlen_out=n)
            expected = rows_of(powers_of(x, n, n), average, detector)
            for row in range(1, len(expected)):
                expected[row] = alpha * expected[row] + (1 - alpha) * expected[row - 1]
            self.assertTrue(np.allclose(result, expected, rtol=1e-4, atol=1e-4), detector)

    # Spectral kurtosis

    def test_gaussian_noise_has_kurtosis_1_and_its_known_deviation(self):
        n = 256
        for m, rows in ((10, 400), (100, 100)):
            x = 1e-5 * self.complex_noise(n * m * rows)
            result, _ = run(x, make(n, None, (), m, detector="kurtosis"), vlen_out=n)
            self.assertEqual(result.shape, (rows, n))
            deviation = 2 * m / np.sqrt((m - 1) * (m + 2) * (m + 3))
            self.assertLess(abs(result.mean() - 1), 5 * deviation / np.sqrt(rows * n))
            self.assertLess(abs(result.std() / deviation - 1), 0.05)

    def test_tones_bursts_and_silence(self):
        n, m = 64, 400
        tone = np.exp(2j * np.pi * 5 * np.arange(n * m) / n)
        frame = np.arange(n * m) // n
        for x, expected in [
            (tone, 0.0),
            (tone * (frame % 2 == 0), 1.0),  # 1 / duty - 1
            (tone * (frame % 10 == 0), 9.0),
            (0 * tone, 0.0),
        ]:
            result, _ = run(x, make(n, None, (), m, detector="kurtosis"), vlen_out=n)
            self.assertAlmostEqual(result[0, 5], expected * (m + 1) / (m - 1), places=4)

    def test_a_tone_in_noise_stands_out(self):
        """Between noise and tone; a burst too weak for the mean spectrum is seen."""
        n, m = 128, 2000
        x = self.complex_noise(n * m)
        tone = np.exp(2j * np.pi * np.outer(np.ones(m), np.arange(n)) * 10 / n).ravel()
        burst = np.exp(2j * np.pi * np.outer(np.ones(m), np.arange(n)) * 90 / n).ravel()
        x += 0.5 * tone + 0.7 * burst * (np.arange(n * m) // n % 100 == 0)
        result, _ = run(x, make(n, None, (), m, detector="kurtosis"), vlen_out=n)
        others = np.delete(result[0], [10, 90])
        deviation = 2 / np.sqrt(m)
        self.assertLess(result[0, 10], 1 - 8 * deviation)
        self.assertGreater(result[0, 90], 1 + 8 * deviation)
        self.assertLess(np.abs(others - 1).max(), 6 * deviation)

    # Streams

    def test_end_of_stream_and_tags(self):
        n, hop, average = 8, 4, 3
        places = (0, 5, 11, 12, 100, 555)
        for detector, hold in itertools.product(DETECTORS, ("none", "min")):
            for count in (0, 15, 16, 1001):
                x = self.complex_noise(count)
                block = make(n, hop, (), average, detector=detector, hold=hold)
                marks = [tag(p) for p in places if p < count]
                result, tags = run(x, block, vlen_out=n, limit=13, tags=marks)
                frames = max(0, (count - n) // hop + 1)
                self.assertEqual(len(result), frames // average)
                if count == 1001:
                    self.assertEqual(
                        tag_places(tags), [(p, p // hop // average) for p in places]
                    )

    def test_restart_starts_a_new_hold(self):
        n = 16
        loud, quiet = np.ones(4 * n), 0.5 * np.ones(4 * n)
        block = make(n, hold="max")
        for x, power in ((loud, n**2), (quiet, n**2 / 4)):
            result, _ = run(x, block, vlen_out=n)
            self.assertTrue(np.allclose(result[:, 0], power))

    # While running

    def run_steps(self, block, level, steps):
        """A constant, whose level the steps change; each expects a power in bin 0."""
        n = block.fft_size()
        flowgraph = gr.top_block()
        source = blocks.vector_source_c([1.0] * n, True)
        gain = blocks.multiply_const_cc(level)
        throttle = blocks.throttle(gr.sizeof_gr_complex, 1e6)
        sink = blocks.vector_sink_f(n)
        flowgraph.connect(source, throttle, gain, block, sink)
        flowgraph.start()
        try:
            for step, expected in steps:
                step(gain)
                last = settled_row(
                    sink, n, lambda row, to=expected: abs(row[0] / n**2 - to) < 5e-6
                )
                self.assertAlmostEqual(last[0] / n**2, expected, places=5)
        finally:
            flowgraph.stop()
            wait(flowgraph)
        self.assertEqual(block.error(), "")

    def test_holds_while_running(self):
        n = 32
        block = make(n)
        reset = pmt.intern("reset")
        self.run_steps(
            block,
            1.0,
            [
                (lambda gain: None, 1.0),
                (lambda gain: block.set_hold("max"), 1.0),
                (lambda gain: gain.set_k(2.0), 4.0),
                (lambda gain: gain.set_k(0.5), 4.0),
                (lambda gain: block.reset_hold(), 0.25),
                (lambda gain: gain.set_k(3.0), 9.0),
                (lambda gain: gain.set_k(0.5), 9.0),
                (lambda gain: block.to_basic_block()._post(reset, pmt.PMT_NIL), 0.25),
                (lambda gain: gain.set_k(1.0), 1.0),
                (lambda gain: gain.set_k(0.5), 1.0),
                (lambda gain: block.set_hold("min"), 0.25),
                (lambda gain: gain.set_k(1.0), 0.25),
                (lambda gain: block.set_alpha(0.5), 0.25),
                (lambda gain: block.set_detector("max"), 1.0),
                (lambda gain: block.set_hold("none"), 1.0),
                (lambda gain: gain.set_k(0.5), 0.25),
            ],
        )
        self.assertEqual((block.detector(), block.hold()), ("max", "none"))

    def test_detectors_while_running(self):
        """Frames of two levels in turn."""
        n = 32
        block = make(n, average=2)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c([1.0] * n + [3.0] * n, True)
        throttle = blocks.throttle(gr.sizeof_gr_complex, 1e6)
        sink = blocks.vector_sink_f(n)
        flowgraph.connect(source, throttle, block, sink)
        flowgraph.start()
        for detector, expected in [
            ("mean", 5.0 * n**2),
            ("max", 9.0 * n**2),
            ("min", 1.0 * n**2),
            ("kurtosis", 3 * (2 * 82 / 10**2 - 1)),
            ("mean", 5.0 * n**2),
        ]:
            block.set_detector(detector)
            last = settled_row(
                sink, n, lambda row, to=expected: abs(row[0] / to - 1) < 5e-6
            )
            self.assertAlmostEqual(last[0] / expected, 1, places=5, msg=detector)
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(block.error(), "")

    # Bad input

    def test_bad_input(self):
        for keywords, words in [
            ({"detector": "peak"}, ["'peak'", "mean, max, min or kurtosis"]),
            ({"hold": "on"}, ["'on'", "none, max or min"]),
            ({"detector": "kurtosis"}, ["average", "kurtosis", "is 1", "2 ..."]),
        ]:
            self.assert_refuses(ValueError, words, make, 8, **keywords)
        block = make(8)
        for setter, value, words in [
            (block.set_detector, "rms", ["'rms'"]),
            (block.set_detector, "kurtosis", ["is 1", "2 ..."]),
            (block.set_hold, "", ["''"]),
        ]:
            self.assert_refuses(ValueError, words, setter, value)
        self.assertEqual((block.detector(), block.hold()), ("mean", "none"))

    def test_says_what_runs(self):
        block = make(64, average=9, detector="min", hold="max")
        self.assertIn("min", block.describe())
        self.assertIn("hold", block.describe())


if __name__ == "__main__":
    gr_unittest.run(qa_detectors)
