# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of spectrum_sink: its widgets under test, mouse and waiting."""

import time

from gnuradio import gpufft, gr  # noqa: F401  (before Qt)
from PyQt5 import sip
from PyQt5.QtCore import QPointF, Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication
from qa_support import ENGINE, PATIENCE, GpufftTestCase


def wait_for(condition, seconds=PATIENCE):
    """Runs the windows until condition() holds, or fails."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s")
        QTest.qWait(20)


def place_of(plot, frequency, session):
    """The pixel of a plot's viewport at a frequency in Hz, in the middle of its height."""
    box = plot.getViewBox()
    level = sum(box.viewRange()[1]) / 2
    at = box.mapViewToScene(QPointF(frequency / session.axis.divisor, level))
    return plot.mapFromScene(at)


def pixel_width(plot, session):
    """In Hz."""
    return plot.getViewBox().viewPixelSize()[0] * session.axis.divisor


def double_click(plot, frequency, session):
    """What a double click into a plot at a frequency sends."""
    place = place_of(plot, frequency, session)
    for send in (QTest.mouseClick, QTest.mouseDClick, QTest.mouseRelease):
        send(plot.viewport(), Qt.LeftButton, pos=place)


class SinkTestCase(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.application = QApplication.instance() or QApplication(["qa"])
        cls.kept = []  # Python would take windows apart in any order

    def make(self, *arguments, **keywords):
        """A sink, with its session and window."""
        if keywords.get("type") not in ("power", "db"):
            keywords.setdefault("engine", ENGINE)
        sink = gpufft.spectrum_sink(*arguments, **keywords)
        self.kept.append(sink)
        sink.session, sink.window = sink._display.session, sink.qwidget()
        return sink

    def start(self, flowgraph, *sinks):
        """Starts it, and shows the sinks' windows."""
        self.kept.append(flowgraph)
        for sink in sinks:
            sink.window.resize(900, 700)
            sink.window.show()
        flowgraph.start()
        self.addCleanup(self.end, flowgraph, *sinks)

    @staticmethod
    def end(flowgraph, *sinks):
        flowgraph.stop()
        flowgraph.wait()
        for sink in sinks:
            if not sip.isdeleted(sink.window):
                sink.window.close()

    @staticmethod
    def wait_for_peak(sink, is_right):
        """Waits for pictures until the strongest peak is_right(frequency, level)."""

        def holds():
            sink.window.update_texts()
            return any(is_right(p.frequency, p.level) for p in sink.session.peaks[:1])

        wait_for(holds)
