#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-engine of a radio telescope's correlator: packed 10-bit samples to 8-bit channels.

    f_engine.py [--channels N] [--taps T] [--spectra S] [--engine ENGINE] [--seed SEED]
                [--seconds SECONDS] [--plot FILE]

A digitiser's real samples, four of 10 bits in 5 bytes, the highest bits first, go as they
are through a polyphase filter bank of N channels (a power of two, 32768 unless given) with
T taps an arm. Each channel is multiplied by a gain of its own, which levels the band,
rounded to 8 bits (I and Q, -127 ... 127), and S spectra at a time are turned into
channel-major order, as a network of correlators takes them: N channels, each with S
samples in time.

On a GPU a gpufft.pfb_channelizer_ccf and a gpufft.kernel_block share the card's memory:
10 bits a sample go up, 8 come back. The program sends noise of a sloping spectrum with
some tones, compares every number that comes back with double precision, and measures the
rate from host memory to host memory with a source that makes no samples. The exit status
is 1 unless all numbers are right: the exact value rounded, up to 0.01 of a step.
"""

import argparse
import sys
import time

import numpy as np
from gnuradio import blocks, gpufft, gr

LEVEL = 20.0  # root mean square of a channel's parts, in steps of the 8-bit output
LARGEST = 127
ALLOWED = 0.51  # steps between a number and its exact value: rounding and float errors

KERNEL = """
__device__ const float gains[{channels}] = {{ {gains} }};

__device__ unsigned byte_of(float x)
{{
    const int nearest = __float2int_rn(x);
    return (nearest < -127 ? -127 : nearest > 127 ? 127 : nearest) & 255;
}}

