# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples that come through a pipe, a device or a socket, of which nobody knows the length.

GNU Radio's own sources for descriptors and TCP wait in read(), where a flowgraph cannot
stop them; its UDP source polls without a pause.
"""

import fcntl
import os
import select

import numpy as np
from gnuradio import blocks, gr

from .conversion import set_buffer
from .formats import item_bytes, sample_bytes

WAIT_MS = 100  # until work() looks whether the flowgraph has been stopped
PIPE_BYTES = 1 << 20  # in a pipe, so that a receiver need not wait for us
LARGEST_DATAGRAM = 1 << 16


class StreamSource(gr.sync_block):
    """The samples that come from a descriptor, as vectors of bytes. is_datagrams: each read()
    takes one datagram, and an empty one is no end."""

    def __init__(self, format, descriptor, is_datagrams=False):
        self._size = sample_bytes(format)
        item = (np.uint8, self._size) if self._size > 1 else np.uint8
        gr.sync_block.__init__(self, "stream_source", in_sig=None, out_sig=[item])
        self._descriptor = descriptor
        self._is_datagrams = is_datagrams
        self._least = LARGEST_DATAGRAM if is_datagrams else 1
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._rest = b""  # the part of a sample that has come
        self._takes_more = True
        self.has_ended = False
        self.error = ""  # why it has ended, if not by the sender's will
        self.set_min_noutput_items(self._least // self._size + 2)
        set_buffer(self)
        enlarge_pipe(descriptor)

    @property
    def left_out(self):
        """Bytes behind the last whole sample of a stream that has ended."""
        return len(self._rest) if self.has_ended else 0

    def end(self):
        """Ends the stream after what has been read."""
        self._takes_more = False

    def work(self, input_items, output_items):
        if not self._takes_more:
            return -1
        # Whole samples only: blocks that are connected while it runs begin at a sample.
        out, count = memoryview(output_items[0].reshape(-1)), len(self._rest)
        out[:count] = self._rest
        count += self._read(out[count:])
        samples = count // self._size
        self._rest = bytes(out[samples * self._size : count])
        return -1 if self.has_ended else samples

    def _read(self, out):
        """Reads what has come, or waits for WAIT_MS; returns the number of bytes."""
        count = 0
        try:
            while len(out) - count >= self._least and self._poll.poll(
                0 if count else WAIT_MS
            ):
                read = os.readv(self._descriptor, [out[count:]])
                if read == 0 and not self._is_datagrams:
                    self.has_ended = count == 0
                    break
                count += read
        except BlockingIOError:
            pass  # another reader was faster
        except OSError as error:  # an exception out of work() would hang the flowgraph
            self.error = error.strerror
            self.has_ended = count == 0
        return count


def stream_chain(source, format):
    """The source, and what makes its samples items of `format`."""
    sample, item = sample_bytes(format), item_bytes(format)
    return source, blocks.vector_to_stream(item, sample // item)


def enlarge_pipe(descriptor):
    """Lets a pipe hold more bytes, as many as this user may."""
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except (OSError, AttributeError):  # no pipe, not allowed, or not Linux
        pass
