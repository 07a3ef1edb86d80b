# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people write them (2.4e6, 2.4M, 250k) and as they read them (2.4 MHz)."""

import math

from .errors import InputError

SUFFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
SIZE_SUFFIXES = {"k": 2**10, "K": 2**10, "M": 2**20, "G": 2**30}


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


def parse_rate(text, name):
    """Reads samples a second, "2.4M" or "2.4Msps"."""
    return parse_positive(text.removesuffix("sps"), name)


def parse_size(text, name, least, most):
    """Reads a length: "1024", or "64k", "1M" by powers of 1024."""
    factor = SIZE_SUFFIXES.get(text[-1:], 1)
    digits = text[:-1] if factor > 1 else text
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(
            f"{name} {text!r} is not a length: write it like 1024, 64k or 1M (k is 1024)"
        )
    return parse_integer(str(int(digits[:40]) * factor), name, least, most)


def format_rate(rate):
    """E.g. "310 Msps"; "-" for 0."""
    for divisor, unit in ((1e9, "Gsps"), (1e6, "Msps"), (1e3, "ksps"), (1, "sps")):
        if rate >= divisor:
            return f"{three_digits(rate / divisor)} {unit}"
    return f"{rate:.3g} sps" if rate > 0 else "-"


def format_seconds(seconds):
    """E.g. "25.6 us"; "-" for 0."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{three_digits(seconds * factor)} {unit}"
    return f"{seconds * 1e9:.3g} ns" if seconds > 0 else "-"


def three_digits(value):
    """No exponent."""
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"


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
