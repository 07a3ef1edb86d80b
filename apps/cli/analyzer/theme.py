# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours and sizes of window and page: bright lines on a dark ground, for projectors, too, or
dark lines on a light one. theme.TEXT is the text's colour in the theme chosen last."""

import matplotlib
import numpy as np

from ..errors import InputError

DARK = {
    "BACKGROUND": "#0e1218",
    "PANEL": "#1a2029",
    "FIELD": "#262e3a",
    "BUTTON": "#334055",
    "EDGE": "#3f4b5d",
    "TEXT": "#e6ebf2",
    "FAINT": "#8b97a8",
    "WARNING": "#ffb454",
    "AVERAGE": "#ffd94a",
    "MAX_HOLD": "#ff6b6b",
    "MIN_HOLD": "#57b6ff",
    "PEAK": "#ffffff",
    "MARKER": "#5ef2a0",
    "CHANNEL": "#c9a2ff",
}
LIGHT = {
    "BACKGROUND": "#ffffff",
    "PANEL": "#eef1f5",
    "FIELD": "#ffffff",
    "BUTTON": "#dde3ea",
    "EDGE": "#aab4c0",
    "TEXT": "#18212c",
    "FAINT": "#566270",
    "WARNING": "#a35400",
    "AVERAGE": "#101820",
    "MAX_HOLD": "#d0312a",
    "MIN_HOLD": "#1b74cf",
    "PEAK": "#18212c",
    "MARKER": "#00803c",
    "CHANNEL": "#7a35c8",
}
THEMES = {"dark": DARK, "light": LIGHT}
OVER_IMAGE = "#ffffff"  # lines over density and waterfall, in every theme

# Perceptually uniform, dark to bright (van der Walt and Smith, SciPy 2015; Nunez et al.,
# PLOS ONE 13, 2018).
COLOUR_MAPS = ("inferno", "viridis", "magma", "plasma", "cividis", "gray")

_chosen = dict(DARK)


def choose(name):
    """Chooses one of THEMES for what is made from now on."""
    if name not in THEMES:
        raise InputError(f"--theme {name!r} is unknown: use {', '.join(THEMES)}")
    _chosen.update(THEMES[name])


def __getattr__(name):
    """A colour of the chosen theme."""
    try:
        return _chosen[name]
    except KeyError:
        raise AttributeError(name) from None


def colours():
    """The colours of the chosen theme, by their names."""
    return dict(_chosen)


def style():
    """The window's style sheet."""
    return """
QWidget {{ background: {PANEL}; color: {TEXT}; font-size: 13px; }}
QGroupBox {{ border: 1px solid {EDGE}; border-radius: 4px; margin-top: 9px;
             padding: 7px 6px 4px 6px; font-weight: bold; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 8px; color: {FAINT}; }}
QGroupBox QWidget {{ font-weight: normal; }}
QLineEdit, QComboBox {{ background: {FIELD}; border: 1px solid {EDGE};
                        border-radius: 3px; padding: 1px 5px; min-height: 20px; }}
QComboBox QAbstractItemView {{ background: {FIELD}; }}
QPushButton {{ background: {BUTTON}; border: 1px solid {EDGE}; border-radius: 3px;
               padding: 3px 8px; }}
QCheckBox::indicator {{ width: 11px; height: 11px; border: 1px solid {FAINT};
                        border-radius: 3px; background: {FIELD}; }}
QCheckBox::indicator:checked {{ background: {TEXT}; }}
QScrollArea {{ border: none; }}
QScrollBar:vertical {{ background: {PANEL}; width: 10px; }}
QScrollBar::handle:vertical {{ background: {EDGE}; border-radius: 4px;
                               min-height: 30px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
QStatusBar QLabel {{ padding: 0 10px; }}
QLabel#overlay {{ background: {FIELD}; border: 1px solid {EDGE}; border-radius: 4px;
                  padding: 2px 7px; }}
QLabel#overlay[help="true"] {{ padding: 14px 22px; }}
""".format(**colours())


def lookup_table(name=COLOUR_MAPS[0]):
    """256 colours of one of COLOUR_MAPS, dark to bright, as [red, green, blue]."""
    return matplotlib.colormaps[name](np.arange(256), bytes=True)[:, :3]
