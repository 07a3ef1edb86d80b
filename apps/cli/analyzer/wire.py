# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as bytes for a page.

A message is the zlib stream of: the length of a header (4 bytes, little-endian); the header
(JSON); TRACES of `columns` values in 0.1 dB steps from LOWEST (uint16, all low bytes before
all high bytes); if there are `rows`, the waterfall's line (uint8: `floor` + value * `step`
dB, which reach to its highest level); if there is `density`, its shades (uint8, 0 ... SHADES - 1), column by column, each from
the lowest level. Traces and shades are differences from the previous message's, modulo their
type, where that had as many: these compress to a third. page/stream.js is the other end."""

import json
import zlib

import numpy as np

from .screen import decibels, density_shades

STEP, LOWEST = 0.1, -400.0  # dB
TRACES = {
    "average_high": np.maximum,
    "average_low": np.minimum,
    "max_hold": np.maximum,
    "min_hold": np.minimum,
}
SHADES = 32
LINE_RANGE = 150.0  # dB below its highest level, that a line has at most


class Encoder:
    """Encodes the pictures of one viewer, who gets them in this order."""

    def __init__(self):
        self._last = {}

    def encode(self, picture, columns, axis, header):
        """A picture in at most `columns` columns, with its density if there is one. axis:
        of its bins; header: what is sent along."""
        powers, columns = reduce_columns(picture, columns)
        header = {
            **header,
            **place(axis, picture["first_bin"], picture["bins"], columns),
            "rows": picture["rows"],
        }
        planes = [self._trace(name, powers[name]) for name in TRACES]
        if picture["rows"] > 0:
            header["floor"], header["step"], line = make_line(powers["mean"])
            planes.append(line.tobytes())
        if picture["density"].size > 0:
            header["density"] = place_density(axis, picture)
            planes.append(self._density(picture["density"]))
        return pack(header, planes)

    def _trace(self, name, power):
        plane = self._change(name, quantise(power, LOWEST, STEP, np.dtype("<u2")))
        return plane.view(np.uint8).reshape(-1, 2).T.tobytes()

    def _density(self, density):
        shades = density_shades(density) // (256 // SHADES)
        return self._change("density", shades).tobytes()

    def _change(self, name, plane):
        """The difference from the plane of this name before."""
        last, self._last[name] = self._last.get(name), plane
        return plane if last is None or last.shape != plane.shape else plane - last


def reduce_columns(picture, columns):
    """(powers by name, their number of columns): the extremes of neighbouring columns if the
    picture has too many."""
    count = picture["columns"]
    extremes = {**TRACES, "mean": np.maximum} if picture["rows"] > 0 else TRACES
    if count <= columns:
        return {name: picture[name] for name in extremes}, count
    first = -(-np.arange(columns) * count // columns)
    return {
        name: extreme.reduceat(picture[name], first) for name, extreme in extremes.items()
    }, columns


def make_line(power):
    """(floor, step, values) of a line."""
    levels = decibels(power)
    top = float(levels.max())
    floor = max(float(levels.min()), top - LINE_RANGE)
    step = max(top - floor, 1.0) / 255
    return floor, step, quantise(power, floor, step, np.uint8)


def quantise(power, floor, step, kind):
    """Levels from `floor` in steps, cut to the range of the type."""
    values = np.round((decibels(power) - floor) / step)
    return np.clip(values, 0, np.iinfo(kind).max).astype(kind)


def place(axis, first_bin, bins, columns):
    """Where columns are: from the frequency `low` to `high`, in the axis' unit."""
    low, high = axis.edge(first_bin), axis.edge(first_bin + bins)
    return {"low": low, "high": high, "bins": bins, "columns": columns}


def place_density(axis, picture):
    """Where the shades are; they come column by column, each from the lowest level."""
    first_bin, bins = picture["density_first_bin"], picture["density_bins"]
    return {
        **place(axis, first_bin, bins, picture["density_columns"]),
        "levels": picture["levels"],
        "bottom": picture["density_low"],
        "top": picture["density_high"],
    }


def pack(header, planes):
    """The message."""
    text = json.dumps(header).encode()
    # Differences are runs of zeros, or noise.
    compressor = zlib.compressobj(strategy=zlib.Z_RLE)
    parts = (len(text).to_bytes(4, "little"), text, *planes)
    return b"".join(map(compressor.compress, parts)) + compressor.flush()
