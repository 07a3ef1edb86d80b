# SPDX-License-Identifier: GPL-3.0-or-later
"""From a channel's complex samples to audio at 48 kHz, by GNU Radio's blocks."""

import math
from dataclasses import dataclass

from gnuradio import analog, blocks, filter, gr
from gnuradio.fft import window
from gnuradio.filter import firdes

AUDIO_RATE = 48000
BRANCHES = 32  # of the resampler
LEVEL_SECONDS = 0.2  # over which a channel's magnitude is averaged
LEAST_MAGNITUDE = 1e-12  # which keeps silence from being divided by 0
SQUELCH_SECONDS = 0.01  # over which the squelch measures,
RAMP_SECONDS = 0.005  # and opens or closes
NO_SQUELCH = -1000.0  # dB


@dataclass(frozen=True)
class Mode:
    """A modulation. width: usual, in Hz; side: of the carrier, as channel_filter.tune() has
    it; least_rate: of the channel, in Hz; cutoff: of the audio, in Hz; emphasis: time
    constant of the pre-emphasis that a FM signal is sent with, in s; 0 for none."""

    width: float
    side: int = 0
    least_rate: float = AUDIO_RATE
    cutoff: float = 20e3
    is_fm: bool = False
    emphasis: float = 0.0


MODES = {
    "AM": Mode(10e3),
    "NFM": Mode(12.5e3, cutoff=5e3, is_fm=True, emphasis=75e-6),
    "WFM": Mode(200e3, least_rate=240e3, cutoff=15e3, is_fm=True, emphasis=50e-6),
    "USB": Mode(3e3, side=1),
    "LSB": Mode(3e3, side=-1),
}


class Demodulator(gr.hier_block2):
    """A channel's samples -> squelch -> demodulator -> resampler -> volume. Full scale of the
    audio is 1: of FM at a deviation of half the channel's width; of AM at full modulation; a
    side band has its mean magnitude at SIDE_BAND_LEVEL."""

    SIDE_BAND_LEVEL = 0.3

    def __init__(self, mode, rate, width):
        gr.hier_block2.__init__(
            self,
            "demodulator",
            gr.io_signature(1, 1, gr.sizeof_gr_complex),
            gr.io_signature(1, 1, gr.sizeof_float),
        )
        self._rate = rate
        self._squelch = analog.pwr_squelch_cc(
            NO_SQUELCH,
            min(1.0, 1 / (SQUELCH_SECONDS * rate)),
            round(RAMP_SECONDS * rate),
            False,
        )
        self._volume = blocks.multiply_const_ff(1.0)
        self._demodulator = None  # of FM
        self.connect(self, self._squelch)
        if mode.is_fm:
            last = self._connect_fm(width, mode.emphasis)
        else:
            last = self._connect_levelled(mode.side)
        self.connect(last, self._make_resampler(mode.cutoff), self._volume, self)

    def _connect_fm(self, width, emphasis):
        self._demodulator = analog.quadrature_demod_cf(1.0)
        self.set_width(width)
        self.connect(self._squelch, self._demodulator)
        if math.pi * emphasis * self._rate < 2:  # its corner is above half of Nyquist
            return self._demodulator
        last = analog.fm_deemph(self._rate, emphasis)
        self.connect(self._demodulator, last)
        return last

    def _connect_levelled(self, side):
        """AM: the envelope's deviation from its mean, over this; side band: the real part
        over the mean envelope. The mean is taken from before and after each sample."""
        length = max(1, round(LEVEL_SECONDS * self._rate))
        magnitude = blocks.complex_to_mag()
        mean = blocks.moving_average_ff(length, 1 / length)
        delay = blocks.delay(gr.sizeof_float, length // 2)
        level = blocks.add_const_ff(LEAST_MAGNITUDE)
        over = blocks.divide_ff()
        self.connect(self._squelch, magnitude, mean, level, (over, 1))
        if side == 0:
            deviation = blocks.sub_ff()
            self.connect(magnitude, delay, (deviation, 0))
            self.connect(mean, (deviation, 1))
            self.connect(deviation, (over, 0))
            return over
        self.connect(self._squelch, blocks.complex_to_real(), delay, (over, 0))
        last = blocks.multiply_const_ff(self.SIDE_BAND_LEVEL)
        self.connect(over, last)
        return last

    def _make_resampler(self, cutoff):
        """To 48 kHz, and the audio's low-pass."""
        highest = 0.45 * min(self._rate, AUDIO_RATE)
        cutoff = min(cutoff, 0.8 * highest)
        transition = min(highest - cutoff, 0.5 * cutoff)
        taps = firdes.low_pass(
            BRANCHES,
            BRANCHES * self._rate,
            cutoff + transition / 2,
            transition,
            window.WIN_BLACKMAN,
        )
        return filter.pfb_arb_resampler_fff(AUDIO_RATE / self._rate, taps, BRANCHES)

    def set_width(self, width):
        """The channel's width in Hz, which is full scale of FM."""
        if self._demodulator is not None:
            self._demodulator.set_gain(self._rate / (math.pi * width))

    def set_squelch(self, level):
        """Silences a channel whose power is below a level in dBFS; None: never."""
        self._squelch.set_threshold(NO_SQUELCH if level is None else level)

    def set_volume(self, decibels):
        """Amplifies the audio."""
        self._volume.set_k(10 ** (decibels / 20))
