# SPDX-License-Identifier: GPL-3.0-or-later
"""The limiter, alone and between two transforms, on the CPU and on a GPU where there is
one."""

import unittest

import numpy as np
import own_module
from gnuradio import blocks, gpufft, gr

ENGINES = ("cpu", "cuda") if gpufft.query_cuda()["usable"] else ("cpu",)


def run(x, *stages):
    flowgraph = gr.top_block()
    sink = blocks.vector_sink_c()
    flowgraph.connect(blocks.vector_source_c(x.tolist()), *stages, sink)
    flowgraph.run()
    return np.array(sink.data())


class QaLimiter(unittest.TestCase):
    def test_limits(self):
        x = np.random.default_rng(1).standard_normal((20000, 2)) @ [1, 1j]
        expected = x * np.minimum(1, 0.7 / np.abs(x))
        for engine in ENGINES:
            block = own_module.limiter_cc(9, engine)
            block.set_limit(0.7)
            np.testing.assert_allclose(run(x, block), expected, rtol=1e-5)
            self.assertEqual(block.engine(), engine)
            self.assertEqual(block.error(), "")

    def test_between_transforms(self):
        n = 256
        x = np.random.default_rng(2).standard_normal((100 * n, 2)) @ [1, 1j]
        bins = np.fft.fft(x.reshape(-1, n))
        expected = np.fft.ifft(bins * np.minimum(1, 5 / np.abs(bins))) * n
        for engine in ENGINES:
            ends = [
                gpufft.fft_vcc(n, forward, [], vlen=1, engine=engine)
                for forward in (True, False)
            ]
            block = own_module.limiter_cc(5, engine)
            y = run(x, ends[0], block, ends[1]).reshape(-1, n)
            np.testing.assert_allclose(y, expected, atol=1e-2)
            if engine == "cuda":
                self.assertEqual(block.statistics()["bytes_up"], 0)
                self.assertEqual(block.statistics()["bytes_down"], 0)

    def test_refuses(self):
        for limit in (0, -1, float("nan")):
            with self.assertRaisesRegex(ValueError, "limit is .*: must be above 0"):
                own_module.limiter_cc(limit)


if __name__ == "__main__":
    unittest.main()
