# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of what is read: at the mouse, of markers, of the channel. It needs no Qt."""

import numpy as np

from .. import levels
from .history import decode
from .screen import column_edges, decibels

NOTHING = "\N{EN DASH}"
SEPARATOR = "  \N{MIDDLE DOT}  "
DELTA = "\N{GREEK CAPITAL LETTER DELTA}"
MARKER_TITLES = "", "Frequency", "Level", "Noise density", f"{DELTA} M1", ""


def level_text(level, unit):
    """E.g. "-12.3 dBFS"; a dash for None and for no power."""
    if level is None or not np.isfinite(level):
        return NOTHING
    return with_minus(f"{levels.level_text(level)} {unit}")


def with_minus(text):
    """Numbers with a true minus sign."""
    return text.replace("-", "\N{MINUS SIGN}")


def density_unit(axis):
    """Of noise density."""
    return "dBFS/Hz" if axis.is_in_hertz else "dBFS per cycle/sample"


def column_at(frequency, edges):
    """The column that a frequency (in the plots' unit) falls into, or None."""
    column = int(np.searchsorted(edges, frequency, "right")) - 1
    return column if 0 <= column < len(edges) - 1 else None


def frequency_words(frequency, axis, edges):
    """A frequency at the mouse, as exactly as a column of pixels."""
    hertz, width = frequency * axis.divisor, edges[1] - edges[0]
    return with_minus(axis.text(hertz, resolution=width * axis.divisor))


def spectrum_words(picture, axis, edges, frequency, level):
    """Frequency, level at the mouse, level of the average (its highest in the column)."""
    words = [frequency_words(frequency, axis, edges), level_text(level, "dBFS")]
    column = column_at(frequency, edges)
    if column is not None:
        trace = decibels(picture["average_high"][column])
        words.append(f"trace {level_text(trace, 'dBFS')}")
    return SEPARATOR.join(words)


def density_words(picture, axis, edges, frequency, level):
    """Frequency, level, share of time there."""
    words = [frequency_words(frequency, axis, edges), level_text(level, "dBFS")]
    share = density_at(picture, axis, frequency, level)
    if share is not None:
        words.append(f"{share:.3%} of the time")
    return SEPARATOR.join(words)


def density_at(picture, axis, frequency, level):
    """The density's share of time at a frequency and level; None outside."""
    density = picture["density"]
    low, high = picture["density_low"], picture["density_high"]
    if density.size == 0 or not low <= level < high:
        return None
    columns, levels = density.shape
    bins = picture["density_bins"]
    begins = picture["density_first_bin"] + np.arange(columns + 1) * bins // columns
    column = column_at(frequency, axis.edge(begins))
    if column is None:
        return None
    row = int((level - low) / (high - low) * levels)
    return float(density[column, min(row, levels - 1)])  # just below `high` it may round up


def waterfall_words(history, axis, edges, frequency, seconds):
    """Frequency, time, level of the cell, position of its line in the recording."""
    time, level = np.array([history.now - seconds]), None
    column = column_at(frequency, edges)
    if column is not None:
        cell = history.image(time, edges[column : column + 2] * axis.divisor)
        level = float(decode(cell)[0, 0])
    ago = f"{seconds:.2f} s ago"
    (position,) = history.positions(time)
    if not np.isnan(position):
        ago += f" (at {position:.3f} s)"
    words = frequency_words(frequency, axis, edges), ago
    return SEPARATOR.join((*words, level_text(level, "dBFS")))


PLOTS = {
    "spectrum": spectrum_words,
    "density": density_words,
    "waterfall": waterfall_words,
}


def words_at(session, plot, x, y):
    """What is at a place of one of PLOTS, in words; "" before the first picture."""
    if session.picture is None or session.history.now is None:
        return ""
    edges = column_edges(session.picture, session.axis)
    shown = session.history if plot == "waterfall" else session.picture
    return PLOTS[plot](shown, session.axis, edges, np.clip(x, *edges[[0, -1]]), y)


def marker_table(readings, axis):
    """Titles, then the row of each marker; [] without markers."""
    rows = marker_rows(readings, axis)
    has_deltas = any(reading.delta is not None for reading in readings)
    columns = len(MARKER_TITLES) if has_deltas else len(MARKER_TITLES) - 2
    return [row[:columns] for row in (MARKER_TITLES, *rows)] if rows else []


def marker_rows(readings, axis):
    """(name, frequency, level, density, delta's frequency, delta's level) of each marker."""
    resolution = axis.rate / axis.size / 10
    rows = []
    for reading in readings:
        frequency = axis.text(reading.frequency, resolution=resolution)
        delta = "", ""
        if reading.delta is not None:
            hertz, decibel = reading.delta
            sign = "+" if hertz > 0 else ""
            delta = (
                sign + with_minus(axis.text(hertz, resolution=resolution)),
                level_text(decibel, "dB"),
            )
        rows.append(
            (
                marker_name(reading),
                with_minus(frequency),
                level_text(reading.level, "dBFS"),
                level_text(reading.density, density_unit(axis)),
                *delta,
            )
        )
    return rows


def marker_name(reading):
    """E.g. "M1"; a delta marker's begins with a Delta."""
    letter = "M" if reading.delta is None else DELTA
    return f"{letter}{reading.number}"


def channel_table(instrument, detector, axis):
    """The lines of channel_rows(), two of them beside each other; [] for no channel."""
    if instrument.measured is None:
        return []
    rows = channel_rows(
        instrument.channel, instrument.measured, instrument.share, detector, axis
    )
    half = len(rows) // 2
    return [first + second for first, second in zip(rows[:half], rows[half:])]


def channel_rows(channel, measured, share, detector, axis):
    """(what, value) of each line of a channel's measurement. A detector other than the mean
    is named: its trace is no mean power."""
    resolution = axis.rate / axis.size / 10
    occupied = NOTHING
    if measured.occupied is not None:
        low, high = measured.occupied
        width = axis.text(high - low, resolution=resolution)
        middle = axis.text((low + high) / 2, resolution=resolution)
        occupied = f"{width} at {with_minus(middle)}"
    power = "Power" if detector == "mean" else f"Power ({detector})"
    return (
        ("Channel", channel_text(channel, axis, resolution)),
        (power, level_text(measured.power, "dBFS")),
        ("Density", level_text(measured.density, density_unit(axis))),
        (f"Occupied {share:g}%", occupied),
        ("Adjacent, lower", level_text(measured.lower, "dBc")),
        ("Adjacent, upper", level_text(measured.upper, "dBc")),
    )


def channel_text(channel, axis, resolution):
    """Centre and width."""
    middle = axis.text((channel.low + channel.high) / 2, resolution=resolution)
    width = axis.text(channel.width, resolution=resolution)
    return f"{width} at {with_minus(middle)}"
