# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms lines of a chunk with the rounding that they have in the whole array.

On the CPU, FFTW transforms short lines in groups, and its rounding may depend on the size
of a group and on whether the lines' points are neighbours in memory. Both follow from the
whole array's shape; a chunk that has fewer lines is filled up with zeros.
"""

import math

import numpy as np

LONGEST = 512  # points of lines that come in groups
GROUP = 16  # most lines of a group


def lines_together(shape, axes):
    """Lines that the engine takes together of an array in C order: the last run of axes
    that are not transformed if it is long, else the longest run."""
    runs = [1]
    for axis, length in enumerate(shape):
        if axis in axes:
            runs.append(1)
        else:
            runs[-1] *= length
    runs = [run for run in runs if run > 1] or [1]
    return runs[-1] if runs[-1] >= GROUP else max(runs)


def transform_lines(function, x, together, is_strided):
    """function(x, axis=1) of x[before, points, after], for short lines.

    together, is_strided: of the whole array: lines that are transformed together, and
    whether a line's points lie apart
    """
    before, points, after = x.shape
    moves = is_strided and after < GROUP
    if moves:
        x = np.moveaxis(x, 0, 1).reshape(1, points, before * after)
    side = 2 if is_strided else 0
    count = x.shape[side]
    step = together if together < GROUP else count
    results = []
    for part in np.split(x, range(step, count, step), axis=side):
        lines = part.shape[side]
        missing = [(0, 0)] * 3
        missing[side] = (0, max(0, min(together, GROUP) - lines))
        result = function(np.pad(part, missing), axis=1)
        results.append(result[:lines] if side == 0 else result[:, :, :lines])
    result = np.concatenate(results, axis=side)
    if moves:
        result = np.moveaxis(result.reshape(-1, before, after), 1, 0)
    return result


def as_lines(x, axis):
    """x as [before, points, after]."""
    before, after = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    return np.ascontiguousarray(x).reshape(before, x.shape[axis], after)
