# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's GNU Radio flowgraph: a source before the chain that makes pictures."""

from gnuradio import gr

from .branches import Branches
from .chain import SpectrumChain

FULL_SPEED = {"cuda": 1e9, "cpu": 2e8}  # samples a second, about; for the rows' length
ROWS_OF_FILE = 60  # at least, of a file that ends, if it has as many frames


class AnalyzerFlowgraph(Branches, SpectrumChain, gr.top_block):
    """source -> power spectrum -> view. A file comes through `frames`, a FrameSource, None for
    others. Branches begin at the source's blocks, which give what a file plays."""

    def __init__(self, source, settings, engine, device, real_time):
        """real_time: play a file at its own rate, else as fast as possible.

        Raises InputError, CommandError if the blocks cannot be made."""
        gr.top_block.__init__(self, "gpufft analyzer")
        Branches.__init__(self)
        self.frames = None
        self._playback = source.playback
        self._has_ended = False
        if self._playback is not None and source.rate is not None and real_time:
            self._playback.set_speed(1.0)
        if len(source.blocks) > 1:  # for good: later blocks begin at its current sample
            self.connect(*source.blocks)
        self._make_chain(source, settings, engine=engine, device=device)

    def follow_rate(self, measured):
        """Sets the length of rows for the display at this sample rate, where no other is
        known."""
        if self._playback is not None and not self._playback.is_playing:
            return
        is_known = self._playback is not None and self.source.rate and self.speed
        super().follow_rate(self.rate if is_known else measured)

    def _frames_in_row(self, settings, rate):
        """As the display needs, but few enough that a short file has rows."""
        frames = settings.frames_in_row(rate)
        if settings.average is not None or self.source.samples is None:
            return frames
        in_file = (self.source.samples - settings.size) // settings.hop + 1
        return min(frames, max(1, in_file // ROWS_OF_FILE))

    def has_ended(self):
        """Whether a file stands at its end, or all of a stream has come to the view, for
        good."""
        if self._playback is None:
            self._has_ended |= self.source.is_read() and self.view.has_ended()
            return self._has_ended
        return self.source.is_read()

    def is_waited_for(self):
        """Whether a live source may give more samples."""
        return self.source.is_live and not self.source.is_read()

    @property
    def rate(self):
        """Samples a second, or about the most that are possible."""
        if self.source.rate is not None and self.speed is not None:
            return self.source.rate * self.speed
        return FULL_SPEED[self.spectrum.engine()]

    @property
    def speed(self):
        """Times real time; None for as fast as possible."""
        return 1.0 if self._playback is None else self._playback.speed

    def set_speed(self, speed):
        """Plays a file at `speed` times real time; None: as fast as possible."""
        self._playback.set_speed(speed)
        self._set(self.settings)

    def samples(self):
        """Samples that the transform has consumed since the start; of a file, those that
        have been played."""
        return super().samples() if self._playback is None else self._playback.passed

    @property
    def engine_options(self):
        """Which engine further blocks are to use."""
        return self._engine

    def set_branch(self, name, block=None):
        """Connects a block in place of the one of this name; None: only takes that away."""
        if self._playback is not None:
            is_tapped = block is not None or bool(self._branches.keys() - {name})
            self.source.set_tapped(is_tapped)
        super().set_branch(name, block)

    def _hop(self, settings):
        """Frames of a file come end to end."""
        return settings.hop if self._playback is None else settings.size

    def _set(self, settings):
        super()._set(settings)
        if self.frames is not None:
            self.frames.hop = settings.hop

    def _head(self):
        if self._playback is None:
            return (self.source.blocks[-1],)
        self.frames = self.source.make_frames(self.settings.size, self.settings.hop)
        return (self.frames,)

    def _connect(self):
        super()._connect()
        self._connect_branches(self.source.blocks[-1])

    def _disconnect(self):
        super()._disconnect()
        self._disconnect_branches()
