#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails if the picture of a screen (is_drawn.py PNG) has no more on it than the frame of an
empty window, whose title is 17 rows high."""

import sys

import numpy as np
from matplotlib import image

ROWS = 100  # with something on them: a small plot has 340
EDGES = 6  # more than these in a row, left to right: a frame's sides

picture = image.imread(sys.argv[1])
edges = (np.diff(picture, axis=1) != 0).any(axis=2).sum(axis=1)
sys.exit(0 if (edges > EDGES).sum() >= ROWS else 1)
