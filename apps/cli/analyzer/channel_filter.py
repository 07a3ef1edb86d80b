# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes a channel out of the source's samples: shifts it to 0 Hz, filters and decimates it.

The filter is a windowed sinc that is 6 dB down at the channel's limits and 74 dB half a
transition width beyond them (Blackman's window; Harris, Proc. IEEE 66, 1978)."""

from dataclasses import dataclass

import numpy as np
from gnuradio import blocks, gpufft
from gnuradio.fft import window
from gnuradio.filter import firdes

from ..errors import InputError, errors_of_blocks
from ..flowgraph import converter

TRANSITION = 0.2  # of the channel's width
MOST_TAPS = 1 << 18  # which a narrow channel of a fast stream gets
TAPS_IN_TRANSITION = 74 / 22  # times rate over transition width, as firdes has it


@dataclass(frozen=True)
class Tuning:
    """decimation: samples of the source for each of the channel; rate: of the channel; shift:
    what becomes 0 Hz, in Hz from the stream's centre; low, high: the channel's limits in Hz
    from there; transition: width of the filter's edges in Hz."""

    decimation: int
    rate: float
    shift: float
    low: float
    high: float
    transition: float

    @property
    def width(self):
        """In Hz."""
        return self.high - self.low


def tune(source, channel, least_rate=0.0, side=0):
    """The Tuning to a channel (limits in Hz). side: 0 for the channel's middle at 0 Hz, 1 for
    its lower limit (the channel is an upper side band), -1 for its upper limit.

    least_rate: that the channel gets at least, if the source has it. A side band gets at
    least twice its width, as it becomes a real signal.

    Raises InputError if the source's rate is unknown."""
    rate, width = known_rate(source), channel.width
    transition = max(TRANSITION * width, TAPS_IN_TRANSITION * rate / (MOST_TAPS - 2))
    needed = (width + 1.25 * transition) * (2 if side else 1)
    decimation = max(1, int(rate / max(needed, least_rate)))
    middle = (channel.low + channel.high) / 2
    zero = {-1: channel.high, 0: middle, 1: channel.low}[side]
    return Tuning(
        decimation,
        rate / decimation,
        zero - (source.frequency or 0.0),
        channel.low - zero,
        channel.high - zero,
        transition,
    )


def known_rate(source):
    """The source's rate in Hz. Raises InputError if it is unknown."""
    if source.rate is None:
        raise InputError("the sample rate is unknown: give it with --rate")
    return source.rate


def channel_taps(tuning):
    """The filter's taps, at the source's rate."""
    rate = tuning.rate * tuning.decimation
    taps = np.array(
        firdes.low_pass(1, rate, tuning.width / 2, tuning.transition, window.WIN_BLACKMAN)
    )
    middle = (tuning.low + tuning.high) / 2
    time = (np.arange(len(taps)) - (len(taps) - 1) / 2) / rate
    return taps * np.exp(2j * np.pi * middle * time)


class ChannelFilter:
    """blocks: a chain from the source's items to the channel's complex samples."""

    def __init__(self, format, tuning, engine, device):
        """Raises InputError, CommandError if the blocks cannot be made."""
        self.tuning = tuning
        with errors_of_blocks():
            self._filter = gpufft.freq_xlating_fft_filter_ccc(
                tuning.decimation,
                channel_taps(tuning),
                tuning.shift,
                tuning.rate * tuning.decimation,
                engine=engine,
                device=device,
                on_error="cpu",
            )
        self.blocks = (*complex_converter(format), self._filter)

    def move(self, tuning):
        """Follows a Tuning of the same decimation while it runs."""
        if tuning.shift != self.tuning.shift:
            self._filter.set_center_freq(tuning.shift)
        if (tuning.low, tuning.high) != (self.tuning.low, self.tuning.high):
            self._filter.set_taps(channel_taps(tuning))
        self.tuning = tuning


def complex_converter(format):
    """Blocks from the items of a format to complex samples of full scale 1; () if none."""
    if format == "cs16":
        return (blocks.interleaved_short_to_complex(False, False, 32768),)
    if format == "cs8":
        return (blocks.interleaved_char_to_complex(False, 128),)
    return converter(format)
