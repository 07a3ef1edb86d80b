# SPDX-License-Identifier: GPL-3.0-or-later
"""The source's memory: each chunk is kept until the merger has its rows.

A sliding window as in any reliable link: chunks that are not acknowledged in time are
sent again, and a full window stops the source from reading.
"""

import threading
import time


class Window:
    """Chunks between reading and acknowledgement, by sequence number. Thread-safe."""

    def __init__(self, size, timeout):
        """size: the most chunks from the oldest unacknowledged to the newest.
        timeout: seconds after which a chunk is sent again."""
        self._size = size
        self._timeout = timeout
        self._chunks = {}  # in order of sequence: dictionaries keep it
        self._due = {}  # when to send a chunk, 0 for a fresh one
        self._changed = threading.Condition()
        self.total = 0  # chunks so far
        self.closed = False
        self.sent_again = 0
        self.first_progress = None
        self.last_progress = time.monotonic()

    def _has_room(self):
        return not self._chunks or self.total - next(iter(self._chunks)) < self._size

    def wait_for_room(self, seconds):
        """Waits: True as soon as put() may be called, False after `seconds`."""
        with self._changed:
            return self._changed.wait_for(self._has_room, seconds)

    def put(self, chunk):
        """Takes the next chunk."""
        with self._changed:
            if not self._chunks:
                self.last_progress = time.monotonic()
            self._chunks[self.total] = chunk
            self._due[self.total] = 0
            self.total += 1
            self._changed.notify_all()

    def close(self):
        """Says that there are no more chunks."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def take(self, seconds):
        """(sequence, chunk) to send: one that is overdue, else the next; else None."""
        with self._changed:
            self._changed.wait_for(lambda: self._next() is not None, seconds)
            sequence = self._next()
            if sequence is None:
                return None
            self.sent_again += self._due[sequence] > 0
            self._due[sequence] = time.monotonic() + self._timeout
            return sequence, self._chunks[sequence]

    def _next(self):
        now = time.monotonic()
        return next((each for each, due in self._due.items() if due <= now), None)

    def acknowledge(self, sequences):
        """Marks chunks that the merger has; repeats do no harm."""
        with self._changed:
            for sequence in sequences:
                if self._chunks.pop(sequence, None) is not None:
                    del self._due[sequence]
                    self.last_progress = time.monotonic()
                    self.first_progress = self.first_progress or self.last_progress
            self._changed.notify_all()

    @property
    def chunk_rate(self):
        """Chunks a second, from the first acknowledgement to the last; 0 if none."""
        seconds = self.last_progress - (self.first_progress or self.last_progress)
        return (self.acknowledged - 1) / seconds if seconds else 0

    @property
    def acknowledged(self):
        """How many chunks are acknowledged."""
        return self.total - len(self._chunks)

    @property
    def finished(self):
        """Closed, and all is acknowledged."""
        return self.closed and not self._chunks
