#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives all 79 Bluetooth channels at once: every packet of three hopping piconets.

    bluetooth_band.py [--engine ENGINE] [--seed SEED] [--plot FILE]

The band from 2401.5 to 2480.5 MHz is made of GNU Radio's GFSK modulators, hopping
carriers and noise, 79 million samples a second. One gpufft.pfb_channelizer_ccf with 79
channels (a prime) splits it; the power in each channel over time shows where packets
are, and one quadrature demodulator over the vectors of all channels gives their bits.
Packets have the length and the access code's shape of DH1 packets; the rest is random.
The exit status is 1 unless every packet is found with the bits that were sent.
"""

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from gnuradio import analog, blocks, digital, filter, gpufft, gr

CHANNELS = 79
FIRST_MHZ = 2402  # centre of channel 0; they are 1 MHz apart
SYMBOL_RATE = 1e6
SAMPLES_PER_SYMBOL = 79
RATE = SAMPLES_PER_SYMBOL * SYMBOL_RATE
DEVIATION = 160e3  # Hz, modulation index 0.32
SLOT = 625  # symbols from one hop to the next
SLOTS = 24
PAYLOAD = 294  # bits after the access code of a DH1 packet
LEVELS = (-20, -30, -40)  # dBFS, of the piconets
NOISE = -65  # dBFS in 1 MHz

DECIMATION = 39  # 79 / 39 samples a symbol from every channel
CHANNEL_RATE = RATE / DECIMATION
CELL = 50  # samples of a channel averaged to one power


@dataclass
class Packet:
    """A packet sent or found: piconet, channel, time of the first bit, bits."""

    piconet: int
    channel: int
    start: float  # seconds
    bits: np.ndarray


def make_access_codes(random):
    """Preamble, sync word of 64 bits and trailer of each piconet."""
    sync = random.integers(0, 2, (len(LEVELS), 64))
    ends = np.tile([1, 0, 1, 0], (len(LEVELS), 1))
    return np.hstack([ends, sync, ends])


def make_packets(random, codes):
    """A packet of each piconet in each slot, 200 us apart, on random channels.

    A packet overlaps with its neighbours in time only, and keeps 3 channels from them."""
    packets, busy = [], [-9, -9]
    for slot in range(SLOTS):
        for piconet, code in enumerate(codes):
            free = [c for c in range(CHANNELS) if min(abs(c - b) for b in busy) >= 3]
            channel = int(random.choice(free))
            busy = [busy[1], channel]
            start = (20 + SLOT * slot + 200 * piconet) / SYMBOL_RATE
            bits = np.concatenate([code, random.integers(0, 2, PAYLOAD)])
            packets.append(Packet(piconet, channel, start, bits))
    return packets


class BluetoothBand(gr.top_block):
    """Piconets and noise -> channelizer -> powers and frequencies of all channels."""

    def __init__(self, packets, engine="auto", seed=1):
        gr.top_block.__init__(self, "Bluetooth band")
        self.channelizer = gpufft.pfb_channelizer_ccf(
            CHANNELS, [], CHANNELS / DECIMATION, engine=engine, vlen=CHANNELS
        )
        self._add_band(packets, seed)
        self._powers = blocks.vector_sink_f(CHANNELS)
        self.connect(
            self.channelizer,
            blocks.complex_to_mag_squared(CHANNELS),
            blocks.integrate_ff(CELL, CHANNELS),
            self._powers,
        )
        # Quadrature demodulators of all channels: the angle from sample to sample.
        turn = blocks.multiply_conjugate_cc(CHANNELS)
        self._angles = blocks.vector_sink_f(CHANNELS)
        self.connect(self.channelizer, turn)
        delay = blocks.delay(CHANNELS * gr.sizeof_gr_complex, 1)
        self.connect(self.channelizer, delay, (turn, 1))
        self.connect(turn, blocks.complex_to_arg(CHANNELS), self._angles)

    def _add_band(self, packets, seed):
        """The sum of piconets and noise, into the channelizer."""
        band = blocks.add_cc()
        samples = (SLOTS + 1) * SLOT * SAMPLES_PER_SYMBOL
        self.connect(band, blocks.head(gr.sizeof_gr_complex, samples), self.channelizer)
        amplitude = math.sqrt(CHANNELS * 10 ** (NOISE / 10))
        noise = analog.fastnoise_source_c(analog.GR_GAUSSIAN, amplitude, seed, 1 << 20)
        self.connect(noise, band)
        for piconet in range(len(LEVELS)):
            own = [packet for packet in packets if packet.piconet == piconet]
            self.connect(self._piconet(piconet, own), (band, 1 + piconet))

    def _piconet(self, piconet, packets):
        """GFSK, moved to the channel of each hop, switched on for each packet."""
        bits, frequency, level = np.zeros((3, (SLOTS + 2) * SLOT))
        for packet in packets:
            first = round(packet.start * SYMBOL_RATE) - 2  # the modulator's delay
            bits[first : first + len(packet.bits)] = packet.bits
            hop = (packet.channel - CHANNELS // 2) * 1e6
            frequency[first - 4 : first + len(packet.bits) + 6] = hop
            on = 10 ** (LEVELS[piconet] / 20)
            level[first - 2 : first + len(packet.bits) + 4] = on
        product = blocks.multiply_cc()
        self.connect(
            blocks.vector_source_b(bits.astype(np.uint8).tolist()),
            digital.gfsk_mod(
                SAMPLES_PER_SYMBOL, 2 * math.pi * DEVIATION / RATE, 0.5, do_unpack=False
            ),
            product,
        )
        self.connect(
            blocks.vector_source_f(frequency.tolist()),
            blocks.repeat(gr.sizeof_float, SAMPLES_PER_SYMBOL),
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            (product, 1),
        )
        ramp = np.bartlett(2 * SAMPLES_PER_SYMBOL + 1)  # on and off within a symbol
        self.connect(
            blocks.vector_source_f(level.tolist()),
            filter.interp_fir_filter_fff(SAMPLES_PER_SYMBOL, ramp.tolist()),
            blocks.float_to_complex(),
            (product, 2),
        )
        return product

    def receive(self):
        """Runs; returns power (channel x cell) and frequency in Hz (channel x sample)."""
        self.run()
        power = in_channel_order(self._powers.data()) / CELL
        frequency = in_channel_order(self._angles.data()) * CHANNEL_RATE / (2 * math.pi)
        return power, frequency


def in_channel_order(items):
    """Vectors of the channelizer as channels x time, from 2402 MHz upwards."""
    return np.roll(np.reshape(items, (-1, CHANNELS)).T, CHANNELS // 2, axis=0)


def sample_time(index):
    """When sample `index` of a channel was on the air, without the filter's delay."""
    delay = (len(gpufft.pfb_channelizer_ccf.create_taps(CHANNELS)) - 1) / 2
    return (index * DECIMATION + DECIMATION - 1 - delay) / RATE


