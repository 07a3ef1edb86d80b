# SPDX-License-Identifier: GPL-3.0-or-later
"""A running analyzer without its display: what a window and a page share. It needs no Qt; one
thread at a time may use it."""

import time
import traceback
from pathlib import Path

import numpy as np

from ..errors import CommandError, InputError
from ..levels import level_text
from .actions import Actions
from .history import History
from .instrument import Instrument
from .keys import PLAY_ACTS
from .meter import LossMeter, RateMeter, Silence
from .notes import Notes
from .panel import Button, Field, Switch, controls_of, make_panel
from .receiver import Receiver
from .recordings import Recordings
from .screen import (
    LARGEST_PEAKS,
    PeakFinder,
    column_edges,
    decibels,
    is_silent,
    level_range,
    make_axis,
)
from .settings import FIRST_LEVELS, noise_bandwidth
from .status import SEPARATOR, WAITING, status_texts
from .theme import COLOUR_MAPS
from .trace import Trace
from .transport import Transport
from .waterfall_range import WaterfallRange

FRAMES_PER_SECOND = 30
SLOW_SECONDS = 0.5  # between updates of texts and levels
LONGEST_FRAME = 60.0  # s, that traces wait for to begin anew
SETTLING_SECONDS = 0.3  # until a change has come through the stream, but for a frame
FEWEST_COLUMNS = 16
NOTES_ROOM = 20.0  # dB, above the traces
ROWS_ANNOTATED = 1000  # in which a marked region is looked at


