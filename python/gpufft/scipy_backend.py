# SPDX-License-Identifier: GPL-3.0-or-later
"""A backend of scipy.fft: its functions, computed by gpufft.

    import scipy.fft
    from gnuradio import gpufft

    scipy.fft.set_global_backend(gpufft.scipy_backend)   # or set_backend() in a `with`

The backend passes what gpufft lacks to the next backend, the last of which is SciPy's: fht
and ifht, long double, arrays of objects and texts.
"""

import functools
import sys

import numpy as np

from . import fourier, trigonometric

__ua_domain__ = "numpy.scipy.fft"

_NAMES = {
    fourier: "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 "
    "fftn ifftn rfftn irfftn hfftn ihfftn",
    trigonometric: "dct idct dst idst dctn idctn dstn idstn",
}
_FUNCTIONS = {
    name: getattr(module, name)
    for module, names in _NAMES.items()
    for name in names.split()
}


def __ua_function__(method, args, kwargs):
    function = _FUNCTIONS.get(method.__name__)
    if function is None or not _computes(args, kwargs):
        _put_scipy_behind()
        return NotImplemented
    return function(*args, **kwargs)


def _computes(args, kwargs):
    """True if the samples are of a type of gpufft's."""
    x = args[0] if args else kwargs.get("x")
    dtype = getattr(x, "dtype", None)
    if not isinstance(dtype, np.dtype):  # of lists, and of another library's arrays
        dtype = np.asarray(x).dtype
    return dtype.kind in "biufc" and dtype.char not in "gG"


@functools.cache
def _put_scipy_behind():
    """SciPy's own backend is the global one, so that none is left if this one replaces it."""
    sys.modules["scipy.fft"].register_backend("scipy")
