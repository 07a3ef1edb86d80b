#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft.dask's transforms of arrays: on the CPU the bits of gpufft's functions of the
whole array, values of SciPy in double precision, whatever the chunks."""

import math
import subprocess
import sys
import threading

import dask
import dask.array as da
import numpy as np
import scipy.fft
from gnuradio import gpufft, gr_unittest
from gnuradio.gpufft import dask as gpufft_dask
from gnuradio.gpufft.dask.arrays import on_engine
from qa_support import ENGINE, PATIENCE, GpufftTestCase

FOURIER = ["fft", "ifft", "rfft", "irfft"]
TRIGONOMETRIC = ["dct", "idct", "dst", "idst"]
SEVERAL_AXES = ["fftn", "ifftn"]
NORMS = [None, "backward", "ortho", "forward"]
# Lengths of which FFTW transforms one, a few or many at a time, with its own rounding.
LENGTHS = [1, 2, 3, 5, 8, 16, 20, 25, 32, 33, 64, 84, 100, 127, 128, 256, 384, 600]
MOST_POINTS = 30000
# Lengths and layouts that a GPU does not have go to the CPU.
CHOICE = "cpu" if ENGINE == "cpu" else "auto"
EPSILON = {np.dtype(c): np.finfo(c).eps for c in "fdFD"}


class qa_dask_arrays(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        gpufft.set_engine(CHOICE)
        dask.config.set(scheduler="synchronous")

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def samples(self, name, shape):
        kinds = "fdFD" if name not in ("rfft",) else "fd"
        x = self.random.standard_normal((*shape, 2)) @ [1, 1j]
        kind = self.pick(kinds)
        return (x if kind in "FD" else x.real).astype(kind)

    def shape(self, most_axes=4):
        while True:
            axes = self.random.integers(1, most_axes + 1)
            shape = [self.pick(LENGTHS) for _ in range(axes)]
            if math.prod(shape) <= MOST_POINTS:
                return shape

    def chunks(self, length):
        """Random sizes of chunks; of every other axis a single one."""
        cuts = self.random.integers(0, length + 1, self.random.integers(0, 5))
        if self.random.integers(2):
            cuts = []
        ends = sorted({*map(int, cuts), length} - {0})
        return tuple(np.diff([0, *ends]).tolist())

    def chunked(self, x):
        return da.from_array(x, chunks=tuple(self.chunks(length) for length in x.shape))

    def compare(self, name, x, **keywords):
        array = self.chunked(x)
        case = f"{name} of {x.dtype} {x.shape} in {array.chunks}, {keywords}"
        lazy = getattr(gpufft_dask, name)(array, engine=CHOICE, **keywords)
        result = lazy.compute()
        whole = getattr(gpufft, name)(x, **keywords)
        self.assertEqual((lazy.shape, lazy.dtype), (whole.shape, whole.dtype), case)
        self.assertEqual((lazy._meta.ndim, lazy._meta.dtype), (x.ndim, whole.dtype), case)
        self.assertEqual((result.shape, result.dtype), (whole.shape, whole.dtype), case)
        if CHOICE == "cpu":
            self.assertEqual(result.tobytes(), whole.tobytes(), case)
        if x.dtype.kind == "c" and "orthogonalize" in keywords:
            return  # SciPy 1.10 forgets it
        if keywords.get("orthogonalize", False) is not False:
            return  # SciPy 1.10 is wrong for dst
        wide = x.astype(np.result_type(x.dtype, np.float64))
        truth = getattr(scipy.fft, name)(wide, **keywords)
        bound = 4 * EPSILON[result.dtype] * np.sqrt(np.log2(max(x.size, 2)) + 1)
        error = np.linalg.norm(result - truth)
        self.assertTrue(error <= bound * np.linalg.norm(truth), f"{case}: {error}")

    def test_one_axis(self):
        for name in FOURIER * 40:
            x = self.samples(name, self.shape())
            axis = int(self.random.integers(-x.ndim, x.ndim))
            n = int(self.pick(LENGTHS[1:])) if self.random.integers(2) else None
            if name == "irfft" and n is None and x.shape[axis] == 1:
                continue
            self.compare(name, x, n=n, axis=axis, norm=self.pick(NORMS))

    def test_trigonometric(self):
        for name in TRIGONOMETRIC:
            for type in (1, 2, 3, 4) * 3:
                x = self.samples(name, self.shape())
                axis = int(self.random.integers(-x.ndim, x.ndim))
                n = int(self.pick(LENGTHS[1:]))
                how = {"norm": self.pick(NORMS)}
                how["orthogonalize"] = self.pick([None, False, True])
                self.compare(name, x, type=type, n=n, axis=axis, **how)

    def test_several_axes(self):
        for name in SEVERAL_AXES * 60:
            x = self.samples(name, self.shape())
            axes = self.random.permutation(x.ndim)[: self.random.integers(1, x.ndim + 1)]
            axes = self.pick([None, axes.tolist()])
            count = x.ndim if axes is None else len(axes)
            s = self.pick([None, [int(self.pick(LENGTHS[:10])) for _ in range(count)]])
            self.compare(name, x, s=s, axes=axes, norm=self.pick(NORMS))

    def test_two_axes(self):
        for name in ("fft2", "ifft2") * 4:
            shape = (5, self.pick(LENGTHS[1:]), self.pick(LENGTHS[1:11]))
            self.compare(name, self.samples(name, shape), norm=self.pick(NORMS))

    def test_other_types(self):
        for kind in ("int16", "bool", ">f8", ">c8"):
            for name in ("fft", "fft2", "dct"):
                x = self.random.integers(0, 2, (20, 64)).astype(kind)
                lazy = getattr(gpufft_dask, name)(self.chunked(x), engine=CHOICE)
                self.assert_close(lazy.compute(), getattr(gpufft, name)(x))

    def test_no_points_and_no_axes(self):
        empty = da.from_array(np.zeros((0, 8), np.complex64))
        self.assertEqual(gpufft_dask.rfft(empty.real).compute().shape, (0, 5))
        self.assertEqual(gpufft_dask.dct(empty).compute().dtype, np.complex64)
        empty = empty.rechunk(((0, 0), 3))  # two chunks along the axis without points
        self.assert_refuses(ValueError, ["[0]"], gpufft_dask.fft, empty, axis=0)
        padded = gpufft_dask.fft(empty, n=4, axis=0)
        np.testing.assert_array_equal(padded.compute(), np.zeros((4, 8)))
        x = self.chunked(self.samples("fftn", (3, 4)))
        self.assertIs(gpufft_dask.fftn(x, axes=[]), x)

    def test_takes_what_dask_takes(self):
        x = self.samples("fft", (6, 32))
        np.testing.assert_array_equal(
            gpufft_dask.fft(x, engine=CHOICE).compute(), gpufft.fft(x)
        )

    def test_chunks_of_other_axes_stay(self):
        x = da.zeros((40, 30, 7), chunks=((10, 30), 30, 7), dtype=np.float32)
        self.assertEqual(gpufft_dask.rfft(x, axis=1).chunks, ((10, 30), (16,), (7,)))
        self.assertEqual(gpufft_dask.fft2(x).chunks, ((10, 30), (30,), (7,)))

    def test_chunks_keep_their_size(self):
        x = da.zeros((4000, 3000), chunks=(1000, 100), dtype=np.complex64)
        self.assertEqual(gpufft_dask.fft(x, axis=0).chunksize, (4000, 25))
        self.assertLessEqual(math.prod(gpufft_dask.fftn(x).chunksize), 100000)

    def test_it_is_lazy(self):
        computed = []

        def block():
            computed.append(1)
            return np.ones((4, 8))

        x = da.from_delayed(dask.delayed(block)(), (4, 8), dtype=float)
        lazy = [
            gpufft_dask.fft(x.rechunk((2, 3)), axis=0),
            gpufft_dask.fft2(x),
            gpufft_dask.ifftn(x.rechunk((2, 3)), s=(9, 9)),
            gpufft_dask.dct(x),
        ]
        self.assertEqual(computed, [])
        dask.compute(lazy)
        self.assertEqual(computed, [1])

    def test_equal_calls_have_equal_keys(self):
        x = da.ones((4, 8), chunks=2)
        names = {gpufft_dask.fft2(x, norm=norm).name for norm in (None, "ortho", "ortho")}
        self.assertEqual(len(names), 2)

    def test_threads_and_processes(self):
        x = self.samples("fft", (50, 64, 30))
        lazy = gpufft_dask.fftn(da.from_array(x, chunks=(20, 30, 30)), engine=CHOICE)
        expected = lazy.compute()
        for scheduler in ("threads", "processes"):
            result = lazy.compute(scheduler=scheduler, num_workers=2)
            np.testing.assert_array_equal(result, expected)

    def test_errors(self):
        x = da.ones((4, 8), chunks=2)
        refuses, dask_fft = self.assert_refuses, gpufft_dask.fft
        refuses(ValueError, ["Invalid norm", "max"], dask_fft, x, norm="max")
        refuses(ValueError, ["Invalid norm", "max"], gpufft_dask.fft2, x, norm="max")
        refuses(ValueError, ["engine", "gpu"], dask_fft, x, engine="gpu")
        refuses(ValueError, ["engine", "gpu"], gpufft_dask.fftn, x, engine="gpu")
        refuses(ValueError, ["0", "1 or more"], dask_fft, x, n=0)
        refuses(ValueError, ["0", "1 or more"], gpufft_dask.fft2, x, s=(0, 4))
        refuses(ValueError, ["axis 2", "dimension 2"], dask_fft, x, axis=2)
        refuses(ValueError, ["unique", "[0, 0]"], gpufft_dask.fftn, x, axes=(0, 0))
        refuses(ValueError, ["type is 5"], gpufft_dask.dct, x, type=5)
        refuses(ValueError, ["dct1 is 1"], gpufft_dask.dct, x, 1, n=1)
        refuses(TypeError, ["real", "complex128"], gpufft_dask.rfft, x * 1j)
        refuses(TypeError, ["float128"], dask_fft, x.astype(np.longdouble))
        refuses(TypeError, ["'nrm'", "norm"], dask_fft, x, nrm="ortho")
        unknown = x[x[:, 0] > 0]
        refuses(ValueError, ["unknown", "compute_chunk_sizes"], dask_fft, unknown)

    def test_tasks_of_other_engines_wait(self):
        inside, leave, seen = threading.Event(), threading.Event(), []

        def stay():
            with on_engine("auto", 0):
                inside.set()
                leave.wait(PATIENCE)
                seen.append(gpufft.get_engine()[0])

        def pass_by():
            with on_engine("cpu", 0):
                seen.append(gpufft.get_engine()[0])

        first, second = threading.Thread(target=stay), threading.Thread(target=pass_by)
        first.start()
        inside.wait(PATIENCE)
        second.start()
        second.join(0.2)  # long enough to go wrong
        leave.set()
        first.join(PATIENCE)
        second.join(PATIENCE)
        self.assertEqual(seen, ["auto", "cpu"])
        self.assertEqual(gpufft.get_engine()[0], CHOICE)

    def test_gpufft_itself_does_not_import_dask(self):
        words = "import sys; from gnuradio import gpufft; print('dask' in sys.modules)"
        run = subprocess.run([sys.executable, "-c", words], stdout=-1, check=True)
        self.assertEqual(run.stdout, b"False\n")

    def test_without_dask_one_line_says_what_to_install(self):
        words = (
            "import sys; sys.modules['distributed'] = None; import gnuradio.gpufft.dask"
        )
        run = subprocess.run([sys.executable, "-c", words], stderr=-1, check=False)
        last = run.stderr.decode().splitlines()[-1]
        self.assertRegex(last, "ImportError: .*Dask.* install python3-distributed$")


if __name__ == "__main__":
    gr_unittest.main()
