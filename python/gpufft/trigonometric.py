# SPDX-License-Identifier: GPL-3.0-or-later
"""DCTs and DSTs of numpy arrays with the names and parameters of scipy.fft.

Types 1 to 4, by SciPy's formulas. norm "ortho" divides by the square root of the period
(2 (n - 1), 2 (n + 1) or 2 n); `orthogonalize`, by default on for "ortho", makes the
matrix of types 1, 2 and 3 orthogonal.
"""

from .array_arguments import (
    as_samples,
    explained,
    one_axis,
    several_axes,
    transform,
    whole,
)
from .gpufft_python import transform_kinds, transform_quickly
from .keywords import shown

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}
_DCT = {type: transform_kinds[f"dct{type}"] for type in _INVERSE}
_DST = {type: transform_kinds[f"dst{type}"] for type in _INVERSE}
_DCT_INVERSE = {type: _DCT[_INVERSE[type]] for type in _INVERSE}
_DST_INVERSE = {type: _DST[_INVERSE[type]] for type in _INVERSE}
_ORTHOGONAL = [kinds[type] for kinds in (_DCT, _DST) for type in (1, 2, 3)]


def _kind(kinds, type):
    kind = kinds.get(whole(type, "type"))
    if kind is None:
        raise ValueError(f"type is {shown(type)}, but must be 1, 2, 3 or 4")
    return kind


def _compute(kind, forward, x, s, axes, norm, workers, orthogonalize):
    if orthogonalize is None:
        orthogonalize = norm == "ortho"
    elif not hasattr(orthogonalize, "__bool__"):  # texts and lists, as SciPy
        raise TypeError(
            f"orthogonalize is {shown(orthogonalize)}, but must be True or False"
        )
    orthogonal = bool(orthogonalize) and kind in _ORTHOGONAL
    return transform(
        kind, True, x, s, axes, norm, workers, by=forward, orthogonal=orthogonal
    )


def _along_one(kinds, forward, x, type, n, axis, norm, workers, orthogonalize):
    kind = _kind(kinds, type)
    done = transform_quickly(
        kind, forward, x, n, axis, norm, workers, orthogonalize, False
    )
    if done is not None:
        return done
    x = as_samples(x)
    n, axes = one_axis(x, n, axis)
    return _compute(kind, forward, x, n, axes, norm, workers, orthogonalize)


def _along_several(kinds, forward, x, type, s, axes, norm, workers, orthogonalize):
    kind = _kind(kinds, type)
    if s is None:
        done = transform_quickly(
            kind, forward, x, None, axes, norm, workers, orthogonalize, True
        )
        if done is not None:
            return done
    samples = as_samples(x)
    s, axes = several_axes(samples, s, axes)
    if not axes:
        return x
    return _compute(kind, forward, samples, s, axes, norm, workers, orthogonalize)


def _named(function, name, words):
    """A public function of this module."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = words
    return explained(function)


def _function(name, kinds, forward, words):
    def function(
        x,
        type=2,
        n=None,
        axis=-1,
        norm=None,
        overwrite_x=False,
        workers=None,
        orthogonalize=None,
    ):
        return _along_one(kinds, forward, x, type, n, axis, norm, workers, orthogonalize)

    return _named(function, name, words)


def _function_of_axes(name, kinds, forward, words):
    def function(
        x,
        type=2,
        s=None,
        axes=None,
        norm=None,
        overwrite_x=False,
        workers=None,
        orthogonalize=None,
    ):
        return _along_several(
            kinds, forward, x, type, s, axes, norm, workers, orthogonalize
        )

    return _named(function, name, words)


dct = _function(
    "dct",
    _DCT,
    True,
    "Cosine transform along an axis, e.g. type 2: 2 sum_m x[m] cos(pi (2m+1) k / 2n).",
)
idct = _function("idct", _DCT_INVERSE, False, "The inverse of dct() of this type.")
dst = _function(
    "dst",
    _DST,
    True,
    "Sine transform along an axis: type 2 is 2 sum_m x[m] sin(pi (2m+1) (k+1) / 2n).",
)
idst = _function("idst", _DST_INVERSE, False, "The inverse of dst() of this type.")


@explained
def dctn(
    x,
    type=2,
    s=None,
    axes=None,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    orthogonalize=None,
):
    """dct() along several axes; the last ones that s has, or all, if axes is None."""
    return _along_several(_DCT, True, x, type, s, axes, norm, workers, orthogonalize)


idctn = _function_of_axes(
    "idctn", _DCT_INVERSE, False, "The inverse of dctn() of this type."
)
dstn = _function_of_axes(
    "dstn",
    _DST,
    True,
    "dst() along several axes; the last ones that s has, or all, if axes is None.",
)
idstn = _function_of_axes(
    "idstn", _DST_INVERSE, False, "The inverse of dstn() of this type."
)
