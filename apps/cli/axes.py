# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft verify --axes`: transforms of several axes against double precision.

Every shape to 40x40 and 300 more, in two and three dimensions, complex, real, DCT and DST, with
batches that fill a kernel's blocks in different ways, by each recipe that a plan may get. A
wrong result or a device error counts. `gpufft verify` measures the accuracy of lengths, so
the bound here is wider: 3 eps sqrt(log2 N), N the points of all axes.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from gnuradio import gpufft

from .accuracy import EPSILON
from .errors import CommandError, InputError
from .quantities import parse_integer

COSINES = tuple(f"dct{number}" for number in range(1, 5))
SINES = tuple(f"dst{number}" for number in range(1, 5))
KINDS = ("c2c_forward", "c2c_inverse", "r2c", "c2r", *COSINES, *SINES)
SMALL = 40  # every shape of two axes up to this length
RANDOM = {2: (150, 300), 3: (150, 48)}  # axes: (shapes, longest axis)
BATCHES = (1, 2, 3, 17)
FULL_POINTS = 2**20  # of a batch that fills a card
MOST_RECIPES = 1000
FACTOR = 3.0
TITLES = "problem,engine,error,bound,recipe"


@dataclass
class Checked:
    """One transform; the error is NaN if it failed."""

    problem: str
    engine: str
    error: float  # relative L2
    bound: float
    recipe: str  # how it was computed, or why it was not

    @property
    def broken(self):
        """True also for NaN."""
        return not self.error <= self.bound


def all_shapes():
    """[(1, 1), (1, 2), ...], always the same ones."""
    shapes = list(itertools.product(range(1, SMALL + 1), repeat=2))
    random = np.random.default_rng(20260101)
    for axes, (count, longest) in RANDOM.items():
        found = set()
        while len(found) < count:
            shape = tuple(int(n) for n in random.integers(1, longest + 1, axes))
            if axes > 2 or max(shape) > SMALL:
                found.add(shape)
        shapes += sorted(found)
    return shapes


def tasks(arguments, engine, device):
    """The arguments of check(), the largest shapes first."""
    shapes = all_shapes()
    if arguments.shapes is not None:
        shapes = [parse_shape(text) for text in arguments.shapes.split(",")]
    if arguments.sample is not None:
        count = parse_integer(arguments.sample, "--sample", 1)
        chosen = np.random.default_rng(1).permutation(len(shapes))[:count]
        shapes = [shapes[i] for i in sorted(chosen)]
    recipes = 1
    if arguments.recipes is not None:
        recipes = parse_integer(arguments.recipes, "--recipes", 1, MOST_RECIPES)
    shapes = part_of(shapes, arguments.part)
    shapes.sort(key=math.prod, reverse=True)
    return [
        (shape, kind, engine, device, recipes)
        for shape in shapes
        for kind in kinds(shape)
    ]


def part_of(problems, text):
    """Every N-th of the problems, from the I-th on, for "I/N"; all for None."""
    if text is None:
        return problems
    part, slash, parts = text.partition("/")
    if not slash:
        raise InputError(f"--part {text!r} is not a part: write it like 1/4")
    count = parse_integer(parts, "--part", 1, 10000)
    chosen = problems[parse_integer(part, "--part", 1, count) - 1 :: count]
    if not chosen:
        raise InputError(f"--part {text} is empty: there are {len(problems)} problems")
    return chosen


def kinds(shape):
    """Of its transforms; no DCT-I has a length of 1."""
    return [kind for kind in KINDS if kind != "dct1" or min(shape) > 1]


def parse_shape(text):
    """(16, 8) of "16x8"."""
    lengths = text.split("x")
    if not 2 <= len(lengths) <= 3:
        raise InputError(f"--shapes {text!r}: a shape has two or three lengths, as 16x8")
    return tuple(parse_integer(length, "--shapes", 1, 4096) for length in lengths)


