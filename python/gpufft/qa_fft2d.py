#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fft2d_vcc against numpy."""

import itertools

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, GpufftTestCase, run, tag, tag_places, wait

SHAPES = ((1, 1), (1, 8), (8, 1), (2, 3), (16, 16), (12, 35), (64, 32), (17, 4))


def fft2d(shape, forward=True, *arguments, **keywords):
    return gpufft.fft2d_vcc(*shape, forward, *arguments, engine=ENGINE, **keywords)


def expected(x, forward, taps=1.0, shift=False):
    """The definition, in double precision; x is [matrices, rows, cols]."""
    axes = (1, 2)
    y = x.astype(complex) * taps
    if forward:
        bins = np.fft.fft2(y, axes=axes)
        return np.fft.fftshift(bins, axes) if shift else bins
    y = np.fft.ifftshift(y, axes) if shift else y
    return np.fft.ifft2(y, axes=axes) * x[0].size


class qa_fft2d(GpufftTestCase):
    def run_matrices(self, x, block, **keywords):
        points = x[0].size
        ends = {"vlen_in": points, "vlen_out": points}
        return run(x, block, out="c", **ends, **keywords)[0].reshape(x.shape)

    def test_numpy(self):
        """Every direction, shift and window, odd and even sizes, both ports."""
        for shape, forward, shift, windowed in itertools.product(
            SHAPES, (True, False), (True, False), (True, False)
        ):
            taps = 0.5 + self.random.random(shape) if windowed else np.ones(shape)
            x = self.complex_noise(5, *shape)
            given = taps.ravel().tolist() if windowed else []
            truth = expected(x, forward, taps, shift)
            case = f"{shape} forward={forward} shift={shift} window={windowed}"
            block = fft2d(shape, forward, given, shift)
            self.assert_close(self.run_matrices(x, block), truth, case)
            stream, _ = run(x, fft2d(shape, forward, given, shift, vlen=1), out="c")
            self.assert_close(stream.reshape(x.shape), truth, case + " vlen=1")

    def test_named_windows_are_products(self):
        rows, cols = 12, 20
        x = self.complex_noise(3, rows, cols)
        block = fft2d((rows, cols))
        for spec, taps in (
            ("hann", np.outer(window.hann(rows), window.hann(cols))),
            (("kaiser", 5.0), np.outer(window.kaiser(rows, 5), window.kaiser(cols, 5))),
            (window.WIN_HAMMING, np.outer(window.hamming(rows), window.hamming(cols))),
            ("rectangular", np.ones((rows, cols))),
            (np.arange(240.0), np.arange(240.0).reshape(rows, cols)),
            (None, np.ones((rows, cols))),
        ):
            truth = expected(x, True, taps)
            self.assert_close(self.run_matrices(x, fft2d(x[0].shape, True, spec)), truth)
            block.set_window(spec)
            self.assert_close(self.run_matrices(x, block), truth, str(spec))

    def test_there_and_back(self):
        shape = (6, 10)
        x = self.complex_noise(201, *shape)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(x.ravel().tolist(), False, 60)
        sink = blocks.vector_sink_c(60)
        stages = [fft2d(shape, forward, [], True) for forward in (True, False)]
        flowgraph.connect(source, *stages, sink)
        flowgraph.start()
        wait(flowgraph)
        result = np.array(sink.data()).reshape(x.shape)
        self.assert_close(result, 60 * x.astype(complex))

    def test_tags(self):
        x = self.complex_noise(40, 4, 6)
        places = (0, 1, 39)
        _, tags = run(
            x, fft2d((4, 6)), out="c", vlen_in=24, vlen_out=24, tags=map(tag, places)
        )
        self.assertEqual(tag_places(tags), [(p, p) for p in places])
        places = (0, 23, 24, 959)
        _, tags = run(x, fft2d((4, 6), vlen=1), out="c", tags=map(tag, places))
        self.assertEqual(tag_places(tags), [(p, p // 24 * 24) for p in places])

    def test_threads_share_the_matrices(self):
        x = self.complex_noise(501, 8, 8)
        block = fft2d((8, 8), True, "hann", False, 2)
        taps = np.outer(window.hann(8), window.hann(8))
        self.assert_close(self.run_matrices(x, block), expected(x, True, taps))
        block.set_nthreads(1)
        self.assertEqual(block.nthreads(), 1)

    def test_bad_input(self):
        for arguments, words in [
            ((0, 8, True), ["rows is 0", "1 ... 1073741824"]),
            ((8, 0, True), ["cols is 0", "1 ... 1073741824"]),
            ((2**20, 2**20, True), ["rows * cols is 1099511627776", "1073741824"]),
            ((2**15, 2**15, True), ["vector of 1073741824 items", "vlen=1"]),
            ((4, 4, True, [1.0] * 5), ["5 taps", "rows * cols is 16"]),
            ((4, 4, True, "han"), ["'han'", "hann"]),
            ((4, 4, True, [], False, 0), ["nthreads is 0", "1 ... 1024"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.fft2d_vcc, *arguments, engine=ENGINE
            )
        for keywords, words in [
            ({"engine": "gpu"}, ["gpu", "auto", "cuda", "cpu"]),
            ({"vlen": 3}, ["vlen is 3", "16", "1"]),
            ({"vlen": 0}, ["vlen is 0"]),
        ]:
            self.assert_refuses(
                ValueError, words, gpufft.fft2d_vcc, 4, 4, True, **keywords
            )
        block = fft2d((4, 4))
        self.assert_refuses(ValueError, ["4 taps"], block.set_window, [1.0] * 4)

    def test_says_what_runs(self):
        block = fft2d((16, 32))
        self.assertEqual(block.engine(), "cuda" if ENGINE == "cuda" else "cpu")
        self.assertIn("16", block.describe())
        self.assertEqual(block.error(), "")


if __name__ == "__main__":
    gr_unittest.run(qa_fft2d)
