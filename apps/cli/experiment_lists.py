# SPDX-License-Identifier: GPL-3.0-or-later
"""The published 1-D experiments: which problems they time, and what the papers say."""

from dataclasses import dataclass, field
from functools import reduce

ELEMENTS = 2**23  # n * batch of the batched experiments, as Govindaraju et al.
GOVINDARAJU = (
    "Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli, “High Performance Discrete "
    "Fourier Transforms on Graphics Processors”, SC'08"
)
BAINVILLE = (
    "Bainville, “OpenCL Fast Fourier Transform”, 2010, "
    "[bealto.com/gpu-fft.html](http://www.bealto.com/gpu-fft.html)"
)
TSAI = "Tsai, “Fast Fourier Transform on CPU and GPU”, 2025"
VARIANTS = ("", "-powers", "-table", "-library", "-intrinsic")


@dataclass
class Experiment:
    """One figure or table of a paper. `problems` is empty for one on the CPU."""

    title: str
    source: str
    figure: str
    claim: str  # what the paper says, in words
    problems: list = field(default_factory=list)
    quantity: str = "gflops"  # drawn over N: "gflops" or "error"


def problem(n, batch, algorithm=""):
    """The string that names a forward transform."""
    text = f"c2c_forward_n{n}_b{batch}"
    return f"{text}_algorithm={algorithm}" if algorithm else text


def single(lengths, algorithms=("",)):
    """One transform at a time."""
    return [problem(n, 1, name) for n in lengths for name in algorithms]


def batched(lengths, algorithms=("",)):
    """As many transforms as make about ELEMENTS points."""
    return [
        problem(n, max(1, ELEMENTS // n), name) for n in lengths for name in algorithms
    ]


def is_prime(n):
    """By trial division; n is small."""
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def prime_below(n):
    """The largest prime below n."""
    return next(p for p in range(n - 1, 1, -1) if is_prime(p))


def powers_of_two(first, last):
    """2^first ... 2^last."""
    return [2**k for k in range(first, last + 1)]


def spread_primes():
    """Primes from 2^5 to 2^16, four an octave."""
    return sorted({prime_below(round(2 ** (k / 4)) + 1) for k in range(21, 65)})


def mixed_lengths():
    """2^i 3^j 5^k, i, j, k >= 1, 30 ... 2^22: about four an octave."""
    smooth = sorted(
        2**i * 3**j * 5**k
        for i in range(1, 22)
        for j in range(1, 14)
        for k in range(1, 10)
        if 2**i * 3**j * 5**k <= 2**22
    )
    chosen = [smooth[0]]
    for n in smooth[1:]:
        if n >= chosen[-1] * 2**0.25:
            chosen.append(n)
    return chosen


def powers_of(radix, most=ELEMENTS):
    """radix, radix^2 ... up to `most`."""
    lengths = []
    n = radix
    while n <= most:
        lengths.append(n)
        n *= radix
    return lengths


def radix_by_radix():
    """Powers of every radix that is a prime or a power of two, through global memory."""
    ladders = reduce(
        lambda sofar, r: sofar + batched(powers_of(r), (f"ladder{r}",)),
        (2, 4, 8, 16, 32),
        [],
    )
    primes = reduce(
        lambda sofar, r: sofar + batched(powers_of(r)), (3, 5, 7, 11, 13), []
    )
    return ladders + primes


EXPERIMENTS = {
    "govindaraju_fig6": Experiment(
        "Bluestein's algorithm with and without the exact chirp index",
        GOVINDARAJU,
        "Fig. 6",
        "The abstract: modular arithmetic in Bluestein's algorithm improves the "
        "accuracy. Ours: the largest prime below 2^i, one transform.",
        single(
            [prime_below(2**i) for i in range(5, 25)], ("bluestein", "bluestein-inexact")
        ),
        "error",
    ),
    "govindaraju_fig11": Experiment(
        "Single transforms, powers of two",
        GOVINDARAJU,
        "Fig. 11",
        "One transform at a time.",
        single(powers_of_two(1, 24)),
    ),
    "govindaraju_fig12": Experiment(
        "Batched transforms, powers of two, 2^23 points",
        GOVINDARAJU,
        "Fig. 12",
        "The abstract: up to 300 GFLOPS, typically 2 to 4 times CUFFT and 8 to 40 times "
        "MKL for large sizes.",
        batched(powers_of_two(1, 23)),
    ),
    "govindaraju_fig13": Experiment(
        "The sizes of Volkov and Kazian",
        GOVINDARAJU,
        "Fig. 13",
        "The sizes of Volkov and Kazian, “Fitting FFT onto the G80 Architecture”, 2008.",
        batched((8, 16, 64, 256, 512, 1024)),
    ),
    "govindaraju_fig15": Experiment(
        "Mixed radix: 2^i 3^j 5^k, 2^23 points",
        GOVINDARAJU,
        "Fig. 15",
        "The abstract: sizes that are no power of two run by mixed radices of small "
        "primes.",
        batched(mixed_lengths()),
    ),
    "govindaraju_fig16": Experiment(
        "Primes from 2^5 to 2^16, 2^23 points; the largest prime below 2^i alone",
        GOVINDARAJU,
        "Fig. 16",
        "The abstract: Bluestein's algorithm beside mixed radices. GFLOPS are counted as "
        "5 N log2 N of the prime length, not of the convolution.",
        batched(spread_primes()) + single([prime_below(2**i) for i in range(5, 25)]),
    ),
    "govindaraju_fig17": Experiment(
        "Errors of powers of two, mixed radices and primes",
        GOVINDARAJU,
        "Fig. 17",
        "The paper gives the root mean square error of forward and inverse; ours is the "
        "relative L2 error of the forward transform against double precision.",
        single(powers_of_two(1, 24))
        + single(mixed_lengths())
        + single([prime_below(2**i) for i in range(5, 25)]),
        "error",
    ),
    "govindaraju_fig18": Experiment(
        "Radix by radix, 2^23 points",
        GOVINDARAJU,
        "Fig. 18",
        "Powers of each radix. Ours: powers of 2, 4, 8, 16, 32 by the global-memory "
        "ladder of that radix; powers of 3, 5, 7, 11, 13 by the planner's choice.",
        radix_by_radix(),
    ),
    "bainville": Experiment(
        "One transform of 2^24 points by radix-2, 4, 8, 16, 32 global-memory kernels",
        BAINVILLE,
        "“Radix-r kernels benchmarks”",
        "The article's introduction: chained calls of simple kernels of radix 4 to 32 "
        "that use no shared memory at least match CUFFT; measured on a GTX 285 and an "
        "HD 5870. Ours also in several ways to the sine and cosine.",
        single(
            (2**24,),
            [f"ladder{r}{kind}" for r in (2, 4, 8, 16, 32) for kind in VARIANTS],
        )
        + single((2**24,)),
    ),
    "tsai_gpu": Experiment(
        "GPU ladder in shared memory: Cooley-Tukey, Stockham radix 2, radix 4",
        TSAI,
        "Tables 3, 4, 5",
        "Bit reversal, then Stockham's order, then radix 4 with a last radix 2, against "
        "VkFFT; threads and registers of each kernel.",
        batched(powers_of_two(4, 12), ("cooley-tukey", "stockham2", "stockham4", "")),
    ),
    "tsai_cpu": Experiment(
        "CPU ladder: naive DFT, Cooley-Tukey with bit reversal, Stockham, FFTW",
        TSAI,
        "Tables 1, 2",
        "Each step of the ladder against FFTW, 16 … 262144 points.",
    ),
}
