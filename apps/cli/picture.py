# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a spectrum and its waterfall as one PNG."""

from dataclasses import dataclass

import matplotlib
import numpy as np

from .quantities import frequency_unit
from .waterfall import group_maximum

matplotlib.use("Agg")
from matplotlib.colors import LogNorm, Normalize  # noqa: E402 (after the backend)
from matplotlib.figure import Figure  # noqa: E402

MAX_POINTS = 4096  # of a line; more bins show the largest of each group
LEVEL_NAMES = {
    "dBFS/Hz": "Power density (dBFS/Hz)",
    "dBFS": "Level (dBFS per bin)",
    "": "Spectral kurtosis (1: Gaussian noise)",
}
MEAN_COLOUR = "#0b5394"
MAXIMUM_COLOUR = "#e69138"


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
    centre: float  # frequency of the middle, 0 if unknown
    absolute: bool  # `centre` is a frequency on the air
    seconds: tuple  # start and end; samples if `rate` is None
    level_unit: str  # "dBFS/Hz" or "dBFS"; "" for spectral kurtosis
    curve_name: str  # of `mean`
    mean: np.ndarray
    maximum: np.ndarray
    image: np.ndarray
    peaks: list  # of Mark, strongest first


def draw(view, file):
    """Writes `view` as PNG to the open binary `file`."""
    figure = Figure(figsize=(12, 8), dpi=100)
    grid = figure.add_gridspec(
        2,
        2,
        width_ratios=(1, 0.16),
        height_ratios=(1, 1.15),
        left=0.075,
        right=0.985,
        top=0.895,
        bottom=0.075,
        hspace=0.08,
        wspace=0.03,
    )
    figure.text(0.075, 0.955, view.title, fontsize=14, weight="bold")
    figure.text(0.075, 0.918, view.subtitle, fontsize=10, color="0.3")
    spectrum = figure.add_subplot(grid[0, 0])
    waterfall = figure.add_subplot(grid[1, 0], sharex=spectrum)
    low, high = level_range(view)
    draw_spectrum(spectrum, view, low, high)
    draw_peaks(spectrum, figure.add_subplot(grid[0, 1]), view)
    draw_waterfall(waterfall, figure.add_subplot(grid[1, 1]), view)
    figure.savefig(file, format="png")


def frequency_axis(view):
    """(first edge, last edge, divisor, label) of the frequency axis."""
    if view.rate is None:
        return -0.5, 0.5, 1.0, "Frequency (cycles/sample)"
    first, last = view.centre - view.rate / 2, view.centre + view.rate / 2
    divisor, unit = frequency_unit(max(abs(first), abs(last)))
    what = "Frequency" if view.absolute else "Frequency offset"
    return first, last, divisor, f"{what} ({unit})"


def level_range(view):
    """Limits of the level axis: the floor near the foot, the peaks below the top."""
    if not view.level_unit:
        return max(view.mean.min(), 1e-3) / 1.5, 3 * max(view.maximum.max(), 1)
    floor = np.percentile(view.mean, 2)
    top = max(view.maximum.max(), floor + 10)
    margin = 0.07 * (top - floor)
    return floor - margin, top + 2 * margin


def draw_spectrum(axes, view, low, high):
    """Mean and maximum over the frequency axis."""
    first, last, divisor, _ = frequency_axis(view)
    mean = group_maximum(view.mean, MAX_POINTS)
    maximum = group_maximum(view.maximum, MAX_POINTS)
    # Bin k of n is centred k / n of the way from the first edge.
    frequency = np.linspace(first, last, len(mean), endpoint=False) / divisor
    if not np.array_equal(maximum, mean):
        axes.plot(
            frequency, maximum, color=MAXIMUM_COLOUR, linewidth=0.6, label="maximum"
        )
    axes.plot(frequency, mean, color=MEAN_COLOUR, linewidth=0.9, label=view.curve_name)
    axes.set_xlim(first / divisor, last / divisor)
    axes.set_ylim(low, high)
    axes.set_ylabel(LEVEL_NAMES[view.level_unit])
    axes.grid(color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelbottom=False)
    axes.ticklabel_format(useOffset=False)
    if not view.level_unit:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")


def draw_peaks(spectrum, panel, view):
    """Numbers the peaks in the spectrum and lists them in the panel beside it."""
    divisor = frequency_axis(view)[2]
    for number, mark in enumerate(view.peaks, 1):
        spectrum.annotate(
            str(number),
            (mark.frequency / divisor, mark.level),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
            weight="bold",
            bbox={
                "boxstyle": "circle,pad=0.15",
                "fc": "white",
                "ec": MEAN_COLOUR,
                "lw": 0.8,
            },
        )
    panel.axis("off")
    handles, labels = spectrum.get_legend_handles_labels()
    panel.legend(
        handles[::-1],
        labels[::-1],
        loc="upper left",
        frameon=False,
        fontsize=9,
        borderaxespad=0,
        handlelength=1.5,
    )
    heading = "Strongest peaks" if view.level_unit else "Farthest from noise"
    if not view.peaks:
        heading = "No peaks\nabove the noise" if view.level_unit else "Noise only"
    panel.text(0.02, 0.80, heading, fontsize=9, weight="bold", va="top")
    for number, mark in enumerate(view.peaks, 1):
        words = f"{mark.name}\n{mark.tone}".replace("-", "\N{MINUS SIGN}")
        top = 0.84 - 0.122 * number
        panel.text(0.02, top, str(number), fontsize=8.5, weight="bold", va="top")
        panel.text(0.12, top, words, fontsize=8.5, va="top", linespacing=1.25)


def draw_waterfall(axes, panel, view):
    """Level over frequency and time, time running down."""
    first, last, divisor, label = frequency_axis(view)
    start, end = view.seconds
    scale, unit = time_unit(view)
    finite = view.image[np.isfinite(view.image)]
    low = np.percentile(finite, 5) - 2
    high = max(np.percentile(finite, 99.7), low + 15)
    scale_of_levels = Normalize(low, high) if view.level_unit else LogNorm(0.1, 10)
    image = axes.imshow(
        view.image,
        aspect="auto",
        cmap="inferno" if view.level_unit else "RdBu_r",
        norm=scale_of_levels,
        extent=(first / divisor, last / divisor, end * scale, start * scale),
    )
    axes.set_xlabel(label)
    axes.set_ylabel(f"Time ({unit})")
    axes.ticklabel_format(useOffset=False)
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
