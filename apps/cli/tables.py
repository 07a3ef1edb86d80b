# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of `gpufft spectrum`: a line for each bin, or the rows of the waterfall."""

import datetime

import numpy as np

from .errors import CommandError, InputError
from .levels import decibels
from .quantities import format_frequency

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
LEVELS = {
    "": "spectral_kurtosis",
    "dBFS": "power_dbfs",
    "dBFS/Hz": "power_dbfs_per_hz",
}


def rounded(frequency, step):
    """Frequencies to a billionth of the step between bins: without rounding errors."""
    return np.round(frequency, 9 - int(np.floor(np.log10(step)))) + 0.0  # never -0


def write_csv(view, file):
    """Frequency, level and maximum of every bin: the picture's two curves."""
    unit = "cycles_per_sample" if view.rate is None else "hz"
    level = LEVELS[view.level_unit]
    frequency = view.band.frequency(np.arange(view.band.bins))
    frequency = rounded(frequency, view.band.step)
    np.savetxt(
        file,
        np.column_stack((frequency, view.mean, view.maximum)),
        fmt=("%.15g", "%.4f", "%.4f"),
        delimiter=",",
        header=f"frequency_{unit},{level},maximum_{level}",
        comments="",
    )


class RowTable:
    """Writes the waterfall's rows as they come, every bin of the band: dB, or the
    kurtosis as it is. Rows with NaN or Inf are NaN."""

    def __init__(self, path, file, is_ratio):
        """file: open, or None for no table."""
        self._path, self._file = path, file
        self._convert = np.asarray if is_ratio else decibels
        self._rows = 0

    def add(self, rows):
        """rows: array (any, bins) of linear power, float32."""
        if self._file is None:
            return
        levels = self._convert(rows)
        levels = np.where(np.isfinite(rows), levels, np.nan).astype(np.float32)
        self._try_to(lambda: self._write(levels))
        self._rows += len(rows)

    def close(self):
        """Completes the file."""

    def _try_to(self, write):
        """Calls write(). Raises CommandError."""
        try:
            write()
            self._file.flush()
        except OSError as error:
            raise CommandError(
                f"{self._path} cannot be written: {error.strerror}"
            ) from None

    def _write(self, levels):
        """Writes levels as the file has them."""


class NpyTable(RowTable):
    """float32, rows x bins, for numpy.load()."""

    def __init__(self, path, file, is_ratio, bins):
        super().__init__(path, file, is_ratio)
        self._bins = bins
        self._try_to(self._write_header)

    def close(self):
        self._file.seek(0)  # the header has room for any number of rows
        self._try_to(self._write_header)

    def _write_header(self):
        shape = (self._rows, self._bins)
        facts = {"descr": "<f4", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(self._file, facts)

    def _write(self, levels):
        self._file.write(levels.tobytes())


class PowerTable(RowTable):
    """A line for each row, as rtl_power writes it: date, time, Hz low, Hz high, Hz step,
    samples, dB, dB, ..."""

    def __init__(self, path, file, is_ratio, clock, band, samples):
        """clock: a Clock; samples: that a row covers."""
        super().__init__(path, file, is_ratio)
        self._clock = clock
        low, high = rounded((band.start, band.end), band.step)
        self._words = f"{low:.15g}, {high:.15g}, {band.step:.15g}, {samples}"

    def _write(self, levels):
        for row, values in enumerate(levels.tolist(), self._rows):
            words = ", ".join(f"{value:.2f}" for value in values)
            when = self._clock.text(row)
            self._file.write(f"{when}, {self._words}, {words}\n".encode())


class Clock:
    """Date and time of rows."""

    def __init__(self, start, first, step):
        """start: datetime of the recording's first sample; first, step: seconds from
        there to the first row, and from row to row."""
        self._start, self._first, self._step = start, first, step
        # rtl_power's own rows are a second or more apart.
        self._format = "%Y-%m-%d, %H:%M:%S" + (".%f" if step < 1 else "")

    def text(self, row):
        """E.g. "2026-01-01, 12:00:00"; with microseconds if rows are under 1 s apart."""
        since = datetime.timedelta(seconds=self._first + row * self._step)
        return (self._start + since).strftime(self._format)


def make_row_table(output, path, recording, framing, band, detector, start):
    """The table for --waterfall. output: its OutputFile; start: a datetime or None."""
    is_ratio = detector == "kurtosis"
    if path is None:
        return RowTable(None, None, is_ratio)
    if path.lower().endswith(".npy"):
        if not output.file.seekable():
            raise InputError(
                f"--waterfall {path} is a pipe, but the number of rows comes at the head of "
                f"a .npy file: name a .csv file"
            )
        return NpyTable(path, output.file, is_ratio, band.bins)
    if recording.rate is None:
        raise InputError(
            f"--waterfall {path}: a table with times needs the sample rate: give it with "
            f"--rate, or name a .npy file"
        )
    step = framing.average * framing.hop / recording.rate
    clock = Clock(start or EPOCH, framing.first / recording.rate, step)
    try:
        clock.text(framing.rows or 0)
    except OverflowError:
        raise InputError(
            f"--waterfall {path}: at {format_frequency(recording.rate)} the last row lies "
            f"beyond the year 9999: give another --rate, or name a .npy file"
        ) from None
    samples = (framing.average - 1) * framing.hop + framing.size
    return PowerTable(path, output.file, is_ratio, clock, band, samples)
