# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of fft_vcc and fft_vfc: the blocks and their expected output."""

import numpy as np
from gnuradio import gpufft
from qa_support import engine_for


def make(kind, n, forward, taps=(), shift=False, nthreads=1, **keywords):
    factory = gpufft.fft_vcc if kind == "c" else gpufft.fft_vfc
    return factory(n, forward, taps, shift, nthreads, engine=engine_for(n), **keywords)


def expected(x, forward, taps=(), shift=False):
    """The blocks' definition, in double precision; x is [vectors, n]."""
    y = x * (np.asarray(taps, dtype=float) if len(taps) else 1.0)
    if forward:
        spectra = np.fft.fft(y, axis=1)
        return np.fft.fftshift(spectra, axes=1) if shift else spectra
    y = np.fft.ifftshift(y, axes=1) if shift else y
    return np.fft.ifft(y, axis=1) * x.shape[1]
