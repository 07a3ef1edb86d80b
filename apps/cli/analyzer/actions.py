# SPDX-License-Identifier: GPL-3.0-or-later
"""What each control does to the flowgraph and the window."""

import traceback

from ..errors import CommandError, InputError
from ..output import OutputFile
from ..quantities import parse_number, parse_positive
from . import settings
from .controls import FULL_SPEED, REAL_TIME

# Of the transform and traces: control -> check of its text; named as in Settings.
CHECKS = {
    "size": settings.check_size,
    "window": settings.check_window,
    "overlap": settings.check_overlap,
    "average": settings.check_average,
    "detector": settings.check_detector,
    "averaging": settings.check_seconds,
    "persistence": settings.check_seconds,
}


class Actions:
    """Listens to a window's controls."""

    def __init__(self, window):
        self._window = window
        self._flowgraph = window.flowgraph
        self._faults = set()  # that have been told with all that is known
        controls = window.controls
        controls.changed.connect(self.change)
        controls.switched.connect(self.switch)
        controls.pressed.connect(self.press)
        self.show_values()

    def change(self, name, text):
        """Applies a control's new value; reports a wrong one and changes nothing."""
        self.try_to(lambda: self.set(name, text))
        self.try_to(self.show_values)

    def try_to(self, act):
        """Calls act() and reports its failure: Qt may end the process at an exception."""
        try:
            act()
        except CommandError as error:
            self._window.say(str(error))
        except Exception as error:  # of memory, or a fault in here: the window stays
            words = f"{type(error).__name__}: {error}"
            self._window.say(words)
            if words not in self._faults:
                self._faults.add(words)
                traceback.print_exc()

    def set(self, name, text):
        """Applies a control's value. Raises CommandError."""
        if name in CHECKS:
            self._change_settings(name, CHECKS[name](text, name))
        else:
            getattr(self, f"_change_{name}")(text)

    def switch(self, name, on):
        """Applies a ticked or unticked box."""
        self.try_to(lambda: self._switch(name, on))

    def _switch(self, name, on):
        window = self._window
        trace = window.spectrum.curves.get(name.removeprefix("show_"))
        if trace is not None:
            trace.setVisible(on)
        elif name == "show_density":
            window.density.setVisible(on)
            self._flowgraph.set_counting(on)
            window.label_lowest()
        elif name == "show_waterfall":
            window.waterfall.setVisible(on)
            window.label_lowest()
        elif name == "auto_levels":
            window.auto_levels = on
        elif name == "pause":
            window.paused = on

    def press(self, name):
        """Acts on a pressed button."""
        self.try_to(getattr(self, f"_press_{name}"))
        self.try_to(self.show_values)

    def show_values(self):
        """Shows the current values in the controls."""
        now, axis = self._flowgraph.settings, self._window.axis
        controls = self._window.controls
        for name in CHECKS:
            value = getattr(now, name)
            controls.set_text(name, "auto" if value is None else f"{value}")
        low, high = (edge * axis.divisor for edge in self._window.band())
        bandwidth = now.resolution_bandwidth(axis.rate)
        controls.set_text("rbw", axis.text(bandwidth, 4))
        controls.set_text("centre", axis.text((low + high) / 2, 9))
        controls.set_text("span", axis.text(high - low, 6))
        controls.set_text("levels", "{:g}, {:g}".format(*self._window.levels))
        if "speed" in controls.fields:
            controls.set_text(
                "speed", REAL_TIME if self._flowgraph.real_time else FULL_SPEED
            )

    def _change_settings(self, name, value):
        """Changes one of Settings. A new size or window needs a new axis or peak shape."""
        self._flowgraph.change(**{name: value})
        if name in ("size", "window"):
            self._window.follow_size()
            self._window.label_lowest()
        if name in ("window", "detector", "average"):
            self._window.restart_traces()

    def _change_rbw(self, text):
        bandwidth = parse_positive(plain(text), "resolution")
        size = self._flowgraph.settings.size_for(bandwidth, self._window.axis.rate)
        self._change_settings("size", size)

    def _change_centre(self, text):
        low, high = self._window.band()
        middle = parse_number(plain(text), "centre") / self._window.axis.divisor
        self._show(middle, high - low)

    def _change_span(self, text):
        low, high = self._window.band()
        span = parse_positive(plain(text), "span") / self._window.axis.divisor
        self._show((low + high) / 2, span)

    def _show(self, middle, span):
        """Shows a band, moved or cut to lie within the stream's."""
        axis = self._window.axis
        span = min(span, axis.high - axis.low)
        low = min(max(middle - span / 2, axis.low), axis.high - span)
        self._window.show_band(low, low + span)

    def _change_tune(self, text):
        self._flowgraph.source.tune(parse_number(plain(text), "tune"))
        self._window.follow_size()
        self._window.restart_traces()
        self._window.show_full_band()

    def _change_levels(self, text):
        low, comma, high = plain(text).partition(",")
        if not comma:
            raise InputError(f"levels {text!r}: write two numbers, e.g. -120, 0")
        low, high = parse_number(low, "levels"), parse_number(high, "levels")
        if low >= high:
            raise InputError(f"levels {text!r}: the first must be below the second")
        self._window.controls.switches["auto_levels"].setChecked(False)
        self._window.show_levels(low, high)

    def _change_speed(self, text):
        self._flowgraph.set_real_time(text == REAL_TIME)
        self._window.follow_size()

    def _press_full_span(self):
        self._window.show_full_band()

    def _press_restart(self):
        self._window.restart_traces()

    def _press_save(self):
        name = self._window.ask_for_file()
        if not name:
            return
        save_picture(self._window, name)
        self._window.say(f"{name} is written")


def save_picture(window, name):
    """Saves the window as a PNG file, whole or not at all."""
    with OutputFile(name, ".png", window.flowgraph.source.files) as png:
        png.save(lambda window, file: window.save_picture(file), window)


def plain(text):
    """A number without its unit: "98.5 MHz" -> "98.5M"."""
    return text.replace("\N{MINUS SIGN}", "-").replace(" ", "").removesuffix("Hz")
