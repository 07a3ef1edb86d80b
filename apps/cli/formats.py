# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample formats that the command reads, and the names other people give them.

A name is c (complex, I and Q in turn) or r (real); f (float), s (signed) or u (unsigned);
the bits of a number; and "be" if its bytes are in big-endian order. Full scale is 1 in every
format: int16 / 32768, int8 / 128, (uint8 - 127.5) / 127.5.
"""

from .errors import InputError

NUMBERS = ("f32", "s16", "s8", "u8", "f64", "s32", "s24", "u16", "u32")
FORMATS = tuple(kind + number for kind in "cr" for number in NUMBERS)
BIG_ENDIAN = tuple(f"{name}be" for name in FORMATS if not name.endswith("8"))
FORMATS_HELP = f"{', '.join(FORMATS)}; with be at the end: big-endian"

EXTENSIONS = {
    ".cf32": "cf32",
    ".fc32": "cf32",
    ".cfile": "cf32",
    ".cf64": "cf64",
    ".fc64": "cf64",
    ".cs32": "cs32",
    ".sc32": "cs32",
    ".cs16": "cs16",
    ".sc16": "cs16",
    ".cs8": "cs8",
    ".sc8": "cs8",
    ".cu8": "cu8",
}


def sigmf_datatypes():
    """{SigMF's core:datatype: our name}: "ci16_le" is cs16."""
    names = {}
    for name in (each for each in FORMATS if not each.endswith("24")):
        datatype = name.replace("s", "i")
        if name.endswith("8"):
            names[datatype] = name
        else:
            names |= {f"{datatype}_le": name, f"{datatype}_be": f"{name}be"}
    return names


SIGMF_DATATYPES = sigmf_datatypes()

# bits of a number -> its name, by WAVE format tag: 1 is integer PCM, 3 is IEEE float
WAV_NUMBERS = {
    1: {8: "u8", 16: "s16", 24: "s24", 32: "s32"},
    3: {32: "f32", 64: "f64"},
}


def sample_bytes(name):
    """Bytes of one sample of format `name`."""
    return number_bytes(name) * (1 if is_real(name) else 2)


def number_bytes(name):
    """Bytes of one number: of I, of Q, or of a real sample."""
    return int(name[2:].removesuffix("be")) // 8


def item_bytes(name):
    """Bytes of one item in a GNU Radio stream: integers of I and Q come one by one."""
    return sample_bytes(name) // (2 if name in ("cs16", "cs8", "cu8") else 1)


def is_real(name):
    """Whether the samples of format `name` are real."""
    return name.startswith("r")


def check_format(name):
    """Returns `name` if it is a format, else raises InputError with the list."""
    if name not in FORMATS + BIG_ENDIAN:
        raise InputError(f"format {name!r} is unknown: use {FORMATS_HELP}")
    return name
