# SPDX-License-Identifier: GPL-3.0-or-later
"""Markers and channel of a session, and the steps that keys and mouse take. It needs no Qt."""

import numpy as np

from ..errors import InputError
from .keys import ACTS
from .markers import Markers
from .measure import DEFAULT_SHARE, Channel

MANY_PEAKS = 50  # among which the next one is sought
FIRST_PART = 1 / 3  # of the band shown, that a channel takes at first


class Instrument:
    """What is read from a session's average trace: `readings` of the markers; `measured` of
    the channel, None while its lines are hidden."""

    def __init__(self, session):
        self._session = session
        self._markers = Markers()
        self.channel = None  # Channel, once it has been shown
        self.share = DEFAULT_SHARE
        self.readings, self.measured = [], None

    def press(self, key):
        """Takes a key's step; returns whether the key has one. Raises InputError."""
        if key not in ACTS:
            return False
        name, *arguments = ACTS[key]
        getattr(self, name)(*arguments)
        self.read()
        return True

    def click(self, low, high):
        """Sets the chosen marker on the trace between two frequencies of the plots: where
        the mouse's pixel begins and ends."""
        trace, divisor = self.trace(), self._session.axis.divisor
        low, high = np.clip(sorted((low, high)), *self._session.band) * divisor
        self._markers.place(trace, low, high)
        self.read()

    def trace(self):
        """The session's Trace. Raises InputError before the first picture."""
        if self._session.picture is None:
            raise InputError("there is no trace yet")
        return self._session.trace

    def read(self):
        """Reads the markers, at each picture."""
        if self._session.picture is not None:
            self.readings = self._markers.read(self._session.trace)

    def measure(self):
        """Measures the channel, if its lines are shown."""
        if not self._session.switches["show_channel"]:
            self.measured = None
        elif self._session.picture is not None:
            self.measured = self.channel.measure(self._session.trace, self.share)

    def add_marker(self):
        """The next marker, at the strongest peak without one."""
        self._markers.add_at_peak(self.trace(), self._peaks(), self._band())

    def choose_marker(self, number):
        """The marker that the keys move."""
        self._markers.choose(number)

    def step(self, bins):
        """Moves the chosen marker by a number of bins."""
        self._markers.step(self.trace(), bins)

    def step_division(self, divisions):
        """Moves it by tenths of the band shown."""
        self._markers.step_division(self.trace(), self._band(), divisions)

    def to_peak(self, direction):
        """Moves it to the next peak: to the right (1) or left (-1)."""
        self._markers.to_next_peak(self.trace(), self._peaks(), direction)

    def toggle_delta(self):
        """Makes it a delta marker, or an absolute one."""
        self._markers.toggle_delta()

    def remove_marker(self):
        """Removes the chosen marker."""
        self._markers.remove()

    def clear_markers(self):
        """Removes all."""
        self._markers.clear()

    def toggle_channel(self):
        """Shows the channel's lines, or hides them."""
        self.show_channel(not self._session.switches["show_channel"])

    def toggle_recording(self):
        """Begins a recording, or ends it. Raises InputError where nothing can be recorded."""
        if not self._session.flowgraph.takes_branches:
            raise InputError(
                "only gpufft analyzer records; in a flowgraph use a file sink"
            )
        self._session.recordings.record(not self._session.switches["recording"])

    def show_channel(self, is_shown):
        """The same, by a box. A channel outside the band shown moves to its middle."""
        self._session.switches["show_channel"] = is_shown
        low, high = self._band()
        channel = self.channel
        if is_shown and (channel is None or channel.high < low or channel.low > high):
            margin = (1 - FIRST_PART) / 2 * (high - low)
            self.set_channel(low + margin, high - margin)
        self.measure()

    def need_channel(self, width):
        """Shows a channel of this width (Hz) in the middle of the band shown, if none is
        shown."""
        if not self._session.switches["show_channel"]:
            middle = sum(self._band()) / 2
            self.set_channel(middle - width / 2, middle + width / 2)

    def keep_channel_inside(self):
        """Moves a channel that leaves the stream's band to the middle of the one shown."""
        channel, (lowest, highest) = self.channel, self._session.trace.band
        if channel is not None and not lowest <= channel.low < channel.high <= highest:
            middle, half = sum(self._band()) / 2, channel.width / 2
            channel.move_to(middle - half, middle + half, self._session.trace)

    def set_channel(self, low, high):
        """Sets the channel's limits, in Hz, and shows its lines."""
        if self.channel is None:
            self.channel = Channel(low, high)
        self.channel.move_to(low, high, self._session.trace)
        self._session.switches["show_channel"] = True
        self.measure()

    def drag_channel(self, low, high):
        """The same, in the plots' unit."""
        divisor = self._session.axis.divisor
        self.set_channel(low * divisor, high * divisor)

    def set_share(self, share):
        """Sets the occupied bandwidth's share of the power, in percent."""
        self.share = share
        self.measure()

    def _band(self):
        """The band shown, in Hz."""
        return tuple(np.multiply(self._session.band, self._session.axis.divisor))

    def _peaks(self):
        """Frequencies of the peaks shown, in Hz, the strongest first."""
        return [peak.frequency for peak in self._session.find_peaks(MANY_PEAKS)]
