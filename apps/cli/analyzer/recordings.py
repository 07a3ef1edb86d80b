# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the session's stream or channel as SigMF files: by hand, or by the channel's level.
It needs no Qt."""

import time

from gnuradio import gpufft

from ..annotations import VERSION
from ..errors import CommandError, InputError
from ..quantities import format_seconds
from .channel_filter import known_rate, tune
from .measure import band_power, to_decibels
from .receiver import parse_level
from .recorder import RecordBranch
from .sigmf_file import SigmfFile, datatype

WHOLE, CHANNEL = "whole stream", "channel"
KINDS = (WHOLE, CHANNEL)
USUAL_WIDTH = 100e3  # Hz, of a channel that nobody has chosen
BEFORE_SECONDS = 1.0  # that a triggered recording holds from before the trigger,
BEFORE_CONSTANTS = 2  # and as many time constants of the average, which tells it late
AFTER_SECONDS = 2.0  # for which it goes on after the level has fallen
POLL_SECONDS = 0.1
STALE_SECONDS = 0.25  # after which a picture no longer tells the level


class Recordings:
    """kind: what is recorded, of KINDS; trigger: level in dBFS at which the channel's power
    begins a recording, or None. A recording keeps the channel that it began with."""

    def __init__(self, session, folder):
        self._session = session
        self._folder = folder
        self.kind, self.trigger = WHOLE, None
        self._branch = None
        self._is_triggered = False  # the recording that runs
        self._is_spent = False  # the trigger: the level has to fall first
        self._fell_at = None  # sample, since which the level is below the trigger
        self._polled = 0.0  # in seconds of time.monotonic()

    @property
    def file(self):
        """What is written to, or None."""
        return None if self._branch is None else self._branch.recorder.file

    def words(self):
        """What is going on, for the status line; "" for nothing."""
        file = self.file
        if file is None:
            return "" if self.trigger is None else "waiting for the trigger"
        rate = self._branch.rate
        length = f"{file.samples} samples"
        return f"recording {format_seconds(file.samples / rate) if rate else length}"

    def record(self, is_on):
        """Begins a recording, or ends it. Raises CommandError."""
        if not is_on:
            self._is_spent = self._is_triggered
            self._end()
        elif self.file is None:
            self._session.switches["recording"] = False  # unless it begins
            self._prepare()
            self._begin(False)

    def set_kind(self, text):
        """Chooses what is recorded next."""
        if text not in KINDS:
            raise InputError(f"record {text!r}: use {', '.join(KINDS)}")
        if self.file is not None:
            raise InputError("a recording is running: end it first")
        self.kind = text
        self._follow()

    def set_trigger(self, text):
        """Sets the level, given as text, or "off"."""
        level = parse_level(text, "trigger")
        if level is not None:
            known_rate(self._session.flowgraph.source)
            self._session.instrument.need_channel(USUAL_WIDTH)
        self.trigger, self._is_spent = level, False
        self._follow()

    def poll(self):
        """Follows channel, frequency and level. Raises CommandError if a recording has
        failed."""
        branch = self._branch
        if branch is None or time.monotonic() - self._polled < POLL_SECONDS:
            return
        self._polled = time.monotonic()
        recorder = branch.recorder
        if recorder.error:
            reason, recorder.error = recorder.error, ""
            self._is_spent = self._is_triggered
            self._end()
            raise CommandError(reason)
        if recorder.file is None:
            self._follow()
        else:
            recorder.retune(self._frequency(branch.tuning))
        self._heed_level()

    def _heed_level(self):
        """Begins or ends a recording by the channel's level."""
        session, view = self._session, self._session.flowgraph.view
        if self.trigger is None or view.rows() == 0:
            return
        if time.monotonic() - session.taken_at > STALE_SECONDS:
            view.take()  # nobody looks: brings the average up to date
        channel, recorder = session.instrument.channel, self._branch.recorder
        power = band_power(session.trace, channel.low, channel.high)
        if to_decibels(power) >= self.trigger:
            self._fell_at = None
            if recorder.file is None and not self._is_spent:
                self._begin(True)
            return
        self._is_spent = False
        if self._fell_at is None:
            self._fell_at = recorder.seen
        after = (recorder.seen - self._fell_at) / self._branch.rate
        if self._is_triggered and after >= AFTER_SECONDS:
            self._end()

    def _follow(self):
        """Between recordings: keeps samples for the trigger, or lets none through."""
        if self.file is not None:
            return
        if self.trigger is not None:
            self._prepare()
            averaging = self._session.flowgraph.settings.averaging
            before = BEFORE_SECONDS + BEFORE_CONSTANTS * averaging
            self._branch.recorder.keep(round(before * self._branch.rate))
            self._branch.open(True)
        elif self._branch is not None:
            self._branch.recorder.keep(0)
            self._branch.open(False)

    def _prepare(self):
        """Connects the branch for what is to be recorded next, or adapts it."""
        flowgraph = self._session.flowgraph
        tuning = None
        if self.kind == CHANNEL:
            self._session.instrument.need_channel(USUAL_WIDTH)
            tuning = tune(flowgraph.source, self._session.instrument.channel)
        branch = self._branch
        if branch is not None and branch.tuning == tuning:
            pass
        elif branch is not None and decimation(branch.tuning) == decimation(tuning):
            branch.move(tuning)
        else:
            branch = RecordBranch(flowgraph.source, tuning, **flowgraph.engine_options)
            flowgraph.set_branch("record", branch)
            self._branch = branch
        branch.recorder.retune(self._frequency(tuning))

    def _begin(self, is_triggered):
        branch = self._branch
        facts = {
            "core:version": VERSION,
            "core:datatype": datatype(branch.format),
            "core:hw": self._session.flowgraph.source.name,
            "core:recorder": f"gpufft analyzer {gpufft.version()}",
        }
        if branch.rate is not None:
            facts["core:sample_rate"] = branch.rate
        branch.recorder.begin(
            lambda kept: SigmfFile(
                self._folder,
                branch.recorder.size,
                facts,
                branch.recorder.frequency,
                kept / branch.rate if branch.rate else 0.0,
            )
        )
        branch.open(True)
        self._is_triggered, self._fell_at = is_triggered, None
        self._session.switches["recording"] = True

    def _end(self):
        self._is_triggered = False
        self._session.switches["recording"] = False
        if self._branch is not None:
            try:
                self._branch.recorder.end()
            finally:
                self._follow()

    def _frequency(self, tuning):
        """Of a recording's 0 Hz, or None."""
        frequency = self._session.flowgraph.source.frequency
        return frequency if tuning is None else (frequency or 0.0) + tuning.shift


def decimation(tuning):
    """Of a Tuning; 0 for the whole stream."""
    return 0 if tuning is None else tuning.decimation
