#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a wideband scene as a SigMF recording: a synthetic band of 10 MHz around 100 MHz.

    wideband_scene.py [--duration SECONDS] BASENAME

writes BASENAME.sigmf-data (interleaved int16) and BASENAME.sigmf-meta, where every signal
of SIGNALS is an annotation. GNU Radio's own blocks make all of it, with fixed seeds.
"""

import argparse
import json
import math
import os
import sys
from dataclasses import dataclass

import numpy as np
from gnuradio import analog, blocks, digital, fft, filter, gr

RATE = 10e6  # samples a second
CENTRE = 100e6  # Hz
NOISE_DBFS_PER_HZ = -125.0
FULL_SCALE = 32768


@dataclass(frozen=True)
class Signal:
    """One signal: its band (Hz from the centre), its mean power (dBFS) while it is on."""

    label: str
    low: float
    high: float
    level: float

    @property
    def middle(self):
        return (self.low + self.high) / 2

    @property
    def amplitude(self):
        return 10 ** (self.level / 20)


SIGNALS = {
    "wfm_1": Signal("FM broadcast, 75 kHz deviation", -4.33e6, -4.07e6, -20),
    "wfm_2": Signal("FM broadcast, 75 kHz deviation", -3.53e6, -3.27e6, -30),
    "nbfm": Signal("narrowband FM, keyed every 0.8 s", -2.81e6, -2.79e6, -35),
    "am": Signal("AM carrier, 50 % of 3 kHz", -2.505e6, -2.495e6, -30),
    "tone": Signal("reference tone", -2.001e6, -1.999e6, -40),
    "chirp": Signal("chirp, 1 MHz in 125 ms, every 250 ms", -1.6e6, -0.6e6, -30),
    "leakage": Signal("local oscillator leakage", -1e3, 1e3, -55),
    "qpsk": Signal("QPSK, 500 kBd, roll-off 0.35", 0.3625e6, 1.0375e6, -25),
    "ofdm": Signal(
        "OFDM, 38 carriers of 39.0625 kHz, bursts of 62.5 ms", 1.45e6, 2.95e6, -22
    ),
    "hopper": Signal(
        "frequency hopper, 10 channels, 20 ms, FSK 50 kBd", 3.45e6, 4.55e6, -32
    ),
}


class FileSink(gr.sync_block):
    """Writes int16 to an open file. If the disk is full, GNU Radio's own sink throws in its
    thread and the flowgraph never ends; this one ends it, and `error` says why."""

    def __init__(self, file):
        gr.sync_block.__init__(self, "file_sink", in_sig=[np.int16], out_sig=None)
        self._file = file
        self.error = None

    def work(self, input_items, output_items):
        try:
            self._file.write(input_items[0])
        except OSError as error:
            self.error = error
            return -1
        return len(input_items[0])


class WidebandScene(gr.top_block):
    """Adds up noise and SIGNALS and writes them to an open file as interleaved int16."""

    def __init__(self, file, samples):
        gr.top_block.__init__(self, "Wideband scene")
        self._sum = blocks.add_cc()
        head = blocks.head(gr.sizeof_gr_complex, samples)
        to_short = blocks.complex_to_interleaved_short(False, FULL_SCALE)
        self._sink = FileSink(file)
        self.connect(self._sum, head, to_short, self._sink)
        self._inputs = 0
        amplitude = math.sqrt(RATE * 10 ** (NOISE_DBFS_PER_HZ / 10))
        self._add(analog.fastnoise_source_c(analog.GR_GAUSSIAN, amplitude, 1, 1 << 20))
        for name in (
            "wfm_1",
            "wfm_2",
            "nbfm",
            "am",
            "tone",
            "chirp",
            "leakage",
            "qpsk",
            "ofdm",
            "hopper",
        ):
            getattr(self, f"_{name}")(SIGNALS[name])

    def write(self):
        """Runs to the end. Raises OSError if the file cannot be written."""
        self.run()
        if self._sink.error is not None:
            raise self._sink.error

    def _add(self, *chain):
        """Connects a chain of blocks to the sum."""
        self.connect(*chain, (self._sum, self._inputs))
        self._inputs += 1

    def _gate(self, chain, hertz):
        """Switches a chain on for the first half of every period."""
        gate = analog.sig_source_c(RATE, analog.GR_SQR_WAVE, hertz, 1)
        product = blocks.multiply_cc()
        self.connect(*chain, product)
        self.connect(
            gate, blocks.complex_to_real(), blocks.float_to_complex(), (product, 1)
        )
        return (product,)

    def _modulate(self, audio, deviation, signal):
        """FM of `audio` (chain of floats at RATE, rms 1) around the signal's middle."""
        return (
            *audio,
            blocks.multiply_const_ff(deviation),
            blocks.add_const_ff(signal.middle),
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            blocks.multiply_const_cc(signal.amplitude),
        )

    def _noise_audio(self, cutoff, seed):
        """Low-passed noise of rms 1: what a crowd of programmes sounds like."""
        rate, interpolation = 50e3, int(RATE / 50e3)
        taps = filter.firdes.low_pass(1, rate, cutoff, 0.3 * cutoff)
        gain = 1 / np.sqrt(np.sum(np.square(taps)))
        smooth = filter.firdes.low_pass(interpolation, RATE, 0.4 * rate, 0.2 * rate)
        return (
            analog.noise_source_f(analog.GR_GAUSSIAN, gain, seed),
            filter.fir_filter_fff(1, taps),
            filter.interp_fir_filter_fff(interpolation, smooth),
        )

    def _wfm_1(self, signal):
        self._add(*self._modulate(self._noise_audio(12e3, 2), 30e3, signal))

    def _wfm_2(self, signal):
        self._add(*self._modulate(self._noise_audio(12e3, 3), 30e3, signal))

    def _nbfm(self, signal):
        self._add(
            *self._gate(self._modulate(self._noise_audio(3e3, 4), 2e3, signal), 1.25)
        )

    def _am(self, signal):
        depth = 0.5
        carrier = signal.amplitude / math.sqrt(1 + depth**2 / 2)
        product = blocks.multiply_cc()
        self.connect(
            analog.sig_source_f(RATE, analog.GR_COS_WAVE, 3e3, depth, 1),
            blocks.float_to_complex(),
            product,
        )
        self.connect(
            analog.sig_source_c(RATE, analog.GR_COS_WAVE, signal.middle, carrier),
            (product, 1),
        )
        self._add(product)

    def _tone(self, signal):
        self._add(
            analog.sig_source_c(RATE, analog.GR_COS_WAVE, signal.middle, signal.amplitude)
        )

    def _leakage(self, signal):
        self._add(analog.sig_source_c(RATE, analog.GR_CONST_WAVE, 0, 0, signal.amplitude))

    def _chirp(self, signal):
        # A saw tooth over twice the band in a period, on during its first half.
        width = signal.high - signal.low
        saw = analog.sig_source_f(RATE, analog.GR_SAW_WAVE, 4, 2 * width, signal.low)
        chain = (
            saw,
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            blocks.multiply_const_cc(signal.amplitude),
        )
        self._add(*self._gate(chain, 4))

    def _symbols(self, seed):
        """Random QPSK symbols of power 1."""
        corner = math.sqrt(0.5)
        return (
            analog.random_uniform_source_b(0, 4, seed),
            digital.chunks_to_symbols_bc(
                [complex(a, b) * corner for a in (1, -1) for b in (1, -1)]
            ),
        )

    def _move(self, signal):
        """Shifts to the signal's middle and to its level."""
        return (
            blocks.rotator_cc(2 * math.pi * signal.middle / RATE),
            blocks.multiply_const_cc(signal.amplitude),
        )

    def _qpsk(self, signal):
        oversampling = 20
        taps = np.array(
            filter.firdes.root_raised_cosine(1, oversampling, 1, 0.35, 11 * oversampling)
        )
        taps *= math.sqrt(oversampling / np.sum(taps**2))  # mean output power 1
        self._add(
            *self._symbols(5),
            filter.interp_fir_filter_ccf(oversampling, taps.tolist()),
            *self._move(signal),
        )

    def _ofdm(self, signal):
        bins, prefix, used, interpolation = 64, 16, 38, 4
        loaded = [k % bins for k in range(-used // 2, used // 2 + 1) if k != 0]
        grid = np.zeros((512, bins), complex)
        corners = np.exp(1j * np.pi / 4 * np.array([1, 3, 5, 7]))
        grid[:, loaded] = np.random.default_rng(6).choice(corners, (512, used))
        taps = filter.firdes.low_pass(interpolation, interpolation, 0.4, 0.2)
        chain = (
            blocks.vector_source_c((grid / math.sqrt(used)).ravel().tolist(), True, bins),
            fft.fft_vcc(bins, False, []),
            digital.ofdm_cyclic_prefixer(bins, bins + prefix),
            filter.interp_fir_filter_ccf(interpolation, taps),
            *self._move(signal),
        )
        self._add(*self._gate(chain, 8))

    def _hopper(self, signal):
        dwell, bit = int(0.02 * RATE), int(RATE / 50e3)
        random = np.random.default_rng(7)
        hops = signal.low + 50e3 + 110e3 * random.integers(0, 10, 500)
        bits = random.choice((-20e3, 20e3), 10007)
        frequency = blocks.add_ff()
        self.connect(
            blocks.vector_source_f(hops.tolist(), True),
            blocks.repeat(gr.sizeof_float, dwell),
            frequency,
        )
        self.connect(
            blocks.vector_source_f(bits.tolist(), True),
            blocks.repeat(gr.sizeof_float, bit),
            (frequency, 1),
        )
        self._add(
            frequency,
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            blocks.multiply_const_cc(signal.amplitude),
        )


def write_metadata(file, samples):
    """The .sigmf-meta file, open: format, rate, frequency, and SIGNALS as annotations."""
    annotations = [
        {
            "core:sample_start": 0,
            "core:sample_count": samples,
            "core:freq_lower_edge": CENTRE + signal.low,
            "core:freq_upper_edge": CENTRE + signal.high,
            "core:label": signal.label,
            "core:comment": f"mean power {signal.level:g} dBFS while on",
        }
        for signal in SIGNALS.values()
    ]
    metadata = {
        "global": {
            "core:version": "1.0.0",
            "core:datatype": "ci16_le",
            "core:sample_rate": RATE,
            "core:description": "Wideband scene made by gr-gpufft",
            "core:recorder": "gr-gpufft examples/wideband_scene.py",
        },
        "captures": [{"core:sample_start": 0, "core:frequency": CENTRE}],
        "annotations": annotations,
    }
    file.write(f"{json.dumps(metadata, indent=2)}\n".encode())


def write_file(path, write):
    """Calls write(file). Raises OSError if the disk is full, and leaves no partial file."""
    with open(path, "wb") as file:
        try:
            write(file)
            file.flush()
        except OSError:
            os.unlink(path)
            raise


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "basename", help="writes BASENAME.sigmf-data and BASENAME.sigmf-meta"
    )
    parser.add_argument("--duration", type=float, default=2.0, help="seconds (default 2)")
    arguments = parser.parse_args()
    samples = round(arguments.duration * RATE)
    if samples < 1:
        parser.error(f"--duration {arguments.duration:g} must be greater than 0")
    base = arguments.basename
    try:
        write_file(
            f"{base}.sigmf-data", lambda file: WidebandScene(file, samples).write()
        )
        write_file(f"{base}.sigmf-meta", lambda file: write_metadata(file, samples))
    except OSError as error:
        line = f"{parser.prog}: {base} cannot be written: {error.strerror}"
        print(line, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
