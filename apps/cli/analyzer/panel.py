# SPDX-License-Identifier: GPL-3.0-or-later
"""The controls beside the plots, as data: window and page each build theirs from it. What
they do is in Actions, under the same names."""

from dataclasses import dataclass
from typing import Optional

from . import theme
from .demodulator import MODES
from .receiver import OFF, SOUND_CARD
from .recordings import KINDS
from .settings import DETECTORS, window_names

SIZES = (*(str(1 << exponent) for exponent in range(8, 23, 2)), "1009", "1000003")
TIMES = ("0", "0.1", "0.3", "1", "3", "10")
FULL_SPEED, REAL_TIME = "full speed", "real time"
SPEEDS = ("0.1", "0.25", "0.5", REAL_TIME, "2", "5", "10", FULL_SPEED)


@dataclass(frozen=True)
class Field:
    """A value as text. choices: a list that offers values; tip: what can be typed, None if
    only the choices are values."""

    name: str
    label: str
    tip: Optional[str] = None
    choices: tuple = ()


@dataclass(frozen=True)
class Switch:
    """A box to tick."""

    name: str
    label: str
    is_on: bool = True
    colour: Optional[str] = None  # of its trace


@dataclass(frozen=True)
class Button:
    """A button to press."""

    name: str
    label: str


@dataclass(frozen=True)
class Group:
    """A box of controls. Its switches stand in two columns."""

    title: str
    controls: tuple


def make_panel(source, takes_branches=True):
    """The groups, from top to bottom, as a source needs them. takes_branches: whether the
    samples can also be listened to and recorded."""
    groups = (
        Group("Frequency", tuple(_frequency(source))),
        *([Group("Transform", tuple(_transform()))] if source.format else []),
        Group("Traces", tuple(_traces())),
        Group("Display", tuple(_display(source))),
        *_file(source),
        Group("Channel", tuple(_channel())),
    )
    if not takes_branches:
        return groups
    return (*groups, Group("Listen", tuple(_listen())), Group("Record", tuple(_record())))


def controls_of(panel, kind):
    """The panel's fields, switches or buttons, by their names."""
    controls = (control for group in panel for control in group.controls)
    return {each.name: each for each in controls if isinstance(each, kind)}


def _frequency(source):
    if source.is_tunable:
        yield Field("tune", "Tune to", "the receiver's centre, e.g. 100M")
    yield Field("centre", "Centre", "centre of the band shown, e.g. 98.5M")
    yield Field("span", "Span", "width of the band shown, e.g. 200k")
    yield Button("full_span", "Full span")


def _transform():
    yield Field("size", "FFT size", "any from 16 to 4194304", SIZES)
    yield Field("rbw", "Resolution", "bandwidth of a bin: chooses the size")
    windows = (*window_names(), "kaiser:8.6")
    yield Field("window", "Window", "or kaiser:BETA", windows)
    overlaps = ("0", "0.5", "0.75", "0.9")
    yield Field("overlap", "Overlap", "of frames, 0 to 1", overlaps)
    yield Field("hop", "Hop", "the same in samples, 1 to the FFT size")
    averages = ("auto", "1", "10", "100", "1000")
    yield Field("average", "Frames per row", "or any number", averages)
    yield Field("detector", "Detector", None, DETECTORS)


def _traces():
    yield Field("averaging", "Averaging (s)", "time constant", TIMES)
    yield Field("persistence", "Persistence (s)", "time constant", TIMES)
    yield Switch("show_average", "Average", colour=theme.AVERAGE)
    yield Switch("show_max_hold", "Max hold", colour=theme.MAX_HOLD)
    yield Switch("show_min_hold", "Min hold", colour=theme.MIN_HOLD)
    yield Switch("show_peaks", "Peaks", colour=theme.PEAK)
    yield Button("restart", "Restart traces")


def _display(source):
    yield Switch("show_density", "Density")
    yield Switch("show_waterfall", "Waterfall")
    yield Switch("auto_levels", "Auto levels")
    yield Switch("pause", "Pause", False)
    if source.playback is not None:
        yield Switch("show_notes", "Annotations")
    yield Field("levels", "Levels (dB)", "lowest, highest: e.g. -120, 0")
    tip = "auto, or lowest, highest: e.g. -120, -60"
    yield Field("waterfall_levels", "Waterfall (dB)", tip, ("auto",))
    yield Field("colours", "Colours", None, theme.COLOUR_MAPS)
    yield Button("save", "Save picture")
    yield Button("save_traces", "Save traces")
    yield Button("save_waterfall", "Save waterfall")


def _file(source):
    """The group of a recording, if it is one."""
    if source.playback is None:
        return
    unit = "samples" if source.rate is None else "s"
    controls = [Field("position", f"Position ({unit})", "or click into the bar")]
    tip = "the part to play, e.g. 1.5, 2; or all"
    controls.append(Field("loop", f"A, B ({unit})", tip, ("all",)))
    if source.rate is not None:
        tip = "times real time, 0.1 to 10, or full speed"
        controls.append(Field("speed", "Speed", tip, SPEEDS))
    yield Group("File", tuple(controls))


def _channel():
    yield Switch("show_channel", "Measure (B)", False)
    tip = "of the channel, e.g. 98.5M; or drag its lines"
    yield Field("channel_centre", "Centre", tip)
    yield Field("channel_width", "Width", "of the channel and its neighbours, e.g. 200k")
    yield Field("share", "Occupied (%)", "share of the power in the occupied bandwidth")


def _listen():
    yield Field("demodulate", "Demodulate", None, (OFF, *MODES))
    tip = "or the name of a WAV file, in the folder of --record-to"
    yield Field("audio_to", "Audio to", tip, (SOUND_CARD, "audio.wav"))
    yield Field("volume", "Volume (dB)", "gain of the audio, -60 to 60")
    tip = "silence while the channel's power is lower; or off"
    yield Field("squelch", "Squelch (dBFS)", tip, (OFF,))


def _record():
    yield Switch("recording", "Record (R)", False)
    yield Field("recorded", "Of", None, KINDS)
    tip = "records while the channel's power is higher; or off"
    yield Field("trigger", "Trigger (dBFS)", tip, (OFF,))
