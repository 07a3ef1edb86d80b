# SPDX-License-Identifier: GPL-3.0-or-later
"""What each control does to a session, and the current values of all of them."""

from ..errors import InputError
from ..quantities import parse_number, parse_positive
from . import settings
from .panel import FULL_SPEED, REAL_TIME

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
    """The controls of a session, by the names that the panel gives them."""

    def __init__(self, session):
        self._session = session
        self._flowgraph = session.flowgraph

    def set(self, name, text):
        """Applies a field's text. Raises CommandError, and changes nothing then."""
        if name in CHECKS:
            self._change_settings(name, CHECKS[name](text, name))
        else:
            getattr(self, f"_change_{name}")(text)

    def switch(self, name, is_on):
        """Applies a ticked or unticked box."""
        self._session.switches[name] = is_on
        if name == "show_density":
            self._flowgraph.set_counting(is_on)

    def press(self, name):
        """Acts on a pressed button."""
        getattr(self, f"_press_{name}")()

    def values(self):
        """The text in force of each field, by its name."""
        session, now = self._session, self._flowgraph.settings
        values = {}
        for name in CHECKS:
            value = getattr(now, name)
            values[name] = "auto" if value is None else f"{value}"
        axis = session.axis
        low, high = (edge * axis.divisor for edge in session.band)
        bandwidth = now.resolution_bandwidth(axis.rate)
        values["rbw"] = axis.text(bandwidth, 4)
        values["centre"] = axis.text((low + high) / 2, 9)
        values["span"] = axis.text(high - low, 6)
        values["levels"] = "{:g}, {:g}".format(*session.levels)
        if "speed" in session.fields:
            values["speed"] = REAL_TIME if self._flowgraph.real_time else FULL_SPEED
        return values

    def _change_settings(self, name, value):
        """Changes one of Settings. A new size or window needs a new axis or peak shape."""
        self._flowgraph.change(**{name: value})
        if name in ("size", "window"):
            self._session.follow_size()
        if name in ("window", "detector", "average"):
            self._session.restart_traces()

    def _change_rbw(self, text):
        bandwidth = parse_positive(plain(text), "resolution")
        size = self._flowgraph.settings.size_for(bandwidth, self._session.axis.rate)
        self._change_settings("size", size)

    def _change_centre(self, text):
        low, high = self._session.band
        middle = parse_number(plain(text), "centre") / self._session.axis.divisor
        self._session.show_band(middle - (high - low) / 2, middle + (high - low) / 2)

    def _change_span(self, text):
        low, high = self._session.band
        span = parse_positive(plain(text), "span") / self._session.axis.divisor
        self._session.show_band((low + high - span) / 2, (low + high + span) / 2)

    def _change_tune(self, text):
        self._flowgraph.source.tune(parse_number(plain(text), "tune"))
        self._session.follow_size()
        self._session.restart_traces()
        self._session.show_full_band()

    def _change_levels(self, text):
        low, comma, high = plain(text).partition(",")
        if not comma:
            raise InputError(f"levels {text!r}: write two numbers, e.g. -120, 0")
        low, high = parse_number(low, "levels"), parse_number(high, "levels")
        if low >= high:
            raise InputError(f"levels {text!r}: the first must be below the second")
        self._session.switches["auto_levels"] = False
        self._session.show_levels(low, high)

    def _change_speed(self, text):
        self._flowgraph.set_real_time(text == REAL_TIME)
        self._session.follow_size()

    def _press_full_span(self):
        self._session.show_full_band()

    def _press_restart(self):
        self._session.restart_traces()


def plain(text):
    """A number without its unit: "98.5 MHz" -> "98.5M"."""
    return text.replace("\N{MINUS SIGN}", "-").replace(" ", "").removesuffix("Hz")
