# SPDX-License-Identifier: GPL-3.0-or-later
"""The spectrum sink's blocks: a hierarchical block inside a flowgraph that belongs to somebody
else, for samples or for ready vectors."""

import dataclasses
import math

from gnuradio import blocks, gpufft, gr
from gnuradio.gpufft import gpufft_python

from ..errors import errors_of_blocks
from ..formats import item_bytes, sample_bytes
from .chain import LEVELS, SpectrumChain
from .settings import FIRST_LEVELS

NEPERS = math.log(10) / 10  # of power in a decibel


class Input:
    """What the sink knows about its input, as a Source is for the analyzer. format: "" for
    vectors; rate in Hz; frequency: the centre in Hz (of real samples: that of 0)."""

    is_live = True
    is_tunable = can_lose = False
    playback = None  # a recording's
    samples = None
    files = ()

    def __init__(self, name, format, rate, frequency):
        self.name = name
        self.format = format
        self.rate = rate
        self.frequency = frequency

    def is_read(self):
        """Whether the end has come; nobody tells."""
        return False


class SinkPart(gr.hier_block2):
    """What both kinds of input have in common."""

    takes_branches = False

    def __init__(self, item):
        gr.hier_block2.__init__(
            self, "spectrum", gr.io_signature(1, 1, item), gr.io_signature(0, 0, 0)
        )
        self._measured = 0.0  # samples a second
        self._is_locked = False

    def follow_rate(self, measured):
        """Keeps the rate that samples were seen to come at."""
        if measured > 0:
            self._measured = measured

    @property
    def rate(self):
        """Samples a second, by the clock once there is a second of them."""
        return self._measured or self.source.rate

    def has_ended(self):
        """As AnalyzerFlowgraph's."""
        return False

    def is_waited_for(self):
        """As AnalyzerFlowgraph's."""
        return True

    def lock(self):
        """Begins a change. Before its first start the flowgraph needs no lock, and GNU Radio
        has none for a block that is not connected."""
        self._is_locked = self.view.detail() is not None
        if self._is_locked:
            self._impl.lock()

    def unlock(self):
        """Ends it."""
        if self._is_locked:
            gpufft_python._unlock_flowgraph(self._impl)


class SampleSink(SpectrumChain, SinkPart):
    """(copy) -> power spectrum -> view."""

    def __init__(self, source, settings, **engine):
        item = item_bytes(source.format)
        SinkPart.__init__(self, item)
        self._first = self
        if item < sample_bytes(source.format):  # later blocks begin at a whole sample
            self._first = blocks.copy(item)
            self._first.set_output_multiple(sample_bytes(source.format) // item)
            self.connect(self, self._first)
        self._make_chain(source, settings, **engine)

    def follow_rate(self, measured):
        """Sets the length of rows for the display at this sample rate."""
        SinkPart.follow_rate(self, measured)
        SpectrumChain.follow_rate(self, measured)

    def samples(self):
        """Samples that the transform has consumed since the start, by its own count: GNU
        Radio's may not be read while somebody changes the flowgraph."""
        frames = self.spectrum.statistics()["frames"]
        if frames < self._frames:  # the flowgraph has started again
            self._frames = 0
        self._samples_before += (frames - self._frames) * self.settings.hop
        self._frames = frames
        return self._samples_before

    def _connect(self):
        self._frames = 0
        super()._connect()

    def _head(self):
        return (self._first,)


class VectorSink(SinkPart):
    """(decibels -> power) -> view. The view counts the density itself, as far as a third of
    a core can."""

    spectrum = None

    def __init__(self, source, settings, is_in_decibels):
        size = settings.size
        SinkPart.__init__(self, gr.sizeof_float * size)
        self.source, self.settings = source, settings
        with errors_of_blocks():
            self.view = gpufft.spectrum_view(size, levels=LEVELS)
        self.show_levels(*FIRST_LEVELS)
        self._set()
        self.connect(
            self, *(power_of_decibels(size) if is_in_decibels else ()), self.view
        )

    def restart(self):
        """Restarts the view."""
        self.view.reset()

    def show_bins(self, first_bin, bins, columns):
        """Sets the bins shown."""
        self.view.set_span(first_bin, bins, columns)

    def show_levels(self, low, high):
        """Sets the density's range in dB."""
        self.view.set_level_range(low, high)

    def set_counting(self, counting):
        """Switches the density on or off."""
        self.view.set_counting(counting)

    def samples(self):
        """Numbers in all vectors since the start."""
        return self.view.rows() * self.settings.size

    def change(self, **changes):
        """Applies new settings."""
        self.settings = dataclasses.replace(self.settings, **changes)
        self._set()

    def _set(self):
        self.view.set_averaging(self.settings.averaging)
        self.view.set_persistence(self.settings.persistence)


def power_of_decibels(size):
    """Blocks from vectors of decibels to vectors of power."""
    return (
        blocks.multiply_const_ff(NEPERS, size),
        blocks.vector_to_stream(gr.sizeof_float, size),
        blocks.transcendental("exp", "float"),
        blocks.stream_to_vector(gr.sizeof_float, size),
    )