def find_bursts(power):
    """(channel, first cell, last cell + 1) of every burst 10 dB above the noise, stronger
    than two channels on either side, and at least half a packet long. The last channel is
    beside the first one: the sampled band has no ends."""
    around = np.pad(power, ((2, 2), (0, 0)), mode="wrap")
    strongest = np.max([around[i : i + CHANNELS] for i in range(5)], axis=0)
    busy = (power > 10 * np.median(power)) & (power == strongest)
    shortest = 180e-6 * CHANNEL_RATE / CELL
    for channel, row in enumerate(busy):
        edges = np.flatnonzero(np.diff(row, prepend=False, append=False))
        for first, end in edges.reshape(-1, 2):
            if end - first >= shortest:
                yield channel, first, end


def demodulate(frequency, burst, codes):
    """The packet in a burst: the access code that fits best, and where, to 1/8 symbol."""
    channel, first, end = burst
    begin = max((first - 1) * CELL, 0)
    samples = frequency[channel, begin : (end + 1) * CELL]
    step = CHANNEL_RATE / SYMBOL_RATE
    length = codes.shape[1] + PAYLOAD
    starts = np.arange(0, len(samples) - (length - 1) * step, step / 8)

    def values(start, count):
        places = np.add.outer(start, np.arange(count) * step)
        return np.interp(places, np.arange(len(samples)), samples)

    # Clipped, as noise between packets has larger frequencies than they have.
    limited = np.clip(values(starts, codes.shape[1]), -DEVIATION, DEVIATION)
    fit = limited @ (2 * codes.T - 1)
    place, piconet = np.unravel_index(np.argmax(fit), fit.shape)
    bits = values(starts[place], length) > 0
    middle = begin + starts[place] - 0.5  # of the first bit; half a sample of the angle
    start = sample_time(middle) - 0.5 / SYMBOL_RATE
    return Packet(int(piconet), channel, start, bits.astype(int))


