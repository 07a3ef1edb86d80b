# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of what all blocks have in common: the public blocks, and the arguments
that each needs."""

import inspect

from gnuradio import gpufft

ARGUMENTS = {
    "array_block": (lambda x, out: None,),
    "channel_bank_cc": (4, [1], [0]),
    "correlator_bank": ([[1, 1j]],),
    "dct_vff": (16,),
    "dst_vff": (16,),
    "fft2d_vcc": (4, 4, True),
    "fft_filter_ccc": (1, [1]),
    "fft_filter_ccf": (1, [1]),
    "fft_filter_fff": (1, [1]),
    "fft_pdu": (16,),
    "fft_vcc": (16, True, []),
    "fft_vcc_fwd": (16, []),
    "fft_vcc_rev": (16, []),
    "fft_vfc": (16, True, []),
    "fft_vfc_fwd": (16, []),
    "fft_vfc_rev": (16, []),
    "freq_xlating_fft_filter_ccc": (1, [1], 0, 1),
    "freq_xlating_fft_filter_ccf": (1, [1], 0, 1),
    "irfft_vcf": (16,),
    "kernel_block": ("2 * x",),
    "logpwrfft_c": (1600, 16, 2, 100, 1, False),
    "logpwrfft_f": (1600, 16, 2, 100, 1, False),
    "pfb_channelizer_bcf": (4,),
    "pfb_channelizer_ccf": (4,),
    "pfb_channelizer_hier_ccf": (4,),
    "pfb_channelizer_scf": (4,),
    "pfb_synthesizer_ccf": (4,),
    "power_spectrum_bf": (16,),
    "power_spectrum_cf": (16,),
    "power_spectrum_sf": (16,),
    "rfft_vfc": (16,),
    "spectrum_sink": (64,),
    "zoom_fft_vcc": (16, 8, -0.1, 0.1),
}


def make(name, **keywords):
    """The block with these keywords. A sink needs a QApplication."""
    return getattr(gpufft, name)(*ARGUMENTS[name], **keywords)


def blocks_with(parameter):
    """The public names that take a parameter, by Python's signature or by pybind11's."""
    found = set()
    for name, thing in vars(gpufft).items():
        if name.startswith("_") or not callable(thing):
            continue
        try:
            takes = parameter in inspect.signature(thing).parameters
        except (TypeError, ValueError):
            text = getattr(thing, "__doc__", "") or ""
            takes = f"{parameter}: " in text + (thing.__init__.__doc__ or "")
        if takes:
            found.add(name)
    return found
