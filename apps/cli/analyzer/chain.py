# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks from samples to pictures, and how they change while they run: what the
analyzer's flowgraph and the spectrum sink share."""

import dataclasses

from gnuradio import gpufft

from ..errors import errors_of_blocks
from ..flowgraph import converter, make_spectrum
from ..spectrum import parse_window
from .settings import FIRST_LEVELS

COLUMNS, LEVELS = 1024, 160  # of the density
ENOUGH_ROWS = 0.5  # of those that are wanted, where nobody knows how many will come


class SpectrumChain:
    """Samples -> power spectrum -> view, in a subclass that is a gr.hier_block2, too. Read
    `view`, and `spectrum` for the engine; a change of size replaces both.

    The subclass has `rate` in samples a second, and _head(): what gives the samples."""

    def _make_chain(self, source, settings, **engine):
        """source: the format, rate and centre of the samples; engine: engine, device ... as
        power_spectrum_cf has them.

        Raises InputError, CommandError if the blocks cannot be made."""
        self.source = source
        self.settings = settings
        self._engine = engine
        self._samples_before = 0  # that earlier blocks have read
        self._levels, self._is_counting = FIRST_LEVELS, True  # of the density
        self.spectrum, self.view = self._make_blocks(settings)
        self._connect()

    def follow_rate(self, measured):
        """Sets the length of rows for the display at this sample rate."""
        if self.settings.average is not None or measured <= 0:
            return
        frames = self._frames_in_row(self.settings, measured)
        if not ENOUGH_ROWS <= frames / self.spectrum.average() <= 1 / ENOUGH_ROWS:
            self.spectrum.set_average(frames)

    def _frames_in_row(self, settings, rate):
        """As the display needs."""
        return settings.frames_in_row(rate)

    def _hop(self, settings):
        """Samples from frame to frame, as they come to the power spectrum."""
        return settings.hop

    def restart(self):
        """Restarts view and rows."""
        self.spectrum.reset_hold()
        self.view.reset()

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

    def samples(self):
        """Samples that the transform has consumed since the start."""
        items = self.spectrum.nitems_read(0)
        return self._samples_before + items // self._items_per_sample()

    def _items_per_sample(self):
        return 2 if self.spectrum.input_signature().sizeof_stream_item(0) < 8 else 1

    def change(self, **changes):
        """Applies new settings. If it raises InputError, nothing has changed."""
        settings = dataclasses.replace(self.settings, **changes)
        if settings.size != self.settings.size:
            self._replace(*self._make_blocks(settings), settings)
        else:
            self._set(settings)
            self.settings = settings

    def _set(self, settings):
        """Sets what the blocks can change while they run."""
        with errors_of_blocks():
            self.spectrum.set_window(parse_window(settings.window))
            self.spectrum.set_hop(self._hop(settings))
            self.spectrum.set_average(self._frames_in_row(settings, self.rate))
            self.spectrum.set_detector(settings.detector)
            self.view.set_averaging(settings.averaging)
            self.view.set_persistence(settings.persistence)

    def _replace(self, spectrum, view, settings):
        """Replaces the blocks after the head; the window stays open."""
        self._samples_before = self.samples()
        # Blocks in Python must live until unlock() has stopped them.
        running = self._chain  # noqa: F841
        self.lock()
        try:
            self._disconnect()
            self.spectrum, self.view = spectrum, view
            self.settings = settings
            self._connect()
        finally:
            self.unlock()

    def _make_blocks(self, settings):
        """(power spectrum, view)."""
        with errors_of_blocks():
            spectrum = make_spectrum(
                self.source.format,
                fft_size=settings.size,
                hop=self._hop(settings),
                window=parse_window(settings.window),
                detector=settings.detector,
                density_columns=COLUMNS,
                density_levels=LEVELS,
                density_low=self._levels[0],
                density_high=self._levels[1],
                **self._engine,
            )
        self._span = 0, settings.size
        if not self._is_counting:
            spectrum.set_density_span(0, 0)
        view = gpufft.spectrum_view(settings.size, levels=LEVELS, density_columns=COLUMNS)
        view.set_averaging(settings.averaging)
        view.set_persistence(settings.persistence)
        return spectrum, view

    def _connect(self):
        self.spectrum.set_average(self._frames_in_row(self.settings, self.rate))
        self._chain = (
            *self._head(),
            *converter(self.source.format),
            self.spectrum,
            self.view,
        )
        self.connect(*self._chain)

    def _disconnect(self):
        self.disconnect(*self._chain)
