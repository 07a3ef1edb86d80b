# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the CSV of `gpufft bench`: eff over length for the three libraries."""

from .errors import InputError
from .experiment_data import LIBRARIES, number, parse_problem, read_lines
from .experiment_plot import OURS_COLOUR, PEER_COLOURS, Figure

POWERS_OF_TWO = ("pow2_small", "pow2_mid", "pow2_large")


def read(path):
    """(head, panels): panels[title][library] is a list of (n, eff), ascending n.

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
            n, batch, _ = parse_problem(line["problem"])
            panel = panels.setdefault(panel_title(line["family"], batch), {})
            for name in LIBRARIES:
                eff = number(line[f"{name}_eff"])
                if eff is not None:
                    panel.setdefault(name, []).append((n, eff))
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


def draw(content, file):
    """Writes a PNG of what read() returned."""
    head, panels = content
    figure = Figure(figsize=(max(7, 4.5 * len(panels)), 4.8), dpi=100)
    columns = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (title, panel) in zip(columns, panels.items()):
        for name, points in panel.items():
            n, eff = zip(*sorted(points))
            colour = OURS_COLOUR if name == "ours" else PEER_COLOURS[name]
            axes.plot(n, eff, "o-", ms=4, lw=1, color=colour, label=LIBRARIES[name])
        axes.set_xscale("log", base=2)
        axes.set_title(title)
        axes.set_xlabel("N")
        axes.grid(alpha=0.3)
    columns[0].set_ylabel("eff: share of the copy rate")
    columns[0].set_ylim(bottom=0)
    columns[0].legend()
    facts = [line for line in head if line.startswith(("card:", "copy rate:"))]
    figure.suptitle("  ·  ".join(facts), fontsize=8)
    figure.tight_layout()
    figure.savefig(file, format="png")
