# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing a recording: position, speed, loop, seeking and single steps.

A *pass* is a part of the recording that is played without a jump: from the start, from A, or
from where the user went, to the end or to B. The frames of a pass lie `hop` samples apart from
its first sample on, and all of each frame lies in the pass. FrameSource gives the transform
frame after frame, each with all of its samples, so that no transform ever sees samples from
both sides of a jump. The samples after the last whole frame of a pass are left out. Every pass
over the same part therefore has the same frames, at any size and overlap."""

import threading
import time

PIECE_SECONDS = 0.01  # in which a file comes
SLACK_SECONDS = 0.25  # by which the clock may be ahead of the stream
SLOWEST, FASTEST = 0.1, 10.0  # times real time


class Playback:
    """Where a recording is and where it goes from there. Any thread may call any function.

    samples: of the recording; rate: a second, None if unknown, then it plays at full speed;
    is_looping: whether the end is followed by the start; speed: times real time, None is as
    fast as possible; loop: (A, B) in samples; is_playing: False in a pause; passed: samples
    played since the beginning; error: why nothing more can be read, or ""."""

    def __init__(self, samples, rate, is_looping):
        self.samples = samples
        self.rate = rate
        self.is_looping = is_looping
        self.speed = None
        self.loop = 0, samples
        self.is_playing = True
        self.passed, self.error = 0, ""
        self._has_ended = False
        self._lock = threading.Lock()
        self._steps = 0  # frames to come in a pause
        self._then = None  # when the clock was read last
        self._tap = None
        self._begin(0)

    def _begin(self, sample):
        """Begins a pass."""
        start, end = self.loop
        self._next = sample  # first sample of the next frame
        self._played = sample  # first sample that has not been played
        self._due = float(sample)  # as far as the clock is
        self._end = end if sample < end else self.samples
        self._start = start

    @property
    def position(self):
        """The sample that is played now."""
        with self._lock:
            if self._is_timed() and self.is_playing:
                return int(min(self._due, self._end))
            return self._played

    @property
    def has_ended(self):
        """Whether it stands at the end, as nothing follows."""
        with self._lock:
            return self._has_ended

    @property
    def played(self):
        """(samples played since the beginning, the sample after the last of them). Their
        difference is the same all through a pass."""
        with self._lock:
            return self.passed, self._played

    def seek(self, sample):
        """Goes on from a sample."""
        with self._lock:
            self.error, self._has_ended = "", False
            self._begin(min(max(int(sample), 0), self.samples - 1))

    def set_loop(self, start, end):
        """Plays from A to B again and again. The position moves into the loop."""
        with self._lock:
            self.loop = start, end
            if start <= self._played < end:
                self._start, self._end = start, end
            else:
                self._begin(start)
            self.error, self._has_ended = "", False

    def set_playing(self, is_playing):
        """Pauses, or goes on."""
        with self._lock:
            self.is_playing = is_playing
            self._due, self._then, self._steps = float(self._played), None, 0

    def set_speed(self, speed):
        """Plays at `speed` times real time; None: as fast as possible."""
        with self._lock:
            self.speed, self._due, self._then = speed, float(self._played), None

    def step(self, frames):
        """Gives `frames` frames more, in a pause."""
        with self._lock:
            self._steps += frames

    def step_back(self, frames, hop):
        """Gives the frames before the last ones, in a pause."""
        with self._lock:
            self._has_ended = False
            lowest = self._start if self._next >= self._start else 0
            self._begin(max(self._next - 2 * frames * hop, lowest))
            self._steps = frames

    def take(self, size, hop, most):
        """(first sample, number) of the next frames that shall come now, at most `most`;
        their number may be 0. They lie `hop` apart."""
        with self._lock:
            if self._has_ended:
                return self._next, 0
            self._read_clock(size)
            if self._tap is not None and self._tap.is_full:
                return self._next, 0
            count = self._count_frames(size, hop, most)
            if count == 0 and self._is_through(size):
                self._jump()
                count = self._count_frames(size, hop, most)
            first = self._next
            if count:
                self._move(first + (count - 1) * hop + size, count)
                self._next += count * hop
            return first, count

    def _is_timed(self):
        return self.speed is not None and self.rate is not None

    def _read_clock(self, size):
        """Moves the clock's position, in pieces."""
        now = time.monotonic()
        if self._then is None or not self.is_playing:
            self._then = now
        if not self.is_playing or not self._is_timed():
            return
        passed = now - self._then
        if passed >= PIECE_SECONDS:
            pace = self.rate * self.speed
            latest = min(self._end, self._next + size) + SLACK_SECONDS * pace
            self._due = min(self._due + passed * pace, latest)
            self._then = now

    def _count_frames(self, size, hop, most):
        """Frames of this pass that are due."""
        end = self._end
        if self.is_playing and self._is_timed():
            end = min(end, int(self._due))
        if not self.is_playing:
            most = min(most, self._steps)
        return max(0, min(most, (end - self._next - size) // hop + 1))

    def _is_through(self, size):
        """Whether the pass has no more frames, and its time is over."""
        if self._next + size <= self._end or self._has_ended:
            return False
        if not self.is_playing:
            return self._steps > 0
        return not self._is_timed() or self._due >= self._end

    def _jump(self):
        """Ends a pass."""
        over = self._due - self._end if self.is_playing and self._is_timed() else 0
        self._move(self._end, 0)
        if not self.is_looping and self.loop == (0, self.samples):
            self._has_ended, self._steps = True, 0
            return
        self._begin(self._start)
        self._due += over

    def _move(self, end, frames):
        """Has played up to a sample; or has a frame, of fewer samples than those before, of
        what was played already."""
        if end > self._played:
            if self._tap is not None:
                self._tap.append(self._played, end)
            self.passed += end - self._played
            self._played = end
        if not self.is_playing:
            self._steps -= frames

    def fail(self, message):
        """Ends it: the file cannot be read any more."""
        with self._lock:
            self.error, self._has_ended, self._steps = message, True, 0

    def set_tap(self, tap):
        """From now on calls tap.append(first sample, end) for all that is played, and waits
        while tap.is_full; None: for nobody."""
        with self._lock:
            if tap is not self._tap and self._tap is not None:
                self._tap.clear()
            self._tap = tap


def rest(then):
    """Sleeps until the next piece is due; then: when the last one was."""
    left = PIECE_SECONDS - (time.monotonic() - then)
    time.sleep(left if left > 0 else PIECE_SECONDS)
