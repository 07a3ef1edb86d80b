#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects random-access preambles of LTE and 5G NR: who calls, and from how far away.

    prach.py [--engine ENGINE] [--seed SEED] [--plot FILE]

Preambles are Zadoff-Chu sequences of 839 points (a prime), format 0 of 3GPP TS 36.211
and 38.211: 64 of them from five roots, cyclically shifted by multiples of 59. Six users
at different distances send one in some of the occasions of 1 ms, at -12 ... -6 dB to the
noise of each of two antennas. The receiver takes 839 subcarriers out of an FFT,
multiplies them by each root's conjugate spectrum and transforms back: a peak gives the
preamble and the round-trip delay. All transforms are gpufft.fft_vcc.
The exit status is 1 unless exactly the preambles that were sent are found.
"""

import argparse
import math
import sys
from dataclasses import dataclass, field

import numpy as np
from gnuradio import analog, blocks, digital, gpufft, gr

RATE = 1.92e6  # samples a second
SIZE = 1536  # of the FFT: subcarriers 1.25 kHz apart
PREFIX, GUARD = 198, 186  # samples before and after
OCCASION = PREFIX + SIZE + GUARD  # samples: 1 ms
LENGTH = 839  # of a sequence, on as many subcarriers
LOWEST = SIZE // 2 - LENGTH // 2  # of these subcarriers, 0 Hz being SIZE / 2
ROOTS = (129, 710, 140, 699, 120)
SHIFT = 59  # cells from one preamble to the next of the same root
SHIFTS = LENGTH // SHIFT  # preambles of a root
PREAMBLES = 64
CELL = 800e-6 / LENGTH  # seconds of delay
LIGHT = 299792458.0  # m/s
ANTENNAS = 2
OCCASIONS = 20
USERS = 6
# Noise alone exceeds T times one antenna's mean in a cell with probability
# (1 + T) exp(-T), of two antennas: in one of the 4195 cells of 1 occasion in 10000.
THRESHOLD = 21.0
MEDIAN = 1.678  # of that distribution


def root_sequence(root):
    n = np.arange(LENGTH)
    return np.exp(-1j * np.pi * (root * n * (n + 1) % (2 * LENGTH)) / LENGTH)


def preamble(number):
    """Preamble 0 ... 63: a root sequence, shifted."""
    root, shift = divmod(number, SHIFTS)
    return np.roll(root_sequence(ROOTS[root]), -shift * SHIFT)


@dataclass
class User:
    """A user's distance and level, and the preambles sent in some occasions."""

    delay: int  # samples, there and back
    snr: float  # dB, in the band of the preamble, at one antenna
    sent: dict = field(default_factory=dict)  # preamble by occasion

    @property
    def distance(self):
        return self.delay / RATE * LIGHT / 2


@dataclass
class Call:
    """A preamble found: occasion, preamble, distance (m), power over the noise (dB)."""

    occasion: int
    preamble: int
    distance: float
    level: float


def make_users(random):
    """Users 0.5 to 7 km away; in about every other occasion each user sends a preamble
    that no other user sends. The first occasion is empty."""
    users = [
        User(int(random.integers(7, 90)), random.uniform(-12, -6)) for _ in range(USERS)
    ]
    for occasion in range(1, OCCASIONS):
        numbers = random.choice(PREAMBLES, USERS, replace=False)
        for user, number in zip(users, numbers):
            if random.random() < 0.5:
                user.sent[occasion] = int(number)
    return users


