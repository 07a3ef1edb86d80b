# SPDX-License-Identifier: GPL-3.0-or-later
"""The GNU Radio flowgraph of `gpufft spectrum`: file -> power spectrum -> waterfall."""

import os
import signal
import threading
import time

import numpy as np
from gnuradio import blocks, gpufft, gr

from .conversion import WITHOUT_NUMPY, NumpyConverter, enlarge_buffers
from .ending import check_signals, heard_signals
from .errors import CommandError, Ended
from .formats import is_real, item_bytes, sample_bytes
from .streams import StreamSource, stream_chain

# The block that takes a format as it is in the file; others are converted to cf32 first.
DIRECT = {
    "cf32": gpufft.power_spectrum_cf,
    "cs16": gpufft.power_spectrum_sf,
    "cs8": gpufft.power_spectrum_bf,
}


class RowSink(gr.sync_block):
    """Hands rows of power to `add(rows)`; its first exception ends it and is `error`."""

    def __init__(self, bins, add):
        gr.sync_block.__init__(
            self, "row_sink", in_sig=[(np.float32, bins)], out_sig=None
        )
        self._add = add
        self.error = None

    def work(self, input_items, output_items):
        try:
            self._add(input_items[0])
        except CommandError as error:
            self.error = error
            return -1
        except Exception as error:  # an exception out of work() would hang the flowgraph
            self.error = error
            return -1
        return len(input_items[0])


class SpectrumFlowgraph(gr.top_block):
    """Reads samples of a recording and calls `add` with rows of mean power, in order."""

    def __init__(self, recording, first, samples, spectrum, add):
        """first, samples: the part of the recording; spectrum: from make_spectrum()."""
        gr.top_block.__init__(self, "gpufft spectrum")
        self._stream = None
        self._head = self._open(recording, first, samples)
        self.sink = RowSink(spectrum.output_signature().sizeof_stream_item(0) // 4, add)
        self._converter = converter(recording.format)
        enlarge_buffers(recording.format, self._head)
        self.connect(*self._head, *self._converter, spectrum, self.sink)

    def _open(self, recording, first, samples):
        """Source and head: exactly `samples` samples, or all of a stream."""
        size = sample_bytes(recording.format)
        item = item_bytes(recording.format)
        if recording.descriptor is not None:
            self._stream = StreamSource(recording.format, recording.descriptor)
            chain = stream_chain(self._stream, recording.format)
            if first:
                chain += (blocks.skiphead(item, first * size // item),)
            if samples is not None:
                chain += (blocks.head(item, samples * size // item),)
            return chain
        descriptor = os.open(recording.path, os.O_RDONLY)
        os.lseek(descriptor, recording.offset + first * size, os.SEEK_SET)
        source = blocks.file_descriptor_source(item, descriptor)  # closes it, too
        return source, blocks.head(item, samples * size // item)

    @property
    def left_out(self):
        """Bytes behind the last whole sample of a stream."""
        return 0 if self._stream is None else self._stream.left_out

    def run_with(self, progress, interval=0.1):
        """Runs to the end, calls progress() every `interval` s; returns the seconds. Ctrl-C
        ends it: a stream after what has come, and at once if pressed again or if another
        signal comes."""
        start = time.perf_counter()
        # An exception might leave a thread of start() behind.
        came, stopped = [], threading.Event()

        def interrupt(number, _):
            if self._stream is None or came or number != signal.SIGINT:
                stopped.set()
            else:
                self._stream.end()
            came.append(number)

        numbers = (signal.SIGINT, *heard_signals())
        previous = {number: signal.signal(number, interrupt) for number in numbers}
        try:
            check_signals()
            waiter = threading.Thread(target=self.wait, daemon=True)
            self.start()
            waiter.start()
            while waiter.is_alive() and not stopped.is_set():
                waiter.join(interval)
                progress()
            self.stop()
            waiter.join()
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
        if stopped.is_set():
            raise KeyboardInterrupt if came[-1] == signal.SIGINT else Ended(came[-1])
        if isinstance(self.sink.error, CommandError):
            raise self.sink.error
        if self.sink.error is not None:
            raise CommandError(f"the rows could not be collected: {self.sink.error}")
        if self._stream is not None and self._stream.error:
            raise CommandError(f"the stream cannot be read: {self._stream.error}")
        return time.perf_counter() - start


def make_spectrum(format, **parameters):
    """The power spectrum block for `format`; parameters as power_spectrum_cf's."""
    return DIRECT.get(format, gpufft.power_spectrum_cf)(**parameters)


def converter(format):
    """Blocks from the file's items to what the spectrum block takes; () if none. The caller
    keeps them: a flowgraph does not keep blocks that are written in Python.

    Real samples are doubled: half of a real tone's amplitude lies at its positive
    frequency, which then reads the tone's level.
    """
    if format == "cu8":
        # Two floats in a vector are one complex sample.
        return (
            blocks.uchar_to_float(),
            blocks.add_const_ff(-127.5),
            blocks.multiply_const_ff(1 / 127.5),
            blocks.stream_to_vector(4, 2),
        )
    if format == "rs16":
        return blocks.short_to_float(1, 32768 / 2), blocks.float_to_complex()
    if format == "rf32":
        return blocks.multiply_const_ff(2), blocks.float_to_complex()
    if format in WITHOUT_NUMPY:
        return ()
    return NumpyConverter(format), *(converter("rf32") if is_real(format) else ())
