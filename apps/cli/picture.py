# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a spectrum and its waterfall as one picture: PNG, SVG or PDF."""

import warnings
from dataclasses import dataclass

import matplotlib
import numpy as np

from .band import Band
from .levels import above
from .quantities import frequency_unit
from .waterfall import group_maximum

matplotlib.use("Agg")
from matplotlib.colors import LogNorm, Normalize  # noqa: E402 (after the backend)
from matplotlib.figure import Figure  # noqa: E402

from . import boxes, peak_list  # noqa: E402

MAX_POINTS = 4096  # of a line; more bins show the largest of each group
LEVEL_NAMES = {
    "dBFS/Hz": "Power density (dBFS/Hz)",
    "dBFS": "Level (dBFS per bin)",
    "": "Spectral kurtosis (1: Gaussian noise)",
}
BELOW_SILENCE_DB = 20.0  # that the level axis reaches: rounding is not always noise
MEAN_COLOUR = "#0b5394"
MAXIMUM_COLOUR = "#e69138"
DPI = 100
DESIGN = (1200, 800)  # a larger picture is the same, magnified
# Around and between the plots, in 1/DPI inch; PANEL: width of what is right of them.
LEFT, RIGHT, TOP, BOTTOM, BETWEEN, PANEL = 90, 18, 84, 60, 24, 150
TITLE_CHARACTER = 10.5  # width, in 1/DPI inch
FACT_CHARACTER = 0.74  # width for each point of the font's size, in 1/DPI inch


@dataclass
class Mark:
    """A peak: where it stands, and its words. `tone` is the level of a tone that high."""

    frequency: float
    level: float
    name: str
    tone: str


@dataclass
class View:
    """What is drawn. Frequencies: Hz (cycles a sample if no `rate`); levels: dB."""

    title: str
    subtitle: str
    rate: float  # None: unknown
    band: Band  # whose bins `mean` and `maximum` are
    bins_in_column: int  # of `image`
    absolute: bool  # frequencies are those on the air, or of real samples
    seconds: tuple  # start and end of the rows; samples if `rate` is None
    line_seconds: float  # of `image`
    level_unit: str  # "dBFS/Hz" or "dBFS"; "" for spectral kurtosis
    silence: float  # levels below it are no noise and do not set the ranges
    curve_name: str  # of `mean`
    mean: np.ndarray
    maximum: np.ndarray
    image: np.ndarray
    peaks: list  # of Mark, strongest first
    boxes: list  # of annotations.Annotation, drawn in the waterfall


def draw(content, file):
    """content: (view, style, format of the file). Writes the picture to the open binary
    `file`."""
    view, style, format = content
    scale = max(1.0, min(style.width / DESIGN[0], style.height / DESIGN[1]))
    width, height = style.width / scale, style.height / scale  # in 1/DPI inch
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI * scale)

    def place(left, top, right, bottom):
        """Axes between these edges."""
        size = ((right - left) / width, (bottom - top) / height)
        return figure.add_axes((left / width, 1 - bottom / height, *size))

    write_title(figure, view, width, height)
    edge = width - RIGHT - PANEL
    middle = TOP + (height - TOP - BOTTOM - BETWEEN) * 0.465
    spectrum = place(LEFT, TOP, edge - 10, middle)
    draw_spectrum(spectrum, view, style)
    panel = place(edge, TOP, width - RIGHT, middle)
    peak_list.draw(spectrum, panel, view, frequency_axis(view)[0], middle - TOP)
    waterfall = place(LEFT, middle + BETWEEN, edge - 10, height - BOTTOM)
    panel = place(edge, middle + BETWEEN, width - RIGHT, height - BOTTOM)
    draw_waterfall(waterfall, panel, view, style)
    with warnings.catch_warnings():  # a font may lack letters of a name
        warnings.filterwarnings("ignore", r"Glyph \d+ ", UserWarning)
        figure.savefig(file, format=format)


def write_title(figure, view, width, height):
    """Name and facts; a name that is too long loses its middle."""
    most = int((width - LEFT - RIGHT) / TITLE_CHARACTER)
    title = view.title
    if len(title) > most:
        title = f"{title[: most - most // 2 - 1]}…{title[-(most // 2) :]}"
    place = {"x": LEFT / width, "parse_math": False}
    figure.text(y=1 - 36 / height, s=title, fontsize=14, weight="bold", **place)
    size = min(10, (width - LEFT - RIGHT) / (FACT_CHARACTER * len(view.subtitle)))
    figure.text(y=1 - 66 / height, s=view.subtitle, fontsize=size, color="0.3", **place)


