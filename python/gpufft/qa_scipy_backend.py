#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft.scipy_backend: what scipy.fft hands to it, and what it hands back."""

import threading

import numpy as np
import scipy.fft
import scipy.signal
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, PATIENCE, GpufftTestCase

NAMES = [
    name + n
    for n in ("", "2", "n")
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
] + [name + n for n in ("", "n") for name in ("dct", "idct", "dst", "idst")]


def calls():
    """How often the array functions took a plan so far."""
    info = gpufft.plan_cache_info()
    return info["hits"] + info["misses"]


class qa_scipy_backend(GpufftTestCase):
    def setUp(self):
        super().setUp()
        gpufft.set_engine("cpu" if ENGINE == "cpu" else "auto")

    def tearDown(self):
        scipy.fft.set_global_backend("scipy")

    def check(self, name, *arguments, **keywords):
        """gpufft computes what scipy.fft is asked for; SciPy's result is the same."""
        x = self.random.standard_normal((4, 6))
        function = getattr(scipy.fft, name)
        expected = function(x.copy(), *arguments, **keywords)  # it may overwrite
        before = calls()
        with scipy.fft.set_backend(gpufft.scipy_backend, only=True):
            result = function(x, *arguments, **keywords)
        self.assertGreater(calls(), before, name)
        np.testing.assert_allclose(result, expected, atol=1e-12, err_msg=name)

    def test_all_functions(self):
        for name in NAMES:
            self.check(name)
            self.check(name, norm="forward", workers=2, overwrite_x=True)

    def test_positional_arguments(self):
        self.check("fft", 5, 0, "forward", False, 1)
        self.check("fftn", (3, 5), (1, 0), "ortho", True, 2)
        self.check("dct", 3, 5, 0, "ortho", False, 1, False)

    def test_global_and_skip(self):
        x = self.random.standard_normal(12)
        scipy.fft.set_global_backend(gpufft.scipy_backend)
        before = calls()
        scipy.fft.fft(x)
        self.assertEqual(calls(), before + 1)
        scipy.fft.set_global_backend("scipy")
        with scipy.fft.set_backend(gpufft.scipy_backend):
            with scipy.fft.skip_backend(gpufft.scipy_backend):
                scipy.fft.fft(x)
        self.assertEqual(calls(), before + 1)

    def test_scipy_signal_uses_it(self):
        x, taps = self.random.standard_normal(500), self.random.standard_normal(60)
        expected = scipy.signal.fftconvolve(x, taps)
        before = calls()
        with scipy.fft.set_backend(gpufft.scipy_backend):
            result = scipy.signal.fftconvolve(x, taps)
        self.assertGreater(calls(), before)
        np.testing.assert_allclose(result, expected, atol=1e-11)

    def test_goes_on_to_scipy(self):
        """fht, long double, objects and texts are SciPy's; alone we refuse them."""
        cases = {
            "fht": lambda: scipy.fft.fht(np.ones(8), 0.1, 0.5),
            "long double": lambda: scipy.fft.fft(np.ones(8, np.longdouble)),
            "objects": lambda: scipy.fft.rfft(x=np.ones(8, object)),
            "long double of another byte order": lambda: scipy.fft.fft(
                np.ones(8, np.dtype(np.longdouble).newbyteorder())
            ),
            "texts": lambda: scipy.fft.fft(np.array(["1", "2"])),
            "list of objects": lambda: scipy.fft.fft([2**70, 1]),
            "list of long doubles": lambda: scipy.fft.fft([np.longdouble(1), 2]),
        }
        for name, case in cases.items():
            expected, before = case(), calls()
            with scipy.fft.set_backend(gpufft.scipy_backend):
                np.testing.assert_allclose(case(), expected, rtol=1e-12)
            if name != "fht":  # which calls rfft() and irfft() in its turn
                self.assertEqual(calls(), before)
            with scipy.fft.set_backend(gpufft.scipy_backend, only=True):
                self.assertRaises(NotImplementedError, case)
            scipy.fft.set_global_backend(gpufft.scipy_backend)
            np.testing.assert_allclose(case(), expected, rtol=1e-12)
            scipy.fft.set_global_backend("scipy")

    def test_arrays_of_another_library(self):
        """Their dtypes are no dtypes of NumPy, as those of PyTorch."""

        class Tensor:
            dtype = "library.float32"

            def __array__(self, dtype=None, copy=None):
                return np.arange(6, dtype=np.float32)

        with scipy.fft.set_backend(gpufft.scipy_backend, only=True):
            for name in ("fft", "rfft", "dct"):
                result = getattr(scipy.fft, name)(Tensor())
                expected = getattr(scipy.fft, name)(np.arange(6, dtype=np.float32))
                np.testing.assert_array_equal(result, expected)

    def test_workers_of_scipy(self):
        """workers=None is scipy.fft.get_workers(), of this thread."""
        x = self.complex_noise(256, 1024)
        gpufft.clear_plan_cache()
        with scipy.fft.set_workers(2), gpufft.set_engine("cpu"):
            gpufft.fft(x)
            self.assertEqual(gpufft.get_workers(), 2)
            seen = []
            other = threading.Thread(target=lambda: seen.append(gpufft.get_workers()))
            other.start()
            other.join(PATIENCE)
            self.assertEqual(seen, [1])

    def test_more_workers_than_there_can_be(self):
        """SciPy's setting may be any number; here it counts as the most."""
        x = self.complex_noise(4, 100)
        for workers in (1025, 2**31, 2**70):
            with scipy.fft.set_workers(workers):
                self.assertEqual(gpufft.get_workers(), 1024)
                self.assert_close(gpufft.fft(x), np.fft.fft(x))
                self.assert_close(gpufft.fft(x, 128), np.fft.fft(x, 128))
            with gpufft.set_workers(workers):
                self.assertEqual(gpufft.get_workers(), 1024)

    def test_errors_come_through(self):
        with scipy.fft.set_backend(gpufft.scipy_backend):
            self.assert_refuses(ValueError, ["-1"], scipy.fft.fft, np.ones(4), -1)
            self.assert_refuses(
                NotImplementedError,
                ["precomputed plan"],
                scipy.fft.fft,
                np.ones(4),
                plan="foo",
            )


if __name__ == "__main__":
    gr_unittest.run(qa_scipy_backend)
