# SPDX-License-Identifier: GPL-3.0-or-later
"""The values that the analyzer's controls set, and derived ones."""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np
from gnuradio import gpufft

from ..errors import InputError
from ..quantities import (
    SECONDS,
    check_range,
    parse_integer,
    parse_number,
    parse_ratio,
    parse_size,
)
from ..spectrum import parse_window, window_taps

SMALLEST_SIZE = 16
LARGEST_SIZE = 1 << 22
FIRST_LEVELS = (-120.0, 0.0)  # dB, until there are some
MANY_TAPS = 4096  # of a window
DETECTORS = ("mean", "max", "min")
ROWS_PER_SECOND = 60  # that come: two or so for each picture,
VIEWED_BINS_PER_SECOND = 1e8  # or fewer that spectrum_view can take
MOST_FRAMES = 1 << 40  # in a row


@dataclass(frozen=True)
class Settings:
    """Of the transform and the traces. average: frames in a row, None for the display's
    choice; averaging, persistence: time constants in seconds."""

    size: int = 4096
    overlap: float = 0.5
    window: str = "hann"
    average: Optional[int] = None
    detector: str = "mean"
    averaging: float = 0.3
    persistence: float = 1.0

    @property
    def hop(self):
        """Samples from frame to frame."""
        return max(1, round(self.size * (1 - self.overlap)))

    def overlap_of(self, hop, name="--hop"):
        """The overlap of frames `hop` samples apart. Raises InputError beyond the size."""
        return 1 - check_range(hop, hop, name, 1, self.size) / self.size

    def frames_in_row(self, rate):
        """Frames in a row at `rate` samples a second."""
        if self.average is not None:
            return self.average
        rows_per_second = min(ROWS_PER_SECOND, VIEWED_BINS_PER_SECOND / self.size)
        return min(max(1, math.ceil(rate / self.hop / rows_per_second)), MOST_FRAMES)

    def resolution_bandwidth(self, rate):
        """Hz: the noise bandwidth of a bin (cycles a sample at rate 1)."""
        return noise_bandwidth(self.window, self.size) * rate / self.size

    def size_for(self, bandwidth, rate):
        """The size whose resolution bandwidth is nearest to `bandwidth`, in range."""
        size = noise_bandwidth(self.window) * rate / max(bandwidth, rate / LARGEST_SIZE)
        return min(max(round(size), SMALLEST_SIZE), LARGEST_SIZE)


def noise_bandwidth(window, size=MANY_TAPS):
    """Noise bandwidth in bins of a window of this size; beyond MANY_TAPS it hardly changes."""
    taps = np.array(gpufft.window_taps(parse_window(window), min(size, MANY_TAPS)))
    return float(len(taps) * np.sum(taps**2) / np.sum(taps) ** 2) if len(taps) else 1.0


def check_size(text, name="--size"):
    """Checks an FFT length given as text."""
    return parse_size(text, name, SMALLEST_SIZE, LARGEST_SIZE)


def check_overlap(text, name="--overlap"):
    """Checks an overlap given as text."""
    return parse_ratio(text, name)


def check_hop(text, name="--hop"):
    """Checks samples from frame to frame given as text."""
    return parse_integer(text, name, 1, LARGEST_SIZE)


def check_average(text, name="--average"):
    """Checks a number of frames given as text; "auto" is None."""
    return None if text == "auto" else parse_integer(text, name, 1, MOST_FRAMES)


def check_seconds(text, name):
    """Checks a time constant given as text."""
    seconds = parse_number(text, name, SECONDS)
    if seconds < 0:
        raise InputError(f"{name} {text} is out of range: it must be 0 or more")
    return seconds


def window_names():
    """The names of windows without a parameter."""
    return [name for name in gpufft.window_names().split(", ") if is_window(name)]


def is_window(text):
    """Whether the module knows this window."""
    try:
        check_window(text)
    except InputError:
        return False
    return True


def check_window(text, name="--window"):
    """Checks a window given as text."""
    parse_window(text)
    try:
        window_taps(text, 1000)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return text


def check_detector(text, name="--detector"):
    """Checks the name of a detector of linear power."""
    if text not in DETECTORS:
        raise InputError(f"{name} {text!r} is unknown: use {', '.join(DETECTORS)}")
    return text
