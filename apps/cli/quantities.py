# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people write them (2.4e6, 2.4M, 250k) and as they read them (2.4 MHz)."""

import math

from .errors import InputError

SUFFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}


def parse_number(text, name):
    """Reads "2400000", "2.4e6" or "2.4M"; `name` is the option, for the message."""
    factor = SUFFIXES.get(text[-1:], 1.0)
    try:
        value = float(text[:-1] if factor != 1.0 else text) * factor
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{name} {text!r} is not a number: write it like 2400000, 2.4e6 "
            f"or 2.4M (suffixes k, M, G)"
        )
    return value


def parse_positive(text, name):
    """The same, and greater than zero."""
    value = parse_number(text, name)
    if value <= 0:
        raise InputError(f"{name} {text!r} must be greater than 0")
    return value


def parse_integer(text, name, least, most=2**62):
    """Reads a whole number, least <= number <= most."""
    try:
        value = int(text)
    except ValueError:
        raise InputError(f"{name} {text!r} is not a whole number") from None
    if value < least:
        raise InputError(f"{name} {value} is out of range: it must be {least} or more")
    if value > most:
        raise InputError(f"{name} {value} is out of range: it must be {most} or less")
    return value


def frequency_unit(largest):
    """(divisor, name) of the unit for frequencies up to `largest` Hz."""
    for divisor, name in ((1e6, "MHz"), (1e3, "kHz")):
        if largest >= divisor:
            return divisor, name
    return 1.0, "Hz"


def format_frequency(hertz, digits=7, resolution=None):
    """E.g. "2.4 MHz": `digits` significant digits, or as many as show `resolution` Hz."""
    divisor, unit = frequency_unit(abs(hertz))
    if resolution is None:
        return f"{hertz / divisor:.{digits}g} {unit}"
    decimals = max(0, math.ceil(-math.log10(resolution / divisor)))
    return f"{hertz / divisor:.{decimals}f} {unit}"
