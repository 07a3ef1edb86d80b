# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's window: it draws the newest data at most 30 times a second, and the stream
does not wait for it."""

from PyQt5.QtCore import QSize, Qt, QTimer
from PyQt5.QtGui import QGuiApplication, QKeySequence
from PyQt5.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from . import theme
from .bar import PositionBar
from .controls import Controls
from .keys import ACTS, HELP_KEYS, PLAY_ACTS, WATERFALL_ACTS
from .marker_items import ChannelItems, MarkerItems
from .note_items import Marking, NoteItems
from .notice import Notice
from .plots import DensityPlot, SpectrumPlot, prepare
from .pointer import Pointer
from .results import Results, make_help, toggle_help
from .saving import Saving, write_widget
from .session import FRAMES_PER_SECOND, SLOW_SECONDS
from .status import SEPARATOR
from .waterfall_plot import WaterfallPlot

FIRST_SIZE, SMALLEST_SIZE = QSize(1366, 860), QSize(1024, 640)
FRAME = QSize(8, 36)  # pixels, of a window manager around a window


class AnalyzerWindow(QMainWindow):
    """Shows a Session: it draws its pictures, and its controls act on it."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.setWindowTitle(
            f"gpufft analyzer \N{EN DASH} {session.flowgraph.source.name}"
        )
        self.setStyleSheet(theme.style())
        self.resize(first_size(QGuiApplication.primaryScreen().availableSize()))
        prepare()
        self.spectrum, self.density = SpectrumPlot(), DensityPlot()
        self.waterfall = WaterfallPlot(session.history)
        self._plots = (self.spectrum, self.density, self.waterfall)
        self.controls = Controls(session.panel)
        self._saving = Saving(self)
        self._results = Results()
        self.bar = PositionBar()
        self.bar.setVisible(session.transport.playback is not None)
        self._lay_out()
        self._markers = MarkerItems(self.spectrum, (self.density, self.waterfall))
        self.channel = ChannelItems(self.spectrum)
        self._notice = Notice(self.spectrum)
        self._notes = NoteItems(self.spectrum, self.waterfall)
        self.marking = Marking(self.waterfall)
        self.pointer = Pointer(self._plots)
        self.help = make_help(self.centralWidget())
        self._axis = self._levels = None  # that the plots show,
        self._shown = None  # and the switches,
        self._colours = self._waterfall_levels = None  # and of the waterfall
        self._is_following = False
        self.follow()
        self.show_values()
        self.spectrum.sigXRangeChanged.connect(self._move_band)
        self.controls.changed.connect(self._change)
        self.controls.switched.connect(self._switch)
        self.controls.pressed.connect(self._press)
        self.controls.left.connect(self.spectrum.setFocus)
        self.pointer.clicked.connect(self._click)
        self.channel.dragged.connect(self._drag_channel)
        self.bar.moved.connect(self._seek)
        self.marking.marked.connect(self._annotate)
        for plot in (self.spectrum, self.density):
            plot.levels.ranged.connect(self._range_levels)
        self.spectrum.setFocus()
        self._start_timers()

    def follow(self):
        """Shows the session's axis, band, levels and switches."""
        self._is_following = True
        try:
            self._follow_axis()
            self._follow_levels()
            self._follow_switches()
        finally:
            self._is_following = False

    def _follow_axis(self):
        axis, band = self.session.axis, self.session.band
        if self._axis is not axis:
            self._axis, self._shown = axis, None
            for plot in self._plots:
                plot.set_axis(axis)
        if tuple(self.spectrum.viewRange()[0]) != band:
            self.spectrum.setXRange(*band, padding=0)

    def _follow_levels(self):
        if self._levels != self.session.levels:
            self._levels = self.session.levels
            self.spectrum.show_levels(*self._levels)
            self.density.show_levels(*self._levels)
        if self._waterfall_levels != self.session.waterfall_levels:
            self._waterfall_levels = self.session.waterfall_levels
            self.waterfall.show_levels(*self._waterfall_levels)
        if self._colours != self.session.colour_map:
            self._colours = self.session.colour_map
            self.density.show_colours(self._colours)
            self.waterfall.show_colours(self._colours)

    def _follow_switches(self):
        switches = self.session.switches
        if self._shown == switches:
            return
        self._shown = dict(switches)
        for name, is_on in switches.items():
            self.controls.switches[name].setChecked(is_on)
        for name, curve in self.spectrum.curves.items():
            curve.setVisible(switches[f"show_{name}"])
        self.density.setVisible(switches["show_density"])
        self.waterfall.setVisible(switches["show_waterfall"])
        # The frequencies' label, once.
        lowest = [plot for plot in self._plots if plot.isVisibleTo(self)][-1]
        for plot in self._plots:
            plot.label_frequencies(self._axis.label if plot is lowest else "")

    def show_values(self):
        """Shows the current values in the controls."""
        for name, text in self.session.actions.values().items():
            self.controls.set_text(name, text)

    def try_to(self, act):
        """Calls act() and reports its failure: Qt may end the process at an exception."""
        message = self.session.attempt(act)
        if message:
            self.say(message)

    def _do(self, act):
        """Acts for a control; shows what is in force then."""
        self.try_to(act)
        self.try_to(self.follow)
        self.try_to(self.show_values)
        self.try_to(self.show_readings)

    def _change(self, name, text):
        self._do(lambda: self.session.actions.set(name, text))

    def _switch(self, name, is_on):
        if not self._is_following:
            self._do(lambda: self.session.actions.switch(name, is_on))

    def _press(self, name):
        is_own = name in self._saving.acts
        press = self._save if is_own else self.session.actions.press
        self._do(lambda: press(name))

    def _click(self, low, high):
        self.spectrum.setFocus()
        self._do(lambda: self.session.instrument.click(low, high))

    def _seek(self, seconds):
        self._do(lambda: self.session.transport.seek(seconds))

    def _annotate(self, low, high, first, last, label):
        """Makes a marked region an annotation."""
        times = (self.session.history.now - seconds for seconds in (first, last))
        self._do(lambda: self.say(self.session.annotate(*times, low, high, label)))

    def _drag_channel(self, low, high):
        self._do(lambda: self.session.instrument.drag_channel(low, high))

    def _range_levels(self, low, high):
        self._do(lambda: self.session.fix_levels(round(low, 2), round(high, 2)))

    def keyPressEvent(self, event):
        """Takes the keys that no field takes."""
        key = key_name(event)
        if key in HELP_KEYS or (key == "Esc" and self.help.isVisible()):
            toggle_help(self.help)
        elif key == "Esc" and isinstance(self.focusWidget(), (QComboBox, QLineEdit)):
            self.controls.forget_edits()
            self.spectrum.setFocus()
        elif key in ACTS or key in PLAY_ACTS:
            self._do(lambda: self.session.press(key))
        elif key in WATERFALL_ACTS:
            name, *arguments = WATERFALL_ACTS[key]
            self._do(lambda: getattr(self.waterfall, name)(*arguments))
        else:
            super().keyPressEvent(event)

    def _move_band(self):
        """Follows the wheel and dragging."""
        if not self._is_following:
            self.session.show_band(*self.spectrum.viewRange()[0])

    def _save(self, name):
        said = self._saving.acts[name]()
        if said:
            self.say(said)

    def save_picture(self, file):
        """Writes the window as PNG to an open binary file."""
        write_widget(self, file)

    def say(self, message):
        """Shows a line for ten seconds in place of the status."""
        self.statusBar().showMessage(message, 10000)

    def _lay_out(self):
        plots = QSplitter(Qt.Vertical)
        for plot in self._plots:
            plots.addWidget(plot)
        plots.setSizes([420, 260, 320])
        self.density.setXLink(self.spectrum)
        self.waterfall.setXLink(self.spectrum)
        middle = QWidget()
        left = QVBoxLayout()
        left.addWidget(plots, 1)
        left.addWidget(self.bar)
        left.addWidget(self._results)
        layout = QHBoxLayout(middle)
        layout.setContentsMargins(4, 4, 0, 0)
        layout.addLayout(left, 1)
        layout.addWidget(scrolled(self.controls))
        self.setCentralWidget(middle)
        self._status = QLabel()
        self._status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.statusBar().addWidget(self._status, 1)
        self.statusBar().addPermanentWidget(QLabel("F1: keys"))

    def _start_timers(self):
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.timeout.connect(lambda: self.try_to(self.draw))
        self._timer.start(1000 // FRAMES_PER_SECOND)
        self._slow_timer = QTimer(self)
        self._slow_timer.timeout.connect(lambda: self.try_to(self.update_texts))
        self._slow_timer.start(round(1000 * SLOW_SECONDS))

    def draw(self):
        """Draws one picture, if there is any."""
        picture = self.session.take(int(self.spectrum.getViewBox().width()))
        self.follow()
        if self.bar.isVisible():
            self.bar.show_position(self.session.transport)
        if picture is None:
            return
        axis = self.session.axis
        self.spectrum.show_picture(picture, axis)
        if self.density.isVisible():
            self.density.show_picture(picture, axis)
        if self.waterfall.isVisible() and picture["rows"] > 0:
            self.waterfall.show_picture(picture, axis)
        self._markers.show(self.session.instrument.readings, axis)
        self._show_notes()
        self.pointer.refresh()

    def _show_notes(self):
        session = self.session
        is_shown = bool(session.notes.all) and session.switches["show_notes"]
        self._notes.set_visible(is_shown)
        if is_shown:
            self._notes.show(session.notes, session.axis, session.transport.position)

    def _show_status(self, text):
        """As much of it as there is room for."""
        self._status.setText(text)
        while (
            SEPARATOR in text and self._status.sizeHint().width() > self._status.width()
        ):
            text = text.rpartition(SEPARATOR)[0]
            self._status.setText(text)

    def show_readings(self):
        """Shows what markers and channel read."""
        instrument, axis = self.session.instrument, self.session.axis
        self._markers.show(instrument.readings, axis)
        self._results.show_markers(instrument.readings, axis)
        detector = self.session.flowgraph.settings.detector
        self._results.show_channel(instrument, detector, axis)
        self.channel.show(instrument.channel, instrument.measured, axis)

    def update_texts(self):
        """Updates status line, peaks, current values and levels, twice a second."""
        session = self.session
        session.update()
        text, tip = session.status
        self._notice.show(session.notice)
        self._show_status(text)
        self._status.setToolTip(tip)
        self.follow()
        self.show_values()
        self.show_readings()
        self.spectrum.show_peaks(session.peaks, session.axis)
        self.controls.show_peaks(session.peak_texts())


def first_size(room):
    """The window's size at first, on a screen with this room."""
    return FIRST_SIZE.boundedTo(room - FRAME).expandedTo(SMALLEST_SIZE)


def key_name(event):
    """A key as keys.ACTS names it."""
    text = event.text()
    if text.isprintable() and text.strip():
        return text.upper()
    control = event.modifiers() & Qt.ControlModifier
    return QKeySequence(int(control) | event.key()).toString()


def scrolled(panel):
    """A panel in an area that scrolls if the window is low."""
    area = QScrollArea()
    area.setWidget(panel)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
    area.setFixedWidth(panel.width() + area.verticalScrollBar().sizeHint().width())
    return area
