#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""dct_vff and dst_vff against scipy.fft."""

import itertools

import numpy as np
import scipy.fft
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, GpufftTestCase, run, tag, tag_places, wait

SIZES = (1, 2, 3, 8, 63, 64, 1000, 1009)
BLOCKS = {"dct": gpufft.dct_vff, "dst": gpufft.dst_vff}
FORWARD = {"dct": scipy.fft.dct, "dst": scipy.fft.dst}
INVERSE = {"dct": scipy.fft.idct, "dst": scipy.fft.idst}


def expected(x, name, type, inverse, norm):
    """SciPy's, whose unscaled inverse is norm="forward". Its orthogonal DST of types 2 and
    3 is not orthogonal in old versions: there the rows of the unscaled one, of length 1."""
    x = x.astype(float)
    if norm == "ortho" and name == "dst" and type in (2, 3):
        rows = scipy.fft.dst(np.eye(x.shape[1]), 2, axis=0)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return x @ (rows.T if (type == 2) != inverse else rows)
    if norm == "ortho":
        return (INVERSE if inverse else FORWARD)[name](x, type, norm="ortho", axis=1)
    if inverse:
        return INVERSE[name](x, type, norm="forward", axis=1)
    return FORWARD[name](x, type, axis=1)


class qa_dct(GpufftTestCase):
    def floats(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def run_vectors(self, x, block, **keywords):
        n = x.shape[1]
        ends = {"vlen_in": n, "vlen_out": n}
        return run(x, block, kind="f", out="f", **ends, **keywords)[0]

    def test_every_type(self):
        for name, type, inverse, norm in itertools.product(
            BLOCKS, (1, 2, 3, 4), (False, True), ("none", "ortho")
        ):
            for n in SIZES:
                if (name, type, n) == ("dct", 1, 1):
                    continue
                x = self.floats(5, n)
                case = f"{name} {type} n={n} inverse={inverse} norm={norm}"
                truth = expected(x, name, type, inverse, norm)
                block = BLOCKS[name](n, type, inverse, norm, engine=ENGINE)
                self.assert_close(self.run_vectors(x, block), truth, case)

    def test_streams(self):
        for name, n, tail, limit in itertools.product(
            BLOCKS, (7, 64), (0, 5), (None, 13)
        ):
            x = self.floats(101 * n + tail)
            block = BLOCKS[name](n, engine=ENGINE, vlen=1)
            places = (0, n - 1, n, 100 * n)
            result, tags = run(
                x, block, kind="f", out="f", limit=limit, tags=map(tag, places)
            )
            truth = expected(x[: 101 * n].reshape(-1, n), name, 2, False, "none")
            self.assert_close(result.reshape(-1, n), truth, f"{name} n={n} {limit}")
            self.assertEqual(tag_places(tags), [(p, p // n * n) for p in places])

    def test_there_and_back(self):
        for name, type in itertools.product(BLOCKS, (1, 2, 3, 4)):
            n = 60
            x = self.floats(201, n)
            flowgraph = gr.top_block()
            source = blocks.vector_source_f(x.ravel().tolist(), False, n)
            sink = blocks.vector_sink_f(n)
            stages = [
                BLOCKS[name](n, type, inverse, "ortho", engine=ENGINE)
                for inverse in (False, True)
            ]
            flowgraph.connect(source, *stages, sink)
            flowgraph.start()
            wait(flowgraph)
            result = np.array(sink.data()).reshape(-1, n)
            self.assert_close(result, x.astype(float), f"{name} {type}")

    def test_threads_share_the_vectors(self):
        x = self.floats(1001, 64)
        truth = expected(x, "dct", 2, False, "none")
        for nthreads in (2, 3):
            block = gpufft.dct_vff(64, nthreads=nthreads, engine=ENGINE)
            self.assert_close(self.run_vectors(x, block), truth)
            block.set_nthreads(1)
            self.assert_close(self.run_vectors(x, block), truth)

    def test_bad_input(self):
        for name, arguments, words in [
            ("dct", (0,), ["size is 0", "1 ... 1073741824"]),
            ("dst", (2**30 + 1,), ["size is 1073741825"]),
            ("dst", (2**30,), ["vector of 1073741824 items", "vlen=1"]),
            ("dct", (1, 1), ["size is 1", "2 ... 1073741824"]),
            ("dct", (8, 0), ["type is 0", "1 ... 4"]),
            ("dst", (8, 5), ["type is 5", "1 ... 4"]),
            ("dct", (8, 2, False, "backward"), ["'backward'", "none", "ortho"]),
            ("dct", (8, 2, False, "none", 0), ["nthreads is 0", "1 ... 1024"]),
        ]:
            self.assert_refuses(
                ValueError, words, BLOCKS[name], *arguments, engine=ENGINE
            )
        for keywords, words in [
            ({"engine": "gpu"}, ["gpu", "auto", "cuda", "cpu"]),
            ({"vlen": 3}, ["vlen is 3", "8", "1"]),
            ({"vlen": 0}, ["vlen is 0"]),
        ]:
            for factory in BLOCKS.values():
                self.assert_refuses(ValueError, words, factory, 8, **keywords)

    def test_says_what_runs(self):
        for factory in BLOCKS.values():
            block = factory(64, engine=ENGINE)
            self.assertEqual(block.engine(), "cuda" if ENGINE == "cuda" else "cpu")
            # Which lengths it names is the recipe's: a card has 32 of a real 64.
            self.assertRegex(block.describe(), rf"^{block.engine()}: \w+\(.*\d")
            self.assertEqual(block.error(), "")


if __name__ == "__main__":
    gr_unittest.run(qa_dct)
