# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of the functions in the style of scipy.fft, prepared for the engine."""

import inspect
import operator
import os
from numbers import Number

import numpy as np

from .keywords import forgiving, shown
from .gpufft_python import default_workers, transform_axes, transform_kinds

AxisError = getattr(np, "exceptions", np).AxisError

MAX_WORKERS = 1024

C2C, R2C, C2R = (transform_kinds[kind] for kind in ("c2c", "r2c", "c2r"))


PARAMETERS = {
    "x": "array in host memory, or anything that numpy.asarray() accepts",
    "type": "1, 2, 3 or 4",
    "n": "points of the transform: the axis is cut or padded with zeros; None: unchanged",
    "s": "the same for each of the axes",
    "axis": "the axis that is transformed; negative counts from the last",
    "axes": "the axes that are transformed; None: the last ones, as many as s has, or all",
    "norm": 'which direction is divided by the number of points: "backward" (or None), '
    '"forward", or "ortho": both by its root',
    "overwrite_x": "has no effect",
    "workers": "threads on the CPU, 1 or more; negative counts from the number of cores; "
    "None: those of set_workers()",
    "plan": "None; any other value raises NotImplementedError",
    "orthogonalize": "makes the matrix of types 1, 2 and 3 orthogonal; None: if norm is "
    '"ortho"',
    "engine": '"auto", "cuda" or "cpu", as set_engine() takes it',
    "device": 'index of the NVIDIA GPU; where it is not there, "auto" takes the CPU',
}


def explained(function):
    """Adds the parameters to a function's docstring, and words to errors of calls."""
    names = inspect.signature(function).parameters
    lines = [f"    {name}: {PARAMETERS[name]}" for name in names]
    function.__doc__ = "\n".join(
        [inspect.cleandoc(function.__doc__), "", "Args:", *lines]
    )
    return forgiving(function)


def as_samples(x):
    """x as an aligned array of float32, float64, complex64 or complex128.

    float16 becomes float32, integers and booleans float64. Raises TypeError for others.
    """
    if hasattr(x, "__cuda_array_interface__"):
        raise TypeError(
            "x is an array on a GPU, but must be in host memory; "
            "gpufft.plan(...).execute(x) takes it"
        )
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        return x.astype(np.float64)
    if x.dtype.char == "e":  # of any byte order
        return x.astype(np.float32)
    native = x.dtype.newbyteorder("=")
    if native.char not in "fdFD":
        raise TypeError(
            f"x has dtype {x.dtype}, but must be float16, float32, float64, complex64, "
            "complex128, integer or bool"
        )
    return x.astype(native) if native != x.dtype or not x.flags.aligned else x


