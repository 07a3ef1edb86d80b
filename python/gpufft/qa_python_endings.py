#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow flowgraph ends soon after the Heads behind a block, though its buffers are not
full; Python ends beside threads that compute."""

import subprocess
import sys

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, PATIENCE, GpufftTestCase, wait

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

    def test_python_beside_threads_that_compute(self):
        """Daemon threads come back from a call when Python has ended."""
        for call in (
            "gpufft.fft(x)",
            "plan.execute(x)",
            "plan.set_hop(65536)",
            "gpufft.plan(lengths=97, engine='cpu')",
        ):
            program = (
                "import threading, numpy as np\n"
                "from gnuradio import gpufft\n"
                "gpufft.set_engine('cpu')\n"
                "plan = gpufft.plan('c2c_forward_n65536_b20', engine='cpu')\n"
                "x = np.ones((20, 65536), np.complex64)\n"
                "begun = threading.Barrier(4)\n"
                "def work():\n"
                f"    {call}\n"
                "    begun.wait()\n"
                f"    while True: {call}\n"
                "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
                "begun.wait()\n"
            )
            done = subprocess.run(
                [sys.executable, "-c", program],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), call)


if __name__ == "__main__":
    gr_unittest.main()