def frequency_axis(view):
    """(divisor, label) of the frequency axis."""
    if view.rate is None:
        return 1.0, "Frequency (cycles/sample)"
    divisor, unit = frequency_unit(max(abs(view.band.start), abs(view.band.end)))
    what = "Frequency" if view.absolute else "Frequency offset"
    return divisor, f"{what} ({unit})"


def level_range(view):
    """Limits of the level axis: the floor near the foot, the peaks below the top."""
    if not view.level_unit:
        return max(view.mean.min(), 1e-3) / 1.5, 3 * max(view.maximum.max(), 1)
    floor = max(np.percentile(view.mean, 2), view.silence - BELOW_SILENCE_DB)
    top = max(view.maximum.max(), floor + 10)
    margin = 0.07 * (top - floor)
    return floor - margin, top + 2 * margin


def draw_spectrum(axes, view, style):
    """Mean and maximum over the frequency axis."""
    band, (divisor, _) = view.band, frequency_axis(view)
    mean = group_maximum(view.mean, MAX_POINTS)
    maximum = group_maximum(view.maximum, MAX_POINTS)
    group = -(-band.bins // MAX_POINTS)
    frequency = band.frequency(np.arange(len(mean)) * group + (group - 1) / 2) / divisor
    if not np.array_equal(maximum, mean):
        axes.plot(
            frequency, maximum, color=MAXIMUM_COLOUR, linewidth=0.6, label="maximum"
        )
    axes.plot(frequency, mean, color=MEAN_COLOUR, linewidth=0.9, label=view.curve_name)
    axes.set_xlim(band.start / divisor, band.end / divisor)
    axes.set_ylim(*(style.levels or level_range(view)))
    axes.set_ylabel(LEVEL_NAMES[view.level_unit])
    axes.grid(color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelbottom=False)
    axes.ticklabel_format(useOffset=False)
    if not view.level_unit:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")


def colour_range(view):
    """Levels of the darkest and the brightest colour."""
    heard = above(view.image, view.silence)
    low = np.percentile(heard, 5) - 2
    return low, max(np.percentile(heard, 99.7), low + 15)


def draw_waterfall(axes, panel, view, style):
    """Level over frequency and time, time running down."""
    band, (divisor, label) = view.band, frequency_axis(view)
    start, end = view.seconds
    scale, unit = time_unit(view)
    if view.level_unit:
        norm = Normalize(*(style.levels or colour_range(view)))
    else:
        norm = LogNorm(*(style.levels or (0.1, 10)))
    # A bin reaches half a step to both sides: the last column fills what is left.
    levels = np.pad(view.image, ((0, 0), (0, 1)), mode="edge")
    lines, columns = levels.shape
    edges = band.frequency(np.array((0, columns * view.bins_in_column)) - 0.5) / divisor
    image = axes.imshow(
        levels,
        aspect="auto",
        cmap=style.colours or ("inferno" if view.level_unit else "RdBu_r"),
        norm=norm,
        extent=(*edges, (start + lines * view.line_seconds) * scale, start * scale),
    )
    axes.set_xlim(band.start / divisor, band.end / divisor)
    axes.set_ylim(end * scale, start * scale)
    axes.set_xlabel(label)
    axes.set_ylabel(f"Time ({unit})")
    axes.ticklabel_format(useOffset=False)
    boxes.draw(axes, view, divisor, scale)
    panel.axis("off")
    bar = axes.figure.colorbar(
        image, cax=panel.inset_axes((0.02, 0, 0.12, 1)), extend="both"
    )
    if not view.level_unit:
        bar.ax.yaxis.set_major_formatter("{x:g}")
    bar.set_label(view.level_unit or "spectral kurtosis")


def time_unit(view):
    """(factor from view.seconds, name) for the time axis."""
    end = view.seconds[1]
    if view.rate is None:
        return (1e-6, "million samples") if end >= 1e6 else (1e-3, "thousand samples")
    if end < 1e-3:
        return 1e6, "µs"
    return (1e3, "ms") if end < 1 else (1.0, "s")