class Prach(gr.top_block):
    """Users and noise -> two antennas -> correlation with each root -> powers."""

    def __init__(self, users, engine="auto", seed=1):
        gr.top_block.__init__(self, "Random access")
        random = np.random.default_rng(seed)
        antennas = [self._antenna(seed, number) for number in range(ANTENNAS)]
        for number, (user, sent) in enumerate(zip(users, self._transmit(users, engine))):
            delay = blocks.delay(gr.sizeof_gr_complex, user.delay)
            self.connect(sent, delay)
            for air in antennas:
                gain = 10 ** (user.snr / 20) * np.exp(2j * np.pi * random.random())
                self.connect(delay, blocks.multiply_const_cc(gain), (air, 1 + number))
        self._receive(antennas, engine)

    def _antenna(self, seed, number):
        """Noise of power 1 in the preambles' band, for as long as the users send."""
        air = blocks.add_cc()
        amplitude = math.sqrt(SIZE / LENGTH)
        noise = analog.noise_source_c(analog.GR_GAUSSIAN, amplitude, 10 * seed + number)
        self.connect(noise, blocks.head(gr.sizeof_gr_complex, OCCASIONS * OCCASION), air)
        return air

    def _transmit(self, users, engine):
        """Sequence -> DFT -> subcarriers -> IFFT -> cyclic prefix and guard, of all users
        in turn; returns the source of each."""
        silent = np.zeros(LENGTH)
        sequences = [
            preamble(user.sent[occasion]) if occasion in user.sent else silent
            for occasion in range(OCCASIONS)
            for user in users
        ]
        low, high, guard = (blocks.null_source(gr.sizeof_gr_complex) for _ in range(3))
        above = SIZE - LENGTH - LOWEST
        subcarriers = blocks.stream_mux(gr.sizeof_gr_complex, [LOWEST, LENGTH, above])
        occasion = blocks.stream_mux(gr.sizeof_gr_complex, [PREFIX + SIZE, GUARD])
        each = blocks.deinterleave(gr.sizeof_gr_complex, OCCASION)
        self.connect(
            blocks.vector_source_c(np.concatenate(sequences).tolist(), vlen=LENGTH),
            gpufft.fft_vcc(LENGTH, True, [], engine=engine),
            blocks.vector_to_stream(gr.sizeof_gr_complex, LENGTH),
            (subcarriers, 1),
        )
        self.connect(low, subcarriers)
        self.connect(high, (subcarriers, 2))
        self.connect(
            subcarriers,
            blocks.stream_to_vector(gr.sizeof_gr_complex, SIZE),
            gpufft.fft_vcc(SIZE, False, [], True, engine=engine),
            digital.ofdm_cyclic_prefixer(SIZE, SIZE + PREFIX),
            blocks.multiply_const_cc(1 / LENGTH),  # power 1
            occasion,
            each,
        )
        self.connect(guard, (occasion, 1))
        return [(each, number) for number in range(len(users))]

    def _receive(self, antennas, engine):
        """Window -> FFT -> subcarriers -> times each root -> back -> power."""
        windows = blocks.interleave(gr.sizeof_gr_complex, SIZE)
        for number, air in enumerate(antennas):
            window = blocks.keep_m_in_n(gr.sizeof_gr_complex, SIZE, OCCASION, PREFIX)
            self.connect(air, window, (windows, number))
        subcarriers = blocks.stream_to_vector(gr.sizeof_gr_complex, LENGTH)
        self.connect(
            windows,
            blocks.stream_to_vector(gr.sizeof_gr_complex, SIZE),
            gpufft.fft_vcc(SIZE, True, [], True, engine=engine),
            blocks.vector_to_stream(gr.sizeof_gr_complex, SIZE),
            blocks.keep_m_in_n(gr.sizeof_gr_complex, LENGTH, SIZE, LOWEST),
            subcarriers,
        )
        products = blocks.interleave(LENGTH * gr.sizeof_gr_complex)
        for number, root in enumerate(ROOTS):
            taps = np.fft.fft(root_sequence(root)).conj().tolist()
            self.connect(subcarriers, blocks.multiply_const_vcc(taps), (products, number))
        self.correlator = gpufft.fft_vcc(LENGTH, False, [], engine=engine)
        self._powers = blocks.vector_sink_f(LENGTH)
        power = blocks.complex_to_mag_squared(LENGTH)
        self.connect(products, self.correlator, power, self._powers)

    def receive(self):
        """Runs; returns power by occasion, preamble and delay, both antennas together."""
        self.run()
        power = np.reshape(self._powers.data(), (-1, ANTENNAS, len(ROOTS), LENGTH))
        return by_preamble(power.sum(axis=1))


def by_preamble(power, median=MEDIAN):
    """From occasion x root x cell to occasion x preamble x delay, over the noise of one
    antenna; `median` is that of such noise."""
    power = power / (np.median(power, axis=(1, 2), keepdims=True) / median)
    # A shift by s moves the peak s cells to the left, a delay to the right.
    first = -SHIFT * np.arange(SHIFTS)
    cells = np.add.outer(first, np.arange(SHIFT)) % LENGTH
    return power[:, :, cells].reshape(len(power), -1, SHIFT)[:, :PREAMBLES]