def check(shape, kind, engine, device, candidates):
    """Work of a process: a shape and a kind with all batches, by all recipes."""
    input_frames, exact = reference(shape, kind)
    batches = [*BATCHES, max(BATCHES[-1] + 1, FULL_POINTS // math.prod(shape))]
    names = [f"{kind}_n{'x'.join(map(str, shape))}_b{batch}" for batch in batches]
    recipes = [""]
    if engine == "cuda":
        try:
            found = (gpufft.recipes(name, device, candidates) for name in names)
            recipes = list(dict.fromkeys(itertools.chain(*found)))
        except (ValueError, RuntimeError) as failure:
            return [failed(names[0], engine, shape, str(failure))]
    return [
        check_one(name, batch, recipe, (input_frames, exact), shape, engine, device)
        for recipe in recipes
        for name, batch in zip(names, batches)
    ]


def failed(name, engine, shape, reason):
    """A Checked of what could not be computed."""
    return Checked(name, engine, math.nan, bound(shape), reason)


def bound(shape):
    """Bound of the relative L2 error."""
    return FACTOR * EPSILON * math.sqrt(max(1.0, math.log2(math.prod(shape))))


def check_one(name, batch, recipe, frames, shape, engine, device):
    """One batch by one recipe; "": the one that the plan takes itself."""
    sent, exact = frames
    which = np.arange(batch) % len(sent)
    try:
        if recipe:
            plan = gpufft.plan_by(recipe, name, device)
        else:
            plan = gpufft.plan(name, engine=engine, device=device)
        result = plan.execute(sent[which])
    except (ValueError, RuntimeError, MemoryError) as failure:
        return failed(name, engine, shape, f"{recipe}: {failure or 'out of memory'}")
    worst = 0.0
    for i, row in enumerate(exact):
        rows = result[i :: len(exact)]
        if len(rows) > 0:
            scale = max(np.linalg.norm(row), 1e-30)
            difference = np.abs(rows - row).reshape(len(rows), -1)
            error = np.linalg.norm(difference, axis=1).max() / scale
            worst = np.maximum(worst, error)  # keeps a NaN
    recipe = recipe or plan.describe()
    return Checked(name, plan.engine, float(worst), bound(shape), recipe)


def reference(shape, kind):
    """(frames to be sent, their transforms in double precision), different ones."""
    count = BATCHES[-1]
    random = np.random.default_rng(math.prod(shape) + len(shape))
    axes = tuple(range(1, len(shape) + 1))
    real = (random.random((count, *shape), np.float32) * 2 - 1).astype(np.float32)
    if kind.startswith("c2c"):
        sent = (real + 1j * (random.random(real.shape, np.float32) * 2 - 1)).astype("c8")
        exact = np.fft.fftn(sent.astype("c16"), axes=axes)
        if kind == "c2c_inverse":
            exact = np.fft.ifftn(sent.astype("c16"), axes=axes) * math.prod(shape)
    elif kind == "r2c":
        sent, exact = real, np.fft.rfftn(real.astype("f8"), axes=axes)
    elif kind == "c2r":
        sent = np.fft.rfftn(real.astype("f8"), axes=axes).astype("c8")
        exact = np.fft.irfftn(sent.astype("c16"), shape, axes) * math.prod(shape)
    else:
        sent, exact = real, real.astype("f8")
        for axis, n in zip(axes, shape):
            exact = np.moveaxis(np.tensordot(exact, matrix(kind, n), (axis, 1)), -1, axis)
    return sent, exact


def matrix(kind, n):
    """Of a cosine or sine transform of n numbers, as docs/transforms.md defines it."""
    first = kind in SINES  # the index of the first sine
    k, j = np.ogrid[:n, :n]
    turns, half = {
        "1": ((k + first) * (j + first), n - 1 + 2 * first),
        "2": ((k + first) * (2 * j + 1), 2 * n),
        "3": ((2 * k + 1) * (j + first), 2 * n),
        "4": ((2 * k + 1) * (2 * j + 1), 4 * n),
    }[kind[-1]]
    values = 2 * (np.sin if first else np.cos)(np.pi * (turns % (2 * half)) / half)
    values[:, {"dct1": [0, -1], "dct3": [0], "dst3": [-1]}.get(kind, [])] /= 2
    return values


def write(content, file):
    """content: (head, results). A CSV, in the order of the problems."""
    head, results = content
    lines = [*head, "# error: relative L2, the worst frame's", TITLES]
    for each in sorted(results, key=lambda each: each.problem):
        recipe = each.recipe.replace('"', "'").replace("\n", " ")
        lines.append(
            f'{each.problem},{each.engine},{each.error:.6g},{each.bound:.6g},"{recipe}"'
        )
    file.write(("\n".join(lines) + "\n").encode())


def judge(results):
    """Prints the worst; raises CommandError if one exceeds its bound."""
    right = [each for each in results if not math.isnan(each.error)]
    if right:
        worst = max(right, key=lambda each: each.error / each.bound)
        print(
            f"{len(right)} transforms, worst {worst.problem} on {worst.engine} by "
            f"{worst.recipe}: {worst.error:.2e}, {worst.error / worst.bound:.2f} of its "
            "bound"
        )
    broken = [each for each in results if each.broken]
    for each in broken[:20]:
        print(f"{each.problem}: {each.error:.2e}, {each.recipe}")
    if broken:
        raise CommandError(
            f"{len(broken)} of {len(results)} transforms exceed their bound or fail, the "
            f"first is {broken[0].problem}: {broken[0].recipe}"
        )
    print(f"all {len(results)} transforms keep their bound")
