#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Good and bad arguments in every place: gpufft gives what scipy.fft gives, or raises what
scipy.fft raises."""

import itertools

import numpy as np
import scipy.fft
from gnuradio import gpufft, gr_unittest
from qa_support import GpufftTestCase

FOURIER = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
TRIGONOMETRIC = ["dct", "idct", "dst", "idst"]
ONE_AXIS = FOURIER + TRIGONOMETRIC
SEVERAL_AXES = [name + "n" for name in ONE_AXIS] + [name + "2" for name in FOURIER]

HUGE = [2**63, 2**64, 2**70, -(2**63) - 1, -(2**70)]
ODD = [None, True, 1.0, "1", "a", [], [0], (), (0,), (0, 1), object(), np.int8(1)]
ODD += [np.array(1), np.array([1]), np.float64(1)]
AXIS = [*range(-4, 5), *HUGE, *ODD]
LENGTH = [-2, -1, 0, 1, 4, 7, 2**63, 2**70, -(2**70), *ODD]
AXES = [*AXIS, [1, 0], (-1, 0), (0, 0), (0, -3), (0, 3), (2, 1, 0), (0, 2**64)]
AXES += [(0, -(2**70)), (1.0,), ("0",), ((0,),), range(2), {0, 2}, "01", np.array([0, 2])]
SHAPE = [*LENGTH, (4, 5), (3, -1), (-1, 0), (2, 2, 2), (1, 1, 1, 1), (3, 2**70), (2.0,)]
NORM = ["ortho", "forward", "Ortho", "", 1, *ODD]
WORKERS = [-(2**70), -100, -1, 0, 1, 2, 2**40, 2**64, 2**70, "2", 1.0, [], (1,), None]
TYPE = [*range(-1, 6), "2", None, [2], (2,), True, np.int64(2), 1.5]
FLAG = [None, True, False, 0, 1, 2.5, np.True_, "yes", "", [], [1], (), object]

# What SciPy raises, and is as good as its counterpart.
SAME = {RuntimeError: TypeError}  # where pybind11 cannot cast


def outcome(function, *arguments, **keywords):
    """(result, None) or (None, exception)."""
    try:
        return function(*arguments, **keywords), None
    except Exception as error:  # pylint: disable=broad-except
        return None, error


class qa_scipy_arguments(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        gpufft.set_engine("cpu")

    def setUp(self):
        super().setUp()
        self.calls = 0

    def compare(self, name, x, **keywords):
        case = f"{name}({x.dtype}{x.shape}, {keywords})"
        result, error = outcome(getattr(gpufft, name), x, **keywords)
        expected, wanted = outcome(getattr(scipy.fft, name), x, **keywords)
        self.calls += 1
        if wanted is not None:
            kind = SAME.get(type(wanted), type(wanted))
            self.assertIsInstance(error, kind, f"{case}: SciPy: {wanted!r}")
            return
        self.assertIsNone(error, f"{case}: {error!r}")
        self.assertEqual(result.shape, expected.shape, case)
        self.assertEqual(result.dtype, expected.dtype, case)
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12, err_msg=case)

    def arrays(self):
        """Contiguous double precision, which goes the quick way, and what does not."""
        x = self.random.standard_normal((3, 4, 5))
        return [x, x.transpose(1, 0, 2)[:, ::-1].astype(">f4").astype(">f8"), x[0, 0]]

    def test_axis_and_length(self):
        for name, x in itertools.product(ONE_AXIS, self.arrays()):
            for axis in AXIS:
                self.compare(name, x, axis=axis)
            for n, axis in itertools.product(LENGTH, (-1, 0, 7, None, 2**70)):
                self.compare(name, x, n=n, axis=axis)
        self.assertGreater(self.calls, 3000)

    def test_axes_and_shape(self):
        for name, x in itertools.product(SEVERAL_AXES, self.arrays()):
            for axes in AXES:
                self.compare(name, x, axes=axes)
            for s, axes in itertools.product(SHAPE, (None, (), (0,), (0, 2), 1, 2**70)):
                self.compare(name, x, s=s, axes=axes)
        self.assertGreater(self.calls, 5000)

    def test_scalars_and_one_bin(self):
        for name in ONE_AXIS + SEVERAL_AXES:
            for x in (np.array(3.0), np.ones((2, 1)), np.ones((1, 1, 2))):
                self.compare(name, x)

    def test_norm_and_workers(self):
        x = self.random.standard_normal((2, 3))
        for name in ONE_AXIS + SEVERAL_AXES:
            norms = NORM[1:] if "dst" in name else NORM  # SciPy 1.10: "ortho" is wrong
            for norm in norms:
                self.compare(name, x, norm=norm)
            for workers in WORKERS:
                self.compare(name, x, workers=workers)
            for workers in (-100, 0, 2):
                if name.endswith("n"):
                    self.compare(name, x, axes=(), workers=workers)

    def test_type_and_orthogonalize(self):
        x = self.random.standard_normal((3, 4))
        for name in TRIGONOMETRIC + [name + "n" for name in TRIGONOMETRIC]:
            for type in TYPE:
                self.compare(name, x, type=type)
            if "dst" in name:
                continue  # SciPy 1.10 scales the wrong end
            for flag in FLAG:
                self.compare(name, x, orthogonalize=flag)

    def test_next_fast_len(self):
        """To the longest that SciPy takes."""
        most = 2**64 // 11 + 1
        for real in (False, True):
            for target in (*range(1, 50), 2**60 + 1, most // 3 * 2, most, most + 1):
                result, error = outcome(gpufft.next_fast_len, target, real)
                expected, wanted = outcome(scipy.fft.next_fast_len, target, real)
                self.assertEqual((result, type(error)), (expected, type(wanted)))

    def test_errors_name_the_argument(self):
        x = np.ones((2, 3))
        for words, call, arguments, keywords in [
            (["n is '4'", "an int"], gpufft.fft, [x, "4"], {}),
            (["n is [4]", "an int"], gpufft.irfft, [x, [4]], {"norm": 1}),
            (["n is (1+0j)", "an int"], gpufft.dct, [x], {"n": 1 + 0j}),
            (["axis is '0'", "an int"], gpufft.rfft, [x], {"axis": "0"}),
            (["type is 2.0", "an int"], gpufft.dct, [x, 2.0], {}),
            (["workers is '2'", "an int"], gpufft.fftn, [x], {"workers": "2"}),
            (["target is 7.5", "an int"], gpufft.next_fast_len, [7.5], {}),
            (["device is 'a'", "an int"], gpufft.set_engine, ["cpu", "a"], {}),
            ([f"device is {2**40}, which"], gpufft.set_engine, ["cpu", 2**40], {}),
            (["'engnie'", "'engine'"], gpufft.set_engine, [], {"engnie": "cpu"}),
        ]:
            self.assert_refuses(TypeError, words, call, *arguments, **keywords)


if __name__ == "__main__":
    gr_unittest.main()
