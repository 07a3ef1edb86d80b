#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""array_block while the flowgraph runs: setters, threads, locks, the end of Python."""

import pathlib
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_array_support import IS_SIMULATED, ON_CARD, array_case, simulate
from qa_support import ENGINE, wait, wait_for_more


class qa_array_block_running(array_case):
    def test_parameters_change_while_it_runs(self):
        block = self.block(lambda x, gain: gain * x, parameters={"gain": 2.0})
        flowgraph = gr.top_block()
        sink = blocks.probe_signal_c()
        flowgraph.connect(blocks.vector_source_c([1] * 1000, True), block, sink)
        flowgraph.start()
        try:
            for gain in (2.0, -3.0, 0.5):
                block.set_parameter("gain", gain)
                end = time.monotonic() + 300
                while sink.level() != gain and time.monotonic() < end:
                    time.sleep(0.005)
                self.assertEqual(sink.level(), gain)
                self.assertEqual(block.parameters(), {"gain": gain})
        finally:
            flowgraph.stop()
            wait(flowgraph)
        self.assertEqual(block.error(), "")
        self.assert_refuses(
            ValueError, ["'gian'", "gain"], block.set_parameter, "gian", 1
        )
        self.assert_refuses(
            ValueError, ["'b'"], block.set_parameters, {"gain": 1, "b": 2}
        )
        self.assertEqual(block.parameters(), {"gain": 0.5})

    def test_stop_and_lock_while_it_computes(self):
        """The flowgraph stops while functions hold the GIL, or want it."""
        if IS_SIMULATED:
            simulate(1e-4)

        def slow(x):
            time.sleep(0.002)
            return x

        block = self.block(slow)
        flowgraph = gr.top_block()
        sink = blocks.null_sink(8)
        flowgraph.connect(blocks.null_source(8), block, sink)
        for _ in range(3):
            flowgraph.start()
            wait_for_more(sink, 10000)
            flowgraph.lock()
            flowgraph.unlock()
            wait_for_more(sink, 10000)
            flowgraph.stop()
            flowgraph.wait()
        self.assertEqual(block.error(), "")

    def run_program(self, end):
        """A program that ends so while its flowgraph runs: without a crash, and soon."""
        program = f"""
import atexit, ctypes, gc, time, weakref
at_end = []
atexit.register(lambda: [each() for each in at_end])  # after what the module registers
from gnuradio import blocks, gpufft, gr
from qa_array_support import IS_SIMULATED, on_arrays, simulate
if IS_SIMULATED:
    simulate(1e-4)
flowgraph = gr.top_block()
step = lambda: None
through = on_arrays(lambda x: x)
block = gpufft.array_block(lambda x, out: (step(), through(x, out))[1], engine={ENGINE!r})
flowgraph.connect(blocks.null_source(8), block, blocks.null_sink(8))
flowgraph.start()
time.sleep(0.2)
{end}
"""
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=pathlib.Path(__file__).parent,  # for its modules
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("critical", done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")

    def test_python_ends_while_it_runs(self):
        for _ in range(3):
            self.run_program("")

    def test_python_ends_though_something_keeps_the_flowgraph(self):
        self.run_program("ctypes.pythonapi.Py_IncRef(ctypes.py_object(flowgraph))")

    def test_running_flowgraph_is_dropped(self):
        """GNU Radio's destructor would wait for the function, which waits for the GIL."""
        self.run_program("del flowgraph; print(block.engine())")
        self.run_program("flowgraph.cycle = flowgraph; del flowgraph; gc.collect()")

    def test_a_running_flowgraph_is_collected_in_its_own_thread(self):
        """Python collects cycles wherever it allocates: in the function, too."""
        self.run_program(
            "gc.disable(); flowgraph.cycle = flowgraph; gone = weakref.ref(flowgraph)\n"
            "del flowgraph; step = gc.collect\n"
            "while gone(): time.sleep(0.01)\n"
            "print(block.engine())"
        )

    def test_python_waits_for_the_end_of_a_collected_flowgraph(self):
        """Python's end would destroy what the flowgraph's threads still use."""
        self.run_program(
            "gc.disable(); flowgraph.cycle = flowgraph; gone = weakref.ref(flowgraph)\n"
            "wait = gr.top_block_wait_unlocked; ended = []\n"
            "gr.top_block_wait_unlocked = lambda flowgraph: (\n"
            "    time.sleep(0.3), wait(flowgraph), ended.append(flowgraph))\n"
            "at_end.append(lambda: print(ended[0]))\n"
            "del flowgraph; step = gc.collect\n"
            "while gone(): time.sleep(0.01)\n"
            "time.sleep(0.1)"  # until another thread waits
        )

    def test_kept_arrays_are_told(self):
        """Once, by a warning, since other samples come into their memory."""
        if ON_CARD:
            self.skipTest("only arrays of NumPy are told")
        kept = []

        def keep_cycle(x, _):
            cycle = [x]
            cycle.append(cycle)

        x = self.complex_noise(3000)
        for keep, count in (
            (lambda x, out: kept.append(x), 1),
            (lambda x, out: kept.append(out[3:].real), 1),
            (lambda x, out: kept.append(x[3:].copy()), 0),
            (keep_cycle, 0),
            (lambda x, out: x[::-1], 0),
        ):

            def function(x, out, keep=keep):
                out[:] = x
                return keep(x, out)

            block = gpufft.array_block(function, name="keeper", engine=ENGINE)
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                self.samples(block, x, limit=100)
            kept.clear()
            texts = [str(each.message) for each in found]
            self.assertEqual(len(texts), count, texts)
            for text in texts:
                self.assertIn("keeper keeps x or out", text)

    def test_many_threads(self):
        """Setters and readers from other threads while two blocks compute."""
        x = self.complex_noise(100000)
        first, second = (
            self.block(lambda x, gain: gain * x, parameters={"gain": 1}) for _ in range(2)
        )
        flowgraph = gr.top_block()
        sink = blocks.vector_sink_c()
        flowgraph.connect(blocks.vector_source_c(x.tolist()), first, second, sink)
        ended = threading.Event()

        def disturb():
            while not ended.is_set():
                first.set_parameter("gain", 1)
                second.statistics()
                second.describe()

        threads = [threading.Thread(target=disturb) for _ in range(3)]
        for each in threads:
            each.start()
        flowgraph.start()
        wait(flowgraph)
        ended.set()
        for each in threads:
            each.join()
        np.testing.assert_array_equal(np.array(sink.data(), np.complex64), x)

    def test_status_has_the_error(self):
        def failing(x, out):
            raise ValueError("told")

        block = gpufft.array_block(failing, engine=ENGINE)
        debug = blocks.message_debug()
        flowgraph = gr.top_block()
        flowgraph.connect(blocks.null_source(8), block, blocks.null_sink(8))
        flowgraph.msg_connect(block, "status", debug, "store")
        flowgraph.start()
        wait(flowgraph)
        texts = [
            pmt.symbol_to_string(
                pmt.dict_ref(message, pmt.intern("error"), pmt.intern(""))
            )
            for message in map(debug.get_message, range(debug.num_messages()))
        ]
        self.assertTrue(any(text.endswith("ValueError: told") for text in texts), texts)


if __name__ == "__main__":
    gr_unittest.run(qa_array_block_running)
