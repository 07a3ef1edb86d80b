# SPDX-License-Identifier: GPL-3.0-or-later
"""Blue files (X-Midas, Platinum) of type 1000, samples in time: a header of 512 bytes says
where the samples are and what they are.

Layout: "Midas BLUE File Format", release 1.1, the fixed header and the adjunct of type 1000.
"""

import math
import struct

from .errors import InputError

MAGIC = b"BLUE"
HEADER_BYTES = 512
ORDERS = {b"EEEI": "<", b"IEEE": ">"}  # of the bytes, in the header and in the data
KINDS = {"S": "r", "C": "c"}
NUMBERS = {"B": "s8", "I": "s16", "L": "s32", "F": "f32", "D": "f64"}
UNITS_OF_TIME = (0, 1)  # of the abscissa: none is given, seconds


def is_blue(path):
    """Whether a file begins as a Blue file does."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read(path):
    """Reads the header of `path`: a dict of Recording's fields and "bytes" of samples."""
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        raise InputError(f"{path} is cut short or damaged: it has no whole Blue header")
    order = byte_order(path, header[4:8], "header")
    detached, data_start, data_size, kind, code = struct.unpack_from(
        f"{order}i16xddi2s", header, 12
    )
    if detached != 0:
        raise InputError(
            f"{path} is a detached Blue header: its samples are in another file, which can "
            f"be read with --format and --rate"
        )
    if kind // 1000 != 1:
        raise InputError(f"{path} is a Blue file of type {kind}: only 1000 can be read")
    delta, units = struct.unpack_from(f"{order}di", header, 264)
    return {
        "path": path,
        "format": sample_format(path, code, header[8:12]),
        "rate": sample_rate(path, delta) if units in UNITS_OF_TIME else None,
        "offset": byte_count(path, "data_start", data_start, HEADER_BYTES),
        "bytes": byte_count(path, "data_size", data_size, 0),
    }


def byte_order(path, name, what):
    """The order of bytes as struct writes it."""
    if name not in ORDERS:
        raise InputError(
            f"{path} is damaged: its {what} is in representation {name!r}, which must be "
            f"b'EEEI' or b'IEEE'"
        )
    return ORDERS[name]


def sample_format(path, code, representation):
    """Our name of a format such as b"CI"."""
    order = byte_order(path, representation, "data")
    kind, number = code.decode("latin-1")
    if kind not in KINDS or number not in NUMBERS:
        raise InputError(
            f"{path} holds Blue format {code!r}: only S or C (real, complex) with B, I, L, "
            f"F or D can be read"
        )
    is_big = order == ">" and number != "B"
    return KINDS[kind] + NUMBERS[number] + ("be" if is_big else "")


def sample_rate(path, delta):
    """Hz from the seconds between samples; None if it is not given."""
    if not (math.isfinite(delta) and (delta == 0 or delta >= 1e-18)):
        raise InputError(f"{path}: xdelta is {delta}, it must be seconds, more than 0")
    return 1 / delta if delta else None


def byte_count(path, name, value, least):
    """A number of bytes, which the header has as a float."""
    if not (least <= value < 2**62 and value == int(value)):
        raise InputError(
            f"{path}: {name} is {value}, it must be a whole number, {least} or more"
        )
    return int(value)
