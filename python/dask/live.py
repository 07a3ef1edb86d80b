# SPDX-License-Identifier: GPL-3.0-or-later
"""The block stream_map: a function of chunks of a stream, computed on a cluster.

A sink cuts the stream into chunks and submits them, a source gives the results out. They
are blocks with threads of their own, joined by a queue of the results to come.
"""

import queue
import threading
import time
from concurrent import futures

import numpy as np
import pmt
from gnuradio import gr

from .dispatcher import Dispatcher, failed

LONGEST_WAIT = 0.1  # s, until work() returns, so that a flowgraph can stop
BUFFER_BYTES = 1 << 20  # of the buffers before and behind the block, at least


class stream_map(gr.hier_block2):
    """Computes a function of a stream's chunks on a cluster; results come out in order.

    Chunk c holds the items from c * chunk on, and the `overlap` items that follow those.
    A frame that begins in a chunk lies completely in it if overlap is the frame's length
    less the hop. At the end of the stream the last chunk is shorter. The function gets a
    chunk as an array, which it may not change, and returns the items to give out; it
    depends on nothing but the chunk. A function of gpufft.dask such as power_spectrum
    will do: the worker computes what it returns.

    A chunk whose worker dies, leaves, or freezes (for half of `patience` it answers nothing,
    or a transfer takes so long) is computed by another. Nothing is lost, repeated or out of
    order. The block ends the stream with error() if a chunk waits and no result comes for
    `patience` seconds, if the function raises an exception, or if the client is closed.

    The message port `status` sends {"error": text} then. Tags are not passed on.

    Args:
        client: from connect()
        function: of an array of items, shape (items,) or (items, vlen); any that Dask can
            send to a worker
        in_sig, out_sig: type of an item as in GNU Radio's Python blocks, np.float32 or
            (np.float32, vlen)
        chunk: items from chunk to chunk, 1 or more
        overlap: items of a chunk that are the first ones of the next, too
        in_flight: most chunks between input and output, 1 or more; two a worker's thread
            keep all at work. When so many are on their way, the input waits.
        patience: seconds without a result; above what the longest chunk takes, and above
            twice that if the function keeps Python's lock, so that its worker cannot answer

    Raises:
        ValueError: a value out of range
    """

    def __init__(
        self,
        client,
        function,
        in_sig,
        out_sig,
        chunk,
        overlap=0,
        in_flight=16,
        patience=60.0,
    ):
        for name, value, least in (
            ("chunk", chunk, 1),
            ("overlap", overlap, 0),
            ("in_flight", in_flight, 1),
        ):
            if not isinstance(value, (int, np.integer)) or value < least:
                raise ValueError(
                    f"{name} is {value!r}, but must be {least} or a greater integer"
                )
        if not patience > 0:
            raise ValueError(f"patience is {patience!r}, but must be above 0")
        in_type, out_type = np.dtype(in_sig), np.dtype(out_sig)
        gr.hier_block2.__init__(
            self,
            "stream_map",
            gr.io_signature(1, 1, in_type.itemsize),
            gr.io_signature(1, 1, out_type.itemsize),
        )
        self._cluster = Dispatcher(client, function, out_type, patience)
        results = Results(in_flight)
        self._sink = ChunkSink(self._cluster, results, in_sig, int(chunk), int(overlap))
        self._source = ResultSource(self._cluster, results, out_sig)
        self.connect(self, self._sink)
        self.connect(self._source, self)
        self.message_port_register_hier_out("status")
        self.msg_connect(self._source, "status", self, "status")

    def error(self):
        """What ended the stream before its end; "" if nothing did."""
        return self._source.error


class Results:
    """The results to come, as concurrent futures in the order of the chunks."""

    END = object()  # stands behind the last result

    def __init__(self, in_flight):
        self._in_flight = in_flight
        self._lock = threading.Lock()  # of `closed`
        self.clear()

    def clear(self):
        """Forgets everything."""
        self.ready = queue.SimpleQueue()
        self.room = threading.Semaphore(self._in_flight)
        self.closed = False  # nobody waits for results

    def submit(self, cluster, chunk):
        """Has a chunk computed, unless nobody waits for the result."""
        with self._lock:
            if not self.closed:
                self.ready.put(cluster.submit(chunk))

    def cancel(self):
        """Cancels what is still to come; nothing is submitted any more."""
        with self._lock:
            self.closed = True
        while not self.ready.empty():
            future = self.ready.get()
            if future is not self.END:
                future.cancel()