class Session:
    """An AnalyzerFlowgraph and how it is looked at.

    A display calls take() up to FRAMES_PER_SECOND times a second, update() every
    SLOW_SECONDS, and draws. `actions` are what the controls of `panel` do; attempt() makes
    a failure a message.

    axis: frequencies of the bins; band: (low, high), shown of it, in its unit; levels: (low,
    high) shown, in dBFS; waterfall_levels: those that the waterfall's colours mean;
    colour_map: one of COLOUR_MAPS; trace: the average, by bins, valid with a picture;
    history: the waterfall's lines; instrument: markers and channel; receiver, recordings:
    what listens and records; switches: name -> whether it is on; picture: the one taken
    last, or None; frames: pictures taken, the last one at taken_at; peaks: PeakMarks;
    status: (line, tooltip); notice: words over the plots, or ""; restart_at: when the
    traces restart once more, or None. Times are in seconds of time.monotonic()."""

    def __init__(self, flowgraph, folder=Path(".")):
        """folder: where recordings go."""
        self.flowgraph = flowgraph
        self.panel = make_panel(flowgraph.source, flowgraph.takes_branches)
        self.fields = controls_of(self.panel, Field)
        self.buttons = controls_of(self.panel, Button)
        switches = controls_of(self.panel, Switch)
        self.switches = {name: switch.is_on for name, switch in switches.items()}
        self.levels = FIRST_LEVELS
        self.colour_map = COLOUR_MAPS[0]
        self.fixed_waterfall_levels = None  # (low, high), or None: they follow the signal
        self._waterfall_range, self._waterfall_levels = WaterfallRange(), FIRST_LEVELS
        self.frames, self.peaks, self.status = 0, [], ("", "")
        self._is_silent = False  # digitally: the average only falls
        self.taken_at = 0.0
        self._failures = []  # messages for update() to raise
        self._faults = set()  # that have been told with all that is known
        self.restart_at = None
        self._make_meters()
        self.band = None
        self.history = History()
        self.transport = Transport(self)
        self.notes = Notes(flowgraph.source)
        self.instrument = Instrument(self)
        self.receiver = Receiver(self, folder)
        self.recordings = Recordings(self, folder)
        self.follow_size()
        self.actions = Actions(self)

    def _make_meters(self):
        source = self.flowgraph.source
        self._sample_meter, self._frame_meter = RateMeter(), RateMeter()
        self._silence, self.notice = Silence(), ""
        is_timed = source.can_lose and source.rate is not None
        self._loss_meter = LossMeter(source.rate) if is_timed else None

    def attempt(self, act):
        """Calls act(). Returns the message of its failure, or "". The analyzer goes on."""
        try:
            act()
        except CommandError as error:
            return str(error)
        except Exception as error:  # of memory, or a fault in here
            words = f"{type(error).__name__}: {error}"
            if words not in self._faults:
                self._faults.add(words)
                traceback.print_exc()
            return words
        return ""

    def press(self, key):
        """Takes a key's step; returns whether the key has one. Raises InputError."""
        if key not in PLAY_ACTS:
            return self.instrument.press(key)
        name, *arguments = PLAY_ACTS[key]
        getattr(self.transport, name)(*arguments)
        return True

    # What the controls do is in Actions; these are the steps it takes.

    def follow_size(self):
        """Adapts to a change of size, window, rate or centre."""
        self.axis = make_axis(self.flowgraph.source, self.flowgraph.settings.size)
        now = self.flowgraph.settings
        self._finder = PeakFinder(self.axis, now.window)
        bandwidth = noise_bandwidth(now.window, now.size)
        self.trace = Trace(self.axis, self._average, bandwidth)
        self._span = None
        self._rows, self.picture = 0, None
        self.show_band(*(self.band or (self.axis.low, self.axis.high)))

    def _average(self, first_bin, bins):
        """Linear powers of the average trace."""
        return self.flowgraph.view.average(first_bin, bins)

    def show_band(self, low, high):
        """Shows a band, moved or cut to lie within the stream's."""
        axis = self.axis
        width = axis.high - axis.low
        span = min(max(high - low, 2 * width / axis.size), width)
        middle = (low + high) / 2
        low = min(max(middle - span / 2, axis.low), axis.high - span)
        self.band = low, low + span

    def show_full_band(self):
        """Shows all of the stream's band."""
        self.show_band(self.axis.low, self.axis.high)

    def show_levels(self, low, high):
        """The range of levels of all plots."""
        self.levels = low, high
        self.flowgraph.show_levels(low, high)

    def fix_levels(self, low, high):
        """The same, and they no longer follow the signal."""
        self.switches["auto_levels"] = False
        self.show_levels(low, high)

    @property
    def waterfall_levels(self):
        """(low, high): as they are fixed, or as suits the last lines."""
        if self.fixed_waterfall_levels is not None:
            return self.fixed_waterfall_levels
        return self._waterfall_levels

    def restart_traces(self):
        """Restarts average, holds and density now, and again without the samples that are
        in flight."""
        frame = min(self.flowgraph.settings.size / self.flowgraph.rate, LONGEST_FRAME)
        self.flowgraph.restart()
        self.restart_at = time.monotonic() + SETTLING_SECONDS + frame

    def take(self, columns):
        """The next picture, for a plot of `columns` columns of pixels. None if nothing has
        come or moved since the last one, or in a pause."""
        if self.restart_at is not None and time.monotonic() >= self.restart_at:
            self.restart_at = None
            self.flowgraph.restart()
        self._poll(False)
        moved = self._follow_band(max(FEWEST_COLUMNS, columns))
        rows = self.flowgraph.view.rows()
        if self.transport.is_frozen or (rows == self._rows and not moved):
            return None
        self._rows = rows
        picture, self.taken_at = self.flowgraph.view.take(), time.monotonic()
        if len(picture["max_hold"]) == 0:  # no row yet
            return None
        self.picture = picture
        if picture["rows"] > 0:
            self._remember(picture)
        if self.frames == 0:
            self._fit_levels()
        self.frames += 1
        self.instrument.read()
        return picture

    def _remember(self, picture):
        """Adds the picture's line to the waterfall."""
        edges = column_edges(picture, self.axis)[[0, -1]] * self.axis.divisor
        levels = decibels(picture["mean"])
        self.history.add(levels, tuple(edges), *self.transport.clock())
        self._waterfall_range.add(picture["mean"])
        self._is_silent = is_silent(picture)

    def annotate(self, newest, oldest, low, high, label):
        """Makes a region of the waterfall an annotation, between two times of the history's
        clock and two frequencies of the plots. Returns what the user is told."""
        if self.history.now is None:
            raise InputError("there is no waterfall yet")
        axis = self.axis
        edges = np.clip(sorted((low, high)), axis.low, axis.high) * axis.divisor
        rows = self.history.rows(newest, oldest, ROWS_ANNOTATED)
        return self.notes.add(*rows, *map(float, edges), label)

    def _follow_band(self, columns):
        """Tells the view which bins are shown, in how many columns."""
        span = (*self.axis.bins(*self.band), columns)
        if span == self._span:
            return False
        self._span = span
        self.flowgraph.show_bins(*span)
        return True

    def update(self):
        """Updates status, levels and peaks, and follows the rate. Raises CommandError if
        listening or recording has failed."""
        now = time.monotonic()
        samples = self.flowgraph.samples()
        self._sample_meter.update(now, samples)
        self._frame_meter.update(now, self.frames)
        self.flowgraph.follow_rate(self._sample_meter.rate)
        if self._loss_meter is not None:
            self._loss_meter.update(now, samples)
        lost = None if self._loss_meter is None else self._loss_meter.lost
        is_waiting = self._silence.update(now, samples) and self.flowgraph.is_waited_for()
        self.notice = WAITING if is_waiting else self.transport.notice()
        rates = self._sample_meter.rate, self._frame_meter.rate
        line, tip = status_texts(self.flowgraph, *rates, lost, is_waiting)
        words = self.recordings.words()
        self.status = f"<b>{words}</b>{SEPARATOR}{line}" if words else line, tip
        if self.picture is not None and not self.transport.is_frozen:
            self._fit_levels()
            has_peaks = self.switches["show_peaks"] and not self._is_silent
            self.peaks = self.find_peaks() if has_peaks else []
            self.instrument.measure()
        self._poll(True)
        if self._failures:
            raise CommandError(self._failures.pop(0))

    def _poll(self, is_slow):
        """Lets receiver and recordings follow the stream; update() raises their failures."""
        if not self.flowgraph.takes_branches:
            return
        for act in (lambda: self.receiver.follow(is_slow), self.recordings.poll):
            message = self.attempt(act)
            if message and message not in self._failures:
                self._failures.append(message)

    def _fit_levels(self):
        """Follows the signal's levels: the waterfall's, and the others if that is on."""
        self._waterfall_levels = self._waterfall_range.levels() or self.levels
        if self._is_silent or not self.switches["auto_levels"]:
            return
        low, high = level_range(self.picture)
        if self.notes.all and self.switches["show_notes"]:
            high += NOTES_ROOM
        if self.levels[0] - low in (0.0, 10.0) and self.levels[1] - high in (0.0, 10.0):
            return
        if (low, high) != self.levels:
            self.show_levels(low, high)

    def find_peaks(self, count=LARGEST_PEAKS):
        """At most `count` peaks of the picture, the strongest first."""
        return self._finder.find(self.picture, self.flowgraph.view, count)

    def peak_texts(self):
        """(frequency, level) of each peak, in words."""
        resolution = self.axis.rate / self.axis.size / 10
        texts = (
            (
                self.axis.text(peak.frequency, resolution=resolution),
                f"{level_text(peak.level)} dBFS",
            )
            for peak in self.peaks
        )
        return [[text.replace("-", "\N{MINUS SIGN}") for text in pair] for pair in texts]
