# SPDX-License-Identifier: GPL-3.0-or-later
"""The published experiments: which problems they time. What the papers claim stands in
docs/experiments/published.csv."""

from dataclasses import dataclass, field

from .experiment_problems import (
    MANY_ELEMENTS,
    batched,
    batched_grids,
    boxes,
    cubes,
    ladder_recipes,
    mixed_lengths,
    powers_of_two,
    prime_below,
    radix_by_radix,
    rectangles,
    single,
    single_grids,
    spread_primes,
)

GOVINDARAJU = "Govindaraju et al. 2008"
GU = "Gu et al. 2010"
BAINVILLE = "Bainville 2010"
TSAI = "Tsai 2025"
REFERENCES = {
    GOVINDARAJU: "Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli, “High Performance "
    "Discrete Fourier Transforms on Graphics Processors”, SC'08",
    GU: "Gu, Li, Siegel, “An Empirically Tuned 2D and 3D FFT Library on CUDA GPU”, ICS'10",
    BAINVILLE: "Bainville, “OpenCL Fast Fourier Transform”, 2010, "
    "[bealto.com/gpu-fft.html](http://www.bealto.com/gpu-fft.html)",
    TSAI: "Tsai, “Fast Fourier Transform on CPU and GPU”, 2025",
}
VARIANTS = ("", "-powers", "-table", "-library", "-intrinsic")


LADDERS = [f"ladder{r}{kind}" for r in (8, 16, 32) for kind in ("", "-exchange")]
CROSSOVER = (*LADDERS, "hierarchical", "")


@dataclass
class Experiment:
    """One figure or table of a paper. `problems` is empty for what makes its own list."""

    title: str
    source: str
    figure: str
    note: str  # in what ours differs
    problems: list = field(default_factory=list)
    quantity: str = "gflops"  # drawn over N, and what experiment_docs.SUMMARIES tells of
    program: str = "gpufft-bench"  # which makes the CSV
    options: tuple = ()  # of the program
    recipes: list = field(default_factory=list)  # of bench_recipes; empty: its lister's


def primes_below_powers():
    """The largest prime below 2^i, i = 2 ... 24 (below 2^1 is none)."""
    return [prime_below(2**i) for i in range(2, 25)]


