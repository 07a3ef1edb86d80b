# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample formats that the command reads, and the names other people give them.

Full scale is 1 in every format: int16 / 32768, int8 / 128, (uint8 - 127.5) / 127.5.
"""

from .errors import InputError

# name: (bytes of one sample, meaning)
FORMATS = {
    "cf32": (8, "complex, two 32-bit floats"),
    "cs16": (4, "complex, two 16-bit signed integers"),
    "cs8": (2, "complex, two 8-bit signed integers"),
    "cu8": (2, "complex, two 8-bit unsigned integers"),
    "rf32": (4, "real, one 32-bit float"),
    "rs16": (2, "real, one 16-bit signed integer"),
}

EXTENSIONS = {
    ".cf32": "cf32",
    ".fc32": "cf32",
    ".cfile": "cf32",
    ".cs16": "cs16",
    ".sc16": "cs16",
    ".cs8": "cs8",
    ".sc8": "cs8",
    ".cu8": "cu8",
}

SIGMF_DATATYPES = {
    "cf32_le": "cf32",
    "ci16_le": "cs16",
    "ci8": "cs8",
    "cu8": "cu8",
    "rf32_le": "rf32",
    "ri16_le": "rs16",
}

# (WAVE format tag, bits, channels): 1 is integer PCM, 3 is IEEE float
WAV_ENCODINGS = {
    (3, 32, 2): "cf32",
    (1, 16, 2): "cs16",
    (1, 8, 2): "cu8",
    (3, 32, 1): "rf32",
    (1, 16, 1): "rs16",
}


def sample_bytes(name):
    """Bytes of one sample of format `name`."""
    return FORMATS[name][0]


def item_bytes(name):
    """Bytes of one item in a GNU Radio stream: integers of I and Q come one by one."""
    return sample_bytes(name) // (2 if name in ("cs16", "cs8", "cu8") else 1)


def check_format(name):
    """Returns `name` if it is a format, else raises InputError with the list."""
    if name not in FORMATS:
        raise InputError(f"format {name!r} is unknown: use {', '.join(FORMATS)}")
    return name