def compare(sent, found):
    """Errors in bits for each packet sent; None for one that was not found."""
    errors = []
    for packet in sent:
        same = [
            other
            for other in found
            if (other.piconet, other.channel) == (packet.piconet, packet.channel)
            and abs(other.start - packet.start) < 1 / SYMBOL_RATE
        ]
        errors.append(int(np.sum(same[0].bits != packet.bits)) if same else None)
    return errors


def plot(file, power, frequency, found):
    """Channels over time with the packets found, and the first packet's frequency."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(
        2, 1, figsize=(11, 8), height_ratios=(3, 1), layout="constrained"
    )
    image = plot_band(upper, power, found)
    figure.colorbar(image, ax=upper, label="Power in the channel (dBFS)", pad=0.01)
    plot_packet(lower, frequency, found[0])
    figure.savefig(file, dpi=100)


def plot_band(axes, power, found):
    cell = CELL / CHANNEL_RATE
    left = sample_time(0) * 1e3
    image = axes.imshow(
        10 * np.log10(power),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap="inferno",
        extent=(
            left,
            left + power.shape[1] * cell * 1e3,
            FIRST_MHZ - 0.5,
            FIRST_MHZ + CHANNELS - 0.5,
        ),
        vmin=NOISE - 3,
        vmax=max(LEVELS),
    )
    for piconet, colour in enumerate(("#4fc3f7", "#66dd66", "white")):
        own = [packet for packet in found if packet.piconet == piconet]
        axes.plot(
            [packet.start * 1e3 for packet in own],
            [FIRST_MHZ + packet.channel for packet in own],
            ">",
            color=colour,
            markeredgecolor="0.3",
            label=f"piconet {piconet + 1}: {len(own)} packets",
        )
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False, columnspacing=1
    )
    axes.set(
        xlim=(0, SLOTS * SLOT / SYMBOL_RATE * 1e3 + 0.4),
        xlabel="Time (ms)",
        ylabel="Frequency (MHz)",
    )
    axes.set_title(f"{CHANNELS} Bluetooth channels", loc="left")
    return image


def plot_packet(axes, frequency, packet):
    first = round(packet.start * CHANNEL_RATE - sample_time(0) * CHANNEL_RATE)
    count = round(80 * CHANNEL_RATE / SYMBOL_RATE)
    times = sample_time(np.arange(first, first + count)) - packet.start
    axes.plot(times * 1e6, frequency[packet.channel, first : first + count] / 1e3)
    axes.step(
        np.arange(81),
        DEVIATION / 1e3 * (2 * packet.bits[:81] - 1),
        where="post",
        color="0.6",
        linewidth=0.8,
    )
    axes.set(
        xlim=(0, 80),
        xlabel="Time since the packet's first bit (µs)",
        ylabel="Frequency offset (kHz)",
    )
    axes.set_title(
        f"The packet at {packet.start * 1e3:.2f} ms, {FIRST_MHZ + packet.channel} MHz, "
        "demodulated; grey: its bits",
        loc="left",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of packets and noise")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    random = np.random.default_rng(options.seed)
    codes = make_access_codes(random)
    sent = make_packets(random, codes)
    flowgraph = BluetoothBand(sent, options.engine, options.seed)
    power, frequency = flowgraph.receive()
    found = [demodulate(frequency, burst, codes) for burst in find_bursts(power)]
    errors = compare(sent, found)
    if options.plot:
        plot(options.plot, power, frequency, found)
    print(f"engine {flowgraph.channelizer.engine()}, {CHANNELS} channels")
    print(f"{len(found)} packets found, {len(sent)} sent")
    print(f"{errors.count(0)} packets without an error in {len(sent[0].bits)} bits")
    return int(len(found) != len(sent) or any(error != 0 for error in errors))


if __name__ == "__main__":
    sys.exit(main())
