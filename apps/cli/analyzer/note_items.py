# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotations on the plots: boxes on the waterfall, bars on the spectrum; and the region that
Shift and dragging mark."""

import numpy as np
import pyqtgraph as pg
from PyQt5.QtCore import QEvent, QObject, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QFontMetricsF
from PyQt5.QtWidgets import QLineEdit

from . import theme
from .notes import shorten
from .plots import tick_font

MOST_LABELS = 24
BAR_SHARE, MOST_BARS = 0.08, 5  # of the plot's height, or a label's; above each other
LABEL_ROWS = 3  # that a box's label may stand in


class NoteItems:
    """Draws the annotations that are in sight."""

    def __init__(self, spectrum, waterfall):
        self._spectrum, self._waterfall = spectrum, waterfall
        self._bars = Drawing(spectrum, theme.CHANNEL)
        self._boxes = Drawing(waterfall, theme.OVER_IMAGE)

    def set_visible(self, is_visible):
        """Shows or hides all."""
        for drawing in (self._bars, self._boxes):
            drawing.set_visible(is_visible)

    def show(self, notes, axis, position):
        """Draws them; position: what is played now, in seconds."""
        self._show_bars([(note, *notes.span(note, axis)) for note in notes.at(position)])
        lines, labels, named = [], [], set()
        for note, top, bottom in notes.boxes(*self._waterfall.positions()):
            left, right = notes.span(note, axis)
            x = [left, right, right, left, left]
            lines.append((x, [top, top, bottom, bottom, top]))
            if note not in named:  # the newest box
                labels.append((left, right, top, note.label))
                named.add(note)
        self._boxes.show(lines, labels, LABEL_ROWS, self._waterfall.caption_corner())

    def _show_bars(self, spans):
        """spans: [(annotation, left, right)]. Bars stand above each other where they or their
        labels would overlap."""
        low, high = self._spectrum.viewRange()[1]
        pixel, dot = self._spectrum.getViewBox().viewPixelSize()
        step = max(BAR_SHARE * (high - low), 1.02 * dot * self._bars.size("")[1])
        lines, labels, ends = [], [], [-np.inf] * MOST_BARS
        for note, left, right in sorted(spans, key=lambda span: span[1]):
            place = next((n for n, end in enumerate(ends) if end < left), MOST_BARS - 1)
            width = self._bars.size(shorten(note.label))[0]
            end = max(right, left + pixel * width)
            ends[place] = max(ends[place], end)
            level = high - (place + 0.4) * step
            lines.append(([left, right], [level, level]))
            labels.append((left, right, level, note.label))
        self._bars.show(lines, labels)


class Drawing:
    """Lines with labels over a plot, all of them inside it. Of labels that overlap and find
    no other row the first one is drawn."""

    def __init__(self, plot, colour):
        self._plot = plot
        self._curve = pg.PlotCurveItem(pen=pg.mkPen(colour, width=1), connect="finite")
        plot.addItem(self._curve, ignoreBounds=True)
        self.labels = [
            pg.TextItem(color=colour, anchor=(0, 0)) for _ in range(MOST_LABELS)
        ]
        for label in self.labels:
            label.setFont(tick_font())
            plot.addItem(label, ignoreBounds=True)
        self.set_visible(False)

    def set_visible(self, is_visible):
        """Shows the lines, or hides lines and labels."""
        self._curve.setVisible(is_visible)
        if not is_visible:
            for label in self.labels:
                label.setVisible(False)

    def show(self, lines, labels, rows=1, corner=None):
        """lines: [(x, y)]; labels: [(x, end, y, text)] of what reaches from x to end; rows: that a label may stand in, from y
        on; corner: (x, y) of the right lower corner of other words in the plot's."""
        x = [np.append(line[0], np.nan) for line in lines] or [np.zeros(0)]
        y = [np.append(line[1], np.nan) for line in lines] or [np.zeros(0)]
        self._curve.setData(np.concatenate(x), np.concatenate(y), connect="finite")
        labels = self._choose(labels, rows, corner)
        for number, item in enumerate(self.labels):
            item.setVisible(number < len(labels))
            if item.isVisible():
                at, level, text = labels[number]
                item.setText(text)
                item.setPos(at, level)

    def _choose(self, labels, rows, corner):
        """Those that are in sight and do not overlap, shortened."""
        (left, right), (first, last) = self._plot.viewRange()
        pixel = self._plot.getViewBox().viewPixelSize()
        chosen, taken = [], []
        if corner is not None:
            taken.append((left, corner[0], first, corner[1]))
        for x, reach, y, text in labels:
            text = shorten(text)
            width, height = (n * size for n, size in zip(self.size(text), pixel))
            if not text or x >= right or reach <= left or len(chosen) == MOST_LABELS:
                continue
            x = max(left, min(x, right - width))
            for top in y + height * np.arange(rows):
                if top > y and top + height > last:
                    break
                if not any(
                    top < low and top + height > high and x < end and x + width > begin
                    for begin, end, high, low in taken
                ):
                    chosen.append((x, top, text))
                    taken.append((x, x + width, top, top + height))
                    break
        return chosen

    def size(self, text):
        """Width and height in pixels of a label, in the font that it is drawn in."""
        item = self.labels[0].textItem
        metrics, margin = QFontMetricsF(item.font()), 2 * item.document().documentMargin()
        return metrics.horizontalAdvance(text) + margin, metrics.height() + margin


