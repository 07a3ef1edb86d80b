#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/images/architecture.png: the layers of the module, each on those below it.

docs/images/make_architecture.py [FILE]
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (after the choice of its backend)
from matplotlib.patches import Rectangle  # noqa: E402

FILE = Path(__file__).with_name("architecture.png")
EDGE = "#555555"
WIDTH = 12.0

# Layer by layer, the highest first: colour, and boxes (title, folder, share of the width).
LAYERS = [
    ("#fde0dd", [("Companion", "grc/", 1), ("command gpufft", "apps/", 1),
                 ("examples", "examples/", 1)]),
    ("#fee6ce", [("Python package and bindings", "python/gpufft/", 1)]),
    ("#fff7bc", [("blocks", "lib/blocks/", 2), ("arrays as NumPy, SciPy", "python/gpufft/", 1)]),
    ("#e5f5e0", [("streams: chunks, rings, setters, faults", "lib/stream/", 2),
                 ("plans on arrays", "python/gpufft/bindings/", 1)]),
    ("#deebf7", [("engine cuda", "lib/engine/cuda/", 1), ("engine host (tests)", "tests/host/", 1),
                 ("engine cpu", "lib/engine/cpu/", 1)]),
    ("#c6dbef", [("problem", "lib/problem/", 1), ("planner: problem → recipe → program", "lib/planner/", 2)]),
    ("#dadaeb", [("kernels, compiled by NVRTC, or by g++ for tests", "kernels/", 2),
                 ("FFTW, VOLK", "", 1)]),
]  # fmt: skip


def draw(axes):
    for row, (colour, boxes) in enumerate(LAYERS):
        x, shares = 0.0, sum(share for _, _, share in boxes)
        y = len(LAYERS) - row
        for title, folder, share in boxes:
            width = WIDTH * share / shares
            axes.add_patch(
                Rectangle(
                    (x + 0.05, y), width - 0.1, 0.86, facecolor=colour, edgecolor=EDGE
                )
            )
            middle = x + width / 2
            place = y + (0.56 if folder else 0.43)
            axes.text(middle, place, title, ha="center", va="center", size=11)
            axes.text(
                middle,
                y + 0.24,
                folder,
                ha="center",
                va="center",
                size=9,
                family="monospace",
            )
            x += width
    line = len(LAYERS) - 4 + 0.93  # below lib/stream
    axes.plot([0, WIDTH], [line, line], "--", color=EDGE)
    axes.text(WIDTH + 0.1, line + 0.15, "knows\nGNU Radio", size=9, va="bottom")
    axes.text(WIDTH + 0.1, line - 0.15, "gpufft-core,\nwithout it", size=9, va="top")
    axes.set(xlim=(0, WIDTH + 1.4), ylim=(0.9, len(LAYERS) + 1))
    axes.axis("off")


def main():
    figure, axes = plt.subplots(figsize=(10, 6), layout="constrained")
    draw(axes)
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    figure.savefig(file, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