def whole(number, name):
    """The number as an int. Raises TypeError for others."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is {shown(number)}, but must be an int") from None


def check_plan(plan):
    """Raises NotImplementedError if a plan was passed."""
    if plan is not None:
        raise NotImplementedError(
            "a precomputed plan is not taken here; call gpufft.plan(...).execute(x)"
        )


def check_norm(norm):
    """Raises ValueError for a norm that SciPy does not have."""
    if norm not in {None, "backward", "ortho", "forward"}:
        raise ValueError(
            f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"'
        )


def count_workers(workers):
    """The number of threads; workers -1 is one for each core, None the default."""
    if workers is None:
        return default_workers()
    workers = whole(workers, "workers")
    cores = os.cpu_count() or 1
    if workers == 0:
        raise ValueError("workers must not be zero")
    if workers < -cores:
        raise ValueError(
            f"workers value out of range; got {workers}, must not be less than {-cores}"
        )
    if workers >= 2**64:  # as SciPy, which casts it
        raise TypeError(f"workers is {workers}, but must be less than 2^64")
    return min(workers, MAX_WORKERS) if workers > 0 else workers + 1 + cores


def list_of_ints(numbers, name):
    """A list of one or several ints."""
    try:
        several = [numbers] if isinstance(numbers, Number) else numbers
        return [operator.index(number) for number in several]
    except TypeError as error:
        raise ValueError(
            f"{name} must be a scalar or iterable of integers, but is {shown(numbers)}"
        ) from error


def one_axis(x, n, axis, least=1):
    """[length or None], [axis] of a 1-D function, whose n is `least` or more."""
    if n is not None:
        try:
            check_lengths([n], least)
        except TypeError:  # n has no order; as SciPy, before the axis is checked
            whole(n, "n")
    axis = whole(axis, "axis")
    if not -x.ndim <= axis < x.ndim:
        raise AxisError(axis, x.ndim)
    return None if n is None else [whole(n, "n")], [axis % x.ndim]


def several_axes(x, s, axes):
    """[lengths or None], [axes] of an n-D function, whose axes default to the last ones
    that s has, or all."""
    if axes is not None:
        axes = list_of_ints(axes, "axes")
        if any(not -x.ndim <= axis < x.ndim for axis in axes):
            raise AxisError(f"axes exceeds dimensionality of input: {axes} of {x.ndim}")
        axes = [axis % x.ndim for axis in axes]
        if len(set(axes)) != len(axes):
            raise ValueError(f"all axes must be unique, but are {axes}")
    if s is None:
        return None, list(range(x.ndim)) if axes is None else axes
    s = list_of_ints(s, "shape")
    if axes and len(s) != len(axes):
        raise ValueError(
            "when given, axes and shape arguments have to be of the same length, "
            f"but there are {len(axes)} and {len(s)}"
        )
    if axes is None:
        if len(s) > x.ndim:
            raise ValueError(
                f"shape requires more axes than are present: {len(s)} of {x.ndim}"
            )
        axes = list(range(x.ndim - len(s), x.ndim))
    return [x.shape[axis] if n == -1 else n for n, axis in zip(s, axes)], axes


def check_lengths(lengths, least=1):
    """Raises ValueError unless all are `least` or more."""
    if any(length < least for length in lengths):
        raise ValueError(
            f"invalid number of data points ({lengths}) specified: must be 1 or more"
        )


def with_lengths(x, lengths, axes):
    """x cut (a view) or padded with zeros (a copy) to these lengths."""
    index = [slice(None)] * x.ndim
    shape = list(x.shape)
    for length, axis in zip(lengths, axes):
        index[axis] = slice(min(length, x.shape[axis]))
        shape[axis] = length
    cut = x[tuple(index)]
    if list(cut.shape) == shape:
        return cut
    padded = np.zeros(shape, x.dtype)
    padded[tuple(index)] = cut
    return padded


def transform(
    kind,
    forward,
    x,
    lengths,
    axes,
    norm,
    workers,
    *,
    by=None,
    orthogonal=False,
    least=0,
):
    """The transform of `as_samples` along axes.

    lengths: of the transform, None for those of x; by: the direction for norm, if not
    `forward`; least: the length that SciPy takes for a real signal with a single bin.
    """
    check_norm(norm)
    workers = count_workers(workers)
    if lengths is None:
        lengths = [x.shape[axis] for axis in axes]
        check_lengths(lengths)
        if kind == C2R:
            lengths[-1] = max(2 * (lengths[-1] - 1), least)
    check_lengths(lengths)
    needed, stored = list(lengths), list(lengths)
    if kind == C2R:
        needed[-1] = lengths[-1] // 2 + 1
    if kind == R2C:
        stored[-1] = lengths[-1] // 2 + 1
    x = with_lengths(x, needed, axes)
    if x.size == 0:  # of no transforms
        shape = list(x.shape)
        for length, axis in zip(stored, axes):
            shape[axis] = length
        if kind in (C2C, R2C):
            return np.empty(shape, np.result_type(x.dtype, np.complex64))
        return np.empty(shape, x.real.dtype if kind == C2R else x.dtype)
    by = forward if by is None else by
    if x.dtype.kind == "c" and kind not in (C2C, C2R):  # a DCT or DST of both parts
        result = np.empty(x.shape, x.dtype)
        for part, out in ((x.real, result.real), (x.imag, result.imag)):
            transform_axes(
                kind, True, part, axes, lengths, by, norm, workers, orthogonal, out
            )
        return result
    return transform_axes(
        kind, forward, x, axes, lengths, by, norm, workers, orthogonal, None
    )
