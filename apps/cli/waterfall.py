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
        """bins: length of a row; rows: the expected number (for the image's scale);
        lines, columns: of the image, at most."""
        self.rows = 0
        self.rows_left_out = 0
        self.maximum = np.zeros(bins, np.float32)
        self.last = self.maximum
        self.rows_in_line = -(-rows // lines)
        self.bins_in_column = -(-bins // columns)
        self._sum = np.zeros(bins)
        shape = -(-rows // self.rows_in_line), -(-bins // self.bins_in_column)
        self._lines = np.zeros(shape, np.float32)
        self.counts = np.zeros(shape[0], int)  # rows that each line averages

    def add(self, rows):
        """rows: array (any, bins) of linear power, float32."""
        for row in rows:
            line = min(self.rows // self.rows_in_line, len(self._lines) - 1)
            self.rows += 1
            if not np.isfinite(row).all():
                self.rows_left_out += 1
                continue
            self._sum += row
            np.maximum(self.maximum, row, out=self.maximum)
            self.last = row.copy()
            self._lines[line] += group_maximum(row, self._lines.shape[1])
            self.counts[line] += 1

    @property
    def mean(self):
        """Mean power of every bin; NaN if no row was finite."""
        finite = self.rows - self.rows_left_out
        return self._sum / finite if finite else np.full_like(self._sum, np.nan)

    @property
    def image(self):
        """Mean power, lines x columns; the first line is the first in time."""
        with np.errstate(invalid="ignore"):
            return self._lines / self.counts[:, np.newaxis].astype(np.float32)
