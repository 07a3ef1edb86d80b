# SPDX-License-Identifier: GPL-3.0-or-later
"""gr-gpufft on Dask: the same transforms on many cores and machines.

The package gnuradio.gpufft does not import this one, nor Dask.
"""

try:
    import dask.array  # noqa: F401
    import distributed  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"gpufft.dask needs Dask ({error}): on Debian install python3-distributed"
    ) from error

from .arrays import dct, dst, fft, fft2, fftn, idct, idst, ifft, ifft2, ifftn, irfft, rfft
from .cluster import ClusterError, checked, connect, tls, workers
from .live import stream_map
from .streams import fft_filter, pfb_channelizer, power_spectrum

__all__ = [
    "ClusterError",
    "checked",
    "connect",
    "dct",
    "dst",
    "fft",
    "fft2",
    "fft_filter",
    "fftn",
    "idct",
    "idst",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "pfb_channelizer",
    "power_spectrum",
    "rfft",
    "stream_map",
    "tls",
    "workers",
]
