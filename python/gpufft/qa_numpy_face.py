#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft's functions with the names of scipy.fft: values, shapes, dtypes, errors."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import scipy.fft
from gnuradio import gpufft, gr_unittest
from gnuradio.gpufft import gpufft_python
from qa_support import ENGINE, PATIENCE, GpufftTestCase

EPSILON = {"f": 2.0**-24, "F": 2.0**-24, "d": 2.0**-53, "D": 2.0**-53}
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL_AXES = [name + n for n in ("2", "n") for name in ONE_AXIS]
TRIGONOMETRIC = ["dct", "idct", "dst", "idst"]
TAKES_REAL = {"rfft", "ihfft", "rfft2", "ihfft2", "rfftn", "ihfftn"}
NORMS = [None, "backward", "ortho", "forward"]
LENGTHS = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 100, 101, 128, 243, 1009]


class qa_numpy_face(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # lengths and layouts that the GPU does not have go to the CPU
        gpufft.set_engine("cpu" if ENGINE == "cpu" else "auto")

    def samples(self, name, *shape, dtype="d"):
        """Noise of the kind that the function takes."""
        values = self.random.standard_normal(shape)
        if name not in TAKES_REAL and name.rstrip("n") not in TRIGONOMETRIC:
            values = values + 1j * self.random.standard_normal(shape)
            dtype = dtype.upper()
        return values.astype(dtype)

    def compare(self, name, x, *arguments, **keywords):
        """Values, shape and dtype are SciPy's; x stays as it is."""
        before = x.copy()
        result = getattr(gpufft, name)(x, *arguments, **keywords)
        wide = x.astype(np.result_type(x.dtype, np.longdouble))
        expected = getattr(scipy.fft, name)(wide, *arguments, **keywords)
        same = getattr(scipy.fft, name)(x, *arguments, **keywords)
        case = f"{name} {x.shape} {x.dtype} {arguments} {keywords}"
        self.assertEqual(result.shape, same.shape, case)
        self.assertEqual(result.dtype, same.dtype, case)
        np.testing.assert_array_equal(x, before, case)
        bound = 4 * EPSILON[result.dtype.char] * np.sqrt(np.log2(max(x.size, 2)) + 1)
        norm = np.linalg.norm(expected)
        error = np.linalg.norm(result - expected)
        self.assertTrue(error <= bound * norm, f"{case}: {error / max(norm, 1e-300)}")
        return result

    def test_lengths(self):
        for name in ONE_AXIS:
            for n in LENGTHS:
                for dtype in "fd":
                    x = self.samples(name, 3, n, dtype=dtype)
                    bins = {"irfft": n // 2 + 1, "hfft": n // 2 + 1}.get(name, n)
                    self.compare(name, x[:, :bins], n)

    def test_trigonometric(self):
        for name in TRIGONOMETRIC:
            for type in (1, 2, 3, 4):
                for n in LENGTHS:
                    if n == 1 and type == 1 and "dct" in name:
                        continue
                    for dtype in "fd":
                        x = self.samples(name, 2, n, dtype=dtype)
                        self.compare(name, x, type)

    def test_norms(self):
        for norm in NORMS:
            for name in ONE_AXIS + SEVERAL_AXES:
                self.compare(name, self.samples(name, 4, 6), norm=norm)
            for name in TRIGONOMETRIC:
                for type in (1, 2, 3, 4):
                    for orthogonalize in (None, False, True):
                        keywords = {"norm": norm, "orthogonalize": orthogonalize}
                        is_on = orthogonalize or norm == "ortho" and orthogonalize is None
                        if "dst" in name and type in (2, 3) and is_on:
                            continue  # SciPy 1.10 scales the wrong end: next test
                        x = self.samples(name, 3, 7)
                        self.compare(name, x, type, **keywords)
                        self.compare(name + "n", x, type, **keywords)

    def test_orthogonal(self):
        """norm "ortho" makes every matrix orthogonal, and inverses transposes."""
        for name in ("dct", "dst"):
            for type in (1, 2, 3, 4):
                for n in (2, 5, 8):
                    eye = np.eye(n)
                    forward = getattr(gpufft, name)(eye, type, norm="ortho", axis=0)
                    inverse = getattr(gpufft, "i" + name)(eye, type, norm="ortho", axis=0)
                    np.testing.assert_allclose(forward @ forward.T, eye, atol=1e-14)
                    np.testing.assert_allclose(inverse, forward.T, atol=1e-14)

    def test_truth_values(self):
        """Whatever is true is True, NumPy's bool, too."""
        x = self.random.standard_normal(6)
        np.testing.assert_array_equal(
            gpufft.dct(x, orthogonalize=np.True_), gpufft.dct(x, orthogonalize=True)
        )

    def test_real_input(self):
        for dtype in "fd":
            for shape in ((5,), (8,), (4, 5), (3, 4, 6)):
                x = self.random.standard_normal(shape).astype(dtype)
                for name in ("fft", "ifft", "fftn", "ifftn", "irfft", "hfft", "irfftn"):
                    self.compare(name, x)

    def test_axes(self):
        for axis in range(-4, 4):
            for name in ONE_AXIS + TRIGONOMETRIC:
                self.compare(name, self.samples(name, 3, 4, 5, 6), axis=axis)
                self.compare(name, self.samples(name, 17, 2, 18, 3), axis=axis)
        for axes in ((0,), (1, 2), (2, 0), (-1, 0), (3, 1, 0), (0, 1, 2, 3), None, 1):
            for name in SEVERAL_AXES:
                self.compare(name, self.samples(name, 3, 4, 5, 6), axes=axes)
            for name in TRIGONOMETRIC:
                self.compare(name + "n", self.samples(name, 3, 4, 5, 6), axes=axes)

    def test_lengths_cut_and_pad(self):
        for n in (1, 3, 4, 7, 9, 16):
            for axis in (0, 1):
                for name in ONE_AXIS:
                    self.compare(name, self.samples(name, 7, 9), n, axis)
                for name in TRIGONOMETRIC:
                    self.compare(name, self.samples(name, 7, 9), 2, n, axis)
        for s, axes in (
            ((3, 12), None),
            ((4,), None),
            ((8, 2), (2, 0)),
            ((-1, 5), (0, 1)),
        ):
            for name in ONE_AXIS:
                self.compare(name + "n", self.samples(name, 4, 5, 6), s, axes)
            for name in TRIGONOMETRIC:
                x = self.samples(name, 4, 5, 6)
                self.compare(name + "n", x, s=s, axes=axes)

    def test_layouts(self):
        for name in ("fft", "rfft", "fftn", "rfftn", "dct", "dctn", "irfft"):
            x = self.samples(name, 6, 8, 10)
            views = {
                "Fortran order": np.asfortranarray(x),
                "transposed": x.transpose(1, 2, 0),
                "every other": x[::2, ::3, 1::2],
                "backward": x[:, ::-1],
                "broadcast": np.broadcast_to(x[:1], (6, 8, 10)),
                "swapped bytes": x.astype(x.dtype.newbyteorder()),
                "one long": x[:1, :1],
            }
            for view, array in views.items():
                with self.subTest(view, name=name):
                    native = array.astype(array.dtype.newbyteorder("="))
                    result = getattr(gpufft, name)(array)
                    np.testing.assert_allclose(
                        result, getattr(scipy.fft, name)(native), atol=1e-12
                    )
        unaligned = np.zeros(8 * 16 + 1, np.int8)[1:].view(np.complex128)
        unaligned[:] = np.arange(8)
        np.testing.assert_allclose(gpufft.fft(unaligned), np.fft.fft(np.arange(8)))

    def test_dtypes(self):
        numbers = np.arange(8)
        for dtype, result in [
            (np.float16, np.complex64),
            (np.float32, np.complex64),
            (np.int8, np.complex128),
            (np.uint64, np.complex128),
            (bool, np.complex128),
            (np.complex64, np.complex64),
        ]:
            self.assertEqual(gpufft.fft(numbers.astype(dtype)).dtype, result)
            self.assertEqual(scipy.fft.fft(numbers.astype(dtype)).dtype, result)
        self.assertEqual(gpufft.dct(numbers.astype(np.float16)).dtype, np.float32)
        self.assertEqual(gpufft.fft(numbers.astype(">f2")).dtype, np.complex64)
        np.testing.assert_allclose(gpufft.fft([1, 2, 3]), np.fft.fft([1, 2, 3]))
        for dtype in (np.longdouble, np.clongdouble, object, "U3", "M8[s]"):
            self.assert_refuses(
                TypeError, ["dtype", "float32"], gpufft.fft, np.zeros(4).astype(dtype)
            )

    def test_complex_input_of_real_transforms(self):
        x = self.complex_noise(4, 6).astype(complex)
        for name in TRIGONOMETRIC:
            for part in (x, x.astype(np.complex64)):
                self.compare(name, part)
                self.compare(name + "n", part, axes=(0,))
        for name in sorted(TAKES_REAL):
            self.assert_refuses(TypeError, ["real"], getattr(gpufft, name), x)

    def test_empty(self):
        for name in ONE_AXIS + TRIGONOMETRIC:
            self.assert_refuses(ValueError, ["data points"], getattr(gpufft, name), [])
            x = self.samples(name, 0, 5)
            expected = getattr(scipy.fft, name)(x)
            result = getattr(gpufft, name)(x)
            self.assertEqual(
                (result.shape, result.dtype), (expected.shape, expected.dtype)
            )
        x = np.ones((2, 3))
        self.assertIs(gpufft.fftn(x, axes=()), x)
        self.assertIs(gpufft.dctn(x, axes=()), x)

    def test_bad_arguments(self):
        x = np.ones((2, 3))
        for words, exception, call in [
            (["0"], ValueError, lambda: gpufft.fft(x, 0)),
            (["-5"], ValueError, lambda: gpufft.fft(x, -5)),
            (["data points"], ValueError, lambda: gpufft.irfft(x[:, :1])),
            (["2"], IndexError, lambda: gpufft.fft(x, axis=2)),
            (["-3"], ValueError, lambda: gpufft.fft(x, axis=-3)),
            (["'o'"], ValueError, lambda: gpufft.fft(x, norm="o")),
            (["n is 2.5", "int"], TypeError, lambda: gpufft.fft(x, n=2.5)),
            (["unique"], ValueError, lambda: gpufft.fftn(x, axes=(0, 0))),
            (["unique"], ValueError, lambda: gpufft.fftn(x, axes=(0, -2))),
            (["more axes"], ValueError, lambda: gpufft.fftn(x, (1, 2, 3))),
            (["same length"], ValueError, lambda: gpufft.fftn(x, (1, 2), (0,))),
            (["axes"], ValueError, lambda: gpufft.fftn(x, axes=(2,))),
            (["scalar or iter", "'a'"], ValueError, lambda: gpufft.fftn(x, axes="a")),
            (["scalar or iter", "1.5"], ValueError, lambda: gpufft.fftn(x, 1.5)),
            (["at least 1 axis"], ValueError, lambda: gpufft.rfftn(x, axes=())),
            (["at least 1 axis"], ValueError, lambda: gpufft.irfftn(x, axes=())),
            (["5"], ValueError, lambda: gpufft.dct(x, 5)),
            ([">= 2"], ValueError, lambda: gpufft.dct([1.0], 1)),
            (["zero"], ValueError, lambda: gpufft.fft(x, workers=0)),
            (["out of range"], ValueError, lambda: gpufft.fft(x, workers=-10000)),
            (["precomputed plan"], NotImplementedError, lambda: gpufft.fft(x, plan=1)),
            (["0"], ValueError, lambda: gpufft.next_fast_len(0)),
            (["warp"], ValueError, lambda: gpufft.set_engine("warp")),
            (["-1"], ValueError, lambda: gpufft.set_engine("auto", -1)),
            (["1024", "0 ... 1023"], ValueError, lambda: gpufft.set_engine("cpu", 1024)),
            (["'yes'"], TypeError, lambda: gpufft.dct(x, orthogonalize="yes")),
        ]:
            self.assert_refuses(exception, words, call)

    def test_what_the_functions_call(self):
        """transform_axes() and transform_quickly() are public by name: nothing that does
        not fit is read or written."""
        axes_of = gpufft_python.transform_axes
        kinds = gpufft_python.transform_kinds
        x, real = np.ones((4, 6), complex), np.ones((4, 6))
        good = {"kind": kinds["c2c"], "x": x, "axes": [1], "lengths": [6], "out": None}
        backward = np.zeros((4, 6), complex)[::-1]
        fixed = np.zeros((4, 6), complex)
        fixed.flags.writeable = False
        for changed, words in [
            ({"axes": [2]}, ["axis is 2", "0 ... 1"]),
            ({"axes": [2**40]}, ["axis is"]),
            ({"axes": [], "lengths": []}, ["number of axes is 0"]),
            ({"axes": [0, 1, 0], "lengths": [4, 6, 4]}, ["number of axes is 3"]),
            ({"axes": [1, 1], "lengths": [6, 6]}, ["axis 1 comes twice"]),
            ({"axes": [0, 1]}, ["number of lengths is 1", "2 ... 2"]),
            ({"lengths": [6, 4]}, ["number of lengths is 2"]),
            ({"lengths": [7]}, ["length is 7", "1 ... 6"]),
            ({"lengths": [0]}, ["length is 0"]),
            ({"lengths": [2**40]}, ["length is 1099511627776"]),
            ({"kind": kinds["c2r"], "lengths": [12]}, ["length is 12", "1 ... 11"]),
            ({"kind": kinds["r2c"]}, ["complex"]),
            ({"kind": kinds["dct2"]}, ["complex"]),
            ({"kind": kinds["c2r"], "x": real}, ["real"]),
            ({"kind": kinds["zoom"]}, ["zoom"]),
            ({"kind": 99}, ["kind is 99"]),
            ({"kind": -1}, ["kind is -1"]),
            ({"x": np.ones((4, 0), complex)}, ["size of x is 0"]),
            ({"x": x.astype("F")[:, ::2], "lengths": [4]}, ["length is 4", "1 ... 3"]),
            ({"workers": 0}, ["workers is 0"]),
            ({"workers": 5000}, ["workers is 5000"]),
            ({"out": np.zeros((4, 5), complex)}, ["out must have"]),
            ({"out": np.zeros((4,), complex)}, ["out must have"]),
            ({"out": np.zeros((4, 6))}, ["out must have"]),
            ({"out": np.zeros((4, 6), "F")}, ["out must have"]),
            ({"out": np.zeros((4, 6), ">c16")}, ["out must have"]),
            ({"out": backward}, ["out must have"]),
            ({"out": fixed}, ["out must have"]),
        ]:
            use = {**good, "workers": 1, **changed}
            arguments = (use["kind"], True, use["x"], use["axes"], use["lengths"])
            arguments += (True, None, use["workers"], False, use["out"])
            with self.subTest(changed):
                self.assert_refuses((ValueError, IndexError), words, axes_of, *arguments)
        out = np.zeros((4, 12), complex)[:, ::2]
        axes_of(kinds["c2c"], True, x, [1], [6], True, None, 1, False, out)
        np.testing.assert_allclose(out, np.fft.fft(x))
        quickly = gpufft_python.transform_quickly
        for kind in (-1, 99, kinds["filter"]):
            arguments = (kind, True, x, None, -1, None, None, None, False)
            errors = (ValueError, IndexError)
            self.assert_refuses(errors, ["kind is"], quickly, *arguments)

    def test_workers(self):
        x = self.complex_noise(64, 1000)
        expected = gpufft.fft(x)
        for workers in (1, 2, -1):
            self.assert_close(gpufft.fft(x, workers=workers), expected)
        self.assertEqual(gpufft.get_workers(), 1)
        with gpufft.set_workers(2):
            self.assertEqual(gpufft.get_workers(), 2)
            self.assertEqual(scipy.fft.get_workers(), 2)
            self.assert_close(gpufft.fft(x), expected)
        self.assertEqual(gpufft.get_workers(), 1)

    def test_workers_without_scipy(self):
        code = (
            "import sys; from gnuradio import gpufft; import numpy as np\n"
            "with gpufft.set_workers(2): print(gpufft.get_workers())\n"
            "gpufft.set_engine('cpu'); print(abs(gpufft.fft(np.ones(4)))[0])\n"
            "print(gpufft.get_workers(), 'scipy' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        self.assertEqual(done.stdout.split(), ["2", "4.0", "1", "False"])

    def test_next_fast_len(self):
        for n in [*range(1, 300), 1021, 12345, 99991]:
            for real in (False, True):
                self.assertEqual(
                    gpufft.next_fast_len(n, real), scipy.fft.next_fast_len(n, real)
                )

    def test_helpers_are_numpys(self):
        for name in ("fftfreq", "rfftfreq", "fftshift", "ifftshift"):
            self.assertIs(getattr(gpufft, name), getattr(np.fft, name))

    def test_engine(self):
        former = gpufft.get_engine()
        with gpufft.set_engine("cpu", 0):
            self.assertEqual(gpufft.get_engine(), ("cpu", 0))
        self.assertEqual(gpufft.get_engine(), former)
        if not gpufft.query_cuda()["usable"]:
            with gpufft.set_engine("cuda"):
                self.assertRaises((RuntimeError, ValueError), gpufft.fft, np.ones(1024))

    def test_examples_of_the_guide(self):
        """Every Python block of docs/numpy.md runs, one after the other."""
        guide = Path(__file__).resolve().parents[2] / "docs" / "numpy.md"
        blocks = re.findall(r"```python\n(.*?)```", guide.read_text("utf-8"), re.S)
        self.assertEqual(len(blocks), 3)
        names = {}
        for block in blocks:
            exec(block, names)  # pylint: disable=exec-used
        self.assertEqual(names["bins"].shape, (64, 501))
        self.assertEqual(names["y"].shape, (64, 1049))

    def test_example_of_the_kinds(self):
        """The Python block of docs/transforms.md gives SciPy's orthogonal DCT."""
        guide = Path(__file__).resolve().parents[2] / "docs" / "transforms.md"
        (block,) = re.findall(r"```python\n(.*?)```", guide.read_text("utf-8"), re.S)
        names = {}
        exec(block, names)  # pylint: disable=exec-used
        np.testing.assert_allclose(
            names["plan"].execute(names["rows"]),
            scipy.fft.dct(names["rows"], norm="ortho"),
            atol=1e-13,
        )

    def test_benchmark(self):
        """bench_numpy.py times both sides of a case."""
        script = Path(__file__).parents[2] / "tests" / "benchmark" / "bench_numpy.py"
        words = ["--cases", "^rfft 100 float32$", "--seconds", "0.01", "--commit", "none"]
        done = subprocess.run(
            [sys.executable, script, *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 7)
        self.assertRegex(lines[4], r"^rfft,100,float32(,[\d.e+]+){7}$")
        self.assertRegex(lines[6], r"^# geometric mean of all: [\d.]+$")

    def test_signatures(self):
        for name in [*ONE_AXIS, *SEVERAL_AXES, *TRIGONOMETRIC]:
            names = [name, name + "n"] if name in TRIGONOMETRIC else [name]
            for each in names:
                self.assertEqual(
                    str(inspect.signature(getattr(gpufft, each))),
                    str(inspect.signature(getattr(scipy.fft, each))),
                )
                self.assertTrue(getattr(gpufft, each).__doc__)


if __name__ == "__main__":
    gr_unittest.main()
