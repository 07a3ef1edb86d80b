# SPDX-License-Identifier: GPL-3.0-or-later
"""The block that records: it keeps the last samples, and writes them and those that follow to
a file while there is one."""

import threading
from collections import deque

import numpy as np
from gnuradio import blocks, gr

from ..formats import item_bytes, sample_bytes
from .channel_filter import ChannelFilter

BUFFER_SECONDS = 0.25  # that a busy disk may take, or Python's other threads,
FEWEST_BYTES, MOST_BYTES = 1 << 16, 1 << 26  # within these limits
MOST_KEPT = 1 << 28  # bytes of samples before the trigger


class Recorder(gr.sync_block):
    """Takes samples as vectors of bytes. GNU Radio starts it at each change of the flowgraph,
    where samples in flight are lost: the file begins another capture then."""

    def __init__(self, size):
        item = (np.uint8, size) if size > 1 else np.uint8
        gr.sync_block.__init__(self, "recorder", in_sig=[item], out_sig=None)
        self.size = size  # bytes of a sample
        self._lock = threading.Lock()
        self._kept, self._kept_samples = deque(), 0
        self._most_kept = 0
        self._file = None
        self.frequency = None  # Hz, of the samples
        self.seen = 0  # samples
        self.error = ""

    def keep(self, samples):
        """Sets how many samples to keep for the next recording."""
        with self._lock:
            self._most_kept = min(samples, MOST_KEPT // self.size)
            self._forget_oldest()

    @property
    def kept(self):
        """Samples that are kept."""
        return self._kept_samples

    @property
    def file(self):
        """What is written to, or None. After an error it is None."""
        return self._file

    def begin(self, make_file):
        """Begins to write, the kept samples first; make_file(samples) is given their
        number. Raises what that raises, and CommandError."""
        with self._lock:
            file = make_file(self._kept_samples)
            for data in self._kept:
                file.write(data)
            self._forget()
            self._file, self.error = file, ""

    def end(self):
        """Ends the recording. Raises CommandError."""
        with self._lock:
            file, self._file = self._file, None
        if file is not None:
            file.close()

    def retune(self, frequency):
        """The next samples have this frequency."""
        with self._lock:
            if frequency != self.frequency and self._file is not None:
                self._file.cut(frequency)
            self.frequency = frequency

    def start(self):
        """Called by GNU Radio."""
        with self._lock:
            self._forget()
            if self._file is not None:
                self._file.cut(self.frequency)
        return True

    def work(self, input_items, output_items):
        """Called by GNU Radio."""
        samples = input_items[0]
        with self._lock:
            self.seen += len(samples)
            if self._file is not None:
                self._write(samples)
            elif self._most_kept:
                self._kept.append(samples.tobytes())
                self._kept_samples += len(samples)
                self._forget_oldest()
        return len(samples)

    def _write(self, samples):
        try:
            self._file.write(samples)
        except Exception as error:  # an exception out of work() would hang the flowgraph
            self._file, self.error = None, str(error)

    def _forget(self):
        self._kept.clear()
        self._kept_samples = 0

    def _forget_oldest(self):
        while self._kept_samples > self._most_kept:
            oldest = self._kept.popleft()
            surplus = self._kept_samples - self._most_kept
            count = len(oldest) // self.size
            if count > surplus:
                self._kept.appendleft(oldest[surplus * self.size :])
                count = surplus
            self._kept_samples -= count


class RecordBranch(gr.hier_block2):
    """The source's items -> (channel) -> valve -> recorder, whose buffer holds a quarter of a
    second. tuning: the channel's, or None for the whole stream; rate: of the samples in Hz,
    or None."""

    def __init__(self, source, tuning, **engine):
        gr.hier_block2.__init__(
            self,
            "record",
            gr.io_signature(1, 1, item_bytes(source.format)),
            gr.io_signature(0, 0, 0),
        )
        self.tuning = tuning
        self._filter = None
        if tuning is None:
            self.format, self.rate, chain = source.format, source.rate, ()
        else:
            self._filter = ChannelFilter(source.format, tuning, **engine)
            self.format, self.rate, chain = "cf32", tuning.rate, self._filter.blocks
        size, item = sample_bytes(self.format), item_bytes(self.format)
        self._valve = blocks.copy(item)
        self._valve.set_output_multiple(size // item)
        whole = blocks.stream_to_vector(item, size // item)
        self.recorder = Recorder(size)
        set_buffer(whole, self.rate, size)
        self.open(False)
        self.connect(self, *chain, self._valve, whole, self.recorder)

    def open(self, is_open):
        """Lets samples through, or not."""
        self._valve.set_enabled(is_open)

    def move(self, tuning):
        """Follows a Tuning of the same decimation while it runs."""
        self._filter.move(tuning)
        self.tuning = tuning


def set_buffer(block, rate, size):
    """Sets the size of a block's output buffer, of which GNU Radio would log a line."""
    wanted = (rate or 0.0) * size * BUFFER_SECONDS
    block.set_log_level("warn")
    block.set_min_output_buffer(int(min(max(wanted, FEWEST_BYTES), MOST_BYTES)) // size)
