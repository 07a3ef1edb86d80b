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
from .streams import fft_filter, pfb_channelizer, power_spectrum
from .cluster import ClusterError, checked, connect, tls, workers  # noqa: F401,E402
from .live import stream_map  # noqa: F401,E402
