#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the analyzer's window with markers and a channel, for docs/analyzer.md.

    xvfb-run -a docs/images/make_analyzer.py [FOLDER]

writes docs/images/analyzer_markers.png, or into the folder. It needs the module and its
command: PYTHONPATH=build/python_modules, or installed.
"""

import argparse
import sys
from pathlib import Path

from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest

from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import command

IMAGES = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
OPTIONS = ("--span", "4M", "--centre", "97M", "--size", "8192")
KEYS = (Qt.Key_M, Qt.Key_D, Qt.Key_N, Qt.Key_M, Qt.Key_B)
CHANNEL = {"channel_centre": "96.6M", "channel_width": "300k"}
SETTLING = 4000  # ms


def main():
    """Opens the window, presses the keys, and pictures it."""
    command.open_display(False)
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["analyzer", *OPTIONS])
    flowgraph = command.make_flowgraph(arguments)
    window = command.make_window(flowgraph, arguments)
    window.show()
    flowgraph.start()
    QTest.qWait(SETTLING)
    for key in KEYS:
        QTest.keyClick(window.spectrum, key)
    for name, text in CHANNEL.items():
        window.session.actions.set(name, text)
    QTest.qWait(SETTLING)
    viewport = window.waterfall.viewport()
    QTest.mouseMove(viewport, QPoint(viewport.width() // 3, viewport.height() // 2))
    QTest.qWait(SETTLING // 4)
    window.grab().save(str(IMAGES / "analyzer_markers.png"))
    flowgraph.stop()
    flowgraph.wait()


if __name__ == "__main__":
    ending.run(main)
