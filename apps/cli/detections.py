# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds signals in a waterfall: connected cells above the noise around them.

The noise in a column is a low quantile over time, as signals come and go; where it is
clearly lower on both sides of a column, a steady signal lies in between, and the higher
of the two sides is the noise. A mean of K independent frames of noise is Gamma distributed
with the shape K, and a cell shows the largest of the g bins of its column; so a threshold
for a given number of false alarms follows from K, g and the number of cells.
"""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from scipy.special import gammainccinv, gammaincinv

from .band import MIRRORED_BINS
from .levels import noise_bandwidth

FALSE_ALARMS = 0.01  # cells that noise lifts above the threshold, in a whole picture
LEAST_DB = 4.0  # the threshold above the noise: real noise is not quite even
MEMBERS = 0.003  # part of cells that noise lifts so far that they extend a signal,
LEAST_OF_MEMBERS_DB = 2.0  # and by this at least
SKIRT_DB = 26.0  # what is connected to a signal and this far below its peak is its skirt
TIME_QUANTILE, SIDE_QUANTILE = 0.25, 0.3  # of noise: signals may fill the other cells
SIDE_PART = 8  # of the band's columns, on each side of one
FEWEST_COLUMNS = 15
# Columns that smooth the noise; more where few lines are there to measure it.
SMOOTHING, SMOOTHED_CELLS = 9, 400
STEADY_DB = 6.0  # that a steady signal rises above the noise beside it, at least
REACH = np.ones((5, 7), bool)  # cells that belong together: 2 lines, 3 columns apart


@dataclass(frozen=True)
class Detection:
    """A signal: samples from the recording's first, Hz, dBFS of its strongest bin, dB
    above the noise there."""

    start: int
    count: int
    low: float
    high: float
    level: float
    above: float


def find_detections(waterfall, framing, band, taps, silence, tone):
    """All signals of a Waterfall of means, in no order.

    taps: of the window; silence: dB, below is none; tone: dB from a density to dBFS.
    """
    image = waterfall.image
    levels = 10 * np.log10(np.maximum(image, 10 ** (silence / 10)))
    levels[~np.isfinite(image)] = silence
    above = levels - noise_of(levels, silence)
    if band.mirrored:  # not Gamma distributed
        above[:, : -(-MIRRORED_BINS // waterfall.bins_in_column)] = -np.inf
    least, member = thresholds(waterfall, framing, taps)
    signal = ndimage.binary_propagation(above > least, mask=above > member)
    joined = label_joined(signal)
    for number, box in enumerate(ndimage.find_objects(joined), 1):
        inside = joined[box] == number
        signal[box] &= ~inside | (levels[box] > levels[box][inside].max() - SKIRT_DB)
    boxes = ndimage.find_objects(label_joined(signal))
    return [
        detection_in(box, levels[box] + tone, above[box], waterfall, framing, band)
        for box in boxes
    ]


def label_joined(cells):
    """Numbers of the groups of cells that lie within REACH of each other; 0: no cell."""
    joined, _ = ndimage.label(ndimage.binary_dilation(cells, REACH))
    return np.where(cells, joined, 0)


def noise_of(levels, silence):
    """dB of the noise in each column, from its lines that are not silent."""
    heard = np.where(levels > silence, levels, np.nan)
    heard[0, np.isnan(heard).all(axis=0)] = silence  # a column of silence
    low = np.nanquantile(heard, TIME_QUANTILE, axis=0)
    width = min(len(low), max(FEWEST_COLUMNS, len(low) // SIDE_PART))
    sides = (
        ndimage.percentile_filter(
            low, 100 * SIDE_QUANTILE, width, mode="nearest", origin=origin
        )
        for origin in (-(width // 2), (width - 1) // 2)
    )
    columns = min(len(low), max(SMOOTHING, SMOOTHED_CELLS // len(levels)))
    smooth = ndimage.median_filter(low, columns, mode="mirror")  # edges count once
    own, beside = np.maximum(low, smooth), np.maximum(*sides)
    return np.where(own - beside > STEADY_DB, beside, own)


def thresholds(waterfall, framing, taps):
    """dB above noise_of() of a signal and of the cells that extend it, for each line."""
    bins, cells = waterfall.bins_in_column, waterfall.image.size
    independent = 1 + (bins - 1) / noise_bandwidth(taps)  # a window couples neighbours
    frames = np.maximum(waterfall.counts, 1) * framing.average
    limits = ((FALSE_ALARMS / cells, LEAST_DB), (MEMBERS, LEAST_OF_MEMBERS_DB))
    found = np.empty((2, len(frames), 1))
    for count in np.unique(frames):
        shape = count / variance_factor(taps, framing.hop, count)
        usual = gammaincinv(shape, TIME_QUANTILE ** (1 / independent))
        for threshold, (alarms, least) in zip(found, limits):
            rare = gammainccinv(shape, -np.expm1(np.log1p(-alarms) / bins))
            threshold[frames == count] = max(least, 10 * np.log10(rare / usual))
    return found


def variance_factor(taps, hop, frames):
    """How much larger the variance of a mean of overlapping frames is than that of
    independent ones (P. D. Welch, IEEE Trans. Audio Electroacoust. 15, 1967)."""
    factor, power = 1.0, np.sum(taps**2)
    for k in range(1, min(frames, -(-len(taps) // hop))):
        correlation = np.dot(taps[: -k * hop], taps[k * hop :]) / power
        factor += 2 * (1 - k / frames) * correlation**2
    return factor


def detection_in(box, levels, above, waterfall, framing, band):
    """The Detection of the cells in a box (slices of lines and columns)."""
    lines, columns = box
    row = waterfall.rows_in_line * framing.average * framing.hop  # samples of a line
    first = framing.first + lines.start * row
    last = min(framing.first + lines.stop * row, framing.first + framing.samples)
    bins = np.array((columns.start, columns.stop)) * waterfall.bins_in_column
    low, high = np.clip(band.frequency(bins - 0.5), band.start, band.end)
    return Detection(
        first,
        last - first,
        float(low),
        float(high),
        float(levels.max()),
        float(above.max()),
    )
