# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the results of `gpufft verify`."""

import matplotlib
import numpy as np

from .accuracy import EPSILON, is_smooth

matplotlib.use("Agg")
from matplotlib.figure import Figure  # noqa: E402 (after the backend is chosen)

KINDS = (
    (True, "factors 2 ... 13", "#0b5394", 1.0),
    (False, "other lengths", "#e69138", 1.6),
)


def draw(results, file):
    """Relative L2 errors over length, and their bounds."""
    figure = Figure(figsize=(10, 5.5), dpi=100)
    axes = figure.add_subplot()
    n = np.array(sorted({each.n for each in results}))
    for smooth, name, colour, factor in KINDS:
        points = [(each.n, each.error) for each in results if is_smooth(each.n) == smooth]
        if points:
            axes.plot(*zip(*points), ".", ms=3, color=colour, label=name)
        bounds = factor * EPSILON * np.sqrt(np.maximum(1, np.log2(n)))
        axes.plot(n, bounds, color=colour, lw=1, label=f"bound, C = {factor}")
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("N")
    axes.set_ylabel("Relative L2 error")
    axes.set_title(f"Accuracy of complex transforms on {results[0].engine}")
    finish(figure, axes, file)


def draw_chirp(rows, file):
    """Round trip errors of Bluestein's algorithm over prime length."""
    figure = Figure(figsize=(10, 5.5), dpi=100)
    axes = figure.add_subplot()
    n, exact, inexact = zip(*rows)
    axes.plot(n, inexact, "o-", ms=4, color="#e69138", label="index j² in float")
    axes.plot(n, exact, "o-", ms=4, color="#0b5394", label="index j² mod 2N in integers")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("N (primes)")
    axes.set_ylabel("RMSE of forward + inverse")
    axes.set_title("Bluestein's chirp with and without the exact index")
    finish(figure, axes, file)


def finish(figure, axes, file):
    """Grid, legend, PNG."""
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(file, format="png")
