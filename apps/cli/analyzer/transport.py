# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps that keys, bar and controls take in a recording. It needs no Qt."""

import math
import time

from ..errors import InputError
from ..quantities import NO_UNIT, SECONDS, Unit, parse_number
from .panel import FULL_SPEED, REAL_TIME
from .playback import FASTEST, SLOWEST

SPEED = Unit({"": 1, "x": 1}, "0.5 or 2")
ALL = "all"  # of the file is played


class Transport:
    """Moves a session's source, if that is a recording; else only the picture pauses.

    Times are in seconds, or in samples where the rate is unknown."""

    def __init__(self, session):
        self._session = session
        self._flowgraph = session.flowgraph
        self.playback = session.flowgraph.source.playback
        self._mark = None  # A, in samples, until B is set

    @property
    def is_frozen(self):
        """Whether the picture stands still although samples come."""
        return self._session.switches["pause"] and self.playback is None

    def seconds(self, sample):
        """The time of a sample."""
        return sample / (self.playback.rate or 1)

    @property
    def duration(self):
        """Of the recording."""
        return self.seconds(self.playback.samples)

    @property
    def position(self):
        """What is played now."""
        return self.seconds(self.playback.position)

    @property
    def marks(self):
        """Times of A and B; B is None until it is set, both are None without a loop."""
        if self._mark is not None:
            return self.seconds(self._mark), None
        if self.playback.loop == (0, self.playback.samples):
            return None, None
        return tuple(self.seconds(sample) for sample in self.playback.loop)

    def clock(self):
        """(time of the stream's newest sample, its position in the recording), in seconds. In
        a recording time goes as it is played, and stands in a pause."""
        if self.playback is None or self.playback.rate is None:
            return time.monotonic(), math.nan
        return tuple(self.seconds(sample) for sample in self.playback.played)

    def pause(self, is_paused):
        """Stands still, or goes on."""
        self._session.switches["pause"] = is_paused
        if self.playback is not None:
            self.playback.set_playing(not is_paused)

    def toggle_pause(self):
        """Pauses, or goes on."""
        self.pause(not self._session.switches["pause"])

    def step(self, rows):
        """Stands still after the next row (1), or after the one before (-1)."""
        if self.playback is None:
            return
        self.pause(True)
        frames = self._flowgraph.spectrum.average()
        if rows > 0:
            self.playback.step(frames)
        else:
            self._move(self.playback.step_back, frames, self._flowgraph.settings.hop)

    def _move(self, act, *arguments):
        """Calls act(*arguments); at the end of a file that plays once GNU Radio has ended, too,
        and starts again."""
        had_ended = self.playback.has_ended
        act(*arguments)
        if had_ended and not self.playback.has_ended:
            self._flowgraph.stop()
            self._flowgraph.wait()
            self._flowgraph.start()

    def seek(self, seconds):
        """Goes on from a time; in a pause, shows the row there."""
        seconds = min(max(seconds, 0), self.duration)
        self._move(self.playback.seek, round(seconds * (self.playback.rate or 1)))
        if self._session.switches["pause"]:
            self.step(1)

    def to_start(self):
        """Goes to A, or to the start of the file."""
        if self.playback is not None:
            self.seek(self.marks[0] or 0)

    def mark(self):
        """Sets A here; then B; then plays all again."""
        if self.playback is None:
            return
        here = self.playback.position
        if self._mark is not None:
            start, self._mark = self._mark, None
            self._set_loop(*sorted((start, here)))
        elif self.marks[0] is None:
            self._mark = here
        else:
            self._move(self.playback.set_loop, 0, self.playback.samples)

    def _set_loop(self, start, end):
        """From A to B, which are samples. Raises InputError."""
        size = self._flowgraph.settings.size
        if end - start < size:
            raise InputError(
                f"A to B is {end - start} samples: a frame needs {size}; choose a smaller "
                f"FFT size, or marks farther apart"
            )
        self._move(self.playback.set_loop, start, end)

    def set_position(self, text):
        """Goes to a time given as text. Raises InputError."""
        self.seek(self._parse_time(text, "position"))

    def set_loop(self, text):
        """Sets A and B, as "1.5, 2", or "all". Raises InputError."""
        self._mark = None
        if text == ALL:
            self._move(self.playback.set_loop, 0, self.playback.samples)
            return
        start, comma, end = text.partition(",")
        if not comma:
            raise InputError(f"A, B {text!r}: write two times, e.g. 1.5, 2; or {ALL}")
        times = [self._parse_time(each, "A, B") for each in (start, end)]
        if times[0] >= times[1]:
            raise InputError(f"A, B {text!r}: A must be before B")
        rate = self.playback.rate or 1
        self._set_loop(*(min(round(t * rate), self.playback.samples) for t in times))

    def _parse_time(self, text, name):
        seconds = parse_number(text, name, SECONDS if self.playback.rate else NO_UNIT)
        if not 0 <= seconds <= self.duration:
            raise InputError(
                f"{name} {text} is outside the recording: 0 to {self.duration:g}"
            )
        return seconds

    def set_speed(self, text):
        """Sets the speed: times real time, "real time", "full speed". Raises InputError."""
        if text in (REAL_TIME, FULL_SPEED):
            speed = 1.0 if text == REAL_TIME else None
        else:
            speed = parse_number(text, "speed", SPEED)
            if not SLOWEST <= speed <= FASTEST:
                raise InputError(
                    f"speed {text} is out of range: {SLOWEST:g} to {FASTEST:g} times real "
                    f"time, or {FULL_SPEED}"
                )
        self._session.receiver.check_real_time(speed == 1)
        self._flowgraph.set_speed(speed)

    def values(self):
        """The text in force of each field, by its name."""
        if self.playback is None:
            return {}
        marks = self.marks
        loop = ALL if marks[1] is None else "{:.6g}, {:.6g}".format(*marks)
        values = {"position": self.time_text(self.position), "loop": loop}
        if self.playback.rate is not None:
            speed = self.playback.speed
            named = {None: FULL_SPEED, 1.0: REAL_TIME}
            values["speed"] = named[speed] if speed in named else f"{speed:g}"
        return values

    def time_text(self, seconds):
        """A time as exactly as a pixel of the bar needs."""
        return f"{seconds:.3f}" if self.playback.rate else f"{seconds:.0f}"

    def words(self):
        """Position and duration."""
        texts = self.time_text(self.position), self.time_text(self.duration)
        return " / ".join(texts) + (" s" if self.playback.rate else "")

    def notice(self):
        """Why nothing moves, or ""."""
        if self.playback is None:
            return ""
        if self.playback.error:
            return self.playback.error
        size, (start, end) = self._flowgraph.settings.size, self.playback.loop
        if end - start >= size:
            return ""
        what = "recording" if self.marks[0] is None else "part from A to B"
        return f"the {what} has {end - start} samples: too few for a frame of {size}"
