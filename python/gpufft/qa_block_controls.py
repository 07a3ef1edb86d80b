#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What GNU Radio offers for every block: cores, log levels, policies of tags."""

import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_block_support import ARGUMENTS, make
from qa_support import GpufftTestCase, wait

BLOCKS = sorted(set(ARGUMENTS) - {"spectrum_sink"})

DELAYED = {
    "fft_filter_ccf": lambda: gpufft.fft_filter_ccf(4, [1], engine="cpu"),
    "freq_xlating_fft_filter_ccf": lambda: gpufft.freq_xlating_fft_filter_ccf(
        4, [1], 0.1, 1, engine="cpu"
    ),
    "channel_bank_cc": lambda: gpufft.channel_bank_cc(4, [1], [0, 0.1], 1, engine="cpu"),
    "pfb_channelizer_ccf": lambda: gpufft.pfb_channelizer_ccf(4, [1], engine="cpu"),
    "pfb_synthesizer_ccf": lambda: gpufft.pfb_synthesizer_ccf(4, [1], engine="cpu"),
}


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

    def test_buffers(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                if name != "fft_pdu":
                    block = make(name, engine="cpu")
                    block.set_max_output_buffer(64)
                    block.set_min_output_buffer(0, 32)
                    self.assertEqual(block.max_output_buffer(0), 64)
                    self.assertEqual(block.min_output_buffer(0), 32)

    def test_what_hierarchical_blocks_lack(self):
        """gr-filter's blocks of these names are not hierarchical."""
        for name in ("pfb_channelizer_ccf", "pfb_synthesizer_ccf", "channel_bank_cc"):
            block = make(name, engine="cpu")
            block.set_max_noutput_items(7)
            self.assertEqual(block.max_noutput_items(), 7)
            block.set_thread_priority(3)
            self.assertEqual(block.core().thread_priority(), 3)
            self.assertEqual(block.nitems_written(0), 0)
            with self.assertRaisesRegex(AttributeError, f"{name} has no .*'xyzzy'"):
                block.xyzzy()

    def test_buffers_in_use(self):
        block = gpufft.pfb_synthesizer_ccf(2, [1] * 4, engine="cpu")
        block.set_max_output_buffer(1024)
        flowgraph = gr.top_block()
        sink = blocks.null_sink(gr.sizeof_gr_complex)
        for port in (0, 1):
            flowgraph.connect(blocks.vector_source_c([1] * 4000), (block, port))
        flowgraph.connect(block, sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(sink.nitems_read(0), 8000)
        self.assertEqual(block.max_output_buffer(0), 1024)

    def test_log_levels(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                block = make(name, engine="cpu")
                block.set_log_level("error")
                self.assertEqual(block.log_level(), "error")

    def tags_with(self, block, policy, ports=1):
        """The names of the tags at each output, if input i has one of the name i."""
        flowgraph = gr.top_block()
        if policy is not None:
            block.set_tag_propagation_policy(policy)
        sinks = [blocks.vector_sink_c() for _ in range(ports)]
        for port, sink in enumerate(sinks):
            tag = gr.tag_t()
            tag.key, tag.value = pmt.intern(str(port)), pmt.PMT_T
            source = blocks.vector_source_c([1] * 64, False, 1, [tag])
            flowgraph.connect(source, (block, port))
            flowgraph.connect((block, port), sink)
        flowgraph.start()
        wait(flowgraph)
        return [sorted(pmt.symbol_to_string(t.key) for t in s.tags()) for s in sinks]

    def test_policies_of_tags(self):
        for make_block in (
            lambda: gpufft.fft_vcc(8, True, [], vlen=1, engine="cpu"),
            lambda: gpufft.fft_filter_ccc(1, [1], engine="cpu"),
        ):
            block = make_block()
            self.assertEqual(self.tags_with(block, None), [["0"]])
            self.assertEqual(block.tag_propagation_policy(), gr.TPP_ALL_TO_ALL)
            self.assertEqual(self.tags_with(block, gr.TPP_ALL_TO_ALL), [["0"]])
            for _ in range(2):  # for the next run, too
                self.assertEqual(self.tags_with(block, gr.TPP_DONT), [[]])
                self.assertEqual(block.tag_propagation_policy(), gr.TPP_DONT)

    def test_sample_delays(self):
        """In items of the input, also where the output has fewer; of all ports or one."""
        tag = gr.tag_t()
        tag.offset, tag.key, tag.value = 8, pmt.intern("mark"), pmt.PMT_T
        for name, make_one in DELAYED.items():
            ratio = 4 if name == "pfb_synthesizer_ccf" else 1 / 4
            for delay in ((12,), (0, 12)):
                with self.subTest(block=name, delay=delay):
                    block = make_one()
                    block.declare_sample_delay(*delay)
                    self.assertEqual(block.sample_delay(0), 12)
                    flowgraph = gr.top_block()
                    sink = blocks.vector_sink_c()
                    source = blocks.vector_source_c([1] * 64, False, 1, [tag])
                    flowgraph.connect(source, block, sink)
                    for port in range(1, block.input_signature().max_streams()):
                        flowgraph.connect(blocks.null_source(8), (block, port))
                    for port in range(1, block.output_signature().max_streams()):
                        flowgraph.connect((block, port), blocks.null_sink(8))
                    flowgraph.start()
                    wait(flowgraph)
                    self.assertEqual([t.offset for t in sink.tags()], [20 * ratio])

    def test_policies_of_several_ports(self):
        def double(x, out):
            for each, result in zip(x, out):
                result[:] = 2 * each

        kinds = ["complex64", "complex64"]
        block = gpufft.array_block(double, kinds, kinds, engine="cpu")
        for policy, tags in (
            (gr.TPP_ALL_TO_ALL, [["0", "1"], ["0", "1"]]),
            (gr.TPP_ONE_TO_ONE, [["0"], ["1"]]),
            (gr.TPP_DONT, [[], []]),
        ):
            self.assertEqual(self.tags_with(block, policy, 2), tags)


if __name__ == "__main__":
    gr_unittest.run(qa_block_controls)
