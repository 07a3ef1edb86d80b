# SPDX-License-Identifier: GPL-3.0-or-later
"""The position in a recording as a bar under the plots; a click or dragging moves it."""

from PyQt5.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QPainter
from PyQt5.QtWidgets import QSizePolicy, QWidget

from . import theme

HEIGHT, TRACK, KNOB = 30, 6, 5  # pixels


class PositionBar(QWidget):
    """Emits `moved` with the time that the mouse chooses."""

    moved = pyqtSignal(float)

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.setCursor(Qt.PointingHandCursor)
        self.setToolTip("click or drag: position; A: loop; space: pause")
        self._position, self._duration, self._marks = 0.0, 1.0, (None, None)
        self._words = ""

    def sizeHint(self):
        """Qt's."""
        return QSize(200, HEIGHT)

    def show_position(self, transport):
        """Draws where a recording is."""
        now = transport.position, transport.duration, transport.marks
        if now == (self._position, self._duration, self._marks) and self._words:
            return
        self._position, self._duration, self._marks = now
        self._words = transport.words()
        self.update()

    def place(self, seconds):
        """The pixel of a time."""
        left, width = self._track()
        return left + width * min(max(seconds / self._duration, 0), 1)

    def _track(self):
        """(left end, width) of the track; the words are beside it."""
        words = self.fontMetrics().horizontalAdvance(self._words) + 24
        return 2 * KNOB, max(1, self.width() - 4 * KNOB - words)

    def _move(self, event):
        left, width = self._track()
        share = min(max((event.x() - left) / width, 0), 1)
        self.moved.emit(share * self._duration)

    def mousePressEvent(self, event):
        """Moves there."""
        if event.button() == Qt.LeftButton:
            self._move(event)

    def mouseMoveEvent(self, event):
        """Moves on."""
        if event.buttons() & Qt.LeftButton:
            self._move(event)

    def paintEvent(self, _event):
        """Track, part that is played in a loop, marks, position, words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(Qt.NoPen)
        left, width = self._track()
        middle = self.height() / 2
        start, end = self._marks
        self._draw_track(painter, theme.FAINT, left, left + width, middle)
        if end is not None:
            ends = self.place(start), self.place(end)
            self._draw_track(painter, theme.AVERAGE, *ends, middle)
        painter.setBrush(QColor(theme.TEXT))
        at = self.place(self._position)
        painter.drawEllipse(QRectF(at - KNOB, middle - KNOB, 2 * KNOB, 2 * KNOB))
        painter.setPen(QColor(theme.TEXT))
        for name, mark in (("A", start), ("B", end)):
            if mark is not None:
                place = QRectF(self.place(mark) - 10, 0, 20, self.height())
                painter.drawText(place, Qt.AlignHCenter | Qt.AlignTop, name)
        words = QRectF(0, 0, self.width() - 8, self.height())
        painter.drawText(words, Qt.AlignRight | Qt.AlignVCenter, self._words)

    @staticmethod
    def _draw_track(painter, colour, left, right, middle):
        painter.setBrush(QColor(colour))
        track = QRectF(left, middle - TRACK / 2, right - left, TRACK)
        painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
