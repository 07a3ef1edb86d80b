# SPDX-License-Identifier: GPL-3.0-or-later
"""GPU Fourier transforms for GNU Radio.

Blocks (each runs on an NVIDIA GPU or on the CPU, see its `engine`):

    fft_vcc, fft_vfc             FFT and inverse FFT of vectors, in the place of gr-fft's
    power_spectrum_cf, _sf, _bf  stream of complex64, int16 or int8 I/Q -> averaged power
    logpwrfft_c, logpwrfft_f     log power FFT, in the place of gr-fft's

and `plan`, the same transforms for numpy arrays.
"""

from gnuradio import gr  # noqa: F401  (the blocks' base classes)

from .gpufft_python import (
    algorithm_names,
    break_even,
    cache_directory,
    cuda_error,
    fft_vcc_fwd,
    fft_vcc_rev,
    fft_vfc_fwd,
    fft_vfc_rev,
    logpwrfft_c,
    logpwrfft_f,
    plan,
    power_spectrum_bf,
    power_spectrum_cf,
    power_spectrum_sf,
    problem,
    query_cache,
    query_cuda,
    tune,
    version,
    window_names,
    window_taps,
)
from .fft_v import fft_vcc, fft_vfc

__version__ = version()
__all__ = [
    "algorithm_names",
    "break_even",
    "cache_directory",
    "cuda_error",
    "fft_vcc",
    "fft_vcc_fwd",
    "fft_vcc_rev",
    "fft_vfc",
    "fft_vfc_fwd",
    "fft_vfc_rev",
    "logpwrfft_c",
    "logpwrfft_f",
    "plan",
    "power_spectrum_bf",
    "power_spectrum_cf",
    "power_spectrum_sf",
    "problem",
    "query_cache",
    "query_cuda",
    "tune",
    "version",
    "window_names",
    "window_taps",
]
