# SPDX-License-Identifier: GPL-3.0-or-later
"""Picks the strongest signals of a power spectrum, and reads them between the bins."""

from dataclasses import dataclass

import numpy as np

ABOVE_FLOOR_DB = 10.0  # a peak is this far above the median of all bins
DYNAMIC_RANGE_DB = 120.0  # below that is rounding, not a signal
SKIRT_DB = 25.0  # what falls off from a peak down to this belongs to it


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
        self._offsets = np.linspace(-0.5, 0.5, 101)  # of the tone from the bin

        def response(offsets):
            phase = np.exp(-2j * np.pi * np.outer(offsets, n) / len(taps))
            return 20 * np.log10(np.abs(phase @ taps) / np.sum(taps) + 1e-3)

        self._loss = -response(self._offsets)
        # Right minus left neighbour, dB: grows as the tone moves to the right.
        self._slope = response(1 - self._offsets) - response(1 + self._offsets)

    def interpolate(self, left, centre, right):
        """Offset (bins) and level (dB) of a tone, from its largest bin and the next."""
        offset = np.interp(right - left, self._slope, self._offsets)
        return offset, centre + np.interp(offset, self._offsets, self._loss)


def find_peaks(decibels, count, separation, lobe):
    """The `count` strongest peaks, strongest first.

    decibels: mean power of every bin in dB; lobe: the window's. A peak owns the bins
    around it that stay within SKIRT_DB of it and above the threshold, and at least
    `separation` bins on each side; other peaks lie outside.
    """
    threshold = max(
        np.median(decibels) + ABOVE_FLOOR_DB, decibels.max() - DYNAMIC_RANGE_DB
    )
    free = decibels >= threshold
    order = np.argsort(decibels)[::-1]
    peaks = []
    for index in order[: np.count_nonzero(free)]:
        if len(peaks) == count:
            break
        if free[index] and is_local_maximum(decibels, index):
            neighbours = decibels[[index - 1, index, (index + 1) % len(decibels)]]
            offset, level = lobe.interpolate(*neighbours)
            peaks.append(Peak(index + offset, level))
        if free[index]:
            first, last = skirt(
                decibels, index, max(threshold, decibels[index] - SKIRT_DB)
            )
            free[
                max(0, min(first, index - separation)) : max(last, index + separation) + 1
            ] = False
    return peaks


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


def is_local_maximum(decibels, index):
    """No neighbour of `index` is higher (the spectrum is periodic)."""
    n = len(decibels)
    return decibels[index] >= max(decibels[index - 1], decibels[(index + 1) % n])


def skirt(decibels, index, level):
    """First and last bin of the run around `index` that stays at or above `level`."""
    below = np.flatnonzero(decibels < level)
    place = np.searchsorted(below, index)
    first = below[place - 1] + 1 if place > 0 else 0
    last = below[place] - 1 if place < len(below) else len(decibels) - 1
    return first, last
