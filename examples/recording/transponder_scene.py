#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a recording like one of aircraft transponders at 1090 MHz: pulses in bursts.

    transponder_scene.py [--seed SEED] FILE.cu8

0.2 s at 2 Msps of unsigned 8-bit I/Q, as RTL-SDR receivers give it: bursts of 64 or
120 us of pulses half a microsecond long, as in Mode S, from transponders of different
levels and frequencies, a steady weak carrier, and noise. GNU Radio's blocks make all of
it.
"""

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gnuradio import analog, blocks, gr

RATE = 2e6
SECONDS = 0.2
TRANSPONDERS = ((-66e3, -6.0), (150e3, -12.0), (-250e3, -17.0))  # Hz, dBFS of a pulse
CARRIER = (600e3, -32.0)  # Hz, dBFS
NOISE = -30.0  # dBFS in all


@dataclass
class Burst:
    """When it begins and ends (s), its frequency from the centre (Hz), and its mean power
    (dBFS), which is 3 dB below its pulses."""

    start: float
    end: float
    frequency: float
    level: float


def make_bursts(random):
    """A burst every 3 to 5 ms."""
    bursts, start = [], 1e-3
    while start < SECONDS - 2e-3:
        frequency, level = TRANSPONDERS[random.integers(len(TRANSPONDERS))]
        length = random.choice((64e-6, 120e-6))
        start = round(start * RATE) / RATE
        bursts.append(Burst(start, start + length, frequency, level - 3.0))
        start += random.uniform(3e-3, 5e-3)
    return bursts


class TransponderScene(gr.top_block):
    """Pulses x frequency + carrier + noise -> unsigned 8-bit I/Q."""

    def __init__(self, bursts, seed=1):
        gr.top_block.__init__(self, "Transponders")
        self._samples = blocks.vector_sink_b()
        pulses, frequency = np.zeros((2, round(SECONDS * RATE)))
        random = np.random.default_rng(seed)
        for burst in bursts:
            first, last = round(burst.start * RATE), round(burst.end * RATE)
            bits = random.integers(0, 2, (last - first) // 2)
            height = 10 ** ((burst.level + 3) / 20)
            pulses[first:last] = height * np.column_stack((bits, 1 - bits)).ravel()
            frequency[first:last] = burst.frequency
        product, band = blocks.multiply_cc(), blocks.add_cc()
        self.connect(
            blocks.vector_source_f(pulses.tolist()), blocks.float_to_complex(), product
        )
        self.connect(
            blocks.vector_source_f(frequency.tolist()),
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            (product, 1),
        )
        self.connect(product, band)
        place, level = CARRIER
        self.connect(
            analog.sig_source_c(RATE, analog.GR_COS_WAVE, place, 10 ** (level / 20)),
            (band, 1),
        )
        noise = 10 ** (NOISE / 20)
        self.connect(
            analog.fastnoise_source_c(analog.GR_GAUSSIAN, noise, seed, 1 << 18),
            (band, 2),
        )
        parts, pair = blocks.complex_to_float(), blocks.interleave(gr.sizeof_float)
        self.connect(band, parts)
        self.connect((parts, 0), (pair, 0))
        self.connect((parts, 1), (pair, 1))
        self.connect(
            pair,
            blocks.multiply_const_ff(127.5),
            blocks.add_const_ff(127.5),
            blocks.float_to_uchar(),
            self._samples,
        )

    def write(self, path):
        """Runs to the end and writes the file. Raises OSError if that fails."""
        self.run()
        Path(path).write_bytes(bytes(self._samples.data()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="raw samples, unsigned 8-bit I/Q")
    parser.add_argument("--seed", type=int, default=1, help="seed of bursts and noise")
    options = parser.parse_args()
    bursts = make_bursts(np.random.default_rng(options.seed))
    try:
        TransponderScene(bursts, options.seed).write(options.file)
    except OSError as error:
        print(f"{parser.prog}: {error.strerror}: {options.file}", file=sys.stderr)
        return 1
    print(f"{len(bursts)} bursts in {SECONDS:g} s at {RATE / 1e6:g} Msps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
