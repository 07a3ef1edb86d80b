# SPDX-License-Identifier: GPL-3.0-or-later
"""The strip under the plots with what markers and channel read, and the help."""

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from . import theme
from .keys import HELP
from .pointer import make_overlay
from .readout import channel_table, marker_table

SPACING = 16  # pixels, between both tables


class Results(QWidget):
    """The table of markers, and the channel's numbers; hidden without either."""

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        layout = QBoxLayout(QBoxLayout.LeftToRight, self)
        layout.setContentsMargins(8, 2, 8, 4)
        layout.setSpacing(SPACING)
        self._markers, self._channel = QLabel(), QLabel()
        for label in (self._markers, self._channel):
            label.setAlignment(Qt.AlignTop | Qt.AlignLeft)
            label.setTextInteractionFlags(Qt.TextSelectableByMouse)
            label.setFocusPolicy(Qt.NoFocus)
            layout.addWidget(label)
        layout.addStretch()
        self.hide()

    def show_markers(self, readings, axis):
        """The table of markers."""
        text = ""
        if readings:
            titles, *rows = map(list, marker_table(readings, axis))
            for row, reading in zip(rows, readings):
                row[0] = f'<b style="color:{theme.MARKER}">{row[0]}</b>'
                if reading.is_chosen:
                    row[1] = f"<b>{row[1]}</b>"
            text = table([map(faint, titles), *rows])
        self._show(self._markers, text)

    def show_channel(self, instrument, detector, axis):
        """The channel's numbers, in two columns."""
        lines = channel_table(instrument, detector, axis)
        rows = [(faint(a), b, faint(c), d) for a, b, c, d in lines]
        self._show(self._channel, table(rows, "left") if rows else "")

    def _show(self, label, text):
        if label.text() != text:
            label.setText(text)
        label.setVisible(bool(text))
        self.setVisible(bool(self._markers.text() or self._channel.text()))
        self._arrange()

    def resizeEvent(self, event):
        """Narrow windows have the channel under the markers."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self):
        labels = self._markers, self._channel
        width = sum(label.sizeHint().width() + SPACING for label in labels)
        fits = width <= self.width()
        self.layout().setDirection(
            QBoxLayout.LeftToRight if fits else QBoxLayout.TopToBottom
        )
        self.layout().setSpacing(SPACING if fits else 2)


def faint(text):
    """A title."""
    return f'<span style="color:{theme.FAINT}">{text}</span>'


def table(rows, align="right"):
    """An HTML table."""
    cells = (
        "".join(f'<td align="{align}">{cell}&nbsp;&nbsp;</td>' for cell in row)
        for row in rows
    )
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def make_help(parent):
    """The keys, over the middle of a widget; hidden at first."""
    label = make_overlay(parent)
    label.setProperty("help", True)
    rows = [(f'<b style="color:{theme.MARKER}">{key}</b>', words) for key, words in HELP]
    label.setText(table(rows, "left"))
    return label


def toggle_help(label):
    """Shows the keys, or hides them."""
    label.adjustSize()
    room = label.parent().rect()
    label.move(room.center() - label.rect().center())
    label.setVisible(label.isHidden())
    label.raise_()
