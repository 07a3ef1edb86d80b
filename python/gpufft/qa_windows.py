#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows with a parameter: gr-fft's taps, Kaiser's beyond gr-fft's range, and what is
refused, in every place that takes a window."""

import numpy as np
from gnuradio import gpufft, gr_unittest
from gnuradio.fft import window
from qa_support import GpufftTestCase
from scipy.special import ive

NAN, INF = float("nan"), float("inf")

BLOCKS = {
    "fft_vcc": lambda win: gpufft.fft_vcc(16, True, win, engine="cpu"),
    "fft_vfc": lambda win: gpufft.fft_vfc(16, True, win, engine="cpu"),
    "logpwrfft_c": lambda win: gpufft.logpwrfft_c(
        1, 16, 2, 1, 1, False, win, engine="cpu"
    ),
    "power_spectrum_cf": lambda win: gpufft.power_spectrum_cf(
        16, window=win, engine="cpu"
    ),
    "rfft_vfc": lambda win: gpufft.rfft_vfc(16, win, engine="cpu"),
    "irfft_vcf": lambda win: gpufft.irfft_vcf(30, win, engine="cpu"),
    "fft2d_vcc": lambda win: gpufft.fft2d_vcc(16, 16, True, win, engine="cpu"),
    "zoom_fft_vcc": lambda win: gpufft.zoom_fft_vcc(16, 8, 0, 0.5, win, engine="cpu"),
    "fft_pdu": lambda win: gpufft.fft_pdu(16, True, win, engine="cpu"),
}

REFUSED = [
    (("kaiser", -1), ["kaiser", "beta -1", "0 ... 1e+300"]),
    (("kaiser", -0.5), ["beta -0.5", "0 ... 1e+300"]),
    (("kaiser", NAN), ["beta nan", "0 ... 1e+300"]),
    (("kaiser", INF), ["beta inf", "0 ... 1e+300"]),
    (("kaiser", 1e308), ["beta 1e+308", "0 ... 1e+300"]),
    ((window.WIN_KAISER, -2), ["kaiser", "beta -2"]),
    (("exponential", -1), ["d -1", "0 ... 1e+300"]),
    (("exponential", INF), ["d inf", "0 ... 1e+300"]),
    (("gaussian", 0), ["sigma 0", "1e-18 ... 1e+18"]),
    (("gaussian", -1), ["sigma -1", "1e-18 ... 1e+18"]),
    (("gaussian", NAN), ["sigma nan", "1e-18 ... 1e+18"]),
    (("gaussian", 1e300), ["sigma 1e+300", "1e-18 ... 1e+18"]),
    (("tukey", 1.0000000001), ["alpha 1.0000000001", "0 ... 1"]),
    (("tukey", NAN), ["alpha nan", "0 ... 1"]),
    (("hann", 5), ["'hann' has no parameter", "5"]),
    (("none", 0), ["'none' has no parameter", "0"]),
    ((window.WIN_HAMMING, 0.5), ["'hamming' has no parameter", "0.5"]),
    ("kaiser", ["kaiser", "needs its parameter beta"]),
    (16, ["window type 16 is unknown", "-1 (none) ... 15"]),
    (2**32 + 5, ["window type 4294967301 is unknown", "-1 (none) ... 15"]),
    (-(2**70), ["window type -1180591620717411303424 is unknown", "15 (tukey)"]),
    ("\ud800", ["window type '\\ud800' is unknown", "15 (tukey)"]),
    (("gaussian", 1e-3), ["sigma 0.001", "no tap above 0", "16"]),
    (("kaiser", 1e9), ["beta 1000000000", "no tap above 0", "16"]),
]


def kaiser(n, beta):
    """The window's definition, the exponential growth of both Bessel functions apart."""
    x = 2 * np.arange(n) / (n - 1) - 1
    root = np.sqrt(np.maximum((1 - x) * (1 + x), 0))
    return np.exp(-beta * x * x / (1 + root)) * ive(0, beta * root) / ive(0, beta)


class qa_windows(GpufftTestCase):
    def test_kaiser_is_gr_ffts(self):
        for beta in (0, 1e-300, 1, 8.6, 40, 100, 500, 700, 700.001, 713):
            for n in (2, 3, 8, 1001):
                stock = np.array(window.kaiser(n, beta))
                if beta == 713 and n == 2 or stock[n // 2] == 0:
                    continue  # nothing is left of it
                ours = gpufft.window_taps(("kaiser", beta), n)
                np.testing.assert_allclose(ours, stock, rtol=2e-7, atol=1e-44)

    def test_kaiser_of_any_beta(self):
        """gr-fft's overflows from 714 on, and does not return from 750 on."""
        for beta in (714, 720, 750, 800, 1e3, 1e4, 1e6, 1e9):
            ours = np.array(gpufft.window_taps(("kaiser", beta), 1001))
            np.testing.assert_allclose(ours, kaiser(1001, beta), rtol=1e-6, atol=1e-38)
            self.assertEqual(ours[500], 1)
        self.assertEqual(np.sum(gpufft.window_taps(("kaiser", 1e300), 1001)), 1)

    def test_other_parameters_at_their_ends(self):
        for name, stock, ends in (
            ("exponential", window.exponential, (0, 1e-300, 1, 1e300)),
            ("gaussian", window.gaussian, (1e-18, 0.25, 1e18)),
            ("tukey", window.tukey, (0, 1e-40, 0.5, 1)),
        ):
            for param in ends:
                for n in (2, 5, 33):
                    ours = gpufft.window_taps((name, param), n)
                    self.assertTrue(np.isfinite(ours).all())
                    np.testing.assert_array_equal(ours, stock(n, param))

    def test_refused_everywhere(self):
        for spec, words in REFUSED:
            self.assert_refuses(ValueError, words, gpufft.window_taps, spec, 16)
            plan = gpufft.plan("c2c_forward_n16_b1_window", engine="cpu")
            self.assert_refuses(ValueError, words, plan.set_window, spec)
            for name, make in BLOCKS.items():
                with self.subTest(block=name, window=spec):
                    self.assert_refuses(ValueError, words, make, spec)
                    block = make("none")
                    self.assert_refuses(ValueError, words, block.set_window, spec)

    def test_wrong_types(self):
        for spec in (np.array(1.0), object(), b"hann"):
            words = ["window is", "must be taps, a name"]
            self.assert_refuses(TypeError, words, gpufft.window_taps, spec, 16)

    def test_large_beta_everywhere(self):
        for name, make in BLOCKS.items():
            with self.subTest(block=name):
                make(("kaiser", 1000)).set_window(("kaiser", 2000.0))

    def test_lengths(self):
        for n in (0, 2**30 + 1, 2**31, 2**32 + 4, 2**63):
            for spec in ("hann", "none", ("kaiser", 5)):
                self.assert_refuses(
                    ValueError,
                    [f"n is {n}", "1 ... 1073741824"],
                    gpufft.window_taps,
                    spec,
                    n,
                )


if __name__ == "__main__":
    gr_unittest.run(qa_windows)
