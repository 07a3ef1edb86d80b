#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/images/streaming.png: where the samples of a stream lie on their way through a
card, and what is done at the same time.

    docs/images/make_streaming.py [FILE]
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (after the choice of its backend)
from matplotlib.patches import FancyArrowPatch, Rectangle  # noqa: E402

FILE = Path(__file__).with_name("streaming.png")
COLOURS = ["#c6dbef", "#9ecae1", "#6baed6", "#3182bd"]  # of chunks in turn
IDLE, EDGE = "#f4f4f4", "#555555"
HOST, CARD = "#fff7e6", "#eaf5ea"


def box(axes, x, y, width, height, text="", colour=IDLE, size=9, **more):
    axes.add_patch(
        Rectangle((x, y), width, height, facecolor=colour, edgecolor=EDGE, **more)
    )
    axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", size=size)


def arrow(axes, begin, end, text="", where=(0, 0.12), bend=0.0):
    axes.add_patch(
        FancyArrowPatch(
            begin,
            end,
            arrowstyle="-|>",
            mutation_scale=12,
            color=EDGE,
            connectionstyle=f"arc3,rad={bend}",
        )
    )
    x, y = ((a + b) / 2 + d for a, b, d in zip(begin, end, where))
    axes.text(x, y, text, ha="center", va="center", size=8)


def ring(axes, x, y, cells, title):
    """A circular buffer of GNU Radio: (text, colour) of its cells."""
    for i, (text, colour) in enumerate(cells):
        box(axes, x + 0.62 * i, y, 0.62, 0.55, text, colour)
    axes.text(x + 0.31 * len(cells), y + 0.78, title, ha="center", size=9)


def draw_places(axes):
    """Host above, card below; the chunks 4, 5 and 6 are on their way."""
    axes.set(xlim=(0, 13), ylim=(0.1, 5.1))
    axes.axis("off")
    box(axes, 0.05, 2.65, 12.9, 2.4, colour=HOST, zorder=0)
    box(axes, 0.05, 0.15, 12.9, 1.75, colour=CARD, zorder=0)
    axes.text(0.2, 4.72, "host", size=10, style="italic")
    axes.text(0.2, 1.6, "card", size=10, style="italic")
    chunk = [(str(i), COLOURS[i % 4]) for i in range(10)]
    box(axes, 0.3, 3.2, 1.0, 0.8, "source")
    ring(
        axes,
        2.0,
        3.3,
        [("", IDLE), chunk[4], chunk[5], chunk[6], chunk[7], ("", IDLE)],
        "input buffer of GNU Radio, registered:\n4, 5, 6 not consumed yet, 7 waits",
    )
    ring(
        axes,
        7.6,
        3.3,
        [("", IDLE), chunk[2], chunk[3], ("4", IDLE), ("5", IDLE), ("6", IDLE)],
        "output buffer of GNU Radio, registered:\n2, 3 produced, places of 4, 5, 6 kept",
    )
    box(axes, 11.7, 3.2, 1.0, 0.8, "sink")
    arrow(axes, (1.3, 3.58), (2.0, 3.58))
    arrow(axes, (11.32, 3.58), (11.7, 3.58))
    for i, slot in enumerate((4, 5, 6)):
        box(axes, 4.9 + 1.1 * i, 0.4, 1.0, 0.7, f"slot\nof {slot}", COLOURS[slot % 4], 8)
    axes.text(4.75, 0.75, "three slots\nof 16 MiB", ha="right", va="center", size=9)
    arrow(axes, (3.9, 3.3), (5.9, 1.2), "upload by the card itself", (-1.35, -0.12))
    arrow(axes, (7.1, 1.2), (9.7, 3.3), "download by the card itself", (1.5, -0.12))
    box(
        axes,
        9.6,
        0.4,
        2.9,
        0.7,
        "ring of the next block\n(stays on the card)",
        "#d9f0d3",
        8,
    )
    arrow(axes, (8.15, 0.75), (9.6, 0.75), "or", (0, 0.15))


def draw_times(axes):
    """The queues over time: chunk k in turn, each behind its own upload."""
    rows = {"upload": 2, "kernels": 1, "download": 0}
    length = {"upload": 1.0, "kernels": 0.35, "download": 1.0}
    for k in range(4, 10):
        begin = 1.0 * (k - 4)
        for name, row in rows.items():
            box(axes, begin, row + 0.12, length[name], 0.76, str(k), COLOURS[k % 4])
            begin += length[name]
    for k in range(4, 9):
        done = k - 4 + 2.35
        axes.plot([done, done], [-0.12, 0.12], color=EDGE)
        axes.text(
            done, -0.38, f"work() returns\nthe rows of {k}", ha="center", va="top", size=8
        )
    axes.set(xlim=(0, 7.4), ylim=(-1.1, 3.05), yticks=[0.5, 1.5, 2.5], xticks=[])
    axes.set_yticklabels(["download", "kernels", "upload"])
    axes.set_xlabel("time →")
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)


def main():
    figure, (places, times) = plt.subplots(
        2,
        1,
        figsize=(10, 7.2),
        gridspec_kw={"height_ratios": [5, 3]},
        layout="constrained",
    )
    draw_places(places)
    draw_times(times)
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    figure.savefig(file, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
