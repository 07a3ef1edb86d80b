# SPDX-License-Identifier: GPL-3.0-or-later
"""Picks the signals of a power spectrum by their prominence above a local floor, and
reads them between the bins.

A peak has a valley on both sides, near by, that lies deeper below it than noise can fall.
How far noise falls follows from the scatter of neighbouring bins: the power of K averaged
frames has a gamma distribution of shape K. Noise that slopes or has a step lacks one of
the valleys. The valleys between a signal and its shoulders, skirts and side lobes are short
or shallow. A floor may also have waves, as the spectrum of a few bursts does: its bins are
alike, and their differences small. A wide peak stands higher than the floor's waves.
"""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import grey_closing
from scipy.signal import find_peaks as find_local_maxima
from scipy.special import fdtri, gammainccinv

DYNAMIC_RANGE_DB = 120.0  # below that is rounding, not a signal
MOST_COLUMNS = 8192  # more bins are searched in groups, by the largest of each
FALSE_ALARMS = 1e-3  # peaks per spectrum of noise
LAG = 5  # bins that far apart are independent with the usual windows
NEAR = 3  # nearly so, with most of them
# The scatter of all bins is measured in PIECES pieces of PIECE bins.
PIECES, PIECE = 64, 2048
NEIGHBOURHOOD = 64  # bins on each side that measure the scatter near a peak
# What is so near a stronger bin and so far below it may be a side lobe of the window.
LOBE_BINS, LOBE_DB = 32, 90.0
SMALLEST_DEPTH_DB = 4.5  # of a valley
# Lengths of valleys: (dB deeper, widths of the peak, share of the way to a stronger peak).
# Deeper ones may be shorter. The nulls between the side lobes of unfiltered keying are
# shorter still.
VALLEYS = ((0.0, 1.8, 0.45), (4.0, 0.8, 0.3), (9.0, 0.4, 0.17))
MOST_WIDTHS = 3  # of the peak, that the share of the way adds to
CLOSE = 0.01  # of the spectrum: peaks closer than that need a deep valley
CLOSE_DEPTH_DB = 15.0
WIDEST = 0.25  # share of the spectrum between the valleys of a signal; wider is the floor
# Higher than any step of the floor: then a signal may be wider, or reach to the edge, if it
# falls towards it.
HIGH_DB = 30.0
WIDEST_HIGH = 0.5
LEAST_SHOWN = 0.25  # of a signal that the edge cuts: that side's way, by the other's
# A line, as narrow as a window makes it, need not be so high above a smooth floor.
LINE_COLUMNS, LINE_VALLEY, LINE_DB = 5, 12, 3.0
LINE_EDGE = 3  # columns, the first of the valley, that are as low
HIGHER_THAN_WAVES = 5.0  # deviations
FEWEST_WAVES = 8


@dataclass
class Peak:
    """position: bin, with its fraction; level: dB, as the spectrum's."""

    position: float
    level: float


class Lobe:
    """The main lobe of a window: what the bins around a tone show of it."""

    def __init__(self, taps):
        """taps: the window; about 1000 of them suffice, its length hardly matters."""
        n = np.arange(len(taps))
        self._offsets = np.linspace(0, 0.5, 51)  # of the tone from the bin

        def response(offsets):
            phase = np.exp(-2j * np.pi * np.outer(offsets, n) / len(taps))
            return 20 * np.log10(np.maximum(np.abs(phase @ taps) / np.sum(taps), 1e-3))

        self._loss = -response(self._offsets)
        # The neighbour towards the tone less the bin, dB: grows with the offset.
        self._slope = response(1 - self._offsets) + self._loss

    def interpolate(self, left, centre, right):
        """Offset (bins) and level (dB) of a tone, from its largest bin and the next."""
        offset = np.interp(max(left, right) - centre, self._slope, self._offsets)
        loss = np.interp(offset, self._offsets, self._loss)
        return offset if right > left else -offset, centre + loss


