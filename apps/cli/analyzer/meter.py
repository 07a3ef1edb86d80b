# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a stream runs, and how much of a live one is lost."""

from collections import deque

WINDOW_SECONDS = 1.0  # of the rates
SLACK_SECONDS = 0.25  # a live source may be late by its buffers,
CLOCK_ERROR = 1e-4  # and its clock differ from ours
SILENT_SECONDS = 2.0  # until a source that gives nothing is waited for


class RateMeter:
    """The mean rate of a count over the last second."""

    def __init__(self):
        self._marks = deque()

    def update(self, now, count):
        """The count at the time `now` (s)."""
        self._marks.append((now, count))
        while now - self._marks[0][0] > WINDOW_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    @property
    def rate(self):
        """The rate a second; 0 before the second update."""
        if len(self._marks) < 2:
            return 0.0
        (start, first), (end, last) = self._marks[0], self._marks[-1]
        return (last - first) / (end - start) if end > start else 0.0


class Silence:
    """Whether a source gives nothing: not yet, or not for SILENT_SECONDS."""

    def __init__(self):
        self._last = None  # (time, samples) of the latest change

    def update(self, now, samples):
        """samples: all that have arrived at the time `now`."""
        if self._last is None or samples != self._last[1]:
            self._last = now, samples
        return samples == 0 or now - self._last[0] > SILENT_SECONDS


class LossMeter:
    """Lost samples of a live source, by its rate and our clock."""

    def __init__(self, rate):
        self._rate = rate
        self._first = None  # (time, samples)
        self.lost = 0

    def update(self, now, samples):
        """samples: all that have arrived at the time `now`."""
        if samples == 0:
            return
        if self._first is None:
            self._first = now, samples
        passed = now - self._first[0]
        missing = self._rate * passed - (samples - self._first[1])
        slack = self._rate * (SLACK_SECONDS + CLOCK_ERROR * passed)
        self.lost = max(self.lost, round(missing - slack))
