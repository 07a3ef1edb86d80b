# SPDX-License-Identifier: GPL-3.0-or-later
"""Fourier transforms of numpy arrays with the names and parameters of scipy.fft.

transform_quickly() handles everyday calls, with little more time than a short transform
takes; array_arguments handles all others.
"""

import numpy as np

from .array_arguments import (
    C2C,
    C2R,
    R2C,
    as_samples,
    check_plan,
    count_workers,
    explained,
    one_axis,
    several_axes,
    transform,
)
from .gpufft_python import transform_quickly


def _c2c(forward, x, n, axis, norm, workers, plan):
    check_plan(plan)
    x = as_samples(x)
    return transform(C2C, forward, x, *one_axis(x, n, axis), norm, workers)


def _c2cn(forward, x, s, axes, norm, workers, plan):
    check_plan(plan)
    samples = as_samples(x)
    s, axes = several_axes(samples, s, axes)
    workers = count_workers(workers)
    return transform(C2C, forward, samples, s, axes, norm, workers) if axes else x


def _real(x):
    x = as_samples(x)
    if x.dtype.kind == "c":
        raise TypeError(f"x must be a real sequence, but has dtype {x.dtype}")
    return x


def _r2c(forward, x, n, axis, norm, workers, plan):
    check_plan(plan)
    x = _real(x)
    return transform(R2C, forward, x, *one_axis(x, n, axis), norm, workers)


def _axes_or_refuse(x, s, axes):
    s, axes = several_axes(x, s, axes)
    if not axes:
        raise ValueError("at least 1 axis must be transformed")
    return s, axes


def _r2cn(forward, x, s, axes, norm, workers, plan):
    check_plan(plan)
    x = _real(x)
    return transform(R2C, forward, x, *_axes_or_refuse(x, s, axes), norm, workers)


# The bins of a real signal; forward transforms are inverse ones of the conjugate.
def _bins(forward, x):
    x = as_samples(x)
    if x.dtype.kind != "c":
        return x.astype(np.result_type(x.dtype, np.complex64))
    return np.conjugate(x) if forward else x


def _c2r(forward, x, n, axis, norm, workers, plan):
    check_plan(plan)
    x = _bins(forward, x)
    n, axes = one_axis(x, n, axis, least=0)
    n = [1] if n == [0] else n  # as SciPy
    return transform(C2R, False, x, n, axes, norm, workers, by=forward)


def _c2rn(forward, x, s, axes, norm, workers, plan):
    check_plan(plan)
    x = _bins(forward, x)
    s, axes = _axes_or_refuse(x, s, axes)
    return transform(C2R, False, x, s, axes, norm, workers, by=forward, least=1)


@explained
def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """X[k] = sum_m x[m] exp(-j 2 pi m k / n) along an axis; n cuts or pads with zeros."""
    if plan is None:
        done = transform_quickly(C2C, True, x, n, axis, norm, workers, None, False)
        if done is not None:
            return done
    return _c2c(True, x, n, axis, norm, workers, plan)


@explained
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of fft(): x[m] = 1/n sum_k X[k] exp(j 2 pi m k / n)."""
    if plan is None:
        done = transform_quickly(C2C, False, x, n, axis, norm, workers, None, False)
        if done is not None:
            return done
    return _c2c(False, x, n, axis, norm, workers, plan)


@explained
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The bins 0 ... n/2 of fft() of real x."""
    if plan is None:
        done = transform_quickly(R2C, True, x, n, axis, norm, workers, None, False)
        if done is not None:
            return done
    return _r2c(True, x, n, axis, norm, workers, plan)


@explained
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of rfft(): n real samples, by default 2 (m - 1) for m bins in x."""
    if plan is None:
        done = transform_quickly(C2R, False, x, n, axis, norm, workers, None, False)
        if done is not None:
            return done
    return _c2r(False, x, n, axis, norm, workers, plan)


@explained
def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """n real bins: fft() of a signal with Hermitian symmetry; x is its first half."""
    return _c2r(True, x, n, axis, norm, workers, plan)


@explained
def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of hfft(): the bins 0 ... n/2 of ifft() of real x."""
    if plan is None:
        done = transform_quickly(R2C, False, x, n, axis, norm, workers, None, False)
        if done is not None:
            return done
    return _r2c(False, x, n, axis, norm, workers, plan)


@explained
def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """fft() along several axes; the last ones that s has, or all, if axes is None."""
    if plan is None and s is None:
        done = transform_quickly(C2C, True, x, None, axes, norm, workers, None, True)
        if done is not None:
            return done
    return _c2cn(True, x, s, axes, norm, workers, plan)


@explained
def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The inverse of fftn()."""
    if plan is None and s is None:
        done = transform_quickly(C2C, False, x, None, axes, norm, workers, None, True)
        if done is not None:
            return done
    return _c2cn(False, x, s, axes, norm, workers, plan)


@explained
def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """The half of fftn() of real x: the bins 0 ... n/2 of the last axis."""
    if plan is None and s is None:
        done = transform_quickly(R2C, True, x, None, axes, norm, workers, None, True)
        if done is not None:
            return done
    return _r2cn(True, x, s, axes, norm, workers, plan)


@explained
def irfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """The inverse of rfftn()."""
    if plan is None and s is None:
        done = transform_quickly(C2R, False, x, None, axes, norm, workers, None, True)
        if done is not None:
            return done
    return _c2rn(False, x, s, axes, norm, workers, plan)


@explained
def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """fftn() of a signal with Hermitian symmetry; x holds half of its last axis."""
    return _c2rn(True, x, s, axes, norm, workers, plan)


@explained
def ihfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """The inverse of hfftn()."""
    return _r2cn(False, x, s, axes, norm, workers, plan)


@explained
def fft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """fftn() along two axes."""
    return fftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


@explained
def ifft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """ifftn() along two axes."""
    return ifftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


@explained
def rfft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """rfftn() along two axes."""
    return rfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


@explained
def irfft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """irfftn() along two axes."""
    return irfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


@explained
def hfft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """hfftn() along two axes."""
    return hfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)


@explained
def ihfft2(
    x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None
):
    """ihfftn() along two axes."""
    return ihfftn(x, s, axes, norm, overwrite_x, workers, plan=plan)
