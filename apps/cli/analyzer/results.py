# SPDX-License-Identifier: GPL-3.0-or-later
"""The strip under the plots with what markers and channel read, and the help."""

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from . import theme
from .keys import HELP
from .pointer import make_overlay
from .readout import channel_rows, marker_rows

DELTA = "\N{GREEK CAPITAL LETTER DELTA}"
MARKER_TITLES = "", "Frequency", "Level", "Noise density", f"{DELTA} M1", ""
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
        rows = [
            [f'<b style="color:{theme.MARKER}">{row[0]}</b>', *row[1:]]
            for row in marker_rows(readings, axis)
        ]
        for row, reading in zip(rows, readings):
            if reading.is_chosen:
                row[1] = f"<b>{row[1]}</b>"
        has_deltas = any(reading.delta is not None for reading in readings)
        columns = len(MARKER_TITLES) if has_deltas else len(MARKER_TITLES) - 2
        rows = [row[:columns] for row in ([faint(t) for t in MARKER_TITLES], *rows)]
        self._show(self._markers, table(rows) if readings else "")

    def show_channel(self, instrument, detector, axis):
        """The channel's numbers, in two columns."""
        text = ""
        if instrument.measured is not None:
            lines = channel_rows(
                instrument.channel, instrument.measured, instrument.share, detector, axis
            )
            pairs = [(faint(what), value) for what, value in lines]
            half = len(pairs) // 2
            text = table([a + b for a, b in zip(pairs[:half], pairs[half:])], "left")
        self._show(self._channel, text)

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