EXPERIMENTS = {
    "govindaraju_fig6": Experiment(
        "Bluestein's algorithm with and without the exact chirp index",
        GOVINDARAJU,
        "Fig. 6",
        "Ours: the largest prime below 2^i, one transform; forward errors, where the paper "
        "has those of forward and inverse.",
        single(
            [prime_below(2**i) for i in range(5, 25)], ("bluestein", "bluestein-inexact")
        ),
        "error",
    ),
    "govindaraju_fig8": Experiment(
        "CPU libraries with more and more threads, powers of two, 2^23 points",
        GOVINDARAJU,
        "Fig. 8",
        "MKL, from its PyPI wheel, and FFTW (plans measured for 2 s at most). Figs. 9 and 10 change the card's core and "
        "memory clocks, which must not be changed on the machines that we have: the head of "
        "each newer CSV has the clocks that it ran at, and there is one pair of them.",
        batched(powers_of_two(1, 23)),
        "threads",
        "bench_cpu_peers",
        ("--threads", "each"),
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
        "“Large” is taken as 2^14 points and more.",
        batched(powers_of_two(1, 23)),
    ),
    "govindaraju_fig13": Experiment(
        "The sizes of Volkov and Kazian",
        GOVINDARAJU,
        "Fig. 13",
        "Volkov and Kazian, “Fitting FFT onto the G80 Architecture”, 2008.",
        batched((8, 16, 64, 256, 512, 1024)),
    ),
    "govindaraju_fig14": Experiment(
        "2-D transforms: N × N alone, N × N in batches, N_x · N_y = 2^24",
        GOVINDARAJU,
        "Fig. 14",
        "Powers of two; batches of 2^24 points.",
        single_grids(cubes(1, 13, 2))
        + batched_grids(cubes(1, 11, 2))
        + single_grids(rectangles(2**24, 1)),
    ),
    "govindaraju_fig15": Experiment(
        "Mixed radix: 2^i 3^j 5^k, 2^24 points",
        GOVINDARAJU,
        "Fig. 15",
        "About four lengths an octave.",
        batched(mixed_lengths(), elements=MANY_ELEMENTS),
    ),
    "govindaraju_fig16": Experiment(
        "Primes from 2^5 to 2^16, and the largest below 2^i, 2^24 points",
        GOVINDARAJU,
        "Fig. 16",
        "GFLOPS count the prime length, not that of the convolution.",
        list(
            dict.fromkeys(
                batched(spread_primes(), elements=MANY_ELEMENTS)
                + batched(primes_below_powers(), elements=MANY_ELEMENTS)
            )
        ),
    ),
    "govindaraju_fig17": Experiment(
        "Errors of powers of two, mixed radices and primes",
        GOVINDARAJU,
        "Fig. 17",
        "Ours are forward errors; those of forward and inverse: govindaraju_round_trip.",
        single(powers_of_two(1, 24))
        + single(mixed_lengths())
        + single([prime_below(2**i) for i in range(5, 25)]),
        "error",
    ),
    "govindaraju_round_trip": Experiment(
        "Forward and inverse: the root mean square error",
        GOVINDARAJU,
        "Figs. 6, 17",
        "As the paper measures errors; cpu_peers has MKL's. Needs GNU Radio.",
        single(
            [prime_below(2**i) for i in range(5, 25)], ("bluestein", "bluestein-inexact")
        )
        + single(powers_of_two(1, 24) + mixed_lengths())
        + single([prime_below(2**i) for i in range(5, 25)]),
        "round trip",
        "round_trip",
    ),
    "govindaraju_fig18": Experiment(
        "Radix by radix, 2^23 points",
        GOVINDARAJU,
        "Fig. 18",
        "Powers of 2, 4, 8, 16, 32 by the global-memory ladder of that radix; powers of 3, "
        "5, 7, 11, 13 by the planner's choice.",
        radix_by_radix(),
    ),
    "govindaraju_crossover": Experiment(
        "Global-memory ladders beside the hierarchical transform",
        GOVINDARAJU,
        "section IV",
        "The paper finds the crossover between the two at run time; here both run at every "
        "length that the hierarchical one takes, alone and with 2^24 points, beside the "
        "planner's choice. Ladders also with the paper's exchange in shared memory, by which "
        "early passes write in order.",
        single(powers_of_two(12, 24), CROSSOVER)
        + batched(powers_of_two(12, 22), CROSSOVER, MANY_ELEMENTS),
    ),
    "cpu_peers": Experiment(
        "MKL on the problems of Figs. 11, 12, 14, 15 and 16",
        GOVINDARAJU,
        "Figs. 11 to 17",
        "From its PyPI wheel (`pip install mkl`; LD_LIBRARY_PATH names its folder lib) on all "
        "cores, and in one thread to 2^20 points; the faster counts in the ratios above.",
        list(
            dict.fromkeys(
                single(powers_of_two(1, 24))
                + batched(powers_of_two(1, 23))
                + single_grids(cubes(1, 13, 2))
                + batched_grids(cubes(1, 11, 2))
                + single_grids(rectangles(2**24, 1))
                + batched(mixed_lengths(), elements=MANY_ELEMENTS)
                + batched(spread_primes(), elements=MANY_ELEMENTS)
                + batched(primes_below_powers(), elements=MANY_ELEMENTS)
            )
        ),
        "libraries",
        "bench_cpu_peers",
        ("--libraries", "mkl", "--threads", "best"),
    ),
    "gu_2d": Experiment(
        "2-D transforms N × N, alone and 2^24 points",
        GU,
        "Figs. 2, 5",
        "Powers of two.",
        single_grids(cubes(3, 12, 2)) + batched_grids(cubes(3, 11, 2)),
    ),
    "gu_3d": Experiment(
        "3-D transforms N × N × N, alone and 2^24 points",
        GU,
        "Figs. 3, 6",
        "Powers of two.",
        single_grids(cubes(1, 9, 3)) + batched_grids(cubes(1, 7, 3)),
    ),
    "gu_shapes": Experiment(
        "Sizes that are not square: N_x · N_y = 2^20, alone and 2^24 points",
        GU,
        "Fig. 4",
        "The order of the dimensions matters: 2048 × 512 and 512 × 2048 are two sizes.",
        single_grids(rectangles(2**20, 6)) + batched_grids(rectangles(2**20, 6)),
    ),
    "gu_shapes_3d": Experiment(
        "Sizes that are no cubes: N_x · N_y · N_z = 2^20, alone and 2^24 points",
        GU,
        "Fig. 4",
        "In three dimensions, 16 points and more in each.",
        single_grids(boxes(2**20, 4)) + batched_grids(boxes(2**20, 4)),
    ),
    "gu_search": Experiment(
        "The number of kernels in 2-D and 3-D, 2^24 points",
        GU,
        "section 4",
        "The paper searches over the order and number of kernels, because the fewest are "
        "not always best; the planner takes the fewest. Three cuts each of the fewest, one "
        "more and two more, last axis first, every kernel by the planner's estimate.",
        quantity="recipes",
        program="bench_recipes",
    ),
    "gu_errors": Experiment(
        "Errors of 2-D and 3-D transforms",
        GU,
        "Fig. 7",
        "Against double precision.",
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
        "Kernels that read and write all data, and how fast they do that: the bandwidth is "
        "what all passes read and write over the time.",
        batched_grids(cubes(3, 12, 2)) + batched_grids(cubes(2, 8, 3)),
        "bandwidth",
    ),
    "bainville": Experiment(
        "One transform of 2^24 points by radix-2, 4, 8, 16, 32 global-memory kernels",
        BAINVILLE,
        "“Radix-r kernels benchmarks”",
        "Ours also with several ways to compute sine and cosine.",
        single(
            (2**24,),
            [f"ladder{r}{kind}" for r in (2, 4, 8, 16, 32) for kind in VARIANTS],
        )
        + single((2**24,)),
    ),
    "bainville_groups": Experiment(
        "One transform of 2^24 points by ladders with work-groups of 32 … 1024 threads",
        BAINVILLE,
        "“Radix-r kernels benchmarks”",
        "The same ladders; elsewhere on this page their blocks have 128 threads.",
        quantity="recipes",
        program="bench_recipes",
        recipes=ladder_recipes(2**24, (2, 4, 8, 16, 32), (32, 64, 128, 256, 512, 1024)),
    ),
    "tsai_gpu": Experiment(
        "GPU ladder in shared memory: Cooley-Tukey, Stockham radix 2, radix 4",
        TSAI,
        "Tables 3, 4, 5",
        "Bit reversal, then Stockham's order, then radix 4 with a last radix 2, beside "
        "VkFFT. Batches of 2^23 points.",
        batched(powers_of_two(4, 12), ("cooley-tukey", "stockham2", "stockham4", "")),
        "kernels",
    ),
    "tsai_cpu": Experiment(
        "CPU ladder: naive DFT, Cooley-Tukey with bit reversal, Stockham, FFTW",
        TSAI,
        "Tables 1, 2",
        "Each step beside FFTW, from 16 points on; the naive sum to 32768 points. std::complex "
        "by the C standard's rules and -O2 (_c_rules), products by their formula and -O3, our "
        "own complex type (_own), the same for the machine's instructions (_native). Times "
        "are the shortest of the runs, which other work disturbs least.",
        program="bench_cpu_ladder",
    ),
}
