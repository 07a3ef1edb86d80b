# SPDX-License-Identifier: GPL-3.0-or-later
"""GPU Fourier transforms for GNU Radio.

Blocks (each runs on an NVIDIA GPU or on the CPU, see its `engine`):

    fft_vcc, fft_vfc             FFT and inverse FFT of vectors, replacing gr-fft's
    power_spectrum_cf, _sf, _bf  stream of complex64, int16 or int8 I/Q -> averaged power
    spectrum_sink                spectrum, density and waterfall in a window (PyQt5), replacing
                                 gr-qtgui's freq_sink, waterfall_sink and sink
    spectrum_view                rows of power -> small pictures, for programs that draw
    logpwrfft_c, logpwrfft_f     log power FFT, replacing gr-fft's
    rfft_vfc, irfft_vcf          FFT of real vectors and back: N floats, N/2 + 1 bins
    dct_vff, dst_vff             cosine and sine transforms of types 1 to 4, and inverse
    fft_pdu                      FFT of bursts that arrive as messages (PDUs)
    fft2d_vcc                    two-dimensional FFT and inverse FFT of matrices
    zoom_fft_vcc                 FFT of a band only, in any number of bins
    fft_filter_ccc, _ccf, _fff   FIR filter of any number of taps, with decimation
    freq_xlating_fft_filter_ccc, _ccf  the same around any frequency, shifted to 0
    channel_bank_cc              channels around any frequencies out of one stream
    pfb_channelizer_ccf, _scf, _bcf  stream of complex64, int16 or int8 I/Q -> channels,
                                 replacing gr-filter's
    pfb_channelizer_hier_ccf     the same with the parameters of gr-filter's of this name
    pfb_synthesizer_ccf          channels -> one stream, replacing gr-filter's
    correlator_bank              searches a stream for templates at frequency shifts and delays
    array_block                  your own function of arrays, on the GPU between these blocks
    kernel_block                 your own expression for each sample, or kernel in CUDA C++

For arrays of NumPy and on GPUs:

    plan                         any transform, prepared once
    fft, ifft, rfft, ..., dctn   the functions of scipy.fft
    scipy_backend                for scipy.fft.set_backend()
"""

import inspect

from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq

from gnuradio import gr  # noqa: F401  (the blocks' base classes)

from .gpufft_python import (
    algorithm_names,
    break_even,
    cache_directory,
    clear_cache,
    clear_plan_cache,
    correlator_bank,
    cuda_error,
    dct_vff,
    device_array,
    dst_vff,
    fft2d_vcc,
    fft_pdu,
    fft_vcc_fwd,
    fft_vcc_rev,
    fft_vfc_fwd,
    fft_vfc_rev,
    get_engine,
    channel_bank_cc,
    freq_xlating_fft_filter_ccc,
    freq_xlating_fft_filter_ccf,
    irfft_vcf,
    logpwrfft_c,
    logpwrfft_f,
    fft_filter_ccc,
    fft_filter_ccf,
    fft_filter_fff,
    fftw_wisdom,
    pfb_channelizer_bcf,
    pfb_channelizer_ccf,
    pfb_channelizer_scf,
    pfb_synthesizer_ccf,
    plan,
    plan_by,
    plan_cache_info,
    power_spectrum_bf,
    power_spectrum_cf,
    power_spectrum_sf,
    prefer_fftw_wisdom,
    problem,
    query_cache,
    query_cuda,
    recipes,
    rfft_vfc,
    set_plan_cache_size,
    spectrum_view,
    to_device,
    tune,
    version,
    window_names,
    window_taps,
    zoom_fft_vcc,
)
from .array_block import array_block
from .kernel_block import kernel_block
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
from .pfb_channelizer_hier import pfb_channelizer_hier_ccf
from .spectrum_sink import spectrum_sink
from . import gpufft_python, keywords, scipy_backend

keywords.forgive_classes(gpufft_python)

__version__ = version()
__all__ = [
    "algorithm_names",
    "array_block",
    "break_even",
    "cache_directory",
    "clear_cache",
    "clear_plan_cache",
    "correlator_bank",
    "cuda_error",
    "dct",
    "dct_vff",
    "dctn",
    "device_array",
    "dst",
    "dst_vff",
    "dstn",
    "fft",
    "fft2",
    "fft2d_vcc",
    "fft_pdu",
    "fft_vcc",
    "fft_vcc_fwd",
    "fft_vcc_rev",
    "fft_vfc",
    "fft_vfc_fwd",
    "fft_vfc_rev",
    "fftfreq",
    "fftn",
    "fftshift",
    "fftw_wisdom",
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
    "irfft_vcf",
    "irfftn",
    "logpwrfft_c",
    "logpwrfft_f",
    "kernel_block",
    "next_fast_len",
    "fft_filter_ccc",
    "fft_filter_ccf",
    "fft_filter_fff",
    "channel_bank_cc",
    "freq_xlating_fft_filter_ccc",
    "freq_xlating_fft_filter_ccf",
    "pfb_channelizer_bcf",
    "pfb_channelizer_ccf",
    "pfb_channelizer_hier_ccf",
    "pfb_channelizer_scf",
    "pfb_synthesizer_ccf",
    "plan",
    "plan_by",
    "plan_cache_info",
    "power_spectrum_bf",
    "power_spectrum_cf",
    "power_spectrum_sf",
    "prefer_fftw_wisdom",
    "problem",
    "query_cache",
    "query_cuda",
    "recipes",
    "rfft",
    "rfft2",
    "rfft_vfc",
    "rfftfreq",
    "rfftn",
    "scipy_backend",
    "set_engine",
    "set_plan_cache_size",
    "set_workers",
    "spectrum_sink",
    "spectrum_view",
    "to_device",
    "tune",
    "version",
    "window_names",
    "window_taps",
    "zoom_fft_vcc",
]

for _name in __all__:
    if inspect.isbuiltin(globals()[_name]):  # a function of the library
        globals()[_name] = keywords.forgiving(globals()[_name])
