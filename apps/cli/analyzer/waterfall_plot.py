# SPDX-License-Identifier: GPL-3.0-or-later
"""The waterfall: levels over time, live or scrolled back through a History."""

import numpy as np
import pyqtgraph as pg

from . import theme
from .history import STEP, decode
from .level_axis import LevelAxis
from .plots import ImagePlot
from .readout import waterfall_words
from .screen import column_edges, level_shades

FIRST_LINES = 300  # the most that are shown at first
SHORTEST, LONGEST = 0.05, 1e9  # s, shown
FEWEST_ROWS = 50  # of pixels


class WaterfallPlot(ImagePlot):
    """The newest line at the top. The wheel over the time axis zooms, dragging it scrolls; a
    double click there goes back to the newest line."""

    def __init__(self, history):
        self.times = LevelAxis((0.0, np.inf), (SHORTEST, LONGEST))
        super().__init__("Time (s ago)", "row-major", self.times)
        self.invertY(True)
        self.history = history
        self._top = None  # the clock's time at the top; None: now
        self._span = None  # s, None: of FIRST_LINES
        self._rows = np.zeros((0, 0), np.int16)  # that are shown, as History has them
        self._seconds = 0.0, 1.0  # ago, of the first and after the last row
        self.times.ranged.connect(self.show_times)
        self.times.double_clicked.connect(self.show_live)
        self._cursor = pg.InfiniteLine(angle=0, pen=pg.mkPen(theme.OVER_IMAGE, width=1))
        self._cursor.setVisible(False)
        self.addItem(self._cursor, ignoreBounds=True)

    def show_levels(self, low, high):
        """The range of levels that the colours mean."""
        self._levels = low, high
        self._write_caption()

    def _write_caption(self):
        low, high = self._levels
        words = f"Mean level, {low:g} (dark) to {high:g} dBFS (bright)"
        if not self.is_live:
            words += " \N{MIDDLE DOT} scrolled back; End: to the newest line"
        self._write(words)

    @property
    def is_live(self):
        """Whether the newest line is at the top."""
        return self._top is None

    def show_picture(self, picture, axis):
        """Shows the band of a picture, whose line the history has."""
        self._shown = picture, axis, column_edges(picture, axis)
        self.redraw()

    def show_times(self, first, last):
        """Shows from `first` to `last` seconds ago; from 0 on, goes on with the newest."""
        if self.history.now is None:
            return
        self._span = last - first
        oldest = self.history.now - self.history.oldest
        first = min(first, max(0.0, oldest - self._span))
        self._top = None if first <= 0 else self.history.now - first
        self._write_caption()
        self.redraw()

    def show_live(self):
        """Goes back to the newest lines, as at first."""
        self._top = self._span = None
        self._write_caption()
        self.redraw()

    def scroll(self, pages):
        """Scrolls back by parts of what is shown; forward if negative."""
        first, last = self._seconds
        step = pages * (last - first)
        step = max(step, -first)
        self.show_times(first + step, last + step)

    def redraw(self):
        """Draws the part of the history that is shown."""
        if self.history.now is None:
            return
        _, axis, edges = self._shown
        first = 0.0 if self.is_live else self.history.now - self._top
        span = self._span or self.history.seconds_of(FIRST_LINES)
        self._seconds = first, first + span
        count = max(FEWEST_ROWS, int(self.getViewBox().height()))
        ago = first + (np.arange(count) + 0.5) * span / count
        self._rows = self.history.image(self.history.now - ago, edges * axis.divisor)
        low, high = self._levels
        shades = level_shades(self._rows, low / STEP, high / STEP)
        self._show(shades, edges[0], edges[-1], *self._seconds)
        self.setYRange(*self._seconds, padding=0)

    def shown(self):
        """(levels in dB [line, column], NaN where nothing was; seconds ago of the lines;
        frequencies in Hz of the columns)."""
        _, axis, edges = self._shown
        first, last = self._seconds
        count = len(self._rows)
        ago = first + (np.arange(count) + 0.5) * (last - first) / count
        return decode(self._rows), ago, (edges[1:] + edges[:-1]) / 2 * axis.divisor

    def positions(self):
        """(positions in the recording of the rows shown, seconds ago of the rows' limits)."""
        if self.history.now is None:
            return np.zeros(0), np.zeros(1)
        ends = (self.history.now - seconds for seconds in self._seconds)
        return self.history.rows(*ends, max(1, len(self._rows)))

    def show_cursor(self, y):
        """Draws a line at a time; None: none."""
        self._cursor.setVisible(y is not None)
        if y is not None:
            self._cursor.setValue(y)

    def _words(self, _picture, axis, edges, x, y):
        return waterfall_words(self.history, axis, edges, x, y)
