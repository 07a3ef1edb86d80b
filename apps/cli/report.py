# SPDX-License-Identifier: GPL-3.0-or-later
"""What `gpufft spectrum` says about a recording: picture, table and closing line."""

from itertools import islice

import numpy as np

from . import picture
from .peaks import Lobe, find_outliers, find_peaks
from .quantities import format_frequency

PEAKS = 6
# What the mean of all rows is called, by the detector.
CURVES = {
    "mean": "mean",
    "max": "mean of maxima",
    "min": "mean of minima",
    "kurtosis": "mean kurtosis",
}
SMALLEST_POWER = np.finfo(np.float32).tiny
# What its rows are.
ROWS = {
    "mean": "averages",
    "max": "maxima",
    "min": "minima",
    "kurtosis": "kurtosis",
}


def decibels(power):
    """10 log10(power), NaN where that is NaN."""
    return 10 * np.log10(np.maximum(power, SMALLEST_POWER))


def make_view(recording, framing, spectrum, window, waterfall):
    """Levels, axes and words of the picture; window: the taps."""
    rate = recording.rate
    resolution = (rate or 1.0) / framing.size
    is_ratio = spectrum.detector() == "kurtosis"
    convert = np.asarray if is_ratio else decibels
    curve, maximum, name = waterfall.mean, waterfall.maximum, CURVES[spectrum.detector()]
    if spectrum.hold() != "none":  # the last row has all
        curve = maximum = waterfall.last
        name = f"{spectrum.hold()} hold"
    mean = convert(curve)
    bandwidth = noise_bandwidth(window) * resolution
    tone = 10 * np.log10(bandwidth) if rate else 0.0  # dBFS of a tone = dBFS/Hz + this
    centre = recording.frequency or 0.0
    if is_ratio:
        separation = max(3, framing.size // 50)
        deviation = 2 / np.sqrt(framing.average * waterfall.rows)
        peaks = find_outliers(mean, PEAKS, separation, deviation)
    else:
        lobe = Lobe(window[:: max(1, len(window) // 1024)])
        peaks = list(islice(find_peaks(mean, lobe), PEAKS))
    marks = []
    for peak in peaks:
        frequency = centre + (peak.position - framing.size // 2) * resolution
        marks.append(
            picture.Mark(
                frequency,
                peak.level,
                name_frequency(frequency, rate, resolution),
                f"SK {peak.level:.3g}" if is_ratio else f"{peak.level + tone:.1f} dBFS",
            )
        )
    count = (waterfall.rows * framing.average - 1) * framing.hop + framing.size
    words = subtitle(recording, framing, bandwidth, spectrum)
    times = np.array((framing.first, framing.first + count)) / (rate or 1.0)
    return picture.View(
        title=recording.path.name,
        subtitle=words,
        rate=rate,
        centre=centre,
        absolute=recording.frequency is not None,
        seconds=tuple(times),
        level_unit="" if is_ratio else "dBFS/Hz" if rate else "dBFS",
        curve_name=name,
        mean=mean,
        maximum=convert(maximum),
        image=convert(waterfall.image),
        peaks=marks,
    )


def noise_bandwidth(window):
    """Equivalent noise bandwidth of a window, in bins."""
    return len(window) * np.sum(window**2) / np.sum(window) ** 2


def name_frequency(frequency, rate, resolution):
    """A frequency with as many digits as a tenth of a bin deserves."""
    if rate is None:
        return f"{frequency:+.6f}/sample"
    return format_frequency(frequency, resolution=resolution)


def subtitle(recording, framing, bandwidth, spectrum):
    """Rate, centre, resolution, rows, engine, in one line."""
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


def write_csv(view, file):
    """Frequency and level of every bin: the picture's curve."""
    n = len(view.mean)
    offsets = (np.arange(n) - n // 2) / n
    frequency = offsets if view.rate is None else view.centre + offsets * view.rate
    units = {"": "spectral_kurtosis", "dBFS": "power_dbfs", "dBFS/Hz": "power_dbfs_per_hz"}
    unit = "cycles_per_sample" if view.rate is None else "hz"
    name = f"frequency_{unit},{units[view.level_unit]}"
    np.savetxt(
        file,
        np.column_stack((frequency, view.mean)),
        fmt=("%.12g", "%.4f"),
        delimiter=",",
        header=name,
        comments="",
    )


def closing_line(framing, spectrum, seconds, view):
    """The last line that the command prints."""
    peaks = ", ".join(f"{mark.name} {mark.tone}" for mark in view.peaks) or "none"
    what = "strongest peaks" if view.level_unit else "farthest from noise"
    return (
        f"{framing.samples} samples, engine {spectrum.engine()}, "
        f"{framing.samples / seconds / 1e6:.1f} Msps, {what}: {peaks}"
    )
