# SPDX-License-Identifier: GPL-3.0-or-later
"""What the analyzer draws from one picture of gpufft.spectrum_view.take(): levels in dB
over frequency, peaks, shades."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from gnuradio import gpufft

from ..formats import is_real
from ..peaks import Lobe, find_peaks
from ..quantities import format_frequency, frequency_unit
from ..spectrum import parse_window

LOWEST_POWER = 1e-30
LARGEST_PEAKS = 6
FEWEST_BINS_AROUND = 256  # of the band shown, that tell a peak from a part of one
FAINTEST_SHARE = 1e-4  # of the time; the density shows what is more frequent


def decibels(power):
    """10 log10, with a floor."""
    return 10 * np.log10(np.maximum(power, LOWEST_POWER))


@dataclass(frozen=True)
class Axis:
    """Frequencies of `size` bins, DC in the middle, in the unit that the plots have."""

    size: int
    rate: float
    centre: float
    divisor: float
    label: str
    is_in_hertz: bool = True  # else cycles a sample
    is_real: bool = False  # then the lower half of the spectrum mirrors the upper one

    def text(self, frequency, digits=7, resolution=None):
        """A frequency in words, as format_frequency does."""
        if self.is_in_hertz:
            return format_frequency(frequency, digits, resolution)
        return f"{frequency:.6g}"

    @property
    def low(self):
        """The band's lower end."""
        return (self.centre - (0 if self.is_real else self.rate / 2)) / self.divisor

    @property
    def high(self):
        """The band's upper end."""
        return (self.centre + self.rate / 2) / self.divisor

    def edge(self, bin):
        """Frequency of the lower edge of a bin (of the next one's: its upper edge)."""
        offset = (bin - 0.5 - self.size // 2) * self.rate / self.size
        return (self.centre + offset) / self.divisor

    def bin(self, frequency):
        """The bin that holds a frequency, with its fraction, from its lower edge."""
        hertz = frequency * self.divisor - self.centre
        return hertz * self.size / self.rate + self.size // 2 + 0.5

    def bins(self, low, high):
        """(first bin, bins) that cover low ... high, at least 2, within the band."""
        lowest = self.size // 2 if self.is_real else 0
        first = int(np.clip(np.floor(self.bin(low) + 1e-6), lowest, self.size - 2))
        end = int(np.clip(np.ceil(self.bin(high) - 1e-6), first + 2, self.size))
        return first, end - first


def make_axis(source, size):
    """The axis of a source's spectrum: cycles a sample if it has no rate."""
    real = is_real(source.format)
    if source.rate is None:
        return Axis(size, 1.0, 0.0, 1.0, "Frequency (cycles/sample)", False, real)
    centre = source.frequency or 0.0
    divisor, unit = frequency_unit(abs(centre) + source.rate / 2)
    what = "Frequency" if real or source.frequency is not None else "Frequency offset"
    return Axis(size, source.rate, centre, divisor, f"{what} ({unit})", True, real)


def column_edges(picture, axis):
    """Frequencies between the columns of a picture, and at both ends."""
    columns = picture["columns"]
    bins = picture["first_bin"] + np.arange(columns + 1) * picture["bins"] // columns
    return axis.edge(bins)


@dataclass(frozen=True)
class PeakMark:
    """frequency in Hz (cycles a sample without a rate), level in dBFS of a tone there."""

    frequency: float
    level: float


class PeakFinder:
    """Peaks of a picture, read between the bins."""

    def __init__(self, axis, window):
        self._axis = axis
        self._lobe = Lobe(np.array(gpufft.window_taps(parse_window(window), 1000)))

    def find(self, picture, view, count=LARGEST_PEAKS):
        """The strongest peaks of the band shown, strongest first. view: the block."""
        first, end = picture["first_bin"], picture["first_bin"] + picture["bins"]
        margin = max(picture["bins"], FEWEST_BINS_AROUND)
        bands = [(max(0, first - margin), min(view.bins(), end + margin))]
        if bands[0] != (0, view.bins()):  # all that is near may be one signal
            bands.append((0, view.bins()))
        for low, high in bands:
            found = find_peaks(decibels(view.average(low, high - low)), self._lobe)
            shown = (p for p in found if first <= low + round(p.position) < end)
            marks = [self._mark(low + p.position, p.level) for p in islice(shown, count)]
            if marks:
                return marks
        return []

    def _mark(self, position, level):
        frequency = self._axis.edge(position + 0.5) * self._axis.divisor
        return PeakMark(frequency, float(level))


def level_range(picture):
    """(low, high) in dB, whole tens: around the noise and the strongest signal."""
    noise = np.percentile(decibels(picture["average_low"]), 10)
    low = 10 * np.floor((noise - 12) / 10)
    high = 10 * np.ceil((decibels(picture["max_hold"].max()) + 6) / 10)
    return low, max(high, low + 40) + 0.0  # never -0


def is_silent(picture):
    """Whether a picture's rows hold nothing but zeros."""
    return picture["mean"].max() <= LOWEST_POWER


def density_shades(density):
    """0 ... 255 for the logarithm of shares of time; 0 for none."""
    share = np.log10(np.maximum(density, 1e-12)) / -np.log10(FAINTEST_SHARE) + 1
    return np.clip(255 * share, 0, 255).astype(np.uint8)


def level_shades(levels, low, high):
    """0 ... 255 for levels from low to high."""
    return np.clip((levels - low) * (255 / (high - low)), 0, 255).astype(np.uint8)
