#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""rfft_vfc and irfft_vcf against numpy."""

import itertools

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, GpufftTestCase, run, tag, tag_places, wait

SIZES = (1, 2, 3, 8, 63, 64, 1000, 1009)


def rfft(n, taps=(), **keywords):
    return gpufft.rfft_vfc(n, taps, engine=ENGINE, **keywords)


def irfft(n, taps=(), **keywords):
    return gpufft.irfft_vcf(n, taps, engine=ENGINE, **keywords)


def inverse(bins, n):
    """The definition: unscaled."""
    return np.fft.irfft(bins, n, axis=1) * n


class qa_rfft(GpufftTestCase):
    def floats(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def forward(self, x, block, **keywords):
        n = x.shape[1]
        ends = {"vlen_in": n, "vlen_out": n // 2 + 1}
        return run(x, block, kind="f", out="c", **ends, **keywords)[0]

    def inverse(self, x, n, block, **keywords):
        ends = {"vlen_in": n // 2 + 1, "vlen_out": n}
        return run(x, block, kind="c", out="f", **ends, **keywords)[0]

    def test_forward(self):
        """Odd, even and prime lengths, windows, both ports."""
        for n, windowed in itertools.product(SIZES, (True, False)):
            taps = 0.5 + self.random.random(n) if windowed else ()
            x = self.floats(7, n)
            expected = np.fft.rfft(x * (taps if windowed else 1.0), axis=1)
            case = f"n={n} window={windowed}"
            self.assert_close(self.forward(x, rfft(n, taps)), expected, case)
            stream, _ = run(x, rfft(n, taps, vlen=1), kind="f", out="c")
            self.assert_close(stream.reshape(7, -1), expected, case + " vlen=1")

    def test_inverse(self):
        for n, weighted in itertools.product(SIZES, (True, False)):
            bins = n // 2 + 1
            taps = 0.5 + self.random.random(bins) if weighted else ()
            x = self.complex_noise(7, bins)
            expected = inverse(x * (taps if weighted else 1.0), n)
            case = f"n={n} window={weighted}"
            self.assert_close(self.inverse(x, n, irfft(n, taps)), expected, case)
            stream, _ = run(x, irfft(n, taps, vlen=1), kind="c", out="f")
            self.assert_close(stream.reshape(7, n), expected, case + " vlen=1")

    def test_there_and_back(self):
        """In a chain, with vectors and with streams."""
        for n, is_stream in itertools.product((60, 61), (True, False)):
            x = self.floats(201, n)
            ports = {"vlen": 1} if is_stream else {}
            flowgraph = gr.top_block()
            source = blocks.vector_source_f(
                x.ravel().tolist(), False, 1 if is_stream else n
            )
            sink = blocks.vector_sink_f(1 if is_stream else n)
            flowgraph.connect(source, rfft(n, **ports), irfft(n, **ports), sink)
            flowgraph.start()
            wait(flowgraph)
            result = np.array(sink.data()).reshape(-1, n)
            self.assert_close(result, n * x.astype(float), f"n={n} {ports}")

    def test_filters_by_weights_of_bins(self):
        n = 64
        x = self.floats(20, n)
        weights = np.linspace(1, 0, n // 2 + 1)
        bins = np.fft.rfft(x, axis=1).astype(np.complex64)
        result = self.inverse(bins, n, irfft(n, weights.tolist()))
        self.assert_close(result, inverse(bins * weights, n))

    def test_windows_change_while_it_runs(self):
        n = 24
        x = self.floats(3, n)
        block = rfft(n, "hann")
        for spec, taps in (
            ("hamming", window.hamming(n)),
            (window.WIN_BLACKMAN, window.blackman(n)),
            (("kaiser", 5.0), window.kaiser(n, 5.0)),
            ([], np.ones(n)),
            (None, np.ones(n)),
            (np.linspace(0, 1, n), np.linspace(0, 1, n)),
        ):
            block.set_window(spec)
            expected = np.fft.rfft(x * taps, axis=1)
            self.assert_close(self.forward(x, block), expected, str(spec))
        block.set_nthreads(2)
        self.assertEqual(block.nthreads(), 2)
        self.assert_close(self.forward(x, block), expected)

    def test_every_full_frame_of_a_stream_comes_out(self):
        for n, frames, tail, limit in itertools.product(
            (1, 7, 64), (0, 1, 501), (0, 1, 6), (None, 1, 13, 1000)
        ):
            if tail >= n or (limit == 1 and frames * n > 4000):
                continue
            x = self.floats(frames * n + tail)
            whole = x[: frames * n].reshape(frames, n)
            result, _ = run(x, rfft(n, vlen=1), kind="f", out="c", limit=limit)
            case = f"n={n} frames={frames} tail={tail} limit={limit}"
            bins = n // 2 + 1
            expected = np.fft.rfft(whole, axis=1) if frames else np.zeros((0, bins))
            self.assert_close(result.reshape(-1, bins), expected, case)

    def test_frame_longer_than_the_buffers(self):
        n = 2**20
        x = self.floats(2, n)
        bins = n // 2 + 1
        places = (0, n - 1, n, 2 * n - 1)
        result, tags = run(x, rfft(n, vlen=1), kind="f", out="c", tags=map(tag, places))
        self.assert_close(result.reshape(-1, bins), np.fft.rfft(x, axis=1))
        self.assertEqual(tag_places(tags), [(p, p // n * bins) for p in places])
        back, _ = run(result, irfft(n, vlen=1), kind="c", out="f")
        self.assert_close(back.reshape(-1, n), n * x.astype(float))

    def test_tags_follow_their_frame(self):
        n, frames = 8, 300
        x = self.floats(frames, n)
        places = (0, 1, 6, 255, 256, 299)
        _, tags = run(
            x, rfft(n), kind="f", out="c", vlen_in=n, vlen_out=5, tags=map(tag, places)
        )
        self.assertEqual(tag_places(tags), [(p, p) for p in places])
        places = (0, 6, 7, 8, 15, 1001, frames * n - 1)
        for limit in (None, 3):
            _, tags = run(
                x, rfft(n, vlen=1), kind="f", out="c", tags=map(tag, places), limit=limit
            )
            self.assertEqual(tag_places(tags), [(p, p // n * 5) for p in places])

    def test_bad_input(self):
        for arguments, words in [
            ((0,), ["fft_size is 0", "1 ... 1073741824"]),
            ((2**30 + 1,), ["fft_size is 1073741825"]),
            ((2**30,), ["vector of", "vlen=1"]),
            ((8, [1.0] * 5), ["5 taps", "fft_size is 8"]),
            ((8, "han"), ["'han'", "hann"]),
            ((8, [], 0), ["nthreads is 0", "1 ... 1024"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.rfft_vfc, *arguments, engine=ENGINE
            )
        self.assert_refuses(
            ValueError, ["8 taps", "number of bins is 5"], irfft, 8, [1.0] * 8
        )
        for keywords, words in [
            ({"engine": "gpu"}, ["gpu", "auto", "cuda", "cpu"]),
            ({"on_error": "retry"}, ["'retry'", "stop", "cpu"]),
            ({"device_timeout": -1}, ["device_timeout", "-1", ">= 0"]),
            ({"device_timeout": np.nan}, ["device_timeout", "nan", ">= 0"]),
            ({"vlen": 3}, ["vlen is 3", "8", "1"]),
            ({"vlen": 0}, ["vlen is 0"]),
        ]:
            for factory in (gpufft.rfft_vfc, gpufft.irfft_vcf):
                self.assert_refuses(ValueError, words, factory, 8, **keywords)
        block = rfft(8, "hann")
        self.assert_refuses(ValueError, ["3 taps"], block.set_window, [1.0] * 3)
        self.assert_refuses(ValueError, ["nthreads is -1"], block.set_nthreads, -1)
        x = self.floats(2, 8)
        expected = np.fft.rfft(x * window.hann(8), axis=1)
        self.assert_close(self.forward(x, block), expected, "nothing has changed")

    def test_says_what_runs(self):
        for block in (rfft(64), irfft(64)):
            self.assertEqual(block.engine(), "cuda" if ENGINE == "cuda" else "cpu")
            # Which lengths it names is the recipe's: a card has 32 of a real 64.
            self.assertRegex(block.describe(), rf"^{block.engine()}: \w+\(.*\d")
            self.assertEqual(block.error(), "")


if __name__ == "__main__":
    gr_unittest.run(qa_rfft)
