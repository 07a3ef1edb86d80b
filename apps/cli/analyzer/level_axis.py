# SPDX-License-Identifier: GPL-3.0-or-later
"""A level axis that the mouse acts on: the wheel zooms the levels, dragging moves them."""

import pyqtgraph as pg
from PyQt5.QtCore import pyqtSignal

LEAST_SPAN, MOST_SPAN = 1.0, 400.0  # dB
LOWEST, HIGHEST = -400.0, 200.0  # dB
ZOOM_PER_DEGREE = 1.0025  # as pyqtgraph zooms its plots


class LevelAxis(pg.AxisItem):
    """Emits the range that the user wants; whoever shows it sets the plot's."""

    ranged = pyqtSignal(float, float)

    def __init__(self):
        super().__init__("left")

    def wheelEvent(self, event):
        """Zooms around the level under the mouse."""
        if self._is_over_plot(event.scenePos()):
            event.ignore()
            return
        event.accept()
        low, high = self.range
        level = self.linkedView().mapSceneToView(event.scenePos()).y()
        span = (high - low) * ZOOM_PER_DEGREE ** -event.delta()
        span = min(max(span, LEAST_SPAN), MOST_SPAN)
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
        low, high = self.range
        self._ask_for(low + last - now, high - low)

    def _ask_for(self, low, span):
        low = min(max(low, LOWEST), HIGHEST - span)
        self.ranged.emit(low, low + span)

    def _is_over_plot(self, place):
        return self.linkedView().sceneBoundingRect().contains(place)
