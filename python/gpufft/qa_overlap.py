#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""overlap says what hop says, in power_spectrum, problems and plans."""

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, GpufftTestCase, run

# Of any size, with results between two hops, and of less than a sample.
CASES = [(n, o) for n in (1, 7, 75, 1024) for o in (0, 0.25, 0.5, 1 / 3, 0.9, 0.9999)]


def spectrum(*arguments, **keywords):
    return gpufft.power_spectrum_cf(*arguments, engine=ENGINE, **keywords)


def hop_of(n, overlap):
    """As in the command `gpufft spectrum --overlap`."""
    return max(1, round(n * (1 - overlap)))


class qa_overlap(GpufftTestCase):
    def test_hops(self):
        for n, overlap in CASES:
            self.assertEqual(spectrum(n, overlap=overlap).hop(), hop_of(n, overlap))
        self.assertEqual(spectrum(64, overlap=None).hop(), 64)
        self.assertEqual(spectrum(64, None, overlap=0.5).hop(), 32)

    def test_same_rows(self):
        x = self.complex_noise(640)
        half, same = (
            run(x, spectrum(64, average=3, **given), vlen_out=64)[0]
            for given in ({"overlap": 0.75}, {"hop": 16})
        )
        self.assertGreater(len(half), 10)
        self.assertTrue(np.array_equal(half, same))

    def test_setters(self):
        block = spectrum(64, hop=10)
        block.set_overlap(0.5)
        self.assertEqual(block.hop(), 32)
        block.set_hop(7)
        self.assertEqual(block.hop(), 7)
        block.set_overlap(None)
        self.assertEqual(block.hop(), 64)
        block.set_overlap(0.75)
        x = self.complex_noise(640)
        rows = run(x, block, vlen_out=64)[0]
        self.assertTrue(np.array_equal(rows, run(x, spectrum(64, 16), vlen_out=64)[0]))

    def test_refused(self):
        for bad in (-0.1, 1, 1.5, float("nan"), float("inf")):
            words = [f"overlap is {bad}", ">= 0 and < 1"]
            self.assert_refuses(ValueError, words, spectrum, 64, overlap=bad)
            self.assert_refuses(ValueError, words, gpufft.problem, lengths=8, overlap=bad)
            block = spectrum(64, hop=3)
            self.assert_refuses(ValueError, words, block.set_overlap, bad)
            self.assertEqual(block.hop(), 3)
        both = ["hop is 4 and overlap is 0.5", "only one"]
        self.assert_refuses(ValueError, both, spectrum, 64, hop=4, overlap=0.5)
        problem = {"lengths": 8, "hop": 4, "overlap": 0.5}
        self.assert_refuses(ValueError, both, gpufft.problem, **problem)

    def test_problems_and_plans(self):
        for n, overlap in CASES:
            problem = gpufft.problem(lengths=n, overlap=overlap)
            self.assertEqual(problem.hop, hop_of(n, overlap))
        self.assertEqual(gpufft.problem(lengths=(4, 8), overlap=0.5).hop, 16)
        x = self.complex_noise(640)
        frames = np.lib.stride_tricks.sliding_window_view(x, 64)[::16]
        plan = gpufft.plan(lengths=64, batch=len(frames), overlap=0.75, engine=ENGINE)
        self.assert_close(plan.execute(x), np.fft.fft(frames))


if __name__ == "__main__":
    gr_unittest.run(qa_overlap)
