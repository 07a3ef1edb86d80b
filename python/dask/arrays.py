# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of dask arrays with the names and parameters of scipy.fft.

gpufft's function of this name transforms each chunk. An axis in several chunks is first
put into one, while other axes are cut; several such axes are transformed one after the
other.
"""

import contextlib
import functools
import math
import threading

import dask.array as da
import numpy as np
from dask.base import tokenize
from gnuradio import gpufft
from gnuradio.gpufft.array_arguments import (
    check_lengths,
    check_norm,
    explained,
    one_axis,
    several_axes,
)
from gnuradio.gpufft.array_settings import check_engine

from .lines import GROUP, LONGEST, as_lines, lines_together, transform_lines


def as_dask_array(x):
    """x as a dask array. Raises ValueError if its shape is not known."""
    if not isinstance(x, da.Array):
        x = da.from_array(np.asarray(x), name=False)  # to name its contents takes long
    if any(math.isnan(length) for length in x.shape):
        raise ValueError(
            f"x has chunks of unknown sizes (shape {x.shape}): call "
            "x.compute_chunk_sizes() first"
        )
    return x


_turn = threading.Condition()
_running = []  # engines of the tasks that compute now, all the same
_former_engine = contextlib.ExitStack()


@contextlib.contextmanager
def on_engine(engine, device):
    """Sets the engine of all threads; a task that wants another one waits."""
    wanted = (engine, device)
    with _turn:
        _turn.wait_for(lambda: not _running or wanted in _running)
        if not _running:
            _former_engine.enter_context(gpufft.set_engine(engine, device))
        _running.append(wanted)
    try:
        yield
    finally:
        with _turn:
            _running.remove(wanted)
            if not _running:
                _former_engine.close()
                _turn.notify_all()


def _transform_chunk(x, function, axis, layout, scale, engine):
    """What a function of gpufft makes of a chunk. layout: for transform_lines(), or None
    if the lines are long."""
    lines = as_lines(x, axis)
    with on_engine(*engine):
        if layout is None or lines.size == 0:
            result = function(lines, axis=1)
        else:
            result = transform_lines(function, lines, *layout)
    if scale != 1:
        factor = result.real.dtype.type(scale)
        result.real *= factor
        result.imag *= factor
    return result.reshape(*x.shape[:axis], result.shape[1], *x.shape[axis + 1 :])


def _along(x, name, axis, engine, *, axes=None, scale=1, **keywords):
    """The transform along one axis, one of `axes`."""
    axes = axes or [axis]
    if x.numblocks[axis] > 1:
        others = range(x.ndim) if x.size else ()  # an array without samples has no size
        chunks = {**dict.fromkeys(others, "auto"), axis: -1}
        most = math.prod(x.chunksize) * x.dtype.itemsize
        x = x.rechunk(chunks, block_size_limit=most)
    function = functools.partial(getattr(gpufft, name), **keywords)
    # Checks the arguments, with no lines, or one if it has the single point that DCTs of
    # type 1 refuse.
    lines = int(1 in (x.shape[axis], keywords.get("n")))
    made = function(np.zeros((lines, x.shape[axis]), x.dtype), axis=1)
    layout = None
    if max(keywords.get("n") or x.shape[axis], made.shape[1]) <= LONGEST:
        others = math.prod(x.shape[other] for other in axes if other != axis)
        together = lines_together(x.shape, axes) * others
        is_strided = math.prod(x.shape[axis + 1 :]) > 1
        layout = (together, is_strided)
        if len(axes) > 1 and not is_strided and name != "rfft":
            function = functools.partial(_as_of_several, name=name + "n", **keywords)
    return x.map_blocks(
        functools.partial(
            _transform_chunk,
            function=function,
            axis=axis,
            layout=layout,
            scale=scale,
            engine=engine,
        ),
        name=f"{name}-{tokenize(x, name, axis, axes, scale, keywords, engine)}",
        dtype=made.dtype,
        meta=np.empty((0,) * x.ndim, made.dtype),
        chunks=(*x.chunks[:axis], (made.shape[1],), *x.chunks[axis + 1 :]),
    )


def _as_of_several(x, name, axis, norm):
    """The transform along one axis as that of several: of one alone, the engine may take
    more lines together."""
    return getattr(gpufft, name)(x[np.newaxis], axes=(0, axis + 1), norm=norm)[0]


def _along_one(x, name, axis, engine, device, **keywords):
    x = as_dask_array(x)
    _, [axis] = one_axis(x, None, axis)
    return _along(x, name, axis, _checked(engine, device), **keywords)


def _checked(engine, device):
    check_engine(engine)
    return engine, device


def _with_lengths(x, lengths, axes):
    """x cut or padded with zeros to these lengths."""
    widths = [(0, 0)] * x.ndim
    for length, axis in zip(lengths, axes):
        x = x[(slice(None),) * axis + (slice(length),)]
        widths[axis] = (0, length - x.shape[axis])
    return da.pad(x, widths) if any(after for _, after in widths) else x


def _along_several(x, name, s, axes, norm, engine, device):
    """fftn or ifftn."""
    x, engine = as_dask_array(x), _checked(engine, device)
    s, axes = several_axes(x, s, axes)
    check_norm(norm)
    check_lengths([x.shape[axis] for axis in axes] if s is None else s)
    x = _with_lengths(x, s or [], axes)
    if len(axes) < 2:
        return _along(x, name[:-1], axes[0], engine, norm=norm) if axes else x
    if _fits_one_call(x, axes):
        return _in_one_call(x, name, axes, norm, engine)
    return _one_after_the_other(x, name, axes, norm, engine)


def _fits_one_call(x, axes):
    """True if each chunk has all points along the axes, and the rounding of its lines is
    that of the whole array."""
    points = math.prod(x.shape[axis] for axis in axes)
    return (
        all(x.numblocks[axis] == 1 for axis in axes)
        and x.ndim - 1 in axes
        and x.shape[-1] > 1
        and all(
            x.shape[axis] > LONGEST or points // x.shape[axis] >= GROUP for axis in axes
        )
    )


def _transform_chunk_at_once(x, function, engine):
    with on_engine(*engine):
        return function(np.ascontiguousarray(x))


def _in_one_call(x, name, axes, norm, engine):
    function = functools.partial(getattr(gpufft, name), axes=axes, norm=norm)
    dtype = gpufft.fft(np.empty((0, 1), x.dtype)).dtype
    return x.map_blocks(
        functools.partial(_transform_chunk_at_once, function=function, engine=engine),
        name=f"{name}-{tokenize(x, name, axes, norm, engine)}",
        dtype=dtype,
        meta=np.empty((0,) * x.ndim, dtype),
    )


def _one_after_the_other(x, name, axes, norm, engine):
    """Unscaled transforms along the axes from the last to the first one, which scales."""
    is_real, is_forward = x.dtype.kind != "c", name == "fftn"
    step, unscaled = "fft", "backward"
    if not is_real and not is_forward:
        step, unscaled = "ifft", "forward"
    scale, points = 1, math.prod(x.shape[axis] for axis in axes)
    if norm == "ortho":
        scale = 1 / math.sqrt(points)
    elif is_forward == (norm == "forward"):
        scale = 1 / points
    *others, last = axes
    length = x.shape[last]
    first_step = "rfft" if is_real else step
    x = _along(x, first_step, last, engine, axes=axes, norm=unscaled)
    for axis in reversed(others):
        factor = scale if axis == axes[0] else 1
        x = _along(x, step, axis, engine, axes=axes, scale=factor, norm=unscaled)
    if not is_real:
        return x
    return _all_bins(x if is_forward else da.conj(x), length, axes)


def _all_bins(half, length, axes):
    """All bins of real samples: X[-k] = conj(X[k])."""
    *others, last = axes
    if length < 3:  # they are all
        return half
    mirrored = half[(slice(None),) * last + (slice((length - 1) // 2, 0, -1),)]
    for axis in others:
        before = (slice(None),) * axis
        parts = [mirrored[before + (slice(1),)], mirrored[before + (slice(None, 0, -1),)]]
        mirrored = da.concatenate(parts, axis=axis)
    bins = da.concatenate([half, da.conj(mirrored)], axis=last)
    chunks = dict(enumerate(half.chunks))
    chunks[last] = -1 if half.numblocks[last] == 1 else bins.chunks[last]
    return bins.rechunk(chunks)


@explained
def fft(x, n=None, axis=-1, norm=None, *, engine="auto", device=0):
    """fft() of dask arrays."""
    return _along_one(x, "fft", axis, engine, device, n=n, norm=norm)


@explained
def ifft(x, n=None, axis=-1, norm=None, *, engine="auto", device=0):
    """ifft() of dask arrays."""
    return _along_one(x, "ifft", axis, engine, device, n=n, norm=norm)


@explained
def rfft(x, n=None, axis=-1, norm=None, *, engine="auto", device=0):
    """rfft() of dask arrays."""
    return _along_one(x, "rfft", axis, engine, device, n=n, norm=norm)


@explained
def irfft(x, n=None, axis=-1, norm=None, *, engine="auto", device=0):
    """irfft() of dask arrays."""
    return _along_one(x, "irfft", axis, engine, device, n=n, norm=norm)


@explained
def fftn(x, s=None, axes=None, norm=None, *, engine="auto", device=0):
    """fftn() of dask arrays."""
    return _along_several(x, "fftn", s, axes, norm, engine, device)


@explained
def ifftn(x, s=None, axes=None, norm=None, *, engine="auto", device=0):
    """ifftn() of dask arrays."""
    return _along_several(x, "ifftn", s, axes, norm, engine, device)


@explained
def fft2(x, s=None, axes=(-2, -1), norm=None, *, engine="auto", device=0):
    """fft2() of dask arrays."""
    return _along_several(x, "fftn", s, axes, norm, engine, device)


@explained
def ifft2(x, s=None, axes=(-2, -1), norm=None, *, engine="auto", device=0):
    """ifft2() of dask arrays."""
    return _along_several(x, "ifftn", s, axes, norm, engine, device)


def _trigonometric(name):
    def function(
        x,
        type=2,
        n=None,
        axis=-1,
        norm=None,
        *,
        orthogonalize=None,
        engine="auto",
        device=0,
    ):
        keywords = {"type": type, "n": n, "norm": norm, "orthogonalize": orthogonalize}
        return _along_one(x, name, axis, engine, device, **keywords)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name}() of dask arrays."
    return explained(function)


dct, idct, dst, idst = map(_trigonometric, ("dct", "idct", "dst", "idst"))
