# SPDX-License-Identifier: GPL-3.0-or-later
"""pfb_channelizer_hier_ccf: the channelizer with the parameters of gr-filter's
pfb.channelizer_hier_ccf."""

import operator

import numpy as np

from .gpufft_python import pfb_channelizer_ccf
from .keywords import forgiving, shown


MOST_CHANNELS = 1 << 27
MOST_TAPS = (1 << 26) + 1  # of the default filter
MOST_RIPPLE = 100  # dB


def low_pass(rate, edge, width, ripple, atten):
    """Kaiser's filter; its deviation in passband and stopband is the smaller one."""
    for name, value in (
        ("bw", edge),
        ("tb", width),
        ("ripple", ripple),
        ("atten", atten),
    ):
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"{name} is {shown(value)}: must be a number")
    if not (edge > 0 and width > 0 and edge + width <= rate / 2):
        raise ValueError(
            f"bw is {edge} and tb is {width}: must be above 0, and together at most "
            f"half of n_chans, which is {rate}"
        )
    if not (0 < ripple <= MOST_RIPPLE and 20 <= atten <= 200):
        raise ValueError(
            f"ripple is {ripple} and atten is {atten}: must be above 0 and at most "
            f"{MOST_RIPPLE}, and 20 ... 200"
        )
    deviation = np.tanh(ripple * np.log(10) / 40)  # of a passband of this ripple
    decibels = max(atten, -20 * np.log10(deviation))
    if decibels > 50:
        beta = 0.1102 * (decibels - 8.7)
    else:
        beta = 0.5842 * max(decibels - 21, 0) ** 0.4 + 0.07886 * max(decibels - 21, 0)
    taps = (decibels - 7.95) / (2.285 * 2 * np.pi * width / rate)
    if not taps < MOST_TAPS - 2:
        raise ValueError(
            f"n_chans is {rate} and tb is {width}: their default filter has {taps:.3g} "
            f"taps, but may have {MOST_TAPS}; give taps"
        )
    taps = int(taps) + 2 | 1
    places = np.arange(taps) - taps // 2
    response = np.sinc((2 * edge + width) / rate * places) * np.kaiser(taps, beta)
    return response / response.sum()


def index_of(name, value):
    """An integer of any type. Raises TypeError."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}: must be an integer") from None


def list_of(name, value):
    """A list of any iterable but text. Raises TypeError."""
    if isinstance(value, str) or not np.iterable(value):
        raise TypeError(f"{name} is {shown(value)}: must be a list")
    return list(value)


@forgiving
def pfb_channelizer_hier_ccf(
    n_chans,
    n_filterbanks=1,  # pylint: disable=unused-argument
    taps=None,
    outchans=None,
    atten=100,
    bw=1.0,
    tb=0.2,
    ripple=0.1,
    *,
    nthreads=0,
    engine="auto",
    device=0,
    on_error="stop",
    vlen=1,
    device_timeout=10.0,
):
    """Polyphase channelizer, replacing gnuradio.filter.pfb.channelizer_hier_ccf.

    It is a pfb_channelizer_ccf whose taps are those given, padded with zeros to a multiple
    of n_chans and reversed, as gr-filter's block applies them. Its channel c is gr-filter's
    times exp(-j 2 pi c / n_chans), a phase that does not change.

    n_chans: M, number of channels, 1 ... 2**27, for streams at most 65536
    n_filterbanks: has no effect: the polyphase arms need no split among threads
    taps: of the filter; None is one that passes up to bw and stops from bw + tb on, made by
        Kaiser's window (gr-filter's design, by optfir, ends the program for some n_chans)
    outchans: list of the channels to output, 1 ... n_chans of them; None is all
    atten: attenuation in dB of that default filter
    bw: edge of its passband, over the spacing of the channels
    tb: width of its transition band, over the spacing
    ripple: of its passband in dB, above 0, at most 100
    nthreads, engine, device, on_error, vlen, device_timeout: see pfb_channelizer_ccf
    """
    n_chans = index_of("n_chans", n_chans)
    if not 1 <= n_chans <= MOST_CHANNELS:
        raise ValueError(f"n_chans is {n_chans}: must be 1 ... {MOST_CHANNELS}")
    if taps is None:
        taps = low_pass(n_chans, bw, tb, ripple, atten)
    else:
        taps = list_of("taps", taps)
    if outchans is not None:
        outchans = [index_of("outchans", each) for each in list_of("outchans", outchans)]
        if not 1 <= len(outchans) <= n_chans:
            raise ValueError(
                f"outchans has {len(outchans)} channels: must have 1 ... {n_chans}, "
                "or be None for all"
            )
    block = pfb_channelizer_ccf(
        n_chans,
        np.pad(taps, (0, -len(taps) % n_chans))[::-1].tolist(),
        nthreads=nthreads,
        engine=engine,
        device=device,
        on_error=on_error,
        vlen=vlen,
        outchans=0 if outchans is None else len(outchans),
        device_timeout=device_timeout,
    )
    if outchans is not None:
        block.set_channel_map(outchans)
    return block
