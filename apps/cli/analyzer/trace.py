# SPDX-License-Identifier: GPL-3.0-or-later
"""The average trace, bin by bin, whatever part of it is shown: what markers and measurements
read. Frequencies are in Hz (cycles a sample without a rate)."""

import math

import numpy as np

from .screen import decibels


class Trace:
    """Powers of all bins of one stream, by frequency."""

    def __init__(self, axis, powers, noise_bandwidth):
        """powers(first, count): linear powers of `count` bins, in which a tone of amplitude
        1 is 1; noise_bandwidth: the window's, in bins."""
        self.axis = axis
        self.noise_bandwidth = noise_bandwidth
        self._powers = powers
        first, count = axis.bins(axis.low, axis.high)
        self._first, self._last = first, first + count - 1

    @property
    def bin_width(self):
        """Distance of the bins, in Hz."""
        return self.axis.rate / self.axis.size

    @property
    def resolution_bandwidth(self):
        """Noise bandwidth of a bin, in Hz."""
        return self.noise_bandwidth * self.bin_width

    @property
    def band(self):
        """(lowest, highest) frequency."""
        return self.axis.low * self.axis.divisor, self.axis.high * self.axis.divisor

    def position(self, frequency):
        """Bin and fraction of a frequency, counted from the lower edge of bin 0."""
        return self.axis.bin(frequency / self.axis.divisor)

    def nearest(self, frequency):
        """The bin of a frequency, or the nearest one."""
        position = math.floor(self.position(frequency))
        return min(max(position, self._first), self._last)

    def frequency(self, bin):
        """Centre of a bin."""
        return self.axis.edge(bin + 0.5) * self.axis.divisor

    def covers(self, frequency):
        """Whether there is a bin at a frequency."""
        return self._first <= math.floor(self.position(frequency)) <= self._last

    def level(self, frequency):
        """Level in dBFS at a frequency."""
        return float(decibels(self._powers(self.nearest(frequency), 1))[0])

    def strongest(self, low, high):
        """Centre of the strongest bin between two frequencies, or of the nearest bin."""
        first, powers = self.between(low, high)
        return self.frequency(first + int(np.argmax(powers)))

    def between(self, low, high):
        """(first bin, linear powers) of all bins that two frequencies touch."""
        first, last = self.nearest(low), self.nearest(high)
        powers = self._powers(first, last - first + 1)
        return first, np.asarray(powers, np.float64)
