#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the analyzer's window with its built-in scene, and with markers and a channel.

    docs/images/make_analyzer.py [FOLDER]

writes docs/images/analyzer.png and analyzer_markers.png, or into the folder. It needs no
display, but the module and its command: PYTHONPATH=build/python_modules, or installed.
"""

import argparse
import os
import sys
from pathlib import Path

from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest

from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import command

IMAGES = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
WIDTH, HEIGHT = 1366, 860
OPTIONS = ("--span", "4M", "--centre", "97M", "--size", "8192")
KEYS = (Qt.Key_M, Qt.Key_D, Qt.Key_N, Qt.Key_M, Qt.Key_B)
CHANNEL = {"channel_centre": "96.6M", "channel_width": "300k"}
FILLING = 12000  # ms, of the waterfall
SETTLING = 4000  # ms

windows = []  # kept: Python would take them apart in any order


def picture(name, options, act):
    """Opens the window, lets it run, calls act(window), and pictures it."""
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["analyzer", *options])
    flowgraph = command.make_flowgraph(arguments)
    window = command.make_window(flowgraph, arguments)
    windows.append(window)
    window.resize(WIDTH, HEIGHT)
    window.show()
    flowgraph.start()
    act(window)
    window.grab().save(str(IMAGES / name))
    flowgraph.stop()
    flowgraph.wait()
    window.close()


def fill(_window):
    """Waits for a full waterfall."""
    QTest.qWait(FILLING)


def mark(window):
    """Sets markers and a channel, and points into the waterfall."""
    QTest.qWait(SETTLING)
    for key in KEYS:
        QTest.keyClick(window.spectrum, key)
    for name, text in CHANNEL.items():
        window.session.actions.set(name, text)
    QTest.qWait(SETTLING)
    viewport = window.waterfall.viewport()
    QTest.mouseMove(viewport, QPoint(viewport.width() // 3, viewport.height() // 2))
    QTest.qWait(SETTLING // 4)


def main():
    """Makes both pictures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    command.open_display(True)
    picture("analyzer.png", (), fill)
    picture("analyzer_markers.png", OPTIONS, mark)


if __name__ == "__main__":
    ending.run(main)
