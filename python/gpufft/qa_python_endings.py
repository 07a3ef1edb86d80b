#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow flowgraph ends soon after the Heads behind a block, though its buffers are not
full."""

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, GpufftTestCase, wait

RATE = 2000  # the buffers of the cpu engine last 260 s, those of a card 3 h
SOON = 200  # s


class qa_python_endings(GpufftTestCase):
    def assert_ends_soon(self, block, streams=1):
        source = blocks.vector_source_c(np.ones(1000), True)
        throttle = blocks.throttle(gr.sizeof_gr_complex, RATE)
        throttle.set_max_noutput_items(500)
        flowgraph = gr.top_block()
        flowgraph.connect(source, throttle, block)
        sinks = [blocks.vector_sink_c() for _ in range(streams)]
        for port, sink in enumerate(sinks):
            head = blocks.head(gr.sizeof_gr_complex, 100)
            flowgraph.connect((block, port), head, sink)
        flowgraph.start()
        wait(flowgraph, SOON)
        for sink in sinks:
            self.assertEqual(len(sink.data()), 100)
        self.assertEqual(block.error(), "")

    def test_filter(self):
        self.assert_ends_soon(gpufft.fft_filter_ccc(1, [1.0] * 9, engine=ENGINE))

    def test_transform_of_a_stream(self):
        self.assert_ends_soon(gpufft.fft_vcc(64, True, [], vlen=1, engine=ENGINE))

    def test_channelizer_of_streams(self):
        """Through the block that splits them."""
        self.assert_ends_soon(gpufft.pfb_channelizer_ccf(4, [1.0] * 9, engine=ENGINE), 4)


if __name__ == "__main__":
    gr_unittest.main()
