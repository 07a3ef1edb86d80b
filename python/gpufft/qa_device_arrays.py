#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays on a GPU: __cuda_array_interface__ and DLPack, in and out, and their errors."""

import gc
import subprocess
import sys
import unittest

import numpy as np
import scipy.fft
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, GpufftTestCase


# A kernel of somebody else in the process breaks the card: the functions tell, or go to the
# CPU with engine "auto".
AFTER_A_BROKEN_CARD = """
import ctypes
import numpy as np
from gnuradio import gpufft

PTX = b'''.version 7.0
.target sm_50
.address_size 64
.visible .entry broken() {
    .reg .u64 %address;
    .reg .u32 %value;
    mov.u64 %address, 1;
    mov.u32 %value, 0;
    st.global.u32 [%address], %value;
    ret;
}'''

driver = ctypes.CDLL("libcuda.so.1")

def call(name, *arguments):
    status = getattr(driver, name)(*arguments)
    assert status == 0, (name, status)

x = np.exp(0.1j * np.arange(4096)).astype(np.complex64)
expected = np.fft.fft(x)

def check(engine):
    gpufft.set_engine(engine)
    error = np.linalg.norm(gpufft.fft(x) - expected) / np.linalg.norm(expected)
    assert error < 1e-6, (engine, error)
    engines = [each["engine"] for each in gpufft.plan_cache_info()["recent"]]
    return engines[0] if engines else "cpu"  # beside a broken card no plan is kept

assert check("cuda") == "cuda"
context, module, kernel = (ctypes.c_void_p() for _ in range(3))
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"broken")
call("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, None, None, None)
assert driver.cuCtxSynchronize() in (700, 716)
for _ in range(2):
    try:
        check("cuda")
    except RuntimeError as error:
        assert "CUDA_ERROR" in str(error), error
    else:
        raise AssertionError("the broken card transforms")
assert check("auto") == "cpu"
"""


class InterfaceOnly:
    """Somebody's array that has the interface, of version 3 or as given, and no DLPack."""

    def __init__(self, array, **changes):
        self.array = array
        interface = {"shape": (1, 8), "typestr": "<c8", "data": (4096, False)}
        if isinstance(array, gpufft.device_array):
            interface = dict(array.__cuda_array_interface__)
        self.__cuda_array_interface__ = {"version": 3, **interface, **changes}


class DlpackOnly:
    """Somebody's array that has only DLPack."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__(stream)

    def __dlpack_device__(self):
        return (2, 0)


class qa_device_arrays(GpufftTestCase):
    def test_without_the_cuda_engine(self):
        plan = gpufft.plan("c2c_forward_n8_b1", engine="cpu")
        for array in (InterfaceOnly(None), DlpackOnly(None)):
            self.assert_refuses(TypeError, ["GPU", "engine cpu"], plan.execute, array)
        self.assert_refuses(TypeError, ["GPU", "plan"], gpufft.fft, InterfaceOnly(None))
        if not gpufft.query_cuda()["usable"]:
            self.assertRaises(
                (RuntimeError, ValueError), gpufft.to_device, np.zeros(4, np.float32)
            )

    def test_dlpack_of_the_host(self):
        """Arrays of other libraries in host memory are arrays like any other."""
        plan = gpufft.plan("c2c_forward_n8_b1", engine="cpu")
        x = self.complex_noise(2, 8)

        class OnHost:
            """Somebody's array in host memory that has only DLPack."""

            def __dlpack__(self, stream=None):
                return x.__dlpack__()

            def __dlpack_device__(self):
                return x.__dlpack_device__()

        self.assert_close(plan.execute(OnHost()), np.fft.fft(x))
        self.assert_close(plan.execute(x.tolist()), np.fft.fft(x))


