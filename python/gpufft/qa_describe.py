#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""describe() says what will run, also after setters, between and during runs."""

import numpy as np
from gnuradio import blocks, gpufft, gr_unittest
from qa_support import GpufftTestCase, run_with_change

MAKERS = {
    "fft_vcc": lambda: gpufft.fft_vcc(64, True, [], engine="cpu"),
    "fft_vfc of a stream": lambda: gpufft.fft_vfc(64, True, [], vlen=1, engine="cpu"),
    "rfft_vfc": lambda: gpufft.rfft_vfc(64, engine="cpu"),
    "dct_vff": lambda: gpufft.dct_vff(64, engine="cpu"),
    "fft2d_vcc": lambda: gpufft.fft2d_vcc(8, 8, True, engine="cpu"),
    "zoom_fft_vcc": lambda: gpufft.zoom_fft_vcc(64, 16, 0.1, 0.2, engine="cpu"),
    "power_spectrum_cf": lambda: gpufft.power_spectrum_cf(64, engine="cpu"),
    "logpwrfft_c": lambda: gpufft.logpwrfft_c(1e6, 64, 2, 1, 1, False, engine="cpu"),
    "pfb_channelizer_ccf": lambda: gpufft.pfb_channelizer_ccf(16, engine="cpu"),
    "pfb_synthesizer_ccf": lambda: gpufft.pfb_synthesizer_ccf(16, engine="cpu"),
    "fft_filter_ccc": lambda: gpufft.fft_filter_ccc(1, [1.0], engine="cpu"),
    "correlator_bank": lambda: gpufft.correlator_bank([[1, 1j]], engine="cpu"),
    "channel_bank_cc": lambda: gpufft.channel_bank_cc(2, [1.0], [0.1], 1, engine="cpu"),
    "freq_xlating_fft_filter_ccc": lambda: gpufft.freq_xlating_fft_filter_ccc(
        2, [1.0], 0.1, 1, engine="cpu"
    ),
}


class qa_describe(GpufftTestCase):
    def test_threads_between_runs(self):
        for name, make in MAKERS.items():
            with self.subTest(block=name):
                block = make()
                for threads in (3, 1):
                    block.set_nthreads(threads)
                    words = "1 thread," if threads == 1 else f"{threads} threads"
                    self.assertIn(words, block.describe() + ",")

    def test_threads_in_a_run(self):
        x, block = (
            self.complex_noise(100000),
            gpufft.fft_filter_ccc(1, [1.0], engine="cpu"),
        )
        sink = blocks.vector_sink_c()
        y = run_with_change(x, 50000, [block], sink, lambda: block.set_nthreads(3))
        self.assert_close(y, x)
        self.assertIn("3 threads", block.describe())

    def test_mean_of_frames_between_runs(self):
        block = gpufft.power_spectrum_cf(64, engine="cpu")
        block.set_average(7)
        self.assertIn("mean(7)", block.describe())

    def test_zeros_behind_the_taps(self):
        taps = np.ones(1000).tolist()
        for text, block in (
            ("1000 taps and 24 zeros", gpufft.pfb_channelizer_ccf(128, taps)),
            ("1000 taps and 27 zeros", gpufft.pfb_channelizer_ccf(79, taps)),
            ("1000 taps", gpufft.pfb_channelizer_ccf(10, taps)),
            ("1000 taps and 32 zeros", gpufft.pfb_synthesizer_ccf(43, taps)),
            ("1000 taps and 24 zeros", gpufft.fft_filter_ccf(1, taps)),
            ("1000 taps and 1000 zeros", gpufft.fft_filter_ccf(2000, taps)),
            ("1000 taps and 24 zeros", gpufft.channel_bank_cc(2, taps, [0.1], 1)),
        ):
            with self.subTest(text=text):
                self.assertTrue(block.describe().endswith(", " + text), block.describe())


if __name__ == "__main__":
    gr_unittest.main()
