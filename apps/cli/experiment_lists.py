# SPDX-License-Identifier: GPL-3.0-or-later
"""The published experiments: which problems they time, and what the papers say."""

from dataclasses import dataclass, field

from .experiment_problems import (
    batched,
    batched_grids,
    cubes,
    mixed_lengths,
    powers_of_two,
    prime_below,
    radix_by_radix,
    rectangles,
    single,
    single_grids,
    spread_primes,
)

GOVINDARAJU = (
    "Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli, “High Performance Discrete "
    "Fourier Transforms on Graphics Processors”, SC'08"
)
BAINVILLE = (
    "Bainville, “OpenCL Fast Fourier Transform”, 2010, "
    "[bealto.com/gpu-fft.html](http://www.bealto.com/gpu-fft.html)"
)
GU = (
    "Gu, Li, Siegel, “An Empirically Tuned 2D and 3D FFT Library on CUDA GPU”, ICS'10"
)
TSAI = "Tsai, “Fast Fourier Transform on CPU and GPU”, 2025"
VARIANTS = ("", "-powers", "-table", "-library", "-intrinsic")


@dataclass
class Experiment:
    """One figure or table of a paper. `problems` is empty for one that needs no GPU."""

    title: str
    source: str
    figure: str
    claim: str  # what the paper says, in words
    problems: list = field(default_factory=list)
    quantity: str = "gflops"  # drawn over N: one of experiment_data.QUANTITIES
    program: str = "gpufft-bench"  # which makes the CSV


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
    "govindaraju_fig14": Experiment(
        "2-D transforms: N × N alone, N × N in batches, N_x · N_y = 2^24",
        GOVINDARAJU,
        "Fig. 14",
        "Powers of two. Ours: batches of 2^24 points; N_x is the axis with the larger "
        "stride.",
        single_grids(cubes(1, 13, 2))
        + batched_grids(cubes(1, 11, 2))
        + single_grids(rectangles(2**24, 1)),
    ),
    "govindaraju_fig15": Experiment(
        "Mixed radix: 2^i 3^j 5^k, 2^23 points",
        GOVINDARAJU,
        "Fig. 15",
        "The abstract: sizes that are not powers of two use mixed radices of small "
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
    "gu_2d": Experiment(
        "2-D transforms N × N, alone and 2^24 points",
        GU,
        "Figs. 2 to 7",
        "The abstract: no transposition between the dimensions, and dimensions grouped "
        "into one kernel; on a GTX 280 2.8 times CUFFT and 1.6 times the best results "
        "published before, on average.",
        single_grids(cubes(3, 12, 2)) + batched_grids(cubes(3, 11, 2)),
    ),
    "gu_3d": Experiment(
        "3-D transforms N × N × N, alone and 2^24 points",
        GU,
        "Figs. 2 to 7",
        "The abstract: on a GTX 280 22.7 times CUFFT on average.",
        single_grids(cubes(1, 9, 3)) + batched_grids(cubes(1, 7, 3)),
    ),
    "gu_shapes": Experiment(
        "Sizes that are not square: N_x · N_y = 2^20, alone and 2^24 points",
        GU,
        "Figs. 2 to 7",
        "The order of the dimensions matters: 2048 × 512 and 512 × 2048 are two sizes.",
        single_grids(rectangles(2**20, 6)) + batched_grids(rectangles(2**20, 6)),
    ),
    "gu_errors": Experiment(
        "Errors of 2-D and 3-D transforms",
        GU,
        "the comparison of precision",
        "The abstract: better precision than CUFFT in two and in three dimensions.",
        single_grids(cubes(1, 12, 2)) + single_grids(cubes(1, 8, 3)),
        "error",
    ),
    "gu_table1": Experiment(
        "Registers of the codelets of 2 … 64 points",
        GU,
        "Table 1",
        "Straight-line transforms in one thread's registers. Ours: the kernels' butterflies, "
        "one for each thread, from global memory to global memory, as NVRTC compiles them.",
        quantity="registers",
        program="bench_codelets",
    ),
    "gu_table2": Experiment(
        "Passes over memory and the bandwidth reached, 2^24 points",
        GU,
        "Table 2",
        "Kernels that read and write all data, and how fast they do that. The bandwidth is "
        "what all passes read and write over the time; cuFFT and VkFFT, whose passes are "
        "not known, count as one pass.",
        batched_grids(cubes(3, 12, 2)) + batched_grids(cubes(2, 8, 3)),
        "bandwidth",
    ),
    "bainville": Experiment(
        "One transform of 2^24 points by radix-2, 4, 8, 16, 32 global-memory kernels",
        BAINVILLE,
        "“Radix-r kernels benchmarks”",
        "The article's introduction: chained calls of simple kernels of radix 4 to 32 "
        "that use no shared memory at least match CUFFT; measured on a GTX 285 and an "
        "HD 5870. Ours also with several ways to compute sine and cosine.",
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
        program="bench_cpu_ladder",
    ),
}
