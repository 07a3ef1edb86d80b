# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's window: it draws the newest data at most 30 times a second, and the stream
does not wait for it."""

import time

from PyQt5.QtCore import QBuffer, QIODevice, Qt, QTimer
from PyQt5.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSplitter,
    QWidget,
)

from ..errors import CommandError
from . import theme
from .actions import Actions
from .controls import Controls
from .meter import LossMeter, RateMeter
from .plots import DensityPlot, SpectrumPlot, WaterfallPlot
from .screen import PeakFinder, level_range, make_axis
from .settings import FIRST_LEVELS
from .status import status_texts

FRAMES_PER_SECOND = 30
SLOW_SECONDS = 0.5  # between updates of texts and levels
LONGEST_FRAME = 60.0  # s, that traces wait for to begin anew
SETTLING_MS = 300  # until a change has come through the stream, but for a frame


class AnalyzerWindow(QMainWindow):
    """Shows a running AnalyzerFlowgraph."""

    def __init__(self, flowgraph):
        super().__init__()
        self.flowgraph = flowgraph
        self.setWindowTitle(f"gpufft analyzer \N{EN DASH} {flowgraph.source.name}")
        self.setStyleSheet(theme.STYLE)
        self.resize(1366, 860)
        self.spectrum, self.density = SpectrumPlot(), DensityPlot()
        self.waterfall = WaterfallPlot()
        self.controls = Controls(flowgraph.source)
        self._lay_out()
        self.levels, self.auto_levels = FIRST_LEVELS, True
        self.paused = False
        self.peaks = []
        self.frames = 0  # drawn
        self._make_meters()
        self.follow_size()
        self.show_full_band()
        self.actions = Actions(self)
        self.label_lowest()
        self._start_timers()

    # What the controls do is in Actions; these are the steps it takes.

    def follow_size(self):
        """Adapts to a change of size, window, rate or centre."""
        self.axis = make_axis(self.flowgraph.source, self.flowgraph.settings.size)
        self._finder = PeakFinder(self.axis, self.flowgraph.settings.window)
        for plot in (self.spectrum, self.density, self.waterfall):
            plot.set_axis(self.axis)
        self._span = None
        self._rows, self.picture = 0, None
        self.show_levels(*self.levels)

    def show_levels(self, low, high):
        """The range of levels of all plots."""
        self.levels = low, high
        for plot in (self.spectrum, self.density, self.waterfall):
            plot.show_levels(low, high)
        self.flowgraph.show_levels(low, high)

    def label_lowest(self):
        """The frequencies' label, once."""
        plots = [self.spectrum, self.density, self.waterfall]
        shown = [plot for plot in plots if plot.isVisibleTo(self)]
        for plot in plots:
            plot.label_frequencies(self.axis.label if plot is shown[-1] else "")

    def restart_traces(self):
        """Restarts average, holds and density now, without the samples in flight."""
        frame = min(self.flowgraph.settings.size / self.flowgraph.rate, LONGEST_FRAME)
        self.flowgraph.restart()
        QTimer.singleShot(
            SETTLING_MS + round(1000 * frame),
            lambda: self.actions.try_to(self.flowgraph.restart),
        )

    def band(self):
        """(low, high) of the band shown, in the unit of the plots."""
        return tuple(self.spectrum.viewRange()[0])

    def show_band(self, low, high):
        """Moves the plots, within the stream's band."""
        self.spectrum.setXRange(low, high, padding=0)

    def show_full_band(self):
        """Shows all of the stream's band."""
        self.show_band(self.axis.low, self.axis.high)

    def save_picture(self, file):
        """Writes the window as PNG to an open binary file."""
        buffer = QBuffer()
        buffer.open(QIODevice.WriteOnly)
        if not self.grab().save(buffer, "PNG"):
            raise CommandError("the picture of the window cannot be made")
        file.write(bytes(buffer.data()))

    def ask_for_file(self):
        """Name of a PNG file, or ""."""
        title, name = "Save picture", "spectrum.png"
        return QFileDialog.getSaveFileName(self, title, name, "*.png")[0]

    def say(self, message):
        """Shows a line for ten seconds in place of the status."""
        self.statusBar().showMessage(message, 10000)

    def _lay_out(self):
        plots = QSplitter(Qt.Vertical)
        for plot in (self.spectrum, self.density, self.waterfall):
            plots.addWidget(plot)
        plots.setSizes([420, 260, 320])
        self.density.setXLink(self.spectrum)
        self.waterfall.setXLink(self.spectrum)
        middle = QWidget()
        layout = QHBoxLayout(middle)
        layout.setContentsMargins(4, 4, 0, 0)
        layout.addWidget(plots, 1)
        layout.addWidget(self.controls)
        self.setCentralWidget(middle)
        self._status = QLabel()
        self.statusBar().addWidget(self._status, 1)

    def _make_meters(self):
        source = self.flowgraph.source
        self._sample_meter, self._frame_meter = RateMeter(), RateMeter()
        is_timed = source.is_live and source.rate is not None
        self._loss_meter = LossMeter(source.rate) if is_timed else None

    def _start_timers(self):
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.timeout.connect(lambda: self.actions.try_to(self.draw))
        self._timer.start(1000 // FRAMES_PER_SECOND)
        self._slow_timer = QTimer(self)
        self._slow_timer.timeout.connect(lambda: self.actions.try_to(self.update_texts))
        self._slow_timer.start(round(1000 * SLOW_SECONDS))

    def draw(self):
        """Draws one picture, if there is any."""
        moved = self._follow_band()
        rows = self.flowgraph.view.rows()
        if self.paused or (rows == self._rows and not moved):
            return
        self._rows = rows
        picture = self.flowgraph.view.take()
        if len(picture["max_hold"]) == 0:  # no row yet
            return
        self.picture = picture
        if self.frames == 0:
            self._fit_levels()
        self.frames += 1
        self.spectrum.show_picture(picture, self.axis)
        if self.density.isVisible():
            self.density.show_picture(picture, self.axis)
        if self.waterfall.isVisible() and picture["rows"] > 0:
            self.waterfall.show_picture(picture, self.axis, time.monotonic())

    def _follow_band(self):
        """Tells the view which bins are shown, in as many columns as there are pixels."""
        columns = max(16, int(self.spectrum.getViewBox().width()))
        span = (*self.axis.bins(*self.band()), columns)
        if span == self._span:
            return False
        self._span = span
        self.flowgraph.show_bins(*span)
        return True

    def update_texts(self):
        """Updates status line, peaks, current values and levels, twice a second."""
        now = time.monotonic()
        samples = self.flowgraph.samples()
        self._sample_meter.update(now, samples)
        self._frame_meter.update(now, self.frames)
        self.flowgraph.follow_rate(self._sample_meter.rate)
        if self._loss_meter is not None:
            self._loss_meter.update(now, samples)
        lost = 0 if self._loss_meter is None else self._loss_meter.lost
        text, tip = status_texts(
            self.flowgraph, self._sample_meter.rate, self._frame_meter.rate, lost
        )
        self._status.setText(text)
        self._status.setToolTip(tip)
        self.actions.show_values()
        if self.picture is not None and not self.paused:
            self._fit_levels()
            self._find_peaks()

    def _fit_levels(self):
        """Follows the signal's levels, if that is switched on."""
        if not self.auto_levels:
            return
        low, high = level_range(self.picture)
        if self.levels[0] - low in (0.0, 10.0) and self.levels[1] - high in (0.0, 10.0):
            return
        if (low, high) != self.levels:
            self.show_levels(low, high)

    def _find_peaks(self):
        is_shown = self.controls.switches["show_peaks"].isChecked()
        view = self.flowgraph.view
        self.peaks = self._finder.find(self.picture, view) if is_shown else []
        self.spectrum.show_peaks(self.peaks, self.axis)
        self.controls.show_peaks(self.peaks, self.axis)
