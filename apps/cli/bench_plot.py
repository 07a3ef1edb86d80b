# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the CSV of `gpufft bench`: eff over length for the three libraries."""

import math

from .errors import InputError
from .experiment_data import LIBRARIES, number, parse_problem, read_lines
from .experiment_plot import OURS_COLOUR, PEER_COLOURS, Figure

POWERS_OF_TWO = ("pow2_small", "pow2_mid", "pow2_large")
PANELS = 4  # in a row


def read(path):
    """(head, panels): panels[title][library] is a list of (points, eff).

    Raises InputError if it is not such a file.
    """
    try:
        head, lines = read_lines(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{path} cannot be read: {reason}") from None
    panels = {}
    try:
        for line in lines:
            lengths, batch, _ = parse_problem(line["problem"])
            panel = panels.setdefault(panel_title(line["family"], batch), {})
            for name in LIBRARIES:
                eff = number(line[f"{name}_eff"])
                if eff is not None:
                    panel.setdefault(name, []).append((math.prod(lengths), eff))
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path} is not a CSV of gpufft bench") from None
    panels = {title: panel for title, panel in panels.items() if panel}
    if not panels:
        raise InputError(f"{path} holds no times to draw")
    return head, panels


def panel_title(family, batch):
    """What is drawn together; the lists of small batches by batch."""
    if family in POWERS_OF_TWO:
        return "powers of two"
    return f"{family}, batch {batch}" if family in ("small_batches", "single") else family


def split_by_kind_of_length(points):
    """[(joined by a line, points)]: other lengths among powers of two stand alone."""
    points = sorted(points)
    powers = [point for point in points if point[0] & (point[0] - 1) == 0]
    others = [point for point in points if point not in powers]
    if len(powers) <= len(others):
        return [(True, points)]
    return [(True, powers)] + ([(False, others)] if others else [])


def draw(content, file):
    """Writes a PNG of what read() returned."""
    head, panels = content
    columns = min(len(panels), PANELS)
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(max(7, 4.5 * columns), 4.4 * rows + 0.4), dpi=100)
    places = figure.subplots(rows, columns, squeeze=False, sharey=True).flat
    for (title, panel), axes in zip(panels.items(), places):
        for name, points in panel.items():
            colour = OURS_COLOUR if name == "ours" else PEER_COLOURS[name]
            label = LIBRARIES[name]
            for joined, line in split_by_kind_of_length(points):
                n, eff = zip(*line)
                style = "o-" if joined else "d"
                axes.plot(n, eff, style, ms=4, lw=1, color=colour, label=label)
                label = None
        axes.set_xscale("log", base=2)
        axes.set_title(title)
        axes.set_xlabel("points of one transform")
        axes.grid(alpha=0.3)
    for axes in places:  # what is left of the last row
        axes.remove()
    first = figure.axes[0]
    first.set_ylabel("eff: share of the copy rate")
    first.set_ylim(bottom=0)
    first.legend()
    facts = [line for line in head if line.startswith(("card:", "copy rate:"))]
    figure.suptitle("  ·  ".join(facts), fontsize=8)
    figure.tight_layout()
    figure.savefig(file, format="png")
