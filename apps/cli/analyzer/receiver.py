# SPDX-License-Identifier: GPL-3.0-or-later
"""Listens to the session's channel. It needs no Qt."""

from pathlib import Path

from gnuradio import gr

from ..errors import CommandError, InputError, errors_of_blocks
from ..formats import item_bytes
from ..quantities import DECIBEL, parse_number
from .audio import AudioTap, SoundCard, WavFile
from .channel_filter import ChannelFilter, tune
from .demodulator import MODES, Demodulator

OFF, SOUND_CARD = "off", "sound card"
VOLUMES = (-60.0, 60.0)  # dB


class ListenBranch(gr.hier_block2):
    """The source's items -> channel -> audio -> player."""

    def __init__(self, format, mode, tuning, player, **engine):
        gr.hier_block2.__init__(
            self,
            "listen",
            gr.io_signature(1, 1, item_bytes(format)),
            gr.io_signature(0, 0, 0),
        )
        self.mode = mode
        self._filter = ChannelFilter(format, tuning, **engine)
        with errors_of_blocks():
            self.audio = Demodulator(MODES[mode], tuning.rate, tuning.width)
        self.tap = AudioTap(player)
        self.connect(self, *self._filter.blocks, self.audio, self.tap)

    @property
    def tuning(self):
        """Where the channel is."""
        return self._filter.tuning

    def move(self, tuning):
        """Follows a Tuning of the same decimation while it runs."""
        self._filter.move(tuning)
        self.audio.set_width(tuning.width)


class Receiver:
    """Demodulates the channel between the instrument's lines.

    mode: one of MODES or OFF; output: SOUND_CARD or the name of a WAV file in `folder`;
    volume: in dB; squelch: in dBFS or None."""

    def __init__(self, session, folder):
        self._session = session
        self._folder = folder
        self._branch = self._player = None
        self.output, self.volume, self.squelch = SOUND_CARD, 0.0, None

    @property
    def mode(self):
        """What is demodulated."""
        return OFF if self._branch is None else self._branch.mode

    def set_mode(self, text):
        """Begins to listen, or to another modulation, or ends. Raises CommandError."""
        if text == OFF:
            self._end()
            return
        if text not in MODES:
            raise InputError(f"demodulate {text!r}: use {', '.join((OFF, *MODES))}")
        if self._session.flowgraph.source.rate is None:
            raise InputError("listening (--listen) needs the sample rate: give --rate")
        self._check_speed(self.output, self._session.flowgraph.speed == 1)
        self._session.instrument.need_channel(MODES[text].width)
        if self._player is None:
            self._player = self._make_player(self.output)
        self._connect(text)

    def set_output(self, text):
        """Sends the audio to the sound card or to a WAV file. Raises CommandError."""
        if text != SOUND_CARD:
            check_name(text)
        if text == self.output:
            return
        if self._branch is None:
            self._player = None  # the next one is made with the branch
        else:
            self._check_speed(text, self._session.flowgraph.speed == 1)
            self._player = self._make_player(text)
            self._branch.tap.change_player(self._player)
        self.output = text

    def set_volume(self, text):
        """Amplifies the audio."""
        volume = parse_number(text, "volume", DECIBEL)
        if not VOLUMES[0] <= volume <= VOLUMES[1]:
            raise InputError(
                f"volume {text} is out of range: {VOLUMES[0]:g} to {VOLUMES[1]:g} dB"
            )
        self.volume = volume
        if self._branch is not None:
            self._branch.audio.set_volume(volume)

    def set_squelch(self, text):
        """Silences a channel below a level, given as text."""
        self.squelch = parse_level(text, "squelch")
        if self._branch is not None:
            self._branch.audio.set_squelch(self.squelch)

    def check_real_time(self, real_time):
        """Raises InputError if the file's speed does not suit the sound card."""
        if self._branch is not None:
            self._check_speed(self.output, real_time)

    def follow(self, is_slow):
        """Follows the channel; where that needs other blocks, only if is_slow. Raises
        CommandError if listening has failed."""
        branch = self._branch
        if branch is None:
            return
        if branch.tap.error:
            reason = branch.tap.error
            self._end()
            self._player = None
            raise CommandError(reason)
        tuning = self._tuning(branch.mode)
        if tuning == branch.tuning:
            return
        if tuning.decimation == branch.tuning.decimation:
            branch.move(tuning)
        elif is_slow:
            self._connect(branch.mode)

    def _tuning(self, mode):
        source, channel = self._session.flowgraph.source, self._session.instrument.channel
        return tune(source, channel, MODES[mode].least_rate, MODES[mode].side)

    def _connect(self, mode):
        flowgraph = self._session.flowgraph
        branch = ListenBranch(
            flowgraph.source.format,
            mode,
            self._tuning(mode),
            self._player,
            **flowgraph.engine_options,
        )
        branch.audio.set_volume(self.volume)
        branch.audio.set_squelch(self.squelch)
        flowgraph.set_branch("listen", branch)
        self._branch = branch

    def _end(self):
        if self._branch is None:
            return
        self._session.flowgraph.set_branch("listen")
        self._branch = None
        if self.output == SOUND_CARD:
            self._player = None  # a WAV file goes on later

    def _make_player(self, output):
        return SoundCard() if output == SOUND_CARD else WavFile(self._folder / output)

    def _check_speed(self, output, real_time):
        is_timed = real_time or self._session.flowgraph.source.is_live
        if output == SOUND_CARD and not is_timed:
            raise InputError(
                "the sound card plays a file in real time only: send audio to a FILE.wav, "
                "or leave the file in real time"
            )


def check_name(text):
    """Raises InputError if it is no name of a WAV file in a folder: who may use a page's
    controls writes there only."""
    if Path(text).name != text or not text.lower().endswith(".wav") or "\0" in text:
        raise InputError(
            f"audio to {text!r}: write {SOUND_CARD}, or the name of a WAV file (it comes "
            f"into the folder --record-to) such as audio.wav"
        )


def parse_level(text, name):
    """A level in dBFS, or None for "off"."""
    if text == OFF:
        return None
    return parse_number(text, name, DECIBEL)
