# SPDX-License-Identifier: GPL-3.0-or-later
"""What `gpufft spectrum` says about a recording: words of the picture, closing line."""

from itertools import islice

import numpy as np

from . import picture
from .band import MIRRORED_BINS
from .levels import decibels, level_text, noise_bandwidth, silence_level, tone_offset
from .peaks import Lobe, find_outliers, find_peaks
from .quantities import format_frequency, format_rate

PEAKS = 6
# What the mean of all rows is called, by the detector.
CURVES = {
    "mean": "mean",
    "max": "mean of maxima",
    "min": "mean of minima",
    "kurtosis": "mean kurtosis",
}
# What its rows are.
ROWS = {
    "mean": "averages",
    "max": "maxima",
    "min": "minima",
    "kurtosis": "kurtosis",
}


def make_view(recording, framing, band, spectrum, window, waterfall, boxes):
    """Levels, axes and words of the picture; window: the taps; boxes: of Annotation."""
    rate = recording.rate
    is_ratio = spectrum.detector() == "kurtosis"
    convert = np.asarray if is_ratio else decibels
    curve, maximum, name = waterfall.mean, waterfall.maximum, CURVES[spectrum.detector()]
    if spectrum.hold() != "none":  # the last row has all
        curve = maximum = waterfall.last
        name = f"{spectrum.hold()} hold"
    mean = convert(curve)
    silence = silence_level(recording.format, framing.size, rate, window)
    if is_ratio:
        silence = -np.inf
    row = framing.average * framing.hop
    times = np.array((framing.first, framing.first + waterfall.rows * row)) / (
        rate or 1.0
    )
    return picture.View(
        title=recording.title,
        subtitle=subtitle(recording, framing, band, window, spectrum),
        rate=rate,
        band=band,
        bins_in_column=waterfall.bins_in_column,
        absolute=recording.is_real or recording.frequency is not None,
        seconds=tuple(times),
        line_seconds=waterfall.rows_in_line * row / (rate or 1.0),
        level_unit="" if is_ratio else "dBFS/Hz" if rate else "dBFS",
        silence=silence,
        curve_name=name,
        mean=mean,
        maximum=convert(maximum),
        image=convert(waterfall.image),
        peaks=find_marks(recording, framing, band, window, mean, is_ratio),
        boxes=boxes,
    )


def find_marks(recording, framing, band, window, mean, is_ratio):
    """The peaks of a band, strongest first, as picture.Mark."""
    if is_ratio:
        separation = max(3, framing.size // 50)
        deviation = 2 / np.sqrt(framing.average * framing.rows)
        first = min(MIRRORED_BINS, band.bins - 1) if band.mirrored else 0
        peaks = find_outliers(mean[first:], PEAKS, separation, deviation)
        for peak in peaks:
            peak.position += first
    else:
        lobe = Lobe(window[:: max(1, len(window) // 1024)])
        peaks = islice(find_peaks(mean, lobe), PEAKS)
    tone = tone_offset(recording, band, window)
    marks = []
    for peak in peaks:
        frequency = band.frequency(peak.position)
        marks.append(
            picture.Mark(
                frequency,
                peak.level,
                name_frequency(frequency, recording.rate, band.step),
                f"SK {peak.level:.3g}"
                if is_ratio
                else f"{level_text(peak.level + tone)} dBFS",
            )
        )
    return marks


def name_frequency(frequency, rate, resolution):
    """A frequency with as many digits as a tenth of a bin deserves."""
    if rate is None:
        return f"{frequency:+.6f}/sample"
    return format_frequency(frequency, resolution=resolution)


def subtitle(recording, framing, band, window, spectrum):
    """Rate, centre, resolution, rows, engine, in one line."""
    bandwidth = noise_bandwidth(window) * band.step
    words = []
    if recording.frequency is not None:
        words.append(f"centre {format_frequency(recording.frequency)}")
    if recording.rate is not None:
        words += [
            f"rate {format_frequency(recording.rate)}",
            f"resolution {format_frequency(bandwidth, digits=3)}",
        ]
    words += [
        recording.format,
        f"FFT {framing.size}",
        f"{ROWS[spectrum.detector()]} of {framing.average}",
        f"engine {spectrum.engine()}",
    ]
    return "  ·  ".join(words)


def closing_line(framing, spectrum, seconds, view):
    """The last line that the command prints."""
    peaks = ", ".join(f"{mark.name} {mark.tone}" for mark in view.peaks) or "none"
    what = "strongest peaks" if view.level_unit else "farthest from noise"
    return (
        f"{framing.samples} samples, engine {spectrum.engine()}, "
        f"{format_rate(framing.samples / seconds)}, {what}: {peaks}"
    )
