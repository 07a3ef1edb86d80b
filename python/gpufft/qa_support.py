# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of the blocks: the engine under test, flowgraphs that may not hang.

GPUFFT_TEST_ENGINE names the engine, "cpu" if unset. With "cuda" a machine without a
usable GPU skips all (ctest label `gpu`).
"""

import os
import threading
import time
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr

ENGINE = os.environ.get("GPUFFT_TEST_ENGINE", "cpu")
PATIENCE = 300  # s until what does not come is an error: ten times what a busy machine needs
TOLERANCE = 1e-6  # of relative L2 errors of single precision transforms

SOURCES = {
    "c": blocks.vector_source_c,
    "f": blocks.vector_source_f,
    "s": blocks.vector_source_s,
    "b": blocks.vector_source_b,
}
ITEM_SIZES = {
    "c": gr.sizeof_gr_complex,
    "f": gr.sizeof_float,
    "s": gr.sizeof_short,
    "b": gr.sizeof_char,
}


def is_smooth(n):
    """True for the lengths that the GPU kernels have: products of 2 ... 13 up to 8192."""
    for factor in (2, 3, 5, 7, 11, 13):
        while n % factor == 0:
            n //= factor
    return n == 1


def engine_for(n):
    """The engine under test; "auto" if cuda lacks this length."""
    return ENGINE if ENGINE != "cuda" or (n <= 8192 and is_smooth(n)) else "auto"


class GpufftTestCase(unittest.TestCase):
    """Base of the QA: skips without the engine, and has random samples at hand."""

    @classmethod
    def setUpClass(cls):
        if ENGINE == "cuda" and not gpufft.query_cuda()["usable"]:
            raise unittest.SkipTest(gpufft.query_cuda()["reason"])

    def setUp(self):
        self.random = np.random.default_rng(20260101)

    def complex_noise(self, *shape):
        noise = self.random.standard_normal((*shape, 2)) @ [1, 1j]
        return noise.astype(np.complex64)

    def assert_close(self, result, expected, message=""):
        """Relative L2 error; a NaN fails."""
        self.assertEqual(result.shape, expected.shape, message)
        error = np.linalg.norm(result - expected) / max(np.linalg.norm(expected), 1e-30)
        self.assertTrue(error <= TOLERANCE, f"{message}: relative error {error}")

    def assert_change(self, result, old, new, most, bound=1e-3):
        """Rows are those of `old`, then from one of the rows up to `most` on of `new`."""
        self.assertEqual(result.shape, new.shape)
        is_old = np.abs(result - old).max(axis=1) < bound * np.std(old)
        change = int(np.argmin(is_old))
        self.assertTrue(1 <= change <= most, change)
        self.assert_close(result[:change], old[:change])
        self.assert_close(result[change:], new[change:])

    def assert_changes_once(self, is_old, is_new):
        """Every row is an old or a new one; first old ones, then new ones."""
        self.assertTrue(np.all(is_old ^ is_new))
        self.assertTrue(is_old[0] and is_new[-1])
        self.assertEqual(np.count_nonzero(np.diff(is_new.astype(int))), 1)

    def assert_refuses(self, exception, words, call, *arguments, **keywords):
        """`call` raises `exception` with all of `words` in one line of text."""
        with self.assertRaises(exception) as caught:
            call(*arguments, **keywords)
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        for word in words:
            self.assertIn(word, text)


def wait(flowgraph, seconds=PATIENCE):
    """Waits for a flowgraph to end; one that hangs is stopped and fails the test."""
    waiter = threading.Thread(target=flowgraph.wait, daemon=True)
    waiter.start()
    waiter.join(seconds)
    if waiter.is_alive():
        flowgraph.stop()
        raise AssertionError(f"the flowgraph has not ended after {seconds} s")


def wait_for_items(sink, items, seconds=PATIENCE):
    """Waits until a vector sink has this many items, or fails."""
    end = time.monotonic() + seconds
    while len(sink.data()) < items and time.monotonic() < end:
        time.sleep(0.01)
    if len(sink.data()) < items:
        raise AssertionError(f"{len(sink.data())} of {items} items after {seconds} s")


def wait_for_more(sink, items=4096, seconds=PATIENCE):
    """Waits until a sink has read this many more items, or fails. The default is more than
    the upstream buffers hold: earlier settings have taken effect by then."""
    goal = sink.nitems_read(0) + items
    end = time.monotonic() + seconds
    while sink.nitems_read(0) < goal:
        if time.monotonic() > end:
            raise AssertionError(f"no {items} items more after {seconds} s")
        time.sleep(0.005)


def newest_row(sink, n, is_right, seconds=PATIENCE):
    """The newest row of n items in a running flowgraph's vector sink; waits until
    is_right(row), or for `seconds`. Earlier rows are dropped."""
    row = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = np.array(sink.data())
        if len(data) >= n:
            row = data[: len(data) // n * n].reshape(-1, n)[-1]
            if is_right(row):
                break
            sink.reset()
        time.sleep(0.01)
    return row


def settled_row(sink, n, is_right):
    """As newest_row(), but earlier settings have certainly taken effect."""
    wait_for_more(sink)
    sink.reset()
    return newest_row(sink, n, is_right)


def run(data, block, *, kind="c", vlen_in=1, vlen_out=1, out="f", tags=(), limit=None):
    """Runs source -> block -> sink; returns [vectors, vlen_out] and the sink's tags.

    kind, out: item types of source and sink, "c", "f", "s" or "b"; limit: the most items
    that arrive at a time.
    """
    flowgraph = gr.top_block()
    source = SOURCES[kind](np.asarray(data).ravel().tolist(), False, vlen_in, list(tags))
    feeder = blocks.copy(vlen_in * ITEM_SIZES[kind])
    if limit:
        feeder.set_max_noutput_items(limit)
    sink = (
        blocks.vector_sink_c(vlen_out) if out == "c" else blocks.vector_sink_f(vlen_out)
    )
    flowgraph.connect(source, feeder, block, sink)
    flowgraph.start()
    wait(flowgraph)
    if hasattr(block, "error") and block.error():  # GNU Radio's own have none
        raise AssertionError(block.error())
    return np.array(sink.data()).reshape(-1, vlen_out), sink.tags()


class unlock_source(gr.sync_block):
    """A source of samples x, which starts again after GNU Radio's unlock()."""

    def __init__(self, x):
        gr.sync_block.__init__(self, "unlock_source", [], [x.dtype.type])
        self._x, self._sent = x, 0

    def start(self):
        self._sent = 0
        return True

    def work(self, input_items, output_items):
        count = min(len(output_items[0]), len(self._x) - self._sent)
        output_items[0][:count] = self._x[self._sent : self._sent + count]
        self._sent += count
        return count or -1  # WORK_DONE


