#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a function of arrays between an FFT and its inverse.

    bench_array_block.py [--csv FILE] [--seconds S] [--engine cuda|cpu] [--sizes N,N]

The function multiplies by an array: CuPy's on a GPU, NumPy's on the CPU. A row for each size:

  link         vectors a second of fft_vcc and its inverse between host ends
  host         the same with the function in between, and its share of `link`
  card         vectors a second of the three between ends that are on the card, too: kernels
               that touch no vector
  alone        what the three would reach if each took the time that it takes alone between
               such ends, by the GPU's clock (device_seconds of statistics()), and the share
               of `card` in it

Each rate is that of the last block over S seconds, from a second after its first vector.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from gnuradio import blocks, gpufft, gr

SIZES = (1024, 4096, 16384, 65536, 262144, 1 << 20)
FIELDS = "n,link,host,host_share,card,alone,card_share"


def numpy_function(n):
    """Multiplies vectors of n by an array."""
    factors = np.exp(1j * np.arange(n)).astype(np.complex64)
    return lambda x, out: np.multiply(x, factors, out=out)


def cupy_function(n):
    """The same by CuPy."""
    import cupy  # pylint: disable=import-outside-toplevel

    factors = cupy.exp(1j * cupy.arange(n)).astype(cupy.complex64)
    return lambda x, out: cupy.multiply(x, factors, out=out)


NOTHING = """
__global__ void born(const signed char* from, float2* vectors, long long frames) {}
__global__ void gone(const float2* vectors, signed char* to, long long frames) {}
"""


class bench:
    """Flowgraphs of one engine, each run for `seconds` seconds."""

    def __init__(self, engine, library, make_function, seconds):
        self.engine, self.library = engine, library
        self.make_function, self.seconds = make_function, seconds

    def fft(self, n, forward):
        return gpufft.fft_vcc(n, forward, [], engine=self.engine)

    def function(self, n):
        vectors = (np.complex64, n)
        return gpufft.array_block(
            self.make_function(n),
            vectors,
            vectors,
            library=self.library,
            engine=self.engine,
        )

    def end(self, name, *signatures):
        """A kernel that touches no vector, and a byte of the link for each."""
        return gpufft.kernel_block(
            NOTHING, *signatures, name=name, cpu=lambda x, out: None, engine=self.engine
        )

    @staticmethod
    def wait_for_more(sink, than):
        end = time.monotonic() + 60
        while sink.nitems_read(0) <= than and time.monotonic() < end:
            time.sleep(0.001)

    def rate(self, n, chain, on_card=False):
        """Vectors a second, and the GPU's seconds for a vector in each block."""
        ends, item = [[], []], 8 * n
        if on_card:
            vectors, item = (np.complex64, n), 1
            ends = [
                [self.end("born", np.int8, vectors)],
                [self.end("gone", vectors, np.int8)],
            ]
        flowgraph = gr.top_block()
        sink = blocks.null_sink(item)
        flowgraph.connect(blocks.null_source(item), *ends[0], *chain, *ends[1], sink)
        flowgraph.start()
        try:
            self.wait_for_more(sink, 0)
            time.sleep(min(1, self.seconds))
            begin, first = time.monotonic(), sink.nitems_read(0)
            time.sleep(self.seconds)
            self.wait_for_more(sink, first)
            taken, last = time.monotonic() - begin, sink.nitems_read(0)
        finally:
            flowgraph.stop()
            flowgraph.wait()
        for block in chain:
            if block.error():
                raise RuntimeError(block.error())
        counted = [block.statistics() for block in chain]
        alone = [each["device_seconds"] / max(each["frames"], 1) for each in counted]
        return (last - first) / taken, alone

    def row(self, n):
        """The values of FIELDS."""

        def triple():
            return [self.fft(n, True), self.function(n), self.fft(n, False)]

        link, _ = self.rate(n, [self.fft(n, True), self.fft(n, False)])
        host, _ = self.rate(n, triple())
        card, _ = self.rate(n, triple(), on_card=True)
        seconds = sum(self.rate(n, [block], on_card=True)[1][0] for block in triple())
        alone = 1 / seconds if seconds > 0 else float("nan")
        return (n, link, host, host / link, card, alone, card / alone)


def arguments(command):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--engine", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    return parser.parse_args(command)


def main(command=None):
    given = arguments(command)
    on_card = given.engine == "cuda"
    runs = bench(
        given.engine,
        "cupy" if on_card else "",
        cupy_function if on_card else numpy_function,
        given.seconds,
    )
    device = gpufft.fft_vcc(1024, True, [], engine=given.engine).describe()
    lines = [f"# {device}", FIELDS]
    print(*lines, sep="\n")
    for n in map(int, given.sizes.split(",")):
        lines.append(",".join(f"{value:.6g}" for value in runs.row(n)))
        print(lines[-1], flush=True)
    if given.csv:
        given.csv.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
