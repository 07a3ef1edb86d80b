# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots over one frequency axis: spectrum and density; waterfall_plot has the third."""

import numpy as np
import pyqtgraph as pg
from PyQt5.QtCore import QRectF
from PyQt5.QtGui import QFont

from . import theme
from .level_axis import LevelAxis
from .readout import density_words, spectrum_words
from .screen import (
    FAINTEST_SHARE,
    LARGEST_PEAKS,
    column_edges,
    decibels,
    density_shades,
)

CAPTION_OFFSET = 6  # pixels, from the left
LOWEST_WITH_LABEL = 120  # pixels of a plot; lower ones have the unit alone
LEFT_AXIS_WIDTH = 68  # of all, so that their frequencies are in line


def prepare():
    """What pyqtgraph's plots start with."""
    pg.setConfigOptions(
        background=theme.BACKGROUND, foreground=theme.TEXT, antialias=False
    )


def tick_font():
    """Of the numbers at the axes."""
    font = QFont()
    font.setPixelSize(13)
    return font


def label_style():
    """Of the axes' labels."""
    return {"color": theme.TEXT, "font-size": "14px"}


class BandPlot(pg.PlotWidget):
    """A plot over frequency. Wheel and drag act along this axis only."""

    _left_label = None

    def __init__(self, left_label, left_axis=None):
        axes = {} if left_axis is None else {"left": left_axis}
        super().__init__(axisItems=axes)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(x=True, y=False)
        left, bottom = self.getAxis("left"), self.getAxis("bottom")
        left.setWidth(LEFT_AXIS_WIDTH)
        self._left_label = left_label
        self._label_axis(False)
        for axis in (left, bottom):
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickFont=tick_font())
        self._shown = None  # (picture, axis, edges of its columns)

    def resizeEvent(self, event):
        """A low plot has a short label beside it."""
        super().resizeEvent(event)
        if self._left_label is not None:  # pyqtgraph calls this before there is one
            self._label_axis(self.height() < LOWEST_WITH_LABEL)

    def _label_axis(self, is_low):
        words, left = self._left_label, self.getAxis("left")
        if is_low:
            words = words.partition("(")[2].rstrip(")")
        if left.labelText != words:
            left.setLabel(words, **label_style())

    def set_axis(self, axis):
        """Sets the limits of the axis."""
        width = axis.high - axis.low
        self.setLimits(
            xMin=axis.low,
            xMax=axis.high,
            minXRange=2 * width / axis.size,
            maxXRange=width,
        )

    def show_cursor(self, y):
        """Draws a line at the mouse's time, where there is time."""

    def read_at(self, x, y):
        """What is at a place of the plot, in words; None without a picture."""
        return None if self._shown is None else self._words(*self._shown, x, y)

    def label_frequencies(self, label):
        """Sets the label under the axis; "" for none."""
        self.getAxis("bottom").setLabel(label, **label_style())
        self.getAxis("bottom").showLabel(bool(label))


