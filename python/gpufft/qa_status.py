#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The message port "status" of the blocks that are made of several."""

import gc
import time

import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, PATIENCE, GpufftTestCase, wait


class qa_status(GpufftTestCase):
    def status_of(self, block, inputs, outputs):
        """The first message of a block that runs for more than a second."""
        flowgraph = gr.top_block()
        source = blocks.null_source(gr.sizeof_gr_complex)
        feeder = blocks.throttle(gr.sizeof_gr_complex, 1e6)
        feeder.set_max_noutput_items(10000)
        flowgraph.connect(source, feeder)
        for port in range(inputs):
            flowgraph.connect(feeder, (block, port))
        for port in range(outputs):
            flowgraph.connect((block, port), blocks.null_sink(gr.sizeof_gr_complex))
        sink = blocks.message_debug()
        flowgraph.msg_connect(block, "status", sink, "store")
        flowgraph.start()
        end = time.monotonic() + PATIENCE
        while sink.num_messages() == 0 and time.monotonic() < end:
            time.sleep(0.05)
        flowgraph.stop()
        wait(flowgraph)
        self.assertGreater(sink.num_messages(), 0)
        return pmt.to_python(sink.get_message(0))

    def check(self, block, inputs, outputs):
        status = self.status_of(block, inputs, outputs)
        self.assertEqual(status["engine"], ENGINE)
        self.assertGreater(status["frames"], 0)

    def test_a_block_with_the_port_goes_when_it_is_not_used(self):
        def buffers_after_a_run():
            flowgraph = gr.top_block()
            channelizer = gpufft.pfb_channelizer_ccf(4, engine=ENGINE)
            flowgraph.connect(blocks.vector_source_c([1] * 4000), channelizer)
            for port in range(4):
                flowgraph.connect((channelizer, port), blocks.null_sink(8))
            flowgraph.run()
            del flowgraph, channelizer
            gc.collect()
            with open("/proc/self/maps") as maps:
                return len(maps.readlines())

        buffers_after_a_run()
        before = buffers_after_a_run()
        for _ in range(5):
            after = buffers_after_a_run()
        self.assertLess(after, before + 20)  # a block that stays has 26 of them

    def test_channel_bank(self):
        bank = gpufft.channel_bank_cc(4, [1], [0, 0.2], engine=ENGINE)
        self.check(bank, 1, 2)

    def test_channelizer(self):
        self.check(gpufft.pfb_channelizer_ccf(4, engine=ENGINE), 1, 4)

    def test_synthesizer(self):
        self.check(gpufft.pfb_synthesizer_ccf(4, engine=ENGINE), 4, 1)


if __name__ == "__main__":
    gr_unittest.run(qa_status)
