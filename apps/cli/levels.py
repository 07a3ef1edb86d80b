# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels in dB, and the lowest that the samples of a recording can mean."""

import numpy as np

SMALLEST_POWER = np.finfo(np.float32).tiny


def decibels(power):
    """10 log10(power), NaN where that is NaN."""
    return 10 * np.log10(np.maximum(power, SMALLEST_POWER))


def level_text(level):
    """dB with a digit behind the point, never "-0.0"."""
    return f"{round(float(level), 1) + 0.0:.1f}"


def rounding_noise(format):
    """Power of the noise that rounding to integers makes, full scale 1: a twelfth of the
    step's square, in I and in Q; in real samples, which are doubled, four times that. 0
    for floats."""
    if format[1] == "f":
        return 0.0
    bits = int(format[2:].removesuffix("be"))
    step = 2.0 ** (1 - bits)
    return step**2 / 12 * (4 if format.startswith("r") else 2)


def silence_level(format, size, rate, window):
    """dB of a bin below which there is digital silence, not noise: rounding spread evenly
    over the band, dBFS/Hz or (rate None) dBFS. window: the taps."""
    bandwidth = noise_bandwidth(window) / size  # of the sample rate
    noise = rounding_noise(format)
    return float(decibels(noise / rate if rate else noise * bandwidth))


def noise_bandwidth(window):
    """Equivalent noise bandwidth of a window, in bins."""
    return len(window) * np.sum(window**2) / np.sum(window) ** 2


def tone_offset(recording, band, window):
    """dB from the level of a bin to that of a tone in it, dBFS."""
    bandwidth = noise_bandwidth(window) * band.step
    return 10 * np.log10(bandwidth) if recording.rate else 0.0


def above(levels, lowest):
    """Those above `lowest` dB, or all if none is; no NaN."""
    finite = levels[np.isfinite(levels)]
    heard = finite[finite > lowest]
    return heard if heard.size else finite
