#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GNU Radio's performance counters see our blocks as they see others."""

import os

os.environ["GR_CONF_PERFCOUNTERS_ON"] = "True"  # read when the runtime is loaded

from fft_v_support import make
from gnuradio import blocks, gr, gr_unittest
from qa_support import GpufftTestCase


class qa_perf_counters(GpufftTestCase):
    def test_counters_of_a_run(self):
        n, count = 64, 60000  # several calls, on a GPU too
        block = make("c", n, True, "hann")
        flowgraph = gr.top_block()
        source = blocks.vector_source_c([1 + 1j] * (n * count), False, n)
        sink = blocks.vector_sink_c(n)
        flowgraph.connect(source, block, sink)
        flowgraph.run()
        self.assertEqual(block.error(), "")
        self.assertEqual(len(sink.data()), n * count)
        self.assertGreater(block.pc_work_time_total(), 0)
        self.assertGreater(block.pc_throughput_avg(), 0)
        self.assertGreater(block.pc_nproduced_avg(), 0)
        self.assertLessEqual(block.pc_nproduced_avg(), count)
        for fullness in (block.pc_input_buffers_full(0), block.pc_output_buffers_full(0)):
            self.assertTrue(0 <= fullness <= 1, fullness)


if __name__ == "__main__":
    gr_unittest.run(qa_perf_counters)
