#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""array_block with the arrays of CuPy and PyTorch: the real ones on a real card, and on
simulated cards stand-ins that check how they are called; and the driver's own calls."""

import ctypes
import importlib.util
import sys
import types
import unittest
from unittest import mock

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_array_support import IS_SIMULATED, array_case, queue
from qa_support import ENGINE, run, wait

IS_REAL_CARD = ENGINE == "cuda" and not IS_SIMULATED


def is_there(library):
    return importlib.util.find_spec(library) is not None


class scope:
    """A device or a stream that is current in a `with`."""

    current = []

    def __init__(self, kind, number, device):
        self.entry = (kind, number, device)

    def __enter__(self):
        self.current.append(self.entry)

    def __exit__(self, *_):
        assert self.current.pop() == self.entry


class stand_in_array:
    """Where an array on the card is, and what it is."""

    def __init__(self, shape, dtype, address):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.nbytes = int(np.prod(self.shape)) * self.dtype.itemsize
        self.__cuda_array_interface__ = {"data": (address, False)}


def stand_in_cupy():
    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(
        Device=lambda number: scope("device", number, number),
        ExternalStream=lambda pointer, device: scope("stream", pointer, device),
        UnownedMemory=lambda address, size, owner, device: (address, size, device),
        MemoryPointer=lambda memory, offset: (memory, offset),
    )

    def ndarray(shape, dtype, pointer):
        (address, size, device), offset = pointer
        array = stand_in_array(shape, dtype, address + offset)
        assert (array.nbytes, device) == (size, 0)
        return array

    cupy.ndarray = ndarray
    return cupy


def stand_in_torch():
    torch = types.ModuleType("torch")

    def from_dlpack(x):
        kind, number, _ = scope.current[-1]
        assert kind == "stream" and x.__dlpack_device__() == (2, 0)
        x.__dlpack__(stream=number)  # freed with the capsule
        return stand_in_array(x.shape, x.dtype, x.__cuda_array_interface__["data"][0])

    torch.cuda = types.SimpleNamespace(
        ExternalStream=lambda pointer, device: ("stream", pointer, device),
        device=lambda number: scope("device", number, number),
        stream=lambda stream: scope(*stream),
    )
    torch.from_dlpack = from_dlpack
    return torch


class qa_array_libraries(array_case):
    def filtered(self, function, library):
        """FFT, function, inverse FFT of noise, with what must come out where the function
        multiplies bin k by k."""
        n = 64
        x = self.complex_noise(500, n)
        vectors = (np.complex64, n)
        forward = gpufft.fft_vcc(n, True, [], engine=ENGINE)
        inverse = gpufft.fft_vcc(n, False, [], engine=ENGINE)
        block = gpufft.array_block(
            function, vectors, vectors, library=library, engine=ENGINE
        )
        sink = blocks.vector_sink_c(n)
        source = blocks.vector_source_c(x.ravel().tolist(), False, n)
        flowgraph = gr.top_block()
        flowgraph.connect(source, forward, block, inverse, sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        if ENGINE == "cuda":
            self.assertEqual(block.statistics()["bytes_up"], 0)
            self.assertEqual(block.statistics()["bytes_down"], 0)
        expected = n * np.fft.ifft(np.fft.fft(x) * np.arange(n))
        self.assert_close(np.reshape(sink.data(), x.shape), expected)

    def check_stand_in(self, module):
        if not IS_SIMULATED:
            self.skipTest("stand-ins are for simulated cards")

        def function(x, out):
            self.assertEqual(scope.current[0], ("device", 0, 0))
            kind, stream, device = scope.current[1]
            self.assertEqual((kind, device, x.shape[1:]), ("stream", 0, (64,)))
            self.assertEqual((out.shape, out.dtype), (x.shape, x.dtype))

            def multiply(x, out):
                out[...] = x * np.arange(64)

            queue(stream, x, out, multiply)

        with mock.patch.dict(sys.modules, {module.__name__: module}):
            self.filtered(function, module.__name__)
        self.assertEqual(scope.current, [])

    def test_stand_in_cupy(self):
        self.check_stand_in(stand_in_cupy())

    def test_stand_in_torch(self):
        self.check_stand_in(stand_in_torch())

    @unittest.skipUnless(IS_REAL_CARD, "needs a real card")
    def test_cupy(self):
        if not is_there("cupy"):
            self.skipTest("there is no CuPy")
        import cupy

        factors = cupy.arange(64, dtype=np.float32)

        def function(x, out):
            self.assertIsInstance(x, cupy.ndarray)
            cupy.multiply(x, factors, out=out)

        self.filtered(function, "cupy")
        self.filtered(lambda x, out: x * factors, "cupy")

    @unittest.skipUnless(IS_REAL_CARD, "needs a real card")
    def test_torch(self):
        if not is_there("torch"):
            self.skipTest("there is no PyTorch")
        import torch

        factors = torch.arange(64, dtype=torch.float32, device="cuda")

        def function(x, out):
            self.assertTrue(x.is_cuda)
            torch.mul(x, factors, out=out)

        self.filtered(function, "torch")
        self.filtered(lambda x, out: x * factors, "torch")

    def test_torch_on_the_cpu(self):
        if not is_there("torch"):
            self.skipTest("there is no PyTorch")
        import torch

        x = self.complex_noise(1000)

        def function(x, out):
            torch.mul(x, 2, out=out)

        block = gpufft.array_block(function, library="torch", engine="cpu")
        y, _ = run(x, block, out="c")
        np.testing.assert_array_equal(y.ravel(), 2 * x)

    def test_numpy_in_the_place_of_cupy(self):
        x = self.complex_noise(1000)
        block = gpufft.array_block(lambda x, out: 2 * x, library="cupy", engine="cpu")
        y, _ = run(x, block, out="c")
        np.testing.assert_array_equal(y.ravel(), 2 * x)

    @unittest.skipUnless(IS_REAL_CARD, "needs a real card")
    def test_calls_of_the_driver(self):
        """The block's context is current, and the stream is one of it."""
        driver = ctypes.CDLL("libcuda.so.1")

        def function(x, out):
            to, from_ = (a.__cuda_array_interface__["data"][0] for a in (out, x))
            status = driver.cuMemcpyDtoDAsync_v2(
                ctypes.c_uint64(to),
                ctypes.c_uint64(from_),
                ctypes.c_size_t(x.nbytes),
                ctypes.c_void_p(x.stream),
            )
            self.assertEqual(status, 0)

        x = self.complex_noise(200000)
        block = gpufft.array_block(function, engine=ENGINE)
        y, _ = run(x, block, out="c")
        np.testing.assert_array_equal(y.ravel(), x)


if __name__ == "__main__":
    gr_unittest.run(qa_array_libraries)
