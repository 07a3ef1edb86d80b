# SPDX-License-Identifier: GPL-3.0-or-later
"""Words in the middle of a plot."""

import pyqtgraph as pg

from . import theme


class Notice:
    """A line over a plot, or none."""

    def __init__(self, plot):
        self._label = pg.LabelItem(color=theme.TEXT, size="18px")
        self._label.setParentItem(plot.getViewBox())
        self._label.anchor((0.5, 0.5), (0.5, 0.5))
        self.show("")

    def show(self, text):
        """Shows other words; "" for none."""
        if text != self._label.text or not text:
            self._label.setText(text)
        self._label.setVisible(bool(text))
