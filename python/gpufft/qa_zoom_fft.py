#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""zoom_fft_vcc, and plans of zooms, against scipy.signal.zoom_fft."""

import time

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, PATIENCE, GpufftTestCase, run, tag, tag_places, wait
from scipy.signal import zoom_fft

# N, B, f_start, f_stop: fewer bins than samples and more, any band, downwards too.
CASES = (
    (1, 1, 0.0, 0.5),
    (1, 7, 0.1, 0.3),
    (8, 1, 0.25, 0.5),
    (100, 100, 0.0, 1.0),
    (64, 33, -0.1, 0.2),
    (31, 200, 0.3, 0.31),
    (1000, 250, 0.4, 0.6),
    (500, 120, 0.2, -0.3),
    (2048, 999, 7.1, 7.2),
)


def zoom(*arguments, **keywords):
    return gpufft.zoom_fft_vcc(*arguments, engine=ENGINE, **keywords)


def expected(x, bins, f_start, f_stop, taps=1.0):
    return zoom_fft(x.astype(complex) * taps, [f_start, f_stop], bins, fs=1)


class qa_zoom_fft(GpufftTestCase):
    def test_scipy(self):
        """With and without window, both kinds of ports."""
        for n, bins, *band in CASES:
            for windowed in (False, True):
                x = self.complex_noise(5, n)
                taps = 0.5 + self.random.random(n) if windowed else np.ones(n)
                given = taps.tolist() if windowed else []
                truth = expected(x, bins, *band, taps)
                case = f"{n} to {bins} of {band}, window={windowed}"
                block = zoom(n, bins, *band, given)
                vectors, _ = run(x, block, out="c", vlen_in=n, vlen_out=bins)
                self.assert_close(vectors, truth, case)
                stream, _ = run(x, zoom(n, bins, *band, given, vlen=1), out="c")
                self.assert_close(stream.reshape(truth.shape), truth, case + " vlen=1")

    def test_named_windows(self):
        x = self.complex_noise(3, 40)
        block = zoom(40, 16, 0.1, 0.2, "hann")
        for spec, taps in (
            ("hann", window.hann(40)),
            (("kaiser", 5.0), window.kaiser(40, 5)),
            (None, np.ones(40)),
        ):
            block.set_window(spec)
            result, _ = run(x, block, out="c", vlen_in=40, vlen_out=16)
            self.assert_close(result, expected(x, 16, 0.1, 0.2, taps), str(spec))

    def test_bands_may_change(self):
        x = self.complex_noise(3, 100)
        block = zoom(100, 30, 0.1, 0.2)
        for band in ((0.1, 0.2), (-0.4, 0.4), (0.3, 0.3)):
            block.set_band(*band)
            self.assertEqual((block.f_start(), block.f_stop()), band)
            result, _ = run(x, block, out="c", vlen_in=100, vlen_out=30)
            self.assert_close(result, expected(x, 30, *band), str(band))

    def test_bands_in_hertz(self):
        """By center and span, by ends, and by setters, at any sample rate."""
        x = self.complex_noise(3, 100)
        for rate, center, span in ((1, 0.2, 0.1), (2.4e6, -300e3, 1e5), (48e3, 0, -48e3)):
            ends = (center - span / 2, center + span / 2)
            truth = zoom_fft(x.astype(complex), ends, 30, fs=rate)
            block = zoom(100, 30, samp_rate=rate, center_freq=center, span=span)
            other = zoom(100, 30, *ends, samp_rate=rate)
            moved = zoom(100, 30, 0.0, 0.1)
            moved.set_band(0, rate / 4, rate)
            moved.set_center_freq(center)
            moved.set_span(span)
            for each in (block, other, moved):
                self.assertEqual(each.samp_rate(), rate)
                np.testing.assert_allclose(
                    (each.f_start(), each.f_stop(), each.center_freq(), each.span()),
                    (*ends, center, span),
                    atol=1e-12 * rate,
                )
                result, _ = run(x, each, out="c", vlen_in=100, vlen_out=30)
                self.assert_close(result, truth, f"{rate} {center} {span}")

    def test_one_way_to_give_a_band(self):
        words = ["center_freq and span", "f_start and f_stop"]
        for given in (
            {},
            {"f_start": 0.1},
            {"span": 0.1},
            {"f_start": 0, "span": 0.1},
            {"f_start": 0, "f_stop": 0.1, "center_freq": 0},
            {"f_start": 0, "f_stop": 0.1, "center_freq": 0, "span": 0.1},
        ):
            self.assert_refuses(TypeError, words, zoom, 8, 4, **given)
        band = {"center_freq": 0, "span": 0.5}
        for rate in (0, -1, float("nan")):
            self.assert_refuses(
                ValueError, [f"samp_rate is {rate}"], zoom, 8, 4, samp_rate=rate, **band
            )
        band = {"samp_rate": 100, "center_freq": 0}
        self.assert_refuses(
            ValueError, ["-60 ... 60", "samp_rate"], zoom, 8, 4, span=120, **band
        )
        block = zoom(8, 4, span=10, **band)
        self.assert_refuses(ValueError, ["samp_rate"], block.set_span, 101)
        self.assertEqual((block.span(), block.samp_rate()), (10, 100))

    def test_bands_may_change_while_it_runs(self):
        tone = np.exp(2j * np.pi * 0.25 * np.arange(64)).astype(np.complex64)
        block = zoom(64, 2, 0.0, 0.125)
        source = blocks.vector_source_c(tone.tolist(), True, 64)
        rate = blocks.throttle(64 * gr.sizeof_gr_complex, 2000)
        probe = blocks.probe_signal_vc(2)
        flowgraph = gr.top_block()
        flowgraph.connect(source, rate, block, probe)
        flowgraph.start()
        block.set_band(0.25, 0.375)
        deadline = time.monotonic() + PATIENCE
        while abs(probe.level()[0] - 64) > 1e-3 and time.monotonic() < deadline:
            time.sleep(0.01)
        flowgraph.stop()
        wait(flowgraph)
        self.assertLess(abs(probe.level()[0] - 64), 1e-3)

    def test_plans(self):
        x = self.complex_noise(7, 100)
        truth = expected(x, 30, 0.1, 0.2)
        text = "zoom_n100_b7_bins30_from0.1_to0.2"
        plan = gpufft.plan(text, engine=ENGINE)
        self.assert_close(plan.execute(x), truth)
        named = gpufft.problem(
            kind="zoom", lengths=100, batch=7, bins=30, f_start=0.1, f_stop=0.2
        )
        self.assertEqual(str(named), text)
        self.assertEqual((named.bins, named.f_start, named.f_stop), (30, 0.1, 0.2))
        double = gpufft.plan(text + "_f64", engine="cpu").execute(x.astype(complex))
        self.assertLess(np.linalg.norm(double - truth), 1e-12 * np.linalg.norm(truth))

    def test_tags(self):
        x = self.complex_noise(40, 24)
        places = (0, 1, 39)
        _, tags = run(
            x,
            zoom(24, 6, 0, 0.1),
            out="c",
            vlen_in=24,
            vlen_out=6,
            tags=map(tag, places),
        )
        self.assertEqual(tag_places(tags), [(p, p) for p in places])
        places = (0, 23, 24, 959)
        block = zoom(24, 6, 0, 0.1, vlen=1)
        _, tags = run(x, block, out="c", tags=map(tag, places))
        self.assertEqual(tag_places(tags), [(p, p // 24 * 6) for p in places])

    def test_bad_input(self):
        for arguments, words in [
            ((0, 8, 0, 0.1), ["fft_size is 0", "1 ..."]),
            ((8, 0, 0, 0.1), ["bins is 0", "1 ..."]),
            ((8, 2**30, 0, 0.1), ["bins is 1073741824", "1073741816"]),
            ((8, 8, 0, 1.5), ["f_stop is 1.5", "at most 1 cycle per sample"]),
            ((8, 8, float("nan"), 0.5), ["f_start is nan", "-2^20 ... 2^20"]),
            ((8, 8, 0, 0.1, [1.0] * 5), ["5 taps", "8"]),
            ((8, 8, 0, 0.1, [], 0), ["nthreads is 0", "1 ... 1024"]),
        ]:
            self.assert_refuses(ValueError, words, zoom, *arguments)
        self.assert_refuses(ValueError, ["vlen is 3"], zoom, 8, 4, 0, 0.1, vlen=3)
        block = zoom(8, 4, 0, 0.1, nthreads=2)
        self.assert_refuses(ValueError, ["f_stop is 2"], block.set_band, 0, 2)
        for call in (block.set_center_freq, block.set_span):
            name = call.__name__.removeprefix("set_")
            for value in (float("nan"), -1e30):
                self.assert_refuses(ValueError, [f"{name} is {value:g} Hz"], call, value)
        rated = zoom(8, 4, 0, 0.1, samp_rate=100)
        words = ["f_start is 1000000000 Hz", "-104857600 ... 104857600 Hz"]
        self.assert_refuses(ValueError, words, rated.set_band, 1e9, 1e9 + 50)
        self.assertEqual((block.f_start(), block.f_stop()), (0, 0.1))
        block.set_nthreads(1)
        self.assertEqual(block.nthreads(), 1)
        self.assertIn("zoom", block.describe())


if __name__ == "__main__":
    gr_unittest.run(qa_zoom_fft)
