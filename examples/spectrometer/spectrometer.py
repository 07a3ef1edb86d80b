#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A spectrometer of 2^20 points: lines a few bins apart, 80 dB below a carrier.

    spectrometer.py [--engine ENGINE] [--seed SEED] [--plot FILE]

A band of 10.48576 MHz is made of GNU Radio's signal and noise sources and turned into
interleaved int16, as receivers give it. One gpufft.power_spectrum_sf takes these samples
as they are: bins of 10 Hz, 50 % overlap, a Blackman-Harris window, the mean of 16 frames.
The program reads frequency and level of each line between the bins. The exit status is 1
unless the lines are those that were sent, each within 1 Hz and 0.3 dB, and the noise
within 0.1 dB.
"""

import argparse
import sys
import time

import numpy as np
from gnuradio import analog, blocks, gpufft, gr

SIZE = 1 << 20
HOP = SIZE // 2
AVERAGE = 16
BIN = 10.0  # Hz
RATE = SIZE * BIN
FULL_SCALE = 32768
NOISE = -125.0  # dBFS/Hz
WINDOW = "blackmanharris"
DYNAMIC_RANGE = 88  # dB; the window's side lobes are 92 dB down
ABOVE_NOISE = 12  # dB; what is lower is no line

# Hz from the centre, and dBFS. A carrier with hum, a group 60 Hz apart, a lone line.
CARRIER = 1234567.8
GROUP = tuple(
    (-3210000 + 60.3 * i, level) for i, level in enumerate((-80, -83, -86, -83, -80))
)
LINES = (
    (CARRIER, -6.0),
    (CARRIER - 50, -60.0),
    (CARRIER + 50, -60.0),
    (CARRIER - 100, -75.0),
    (CARRIER + 100, -75.0),
    *GROUP,
    (4900003.0, -85.0),
)


class Spectrometer(gr.top_block):
    """Lines and noise -> int16 -> one averaged spectrum in dBFS, DC in the middle."""

    def __init__(self, lines=LINES, engine="auto", seed=1):
        gr.top_block.__init__(self, "Spectrometer")
        band = blocks.add_cc()
        amplitude = np.sqrt(RATE * 10 ** (NOISE / 10))
        noise = analog.fastnoise_source_c(analog.GR_GAUSSIAN, amplitude, seed, 1 << 22)
        self.connect(noise, band)
        for number, (frequency, level) in enumerate(lines, 1):
            line = analog.sig_source_c(
                RATE, analog.GR_COS_WAVE, frequency, 10 ** (level / 20)
            )
            self.connect(line, (band, number))
        self.spectrum = gpufft.power_spectrum_sf(
            SIZE, hop=HOP, window=WINDOW, average=AVERAGE, mode="db", engine=engine
        )
        self._row = blocks.vector_sink_f(SIZE, 1)
        self.connect(
            band,
            blocks.head(gr.sizeof_gr_complex, (AVERAGE - 1) * HOP + SIZE),
            blocks.complex_to_interleaved_short(False, FULL_SCALE),
            self.spectrum,
            self._row,
        )

    def measure(self):
        """Runs; returns the level of each bin in dBFS."""
        self.run()
        return np.array(self._row.data(), np.float32)


def noise_bandwidth():
    """The noise bandwidth of a bin, in Hz: the window makes it wider than the bin."""
    taps = np.array(gpufft.window_taps(WINDOW, SIZE))
    return RATE * np.sum(taps**2) / np.sum(taps) ** 2


def find_lines(levels):
    """(frequency in Hz, level in dBFS) of each line, from low to high frequencies.

    A line is a bin above its neighbours. In decibels the window's main lobe is a parabola
    around the line's frequency, near enough.
    """
    threshold = max(np.median(levels) + ABOVE_NOISE, levels.max() - DYNAMIC_RANGE)
    before, middle, after = levels[:-2], levels[1:-1], levels[2:]
    is_line = (middle > threshold) & (middle > before) & (middle >= after)
    lines = []
    for k in np.flatnonzero(is_line) + 1:
        left, top, right = (float(level) for level in levels[k - 1 : k + 2])
        offset = (right - left) / (2 * (2 * top - left - right))
        level = top + (right - left) * offset / 4
        lines.append(((k + offset - SIZE // 2) * BIN, level))
    return lines


def noise_density(levels, lines):
    """Mean of the bins away from lines and carrier, in dBFS/Hz."""
    quiet = np.ones(SIZE, bool)
    for frequency, level in lines:
        bin = round(frequency / BIN) + SIZE // 2
        reach = 2000 if level > -40 else 20
        quiet[max(bin - reach, 0) : bin + reach] = False
    power = np.mean(10 ** (levels[quiet].astype(float) / 10))
    return 10 * np.log10(power / noise_bandwidth())


def compare(found, sent):
    """The largest errors in Hz and in dB; None if other lines were found than sent."""
    sent = sorted(sent)
    if len(found) != len(sent):
        return None
    errors = np.abs(np.array(found) - np.array(sent))
    return errors.max(axis=0)


def draw_lines(axes, levels, lines, middle, title):
    """The bins around `middle` Hz, and the lines among them."""
    width = 180
    frequency = (np.arange(SIZE) - SIZE // 2) * BIN - middle
    shown = np.abs(frequency) <= width
    axes.plot(frequency[shown], levels[shown], ".-", color="#0b5394")
    for place, level in lines:
        offset = place - middle
        if abs(offset) <= width:
            axes.annotate(
                f"{offset:+.1f} Hz\n{level:.1f} dBFS".replace("-", "\u2212"),
                (offset, level),
                xytext=(offset / 8, 5),
                textcoords="offset points",
                ha="center",
                fontsize=8,
            )
    label = f"Frequency from {middle / 1e6:.7f} MHz (Hz)".replace("-", "\u2212")
    axes.set(xlabel=label, ylabel="Level (dBFS)", xlim=(-width, width))
    axes.set_ylim(-120, levels[shown].max() + 15)
    axes.set_title(title, loc="left")


def plot(file, levels, lines):
    """The whole band, and as many bins around the group and the carrier as tell."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplot_mosaic(
        [["band", "band"], ["group", "carrier"]], figsize=(11, 8), layout="constrained"
    )
    frequency = (np.arange(SIZE) - SIZE // 2) * BIN
    columns = SIZE // 2048
    shape = (2048, columns)
    axes["band"].fill_between(
        frequency[::columns] / 1e6,
        levels.reshape(shape).min(axis=1),
        levels.reshape(shape).max(axis=1),
        linewidth=0.6,
        color="#0b5394",
    )
    axes["band"].set(
        xlim=(frequency[0] / 1e6, -frequency[0] / 1e6),
        xlabel="Frequency offset (MHz)",
        ylabel="Level (dBFS)",
        ylim=(-125, 0),
    )
    axes["band"].set_title(
        f"2$^{{20}}$ bins of {BIN:g} Hz; from the least to the largest of each {columns}",
        loc="left",
    )
    group = np.mean([line[0] for line in GROUP])
    draw_lines(axes["group"], levels, lines, group, "Five lines, 60.3 Hz apart")
    draw_lines(axes["carrier"], levels, lines, CARRIER, "A carrier and its hum")
    for each in axes.values():
        each.grid(color="0.88", linewidth=0.6)
        each.set_axisbelow(True)
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of the noise")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    flowgraph = Spectrometer(LINES, options.engine, options.seed)
    start = time.perf_counter()
    levels = flowgraph.measure()
    seconds = time.perf_counter() - start
    found = find_lines(levels)
    density = noise_density(levels, found)
    if options.plot:
        plot(options.plot, levels, found)
    print(
        f"engine {flowgraph.spectrum.engine()}, 2^20 points, {AVERAGE} frames with 50 % "
        f"overlap in {seconds:.1f} s"
    )
    for frequency, level in found:
        print(f"{frequency:+13.1f} Hz {level:7.2f} dBFS")
    print(f"noise {density:.2f} dBFS/Hz; sent {NOISE:.2f}")
    errors = compare(found, LINES)
    if errors is None:
        print(f"{len(found)} lines found, {len(LINES)} sent")
        return 1
    print(f"{len(found)} lines, all within {errors[0]:.2f} Hz and {errors[1]:.2f} dB")
    return int(errors[0] > 1 or errors[1] > 0.3 or abs(density - NOISE) > 0.1)


if __name__ == "__main__":
    sys.exit(main())
