# SPDX-License-Identifier: GPL-3.0-or-later
"""A session as JSON for the page."""

from dataclasses import asdict

from . import theme
from .keys import ACTS, HELP, HELP_KEYS, PLAY_ACTS, WATERFALL_ACTS
from .readout import channel_table, marker_name, marker_table
from .screen import FAINTEST_SHARE
from .wire import LOWEST, SHADES, STEP

# What each page does for itself; all other controls are shared.
OWN_CONTROLS = (
    "show_average",
    "show_max_hold",
    "show_min_hold",
    "show_peaks",
    "show_waterfall",
    "save",
)
WINDOW_CONTROLS = ("save_traces", "save_waterfall")


def constants(session):
    """What does not change."""
    colours = {**theme.colours(), "OVER_IMAGE": theme.OVER_IMAGE}
    maps = {name: theme.lookup_table(name).ravel() for name in theme.COLOUR_MAPS}
    return {
        "name": session.flowgraph.source.name,
        "panel": [describe_group(group) for group in session.panel],
        "keys": [*ACTS, *PLAY_ACTS],
        "waterfall_keys": WATERFALL_ACTS,
        "help_keys": HELP_KEYS,
        "help": HELP,
        "colours": {name.lower(): colour for name, colour in colours.items()},
        "colour_maps": {name: colours.tolist() for name, colours in maps.items()},
        "faintest_share": FAINTEST_SHARE,
        "density_shades": SHADES,
        "lowest": LOWEST,
        "step": STEP,
    }


def describe_group(group):
    """A group of controls."""
    controls = [
        {
            "kind": type(control).__name__.lower(),
            "is_shared": control.name not in OWN_CONTROLS,
            **asdict(control),
        }
        for control in group.controls
        if control.name not in WINDOW_CONTROLS
    ]
    return {"title": group.title, "controls": controls}


def state(session):
    """What changes."""
    axis = session.axis
    return {
        "axis": {**asdict(axis), "low": axis.low, "high": axis.high},
        "band": session.band,
        "levels": session.levels,
        "waterfall_levels": session.waterfall_levels,
        "colour_map": session.colour_map,
        "switches": {
            name: is_on
            for name, is_on in session.switches.items()
            if name not in OWN_CONTROLS
        },
        "values": session.actions.values(),
        "status": session.status,
        "notice": session.notice,
        "peaks": [
            [peak.frequency / axis.divisor, peak.level, *texts]
            for peak, texts in zip(session.peaks, session.peak_texts())
        ],
        "markers": describe_markers(session),
        "marker_table": marker_table(session.instrument.readings, axis),
        "channel": describe_channel(session),
        "playback": describe_playback(session.transport),
    }


def describe_markers(session):
    """Name, frequency in the axis' unit, level or None, and whether it is the chosen one."""
    return [
        {
            "name": marker_name(reading),
            "frequency": reading.frequency / session.axis.divisor,
            "level": reading.level,
            "is_chosen": reading.is_chosen,
        }
        for reading in session.instrument.readings
    ]


def describe_playback(transport):
    """Where a recording is, and its loop, in seconds; None for another source."""
    if transport.playback is None:
        return None
    return {
        "position": transport.position,
        "duration": transport.duration,
        "marks": transport.marks,
        "words": transport.words(),
    }


def describe_notes(session):
    """The recording's annotations: band in the axis' unit, start and end in seconds; None:
    the recording's end."""
    notes, rate = session.notes, session.flowgraph.source.rate
    return [
        {
            "label": note.label,
            "span": notes.span(note, session.axis),
            "start": note.start / rate,
            "end": None if note.count is None else (note.start + note.count) / rate,
        }
        for note in notes.all
    ]


def describe_channel(session):
    """What the channel measures, and its bands in the axis' unit; None if it is hidden."""
    instrument, axis = session.instrument, session.axis
    channel, measured = instrument.channel, instrument.measured
    if measured is None:
        return None
    powers = measured.lower, measured.upper
    beside = [
        band for band, power in zip(channel.neighbours(), powers) if power is not None
    ]
    bands = {
        "channel": [(channel.low, channel.high)],
        "neighbours": beside,
        "occupied": [] if measured.occupied is None else [measured.occupied],
    }
    detector = session.flowgraph.settings.detector
    return {
        **{
            name: [[edge / axis.divisor for edge in band] for band in each]
            for name, each in bands.items()
        },
        "table": channel_table(instrument, detector, axis),
    }
