#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fft_vcc and fft_vfc against numpy and against gr-fft."""

import itertools

import numpy as np
from fft_v_support import expected, make
from gnuradio import blocks, fft, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, GpufftTestCase, run, tag, tag_places, wait

SIZES = (1, 2, 5, 8, 63, 64, 1000, 1009)


class qa_fft_v(GpufftTestCase):
    def samples(self, kind, vectors, n):
        noise = self.complex_noise(vectors, n)
        return noise if kind == "c" else noise.real.copy()

    def run_vectors(self, x, block, kind="c", **keywords):
        n = x.shape[1]
        return run(x, block, kind=kind, vlen_in=n, vlen_out=n, out="c", **keywords)[0]

    # Values

    def test_numpy(self):
        """Every direction, shift and window, odd and even lengths, both ports."""
        for kind, n, forward, shift, windowed in itertools.product(
            "cf", SIZES, (True, False), (True, False), (True, False)
        ):
            taps = 0.5 + self.random.random(n) if windowed else ()
            x = self.samples(kind, 7, n)
            case = f"{kind} n={n} forward={forward} shift={shift} window={windowed}"
            vectors = make(kind, n, forward, taps, shift)
            result = self.run_vectors(x, vectors, kind)
            self.assert_close(result, expected(x, forward, taps, shift), case)
            stream = make(kind, n, forward, taps, shift, vlen=1)
            result = run(x, stream, kind=kind, out="c")[0].reshape(-1, n)
            self.assert_close(result, expected(x, forward, taps, shift), case + " vlen=1")

    def test_stock_blocks(self):
        """As gr-fft, but for a fault of its float inverse with shift at odd lengths."""
        for kind, n, forward, shift in itertools.product(
            "cf", (64, 63), (True, False), (True, False)
        ):
            if kind == "f" and n % 2 and shift and not forward:
                continue
            x = self.samples(kind, 5, n)
            taps = window.hamming(n)
            stock = (fft.fft_vcc if kind == "c" else fft.fft_vfc)(n, forward, taps, shift)
            self.assert_close(
                self.run_vectors(x, make(kind, n, forward, taps, shift), kind),
                self.run_vectors(x, stock, kind),
                f"{kind} n={n} forward={forward} shift={shift}",
            )

    def test_classes_take_positions_as_stock(self):
        x = self.complex_noise(3, 16)
        for ours, forward in ((gpufft.fft_vcc_fwd, True), (gpufft.fft_vcc_rev, False)):
            result = self.run_vectors(x, ours(16, [], True, 1))
            self.assert_close(result, expected(x, forward, shift=True))

    def test_nan_and_infinity_pass(self):
        x = self.complex_noise(4, 16)
        x[1, 3] = np.nan
        x[2, 5] = np.inf
        result = self.run_vectors(x, make("c", 16, True))
        self.assertTrue(np.isnan(result[1]).all())
        self.assertFalse(np.isfinite(result[2]).any())
        self.assert_close(result[[0, 3]], expected(x[[0, 3]], True))

    # Windows

    def test_window_by_name_type_and_taps(self):
        x = self.complex_noise(2, 24)
        plain = {
            "none": [],
            "rectangular": [],
            "hann": window.hann(24),
            "Blackman-Harris": window.blackmanharris(24),
            "flat_top": window.flattop(24),
            "nuttallcfd": window.nuttall_cfd(24),
        }
        for spec, taps in [
            *plain.items(),
            (None, []),
            (window.WIN_HAMMING, window.hamming(24)),
            (int(window.WIN_HAMMING), window.hamming(24)),
            (("kaiser", 5.0), window.kaiser(24, 5.0)),
            ((window.WIN_KAISER, 5.0), window.kaiser(24, 5.0)),
            (("tukey", 0.25), window.tukey(24, 0.25)),
            (np.linspace(0, 1, 24), np.linspace(0, 1, 24)),
        ]:
            result = self.run_vectors(x, make("c", 24, True, spec))
            self.assert_close(result, expected(x, True, taps), str(spec))

    def test_every_listed_window_name(self):
        for name in gpufft.window_names().split(", "):
            if name in ("kaiser", "exponential", "gaussian", "tukey"):
                self.assert_refuses(
                    ValueError, [name, "parameter"], make, "c", 16, True, name
                )
                name = (name, 0.5)
            self.assertTrue(make("c", 16, True).set_window(name))

    def test_window_of_wrong_length(self):
        self.assert_refuses(
            RuntimeError, ["5 taps", "fft_size is 8"], make, "c", 8, True, [1.0] * 5
        )
        x = self.complex_noise(2, 8)
        block = make("c", 8, True, "hann")
        self.assertFalse(block.set_window([1.0] * 7))
        self.assert_close(self.run_vectors(x, block), expected(x, True, window.hann(8)))
        self.assertTrue(block.set_window([]))
        self.assert_close(self.run_vectors(x, block), expected(x, True))

    def test_bad_input(self):
        for arguments, words in [
            ((0, True, []), ["fft_size is 0", "1 ... 1073741824"]),
            ((-5, True, []), ["fft_size is -5", "1 ... 1073741824"]),
            ((2**30 + 1, True, []), ["fft_size is 1073741825", "1073741824"]),
            ((2**40, True, []), ["fft_size is 1099511627776", "1073741824"]),
            ((2**30, True, []), ["fft_size is 1073741824", "vlen=1"]),
            ((8, True, [], False, 0), ["nthreads is 0", "1 ... 1024"]),
            ((8, True, [], False, 1025), ["nthreads is 1025", "1 ... 1024"]),
            ((8, True, "han"), ["'han'", "hann", "blackmanharris"]),
            ((8, True, 99), ["99", "15"]),
            ((8, True, ("tukey", 3.0)), ["tukey", "3"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.fft_vcc, *arguments, engine=ENGINE
            )
        for keywords, words in [
            ({"engine": "gpu"}, ["gpu", "auto", "cuda", "cpu"]),
            ({"on_error": "retry"}, ["'retry'", "stop", "cpu"]),
            ({"device_timeout": -1}, ["device_timeout", "-1", ">= 0"]),
            ({"device_timeout": np.nan}, ["device_timeout", "nan", ">= 0"]),
            ({"vlen": 3}, ["vlen is 3", "8", "1"]),
            ({"vlen": 0}, ["vlen is 0"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.fft_vcc, 8, True, [], **keywords
            )
        block = make("c", 8, True)
        self.assert_refuses(ValueError, ["nthreads is -1"], block.set_nthreads, -1)
        self.assert_refuses(ValueError, ["'x'", "hann"], block.set_window, "x")
        self.assertEqual(block.nthreads(), 1)
        with self.assertRaises(TypeError):
            gpufft.fft_vcc(8, True, [], False, 1, "cpu")

    def test_what_is_no_window(self):
        for spec, words in [
            (3.5, ["3.5", "taps", "name"]),
            (["a"] * 8, ["'a'", "taps", "name"]),
            (("kaiser", "x"), ["'x'", "number"]),
        ]:
            self.assert_refuses(TypeError, words, make, "c", 8, True, spec)
            block = make("c", 8, True)
            self.assert_refuses(TypeError, words, block.set_window, spec)

    def test_cuda_is_refused_with_the_reason_where_it_is_not(self):
        status = gpufft.query_cuda()
        if status["usable"]:
            self.assertEqual(gpufft.fft_vcc(8, True, [], engine="cuda").engine(), "cuda")
        else:
            with self.assertRaises((RuntimeError, ValueError)) as caught:
                gpufft.fft_vcc(8, True, [], engine="cuda")
            self.assertNotIn("\n", str(caught.exception))

    # Streams

    def test_every_vector_comes_out(self):
        """Odd counts, in batches of odd size."""
        n = 16
        for vectors, limit in itertools.product((1, 2, 7, 127, 4099), (None, 1, 3, 101)):
            x = self.complex_noise(vectors, n)
            result = self.run_vectors(x, make("c", n, True), limit=limit)
            self.assert_close(result, expected(x, True), f"{vectors} in {limit}")

    def test_every_full_frame_of_a_stream_comes_out(self):
        for n, frames, tail, limit in itertools.product(
            (1, 7, 64), (0, 1, 501), (0, 1, 6), (None, 1, 13, 1000)
        ):
            if tail >= n or (limit == 1 and frames * n > 4000):
                continue
            x = self.complex_noise(frames * n + tail)
            result, _ = run(x, make("c", n, True, vlen=1), out="c", limit=limit)
            whole = x[: frames * n].reshape(frames, n)
            self.assert_close(
                result.reshape(-1, n),
                expected(whole, True),
                f"n={n} frames={frames} tail={tail} limit={limit}",
            )

    def test_large_prime_stream(self):
        n = 100003
        x = self.complex_noise(3 * n + 5)
        result, _ = run(x, make("c", n, True, "hann", vlen=1), out="c")
        self.assert_close(
            result.reshape(-1, n),
            expected(x[: 3 * n].reshape(3, n), True, window.hann(n)),
        )

    def test_frame_longer_than_the_buffers(self):
        """The block collects such a frame and delivers it piece by piece."""
        n = 2**20
        for kind, forward in (("c", True), ("f", False)):
            x = self.samples(kind, 2, n)
            places = (0, n - 1, n, 2 * n - 1)
            result, tags = run(
                x,
                make(kind, n, forward, vlen=1),
                kind=kind,
                out="c",
                tags=map(tag, places),
            )
            self.assert_close(result.reshape(-1, n), expected(x, forward))
            self.assertEqual(tag_places(tags), [(p, p // n * n) for p in places])

    def test_tags_stay_on_their_vector(self):
        n = 8
        x = self.complex_noise(300, n)
        places = (0, 1, 6, 255, 256, 299)
        _, tags = run(
            x, make("c", n, True), vlen_in=n, vlen_out=n, out="c", tags=map(tag, places)
        )
        self.assertEqual(tag_places(tags), [(p, p) for p in places])

    def test_tags_move_to_the_start_of_their_frame(self):
        """Sample 6 of frames of 8 belongs to frame 0: floor, where GNU Radio rounds."""
        n = 8
        x = self.complex_noise(300 * n)
        places = (0, 6, 7, 8, 15, 1001, 300 * n - 1)
        for limit in (None, 3):
            _, tags = run(
                x, make("c", n, True, vlen=1), out="c", tags=map(tag, places), limit=limit
            )
            self.assertEqual(tag_places(tags), [(p, p // n * n) for p in places])

    def test_two_blocks_in_a_chain(self):
        n = 60
        x = self.complex_noise(201, n)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(x.ravel().tolist(), False, n)
        sink = blocks.vector_sink_c(n)
        flowgraph.connect(
            source, make("c", n, True, shift=True), make("c", n, False, shift=True), sink
        )
        flowgraph.start()
        wait(flowgraph)
        self.assert_close(np.array(sink.data()).reshape(-1, n), n * x.astype(complex))

    def test_threads_share_the_vectors(self):
        n = 64
        x = self.complex_noise(1001, n)
        for nthreads in (2, 3, 8):
            result = self.run_vectors(x, make("c", n, True, "hann", False, nthreads))
            self.assert_close(result, expected(x, True, window.hann(n)))

    def test_says_what_runs(self):
        block = make("c", 64, True)
        self.assertEqual(block.engine(), "cuda" if ENGINE == "cuda" else "cpu")
        self.assertIn("64", block.describe())
        self.assertEqual(block.error(), "")


if __name__ == "__main__":
    gr_unittest.run(qa_fft_v)