class qa_device_arrays_on_gpu(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if ENGINE != "cuda":
            raise unittest.SkipTest("the CPU engine has no device arrays")

    def setUp(self):
        super().setUp()
        self.plan = gpufft.plan("c2c_forward_n1024_b16", engine="cuda")
        self.x = self.complex_noise(16, 1024)
        self.expected = np.fft.fft(self.x)

    def test_round_trip(self):
        for dtype in ("f4", "f8", "c8", "c16", "i2", "i1", "f2"):
            values = self.random.integers(-100, 100, (3, 5)).astype(dtype)
            array = gpufft.to_device(values)
            self.assertEqual((array.shape, array.dtype), ((3, 5), values.dtype))
            self.assertEqual((array.device, array.nbytes), (0, values.nbytes))
            np.testing.assert_array_equal(array.to_host(), values)

    def test_execute(self):
        array = gpufft.to_device(self.x)
        for given in (array, InterfaceOnly(array), DlpackOnly(array)):
            for stream in (None, 1, 2):
                result = self.plan.execute(given, stream=stream)
                self.assertIsInstance(result, gpufft.device_array)
                self.assert_close(result.to_host(), self.expected)

    def test_out(self):
        array = gpufft.to_device(self.x)
        for wrap in (lambda out: out, InterfaceOnly, DlpackOnly):
            out = gpufft.to_device(np.zeros_like(self.x))
            given = wrap(out)
            self.assertIs(self.plan.execute(array, given), given)
            self.assert_close(out.to_host(), self.expected)

    def test_other_kinds(self):
        real = self.random.standard_normal((4, 1000)).astype(np.float32)
        for text, array, expected in [
            ("r2c_n1000_b4", real, np.fft.rfft(real)),
            ("c2r_n1000_b4_scale0.001", np.fft.rfft(real).astype(np.complex64), real),
        ]:
            result = gpufft.plan(text, engine="cuda").execute(gpufft.to_device(array))
            self.assert_close(result.to_host(), expected)

    def test_functions(self):
        """scipy.fft's functions on numpy arrays, computed on the GPU."""
        real = self.random.standard_normal((16, 64, 64))
        both = real + 1j * self.random.standard_normal(real.shape)
        for name, x in [
            ("fft", both),
            ("ifft", both),
            ("fft2", both),
            ("rfft", real),
            ("ihfft", real),
            ("irfft", np.fft.rfft(real)),
            ("dct", real),
            ("idst", real),
        ]:
            with self.subTest(name), gpufft.set_engine("cuda"):
                expected = getattr(scipy.fft, name)(x)
                single = x.astype(np.float32 if x is real else np.complex64)
                self.assert_close(getattr(gpufft, name)(single), expected)
        engines = {each["engine"] for each in gpufft.plan_cache_info()["recent"]}
        self.assertIn("cuda", engines)

    def test_streams(self):
        """The producer is told our stream; a plan on two streams keeps its scratch whole."""
        plan = gpufft.plan("c2c_forward_n1048576_b1", engine="cuda")
        x = self.complex_noise(1, 1 << 20)
        y = self.complex_noise(1, 1 << 20)
        one, two = DlpackOnly(gpufft.to_device(x)), DlpackOnly(gpufft.to_device(y))
        results = [plan.execute(one, stream=1), plan.execute(two, stream=2)]
        self.assertEqual((one.streams, two.streams), ([1], [2]))
        for result, expected in zip(results, (np.fft.fft(x), np.fft.fft(y))):
            self.assert_close(result.to_host(), expected)

    def test_capsule_is_used_up_once(self):
        array = gpufft.to_device(self.x)
        capsule = array.__dlpack__()

        class Once(DlpackOnly):
            def __dlpack__(self, stream=None):
                return capsule

        self.plan.execute(Once(array))
        self.assertIn("used_dltensor", repr(capsule))
        self.assertRaises(ValueError, self.plan.execute, Once(array))
        del capsule
        gc.collect()
        self.assert_close(self.plan.execute(array).to_host(), self.expected)

    def test_memory_outlives_the_array(self):
        holder = DlpackOnly(gpufft.to_device(self.x))
        capsule = holder.array.__dlpack__()
        holder.array = None
        gc.collect()

        class Late(DlpackOnly):
            def __dlpack__(self, stream=None):
                return capsule

        self.assert_close(self.plan.execute(Late(None)).to_host(), self.expected)

    def test_bad_arrays(self):
        array = gpufft.to_device(self.x)
        for given, exception, words in [
            (gpufft.to_device(self.x.astype(complex)), TypeError, ["complex128"]),
            (gpufft.to_device(self.x[:, :1000]), ValueError, ["16 by 1000", "1024"]),
            (InterfaceOnly(array, strides=(8, 128)), ValueError, ["C order"]),
        ]:
            self.assert_refuses(exception, words, self.plan.execute, given)
        for out, exception, words in [
            (np.empty_like(self.x), TypeError, ["out", "GPU"]),
            (gpufft.to_device(self.x[:8]), ValueError, ["8 by 1024"]),
            (
                InterfaceOnly(
                    array, data=(array.__cuda_array_interface__["data"][0], True)
                ),
                ValueError,
                ["read-only"],
            ),
        ]:
            self.assert_refuses(exception, words, self.plan.execute, array, out)
        self.assert_refuses(ValueError, ["0"], self.plan.execute, array, stream=0)
        self.assertRaises(ValueError, array.__dlpack__, 0)

    def test_after_a_broken_card(self):
        done = subprocess.run(
            [sys.executable, "-c", AFTER_A_BROKEN_CARD],
            check=False,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    gr_unittest.main()
