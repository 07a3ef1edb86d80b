# SPDX-License-Identifier: GPL-3.0-or-later
"""fft_vcc and fft_vfc: one name for both directions, as in gr-fft."""

from .gpufft_python import fft_vcc_fwd, fft_vcc_rev, fft_vfc_fwd, fft_vfc_rev
from .keywords import forgiving


@forgiving
def fft_vcc(
    fft_size,
    forward,
    window,
    shift=False,
    nthreads=1,
    *,
    engine="auto",
    device=0,
    on_error="stop",
    vlen=None,
    device_timeout=10.0,
    input="",
    output="",
    output_scale=1.0,
):
    """FFT (forward true) or inverse FFT of complex vectors, unscaled.

    fft_size: N, 1 ... 2**30
    forward: FFT, else inverse FFT
    window: N taps, a name such as "hann", a type of gnuradio.fft.window, or [] for none
    shift: DC in the middle, of the output (forward) or of the input (inverse)
    nthreads: threads of the cpu engine, 1 ... 1024, which share the vectors
    engine, device, on_error, vlen, device_timeout, input, output, output_scale: see
        fft_vcc_fwd
    """
    block = fft_vcc_fwd if forward else fft_vcc_rev
    return block(
        fft_size,
        window,
        shift,
        nthreads,
        engine=engine,
        device=device,
        on_error=on_error,
        vlen=vlen,
        device_timeout=device_timeout,
        input=input,
        output=output,
        output_scale=output_scale,
    )


@forgiving
def fft_vfc(
    fft_size,
    forward,
    window,
    shift=False,
    nthreads=1,
    *,
    engine="auto",
    device=0,
    on_error="stop",
    vlen=None,
    device_timeout=10.0,
    input="",
    output="",
    output_scale=1.0,
):
    """FFT (forward true) or inverse FFT of float vectors, unscaled; all N bins come out.

    fft_size: N, 1 ... 2**30
    forward: FFT, else inverse FFT
    window: N taps, a name such as "hann", a type of gnuradio.fft.window, or [] for none
    shift: DC in the middle, of the output (forward) or of the input (inverse)
    nthreads: threads of the cpu engine, 1 ... 1024, which share the vectors
    engine, device, on_error, vlen, device_timeout, input, output, output_scale: see
        fft_vfc_fwd
    """
    block = fft_vfc_fwd if forward else fft_vfc_rev
    return block(
        fft_size,
        window,
        shift,
        nthreads,
        engine=engine,
        device=device,
        on_error=on_error,
        vlen=vlen,
        device_timeout=device_timeout,
        input=input,
        output=output,
        output_scale=output_scale,
    )
