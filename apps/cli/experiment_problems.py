# SPDX-License-Identifier: GPL-3.0-or-later
"""The problems of the published experiments: lengths, alone and in batches."""

import math
from functools import reduce

ELEMENTS = 2**23  # points of a batch in Govindaraju et al., Figs. 12, 13 and 18
MANY_ELEMENTS = 2**24  # in their Figs. 15 and 16, and in several dimensions, as Gu et al.


def problem(n, batch, algorithm=""):
    """The string that names a forward transform."""
    text = f"c2c_forward_n{n}_b{batch}"
    return f"{text}_algorithm={algorithm}" if algorithm else text


def single(lengths, algorithms=("",)):
    """One transform at a time."""
    return [problem(n, 1, name) for n in lengths for name in algorithms]


def batched(lengths, algorithms=("",), elements=ELEMENTS):
    """As many transforms as make about `elements` points."""
    return [
        problem(n, max(1, elements // n), name) for n in lengths for name in algorithms
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
    primes = reduce(lambda sofar, r: sofar + batched(powers_of(r)), (3, 5, 7, 11, 13), [])
    return ladders + primes


def grid(lengths, batch):
    """The string that names a forward transform of several axes."""
    return problem("x".join(map(str, lengths)), batch)


def single_grids(shapes):
    """One transform at a time."""
    return [grid(lengths, 1) for lengths in shapes]


def batched_grids(shapes):
    """As many transforms as make MANY_ELEMENTS points."""
    return [
        grid(lengths, max(1, MANY_ELEMENTS // math.prod(lengths))) for lengths in shapes
    ]


def cubes(first, last, axes):
    """N x N or N x N x N, N = 2^first ... 2^last."""
    return [(n,) * axes for n in powers_of_two(first, last)]


def rectangles(points, first):
    """All N_x x N_y with the same product, 2^first <= N_x, N_y, but the square."""
    last = points.bit_length() - 1 - first
    return [(n, points // n) for n in powers_of_two(first, last) if n * n != points]


def boxes(points, first):
    """All N_x x N_y x N_z with the same product, 2^first and more each, but the cube."""
    last = points.bit_length() - 1 - 2 * first
    return [
        (a, b, points // (a * b))
        for a in powers_of_two(first, last)
        for b in powers_of_two(first, last)
        if points // (a * b) >= 2**first and not a == b == points // (a * b)
    ]


def ladder_recipes(n, radices, threads):
    """Recipes of global-memory ladders with work-groups of `threads` threads, as
    bench_recipes reads them; n is a power of two."""
    lines = []
    for radix in radices:
        passes, left = [], n
        while left > 1:
            passes.append(min(radix, left))
            left //= passes[-1]
        steps = ".".join(map(str, passes))
        lines += [
            f"{problem(n, 1)} | ladder{radix} {n} 1 0 0 {n}x1:{steps}/{count}/1/0/0"
            for count in threads
        ]
    return lines
