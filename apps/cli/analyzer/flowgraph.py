# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's GNU Radio flowgraph: a source before the chain that makes pictures."""

from gnuradio import blocks, gr

from ..formats import item_bytes
from .branches import Branches
from .chain import SpectrumChain

FULL_SPEED = {"cuda": 1e9, "cpu": 2e8}  # samples a second, about; for the rows' length
PIECES_PER_SECOND = 100  # in which a file comes in real time
ROWS_OF_FILE = 60  # at least, of a file that ends, if it has as many frames


class AnalyzerFlowgraph(Branches, SpectrumChain, gr.top_block):
    """source -> (throttle) -> power spectrum -> view. Branches begin behind the throttle."""

    def __init__(self, source, settings, engine, device, real_time):
        """real_time: play a file at its own rate, else as fast as possible.

        Raises InputError, CommandError if the blocks cannot be made."""
        gr.top_block.__init__(self, "gpufft analyzer")
        Branches.__init__(self)
        self.real_time = real_time
        self._samples_seen, self._has_ended = 0, False
        if len(source.blocks) > 1:  # for good: later blocks begin at its current sample
            self.connect(*source.blocks)
        self._make_chain(source, settings, engine=engine, device=device)

    def _frames_in_row(self, settings, rate):
        """As the display needs, but few enough that a short file has rows."""
        frames = settings.frames_in_row(rate)
        if settings.average is not None or self.source.samples is None:
            return frames
        in_file = (self.source.samples - settings.size) // settings.hop + 1
        return min(frames, max(1, in_file // ROWS_OF_FILE))

    def has_ended(self):
        """Whether a file has been read and nothing has moved since the last call."""
        before, self._samples_seen = self._samples_seen, self.samples()
        is_still = self._samples_seen == before
        self._has_ended = self._has_ended or (self.source.is_read() and is_still)
        return self._has_ended

    def is_waited_for(self):
        """Whether a live source may give more samples."""
        return self.source.is_live and not self.source.is_read()

    @property
    def rate(self):
        """Samples a second, or about the most that are possible."""
        if self.source.rate is not None and (self.real_time or self.source.is_live):
            return self.source.rate
        return FULL_SPEED[self.spectrum.engine()]

    def set_real_time(self, real_time):
        """Plays a file at its own rate, or as fast as possible."""
        spectrum, view = self._make_blocks(self.settings)
        self.real_time = real_time
        self._replace(spectrum, view, self.settings)

    @property
    def engine_options(self):
        """Which engine further blocks are to use."""
        return self._engine

    def _head(self):
        return self.source.blocks[-1], *self._throttle()

    def _connect(self):
        super()._connect()
        self._connect_branches(self._last_of_head)

    def _disconnect(self):
        super()._disconnect()
        self._disconnect_branches()

    def _throttle(self):
        """The blocks that play a file in real time; () if not needed."""
        if not self.real_time or self.source.is_live or self.source.rate is None:
            return ()
        size = item_bytes(self.source.format)
        items = self.source.rate * self.source.items_per_sample
        throttle = blocks.throttle(size, items, True)
        throttle.set_max_noutput_items(max(1, round(items / PIECES_PER_SECOND)))
        throttle.set_output_multiple(self.source.items_per_sample)  # for later branches
        return (throttle,)
