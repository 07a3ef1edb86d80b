# SPDX-License-Identifier: GPL-3.0-or-later
"""How a picture looks: size, colours and range of levels, as the command line says."""

import re
from dataclasses import dataclass
from typing import Optional

from .errors import InputError
from .quantities import parse_levels
from .waterfall import COLUMNS, LINES

# Perceptually uniform ones of matplotlib.
COLOURS = ("inferno", "magma", "plasma", "viridis", "cividis", "gray")
SMALLEST, LARGEST = (640, 480), (8192, 8192)  # pixels
DEFAULT_SIZE = "1200x800"
MOST_CELLS = 4096  # of the waterfall's image along each side


@dataclass(frozen=True)
class Style:
    """None where the picture chooses for itself."""

    width: int  # pixels
    height: int
    colours: Optional[str]
    levels: Optional[tuple]  # (low, high)

    @property
    def image_limits(self):
        """(lines, columns) of the waterfall's image: no fewer than it has pixels."""
        limits = max(LINES, self.height), max(COLUMNS, self.width)
        return tuple(min(limit, MOST_CELLS) for limit in limits)


def make_style(arguments):
    """The style for --picture-size, --colors and --levels."""
    width, height = parse_picture_size(arguments.picture_size)
    levels = arguments.levels
    if levels is not None:
        levels = parse_levels(levels, "--levels", "as --levels -120,-20")
        if arguments.detector == "kurtosis" and levels[0] <= 0:
            raise InputError(
                f"--levels {arguments.levels}: the axis of a kurtosis is logarithmic, "
                f"both must be greater than 0"
            )
    if arguments.colors not in (None, *COLOURS):
        raise InputError(
            f"--colors {arguments.colors!r} is unknown: use {', '.join(COLOURS)}"
        )
    return Style(width, height, arguments.colors, levels)


def parse_picture_size(text):
    """(width, height) of "1200x800"."""
    name = "--picture-size"
    match = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", text)
    if match is None:
        raise InputError(
            f"{name} {text!r} is not a size: write width x height in pixels, as 1200x800"
        )
    size = tuple(map(int, match.groups()))
    if not all(low <= n <= high for low, n, high in zip(SMALLEST, size, LARGEST)):
        raise InputError(
            f"{name} {text} is out of range: it must be 640x480 or more and 8192x8192 or "
            f"less"
        )
    return size
