# SPDX-License-Identifier: GPL-3.0-or-later
"""Reduces rows of power to what a picture and a table need, in bounded memory."""

import numpy as np

LINES, COLUMNS = 1000, 1024  # of the image, unless a larger picture is drawn


def group_maximum(values, groups):
    """Largest value of each of at most `groups` equal runs along the last axis."""
    length = -(-values.shape[-1] // groups)
    return np.maximum.reduceat(values, np.arange(0, values.shape[-1], length), axis=-1)


class Waterfall:
    """Mean, maximum and last value of every bin, and an image of a limited size.

    Rows that share a line of the image are averaged; bins that share a column show the
    largest (so that narrow carriers stay visible). Rows with NaN or Inf are counted and
    left out; a line with no other row is NaN.
    """

    def __init__(self, bins, rows, lines=LINES, columns=COLUMNS):
        """bins: length of a row; rows: the expected number, for the image's scale; None if
        it is not known: then lines are joined in pairs whenever the image is full.
        lines, columns: of the image, at most."""
        self.rows = 0
        self.rows_left_out = 0
        self.maximum = np.zeros(bins, np.float32)
        self.last = self.maximum
        self._is_endless = rows is None
        rows = lines // 2 * 2 if self._is_endless else rows
        self.rows_in_line = -(-rows // lines)
        self.bins_in_column = -(-bins // columns)
        self._sum = np.zeros(bins)
        shape = -(-rows // self.rows_in_line), -(-bins // self.bins_in_column)
        self._lines = np.zeros(shape, np.float32)
        self.counts = np.zeros(shape[0], int)  # rows that each line averages

    def add(self, rows):
        """rows: array (any, bins) of linear power, float32."""
        for row in rows:
            line = self.rows // self.rows_in_line
            if line == len(self._lines) and self._is_endless:
                self._join_lines()
                line //= 2
            line = min(line, len(self._lines) - 1)
            self.rows += 1
            if not np.isfinite(row).all():
                self.rows_left_out += 1
                continue
            self._sum += row
            np.maximum(self.maximum, row, out=self.maximum)
            self.last = row.copy()
            self._lines[line] += group_maximum(row, self._lines.shape[1])
            self.counts[line] += 1

    def _join_lines(self):
        """Halves the number of lines."""
        half = len(self._lines) // 2
        for values in (self._lines, self.counts):
            values[:half] = values[0::2] + values[1::2]
            values[half:] = 0
        self.rows_in_line *= 2

    @property
    def mean(self):
        """Mean power of every bin; NaN if no row was finite."""
        finite = self.rows - self.rows_left_out
        return self._sum / finite if finite else np.full_like(self._sum, np.nan)

    def end(self):
        """Forgets lines for rows that have not come."""
        lines = -(-self.rows // self.rows_in_line)
        self._lines, self.counts = self._lines[:lines], self.counts[:lines]

    @property
    def image(self):
        """Mean power, lines x columns; the first line is the first in time."""
        with np.errstate(invalid="ignore"):
            return self._lines / self.counts[:, np.newaxis].astype(np.float32)
