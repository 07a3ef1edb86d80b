# SPDX-License-Identifier: GPL-3.0-or-later
"""What `gpufft spectrum` says about a recording: picture, table and closing line."""

import numpy as np

from . import picture
from .peaks import Lobe, find_peaks
from .quantities import format_frequency

PEAKS = 6
SMALLEST_POWER = np.finfo(np.float32).tiny


def decibels(power):
    """10 log10(power), NaN where that is NaN."""
    return 10 * np.log10(np.maximum(power, SMALLEST_POWER))


def make_view(recording, framing, spectrum, window, waterfall):
    """Levels, axes and words of the picture; window: the taps."""
    rate = recording.rate
    resolution = (rate or 1.0) / framing.size
    mean = decibels(waterfall.mean)
    bandwidth = noise_bandwidth(window) * resolution
    tone = 10 * np.log10(bandwidth) if rate else 0.0  # dBFS of a tone = dBFS/Hz + this
    centre = recording.frequency or 0.0
    lobe = Lobe(window[:: max(1, len(window) // 1024)])
    peaks = []
    for peak in find_peaks(mean, PEAKS, max(3, framing.size // 50), lobe):
        frequency = centre + (peak.position - framing.size // 2) * resolution
        peaks.append(
            picture.Mark(
                frequency,
                peak.level,
                name_frequency(frequency, rate, resolution),
                f"{peak.level + tone:.1f} dBFS",
            )
        )
    count = (waterfall.rows * framing.average - 1) * framing.hop + framing.size
    words = subtitle(recording, framing, bandwidth, spectrum.engine())
    times = np.array((framing.first, framing.first + count)) / (rate or 1.0)
    return picture.View(
        title=recording.path.name,
        subtitle=words,
        rate=rate,
        centre=centre,
        absolute=recording.frequency is not None,
        seconds=tuple(times),
        level_unit="dBFS/Hz" if rate else "dBFS",
        mean=mean,
        maximum=decibels(waterfall.maximum),
        image=decibels(waterfall.image),
        peaks=peaks,
    )


def noise_bandwidth(window):
    """Equivalent noise bandwidth of a window, in bins."""
    return len(window) * np.sum(window**2) / np.sum(window) ** 2


def name_frequency(frequency, rate, resolution):
    """A frequency with as many digits as a tenth of a bin deserves."""
    if rate is None:
        return f"{frequency:+.6f}/sample"
    return format_frequency(frequency, resolution=resolution)


def subtitle(recording, framing, bandwidth, engine):
    """Rate, centre, resolution, engine, in one line."""
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
        f"averages of {framing.average}",
        f"engine {engine}",
    ]
    return "  ·  ".join(words)


def write_csv(view, file):
    """Frequency and mean power of every bin."""
    n = len(view.mean)
    offsets = (np.arange(n) - n // 2) / n
    frequency = offsets if view.rate is None else view.centre + offsets * view.rate
    name = (
        "frequency_cycles_per_sample,power_dbfs"
        if view.rate is None
        else "frequency_hz,power_dbfs_per_hz"
    )
    np.savetxt(
        file,
        np.column_stack((frequency, view.mean)),
        fmt=("%.12g", "%.4f"),
        delimiter=",",
        header=name,
        comments="",
    )


def closing_line(framing, spectrum, seconds, view):
    """The line that ends the command."""
    peaks = ", ".join(f"{mark.name} {mark.tone}" for mark in view.peaks) or "none"
    return (
        f"{framing.samples} samples, engine {spectrum.engine()}, "
        f"{framing.samples / seconds / 1e6:.1f} Msps, strongest peaks: {peaks}"
    )
