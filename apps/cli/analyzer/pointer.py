# SPDX-License-Identifier: GPL-3.0-or-later
"""The mouse over the plots: a line through all of them at its frequency, what is there in
words, and clicks."""

import pyqtgraph as pg
from PyQt5.QtCore import QEvent, QObject, QPoint, Qt, pyqtSignal
from PyQt5.QtWidgets import QLabel

MARGIN = 8  # pixels, around the words


class Pointer(QObject):
    """Follows the mouse over plots that have read_at(x, y), which gives words or None.
    Emits the frequencies between which a click's pixel lies."""

    clicked = pyqtSignal(float, float)

    def __init__(self, plots):
        super().__init__()
        self._plots = plots
        self._at = None  # (plot, x, y) of the mouse
        self._lines, self._words = {}, {}
        for plot in plots:
            self._lines[plot] = pg.InfiniteLine(pen=pg.mkPen(plot.line_colour(), width=1))
            self._lines[plot].setVisible(False)
            plot.addItem(self._lines[plot], ignoreBounds=True)
            self._words[plot] = make_overlay(plot)
            plot.scene().sigMouseMoved.connect(lambda at, plot=plot: self._move(plot, at))
            plot.scene().sigMouseClicked.connect(
                lambda event, plot=plot: self._click(plot, event)
            )
            plot.viewport().installEventFilter(self)

    def refresh(self):
        """Reads again what is at the mouse."""
        words = None
        if self._at is not None:
            plot, x, y = self._at
            words = plot.read_at(x, y)
        for each in self._plots:
            is_here = words is not None and each is plot
            each.show_cursor(y if is_here else None)
            self._lines[each].setVisible(words is not None)
            if words is not None:
                self._lines[each].setValue(x)
            label = self._words[each]
            label.setVisible(is_here)
            if label.isVisible():
                label.setText(words)
                label.adjustSize()
                corner = each.getViewBox().sceneBoundingRect().bottomRight()
                size = label.rect().bottomRight() + QPoint(MARGIN, MARGIN)
                label.move(each.mapFromScene(corner) - size)

    def eventFilter(self, _watched, event):
        """Forgets the mouse when it leaves a plot."""
        if event.type() == QEvent.Leave:
            self._at = None
            self.refresh()
        return False

    def _move(self, plot, at):
        box = plot.getViewBox()
        self._at = None
        if box.sceneBoundingRect().contains(at):
            place = box.mapSceneToView(at)
            self._at = plot, place.x(), place.y()
        self.refresh()

    def _click(self, plot, event):
        box, at = plot.getViewBox(), event.scenePos()
        if event.button() == Qt.LeftButton and box.sceneBoundingRect().contains(at):
            x, half = box.mapSceneToView(at).x(), box.viewPixelSize()[0] / 2
            self.clicked.emit(x - half, x + half)


def make_overlay(parent):
    """A hidden label over a widget, which lets the mouse through."""
    label = QLabel(parent)
    label.setObjectName("overlay")
    label.setAttribute(Qt.WA_TransparentForMouseEvents)
    label.hide()
    return label
