# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of all functions in the style of scipy.fft: engine, workers; good lengths."""

import contextlib
import sys

from .array_arguments import count_workers, whole
from .keywords import forgiving, shown
from .gpufft_python import (
    default_workers,
    get_engine,
    next_smooth,
    set_engine_choice,
    set_own_workers,
)


class _Restore(contextlib.AbstractContextManager):
    """Restores the engine at the end of a `with`."""

    def __init__(self, former):
        self._former = former

    def __exit__(self, *_):
        set_engine_choice(*self._former)


def check_engine(engine):
    """Raises ValueError unless it is one that set_engine() takes."""
    if engine not in ("auto", "cuda", "cpu"):
        raise ValueError(f'engine is {shown(engine)}, but must be "auto", "cuda" or "cpu"')


@forgiving
def set_engine(engine="auto", device=0):
    """Sets where the functions in the style of scipy.fft compute, in all threads.

    engine: "auto" (the GPU if there is one and it was measured to be faster for this
    problem from host memory to host memory, else the CPU), "cuda" or "cpu"; device: index
    of the NVIDIA GPU; where it is not there, "auto" takes the CPU. In a `with` the setting holds until its end. get_engine() returns it.
    """
    check_engine(engine)
    former = get_engine()
    forgiving(set_engine_choice, "set_engine")(engine, device)
    return _Restore(former)


@contextlib.contextmanager
def set_workers(workers):
    """Context manager that sets the threads of workers=None, for this thread.

    If scipy.fft is loaded, its own set_workers() is used.
    """
    if "scipy.fft" in sys.modules:
        with sys.modules["scipy.fft"].set_workers(workers):
            yield
        return
    former = default_workers()
    set_own_workers(count_workers(whole(workers, "workers")))
    try:
        yield
    finally:
        set_own_workers(former)


def get_workers():
    """The threads of workers=None, in this thread; 1 at first."""
    return default_workers()


@forgiving
def next_fast_len(target, real=False):
    """The smallest good length for zero padding, at least `target`.

    It is a product of 2, 3, 5, 7 and 11 or, for real transforms, of 2, 3 and 5.
    """
    target = whole(target, "target")
    most = 2**64 // 11 + 1  # as SciPy
    if not 0 < target <= most:
        raise ValueError(f"target is {target}, but must be 1 ... {most}")
    return next_smooth(target, [3, 5] if real else [3, 5, 7, 11])