class SpectrumPlot(BandPlot):
    """Average, holds and peaks. If a column has several bins, the average is drawn from
    the lowest to the highest."""

    def __init__(self):
        self.levels = LevelAxis()
        super().__init__("Level (dBFS)", self.levels)
        self.showGrid(x=True, y=True, alpha=0.25)
        self.setMinimumHeight(160)
        self.curves = {
            name: self.plot(pen=pg.mkPen(colour, width=1))
            for name, colour in (
                ("min_hold", theme.MIN_HOLD),
                ("max_hold", theme.MAX_HOLD),
                ("average", theme.AVERAGE),
            )
        }
        # Above the line, so that its tip stays visible.
        self._marks = [pg.TextItem(anchor=(0.5, 1)) for _ in range(LARGEST_PEAKS)]
        for number, mark in enumerate(self._marks, 1):
            mark.setHtml(
                f'<div style="color:{theme.PEAK};font-size:13px;text-align:center">'
                f"<b>{number}</b><br>\N{BLACK DOWN-POINTING SMALL TRIANGLE}</div>"
            )
            self.addItem(mark)
        self._edges = self._tops = None  # of the columns drawn
        self._levels = 0.0, 1.0
        self.show_peaks([], None)

    def show_levels(self, low, high):
        """The range of the level axis."""
        self._levels = low, high
        self.setYRange(low, high, padding=0)

    def show_picture(self, picture, axis):
        """The traces."""
        edges = column_edges(picture, axis)
        self._shown = picture, axis, edges
        middles = (edges[1:] + edges[:-1]) / 2
        for name in ("min_hold", "max_hold"):
            if self.curves[name].isVisible():
                self.curves[name].setData(middles, decibels(picture[name]))
        high, low = decibels(picture["average_high"]), decibels(picture["average_low"])
        if picture["columns"] < picture["bins"]:
            middles = np.repeat(middles, 2)
            self.curves["average"].setData(middles, np.column_stack((low, high)).ravel())
        else:
            self.curves["average"].setData(middles, high)
        self._edges, self._tops = edges, high
        self._place_marks()

    @staticmethod
    def line_colour():
        """Of lines across the plot."""
        return theme.FAINT

    _words = staticmethod(spectrum_words)

    def show_peaks(self, peaks, axis):
        """Numbered marks."""
        for mark, peak in zip(self._marks, peaks):
            mark.setPos(peak.frequency / axis.divisor, peak.level)
        for number, mark in enumerate(self._marks):
            mark.setVisible(number < len(peaks))
        self._place_marks()

    def _place_marks(self):
        """Puts each mark on the average as it is drawn, and all of it into the plot."""
        if self._edges is None:
            return
        low, high = self._levels
        dots = max(1.0, self.getViewBox().height())
        for mark in self._marks:
            place = int(np.searchsorted(self._edges, mark.pos().x())) - 1
            level = self._tops[max(0, place - 1) : max(0, place) + 2].max(initial=low)
            room = mark.boundingRect().height() * (high - low) / dots
            mark.setPos(mark.pos().x(), min(level, high - room))


class ImagePlot(BandPlot):
    """An image of shades under the axes."""

    def __init__(self, left_label, axis_order, left_axis=None):
        super().__init__(left_label, left_axis)
        self.setMinimumHeight(90)
        self._image = pg.ImageItem(axisOrder=axis_order)
        self.addItem(self._image)
        self._levels = 0.0, 1.0
        self._caption = pg.LabelItem(color=theme.TEXT, size="12px")
        self._caption.setParentItem(self.getViewBox())
        self._caption.anchor((0, 0), (0, 0), (CAPTION_OFFSET, 0))
        self.show_colours(theme.COLOUR_MAPS[0])

    def show_colours(self, name):
        """Colours shades by one of theme.COLOUR_MAPS."""
        self._image.setLookupTable(theme.lookup_table(name))

    @staticmethod
    def line_colour():
        """Of lines across the plot."""
        return theme.OVER_IMAGE

    def _write(self, words):
        """Writes the meaning of the colours in the corner."""
        words = words.replace("-", "\N{MINUS SIGN}")
        self._caption.setText(
            f'<span style="background:{theme.BACKGROUND}">&nbsp;{words}&nbsp;</span>'
        )

    def caption_corner(self):
        """Place of its right lower corner, in the plot's units."""
        box, words = self.getViewBox(), self._caption.boundingRect()
        (width, height), (left, _) = box.viewPixelSize(), box.viewRange()[0]
        end = left + (CAPTION_OFFSET + words.width()) * width
        return end, min(box.viewRange()[1]) + words.height() * height

    def _show(self, shades, left, right, low, high):
        """Shows shades 0 ... 255 over a rectangle."""
        self._image.setImage(shades, levels=(0, 255), autoLevels=False)
        self._image.setRect(QRectF(left, low, right - left, high - low))


class DensityPlot(ImagePlot):
    """How often each frequency is at each level."""

    def __init__(self):
        self.levels = LevelAxis()
        super().__init__("Level (dBFS)", "col-major", self.levels)

    def show_levels(self, low, high):
        """The range of the level axis."""
        self._write(
            f"Density: share of time, {FAINTEST_SHARE:.2%} (dark) to 100% (bright)"
        )
        self.setYRange(low, high, padding=0)

    def show_picture(self, picture, axis):
        """The density of a picture, if rows have been counted."""
        self._shown = picture, axis, column_edges(picture, axis)
        if picture["density"].size == 0:
            return
        first_bin = picture["density_first_bin"]
        left, right = axis.edge(first_bin), axis.edge(first_bin + picture["density_bins"])
        shades = density_shades(picture["density"])
        self._show(shades, left, right, picture["density_low"], picture["density_high"])

    _words = staticmethod(density_words)
