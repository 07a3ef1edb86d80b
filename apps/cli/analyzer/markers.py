# SPDX-License-Identifier: GPL-3.0-or-later
"""Markers on the average trace, without a screen. Each stays at its frequency, and its level
follows the trace. One marker is the chosen one, which the keys move. A delta marker is read
against marker 1."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from ..errors import InputError

MOST = 4
REFERENCE = 1  # the number of the marker that delta markers are read against
DIVISIONS = 10  # of the band shown
NEAR_BINS = 1.5  # a peak that is nearer than this to a marker is the marker's own


@dataclass
class Marker:
    """Where a marker stands, in Hz."""

    frequency: float
    is_delta: bool = False


@dataclass(frozen=True)
class Reading:
    """What a marker reads: frequency in Hz, level in dBFS, density in dBFS/Hz; both are None
    outside the stream's band. delta: (Hz, dB) from marker 1, of a delta marker."""

    number: int
    is_chosen: bool
    frequency: float
    level: Optional[float]
    density: Optional[float]
    delta: Optional[tuple] = None


class Markers:
    """Up to four markers. A `trace` is a Trace; `peaks` are frequencies of peaks in Hz,
    the strongest first."""

    def __init__(self):
        self._markers = {}  # number -> Marker
        self.chosen = REFERENCE

    def __len__(self):
        return len(self._markers)

    def choose(self, number):
        """Makes a marker the one that moves; it may not be set yet."""
        self.chosen = number

    def place(self, trace, low, high):
        """Sets the chosen marker to the strongest bin between two frequencies."""
        self._set(trace.strongest(low, high))

    def add_at_peak(self, trace, peaks, band):
        """Sets the next marker to the strongest peak without one; where every peak has a
        marker, to the highest bin of the band shown. Raises InputError if all are set."""
        self.chosen = self._free_number()
        for peak in peaks:
            if all(not is_near(trace, peak, m.frequency) for m in self._markers.values()):
                self._set(on_top(trace, peak))
                return
        self._set(trace.strongest(*band))

    def step(self, trace, bins):
        """Moves the chosen marker by a number of bins, within the stream's band."""
        marker = self._markers.get(self.chosen)
        if marker is not None:
            moved = trace.frequency(trace.nearest(marker.frequency) + bins)
            marker.frequency = trace.frequency(trace.nearest(moved))

    def step_division(self, trace, band, divisions):
        """Moves the chosen marker by tenths of the band shown."""
        bins = divisions * (band[1] - band[0]) / DIVISIONS / trace.bin_width
        self.step(trace, round(bins) or int(np.sign(bins)))

    def to_next_peak(self, trace, peaks, direction):
        """Moves the chosen marker to the next peak to the right (1) or left (-1), if there
        is one; sets it to the strongest if it is not set."""
        marker = self._markers.get(self.chosen)
        if marker is None:
            if len(peaks) > 0:
                self._set(on_top(trace, peaks[0]))
            return
        beyond = [
            peak
            for peak in peaks
            if direction * (peak - marker.frequency) > 0
            and not is_near(trace, peak, marker.frequency)
        ]
        if beyond:
            nearest = min(beyond, key=lambda peak: abs(peak - marker.frequency))
            marker.frequency = on_top(trace, nearest)

    def toggle_delta(self):
        """Makes the chosen marker a delta marker, or an absolute one again. Marker 1, the
        reference, gets a delta marker at its place. Raises InputError without marker 1."""
        reference = self._markers.get(REFERENCE)
        if reference is None:
            raise InputError("a delta marker is read against marker 1: set that first")
        if self.chosen == REFERENCE or self.chosen not in self._markers:
            self.chosen = self._free_number()
            self._markers[self.chosen] = Marker(reference.frequency, True)
        else:
            marker = self._markers[self.chosen]
            marker.is_delta = not marker.is_delta

    def remove(self):
        """Removes the chosen marker. The others' deltas end with marker 1."""
        self._markers.pop(self.chosen, None)
        if REFERENCE not in self._markers:
            for marker in self._markers.values():
                marker.is_delta = False
        self.chosen = max(self._markers, default=REFERENCE)

    def clear(self):
        """Removes all."""
        self._markers.clear()
        self.chosen = REFERENCE

    def read(self, trace):
        """The readings of all markers, by number."""
        readings = {}
        for number, marker in sorted(self._markers.items()):
            level = density = delta = None
            if trace.covers(marker.frequency):
                level = trace.level(marker.frequency)
                density = level - 10 * np.log10(trace.resolution_bandwidth)
            if marker.is_delta:
                delta = difference(marker.frequency, level, readings[REFERENCE])
            readings[number] = Reading(
                number, number == self.chosen, marker.frequency, level, density, delta
            )
        return list(readings.values())

    def _set(self, frequency):
        """Puts the chosen marker at a frequency."""
        self._markers.setdefault(self.chosen, Marker(frequency)).frequency = frequency

    def _free_number(self):
        free = set(range(1, MOST + 1)) - set(self._markers)
        if not free:
            raise InputError(f"all {MOST} markers are set: Delete removes the chosen one")
        return min(free)


def difference(frequency, level, reference):
    """(Hz, dB) from a reference's reading; None for what is not known."""
    is_known = level is not None and reference.level is not None
    decibels = level - reference.level if is_known else None
    return frequency - reference.frequency, decibels


def is_near(trace, one, other):
    """Whether two frequencies are those of one peak."""
    return abs(one - other) <= NEAR_BINS * trace.bin_width


def on_top(trace, peak):
    """Centre of the bin on top of a peak, whose frequency is read between the bins."""
    return trace.strongest(peak - trace.bin_width, peak + trace.bin_width)
