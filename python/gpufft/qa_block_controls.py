#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What GNU Radio offers for every block: cores, log levels."""

from gnuradio import blocks, gr, gr_unittest
from qa_block_support import ARGUMENTS, make
from qa_support import GpufftTestCase, wait

BLOCKS = sorted(set(ARGUMENTS) - {"spectrum_sink"})


class qa_block_controls(GpufftTestCase):
    def test_cores(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                block = make(name, engine="cpu")
                block.set_processor_affinity([0])
                self.assertEqual(block.processor_affinity(), [0])
                block.unset_processor_affinity()
                self.assertEqual(block.processor_affinity(), [])

    def test_cores_of_an_enclosing_block(self):
        enclosing = gr.hier_block2(
            "enclosing",
            gr.io_signature(1, 1, gr.sizeof_gr_complex),
            gr.io_signature(1, 1, gr.sizeof_gr_complex * 4),
        )
        inner = make("pfb_channelizer_ccf", engine="cpu", vlen=4)
        copy = blocks.copy(gr.sizeof_gr_complex)
        enclosing.connect(enclosing, copy, inner, enclosing)
        flowgraph = gr.top_block()
        sink = blocks.vector_sink_c(4)
        flowgraph.connect(blocks.vector_source_c([1] * 400), enclosing, sink)
        enclosing.set_processor_affinity([0])
        self.assertEqual(inner.processor_affinity(), [0])
        flowgraph.start()
        inner.unset_processor_affinity()
        wait(flowgraph)
        self.assertEqual(len(sink.data()), 400)

    def test_log_levels(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                block = make(name, engine="cpu")
                block.set_log_level("error")
                self.assertEqual(block.log_level(), "error")


if __name__ == "__main__":
    gr_unittest.run(qa_block_controls)