def run_and_unlock(x, stages, sink, outputs):
    """Runs x -> stages -> sink, and again after lock() and unlock() once the sink has this
    many outputs; returns all of the sink's items."""
    flowgraph = gr.top_block()
    source = unlock_source(x)  # GNU Radio does not keep it
    flowgraph.connect(source, *stages, sink)
    flowgraph.start()
    wait_for_items(sink, outputs)
    flowgraph.lock()
    flowgraph.unlock()
    wait(flowgraph)
    return np.array(sink.data())


class gate(gr.sync_block):
    """Copies samples; sample `place` and those after it wait for open()."""

    def __init__(self, place, sample=np.complex64):
        gr.sync_block.__init__(self, "gate", [sample], [sample])
        self._left = place
        self._opened = threading.Event()

    def open(self):
        self._opened.set()

    def work(self, input_items, output_items):
        if self._left == 0:
            self._opened.wait()
        count = len(output_items[0])
        if not self._opened.is_set():
            count = min(count, self._left)
            self._left -= count
        output_items[0][:count] = input_items[0][:count]
        return count


def run_with_change(x, at, stages, sink, change, outputs=1):
    """Runs a source of x -> stages -> sink; returns the sink's items. `change()` is called
    when the sink has this many outputs, and before sample `at` is sent."""
    kind, sample = ("c", np.complex64) if np.iscomplexobj(x) else ("f", np.float32)
    hold = gate(at, sample)
    flowgraph = gr.top_block()
    flowgraph.connect(SOURCES[kind](x.astype(sample).tolist()), hold, *stages, sink)
    flowgraph.start()
    end = time.monotonic() + PATIENCE
    while sink.nitems_read(0) < outputs and time.monotonic() < end:
        time.sleep(0.001)
    change()
    hold.open()
    wait(flowgraph)
    return np.array(sink.data())


def tag(offset, name="mark"):
    """A tag whose value is its original offset."""
    made = gr.tag_t()
    made.offset, made.key, made.value = offset, pmt.intern(name), pmt.from_long(offset)
    return made


def tag_places(tags):
    """[(original offset, offset now)] of tags made by tag(), sorted."""
    return sorted((pmt.to_long(each.value), each.offset) for each in tags)
