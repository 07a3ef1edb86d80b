#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Acquires GPS satellites: which are there, with which Doppler shift and code delay.

    gnss.py [--engine ENGINE] [--seed SEED] [--frames FRAMES] [--plot FILE]

Six satellites send their L1 C/A codes of 1023 chips in 1 ms (IS-GPS-200) with data bits,
Doppler shifts up to 10 kHz, also of the chips, and 40 ... 46 dB-Hz. The receiver samples
at 4.096 MHz. A gpufft.correlator_bank compares 10 ms at a time with all 32 codes at 41
shifts of 500 Hz and all 4096 delays; the powers of 10 blocks of 1 ms are added.
The exit status is 1 unless exactly these satellites are found in every frame, each
with its shift and delay.
"""

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from gnuradio import blocks, gpufft, gr
from scipy.stats import gamma

RATE = 4.096e6  # samples a second
PERIOD = 4096  # samples of a code
CHIPS = 1023
CHIP_RATE = 1.023e6
CARRIER = 1575.42e6
BIT = 20  # periods of a data bit
BLOCKS = 10  # periods whose powers are added: 10 ms
SHIFTS = np.arange(-10e3, 10.5e3, 500.0)  # Hz
SATELLITES = 32
# The two stages of G2 whose sum is the code of each satellite: IS-GPS-200, table 3-Ia.
STAGES = (
    (2, 6), (3, 7), (4, 8), (5, 9), (1, 9), (2, 10), (1, 8), (2, 9), (3, 10), (2, 3),
    (3, 4), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (1, 4), (2, 5), (3, 6), (4, 7),
    (5, 8), (6, 9), (1, 3), (4, 6), (5, 7), (6, 8), (7, 9), (8, 10), (1, 6), (2, 7),
    (3, 8), (4, 9),
)  # fmt: skip
FALSE_ALARM = 1e-6  # probability of one in a frame without satellites


def ca_code(number):
    """The chips of satellite 1 ... 32, 1 and -1."""
    g1, g2 = [1] * 10, [1] * 10
    first, second = STAGES[number - 1]
    chips = []
    for _ in range(CHIPS):
        chips.append(g1[9] ^ g2[first - 1] ^ g2[second - 1])
        g1 = [g1[2] ^ g1[9], *g1[:9]]
        g2 = [g2[1] ^ g2[2] ^ g2[5] ^ g2[7] ^ g2[8] ^ g2[9], *g2[:9]]
    return 1 - 2 * np.array(chips)


def replicas():
    """The sampled codes of all satellites, an array of shape (32, PERIOD)."""
    chip = (np.arange(PERIOD) * CHIP_RATE / RATE).astype(int)
    return np.array([ca_code(number)[chip] for number in range(1, SATELLITES + 1)])


def threshold():
    """The ratio that noise exceeds in one frame with the probability FALSE_ALARM."""
    each = FALSE_ALARM / (SATELLITES * len(SHIFTS) * PERIOD)
    return gamma.isf(each, BLOCKS) / BLOCKS


@dataclass
class Satellite:
    number: int
    doppler: float  # Hz
    delay: float  # of the first code, in samples
    level: float  # C/N0, dB-Hz

    def signal(self, samples, random):
        """Its samples; the noise has power 1 in RATE."""
        time = np.arange(samples) / RATE
        chip_rate = CHIP_RATE * (1 + self.doppler / CARRIER)
        chip = np.floor((time - self.delay / RATE) * chip_rate).astype(int)
        bits = 1 - 2 * random.integers(0, 2, samples // (BIT * PERIOD) + 3)
        bit = chip // (CHIPS * BIT) + 1
        carrier = np.exp(2j * np.pi * (self.doppler * time + random.random()))
        amplitude = math.sqrt(10 ** (self.level / 10) / RATE)
        return amplitude * bits[bit] * ca_code(self.number)[chip % CHIPS] * carrier


@dataclass
class Found:
    number: int
    doppler: float  # Hz
    delay: float  # samples
    level: float  # C/N0, dB-Hz


def make_satellites(random):
    numbers = random.choice(SATELLITES, 6, replace=False) + 1
    return [
        Satellite(
            int(number),
            random.uniform(-9.9e3, 9.9e3),
            random.uniform(0, PERIOD),
            random.uniform(40, 46),
        )
        for number in sorted(numbers)
    ]


def make_signal(satellites, frames, random):
    samples = frames * BLOCKS * PERIOD
    noise = random.standard_normal((samples, 2)) @ [1, 1j] / math.sqrt(2)
    return noise + sum(each.signal(samples, random) for each in satellites)


class Receiver(gr.top_block):
    """Samples -> correlators -> a row of peaks for each frame."""

    def __init__(self, x, engine="auto"):
        gr.top_block.__init__(self, "GPS acquisition")
        self.bank = gpufft.correlator_bank(
            replicas(), SHIFTS, RATE, noncoherent=BLOCKS, engine=engine
        )
        self._rows = blocks.vector_sink_f(self.bank.row_floats())
        self.connect(blocks.vector_source_c(x.tolist()), self.bank, self._rows)

    def receive(self):
        """Runs; returns the peaks by frame and satellite."""
        self.run()
        return np.reshape(self._rows.data(), (-1, SATELLITES, 5))


def find_satellites(peaks):
    """The satellites of one frame."""
    found = []
    for template, shift, delay, ratio, _ in peaks:
        if ratio > threshold():
            level = 10 * math.log10((ratio - 1) * RATE / PERIOD)
            found.append(Found(int(template) + 1, SHIFTS[int(shift)], delay, level))
    return found


def delay_error(satellite, found, frame):
    """Samples between the delay found and the true one in the middle of the frame."""
    time = (frame + 0.5) * BLOCKS * PERIOD / RATE
    early = satellite.doppler / CARRIER * time * RATE
    error = found.delay - satellite.delay + early
    return (error + PERIOD / 2) % PERIOD - PERIOD / 2


def is_right(satellite, found, frame):
    """Within a step of the shifts and half a chip."""
    near = abs(found.doppler - satellite.doppler) <= SHIFTS[1] - SHIFTS[0]
    return near and abs(delay_error(satellite, found, frame)) <= RATE / CHIP_RATE / 2


def plot(file, peaks, satellites):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(10, 4.5), layout="constrained")
    sent = {each.number for each in satellites}
    colors = ["#e69138" if n in sent else "#0b5394" for n in range(1, SATELLITES + 1)]
    axes.bar(range(1, SATELLITES + 1), peaks[0, :, 3], color=colors)
    axes.axhline(threshold(), color="0.4", linestyle="--", linewidth=1)
    axes.text(SATELLITES + 0.9, threshold() * 1.02, "threshold", color="0.3", ha="right")
    axes.set(xlim=(0, SATELLITES + 1))
    axes.set(xlabel="Satellite (orange: in view)", ylabel="Peak over mean of the powers")
    axes.set_title("Correlation of 10 ms with all codes, shifts and delays", loc="left")
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="of satellites and noise")
    parser.add_argument("--frames", type=int, default=2, help="frames of 10 ms")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    random = np.random.default_rng(options.seed)
    satellites = make_satellites(random)
    receiver = Receiver(make_signal(satellites, options.frames, random), options.engine)
    peaks = receiver.receive()
    if options.plot:
        plot(options.plot, peaks, satellites)
    print(f"engine {receiver.bank.engine()}, threshold {threshold():.2f}")
    wrong = options.frames - len(peaks)
    for frame, row in enumerate(peaks):
        found = {each.number: each for each in find_satellites(row)}
        wrong += len(found.keys() ^ {each.number for each in satellites})
        for each in satellites:
            if each.number not in found:
                print(f"frame {frame}: satellite {each.number} is missed")
                continue
            here = found[each.number]
            wrong += not is_right(each, here, frame)
            print(
                f"frame {frame}: satellite {each.number:2}"
                f" {here.doppler:8.0f} Hz (is {each.doppler:8.0f}),"
                f" {here.delay:5.0f} samples"
                f" (off by {delay_error(each, here, frame):5.2f}),"
                f" {here.level:.1f} dB-Hz (is {each.level:.1f})"
            )
    print(f"{len(satellites)} satellites, {wrong} errors")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
