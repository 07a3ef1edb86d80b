# SPDX-License-Identifier: GPL-3.0-or-later
"""The GNU Radio blocks that play a recording: frames for the transform, and plain samples for
others. Both read the file into GNU Radio's buffers; a file that shrinks meanwhile ends it."""

import os
import threading
import time
import weakref
from collections import deque

import numpy as np
from gnuradio import gr
from numpy.lib.stride_tricks import as_strided

from ..conversion import set_buffer
from ..formats import item_bytes, sample_bytes
from .playback import rest

# Large pieces, as each waits for Python's lock, which a thread that draws may hold.
BUFFER_BYTES = 1 << 22  # of a block's output
SCRATCH_BYTES = 1 << 18  # that are read at once: they fit a core's cache
LONGEST_WAIT = 0.1  # s, until work() returns, so that a flowgraph can stop
MOST_WAITING = 1 << 22  # bytes that wait for a reader of plain samples


class SampleFile:
    """The samples of a recording, as bytes."""

    def __init__(self, recording, playback):
        self.format = recording.format
        self.bytes = sample_bytes(recording.format)
        self._offset = recording.offset
        self._descriptor = os.open(recording.path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._descriptor)
        self._playback = playback

    def read(self, first, out):
        """Fills an array of bytes from the sample `first` on. Returns whether it could."""
        at, done = self._offset + first * self.bytes, 0
        try:
            while done < len(out):
                count = os.preadv(self._descriptor, [out[done:]], at + done)
                if count == 0:
                    break
                done += count
        except OSError as error:
            self._playback.fail(f"the file cannot be read: {error.strerror}")
            return False
        if done < len(out):
            self._playback.fail("the file has become shorter")
        return done == len(out)


class PlaybackBlock(gr.sync_block):
    """A source of a recording's items. _fill(bytes) fills the front of an array, and returns
    how many bytes: whole samples."""

    def __init__(self, name, file, playback):
        item = item_bytes(file.format)
        kind = (np.uint8, item) if item > 1 else np.uint8
        gr.sync_block.__init__(self, name, in_sig=None, out_sig=[kind])
        self._file, self._playback, self._item = file, playback, item
        set_buffer(self, BUFFER_BYTES)
        self.set_output_multiple(file.bytes // item)
        self._then = 0.0  # when bytes were filled in last

    def work(self, _input_items, output_items):
        # GNU Radio waits up to 0.25 s before it calls a source again that gave nothing.
        out, end = output_items[0].reshape(-1), time.monotonic() + LONGEST_WAIT
        while (count := self._fill(out)) == 0 and time.monotonic() < end:
            if self._is_done():
                return -1
            rest(self._then)
        if count > 0:
            self._then = time.monotonic()
        return count // self._item

    def _is_done(self):
        """Whether nothing follows, unless the user goes elsewhere."""
        return self._playback.has_ended

    def _fill(self, out):
        raise NotImplementedError


class FrameSource(PlaybackBlock):
    """Frame after frame, each with all of its samples."""

    def __init__(self, file, playback, size, hop):
        """hop: samples from frame to frame; it may be changed at any time."""
        super().__init__("frame_source", file, playback)
        self.hop = hop
        self._size = size
        self._left = range(0)  # samples of the last frame, that are still to come
        self._scratch = np.empty(SCRATCH_BYTES, np.uint8)

    def _fill(self, out):
        done = self._continue(out)
        frame = self._size * self._file.bytes
        while frame <= len(out) - done:
            count = self._add_frames(out[done:], (len(out) - done) // frame)
            done += count * frame
            if count == 0:
                return done
        if done == 0 and not self._left:  # a frame that is longer than the buffer
            first, count = self._playback.take(self._size, self.hop, 1)
            self._left = range(first, first + count * self._size)
            done = self._continue(out)
        return done

    def _continue(self, out):
        """Adds to the last frame."""
        count = min(len(self._left), len(out) // self._file.bytes)
        if count and not self._file.read(
            self._left.start, out[: count * self._file.bytes]
        ):
            self._left = range(0)
            return 0
        self._left = self._left[count:]
        return count * self._file.bytes

    def _add_frames(self, out, most):
        """Adds whole frames; returns their number."""
        size, hop, bytes = self._size, self.hop, self._file.bytes
        most = min(most, max(1, (len(self._scratch) // bytes - size) // hop + 1))
        first, count = self._playback.take(size, hop, most)
        if count == 0:
            return 0
        frames = out[: count * size * bytes]
        if count == 1 or hop == size:
            return count if self._file.read(first, frames) else 0
        samples = self._scratch[: ((count - 1) * hop + size) * bytes]
        if not self._file.read(first, samples):
            return 0
        rows = as_strided(samples, (count, size * bytes), (hop * bytes, 1))
        frames.reshape(count, -1)[:] = rows
        return count


class SampleTap(PlaybackBlock):
    """The plain samples that are played, jumps and all, for whoever listens or records."""

    def __init__(self, file, playback):
        super().__init__("sample_tap", file, playback)
        self._ranges, self.waiting = deque(), 0  # samples to give, and their number
        self._lock = threading.Lock()

    @property
    def is_full(self):
        """Whether what plays has to wait."""
        return self.waiting * self._file.bytes > MOST_WAITING

    def _is_done(self):
        return super()._is_done() and self.waiting == 0

    def clear(self):
        """Forgets what waits."""
        with self._lock:
            self._ranges.clear()
            self.waiting = 0

    def append(self, first, end):
        """Samples that are played now."""
        with self._lock:
            self._ranges.append(range(first, end))
            self.waiting += end - first

    def _fill(self, out):
        done, bytes = 0, self._file.bytes
        while done < len(out):
            samples = self._take((len(out) - done) // bytes)
            end = done + len(samples) * bytes
            if not samples or not self._file.read(samples.start, out[done:end]):
                break
            done = end
        return done

    def _take(self, most):
        """The next samples to give, at most `most`."""
        with self._lock:
            if not self._ranges:
                return range(0)
            samples = self._ranges.popleft()
            if samples[most:]:
                self._ranges.appendleft(samples[most:])
            self.waiting -= len(samples[:most])
            return samples[:most]