class Noise:
    """How far noise scatters, from the differences of its bins."""

    def __init__(self, decibels, group):
        """group: bins of which the largest is searched."""
        frames = np.geomspace(0.5, 1e5, 100)
        # The ratio of two bins has an F distribution; half of the ratios are within this.
        self._differences = 10 * np.log10(fdtri(2 * frames, 2 * frames, 0.75))[::-1]
        highest = gammainccinv(frames, FALSE_ALARMS / len(decibels))
        usual = gammainccinv(frames, -np.expm1(np.log(0.5) / group))
        self._heights = 10 * np.log10(highest / usual)[::-1]
        self._decibels = decibels
        pieces = PIECES if len(decibels) > PIECES * PIECE else 1
        parts = decibels[: len(decibels) // pieces * pieces].reshape(pieces, -1)
        length = PIECE if pieces > 1 else len(decibels)
        self._difference = np.median([median_difference(part[:length]) for part in parts])
        self.deviation = deviation_from(self._difference)

    def measure(self, position):
        """(deviation of a bin, height of noise's highest bin above the usual), in dB."""
        return self._scatter(median_difference(self._around(position)))

    def measure_near(self, position):
        """The same, of what humps and lines near by do not add to."""
        around = self._around(position)
        bends = around[: -2 * NEAR] - 2 * around[NEAR:-NEAR] + around[2 * NEAR :]
        size = np.median(np.abs(bends)) / np.sqrt(3) if len(bends) else 0.0
        return self._scatter(size)

    def _around(self, position):
        first = max(0, position - NEIGHBOURHOOD)
        return self._decibels[first : position + NEIGHBOURHOOD + 1]

    def _scatter(self, difference):
        difference = max(self._difference, difference)
        height = np.interp(difference, self._differences, self._heights)
        return deviation_from(difference), height


def deviation_from(difference):
    """Deviation of a bin whose difference to another has this median size."""
    return difference / (0.6745 * np.sqrt(2))


def median_difference(decibels):
    """Median distance of bins LAG apart, without what a slope adds."""
    if len(decibels) <= LAG:
        return 0.0
    difference = decibels[LAG:] - decibels[:-LAG]
    return np.median(np.abs(difference - np.median(difference)))


class Search:
    """The columns of a spectrum, and the peaks found among them."""

    def __init__(self, decibels):
        self.decibels = decibels
        self._group = -(-len(decibels) // MOST_COLUMNS)
        starts = np.arange(0, len(decibels), self._group)
        self._high = np.maximum.reduceat(self.decibels, starts)
        self._noise = Noise(self.decibels, self._group)
        self._found = []
        self._known_waves = {}  # by their length

    def bins(self):
        """The bins of peaks, strongest first."""
        size = shortest_valley(self._noise.deviation) // 2 + 1
        padded = np.pad(self._high, size, constant_values=np.min(self._high))
        closed = grey_closing(padded, size)[size:-size]  # without noise's short valleys
        columns, _ = find_local_maxima(closed, prominence=SMALLEST_DEPTH_DB)
        columns = {self._highest(c - size, c + size + 1) for c in columns}
        lowest = np.max(self._high) - DYNAMIC_RANGE_DB
        for column in sorted(columns, key=lambda c: -self._high[c]):
            bin = self._bin(column)
            if self._high[column] < lowest or not 0 < bin < len(self.decibels) - 1:
                continue
            if not self._is_lobe(bin) and self._is_peak(column, bin):
                self._found.append(column)
                yield bin

    def _is_lobe(self, bin):
        """A stronger bin near by may have such side lobes."""
        around = self.decibels[max(0, bin - LOBE_BINS) : bin + LOBE_BINS + 1]
        return np.max(around) > self.decibels[bin] + LOBE_DB

    def _highest(self, first, end):
        first = max(0, first)
        return first + int(np.argmax(self._high[first:end]))

    def _bin(self, column):
        """The highest bin of a column."""
        first = column * self._group
        return first + int(np.argmax(self.decibels[first : first + self._group]))

    def _is_peak(self, column, bin):
        """There are valleys on both sides that noise does not have."""
        noise = self._noise.measure(bin)
        sides = self._sides(column)
        if self._has_valleys(sides, noise) or self._is_line(bin, sides):
            return True
        ways = self._ways(sides, noise, HIGH_DB + noise[1])
        if ways == [None, None]:
            return False
        for place, (levels, stronger) in enumerate(sides):
            if ways[place] is None and stronger:
                return False
            if ways[place] is None:
                ways[place] = len(levels)
                outside = levels[-max(1, len(levels) // 4) :]
                is_slope = len(levels) < LEAST_SHOWN * ways[1 - place]
                if is_slope or np.median(outside) > -SMALLEST_DEPTH_DB:
                    return False
        return sum(ways) <= WIDEST_HIGH * len(self._high)

    def _is_line(self, bin, sides):
        """The bins beside the window's main lobe are lower on both sides."""
        beside = [side[0][LINE_COLUMNS:][:LINE_VALLEY] for side in sides]
        count = min(map(len, beside))
        if count < LINE_VALLEY // 2:
            return False
        deviation, height = self._noise.measure_near(bin)
        waves = HIGHER_THAN_WAVES * self._waves(LINE_VALLEY // 2)
        depth = max(LINE_DB, height + max(4 * deviation / np.sqrt(count), waves))
        beside += [each[:LINE_EDGE] for each in beside]
        return max(map(np.median, beside)) < -depth

    def _has_valleys(self, sides, noise):
        """Both within reach, and deeper than waves of the peak's width."""
        depth = SMALLEST_DEPTH_DB
        for _ in range(2):
            ways = self._ways(sides, noise, depth)
            if None in ways or sum(ways) > WIDEST * len(self._high):
                return False
            waves = self._waves(sum(ways) // 2 + 1)
            depth = max(depth, noise[1] + HIGHER_THAN_WAVES * waves)
        return True

    def _waves(self, length):
        """Deviation of the mean of `length` columns from those beside it."""
        if length not in self._known_waves:
            self._known_waves[length] = self._measure_waves(length)
        return self._known_waves[length]

    def _measure_waves(self, length):
        count = len(self._high) // length
        means = self._high[: count * length].reshape(count, length).mean(axis=1)
        if count < FEWEST_WAVES:
            return 0.0
        bends = means[:-2] - 2 * means[1:-1] + means[2:]
        return np.median(np.abs(bends)) / (0.6745 * np.sqrt(6))

    def _sides(self, column):
        """The left and the right of a column, each as (levels outwards, relative to the
        column's; whether a stronger place ends them)."""
        level, last = self._high[column], len(self._high) - 1
        strong = self._found + [edge for edge in (0, last) if self._high[edge] > level]
        reach = max(1, round(WIDEST * len(self._high)))
        left = max((c for c in strong if column - reach < c < column), default=None)
        right = min((c for c in strong if column < c < column + reach), default=None)
        return (
            (self._high[(left or 0) : column][::-1] - level, left is not None),
            (self._high[column + 1 : right] - level, right is not None),
        )

    def _ways(self, sides, noise, depth):
        """Columns to the valley on each side, None without one.

        noise: as Noise.measure() gives it; depth: of the valleys, dB at least.
        """
        deviation, height = noise
        shortest = [
            min(shortest_valley(deviation), max(2, len(side[0]) // 2)) for side in sides
        ]
        depths = [max(depth, height + 4 * deviation / np.sqrt(n)) for n in shortest]
        ways = [None, None]
        for deeper, widths, share in VALLEYS:
            near = [
                first_valley(side[0], depths[i] + deeper, shortest[i])
                for i, side in enumerate(sides)
            ]
            width = sum(way for way in near if way is not None) + 1
            for i, (levels, stronger) in enumerate(sides):
                if ways[i] is not None or near[i] is None:
                    continue
                length, lowest = max(shortest[i], widths * width), depths[i] + deeper
                if stronger:
                    length = max(length, min(share * len(levels), MOST_WIDTHS * width))
                    if len(levels) < CLOSE * len(self._high):
                        lowest = max(lowest, CLOSE_DEPTH_DB)
                if first_valley(levels, lowest, int(np.ceil(length))) is not None:
                    ways[i] = near[i]
        return ways


def shortest_valley(deviation):
    """Columns whose median hardly scatters."""
    return int(np.clip(np.ceil((deviation / 0.5) ** 2), 2, 64))


def first_valley(levels, depth, length):
    """Start of the first `length` levels of which at least half are `depth` below 0."""
    if len(levels) < length:
        return None
    count = np.concatenate(((0,), np.cumsum(levels < -depth)))
    valleys = count[length:] - count[:-length] >= length / 2
    place = int(np.argmax(valleys))
    return place if valleys[place] else None


def find_peaks(decibels, lobe):
    """Yields the peaks of a spectrum, strongest first.

    decibels: mean power of every bin in dB; lobe: the window's. First and last bin are
    edges of what is known, never peaks.
    """
    if len(decibels) < 3:
        return
    search = Search(decibels)
    for bin in search.bins():
        offset, level = lobe.interpolate(*search.decibels[bin - 1 : bin + 2])
        yield Peak(bin + offset, level)


def find_outliers(kurtosis, count, separation, deviation):
    """The `count` bins whose spectral kurtosis is farthest from noise's 1, by ratio.

    deviation: of noise alone. Each keeps `separation` bins from the others and is more
    than 6 deviations from 1.
    """
    distance = np.abs(np.log(np.maximum(kurtosis, 1e-6)))
    distance[np.abs(kurtosis - 1) <= 6 * deviation] = 0
    outliers = []
    for _ in range(count):
        index = int(np.argmax(distance))
        if distance[index] == 0:
            break
        outliers.append(Peak(index, float(kurtosis[index])))
        distance[max(0, index - separation) : index + separation + 1] = 0
    return outliers