def find_calls(power):
    """The preambles whose strongest delay is above the threshold."""
    for occasion, number in np.argwhere(power.max(axis=2) > THRESHOLD):
        delay = int(power[occasion, number].argmax())
        level = 10 * math.log10(power[occasion, number, delay] / ANTENNAS)
        yield Call(int(occasion), int(number), delay * CELL * LIGHT / 2, level)


def calls_sent(users):
    """(occasion, preamble) of every call, with its distance."""
    return {
        (occasion, number): user.distance
        for user in users
        for occasion, number in user.sent.items()
    }


def plot(file, power, users, calls):
    """The correlation in the busiest occasion, and the calls of all occasions."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(
        2, 1, figsize=(11, 8), height_ratios=(3, 2), layout="constrained"
    )
    busiest = max(range(OCCASIONS), key=lambda i: sum(c.occasion == i for c in calls))
    plot_profile(upper, busiest, power[busiest], calls)
    found = plot_calls(lower, calls_sent(users), calls)
    figure.colorbar(found, ax=lower, label="Distance found (km)", pad=0.01)
    figure.savefig(file, dpi=100)


def plot_profile(axes, occasion, power, calls):
    places = np.add.outer(np.arange(PREAMBLES), np.arange(SHIFT) / SHIFT).ravel()
    levels = 10 * np.log10(power.ravel() / ANTENNAS)
    axes.plot(places, levels, linewidth=0.7, color="#0b5394")
    axes.axhline(
        10 * math.log10(THRESHOLD / ANTENNAS), color="0.4", linestyle="--", linewidth=1
    )
    axes.text(63.8, 10.5, "threshold", ha="right", color="0.3")
    for call in calls:
        if call.occasion == occasion:
            place = call.preamble + call.distance / (LIGHT / 2 * CELL * SHIFT)
            axes.annotate(
                f"{call.preamble}: {call.distance / 1e3:.1f} km",
                (place, call.level),
                (2, 6),
                textcoords="offset points",
                rotation=30,
            )
            axes.plot(place, call.level, "o", color="#e69138", markersize=5)
    edges = range(0, PREAMBLES, SHIFTS)
    for edge in edges:
        axes.axvline(edge, color="0.8", linewidth=0.8)
    axes.set_xticks(edges, [f"{e}\nroot {r}" for e, r in zip(edges, ROOTS)])
    axes.set(
        xlim=(0, PREAMBLES),
        ylim=(-8, levels.max() + 6),
        xlabel="Preamble; within each, delays from 0 to 56 µs (8.4 km)",
        ylabel="Power over the noise (dB)",
    )
    axes.set_title(
        f"Correlation with all roots in occasion {occasion}, preambles found", loc="left"
    )


def plot_calls(axes, sent, calls):
    axes.plot(
        [occasion for occasion, _ in sent],
        [number for _, number in sent],
        "s",
        color="0.6",
        markersize=9,
        markerfacecolor="none",
        label="sent",
    )
    found = axes.scatter(
        [call.occasion for call in calls],
        [call.preamble for call in calls],
        c=[call.distance / 1e3 for call in calls],
        s=28,
        cmap="viridis",
        vmin=0,
        vmax=8.4,
        label="found",
    )
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    axes.set(
        xlim=(-0.6, OCCASIONS - 0.4),
        xticks=range(OCCASIONS),
        ylim=(-3, PREAMBLES + 2),
        xlabel="Occasion (nobody calls in 0)",
        ylabel="Preamble",
    )
    axes.set_title("All calls", loc="left")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of users and noise")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    users = make_users(np.random.default_rng(options.seed))
    flowgraph = Prach(users, options.engine, options.seed)
    power = flowgraph.receive()
    calls = list(find_calls(power))
    if options.plot:
        plot(options.plot, power, users, calls)
    sent = calls_sent(users)
    found = {(call.occasion, call.preamble): call.distance for call in calls}
    missed, false = len(sent.keys() - found.keys()), len(found.keys() - sent.keys())
    error = max((abs(found[key] - sent[key]) for key in sent.keys() & found), default=0)
    print(f"engine {flowgraph.correlator.engine()}, transforms of {LENGTH} points")
    print(f"{len(sent)} preambles sent, {missed} missed, {false} false")
    cell = CELL * LIGHT / 2
    print(f"largest error of a distance: {error:.0f} m, a cell is {cell:.0f} m")
    return int(missed or false or error > cell)


if __name__ == "__main__":
    sys.exit(main())
