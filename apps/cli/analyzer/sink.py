# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's session and window as a part of another program's flowgraph and window: what
gpufft.spectrum_sink shows and does."""

import math
from contextlib import contextmanager
from dataclasses import replace

from PyQt5.QtCore import QObject, Qt, QThread, pyqtSignal, pyqtSlot
from PyQt5.QtWidgets import QPushButton, QScrollArea

from ..errors import CommandError, InputError
from .actions import CHECKS
from .command import make_application
from .session import Session
from .settings import Settings
from .sink_flowgraph import Input, SampleSink, VectorSink
from .window import AnalyzerWindow

FORMATS = {"complex": "cf32", "float": "rf32", "short": "cs16", "byte": "cs8"}


class SinkWindow(AnalyzerWindow):
    """The window as a widget: its controls open by a button, and a hidden one draws nothing.
    Emits the frequency of a double click, in Hz."""

    chosen = pyqtSignal(float)

    def __init__(self, session):
        super().__init__(session)
        name = session.flowgraph.source.name
        self.setWindowTitle(name or "Spectrum")
        if name:
            self.spectrum.setTitle(name)
        self.setWindowFlags(Qt.Widget)
        self.controls_button = QPushButton("Controls")
        self.controls_button.setCheckable(True)
        self.statusBar().addPermanentWidget(self.controls_button)
        panel = self.findChild(QScrollArea)
        panel.hide()
        self.controls_button.toggled.connect(panel.setVisible)
        for plot in (self.spectrum, self.density, self.waterfall):
            plot.scene().sigMouseClicked.connect(
                lambda event, plot=plot: self._choose(plot, event)
            )

    def draw(self):
        """Draws, if anybody can see it."""
        if self.isVisible():
            super().draw()

    def _choose(self, plot, event):
        box, at = plot.getViewBox(), event.scenePos()
        is_double = event.button() == Qt.LeftButton and event.double()
        if is_double and box.sceneBoundingRect().contains(at):
            self.chosen.emit(box.mapSceneToView(at).x() * self.session.axis.divisor)


class Relay(QObject):
    """Takes acts of any thread to the window's."""

    sent = pyqtSignal(object)

    def __init__(self, window):
        super().__init__()
        self._window = window
        self.sent.connect(self._act)

    @pyqtSlot(object)
    def _act(self, act):
        attempt = self._window.session.attempt
        message = attempt(act)
        if message:
            attempt(lambda: self._window.say(message))  # if Qt has not deleted it

    def do(self, act):
        """Calls act() at once in the window's thread, and raises what it raises; from another
        thread, later."""
        if QThread.currentThread() != self.thread():
            self.sent.emit(act)
            return
        with refusals():
            act()


class Display:
    """A session with its window, in any flowgraph. All but the constructor may be called by
    any thread; what is out of range is a ValueError of the caller."""

    def __init__(self, kind, name, settings, rate, centre, **engine):
        """kind: of FORMATS, or "power" or "db" for vectors; settings: values of Settings, as
        texts; engine: as of power_spectrum_cf."""
        make_application()
        check_band(centre, rate)
        with refusals():
            settings = {each: check(each, settings[each]) for each in settings}
            hop = settings.pop("hop", None)
            settings = Settings(**settings)
            if hop is not None:
                settings = replace(settings, overlap=settings.overlap_of(hop, "hop"))
            source = Input(name, FORMATS.get(kind, ""), rate, centre)
            if not source.format:
                self.flowgraph = VectorSink(source, settings, kind == "db")
            else:
                self.flowgraph = SampleSink(source, settings, **engine)
            self.session = Session(self.flowgraph)
            self.window = SinkWindow(self.session)
        self._relay = Relay(self.window)

    def set(self, name, value):
        """Sets a value of Settings."""
        with refusals():
            check(name, value)
            if name not in self.session.fields and name != "window":
                self._refuse_change(name, value)
            else:
                self._relay.do(lambda: self.session.actions.set(name, value))

    def _refuse_change(self, name, value):
        """Vectors are as they are."""
        if check(name, value) != getattr(self.flowgraph.settings, name):
            raise InputError(f"{name} cannot change: the input is ready vectors")

    def set_band(self, centre, width):
        """Sets what the input's band is, in Hz, and shows all of it; None: as it is."""
        check_band(centre or 0.0, 1.0 if width is None else width)
        self._relay.do(lambda: self._set_band(centre, width))

    def _set_band(self, centre, width):
        source, session = self.flowgraph.source, self.session
        before = source.frequency, source.rate
        source.frequency = before[0] if centre is None else centre
        source.rate = before[1] if width is None else width
        if (source.frequency, source.rate) != before:
            session.follow_size()
            session.show_full_band()
            session.restart_traces()

    def set_levels(self, levels):
        """Fixes the range of levels, (low, high) in dB; None: it follows the signal."""
        if levels is not None:
            low, high = levels
            if not -math.inf < low < high < math.inf:
                raise ValueError(
                    f"levels is {levels}: must be (low, high), low below high"
                )
        self._relay.do(lambda: self._set_levels(levels))

    def _set_levels(self, levels):
        self.session.switches["auto_levels"] = levels is None
        if levels is not None:
            self.session.show_levels(*map(float, levels))

    def switch(self, name, is_on):
        """Switches a plot or trace on or off."""
        self._relay.do(lambda: self.session.actions.switch(name, bool(is_on)))

    def show_controls(self, is_shown):
        """Opens or closes the panel."""
        button = self.window.controls_button
        self._relay.do(lambda: button.setChecked(bool(is_shown)))


@contextmanager
def refusals():
    """Makes the command's errors what blocks raise."""
    try:
        yield
    except InputError as error:
        raise ValueError(str(error)) from None
    except CommandError as error:
        raise RuntimeError(str(error)) from None


def check(name, text):
    """The value of Settings that a text means. Raises InputError."""
    return CHECKS[name](text, "fft_size" if name == "size" else name)


def check_band(centre, width):
    """Raises ValueError."""
    if not math.isfinite(centre):
        raise ValueError(f"center_freq is {centre}: must be finite, in Hz")
    if not 0 < width < math.inf:
        raise ValueError(f"samp_rate is {width}: must be above 0, in Hz")
