# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people write them (2.4e6, 2.4M, 2.4 MHz, 50%, 10us, 4k) and as they read them
(2.4 MHz)."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from .errors import InputError

PREFIXES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9}
SIZE_PREFIXES = {"": 1, "k": 2**10, "K": 2**10, "M": 2**20, "G": 2**30}
MOST_LENGTHS = 100000  # of one range
NUMBER = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*", re.ASCII
)


@dataclass(frozen=True)
class Unit:
    """factors: what each way to write the unit multiplies a number by; example: for the
    message that refuses another one; most: the largest size of a value."""

    factors: dict
    example: str
    most: float = math.inf


def with_prefixes(*names):
    """{"kHz": 1000, ...} for every prefix before every name."""
    return {prefix + name: PREFIXES[prefix] for prefix in PREFIXES for name in names}


# Small letters in all of "mhz" mean MHz: nobody has a millihertz.
HERTZ_NAMES = {**with_prefixes("", "Hz", "hz", "HZ"), "mhz": 10**6, "ghz": 10**9}
RATE_NAMES = with_prefixes("sps", "Sps", "SPS", "S/s", "Sa/s")
LOWEST_RATE, LARGEST = 1e-9, 1e18  # Hz
HERTZ = Unit(HERTZ_NAMES, "98500000, 98.5e6, 98.5M or 98.5 MHz", LARGEST)
RATE = Unit(
    {**HERTZ_NAMES, **RATE_NAMES}, "2400000, 2.4e6, 2.4M, 2.4 MHz or 2.4Msps", LARGEST
)
SECONDS = Unit(
    {
        "": 1,
        "s": 1,
        "ms": 1e-3,
        "us": 1e-6,
        "\N{MICRO SIGN}s": 1e-6,
        "ns": 1e-9,
        "min": 60,
    },
    "0.5, 100ms, 10us or 2min",
)
RATIO = Unit({"": 1, "%": 0.01}, "0.5 or 50%")
PERCENT = Unit({"": 1, "%": 1}, "99 or 99%")
DECIBEL = Unit(dict.fromkeys(("", "dB", "db", "dBFS", "dbfs"), 1), "-20 or -20 dB", 1000)
NO_UNIT = Unit({"": 1}, "8.6")


def printable(text):
    """A text without what no file and no picture can hold: control characters, and the bytes
    of a file's name that are no UTF-8."""
    return "".join(
        each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text
    )


def split_number(text):
    """("2.4", "MHz") for "2.4 MHz"; None if it does not start with a number."""
    match = NUMBER.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    return match and match.groups()


def parse_number(text, name, unit):
    """Reads "2400000", "2.4e6", "2.4M" or "2.4 MHz" for the unit HERTZ; `name` is the
    option, for the message."""
    parts = split_number(text)
    value = float(parts[0]) if parts else math.inf
    if not math.isfinite(value):
        raise InputError(f"{name} {text!r} is not a number: write it like {unit.example}")
    if parts[1] not in unit.factors:
        raise InputError(
            f"{name} {text!r} cannot have the unit {parts[1]!r}: write it like "
            f"{unit.example}"
        )
    value *= unit.factors[parts[1]]
    if abs(value) > unit.most:
        raise InputError(
            f"{name} {text!r} is out of range: {-unit.most:g} ... {unit.most:g}"
        )
    return value


def parse_positive(text, name, unit):
    """The same, and greater than zero."""
    value = parse_number(text, name, unit)
    if value <= 0:
        raise InputError(f"{name} {text!r} must be greater than 0")
    return value


def parse_rate(text, name):
    """A sample rate in Hz."""
    value = parse_positive(text, name, RATE)
    if value < LOWEST_RATE:
        raise InputError(
            f"{name} {text!r} is out of range: {LOWEST_RATE} ... {LARGEST:g}"
        )
    return value


def parse_ratio(text, name):
    """Reads the overlap of frames, "0.5" or "50%"."""
    value = parse_number(text, name, RATIO)
    if not 0 <= value < 1:
        raise InputError(f"{name} {text} is out of range: 0 <= overlap < 1")
    return value


def parse_levels(text, name, example):
    """(low, high) in decibels of "-120, 0"."""
    low, comma, high = text.partition(",")
    if not comma:
        raise InputError(f"{name} {text!r}: write two numbers, {example}")
    low, high = (parse_number(each, name, DECIBEL) for each in (low, high))
    if low >= high:
        raise InputError(f"{name} {text!r}: the first must be below the second")
    return low, high


def parse_range(text, most):
    """The lengths of "A-B", or of "A", for the option --lengths: 1 <= A <= B <= most."""
    first, dash, last = text.partition("-")
    if not first or dash and not last:
        raise InputError(f"--lengths {text!r} is not a range: write it like 100-200")
    first = parse_integer(first, "--lengths", 1, most)
    last = parse_integer(last, "--lengths", first, most) if dash else first
    if last - first >= MOST_LENGTHS:
        raise InputError(f"--lengths {text} is more than {MOST_LENGTHS} lengths")
    return range(first, last + 1)


def parse_integer(text, name, least, most=2**62):
    """Reads a whole number, "1000", "1e3" or "1k", least <= number <= most."""
    value = whole_number(text, PREFIXES)
    if value is None:
        raise InputError(f"{name} {text!r} is not a whole number")
    return check_range(value, text, name, least, most)


def parse_size(text, name, least, most=2**62):
    """Reads a length: "1024", "1e6", or "64k", "1M" by powers of 1024."""
    value = whole_number(text, SIZE_PREFIXES)
    if value is None:
        raise InputError(
            f"{name} {text!r} is not a length: write it like 1024, 64k, 1M or 1e6 "
            f"(k is 1024)"
        )
    return check_range(value, text, name, least, most)


def whole_number(text, prefixes):
    """An integer, infinity for a huge one, or None if the text is no whole number."""
    parts = split_number(text)
    if parts is None or parts[1] not in prefixes:
        return None
    if abs(float(parts[0])) > 1e40:
        return math.copysign(math.inf, float(parts[0]))
    value = Decimal(parts[0]) * prefixes[parts[1]]
    return int(value) if value == value.to_integral_value() else None


def check_range(value, text, name, least, most):
    """Returns the number if least <= value <= most."""
    shown = value if math.isfinite(value) else text
    if value < least:
        raise InputError(f"{name} {shown} is out of range: it must be {least} or more")
    if value > most:
        raise InputError(f"{name} {shown} is out of range: it must be {most} or less")
    return value


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
