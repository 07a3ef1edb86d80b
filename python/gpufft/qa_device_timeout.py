#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""device_timeout of every block: what it refuses, and in which words."""

import math

from gnuradio import gpufft, gr_unittest
from qa_support import GpufftTestCase

# The arguments that a block needs.
ARGUMENTS = {
    "channel_bank_cc": (4, [1], [0]),
    "dct_vff": (16,),
    "dst_vff": (16,),
    "fft2d_vcc": (4, 4, True),
    "fft_filter_ccc": (1, [1]),
    "fft_filter_ccf": (1, [1]),
    "fft_filter_fff": (1, [1]),
    "fft_pdu": (16,),
    "correlator_bank": ([[1, 1j]],),
    "fft_vcc_fwd": (16, []),
    "fft_vcc_rev": (16, []),
    "fft_vfc_fwd": (16, []),
    "fft_vfc_rev": (16, []),
    "freq_xlating_fft_filter_ccc": (1, [1], 0, 1),
    "freq_xlating_fft_filter_ccf": (1, [1], 0, 1),
    "irfft_vcf": (16,),
    "logpwrfft_c": (1600, 16, 2, 100, 1, False),
    "logpwrfft_f": (1600, 16, 2, 100, 1, False),
    "pfb_channelizer_bcf": (4,),
    "pfb_channelizer_ccf": (4,),
    "pfb_channelizer_scf": (4,),
    "pfb_synthesizer_ccf": (4,),
    "power_spectrum_bf": (16,),
    "power_spectrum_cf": (16,),
    "power_spectrum_sf": (16,),
    "rfft_vfc": (16,),
    "zoom_fft_vcc": (16, 8, -0.1, 0.1),
}


class qa_device_timeout(GpufftTestCase):
    def test_every_block_is_here(self):
        blocks = {
            name for name, each in vars(gpufft).items() if hasattr(each, "statistics")
        }
        self.assertEqual(set(ARGUMENTS), blocks)

    def test_what_is_refused(self):
        for name, arguments in ARGUMENTS.items():
            make = getattr(gpufft, name)
            for seconds in (-1, math.nan, math.inf, -math.inf):
                words = "device_timeout is .*: must be a finite number >= 0"
                with self.subTest(block=name, seconds=seconds):
                    with self.assertRaisesRegex(ValueError, words):
                        make(*arguments, engine="cpu", device_timeout=seconds)

    def test_what_is_taken(self):
        for name, arguments in ARGUMENTS.items():
            for seconds in (0, 0.5):
                with self.subTest(block=name, seconds=seconds):
                    block = getattr(gpufft, name)(
                        *arguments, engine="cpu", device_timeout=seconds
                    )
                    self.assertEqual(block.engine(), "cpu")


if __name__ == "__main__":
    gr_unittest.run(qa_device_timeout)
