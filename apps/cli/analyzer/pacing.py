# SPDX-License-Identifier: GPL-3.0-or-later
"""When pictures are due."""


class Pacer:
    """Keeps a mean rate: what one sleep is too long, the next one is shorter. Pictures that
    are a whole period late are left out, not made up for."""

    def __init__(self, rate, now):
        """rate: pictures a second; now: the clock's time, in seconds."""
        self._period = 1 / rate
        self._due = now

    def delay(self, now):
        """Seconds to sleep, from the end of a picture until the next one is due."""
        self._due = max(self._due + self._period, now - self._period)
        return max(0.0, self._due - now)
