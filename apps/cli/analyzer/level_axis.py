# SPDX-License-Identifier: GPL-3.0-or-later
"""A level or time axis that the mouse acts on: the wheel zooms the range, dragging moves it."""

import pyqtgraph as pg
from PyQt5.QtCore import pyqtSignal

LEAST_SPAN, MOST_SPAN = 1.0, 400.0  # dB
LOWEST, HIGHEST = -400.0, 200.0  # dB
ZOOM_PER_DEGREE = 1.0025  # as pyqtgraph zooms its plots


class LevelAxis(pg.AxisItem):
    """Emits the range that the user wants; whoever shows it sets the plot's."""

    ranged = pyqtSignal(float, float)
    double_clicked = pyqtSignal()

    def __init__(self, limits=(LOWEST, HIGHEST), spans=(LEAST_SPAN, MOST_SPAN)):
        """limits: that the range lies in; spans: the least and the most of it."""
        super().__init__("left")
        self._limits, self._spans = limits, spans

    def wheelEvent(self, event):
        """Zooms around the level under the mouse."""
        if self._is_over_plot(event.scenePos()):
            event.ignore()
            return
        event.accept()
        low, high = sorted(self.range)
        level = self.linkedView().mapSceneToView(event.scenePos()).y()
        span = (high - low) * ZOOM_PER_DEGREE ** -event.delta()
        span = min(max(span, self._spans[0]), self._spans[1])
        share = (level - low) / (high - low)
        self._ask_for(level - share * span, span)

    def mouseDragEvent(self, event):
        """Moves the levels with the mouse."""
        if self._is_over_plot(event.buttonDownScenePos()):
            event.ignore()
            return
        event.accept()
        view = self.linkedView()
        last, now = (
            view.mapSceneToView(place).y()
            for place in (event.lastScenePos(), event.scenePos())
        )
        low, high = sorted(self.range)
        self._ask_for(low + last - now, high - low)

    def mouseClickEvent(self, event):
        """Reports a double click beside the plot."""
        if event.double() and not self._is_over_plot(event.scenePos()):
            event.accept()
            self.double_clicked.emit()
        else:
            event.ignore()

    def _ask_for(self, low, span):
        low = min(max(low, self._limits[0]), self._limits[1] - span)
        self.ranged.emit(low, low + span)

    def _is_over_plot(self, place):
        return self.linkedView().sceneBoundingRect().contains(place)
