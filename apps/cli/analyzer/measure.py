# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures a channel on the average trace: its power, the bandwidth that a share of this
power occupies, and the power of the channels beside it.

A window spreads a tone's power over several bins, whose sum is the power times the window's
equivalent noise bandwidth in bins (Harris, Proc. IEEE 66, 1978); so a band's power is its
bins' sum over that bandwidth. A bin that lies only partly in the band counts by that part."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from ..errors import InputError
from ..quantities import PERCENT, parse_number

DEFAULT_SHARE = 99.0  # percent of the power in the occupied bandwidth


@dataclass(frozen=True)
class Measured:
    """power: dBFS; density: dBFS/Hz over the channel; occupied: (low, high) in Hz, None
    without power; lower, upper: power of the neighbours in dB relative to the channel's,
    None where they leave the stream's band."""

    power: float
    density: float
    occupied: Optional[tuple]
    lower: Optional[float]
    upper: Optional[float]


class Channel:
    """A channel between two frequencies in Hz; neighbours of the same width touch it."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    @property
    def width(self):
        """In Hz."""
        return self.high - self.low

    def move_to(self, low, high, trace):
        """Sets the limits, in any order; they stay in the stream's band, a bin apart."""
        lowest, highest = trace.band
        low, high = np.clip(sorted((low, high)), lowest, highest)
        self.low = float(min(low, highest - trace.bin_width))
        self.high = float(max(high, self.low + trace.bin_width))

    def neighbours(self):
        """((low, high) below, (low, high) above)."""
        return (self.low - self.width, self.low), (self.high, self.high + self.width)

    def measure(self, trace, share):
        """The channel's Measured on a Trace; share: percent of the power that the occupied
        bandwidth holds."""
        power = band_power(trace, self.low, self.high)
        width = min(self.high, trace.band[1]) - max(self.low, trace.band[0])
        lower, upper = (
            relative(trace, low, high, power) for low, high in self.neighbours()
        )
        return Measured(
            to_decibels(power),
            to_decibels(power / width) if width > 0 else -np.inf,
            occupied_band(trace, self.low, self.high, share / 100),
            lower,
            upper,
        )


def check_share(text, name):
    """Checks a share of the power in percent, given as text."""
    share = parse_number(text, name, PERCENT)
    if not 0 < share < 100:
        raise InputError(f"{name} {text} is out of range: more than 0, less than 100 %")
    return share


def band_power(trace, low, high):
    """Power between two frequencies, linear."""
    _, powers = weighted(trace, low, high)
    return float(np.sum(powers)) / trace.noise_bandwidth


def occupied_band(trace, low, high, share):
    """(low, high) of the band that holds this share of the power between two frequencies,
    with half of the rest on each side (ITU-R SM.328); None without power."""
    first, powers = weighted(trace, low, high)
    if not np.sum(powers) > 0:
        return None
    edges = np.arange(first, first + len(powers) + 1)
    edges = np.clip(edges, trace.position(low), trace.position(high))
    sums = np.concatenate(([0.0], np.cumsum(powers)))
    rest = (1 - share) / 2
    ends = np.interp([rest * sums[-1], (1 - rest) * sums[-1]], sums, edges)
    return tuple(float(trace.frequency(end - 0.5)) for end in ends)


def weighted(trace, low, high):
    """(first bin, powers) of the bins between two frequencies, each by its part in it."""
    first, powers = trace.between(low, high)
    bins = np.arange(first, first + len(powers))
    start, end = trace.position(low), trace.position(high)
    parts = np.minimum(bins + 1, end) - np.maximum(bins, start)
    return first, powers * np.clip(parts, 0, 1)


def relative(trace, low, high, power):
    """Power of a neighbour over a channel's, in dB; None outside the stream's band."""
    lowest, highest = trace.band
    slack = trace.bin_width / 1000  # of rounding
    if low < lowest - slack or high > highest + slack:
        return None
    return to_decibels(band_power(trace, low, high)) - to_decibels(power)


def to_decibels(power):
    """10 log10; -inf for none."""
    return float(10 * np.log10(power)) if power > 0 else -np.inf
