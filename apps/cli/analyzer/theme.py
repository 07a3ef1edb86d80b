# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours and sizes of window and page: bright lines on a dark ground, for projectors, too."""

import matplotlib
import numpy as np

BACKGROUND = "#0e1218"
PANEL = "#1a2029"
FIELD = "#262e3a"
TEXT = "#e6ebf2"
FAINT = "#8b97a8"
WARNING = "#ffb454"
AVERAGE = "#ffd94a"
MAX_HOLD = "#ff6b6b"
MIN_HOLD = "#57b6ff"
PEAK = "#ffffff"
COLOUR_MAP = "inferno"

STYLE = f"""
QWidget {{ background: {PANEL}; color: {TEXT}; font-size: 13px; }}
QGroupBox {{ border: 1px solid #343e4d; border-radius: 4px; margin-top: 9px;
             padding: 7px 6px 4px 6px; font-weight: bold; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 8px; color: {FAINT}; }}
QGroupBox QWidget {{ font-weight: normal; }}
QLineEdit, QComboBox {{ background: {FIELD}; border: 1px solid #3b4656;
                        border-radius: 3px; padding: 1px 5px; min-height: 20px; }}
QComboBox QAbstractItemView {{ background: {FIELD}; }}
QPushButton {{ background: #334055; border: 1px solid #4a5870; border-radius: 3px;
               padding: 3px 8px; }}
QPushButton:checked {{ background: #7a4b12; }}
QStatusBar QLabel {{ padding: 0 10px; }}
"""


def lookup_table():
    """256 colours, dark to bright, as [red, green, blue]."""
    return matplotlib.colormaps[COLOUR_MAP](np.arange(256), bytes=True)[:, :3]
