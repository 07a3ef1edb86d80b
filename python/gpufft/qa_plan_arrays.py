#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft.plan on arrays of every kind, precision, format and shape, and `out`."""

import os
import signal
import threading

import numpy as np
import scipy.fft
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, PATIENCE, GpufftTestCase

LENGTHS = (6, 8)
AXES = (1, 2)


def make(*problem, **keywords):
    """On the engine under test; on the CPU where the GPU does not have the problem."""
    return gpufft.plan(*problem, engine="cpu" if ENGINE == "cpu" else "auto", **keywords)


class no_array:
    """What NumPy cannot convert."""

    def __array__(self, *_, **__):
        raise ValueError("no array today")


class qa_plan_arrays(GpufftTestCase):
    def assert_near(self, result, expected, dtype):
        """Single or double precision, and this dtype."""
        self.assertEqual(result.dtype, dtype)
        self.assertEqual(result.shape, expected.shape)
        single = result.dtype.char in "fFe" or result.dtype.kind == "i"
        error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
        self.assertTrue(error < (5e-7 if single else 1e-15), f"relative error {error}")

    def test_kinds_and_precisions(self):
        real = self.random.standard_normal((3, *LENGTHS))
        x = real + 1j * self.random.standard_normal((3, *LENGTHS))
        half = np.fft.rfftn(real, axes=AXES)
        for double in (False, True):
            complex_type = np.complex128 if double else np.complex64
            real_type = np.float64 if double else np.float32
            suffix = "_f64" if double else ""
            for text, array, expected, dtype in [
                ("c2c_forward", x, np.fft.fftn(x, axes=AXES), complex_type),
                ("c2c_inverse", x, np.fft.ifftn(x, axes=AXES) * 48, complex_type),
                ("r2c", real, half, complex_type),
                ("c2r", half, real * 48, real_type),
                *(
                    (f"d{name}t{type}", real, function(real, type, axes=AXES), real_type)
                    for name, function in (("c", scipy.fft.dctn), ("s", scipy.fft.dstn))
                    for type in (1, 2, 3, 4)
                ),
            ]:
                with self.subTest(text, double=double):
                    plan = make(f"{text}_n6x8_b3{suffix}")
                    self.assert_near(plan.execute(array), expected, dtype)
                    given = array.astype(
                        complex_type if array.dtype == complex else real_type
                    )
                    self.assert_near(plan.execute(given.ravel()), expected, dtype)
                    out = np.empty(expected.shape, dtype)
                    self.assertIs(plan.execute(given, out), out)
                    self.assert_near(out, expected, dtype)

    def test_norms(self):
        x = self.random.standard_normal((2, 12))
        for norm in ("backward", "ortho", "forward"):
            for kind, expected in [
                ("c2c", np.fft.fft(x, norm=norm)),
                ("r2c", np.fft.rfft(x, norm=norm)),
                ("dct2", scipy.fft.dct(x, 2, norm=norm)),
                ("dst1", scipy.fft.dst(x, 1, norm=norm)),
            ]:
                plan = make(kind=kind, lengths=12, dtype="float64", norm=norm)
                np.testing.assert_allclose(plan.execute(x), expected, atol=1e-13)
            bins = np.fft.rfft(x)
            plan = make(kind="c2r", lengths=[12], dtype=np.complex128, norm=norm)
            np.testing.assert_allclose(
                plan.execute(bins), np.fft.irfft(bins, 12, norm=norm), atol=1e-13
            )
            power = np.abs(np.fft.fft(x, norm=norm)) ** 2
            for output, rows in (("power", power), ("decibel", 10 * np.log10(power))):
                plan = make(lengths=12, norm=norm, output=output)
                np.testing.assert_allclose(plan.execute(x), rows, rtol=1e-4, atol=1e-4)

    def test_window_in_double_precision(self):
        taps = self.random.standard_normal(8)
        plan = make("c2c_forward_n8_b8_f64_window")
        plan.set_window(taps)
        self.assert_near(plan.execute(np.eye(8)), np.fft.fft(np.diag(taps)), complex)

    def test_stored_powers(self):
        """A half float for each bin, and no more."""
        plan = make("c2c_forward_n16_b2_power_outf16")
        x = self.complex_noise(2, 16)
        result = plan.execute(x)
        self.assertEqual((result.shape, result.dtype), ((2, 16), np.float16))
        power = np.abs(np.fft.fft(x)) ** 2
        np.testing.assert_allclose(result, power, rtol=2.0**-10)

    def test_storage(self):
        """Integers and half floats in and out, two to a complex sample."""
        numbers = self.random.integers(-100, 100, (4, 32))
        for name, dtype, full in (
            ("s16", "int16", 2**15),
            ("s8", "int8", 2**7),
            ("f16", "float16", 1),
        ):
            given = numbers.astype(dtype)
            x = given.astype(float) / full
            bins = np.fft.fft(x[:, 0::2] + 1j * x[:, 1::2])
            result = make(f"c2c_forward_n16_b4_c{name}").execute(given)
            self.assert_near(result, bins, np.complex64)
            halves = np.fft.rfft(x)
            self.assert_near(
                make(f"r2c_n32_b4_{name}").execute(given), halves, np.complex64
            )
            scale = 1 / np.abs(bins).max()
            stored = make(f"c2c_forward_n16_b4_c{name}_out{name}_scale{scale}")
            result = stored.execute(given)
            self.assertEqual((result.shape, result.dtype), ((4, 32), np.dtype(dtype)))
            pairs = (result[:, 0::2] + 1j * result[:, 1::2].astype(float)) / full
            step = 1 / full if name != "f16" else 2.0**-10
            self.assertLess(np.abs(pairs - scale * bins).max(), step)

    def test_layout(self):
        """Rows with strides and gaps come as one row of bins."""
        x = self.complex_noise(3 * 8)
        plan = make("c2c_forward_n8_b3_ostrides3_odist1")
        result = plan.execute(x)
        self.assertEqual(result.shape, (24,))
        self.assert_near(
            result.reshape(8, 3).T, np.fft.fft(x.reshape(3, 8)), np.complex64
        )
        plan = make("c2c_forward_n8_b3_hop1_istrides3")
        expected = np.fft.fft(x.reshape(8, 3).T)
        self.assert_near(plan.execute(x), expected, np.complex64)
        self.assert_refuses(ValueError, ["row"], plan.execute, x.reshape(3, 8))

    def test_frames(self):
        x = self.random.standard_normal(10)
        plan = make("r2c_n4_b1_hop3_f64")
        frames = np.array([x[i : i + 4] for i in (0, 3, 6)])
        self.assert_near(plan.execute(x), np.fft.rfft(frames), np.complex128)
        self.assertEqual(plan.execute(x[:3]).shape, (0, 3))

    def test_picked_bins(self):
        plan = make("c2c_forward_n16_b2_window_taps2_bins3")
        window = self.random.standard_normal(32).astype(np.float32)
        plan.set_window(window)
        x = self.complex_noise(32 + 16)
        expected = np.array(
            [
                np.fft.fft((window * x[first : first + 32]).reshape(2, 16).sum(axis=0))
                for first in (0, 16)
            ]
        )
        plan.set_hop(16)
        self.assert_near(plan.execute(x), expected[:, :3], np.complex64)
        plan.set_map([15, 2, 15])
        self.assert_near(plan.execute(x), expected[:, [15, 2, 15]], np.complex64)
        self.assert_refuses(ValueError, ("16", "0 ... 15"), plan.set_map, [0, 1, 16])
        self.assert_refuses(ValueError, ("2", "3"), plan.set_map, [0, 1])

    def test_bad_arrays(self):
        for text, array, exception, words in [
            (
                "r2c_n8_b1",
                np.zeros((1, 8), complex),
                TypeError,
                ["complex128", "float32"],
            ),
            ("r2c_n8_b1", np.zeros((1, 8), object), TypeError, ["object"]),
            ("c2r_n8_b1", np.zeros((1, 8), complex), ValueError, ["1 by 8", "by 5"]),
            ("dct2_n4x6_b1", np.zeros((1, 6, 4)), ValueError, ["by 4 by 6"]),
            ("dct2_n4x6_b1", np.zeros((4, 6)), ValueError, ["2 dimensions"]),
            ("r2c_n8_b1_s16", np.zeros((1, 8), "i4"), TypeError, ["int32", "int16"]),
            ("r2c_n8_b1", no_array(), ValueError, ["no array today"]),
        ]:
            self.assert_refuses(exception, words, make(text).execute, array)
        plan, x = make("c2c_forward_n8_b1"), self.complex_noise(2, 8)
        frozen = np.empty((2, 8), np.complex64)
        frozen.flags.writeable = False
        for out, exception, words in [
            (np.empty((2, 8)), TypeError, ["float64", "complex64"]),
            (np.empty((8, 2), np.complex64), ValueError, ["8 by 2", "2 by 8"]),
            (np.empty((2, 8), np.complex64, order="F"), ValueError, ["C order"]),
            (frozen, ValueError, ["writeable"]),
            ([0] * 16, TypeError, ["numpy"]),
            (x.ravel()[:16].reshape(2, 8)[:], None, []),  # in place
        ]:
            if exception is None:
                plan.execute(x, out)
            else:
                self.assert_refuses(exception, words, plan.execute, x, out)
        self.assert_refuses(ValueError, ["stream"], plan.execute, x, stream=1)

    def test_keywords(self):
        problem = gpufft.problem(
            kind="c2c",
            lengths=[4096],
            batch=64,
            dtype="int16",
            hop=2048,
            window=True,
            output="decibel",
            shift_output=True,
            average=100,
        )
        text = "c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100"
        self.assertEqual(str(problem), text)
        self.assertEqual(
            str(gpufft.problem(kind="dct1", lengths=(3, 5), norm="forward", batch=2)),
            "dct1_n3x5_b2_scale0.03125",
        )
        problem = gpufft.problem("c2r_n4x6_b2_ostrides6x1")
        self.assertEqual((problem.kind, problem.lengths, problem.n), ("c2r", (4, 6), 24))
        for keywords, exception, words in [
            ({}, TypeError, ["lengths"]),
            ({"lengths": "a"}, TypeError, ["'a'"]),
            ({"lengths": -3}, ValueError, ["-3"]),
            ({"lengths": 8, "kind": "dct5"}, ValueError, ["dct5", "dct4"]),
            ({"lengths": 8, "dtype": "int32"}, TypeError, ["int32"]),
            ({"lengths": 8, "norm": "o"}, ValueError, ['"o"', "ortho"]),
            ({"lengths": 8, "direction": "up"}, ValueError, ["up"]),
            ({"lengths": 8, "batch": "many"}, TypeError, ["batch"]),
            ({"lengths": 8, "colour": 1}, TypeError, ["colour"]),
            ({"lengths": 8, "output": "phase"}, ValueError, ["phase"]),
        ]:
            self.assert_refuses(exception, words, gpufft.problem, **keywords)
            self.assert_refuses(exception, words, gpufft.plan, **keywords)

    def test_fork(self):
        """A child that the process forks has plans and threads of its own."""
        x = self.complex_noise(256, 1024)
        gpufft.set_engine("cpu")
        expected = gpufft.fft(x, workers=2)
        stop = threading.Event()

        def keep_busy():
            while not stop.is_set():
                gpufft.fft(x[:4])

        busy = threading.Thread(target=keep_busy)
        busy.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    signal.alarm(20)
                    same = np.array_equal(gpufft.fft(x, workers=2), expected)
                    os._exit(0 if same else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            stop.set()
            busy.join(PATIENCE)


if __name__ == "__main__":
    gr_unittest.run(qa_plan_arrays)
