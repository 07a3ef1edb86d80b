# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of transforms against double precision, and the bound that they must keep.

The bound on the relative L2 error is C eps sqrt(log2 N), eps = 2^-24, with C = 1.0 for
lengths whose prime factors are 2 ... 13 and C = 1.6 for others. For N = 1, 2 and 3, whose
logarithm is below that of a whole pass, log2 N counts as at least 1: one rounding of each
result is allowed.
"""

import math
from dataclasses import dataclass

import numpy as np
from gnuradio import gpufft

EPSILON = 2.0**-24
SMOOTH_FACTORS = (2, 3, 5, 7, 11, 13)
DIRECTIONS = ("forward", "inverse")
MAX_LENGTH = 2**30
LARGEST_OF_ALL = 4096  # every length up to this one
POINTS = 16384  # in the frames of a length together, unless one frame alone has more
MOST_FRAMES = 64


@dataclass
class Accuracy:
    """One transform; errors are NaN if it failed."""

    n: int
    direction: str
    engine: str
    error: float  # relative L2: sqrt(sum |X - exact|^2 / sum |exact|^2)
    largest: float  # largest |X - exact| over the root mean square of |exact|
    recipe: str  # how it was computed, or why it was not

    @property
    def bound(self):
        """What `error` must not exceed."""
        return bound(self.n)

    @property
    def broken(self):
        """True also for NaN."""
        return not self.error <= self.bound


def is_smooth(n):
    """True if 2, 3, 5, 7, 11 and 13 are its only prime factors."""
    for factor in SMOOTH_FACTORS:
        while n % factor == 0:
            n //= factor
    return n == 1


def bound(n):
    """The bound of the relative L2 error."""
    factor = 1.0 if is_smooth(n) else 1.6
    return factor * EPSILON * math.sqrt(max(1.0, math.log2(n)))


def is_prime(n):
    """Whether n is prime, by trial division."""
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def prime_below(n):
    """The largest prime <= n, for n >= 2."""
    while not is_prime(n):
        n -= 1
    return n


def large_lengths():
    """Lengths above LARGEST_OF_ALL, to 2^24: powers of two, the primes below them and their
    neighbours, powers of other primes, decimal lengths, large primes times powers."""
    lengths = set()
    for exponent in range(13, 25):
        power = 2**exponent
        lengths |= {power, prime_below(power - 1)}
        if exponent <= 18:
            lengths |= {power - 1, power + 1}
    for base in (3, 5, 7, 11, 13):
        lengths |= {base**e for e in range(1, 24) if base**e <= 2**22}
    lengths |= {6000, 10000, 48000, 100000, 1000000, 7 * 2**17, 77 * 5000, 1001 * 1024}
    lengths |= {79 * 2**e for e in (6, 8, 10, 13)} | {839 * 12, 1009 * 1009, 4093 * 16}
    return sorted(n for n in lengths if n > LARGEST_OF_ALL)


def chirp_primes():
    """About four primes in each octave from 2^5 to 2^20."""
    return sorted({prime_below(round(2 ** (e / 4))) for e in range(20, 81)})


def random_frames(n, frames):
    """complex64 [frames, n], parts uniform in -1 ... 1; the same at every call."""
    random = np.random.default_rng(n)
    pairs = random.random((frames, 2 * n), np.float32) * 2 - 1
    return pairs.view(np.complex64)


def frames_of(n):
    """How many frames of a length are transformed."""
    return max(1, min(MOST_FRAMES, POINTS // n))


def make_plan(n, direction, algorithm="", **options):
    """A plan for frames_of(n) frames."""
    text = f"c2c_{direction}_n{n}_b{frames_of(n)}"
    return gpufft.plan(text + (f"_algorithm={algorithm}" if algorithm else ""), **options)


def measure(n, direction, algorithm="", **options):
    """The Accuracy of a length; options are those of gpufft.plan."""
    try:
        plan = make_plan(n, direction, algorithm, **options)
        x = random_frames(n, frames_of(n))
        result = plan.execute(x)
    except (ValueError, RuntimeError, MemoryError) as failure:
        reason = str(failure) or "out of memory"
        engine = options.get("engine", "auto")
        return Accuracy(n, direction, engine, math.nan, math.nan, reason)
    exact = x.astype(np.complex128)
    exact = np.fft.fft(exact) if direction == "forward" else np.fft.ifft(exact) * n
    difference = np.abs(result - exact)
    total = np.linalg.norm(exact)
    return Accuracy(
        n,
        direction,
        plan.engine,
        float(np.linalg.norm(difference) / total),
        float(difference.max() / (total / math.sqrt(exact.size))),
        recipe_of(plan),
    )


def recipe_of(plan):
    """The recipe in a plan's description: "stockham(64: 8·8)"."""
    text = plan.describe().partition(": ")[2]
    return text.partition("), ")[0] + ")"


def round_trip_rmse(n, algorithm, **options):
    """Root mean square of inverse(forward(x)) / n - x for random x; NaN if it fails."""
    x = random_frames(n, frames_of(n))
    try:
        spectrum = make_plan(n, "forward", algorithm, **options).execute(x)
        back = make_plan(n, "inverse", algorithm, **options).execute(spectrum)
    except (ValueError, RuntimeError, MemoryError):
        return math.nan
    difference = back.astype(np.complex128) / n - x
    return float(np.sqrt(np.mean(np.abs(difference) ** 2)))
