#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""logpwrfft_c and logpwrfft_f against gr-fft's hierarchical block and numpy."""

import itertools

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import logpwrfft, window
from qa_support import (
    ITEM_SIZES,
    GpufftTestCase,
    engine_for,
    run,
    run_with_change,
    settled_row,
    tag,
    tag_places,
    wait,
)

TOLERANCE_DB = 1e-3
STOCK = {"c": logpwrfft.logpwrfft_c, "f": logpwrfft.logpwrfft_f}
OURS = {"c": gpufft.logpwrfft_c, "f": gpufft.logpwrfft_f}


def make(kind, sample_rate, n, *arguments, **keywords):
    return OURS[kind](sample_rate, n, *arguments, engine=engine_for(n), **keywords)


class qa_logpwrfft(GpufftTestCase):
    def samples(self, kind, count):
        noise = self.complex_noise(count)
        return noise if kind == "c" else noise.real.copy()

    def assert_decibels(self, result, expected, message=""):
        self.assertEqual(result.shape, expected.shape, message)
        self.assertGreater(len(result), 0, message)
        # Rounding adds about 1e-6 of the strongest bin's amplitude to every bin, which is
        # more of a weak one.
        weakness = 10 ** ((expected.max(axis=-1, keepdims=True) - expected) / 20)
        excess = np.abs(result - expected) / (TOLERANCE_DB + 8.7e-6 * weakness)
        self.assertTrue(excess.max() < 1, f"{message}: {excess.max()} times what may be")

    def test_stock(self):
        """All parameters in stock's order: decimation, window, scale, average, shift."""
        windows = (None, window.hann, lambda n: [1.0] * n)
        for kind, n, frame_rate, (average, alpha), win, shift in itertools.product(
            "cf",
            (64, 63),
            (100, 17, 3000),
            ((False, 0.5), (True, 0.3)),
            windows,
            (False, True),
        ):
            parameters = (64 * 100.0, n, 1.5, frame_rate, alpha, average, win, shift)
            x = self.samples(kind, 6401)
            result, _ = run(x, make(kind, *parameters), kind=kind, vlen_out=n)
            expected, _ = run(x, STOCK[kind](*parameters), kind=kind, vlen_out=n)
            self.assert_decibels(result, expected, f"{kind} {parameters}")

    def test_getters_as_stock(self):
        for sample_rate, n, frame_rate in (
            (32000.0, 1024, 30),
            (1e6, 100, 7),
            (10.0, 64, 9),
        ):
            ours = make("c", sample_rate, n, 2, frame_rate, 0.5, True)
            stock = STOCK["c"](sample_rate, n, 2, frame_rate, 0.5, True)
            for change in (
                None,
                ("set_sample_rate", 48000.0),
                ("set_vec_rate", 11.0),
                ("set_decimation", 5),
                ("set_decimation", 2.5),
                ("set_decimation", -1),
                ("set_average", False),
                ("set_avg_alpha", 0.25),
            ):
                if change:
                    for block in (ours, stock):
                        getattr(block, change[0])(change[1])
                for getter in (
                    "sample_rate",
                    "decimation",
                    "frame_rate",
                    "average",
                    "avg_alpha",
                ):
                    self.assertAlmostEqual(
                        getattr(ours, getter)(),
                        getattr(stock, getter)(),
                        9,
                        f"{change} {getter}",
                    )

    def test_full_scale_tone_reads_reference(self):
        n = 128
        tone = np.exp(2j * np.pi * 8 * np.arange(4 * n) / n)
        for ref_scale, level in ((2.0, 0.0), (4.0, -6.0206)):
            block = make("c", 1.0, n, ref_scale, 1.0, 1.0, False, lambda n: [1.0] * n)
            result, _ = run(tone, block, vlen_out=n)
            self.assertTrue(np.allclose(result[:, 8], level, atol=TOLERANCE_DB))

    def test_mean_averages_all_frames(self):
        n, decimation = 32, 5
        x = self.samples("c", 23 * n)
        block = make("c", 32.0 * 5, n, 2, 1.0, 1.0, False, window.hann, mean=True)
        self.assertEqual(block.decimation(), decimation)
        result, _ = run(x, block, vlen_out=n)
        taps = np.array(window.hann(n))
        powers = np.abs(np.fft.fft(x[: 20 * n].reshape(4, decimation, n) * taps)) ** 2
        expected = 10 * np.log10(powers.mean(axis=1) / n / np.sum(taps**2))
        self.assert_decibels(result, expected)

    def test_mean_averages_from_the_first_row(self):
        n, alpha = 32, 0.25
        x = self.samples("c", 10 * n)
        parameters = (32.0 * 5, n, 2, 1.0, alpha, True, window.hann)
        result, _ = run(x, make("c", *parameters, mean=True), vlen_out=n)
        taps = np.array(window.hann(n))
        powers = np.abs(np.fft.fft(x.reshape(2, 5, n) * taps)) ** 2
        first, second = powers.mean(axis=1)
        rows = np.array([first, first + alpha * (second - first)])
        self.assert_decibels(result, 10 * np.log10(rows / n / np.sum(taps**2)))

    def test_endless_mean_starts(self):
        block = make("c", 1e9, 16, 2, 1e-3, 0.5, True, mean=True)
        result, _ = run(self.samples("c", 1000), block, vlen_out=16)
        self.assertEqual(len(result), 0)

    def test_windows(self):
        n = 48
        x = self.samples("c", 5 * n)
        for spec in ("flattop", window.WIN_FLATTOP, window.flattop, window.flattop(n)):
            result, _ = run(x, make("c", 1.0, n, 2, 1.0, 1.0, False, spec), vlen_out=n)
            expected, _ = run(
                x, STOCK["c"](1.0, n, 2, 1.0, 1.0, False, window.flattop), vlen_out=n
            )
            self.assert_decibels(result, expected)

    def test_average_after_what_is_not_finite(self):
        """The average does not recover, until it begins anew."""
        n, alpha = 16, 0.5
        for bad in (np.nan, np.inf, 3e38):
            x = self.samples("c", 400 * n)
            x[3 * n] = bad
            parameters = (float(n), n, 2, 1.0, alpha, True, lambda n: [1.0] * n)
            block = make("c", *parameters)
            result, _ = run(x[: 9 * n], block, vlen_out=n)
            finite = [False] * 9
            finite[:3] = [True] * 3
            self.assertEqual(list(np.isfinite(result).all(axis=1)), finite)
            message = pmt.cons(pmt.PMT_NIL, pmt.PMT_NIL)
            port = pmt.intern("reset")
            for reset in (
                block.reset_average,
                lambda: block.to_basic_block()._post(port, message),
            ):
                sink = blocks.vector_sink_f(n)
                rows = run_with_change(x, 200 * n, [block], sink, reset, 50)
                rows = rows.reshape(-1, n)
                self.assertFalse(np.isfinite(rows[3:50]).all(axis=1).any())
                self.assertTrue(np.isfinite(rows[260:]).all())
                powers = np.abs(np.fft.fft(x.reshape(-1, n)[-40:])) ** 2
                mean = powers[0]
                for power in powers[1:]:
                    mean = mean + alpha * (power - mean)
                self.assert_decibels(rows[-1:], 10 * np.log10(mean[None] / n / n))

    def test_tags(self):
        """A tag belongs to the row of its interval."""
        n, decimation = 8, 3
        places = (0, 7, 8, 15, 16, 23, 24, 200, 479)
        for mean, limit in itertools.product((False, True), (None, 5)):
            block = make("c", 24.0, n, 2, 1.0, 1.0, False, mean=mean)
            self.assertEqual(block.decimation(), decimation)
            _, tags = run(
                self.samples("c", 480),
                block,
                vlen_out=n,
                limit=limit,
                tags=map(tag, places),
            )
            self.assertEqual(
                tag_places(tags), [(p, p // (n * decimation)) for p in places]
            )

    def test_setters_while_running(self):
        n = 32
        x = self.samples("c", n)
        block = make("c", 32.0, n, 2.0, 1.0, 1.0, False, "none")
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(x.tolist(), True)
        throttle = blocks.throttle(ITEM_SIZES["c"], 1e6)
        sink = blocks.vector_sink_f(n)
        flowgraph.connect(source, throttle, block, sink)
        taps = np.array(window.hann(n))
        plain = 10 * np.log10(np.abs(np.fft.fft(x)) ** 2 / n / n)
        hann = 10 * np.log10(np.abs(np.fft.fft(x * taps)) ** 2 / n / np.sum(taps**2))
        flowgraph.start()
        for name, value, expected in [
            ("set_avg_alpha", 0.5, plain),
            ("set_average", True, plain),
            ("set_ref_scale", 4.0, plain - 20 * np.log10(2)),
            ("set_ref_scale", 2.0, plain),
            ("set_shift", True, np.fft.fftshift(plain)),
            ("set_window", "hann", np.fft.fftshift(hann)),
            ("set_window", window.hann, np.fft.fftshift(hann)),
            ("set_shift", False, hann),
            ("set_window", None, None),
            ("set_window", lambda n: [], plain),
            ("set_sample_rate", 320.0, plain),
            ("set_vec_rate", 5.0, plain),
            ("set_decimation", 1, plain),
            ("set_nthreads", 2, plain),
            ("set_average", False, plain),
        ]:
            getattr(block, name)(value)
            if expected is None:
                continue
            last = settled_row(
                sink, n, lambda row, to=expected: np.abs(row - to).max() < TOLERANCE_DB
            )
            self.assert_decibels(last, expected, f"{name}({value})")
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(block.error(), "")

    def test_bad_input(self):
        good = {
            "sample_rate": 100.0,
            "fft_size": 8,
            "ref_scale": 2.0,
            "frame_rate": 1.0,
            "avg_alpha": 1.0,
            "average": True,
        }
        for change, words in [
            ({"fft_size": 0}, ["fft_size is 0", "1 ... 268435456"]),
            ({"fft_size": 2**33}, ["fft_size is 8589934592", "268435456"]),
            ({"sample_rate": 0.0}, ["sample_rate is 0", "> 0"]),
            ({"frame_rate": 0.0}, ["frame_rate is 0", "> 0"]),
            ({"frame_rate": float("inf")}, ["frame_rate is inf", "> 0"]),
            ({"frame_rate": 1e-300}, ["decimation", "at most"]),
            (
                {"sample_rate": 2.0**65, "fft_size": 2**26},
                ["decimation is 549755813888", "1 ... 16384"],
            ),
            ({"ref_scale": 0.0}, ["ref_scale is 0", "> 0"]),
            ({"ref_scale": 1e-30}, ["ref_scale is 1e-30: must be ", " ... "]),
            ({"ref_scale": 1e-200}, ["ref_scale is 1e-200: must be ", " ... "]),
            ({"ref_scale": 1e30}, ["ref_scale is 1e+30: must be ", " ... "]),
            ({"avg_alpha": 0.0}, ["avg_alpha is 0", "<= 1"]),
            ({"avg_alpha": 1.1}, ["avg_alpha is 1.1", "<= 1"]),
            ({"win": "hut"}, ["'hut'", "hann"]),
            ({"win": [1.0] * 7}, ["7 taps", "fft_size is 8"]),
            ({"win": [0.0] * 8}, ["taps", "0"]),
            ({"nthreads": 9999}, ["nthreads is 9999", "1024"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.logpwrfft_c, **{**good, **change}
            )
        block = gpufft.logpwrfft_f(**good)
        for setter, value, words in [
            (block.set_decimation, float("nan"), ["decimation is nan"]),
            (block.set_avg_alpha, -1.0, ["avg_alpha is -1"]),
            (block.set_window, [1.0], ["1 taps", "8"]),
        ]:
            self.assert_refuses(ValueError, words, setter, value)
        self.assertEqual((block.decimation(), block.avg_alpha()), (12, 1.0))


if __name__ == "__main__":
    gr_unittest.run(qa_logpwrfft)
