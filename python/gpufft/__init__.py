# SPDX-License-Identifier: GPL-3.0-or-later
"""GPU Fourier transforms for GNU Radio.

Blocks (each runs on an NVIDIA GPU or on the CPU, see its `engine`):

    fft_vcc, fft_vfc             FFT and inverse FFT of vectors, in the place of gr-fft's
    power_spectrum_cf, _sf, _bf  stream of complex64, int16 or int8 I/Q -> averaged power
    logpwrfft_c, logpwrfft_f     log power FFT, in the place of gr-fft's

For arrays of numpy, and of GPUs:

    plan                         any transform, made ready once
    fft, ifft, rfft, ..., dctn   the functions of scipy.fft
    scipy_backend                for scipy.fft.set_backend()
"""

from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq

from gnuradio import gr  # noqa: F401  (the blocks' base classes)

from .gpufft_python import (
    algorithm_names,
    break_even,
    cache_directory,
    clear_plan_cache,
    cuda_error,
    device_array,
    fft_vcc_fwd,
    fft_vcc_rev,
    fft_vfc_fwd,
    fft_vfc_rev,
    get_engine,
    logpwrfft_c,
    logpwrfft_f,
    plan,
    plan_cache_info,
    power_spectrum_bf,
    power_spectrum_cf,
    power_spectrum_sf,
    problem,
    query_cache,
    query_cuda,
    set_plan_cache_size,
    to_device,
    tune,
    version,
    window_names,
    window_taps,
)
from .array_settings import get_workers, next_fast_len, set_engine, set_workers
from .fft_v import fft_vcc, fft_vfc
from .fourier import (
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from .trigonometric import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from . import scipy_backend

__version__ = version()
__all__ = [
    "algorithm_names",
    "break_even",
    "cache_directory",
    "clear_plan_cache",
    "cuda_error",
    "dct",
    "device_array",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fft_vcc",
    "fft_vcc_fwd",
    "fft_vcc_rev",
    "fft_vfc",
    "fft_vfc_fwd",
    "fft_vfc_rev",
    "fftfreq",
    "fftn",
    "fftshift",
    "get_engine",
    "get_workers",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "logpwrfft_c",
    "logpwrfft_f",
    "next_fast_len",
    "plan",
    "plan_cache_info",
    "power_spectrum_bf",
    "power_spectrum_cf",
    "power_spectrum_sf",
    "problem",
    "query_cache",
    "query_cuda",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "scipy_backend",
    "set_engine",
    "set_plan_cache_size",
    "set_workers",
    "to_device",
    "tune",
    "version",
    "window_names",
    "window_taps",
]