class Marking(QObject):
    """Shift and dragging over a waterfall marks a region, whose label is then asked for. Emits
    (low, high) in the axis' unit, (first, last) in seconds ago, label."""

    marked = pyqtSignal(float, float, float, float, str)

    def __init__(self, plot):
        super().__init__()
        self._plot = plot
        self._corners = None  # of the region
        self._is_dragging = False
        self._box = pg.QtWidgets.QGraphicsRectItem()
        self._box.setPen(pg.mkPen(theme.OVER_IMAGE, width=1, style=Qt.DashLine))
        self._box.setVisible(False)
        plot.addItem(self._box, ignoreBounds=True)
        self.edit = QLineEdit(plot)
        self.edit.setPlaceholderText("label; Return writes the annotation")
        self.edit.setMinimumWidth(260)
        self.edit.hide()
        self.edit.returnPressed.connect(self._finish)
        self.edit.installEventFilter(self)
        plot.viewport().installEventFilter(self)

    def eventFilter(self, watched, event):
        """Takes the mouse while Shift is down, and Esc of the label."""
        if watched is self.edit:
            is_left = event.type() == QEvent.KeyPress and event.key() == Qt.Key_Escape
            if is_left:
                self.give_up()
            return is_left
        kind = event.type()
        if kind == QEvent.MouseButtonPress and event.modifiers() & Qt.ShiftModifier:
            self._corners, self._is_dragging = [self._place(event)] * 2, True
            return True
        if self._is_dragging and kind == QEvent.MouseMove:
            self._corners[1] = self._place(event)
            self._draw()
            return True
        if self._is_dragging and kind == QEvent.MouseButtonRelease:
            self._is_dragging = False
            self._ask(event.pos())
            return True
        return False

    def _place(self, event):
        place = self._plot.mapToScene(event.pos())
        return self._plot.getViewBox().mapSceneToView(place)

    def _draw(self):
        self._box.setRect(QRectF(*self._corners).normalized())
        self._box.setVisible(True)

    def _ask(self, at):
        if self._corners[0] == self._corners[1]:
            return
        self.edit.clear()
        self.edit.adjustSize()
        room = self._plot.rect().bottomRight() - self.edit.rect().bottomRight()
        self.edit.move(min(at.x(), room.x()), min(at.y(), room.y()))
        self.edit.show()
        self.edit.setFocus()

    def give_up(self):
        """Forgets the region."""
        self.edit.hide()
        self._box.setVisible(False)
        self._plot.setFocus()

    def _finish(self):
        region, label = self._box.rect(), self.edit.text()
        self.give_up()
        self.marked.emit(
            region.left(), region.right(), region.top(), region.bottom(), label
        )
