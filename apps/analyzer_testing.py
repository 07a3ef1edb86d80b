# SPDX-License-Identifier: GPL-3.0-or-later
"""A window of gpufft analyzer under test, with a recording of three tones."""

import argparse
import tempfile
import time
import unittest
from pathlib import Path

from PyQt5.QtCore import QEvent, QPoint, QPointF, Qt
from PyQt5.QtGui import QMouseEvent, QWheelEvent
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QComboBox

import cli_testing as cli
from gnuradio.gpufft.cli.analyzer import command

RATE = 1e6
CENTRE = 100e6
RECORDED = 1 << 18  # samples, played in a loop in which tones go on
FREQUENCIES = (-78643 / RECORDED, 26214 / RECORDED, 96993 / RECORDED)  # cycles a sample
LEVELS = (-20, -30, -40)  # dBFS


def wait_for(condition, seconds=100):
    """Runs the window until condition() holds, or fails: a busy machine needs 10 s."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s")
        QTest.qWait(20)


def drag_to(widget, at):
    """Moves the mouse with its left button down, as QTest.mouseMove cannot."""
    place = QPointF(widget.mapToGlobal(at))
    event = QMouseEvent(
        QEvent.MouseMove, QPointF(at), place, Qt.NoButton, Qt.LeftButton, Qt.NoModifier
    )
    QApplication.sendEvent(widget, event)
    QTest.qWait(30)


def move_to(widget, at):
    """Moves the pointer there, also if it stands there already, and waits until what lies
    there takes a drag."""
    for step in (1, 0):
        QTest.mouseMove(widget, at + QPoint(step, 0))
        QTest.qWait(30)


def turn_wheel(widget, at, notches):
    """Over a pixel of a widget."""
    place, delta = QPointF(widget.mapToGlobal(at)), QPoint(0, 120 * notches)
    event = QWheelEvent(
        QPointF(at), place, QPoint(), delta, Qt.NoButton, Qt.NoModifier, 0, False
    )
    QApplication.sendEvent(widget, event)


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class AnalyzerWindowTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.application = command.open_display(False)
        cls.windows = []  # kept: Python would take them apart in any order
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = Path(folder.name) / "x.cs16"
        amplitudes = [10 ** (level / 20) for level in LEVELS]
        x = cli.tones(RECORDED, FREQUENCIES, amplitudes, noise=1e-4)
        cls.file.write_bytes(cli.encode(x, "cs16"))

    def open(self, *options, source=None, wait=True):
        """Opens a running window. source: arguments instead of the file's; wait: for two
        pictures."""
        if source is None:
            source = (self.file, "--rate", RATE, "--freq", CENTRE)
        arguments = self.parse(*source, "--engine", cli.ENGINE, *options)
        self.graph = command.make_flowgraph(arguments)
        self.window = command.make_window(self.graph, arguments)
        self.session = self.window.session
        self.windows.append(self.window)
        self.addCleanup(self.close)
        self.window.show()
        self.graph.start()
        if wait:
            self.next_picture()

    def parse(self, *words):
        """The command's arguments."""
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        return parser.parse_args(["analyzer", *map(str, words)])

    def close(self):
        self.graph.stop()
        self.graph.wait()
        self.window.close()

    def next_picture(self):
        """Waits until a picture with the current settings has been drawn."""
        frames = self.session.frames
        wait_for(lambda: self.session.frames > frames + 1)

    def enter(self, name, text):
        """Types into a field, as a user does."""
        field = self.window.controls.fields[name]
        edit = field.lineEdit() if isinstance(field, QComboBox) else field
        edit.selectAll()
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key_Return)

    def key(self, key, modifier=Qt.NoModifier):
        QTest.keyClick(self.window.spectrum, key, modifier)

    def position(self):
        """In the recording, in seconds."""
        return self.session.transport.position

    def choose(self, name, text):
        """Chooses an item of a list."""
        field = self.window.controls.fields[name]
        field.setCurrentText(text)
        field.activated[str].emit(text)

    def tick(self, name):
        switch = self.window.controls.switches[name]
        QTest.mouseClick(switch, Qt.LeftButton, pos=QPoint(8, switch.height() // 2))

    def press(self, name):
        QTest.mouseClick(self.window.controls.buttons[name], Qt.LeftButton)

    def place(self, plot, x, y):
        """The pixel of a plot's viewport at a frequency (Hz) and a level or time."""
        at = plot.getViewBox().mapViewToScene(QPointF(x / self.session.axis.divisor, y))
        return plot.mapFromScene(at)

    def text(self, name):
        field = self.window.controls.fields[name]
        return field.currentText() if isinstance(field, QComboBox) else field.text()

    def said(self):
        return self.window.statusBar().currentMessage()

    def settle(self):
        """Waits until earlier settings have passed through the stream, by its own count."""
        goal = self.graph.samples() + 0.6 * RATE
        wait_for(lambda: self.graph.samples() > goal)
        self.next_picture()

    def at_rest(self):
        """The samples, rows and pictures so far, once a second brings no more."""

        def now():
            return self.graph.samples(), self.graph.view.rows(), self.session.frames

        def is_at_rest():
            before = now()
            QTest.qWait(1000)
            return now() == before

        wait_for(is_at_rest)
        return now()

    def assert_peaks(self):
        """The three tones are found, each within a tenth of a bin and 0.2 dB."""
        self.settle()
        self.press("restart")
        self.settle()
        self.window.update_texts()
        peaks = self.session.peaks[:3]
        self.assertEqual(len(peaks), 3)
        for peak, frequency, level in zip(peaks, FREQUENCIES, LEVELS):
            bin_width = RATE / self.graph.settings.size
            expected = CENTRE + frequency * RATE
            self.assertAlmostEqual(peak.frequency, expected, delta=0.1 * bin_width + 1)
            self.assertAlmostEqual(peak.level, level, delta=0.2)
