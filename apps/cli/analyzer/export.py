# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces and waterfall as numbers for other programs. It needs no Qt."""

import numpy as np

from ..errors import InputError
from .screen import decibels

WATERFALL_KINDS = (".npy", ".npz", ".png")
TRACES = ("average_high", "max_hold", "min_hold")


def write_traces(content, file):
    """content: (picture, axis, edges of the columns in the axis' unit). CSV: frequency of the
    middle of each column, its highest average, maximum hold, minimum hold."""
    picture, axis, edges = content
    middles = (edges[1:] + edges[:-1]) / 2 * axis.divisor
    unit = "hz" if axis.is_in_hertz else "cycles_per_sample"
    np.savetxt(
        file,
        np.column_stack((middles, *(decibels(picture[name]) for name in TRACES))),
        fmt=("%.15g", "%.4f", "%.4f", "%.4f"),
        delimiter=",",
        header=f"frequency_{unit},average_dbfs,max_hold_dbfs,min_hold_dbfs",
        comments="",
    )


def write_waterfall(content, file):
    """content: (levels in dB [line, column], seconds ago, frequencies in Hz, whether the axes
    are written, too). NPY: the levels, float32, the newest line first, NaN where there is none;
    NPZ: levels, seconds_ago and frequency_hz."""
    levels, ago, frequencies, has_axes = content
    if has_axes:
        np.savez(file, levels=levels, seconds_ago=ago, frequency_hz=frequencies)
    else:
        np.save(file, levels)


def check_waterfall_name(name):
    """The name's ending. Raises InputError if it is none of WATERFALL_KINDS."""
    for kind in WATERFALL_KINDS:
        if name.lower().endswith(kind):
            return kind
    raise InputError(
        f"{name}: the name of a waterfall must end in {', '.join(WATERFALL_KINDS)}"
    )


def extent_text(levels, ago, frequencies, axis):
    """What a waterfall covers."""
    step = (ago[1] - ago[0]) / 2
    width = (frequencies[1] - frequencies[0]) / 2
    low, high = (axis.text(f) for f in (frequencies[0] - width, frequencies[-1] + width))
    lines, columns = levels.shape
    return (
        f"{lines} lines from {ago[0] - step:.2f} to {ago[-1] + step:.2f} s ago, "
        f"{columns} columns from {low} to {high}"
    )
