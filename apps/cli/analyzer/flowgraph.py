# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer's GNU Radio flowgraph, and how it changes while it runs."""

import dataclasses

from gnuradio import blocks, gpufft, gr

from ..errors import errors_of_blocks
from ..flowgraph import converter, make_spectrum
from ..formats import item_bytes
from ..spectrum import parse_window
from .settings import FIRST_LEVELS

FULL_SPEED = {"cuda": 1e9, "cpu": 2e8}  # samples a second, about; for the rows' length
PIECES_PER_SECOND = 100  # in which a file comes in real time
COLUMNS, LEVELS = 1024, 160  # of the density
ROWS_OF_FILE = 60  # at least, of a file that ends, if it has as many frames
ENOUGH_ROWS = 0.5  # of those that are wanted, where nobody knows how many will come


class AnalyzerFlowgraph(gr.top_block):
    """source -> (throttle) -> power spectrum -> view. Read `view`, and `spectrum` for the
    engine; a change of size replaces both."""

    def __init__(self, source, settings, engine, device, real_time):
        """real_time: play a file at its own rate, else as fast as possible.

        Raises InputError, CommandError if the blocks cannot be made."""
        gr.top_block.__init__(self, "gpufft analyzer")
        self.source = source
        self.settings = settings
        self.real_time = real_time
        self._engine = engine
        self._device = device
        self._samples_before = 0  # that earlier blocks have read
        self._samples_seen, self._has_ended = 0, False
        self._levels, self._is_counting = FIRST_LEVELS, True  # of the density
        self.spectrum, self.view = self._make_blocks(settings)
        self._connect_source()
        self._connect()

    def follow_rate(self, measured):
        """Sets the length of rows for the display at this sample rate."""
        if self.settings.average is not None or measured <= 0:
            return
        frames = self._frames_in_row(self.settings, measured)
        if not ENOUGH_ROWS <= frames / self.spectrum.average() <= 1 / ENOUGH_ROWS:
            self.spectrum.set_average(frames)

    def _frames_in_row(self, settings, rate):
        """As the display needs, but few enough that a short file has rows."""
        frames = settings.frames_in_row(rate)
        if settings.average is not None or self.source.samples is None:
            return frames
        in_file = (self.source.samples - settings.size) // settings.hop + 1
        return min(frames, max(1, in_file // ROWS_OF_FILE))

    def restart(self):
        """Restarts view and rows."""
        self.spectrum.reset_hold()
        self.view.reset()

    def has_ended(self):
        """Whether a file has been read and nothing has moved since the last call."""
        before, self._samples_seen = self._samples_seen, self.samples()
        is_still = self._samples_seen == before
        self._has_ended = self._has_ended or (self.source.is_read() and is_still)
        return self._has_ended

    def is_waited_for(self):
        """Whether a live source may give more samples."""
        return self.source.is_live and not self.source.is_read()

    def show_bins(self, first_bin, bins, columns):
        """Sets the bins shown; the density counts only these."""
        self.view.set_span(first_bin, bins, columns)
        self._span = first_bin, bins
        self._count()

    def show_levels(self, low, high):
        """Sets the density's range in dB."""
        self._levels = low, high
        self.spectrum.set_density_range(low, high)

    def set_counting(self, counting):
        """Switches the density on or off."""
        self._is_counting = counting
        self._count()

    def _count(self):
        first_bin, bins = self._span
        self.spectrum.set_density_span(first_bin, bins if self._is_counting else 0)

    @property
    def rate(self):
        """Samples a second, or about the most that are possible."""
        if self.source.rate is not None and (self.real_time or self.source.is_live):
            return self.source.rate
        return FULL_SPEED[self.spectrum.engine()]

    def samples(self):
        """Samples that the transform has consumed since the start."""
        items = self.spectrum.nitems_read(0)
        return self._samples_before + items // self._items_per_sample()

    def change(self, **changes):
        """Applies new settings. If it raises InputError, nothing has changed."""
        settings = dataclasses.replace(self.settings, **changes)
        if settings.size != self.settings.size:
            self._rebuild(settings, self.real_time)
        else:
            self._set(settings)
            self.settings = settings

    def set_real_time(self, real_time):
        """Plays a file at its own rate, or as fast as possible."""
        self._rebuild(self.settings, real_time)

    def _set(self, settings):
        """Sets what the blocks can change while they run."""
        with errors_of_blocks():
            self.spectrum.set_window(parse_window(settings.window))
            self.spectrum.set_hop(settings.hop)
            self.spectrum.set_average(self._frames_in_row(settings, self.rate))
            self.spectrum.set_detector(settings.detector)
            self.view.set_averaging(settings.averaging)
            self.view.set_persistence(settings.persistence)

    def _rebuild(self, settings, real_time):
        """Replaces the blocks after the source; the window stays open."""
        spectrum, view = self._make_blocks(settings)
        self._samples_before = self.samples()
        self.source.is_read()  # counts
        self.lock()
        try:
            self.disconnect(*self._chain)
            self.spectrum, self.view = spectrum, view
            self.settings, self.real_time = settings, real_time
            self._connect()
        finally:
            self.unlock()

    def _make_blocks(self, settings):
        """(power spectrum, view)."""
        with errors_of_blocks():
            spectrum = make_spectrum(
                self.source.format,
                fft_size=settings.size,
                hop=settings.hop,
                window=parse_window(settings.window),
                detector=settings.detector,
                density_columns=COLUMNS,
                density_levels=LEVELS,
                density_low=self._levels[0],
                density_high=self._levels[1],
                engine=self._engine,
                device=self._device,
            )
        self._span = 0, settings.size
        if not self._is_counting:
            spectrum.set_density_span(0, 0)
        view = gpufft.spectrum_view(
            settings.size, levels=LEVELS, density_columns=COLUMNS
        )
        view.set_averaging(settings.averaging)
        view.set_persistence(settings.persistence)
        return spectrum, view

    def _connect_source(self):
        """Connects the source permanently: blocks connected later begin at its current sample."""
        if len(self.source.blocks) > 1:
            self.connect(*self.source.blocks)

    def _connect(self):
        self.spectrum.set_average(self._frames_in_row(self.settings, self.rate))
        self._converter = converter(self.source.format)
        self._chain = (
            self.source.blocks[-1],
            *self._throttle(),
            *self._converter,
            self.spectrum,
            self.view,
        )
        self.connect(*self._chain)

    def _throttle(self):
        """The blocks that play a file in real time; () if not needed."""
        if not self.real_time or self.source.is_live or self.source.rate is None:
            return ()
        size = item_bytes(self.source.format)
        items = self.source.rate * self.source.items_per_sample
        throttle = blocks.throttle(size, items, True)
        throttle.set_max_noutput_items(max(1, round(items / PIECES_PER_SECOND)))
        return (throttle,)

    def _items_per_sample(self):
        return 2 if self.spectrum.input_signature().sizeof_stream_item(0) < 8 else 1
