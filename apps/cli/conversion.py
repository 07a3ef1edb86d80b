# SPDX-License-Identifier: GPL-3.0-or-later
"""Sample formats for which GNU Radio has no block, converted by NumPy."""

import numpy as np
from gnuradio import gr

from .formats import is_real, number_bytes, sample_bytes

# Formats that the blocks of power spectra take, or GNU Radio's blocks convert.
WITHOUT_NUMPY = ("cf32", "cs16", "cs8", "cu8", "rf32", "rs16")
BUFFER_BYTES = 1 << 19  # 5 times as fast as with GNU Radio's 64 KiB


class NumpyConverter(gr.sync_block):
    """Takes the bytes of each sample of a format, gives it as float (real) or complex."""

    def __init__(self, format):
        kind = np.float32 if is_real(format) else np.complex64
        size = sample_bytes(format)
        item = (np.uint8, size) if size > 1 else np.uint8
        gr.sync_block.__init__(self, format, in_sig=[item], out_sig=[kind])
        self._read = read_24 if number_bytes(format) == 3 else np.ndarray.view
        self._type = number_type(format)
        self._scale, self._middle = scale_of(format)

    def work(self, input_items, output_items):
        out = output_items[0].view(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):  # doubles: Inf, NaN
            out[:] = self._read(input_items[0].reshape(-1), self._type)
        if self._middle:
            out -= self._middle
        if self._scale != 1:
            out *= self._scale
        return len(output_items[0])


def enlarge_buffers(format, chain):
    """Lets the blocks before a NumpyConverter, if there is one, give it many samples a call."""
    if format not in WITHOUT_NUMPY:
        for block in chain:
            set_buffer(block)


def set_buffer(block, bytes=BUFFER_BYTES):
    """Makes a block's output buffer large; GNU Radio would log a line on it."""
    block.set_log_level("warn")
    item = block.output_signature().sizeof_stream_item(0)
    block.set_min_output_buffer(bytes // item)


def number_type(format):
    """The NumPy type of a number; 24 bits are the upper ones of 32."""
    kind = "i" if format[1] == "s" else format[1]
    size = number_bytes(format)
    return np.dtype(f"{'>' if format.endswith('be') else '<'}{kind}{size + (size == 3)}")


def scale_of(format):
    """(scale, middle): (number - middle) * scale has full scale 1."""
    if format[1] == "f":
        return np.float32(1), np.float32(0)
    half = 2.0 ** (8 * number_type(format).itemsize - 1)
    if format[1] == "u":
        return np.float32(1 / (half - 0.5)), np.float32(half - 0.5)
    return np.float32(1 / half), np.float32(0)


def read_24(data, type):
    """The 24-bit integers in bytes, times 256: four bytes are read where each begins."""
    padded = np.append(data, np.uint8(0))
    numbers = np.ndarray((len(data) // 3,), type, padded, 0, (3,))
    return numbers & -256 if type.byteorder == ">" else numbers << 8
