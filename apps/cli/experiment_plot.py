# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws an experiment: ours, cuFFT, VkFFT over N."""

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure  # noqa: E402 (after the backend is chosen)

from .experiment_data import LIBRARIES, QUANTITIES  # noqa: E402

PEER_COLOURS = {"cufft": "#6aa84f", "vkfft": "#e69138"}
OURS_COLOUR = "#0b5394"
MARKERS = ".sx^v"  # of shapes


def draw(experiment, results, path):
    """Writes a PNG of one card's results."""
    figure = Figure(figsize=(10, 5.5), dpi=100)
    axes = figure.add_subplot()
    quantity = experiment.quantity if experiment.quantity in QUANTITIES else "gflops"
    if experiment.quantity in ("libraries", "round trip"):
        quantity = "error"
    if len({row.lengths for row in results.rows}) == 1:
        draw_bars(axes, quantity, results)
    else:
        draw_lines(axes, quantity, results)
    is_rmse = quantity == "error" and any(row.is_round_trip for row in results.rows)
    axes.set_ylabel("RMSE of forward and inverse" if is_rmse else QUANTITIES[quantity])
    axes.set_title(f"{experiment.title}\n{experiment.figure}, on {results.card}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path)


def draw_lines(axes, quantity, results):
    """A line for each series, shape and library, over N (of N_x × N_y the first)."""
    lines = {}
    for row in results.rows:
        lines.setdefault((row.label, row.shape, row.batch > 1), []).append(row)
    names = list(dict.fromkeys(row.label for row in results.rows))
    shapes = list(dict.fromkeys(row.shape for row in results.rows))
    for (name, shape, _), rows in lines.items():
        marker = MARKERS[shapes.index(shape)]
        label = f", {shape}" if len(shapes) > 1 else ""
        draw_series(axes, quantity, rows, names.index(name), marker, label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel(", ".join(dict.fromkeys(shape.split("×")[0] for shape in shapes)))


def draw_series(axes, quantity, rows, index, marker, shape):
    """The libraries' lines for the rows of one series and shape, all batched or all
    alone."""
    name = rows[0].label
    style = "-" if rows[0].batch > 1 else "--"
    for library in LIBRARIES:
        if library != "ours" and name:
            continue  # the peers have no algorithms to name
        points = sorted(
            (row.lengths[0], value)
            for row in rows
            if (value := row.value(library, quantity)) is not None
        )
        if not points:
            continue
        colour = PEER_COLOURS.get(library, f"C{index}" if name else OURS_COLOUR)
        label = (name if name else LIBRARIES[library]) + shape
        if rows[0].batch == 1 and rows[0].ms and not is_cpu_step(name):
            label += ", batch 1"
        axes.plot(
            *zip(*points), style, color=colour, marker=marker, linewidth=1.2, label=label
        )


def is_cpu_step(name):
    """True for the steps of the CPU ladder, which have no batch."""
    return "_" in name


def draw_bars(axes, quantity, results):
    """A bar for each series of one length, the peers' beside them."""
    names, values, colours = [], [], []
    for row in results.rows:
        for library, title in LIBRARIES.items():
            value = row.value(library, quantity)
            if value is None or (library != "ours" and row.series):
                continue
            names.append(row.label if row.label else title)
            values.append(value)
            colours.append(
                PEER_COLOURS.get(library, "#9fc5e8" if row.series else OURS_COLOUR)
            )
    axes.bar(range(len(values)), values, color=colours, label=f"N = {results.rows[0].n}")
    axes.set_xticks(range(len(values)), names, rotation=60, ha="right", fontsize=8)
