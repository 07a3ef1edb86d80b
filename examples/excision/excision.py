#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spread-spectrum reception under strong carriers: a function of arrays between the FFT and
its inverse removes the bins that stand out, on the card where there is one."""

import argparse
import math
import sys

import numpy as np
from gnuradio import analog, blocks, gpufft, gr

N = 4096  # points of a frame; half of them are new
CHIPS = 127  # of a symbol
SYMBOLS = 4000
NOISE = 10.0  # dB above the signal
CARRIERS = 30.0  # dB above the signal, each
COUNT = 6
LIMIT = 8.0  # bins are removed from so many times the median on
WINDOW = np.sin(np.pi * (np.arange(N) + 0.5) / N).astype(np.float32)


def chips():
    """A sequence of maximal length: x^7 + x + 1."""
    register, sequence = [1] * 7, []
    for _ in range(CHIPS):
        sequence.append(1 - 2 * register[-1])
        register = [register[-1] ^ register[-2], *register[:-1]]
    return np.array(sequence, np.float32)


def library_of(x):
    """CuPy for its arrays, else NumPy."""
    if isinstance(x, np.ndarray):
        return np
    import cupy

    return cupy


def cut(x, out):
    """Frames of N samples every N / 2, with the window."""
    halves = x.reshape(-1, N // 2)
    window = library_of(x).asarray(WINDOW)
    frames = out.reshape(-1, N)
    frames[:, : N // 2] = halves[:-1] * window[: N // 2]
    frames[:, N // 2 :] = halves[1:] * window[N // 2 :]


def excise(x, out, limit):
    """The bins of each frame without those that stand out."""
    bins = x.reshape(-1, N)
    power = abs(bins) ** 2
    median = library_of(x).median(power, axis=1, keepdims=True)
    out.reshape(-1, N)[:] = bins * (power < limit * median)


def join(x, out):
    """The sum of the frames, with the window again: of the last two in each half."""
    frames = x.reshape(-1, N) * (library_of(x).asarray(WINDOW) / N)
    out.reshape(-1, N // 2)[:] = frames[:-1, N // 2 :] + frames[1:, : N // 2]


class Receiver(gr.top_block):
    """Sends symbols and receives them; excises if there is a limit."""

    def __init__(self, limit, engine="auto", seed=1):
        gr.top_block.__init__(self, "excision")
        random = np.random.default_rng(seed)
        self.symbols = random.integers(0, 2, SYMBOLS) * 2 - 1
        samples = np.outer(self.symbols, chips()).ravel()
        total = blocks.add_cc()
        zeros = [0] * (2 * N)  # push the last frames out
        source = blocks.vector_source_c([*samples.tolist(), *zeros])
        self.connect(source, total)
        noise = 10 ** (NOISE / 20)
        self.connect(
            analog.fastnoise_source_c(analog.GR_GAUSSIAN, noise, seed, 1 << 20),
            (total, 1),
        )
        self.frequencies = random.uniform(-0.5, 0.5, COUNT)
        for port, frequency in enumerate(self.frequencies, 2):
            level = 10 ** (CARRIERS / 20)
            carrier = analog.sig_source_c(1, analog.GR_COS_WAVE, frequency, level)
            self.connect(carrier, (total, port))
        self.sink = blocks.vector_sink_c()
        self.spectrum = blocks.vector_sink_c()
        common = {"engine": engine, "library": "cupy"}
        frames = {"decimation": N, "interpolation": N}
        self.stages = [
            gpufft.array_block(
                cut, decimation=N // 2, interpolation=N, history=N // 2, **common
            ),
            gpufft.fft_vcc(N, True, [], engine=engine, vlen=1),
            gpufft.array_block(excise, parameters={"limit": limit}, **frames, **common),
            gpufft.fft_vcc(N, False, [], engine=engine, vlen=1),
            gpufft.array_block(
                join, decimation=N, interpolation=N // 2, history=N, **common
            ),
        ]
        self.connect(total, *self.stages, self.sink)
        self.connect(self.stages[2], self.spectrum)

    def receive(self):
        """Runs; returns the despread symbols."""
        self.run()
        for stage in self.stages:
            if stage.error():
                raise RuntimeError(stage.error())
        delay = N // 2
        received = np.array(self.sink.data())[delay:][: SYMBOLS * CHIPS]
        return received.reshape(SYMBOLS, CHIPS) @ chips() / CHIPS

    def removed(self):
        """The part of the bins that was removed."""
        return float(np.mean(np.array(self.spectrum.data()) == 0))


def quality(symbols, sent):
    """Errors, and the signal-to-noise ratio in dB."""
    gain = np.mean(symbols * sent)
    noise = np.mean(np.abs(symbols - gain * sent) ** 2)
    errors = int(np.sum(np.sign(symbols.real) != sent))
    return errors, 10 * math.log10(abs(gain) ** 2 / noise)


def expected(removed):
    """The ratio in dB without carriers, where a part of the band is removed: noise and
    signal lose it; what the signal loses is noise to it, too, less a symbol's chips."""
    kept = 1 - removed
    noise = 10 ** (NOISE / 10) * kept + removed * kept
    return 10 * math.log10(CHIPS * kept**2 / noise)


def plot(file, before, after, sent):
    """The symbols before and after."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4.2))
    for axis, symbols, title in zip(axes, (before, after), ("with carriers", "excised")):
        for value, colour in ((1, "tab:blue"), (-1, "tab:red")):
            chosen = symbols[sent == value]
            axis.plot(chosen.real, chosen.imag, ".", color=colour, markersize=2)
        axis.set_title(title)
        axis.set_xlabel("in phase")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("quadrature")
    figure.tight_layout()
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="auto", choices=("auto", "cuda", "cpu"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    arguments = parser.parse_args()
    before = Receiver(math.inf, arguments.engine, arguments.seed)
    after = Receiver(LIMIT, arguments.engine, arguments.seed)
    print(f"engine {after.stages[0].engine()}")
    symbols = [each.receive() for each in (before, after)]
    for title, received in zip(("with the carriers", "after excision"), symbols):
        errors, ratio = quality(received, after.symbols)
        print(f"{title}: {errors} of {SYMBOLS} symbols are wrong, {ratio:.1f} dB")
    theory = expected(after.removed())
    print(f"{100 * after.removed():.1f} % of the bins removed; theory: {theory:.1f} dB")
    if arguments.plot:
        plot(arguments.plot, *symbols, after.symbols)
    errors, ratio = quality(symbols[1], after.symbols)
    return 0 if errors == 0 and abs(ratio - theory) < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
