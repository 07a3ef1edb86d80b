#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectrum, waterfall and bursts of a recording, by the detectors of power_spectrum.

    recording.py [FILE [--format F] [--rate HZ] [--freq HZ] [--start S] [--duration S]]
                 [--engine ENGINE] [--seed SEED] [--plot PNG]

FILE is SigMF, WAV or raw, as for `gpufft spectrum`. Several power_spectrum blocks process
its samples at once: the mean and the maximum of all frames, their spectral kurtosis,
which tells bursts and carriers from noise, and a waterfall whose rows keep the largest of
their frames, so that short bursts stay visible. Another block with short frames shows
when bursts are on the air. Without FILE the program makes and analyses a scene of
transponders, and the exit status is 1 unless each burst was found when and where it was
sent.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from gnuradio import blocks, gpufft, gr
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.flowgraph import converter, make_spectrum
from gnuradio.gpufft.cli.formats import item_bytes, sample_bytes
from gnuradio.gpufft.cli.framing import part_of
from gnuradio.gpufft.cli.output import check_apart
from gnuradio.gpufft.cli.recording import open_recording
from transponder_scene import Burst, TransponderScene, make_bursts

SIZE = 512
WINDOW = "hann"
LINES = 500  # of the waterfall, about
SHORT_FRAME = 32e-6  # s
SHORTEST = 30e-6  # s, of a burst
ABOVE_NOISE = 6  # dB, of a burst


