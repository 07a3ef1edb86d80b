# SPDX-License-Identifier: GPL-3.0-or-later
"""Markers and channel as the plots show them."""

import pyqtgraph as pg
from PyQt5.QtCore import QObject, Qt, pyqtSignal
from PyQt5.QtGui import QColor

from . import theme
from .markers import MOST
from .plots import tick_font
from .readout import level_text, marker_name

SIZE = 13  # pixels, of a marker
NEAR_EDGE = 0.93  # of the band shown: beyond, names stand on the left


class MarkerItems:
    """A diamond on the spectrum and a line in the other plots, for each marker."""

    def __init__(self, spectrum, others):
        self._spectrum = spectrum
        self._diamonds = pg.ScatterPlotItem(size=SIZE, symbol="d")
        self._diamonds.setZValue(20)
        spectrum.addItem(self._diamonds, ignoreBounds=True)
        self._names = [make_text(theme.MARKER) for _ in range(MOST)]
        for name in self._names:
            name.setZValue(20)
            spectrum.addItem(name, ignoreBounds=True)
        pen = pg.mkPen(theme.OVER_IMAGE, width=1, style=Qt.DashLine)
        self._lines = [[pg.InfiniteLine(pen=pen) for _ in range(MOST)] for _ in others]
        for plot, lines in zip(others, self._lines):
            for line in lines:
                plot.addItem(line, ignoreBounds=True)

    def show(self, readings, axis):
        """Shows the readings that have a level."""
        shown = [reading for reading in readings if reading.level is not None]
        (left, right), (bottom, top) = self._spectrum.viewRange()
        places = [
            (each.frequency / axis.divisor, min(max(each.level, bottom), top))
            for each in shown
        ]
        self._show_diamonds(shown, places)
        for lines in (self._names, *self._lines):
            for number, line in enumerate(lines):
                line.setVisible(number < len(shown))
        for name, reading, (x, y) in zip(self._names, shown, places):
            is_near_edge = x > left + NEAR_EDGE * (right - left)
            name.setAnchor((1.25 if is_near_edge else -0.25, 0.5))
            if name.toPlainText() != marker_name(reading):
                name.setPlainText(marker_name(reading))
            name.setPos(x, y)
        for lines in self._lines:
            for line, (x, _) in zip(lines, places):
                line.setValue(x)

    def _show_diamonds(self, shown, places):
        """The chosen one is filled."""
        colours = (theme.MARKER if each.is_chosen else theme.BACKGROUND for each in shown)
        self._diamonds.setData(
            x=[x for x, _ in places],
            y=[y for _, y in places],
            pen=pg.mkPen(theme.MARKER, width=1.5),
            brush=[pg.mkBrush(colour) for colour in colours],
        )


class ChannelItems(QObject):
    """The channel's two lines, which can be dragged, alone or together by what is between,
    its neighbours, the occupied band and the powers, on the spectrum. Emits the lines'
    frequencies while they are dragged."""

    dragged = pyqtSignal(float, float)

    def __init__(self, spectrum):
        super().__init__()
        self._spectrum = spectrum
        self._is_following = False
        self._channel = make_region(50, 2)
        self._channel.setMovable(True)
        for line in self._channel.lines:
            line.setHoverPen(pg.mkPen(theme.CHANNEL, width=4))
        self._neighbours = make_region(16, 1), make_region(16, 1)
        self._occupied = make_region(0, 1, Qt.DashLine)
        self._texts = [make_text(theme.CHANNEL) for _ in range(3)]
        for text, lines in zip(self._texts, (2, 1, 1)):  # from the foot of the plot
            text.setAnchor((0.5, lines))
        self._items = (self._occupied, *self._neighbours, self._channel, *self._texts)
        for item in self._items:
            spectrum.addItem(item, ignoreBounds=True)
        self._channel.sigRegionChanged.connect(self._drag)

    def show(self, channel, measured, axis):
        """Shows a channel and its Measured, or nothing if that is None."""
        for item in self._items:
            item.setVisible(measured is not None)
        if measured is None:
            return
        self._is_following = True
        lower, upper = channel.neighbours()
        bands = (channel.low, channel.high), lower, upper
        bands = [[edge / axis.divisor for edge in band] for band in bands]
        self._channel.setRegion(bands[0])
        powers = measured.power, measured.lower, measured.upper
        for region, band, power in zip(self._neighbours, bands[1:], powers[1:]):
            region.setRegion(band)
            region.setVisible(power is not None)
        self._occupied.setVisible(measured.occupied is not None)
        if measured.occupied is not None:
            self._occupied.setRegion([edge / axis.divisor for edge in measured.occupied])
        bottom = self._spectrum.viewRange()[1][0]
        units = "dBFS", "dBc", "dBc"
        for text, band, power, unit in zip(self._texts, bands, powers, units):
            text.setText(level_text(power, unit))
            text.setPos(sum(band) / 2, bottom)
            text.setVisible(power is not None)
        self._is_following = False

    def _drag(self):
        if not self._is_following:
            self.dragged.emit(*self._channel.getRegion())


def make_text(colour):
    """Bold words over the lines of a plot."""
    ground = QColor(theme.BACKGROUND)
    ground.setAlpha(170)
    text = pg.TextItem(color=colour, fill=ground)
    font = tick_font()
    font.setBold(True)
    text.setFont(font)
    return text


def make_region(opacity, width, style=Qt.SolidLine):
    """A shaded band between two lines, which the mouse does not move."""
    shade = QColor(theme.CHANNEL)
    shade.setAlpha(opacity)
    region = pg.LinearRegionItem(
        brush=shade, pen=pg.mkPen(theme.CHANNEL, width=width, style=style), movable=False
    )
    region.setZValue(-10)
    return region