// A thread takes one channel of {spectra} spectra, and writes its samples side by side.
__global__ void quantize(const float2* input, signed char* output, long long frames)
{{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frames * {channels})
        return;
    const int channel = i % {channels};
    const float gain = gains[channel];
    const float2* from = input + i / {channels} * ({channels} * {spectra}) + channel;
    unsigned* to = reinterpret_cast<unsigned*>(output) + i * ({spectra} / 2);
#pragma unroll
    for (int t = 0; t < {spectra}; t += 2) {{
        const float2 x = from[t * {channels}], y = from[(t + 1) * {channels}];
        to[t / 2] = byte_of(gain * x.x) | byte_of(gain * x.y) << 8 |
                    byte_of(gain * y.x) << 16 | byte_of(gain * y.y) << 24;
    }}
}}
"""


def packed(samples):
    """Integers of -512 ... 511 in 10 bits each, the highest bits first, as bytes."""
    a, b, c, d = (np.asarray(samples).reshape(-1, 4).T & 1023).astype(np.uint16)
    groups = [a >> 2, a << 6 | b >> 4, b << 4 | c >> 6, c << 2 | d >> 8, d]
    return np.stack(groups, axis=-1).astype(np.uint8).tobytes()


def prototype(channels, taps):
    """A sinc with a Hann window over `taps` times the length of the transform, sum 1."""
    n = 2 * channels * taps
    x = (np.arange(n) - (n - 1) / 2) / (2 * channels)
    h = np.sinc(x) * np.hanning(n)
    return (h / h.sum()).astype(np.float32)


class FEngine(gr.hier_block2):
    """Items of 5 bytes (4 samples) -> items of channels * spectra pairs of int8, channel by
    channel. `gains` has a number for each channel, in steps of the output."""

    def __init__(self, gains, taps, spectra=16, engine="auto"):
        channels = len(gains)
        if channels < 2 or channels & (channels - 1):
            raise ValueError(f"there are {channels} channels: must be 2, 4, 8, ...")
        if spectra < 2 or spectra % 2:
            raise ValueError(f"spectra is {spectra}: must be 2, 4, 6, ...")
        self.spectra = spectra
        self._gains = np.asarray(gains, np.float32)
        self._channelizer = gpufft.pfb_channelizer_ccf(
            2 * channels,  # of the real band, whose highest one, at its end, is left out
            taps,
            input="s10",
            outchans=channels,
            vlen=channels,
            engine=engine,
        )
        self.quantizer = gpufft.kernel_block(
            KERNEL.format(
                channels=channels,
                spectra=spectra,
                gains=", ".join(f"{gain:.9e}f" for gain in self._gains),
            ),
            ("complex64", channels),
            ("int8", 2 * channels * spectra),
            name="quantize",
            decimation=spectra,
            threads_per_frame=channels,
            cpu=self._quantize,
            engine="cuda" if self._channelizer.engine() == "cuda" else "cpu",
        )
        gr.hier_block2.__init__(
            self,
            "F-engine",
            gr.io_signature(1, 1, 5),
            gr.io_signature(1, 1, 2 * channels * spectra),
        )
        self.connect(self, self._channelizer, self.quantizer, self)

    def engine(self):
        return self._channelizer.engine()

    def _quantize(self, x, out):
        """The kernel in NumPy."""
        turned = (x.reshape(-1, self.spectra, len(self._gains)) * self._gains).swapaxes(
            1, 2
        )
        parts = np.stack([turned.real, turned.imag], axis=-1)
        out[:] = np.clip(np.rint(parts), -LARGEST, LARGEST).reshape(out.shape)


def exact(samples, taps, channels, gains):
    """The spectra in double precision, before rounding: [spectrum, channel]."""
    size = 2 * channels
    history = np.zeros(len(taps) - size)
    x = np.concatenate([history, np.asarray(samples) / 512])
    h = taps[::-1].astype(np.float64).reshape(-1, size)
    rows = []
    for begin in range(0, len(x) - len(taps) + 1, size):
        arms = (x[begin : begin + len(taps)].reshape(-1, size) * h).sum(axis=0)
        rows.append(np.fft.rfft(np.roll(arms, 1))[:channels] * gains)
    return np.array(rows)


def slope(channels):
    """Amplitude of the noise over the band: 12 dB from one end to the other."""
    return 10 ** (-0.6 * np.arange(channels) / channels)


def tones(channels):
    """Channels with a tone in the middle."""
    return np.floor(np.array([0.1, 0.35, 0.8]) * channels).astype(int)


def sky(spectra, channels, random):
    """10-bit samples: sloping noise, and three tones in the middle of channels."""
    count = 2 * channels * spectra
    bins = np.fft.rfft(random.standard_normal(count))
    shape = np.interp(
        np.linspace(0, 1, len(bins)), np.linspace(0, 1, channels), slope(channels)
    )
    x = 120 * np.fft.irfft(bins * shape, count)
    for channel in tones(channels):
        amplitude = 3 * 120 * slope(channels)[channel] / np.sqrt(channels)
        x += amplitude * np.cos(np.pi * channel / channels * np.arange(count))
    return np.clip(np.rint(x), -512, 511).astype(int)


def leveling(channels, taps):
    """Gains that bring the noise of sky() to LEVEL in every channel."""
    sigma = (
        120 / 512 * slope(channels) * np.sqrt((taps.astype(np.float64) ** 2).sum() / 2)
    )
    return LEVEL / sigma


def run(engine_of, data):
    """What the F-engine makes of these bytes: [block, channel, spectrum, part]."""
    flowgraph = gr.top_block()
    engine = engine_of()
    items = np.frombuffer(data, np.uint8)
    source = blocks.vector_source_b(items.tolist(), False, 5)
    sink = blocks.vector_sink_b(engine.output_signature().sizeof_stream_item(0))
    flowgraph.connect(source, engine, sink)
    flowgraph.run()
    if engine.quantizer.error():
        raise RuntimeError(engine.quantizer.error())
    channels = len(engine._gains)
    numbers = np.frombuffer(bytes(sink.data()), np.int8)
    return numbers.reshape(-1, channels, engine.spectra, 2), engine.engine()


def errors(result, expected):
    """Steps between all numbers and the exact values within the range of the output."""
    blocks_, channels, spectra, _ = result.shape
    exact_ = (
        expected[: blocks_ * spectra].reshape(blocks_, spectra, channels).swapaxes(1, 2)
    )
    parts = np.stack([exact_.real, exact_.imag], axis=-1)
    return np.abs(result - np.clip(parts, -LARGEST, LARGEST))


def rate(engine_of, seconds):
    """Samples a second from host memory to host memory; the source makes none."""
    flowgraph = gr.top_block()
    engine = engine_of()
    flowgraph.connect(
        blocks.null_source(5),
        engine,
        blocks.null_sink(engine.output_signature().sizeof_stream_item(0)),
    )
    flowgraph.start()
    time.sleep(seconds)  # until everything is compiled and in motion
    begin, first = time.monotonic(), engine.quantizer.statistics()["frames"]
    time.sleep(seconds)
    frames = engine.quantizer.statistics()["frames"] - first
    took = time.monotonic() - begin
    flowgraph.stop()
    flowgraph.wait()
    return frames * engine.spectra * 2 * len(engine._gains) / took


def draw(path, result):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    powers = (result.astype(float) ** 2).sum(axis=-1).mean(axis=(0, 2))
    figure, axes = pyplot.subplots(figsize=(9, 4))
    axes.plot(10 * np.log10(np.maximum(powers, 1e-2)), linewidth=0.6)
    axes.set(xlabel="channel", ylabel="power (dB of a step squared)")
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--channels", type=int, default=32768, help="a power of two")
    parser.add_argument("--taps", type=int, default=16, help="of each arm")
    parser.add_argument(
        "--spectra", type=int, default=16, help="in a block of the output"
    )
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0, help="of the measurement")
    parser.add_argument("--plot", metavar="FILE", help="the mean spectrum as a picture")
    wanted = parser.parse_args()

    taps = prototype(wanted.channels, wanted.taps)
    gains = leveling(wanted.channels, taps)

    def engine_of():
        return FEngine(gains, taps, wanted.spectra, wanted.engine)

    spectra = 3 * wanted.spectra
    samples = sky(spectra, wanted.channels, np.random.default_rng(wanted.seed))
    result, engine = run(engine_of, packed(samples))
    wrong = errors(result, exact(samples, taps, wanted.channels, gains))
    saturated = np.count_nonzero(np.abs(result) == LARGEST)
    print(
        f"engine {engine}, {wanted.channels} channels of {wanted.taps} taps: "
        f"{result.size} numbers, at most {wrong.max():.3f} of a step from double "
        f"precision, {saturated} at the ends of their range"
    )
    print(
        f"{rate(engine_of, wanted.seconds) / 1e6:.1f} Msps from host memory to host memory"
    )
    if wanted.plot:
        draw(wanted.plot, result)
    is_whole = result.size == 2 * spectra * wanted.channels
    sys.exit(0 if is_whole and wrong.max() <= ALLOWED else 1)


if __name__ == "__main__":
    main()
