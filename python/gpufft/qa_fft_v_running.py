#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fft_vcc while its flowgraph runs: setters, restarts, short buffers, lock and unlock."""

import itertools
import threading
import time

import numpy as np
from fft_v_support import expected, make
from gnuradio import blocks, gr, gr_unittest
from gnuradio.fft import window
from qa_support import PATIENCE, SOURCES, GpufftTestCase, wait, wait_for_more


class qa_fft_v_running(GpufftTestCase):
    def endless(self, x, block):
        """A throttled flowgraph that repeats x, for setters to act on."""
        n = x.shape[1]
        flowgraph = gr.top_block()
        source = SOURCES["c"](x.ravel().tolist(), True, n)
        throttle = blocks.throttle(n * gr.sizeof_gr_complex, 20000)
        sink = blocks.vector_sink_c(n)
        flowgraph.connect(source, throttle, block, sink)
        return flowgraph, sink

    def wait_for_row(self, sink, row):
        """Waits until the sink's newest vector is this one: a window that needs another
        kernel waits for the compiler."""
        end = time.monotonic() + PATIENCE
        while np.abs(np.array(sink.data())[-len(row) :] - row).max() > 1e-4:
            self.assertLess(time.monotonic(), end, "the new window did not take effect")
            time.sleep(0.05)

    def test_set_window_while_running(self):
        """First the old window, then the new: no vector is lost, mixed or wrong."""
        n = 32
        x = self.complex_noise(1, n)
        for before, after in (("hann", "hamming"), ([], "hann"), ("hann", [])):
            block = make("c", n, True, before)
            old, new = (
                expected(
                    x,
                    True,
                    {"hann": window.hann(n), "hamming": window.hamming(n)}.get(
                        spec if isinstance(spec, str) else "", ()
                    ),
                )[0]
                for spec in (before, after)
            )
            flowgraph, sink = self.endless(x, block)
            flowgraph.start()
            wait_for_more(sink, 1)
            self.assertTrue(block.set_window(after))
            self.wait_for_row(sink, new)
            flowgraph.stop()
            wait(flowgraph)
            self.assertEqual(block.error(), "")
            result = np.array(sink.data()).reshape(-1, n)
            is_old = np.abs(result - old).max(axis=1) < 1e-4
            is_new = np.abs(result - new).max(axis=1) < 1e-4
            self.assertTrue((is_old | is_new).all())
            self.assertTrue(is_old[0] and is_new[-1])
            self.assertEqual(np.count_nonzero(np.diff(is_new.astype(int))), 1)

    def test_setters_from_many_threads(self):
        n = 32
        x = self.complex_noise(1, n)
        block = make("c", n, True, "hann")
        flowgraph, sink = self.endless(x, block)
        flowgraph.start()

        def change():
            for turn in range(50):
                block.set_nthreads(1 + turn % 3)
                block.set_window(("hann", [], "hamming")[turn % 3])
                block.describe()

        changers = [threading.Thread(target=change) for _ in range(3)]
        for changer in changers:
            changer.start()
        for changer in changers:
            changer.join(PATIENCE)
            self.assertFalse(changer.is_alive())
        block.set_nthreads(2)
        block.set_window("hann")
        wait_for_more(sink)
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        self.assertEqual(block.nthreads(), 2)
        last = np.array(sink.data()).reshape(-1, n)[-1:]
        self.assert_close(last, expected(x, True, window.hann(n)))

    def test_restart(self):
        n = 16
        x = self.complex_noise(101, n)
        for vlen in (n, 1):
            flowgraph = gr.top_block()
            source = blocks.vector_source_c(x.ravel().tolist(), False, vlen)
            sink = blocks.vector_sink_c(vlen)
            flowgraph.connect(source, make("c", n, True, vlen=vlen), sink)
            for _ in range(3):
                source.rewind()
                sink.reset()
                flowgraph.start()
                wait(flowgraph)
                self.assert_close(np.array(sink.data()).reshape(-1, n), expected(x, True))

    def test_short_output_buffer(self):
        """set_max_output_buffer() is obeyed, as gr-fft's blocks do."""
        n = 64
        x = self.complex_noise(301, n)
        for vlen, limit in itertools.product((n, 1), (1, 7, 100)):
            block = make("c", n, True, vlen=vlen)
            block.set_max_output_buffer(limit)
            sink = blocks.vector_sink_c(vlen)
            flowgraph = gr.top_block()
            source = blocks.vector_source_c(x.ravel().tolist(), False, vlen)
            flowgraph.connect(source, block, sink)
            for _ in range(2):
                source.rewind()
                sink.reset()
                flowgraph.start()
                wait(flowgraph)
                self.assert_close(np.array(sink.data()).reshape(-1, n), expected(x, True))

    def test_lock_and_unlock(self):
        n = 16
        x = self.complex_noise(1, n)
        block = make("c", n, True, "hann")
        flowgraph, sink = self.endless(x, block)
        flowgraph.start()
        for _ in range(3):
            wait_for_more(sink, 1)
            flowgraph.lock()
            extra = blocks.null_sink(n * gr.sizeof_gr_complex)
            flowgraph.connect(block, extra)
            flowgraph.unlock()
        wait_for_more(sink, 1)
        flowgraph.stop()
        wait(flowgraph)
        result = np.array(sink.data()).reshape(-1, n)
        self.assertGreater(len(result), 0)
        self.assert_close(
            result, np.broadcast_to(expected(x, True, window.hann(n)), result.shape)
        )


if __name__ == "__main__":
    gr_unittest.run(qa_fft_v_running)