def items_of_buffer(signature):
    """The output multiple of a block that does not run: GNU Radio makes buffers large by
    it, and each call of work() takes long in Python. While the block runs it is 1."""
    return -(-BUFFER_BYTES // np.dtype(signature).itemsize)


class ChunkSink(gr.sync_block):
    """Cuts the stream into chunks and submits them."""

    def __init__(self, cluster, results, in_sig, chunk, overlap):
        gr.sync_block.__init__(self, "chunk_sink", in_sig=[in_sig], out_sig=None)
        self._cluster, self._results = cluster, results
        self._type = np.dtype(in_sig)
        self._items, self._overlap = chunk + overlap, overlap  # items of a whole chunk
        self._multiple = items_of_buffer(in_sig)
        self.set_output_multiple(self._multiple)
        self._begin(np.empty(0, self._type))

    def _begin(self, items):
        """Begins a chunk with these items."""
        self._chunk = np.empty(self._items, self._type)
        self._chunk[: len(items)] = items
        self._filled = self._carried = len(items)
        self._has_room = False  # among the results

    def start(self):
        self.set_output_multiple(1)
        self._begin(self._chunk[:0])
        return True

    def work(self, input_items, _output_items):
        if self._results.closed:
            return -1
        try:
            return self._take(input_items[0])
        except Exception as error:  # an exception out of work() would hang the flowgraph
            self._results.ready.put(failed(error))
            return -1

    def _take(self, items):
        """Adds items to the chunk if there is room for its result; says how many."""
        if not self._has_room:
            self._has_room = self._results.room.acquire(timeout=LONGEST_WAIT)
            if not self._has_room:
                return 0
        items = items[: self._items - self._filled]
        self._chunk[self._filled : self._filled + len(items)] = items
        self._filled += len(items)
        if self._filled == self._items:
            self._results.submit(self._cluster, self._chunk)
            self._begin(self._chunk[self._items - self._overlap :])
        return len(items)

    def stop(self):
        """The end: what no chunk has had yet is the last chunk."""
        if self._filled > self._carried:
            self._results.submit(self._cluster, self._chunk[: self._filled])
        self._results.ready.put(Results.END)
        self.set_output_multiple(self._multiple)
        return True


class ResultSource(gr.sync_block):
    """Gives the results out."""

    def __init__(self, cluster, results, out_sig):
        gr.sync_block.__init__(self, "result_source", in_sig=None, out_sig=[out_sig])
        self._multiple = items_of_buffer(out_sig)
        self.set_output_multiple(self._multiple)
        self._cluster, self._results = cluster, results
        self._none = np.empty(0, np.dtype(out_sig))
        self._items = self._none  # of the oldest result, still to be given out
        self._oldest = None  # its future
        self.error = ""
        self.message_port_register_out(pmt.intern("status"))

    def start(self):
        self.set_output_multiple(1)
        self._results.clear()
        self._items, self._oldest, self.error = self._none, None, ""
        return True

    def work(self, _input_items, output_items):
        try:
            end = time.monotonic() + LONGEST_WAIT
            while not len(self._items) and time.monotonic() < end:
                if not self._fetch():
                    return -1
        except Exception as error:  # an exception out of work() would hang the flowgraph
            self._fail(str(error) or type(error).__name__)
            return -1
        items = self._items[: len(output_items[0])]
        output_items[0][: len(items)] = items
        self._items = self._items[len(items) :]
        return len(items)

    def _fetch(self):
        """Takes the oldest result if it comes in time. False behind the last one."""
        try:
            if self._oldest is None:
                self._oldest = self._results.ready.get(timeout=LONGEST_WAIT)
            if self._oldest is Results.END:
                return False
            self._items = self._oldest.result(timeout=LONGEST_WAIT)
            self._oldest = None
            self._results.room.release()
        except queue.Empty:
            self._cluster.check_open()  # no chunk may come for long
        except (futures.TimeoutError, futures.CancelledError):
            self._cluster.check(self._oldest)
        return True

    def _fail(self, text):
        """Tells the error; what is still on its way is not needed."""
        self.error = text
        self._results.closed = True
        gr.logger("stream_map").fatal(text)
        message = pmt.dict_add(pmt.make_dict(), pmt.intern("error"), pmt.intern(text))
        self.message_port_pub(pmt.intern("status"), message)

    def stop(self):
        if self._oldest is not None:
            self._results.ready.put(self._oldest)
        self._results.cancel()
        self.set_output_multiple(self._multiple)
        return True
