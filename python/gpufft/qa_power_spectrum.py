#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""power_spectrum_cf, _sf, _bf against scipy.signal.welch and numpy."""

import itertools
import threading

import numpy as np
import scipy.signal
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import (
    ENGINE,
    ITEM_SIZES,
    PATIENCE,
    SOURCES,
    GpufftTestCase,
    engine_for,
    newest_row,
    run,
    tag,
    tag_places,
    wait,
)

CLASSES = {
    "c": gpufft.power_spectrum_cf,
    "s": gpufft.power_spectrum_sf,
    "b": gpufft.power_spectrum_bf,
}
FULL_SCALE = {"s": 32768, "b": 128}
TOLERANCE_DB = 2e-3


def make(kind, n, *arguments, **keywords):
    return CLASSES[kind](n, *arguments, engine=engine_for(n), nthreads=2, **keywords)


def frame_powers(x, n, hop, taps=None):
    """|X|^2 of every frame, in double precision."""
    taps = np.ones(n) if taps is None else np.asarray(taps, dtype=float)
    frames = (len(x) - n) // hop + 1 if len(x) >= n else 0
    cut = np.array([x[f * hop : f * hop + n] for f in range(frames)]).reshape(frames, n)
    with np.errstate(invalid="ignore"):  # tests with infinity
        return np.abs(np.fft.fft(cut * taps, axis=1)) ** 2


def rows_of(powers, average):
    rows = len(powers) // average
    n = powers.shape[1]
    return powers[: rows * average].reshape(rows, average, n).mean(axis=1)


