# SPDX-License-Identifier: GPL-3.0-or-later
"""The range of levels that suits the lines of a waterfall: wider than their noise by a little,
and not as wide as that of traces, which show every frame's highest and lowest power."""

from collections import deque

import numpy as np

from .screen import LOWEST_POWER, decibels

LINES = 300  # that the range suits, the last ones
STEP = 5.0  # dB, of both ends
BELOW_NOISE = 3.0  # dB
LEAST = 20.0  # dB, between both ends


class WaterfallRange:
    """Follows lines of linear power. A line of digital silence does not count."""

    def __init__(self):
        self._noise = deque(maxlen=LINES)  # in dB, of each line
        self._strongest = deque(maxlen=LINES)

    def add(self, line):
        """Takes the next line."""
        levels = decibels(line[line > LOWEST_POWER])
        if len(levels) > 0:
            self._noise.append(np.percentile(levels, 10))
            self._strongest.append(levels.max())

    def levels(self):
        """(low, high) in dB, or None before the first line."""
        if not self._noise:
            return None
        low = STEP * np.floor((np.median(self._noise) - BELOW_NOISE) / STEP)
        high = STEP * np.ceil(np.percentile(self._strongest, 98) / STEP)
        return float(low), float(max(high, low + LEAST)) + 0.0  # never -0