class RecordingSpectra(gr.top_block):
    """A part of a recording -> spectra of several kinds, each by its own block."""

    def __init__(self, recording, first, samples, engine="auto"):
        gr.top_block.__init__(self, "Recording")
        hop = SIZE // 2
        frames = (samples - SIZE) // hop + 1
        if samples < 2 * SIZE:
            raise InputError(f"{samples} samples: must be {2 * SIZE} or more")
        if recording.rate is None:
            raise InputError(f"{recording.path}: give the sample rate, with --rate")
        self.rate, self.line = recording.rate, max(1, frames // LINES)
        self.short = 4 * max(2, round(recording.rate * SHORT_FRAME / 4))
        frames_apart = samples // SIZE  # those of a kurtosis share no samples
        settings = {
            "mean": (SIZE, hop, frames, "mean"),
            "max": (SIZE, hop, frames, "max"),
            "kurtosis": (SIZE, SIZE, frames_apart, "kurtosis"),
            "waterfall": (SIZE, hop, self.line, "max"),
            "short": (self.short, self.short // 4, 1, "mean"),
        }
        self.spectra, self._sinks = {}, {}
        for kind, (size, hop, average, detector) in settings.items():
            self.spectra[kind] = make_spectrum(
                recording.format,
                fft_size=size,
                hop=hop,
                window=WINDOW,
                average=average,
                engine=engine,
                detector=detector,
            )
            self._sinks[kind] = blocks.vector_sink_f(size)
        source = self._open(recording, first, samples)
        for kind, spectrum in self.spectra.items():
            self.connect(source, spectrum, self._sinks[kind])

    def _open(self, recording, first, samples):
        """The recording's samples, converted where no power_spectrum takes them."""
        size = sample_bytes(recording.format)
        item = item_bytes(recording.format)
        descriptor = os.open(recording.path, os.O_RDONLY)
        os.lseek(descriptor, recording.offset + first * size, os.SEEK_SET)
        chain = (
            blocks.file_descriptor_source(item, descriptor),
            blocks.head(item, samples * size // item),
            *converter(recording.format),
        )
        self.connect(*chain)
        self._chain = chain  # a flowgraph does not keep blocks that are written in Python
        return chain[-1]

    def measure(self):
        """Runs; returns the rows of each kind, linear in power, DC in the middle."""
        self.run()
        return {
            kind: np.array(sink.data(), np.float32).reshape(
                -1, self.spectra[kind].fft_size()
            )
            for kind, sink in self._sinks.items()
        }


def noise_bandwidth(size):
    """The noise bandwidth of a bin, in bins."""
    taps = np.array(gpufft.window_taps(WINDOW, size))
    return size * np.sum(taps**2) / np.sum(taps) ** 2


def crossing(power, index, step, level):
    """Where the power falls below `level`, going by `step` from `index`, between rows."""
    while 0 <= index + step < len(power) and power[index] >= level:
        index += step
    inside, outside = power[index - step], power[index]
    if outside >= level:
        return float(index)
    return index - step * (level - outside) / (inside - outside)


def strongest_bin(levels):
    """Where the largest level is, in bins from the middle, by a parabola between bins."""
    top = int(np.argmax(levels))
    size = len(levels)
    left, middle, right = levels[(top + np.array([-1, 0, 1])) % size]
    return top + (right - left) / (2 * (2 * middle - left - right)) - size // 2


def find_bursts(rows, rate):
    """Bursts in spectra of short frames that overlap by 3/4.

    A burst begins and ends where the power, without the noise, crosses half of its
    typical value.
    """
    size = rows.shape[1]
    hop = size // 4
    power = rows.sum(axis=1, dtype=float) / noise_bandwidth(size)
    noise = np.median(power)
    quiet = np.median(rows, axis=0)
    busy = np.r_[False, power > noise * 10 ** (ABOVE_NOISE / 10), False]
    edges = np.flatnonzero(np.diff(busy.astype(int))).reshape(-1, 2)
    bursts = []
    for first, last in edges:
        level = np.percentile(power[first:last], 75) - noise
        half = noise + level / 2
        top = first + int(np.argmax(power[first:last]))
        places = (crossing(power, top, step, half) for step in (-1, 1))
        start, end = ((place * hop + size / 2) / rate for place in places)
        if end - start < SHORTEST:
            continue
        above = np.maximum(rows[first:last].mean(axis=0) - quiet, 1e-20)
        frequency = strongest_bin(10 * np.log10(above)) * rate / size
        bursts.append(Burst(start, end, frequency, 10 * np.log10(level)))
    return bursts


def compare(found, sent):
    """How many of the bursts sent were found, to 8 us, 10 kHz and 1.5 dB."""
    return sum(
        any(
            abs(burst.start - other.start) < 8e-6
            and abs(burst.end - other.end) < 8e-6
            and abs(burst.frequency - other.frequency) < 10e3
            and abs(burst.level - other.level) < 1.5
            for other in found
        )
        for burst in sent
    )


def draw_rows(axes, rows, low_high, begin, end, span):
    """Rows of power as an image, time in seconds running down."""
    levels = 10 * np.log10(np.maximum(rows, 1e-20))
    low = np.percentile(levels, 25)
    image = axes.imshow(
        levels,
        aspect="auto",
        interpolation="nearest",
        cmap="inferno",
        extent=(*low_high, end * 1e3, begin * 1e3),
        vmin=low,
        vmax=low + span,
    )
    axes.figure.colorbar(image, ax=axes, label="Level (dBFS per bin)", pad=0.01)
    axes.set_ylabel("Time (ms)")


def draw_bursts(axes, flowgraph, rows, bursts, centre, start):
    """3 ms around the strongest burst, with a bar beside each burst found."""
    rate, size, hop = flowgraph.rate, flowgraph.short, flowgraph.short // 4
    strongest = max(bursts, key=lambda burst: burst.level, default=None)
    middle = strongest.start if strongest else len(rows) * hop / rate / 2
    first = max(int((middle - 1.5e-3) * rate / hop), 0)
    shown = rows[first : first + int(3e-3 * rate / hop)]
    begin = (first * hop + (size - hop) / 2) / rate
    end = begin + len(shown) * hop / rate
    low_high = [(centre + side * rate / 2) / 1e6 for side in (-1, 1)]
    draw_rows(axes, shown, low_high, start + begin, start + end, 34)
    for burst in bursts:
        if begin < burst.start and burst.end < end:
            place = (centre + burst.frequency + 0.05 * rate) / 1e6
            times = [(start + time) * 1e3 for time in (burst.start, burst.end)]
            axes.vlines(place, *times, color="#4fc3f7", linewidth=4)
    axes.set_title("Around the strongest burst; bars: bursts found", loc="left")


def plot(file, title, flowgraph, rows, bursts, centre, start):
    """Spectra, kurtosis, waterfall, and the strongest burst with its neighbours."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplot_mosaic(
        [["spectrum", "waterfall"], ["kurtosis", "bursts"]],
        figsize=(13, 8),
        layout="constrained",
    )
    rate = flowgraph.rate
    low, high = ((centre + side * rate / 2) / 1e6 for side in (-1, 1))
    frequency = np.linspace(low, high, SIZE, endpoint=False)
    density = 10 * np.log10(noise_bandwidth(SIZE) * rate / SIZE)
    for kind, colour in (("max", "#e69138"), ("mean", "#0b5394")):
        levels = 10 * np.log10(rows[kind][0]) - density
        axes["spectrum"].plot(frequency, levels, color=colour, linewidth=0.9, label=kind)
    axes["spectrum"].set_ylabel("Power density (dBFS/Hz)")
    axes["spectrum"].legend(frameon=False, loc="upper right")
    axes["spectrum"].set_title(title, loc="left")
    axes["kurtosis"].semilogy(frequency, rows["kurtosis"][0], color="#0b5394", lw=0.9)
    axes["kurtosis"].axhline(1, color="0.4", linewidth=0.8, linestyle="--")
    axes["kurtosis"].set_ylabel("Spectral kurtosis")
    axes["kurtosis"].yaxis.set_major_formatter("{x:g}")
    axes["kurtosis"].set_title("Noise 1, a carrier less, bursts more", loc="left")
    seconds = len(rows["waterfall"]) * flowgraph.line * SIZE / 2 / rate
    draw_rows(
        axes["waterfall"], rows["waterfall"], (low, high), start, start + seconds, 45
    )
    axes["waterfall"].set_title("Waterfall, the largest of each row's frames", loc="left")
    draw_bursts(axes["bursts"], flowgraph, rows["short"], bursts, centre, start)
    for name in ("spectrum", "kurtosis"):
        axes[name].set_xlim(low, high)
        axes[name].grid(color="0.88", linewidth=0.6)
    for each in axes.values():
        each.locator_params(axis="x", nbins=5)
        each.set_xlabel("Frequency (MHz)" if centre else "Frequency offset (MHz)")
        each.ticklabel_format(axis="x", useOffset=False)
    figure.savefig(file, dpi=85)


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", help="the recording; default: one made here")
    parser.add_argument("--format", help="sample format of a raw file")
    parser.add_argument("--rate", help="sample rate in Hz, e.g. 2M")
    parser.add_argument("--freq", help="centre frequency in Hz, e.g. 1090M")
    parser.add_argument("--start", default="0", help="seconds to skip (default 0)")
    parser.add_argument("--duration", default="1", help="seconds to use (default 1)")
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of the recording made here")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    return parser


def analyse(options):
    """Opens the recording, computes, draws and reports; returns the bursts."""
    recording = open_recording(options.file, options.format, options.rate, options.freq)
    if options.plot:
        check_apart(options.plot, recording.files)
    first, samples = part_of(recording, options.start, options.duration)
    flowgraph = RecordingSpectra(recording, first, samples, options.engine)
    rows = flowgraph.measure()
    bursts = find_bursts(rows["short"], recording.rate)
    centre, start = recording.frequency or 0.0, first / recording.rate
    if options.plot:
        title = f"{recording.path.name}, {samples / recording.rate:.3g} s"
        plot(options.plot, title, flowgraph, rows, bursts, centre, start)
    print(f"engine {flowgraph.spectra['mean'].engine()}, {samples} samples")
    print(f"{len(bursts)} bursts; the strongest ones:")
    for burst in sorted(bursts, key=lambda burst: -burst.level)[:10]:
        print(
            f"{(start + burst.start) * 1e3:10.3f} ms "
            f"{(burst.end - burst.start) * 1e6:7.1f} us "
            f"{(centre + burst.frequency) / 1e6:12.3f} MHz {burst.level:6.1f} dBFS"
        )
    return bursts


def main():
    options = make_parser().parse_args()
    try:
        if options.file:
            analyse(options)
            return 0
        with tempfile.TemporaryDirectory() as folder:
            options.file = str(Path(folder) / "transponders.cu8")
            options.rate, options.freq = "2M", "1090M"
            sent = make_bursts(np.random.default_rng(options.seed))
            TransponderScene(sent, options.seed).write(options.file)
            found = analyse(options)
    except InputError as error:
        print(f"recording.py: {error}", file=sys.stderr)
        return 2
    matched = compare(found, sent)
    print(f"{matched} of {len(sent)} bursts where they were sent, {len(found)} found")
    return int(matched != len(sent) or len(found) != len(sent))


if __name__ == "__main__":
    sys.exit(main())