class qa_power_spectrum(GpufftTestCase):
    def samples(self, kind, count):
        """Stream items of `kind` and the complex samples that they mean."""
        if kind == "c":
            x = self.complex_noise(count)
            return x, x
        full = FULL_SCALE[kind]
        items = self.random.integers(-full, full, 2 * count)
        x = (items[0::2] + 1j * items[1::2]) / full
        return (items % 256 if kind == "b" else items), x

    # Values

    def test_welch(self):
        """All formats, lengths, overlaps and scalings, with every frame in one row."""
        for kind, n, overlap, scaling in itertools.product(
            "csb", (64, 75, 1009), (0, 0.5, 0.75), ("spectrum", "density")
        ):
            hop = n - int(n * overlap)
            items, x = self.samples(kind, 20 * n)
            frames = (len(x) - n) // hop + 1
            block = make(
                kind,
                n,
                hop,
                "hann",
                frames,
                shift=False,
                scaling=scaling,
                samp_rate=2.5e6,
            )
            result, _ = run(items, block, kind=kind, vlen_out=n)
            _, expected = scipy.signal.welch(
                x,
                2.5e6,
                window.hann(n),
                n,
                n - hop,
                detrend=False,
                return_onesided=False,
                scaling=scaling,
            )
            self.assert_close(result[0], expected, f"{kind} n={n} hop={hop} {scaling}")

    def test_rows(self):
        """Overlap, gaps and averages; decibels; arrival in odd pieces."""
        for kind, (n, hop, average), limit in itertools.product(
            "csb",
            (
                (64, 64, 1),
                (64, 16, 3),
                (64, 1, 7),
                (64, 100, 2),
                (63, 1000, 1),
                (1000, 500, 4),
            ),
            (None, 97),
        ):
            items, x = self.samples(kind, 11000)
            block = make(kind, n, hop, "blackmanharris", average, "db")
            result, _ = run(items, block, kind=kind, vlen_out=n, limit=limit)
            taps = window.blackmanharris(n)
            powers = rows_of(frame_powers(x, n, hop, taps), average) / np.sum(taps) ** 2
            expected = 10 * np.log10(np.fft.fftshift(powers, axes=1))
            self.assertEqual(result.shape, expected.shape)
            self.assertLess(
                np.abs(result - expected).max(),
                TOLERANCE_DB,
                f"{kind} n={n} hop={hop} average={average} limit={limit}",
            )

    def test_tone_reads_its_power(self):
        n = 256
        tone = 0.5 * np.exp(2j * np.pi * 16 * np.arange(10 * n) / n)
        for spec in ("hann", "flattop", "none", ("kaiser", 8.0)):
            result, _ = run(tone, make("c", n, None, spec), vlen_out=n)
            self.assertTrue(np.allclose(result[:, n // 2 + 16], 0.25, rtol=1e-5))
            self.assertTrue((result.argmax(axis=1) == n // 2 + 16).all())

    def test_alpha(self):
        n, alpha = 32, 0.25
        x = self.complex_noise(50 * n)
        result, _ = run(
            x,
            make("c", n, None, [], 2, shift=False, scaling="none", alpha=alpha),
            vlen_out=n,
        )
        expected = rows_of(frame_powers(x, n, n), 2)
        for row in range(1, len(expected)):
            expected[row] = alpha * expected[row] + (1 - alpha) * expected[row - 1]
        self.assert_close(result, expected)

    def test_long_average_over_many_calls(self):
        n, average = 16, 5000
        x = self.complex_noise(2 * average * n + 17)
        result, _ = run(
            x,
            make("c", n, None, [], average, shift=False, scaling="none"),
            vlen_out=n,
            limit=777,
        )
        self.assert_close(result, rows_of(frame_powers(x, n, n), average))

    def test_huge_average_starts(self):
        block = make("c", 4096, None, "hann", 10**6)
        result, _ = run(self.complex_noise(40960), block, vlen_out=4096)
        self.assertEqual(len(result), 0)

    def test_huge_average_of_huge_hops_starts(self):
        """Whose product is past 64 bits."""
        block = make("c", 16, 1 << 24, "hann", 1 << 40)
        result, _ = run(self.complex_noise(4096), block, vlen_out=16)
        self.assertEqual(len(result), 0)

    def test_large_size(self):
        """A frame longer than the input buffer is collected in the block."""
        n = 2**20
        for hop in (n // 2, n, n + 5):
            x = self.complex_noise(2 * n + 10)
            result, _ = run(
                x, make("c", n, hop, [], shift=False, scaling="none"), vlen_out=n
            )
            self.assert_close(result, frame_powers(x, n, hop), f"hop={hop}")

    def test_nan_and_infinity_pass(self):
        n = 16
        x = self.complex_noise(4 * n)
        x[n + 3] = np.nan
        x[2 * n + 5] = np.inf
        result, _ = run(
            x, make("c", n, None, [], shift=False, scaling="none"), vlen_out=n
        )
        self.assertTrue(np.isnan(result[1]).all())
        self.assertFalse(np.isfinite(result[2]).any())
        self.assert_close(result[[0, 3]], frame_powers(x, n, n)[[0, 3]])

    def test_silence_in_decibels_is_finite(self):
        result, _ = run(np.zeros(64), make("c", 16, mode="db"), vlen_out=16)
        self.assertTrue(np.isfinite(result).all() and (result < -370).all())

    # Streams

    def test_end_of_stream(self):
        """Every full row comes out, whatever the count."""
        n = 8
        for count, hop, average in itertools.product(
            (0, 7, 8, 9, 1001), (3, 8, 11), (1, 3)
        ):
            x = self.complex_noise(count)
            block = make("c", n, hop, [], average, shift=False, scaling="none")
            result, _ = run(x, block, vlen_out=n)
            self.assert_close(
                result,
                rows_of(frame_powers(x, n, hop), average),
                f"{count} samples, hop={hop}, average={average}",
            )

    def test_tags(self):
        """A tag moves to the row of the last frame that starts at or before its sample, or
        from a gap to the next frame's."""
        n = 8
        places = (0, 5, 6, 7, 8, 15, 100, 1001)
        for kind, hop, average, limit in itertools.product(
            "cs", (4, 8, 20), (1, 3), (None, 13)
        ):
            items, _ = self.samples(kind, 2000)
            per_sample = 1 if kind == "c" else 2
            _, tags = run(
                items,
                make(kind, n, hop, [], average),
                kind=kind,
                vlen_out=n,
                tags=[tag(p * per_sample) for p in places],
                limit=limit,
            )
            rows = [((p // hop + (p % hop >= n)) // average) for p in places]
            self.assertEqual(
                tag_places(tags),
                [(p * per_sample, row) for p, row in zip(places, rows)],
                f"{kind} hop={hop} average={average} limit={limit}",
            )

    # While running

    def endless(self, kind, items, block, n):
        flowgraph = gr.top_block()
        source = SOURCES[kind](np.asarray(items).tolist(), True)
        throttle = blocks.throttle(ITEM_SIZES[kind], 1e6)
        sink = blocks.vector_sink_f(n)
        flowgraph.connect(source, throttle, block, sink)
        return flowgraph, sink

    def test_setters_while_running(self):
        n = 32
        x = self.complex_noise(n)
        plain = frame_powers(x, n, n)[0]
        hann = np.array(window.hann(n))
        windowed = frame_powers(x, n, n, hann)[0]
        settings = [
            ("set_mode", "linear", plain),  # as it is
            ("set_window", "hann", windowed),
            ("set_scaling", "spectrum", windowed / hann.sum() ** 2),
            ("set_scaling", "density", windowed / (hann**2).sum()),
            ("set_samp_rate", 10.0, windowed / (hann**2).sum() / 10),
            ("set_shift", True, np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            (
                "set_mode",
                "db",
                10 * np.log10(np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            ),
            ("set_mode", "linear", np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            ("set_average", 5, np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            ("set_alpha", 0.5, np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            ("set_nthreads", 1, np.fft.fftshift(windowed) / (hann**2).sum() / 10),
            ("set_shift", False, windowed / (hann**2).sum() / 10),
            ("set_window", [], plain / n / 10),
            ("set_hop", 2 * n, plain / n / 10),
            ("set_hop", None, plain / n / 10),
        ]
        block = make("c", n, None, [], shift=False, scaling="none")
        flowgraph, sink = self.endless("c", x, block, n)
        flowgraph.start()
        for name, value, expected in settings:
            getattr(block, name)(value)
            last = newest_row(
                sink, n, lambda row: np.allclose(row, expected, atol=1e-5 * abs(expected).max())
            )
            relative = np.abs(last - expected).max() / np.abs(expected).max()
            self.assertLess(relative, 1e-4, f"{name}({value})")
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        self.assertEqual(
            (
                block.hop(),
                block.average(),
                block.mode(),
                block.shift(),
                block.scaling(),
                block.samp_rate(),
                block.alpha(),
                block.nthreads(),
                block.fft_size(),
            ),
            (n, 5, "linear", False, "density", 10.0, 0.5, 1, n),
        )

    def test_setters_from_many_threads(self):
        n = 64
        items, _ = self.samples("s", 1000)
        block = make("s", n)
        flowgraph, _ = self.endless("s", items, block, n)
        flowgraph.start()

        def change():
            for turn in range(30):
                block.set_hop(1 + turn)
                block.set_mode(("linear", "db")[turn % 2])
                block.set_window(("hann", [], "hamming")[turn % 3])
                block.set_average(1 + turn % 4)

        changers = [threading.Thread(target=change) for _ in range(3)]
        for changer in changers:
            changer.start()
        for changer in changers:
            changer.join(PATIENCE)
            self.assertFalse(changer.is_alive())
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(block.error(), "")

    def test_restart_starts_a_new_mean(self):
        n, average = 16, 4
        x = self.complex_noise(10 * n)
        block = make("c", n, None, [], average, shift=False, scaling="none")
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(x.tolist(), False)
        sink = blocks.vector_sink_f(n)
        flowgraph.connect(source, block, sink)
        for _ in range(3):
            source.rewind()
            sink.reset()
            flowgraph.start()
            wait(flowgraph)
            self.assert_close(
                np.array(sink.data()).reshape(-1, n),
                rows_of(frame_powers(x, n, n), average),
            )

    # Bad input

    def test_bad_input(self):
        for arguments, words in [
            ((0,), ["fft_size is 0", "1 ... 268435456"]),
            ((-1,), ["fft_size is -1", "1 ... 268435456"]),
            ((2**40,), ["fft_size is 1099511627776", "268435456"]),
            ((8, 0), ["hop is 0", "1 ..."]),
            ((8, -3), ["hop is -3", "1 ..."]),
            ((8, None, "hannn"), ["'hannn'", "blackmanharris"]),
            ((8, None, [1.0] * 5), ["5 taps", "fft_size is 8"]),
            ((8, None, [1.0, -1.0] * 4), ["spectrum", "0"]),
            ((8, None, "hann", 0), ["average is 0", "1 ..."]),
            ((8, None, "hann", 1, "decibel"), ["'decibel'", "linear", "db"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.power_spectrum_cf, *arguments)
        for keywords, words in [
            ({"scaling": "psd"}, ["'psd'", "spectrum", "density", "none"]),
            ({"samp_rate": 0.0}, ["samp_rate is 0", "> 0"]),
            ({"samp_rate": float("nan")}, ["samp_rate is nan", "> 0"]),
            ({"alpha": 0.0}, ["alpha is 0", "<= 1"]),
            ({"alpha": 1.5}, ["alpha is 1.5", "<= 1"]),
            ({"nthreads": -1}, ["nthreads is -1", "0 ... 1024"]),
            ({"engine": "fpga"}, ["fpga", "cuda"]),
            ({"on_error": ""}, ["''", "stop", "cpu"]),
            ({"device_timeout": -1}, ["device_timeout", "-1", ">= 0"]),
            ({"device_timeout": np.nan}, ["device_timeout", "nan", ">= 0"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.power_spectrum_sf, 8, **keywords
            )

    def test_refused_setters_change_nothing(self):
        n = 16
        x = self.complex_noise(5 * n)
        block = make("c", n, None, [], shift=False, scaling="none")
        for setter, value, words in [
            (block.set_hop, 0, ["hop is 0"]),
            (block.set_average, 0, ["average is 0"]),
            (block.set_mode, "dB!", ["'dB!'"]),
            (block.set_window, [1.0] * 3, ["3 taps", "16"]),
            (block.set_scaling, "x", ["'x'"]),
            (block.set_samp_rate, -1.0, ["samp_rate is -1"]),
            (block.set_alpha, 2.0, ["alpha is 2"]),
            (block.set_nthreads, 5000, ["nthreads is 5000"]),
        ]:
            self.assert_refuses(ValueError, words, setter, value)
        self.assert_close(run(x, block, vlen_out=n)[0], frame_powers(x, n, n))

    def test_says_what_runs(self):
        block = make("s", 64)
        self.assertEqual(block.engine(), "cuda" if ENGINE == "cuda" else "cpu")
        self.assertIn("64", block.describe())


if __name__ == "__main__":
    gr_unittest.run(qa_power_spectrum)
