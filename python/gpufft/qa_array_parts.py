#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans on several GPUs, of arrays in parts on them: on simulated cards, on two real ones,
and on the CPU the errors."""

import ctypes
import gc
import unittest

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_array_support import IS_SIMULATED, LIBRARY, array_case
from qa_support import ENGINE

DEVICES = [0, 1]
HAS_CARDS = IS_SIMULATED or (
    ENGINE == "cuda" and len(gpufft.query_cuda()["devices"]) >= len(DEVICES)
)
needs_cards = unittest.skipUnless(HAS_CARDS, "this takes two cards")


class SimulatedArray:
    """An array on a simulated card, as another library would have it."""

    def __init__(self, values, device):
        LIBRARY.gpufft_simulated_array.restype = ctypes.c_void_p
        address = LIBRARY.gpufft_simulated_array(
            device,
            ctypes.c_char_p(values.tobytes()),
            ctypes.c_size_t(values.nbytes),
        )
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (address, False),
            "stream": 1,
        }


def on_card(values, device):
    values = np.ascontiguousarray(values)
    if IS_SIMULATED:
        return SimulatedArray(values, device)
    return gpufft.to_device(values, device)


def to_parts(x, axis=0):
    """The parts of an array on the cards."""
    parts = np.array_split(x, len(DEVICES), axis)
    return [on_card(part, device) for part, device in zip(parts, DEVICES)]


def to_host(array, device):
    if not IS_SIMULATED:
        return array.to_host()
    interface = array.__cuda_array_interface__
    values = np.empty(interface["shape"], interface["typestr"])
    LIBRARY.gpufft_simulated_read(
        device,
        ctypes.c_void_p(interface["data"][0]),
        ctypes.c_void_p(values.ctypes.data),
        ctypes.c_size_t(values.nbytes),
    )
    return values


def from_parts(parts, axis=0):
    return np.concatenate([to_host(*each) for each in zip(parts, DEVICES)], axis)


class qa_array_parts(array_case):
    def tearDown(self):
        gc.collect()
        if IS_SIMULATED:
            LIBRARY.gpufft_free_simulated_arrays()
        super().tearDown()

    def plan(self, **what):
        return gpufft.plan(engine="cuda", device=DEVICES, **what)

    @needs_cards
    def test_frames(self):
        for shape in ((4096,), (1001,), (64, 48), (9, 10), (8, 6, 10)):
            x = self.complex_noise(1, int(np.prod(shape))).reshape(shape)
            plan = self.plan(kind="c2c", lengths=shape)
            spectrum = from_parts(plan.execute(to_parts(x)))
            self.assertEqual((spectrum.dtype, spectrum.shape), (np.complex64, shape))
            self.assert_close(spectrum, np.fft.fftn(x))

    @needs_cards
    def test_several_frames_and_out(self):
        x = self.complex_noise(3, 12 * 10).reshape(3, 12, 10)
        plan = self.plan(kind="c2c", lengths=(12, 10), direction="inverse", batch=3)
        parts = to_parts(x, 1)
        self.assertEqual(plan.execute(parts, parts)[1], parts[1])  # in place
        self.assert_close(from_parts(parts, 1), np.fft.ifft2(x) * 120)

    @needs_cards
    def test_reals(self):
        x = self.complex_noise(1, 30 * 16).real.reshape(30, 16).copy()
        bins = from_parts(self.plan(kind="r2c", lengths=(30, 16)).execute(to_parts(x)))
        self.assert_close(bins, np.fft.rfft2(x))
        back = self.plan(kind="c2r", lengths=(30, 16)).execute(to_parts(bins))
        self.assert_close(from_parts(back), x * x.size)
        rows = self.complex_noise(1, 1000).real.reshape(1000).copy()
        bins = from_parts(self.plan(kind="r2c", lengths=1000).execute(to_parts(rows)))
        self.assert_close(bins, np.fft.rfft(rows))

    @needs_cards
    def test_bins_split_along_the_second_axis(self):
        for kind, shape in (("c2c", (12, 10)), ("c2c", (6, 5, 4)), ("r2c", (12, 10))):
            x = self.complex_noise(*shape)
            if kind == "r2c":
                x = x.real.copy()
            plan = self.plan(kind=kind, lengths=shape, transposed=True)
            bins = plan.execute(to_parts(x))
            expected = np.fft.rfftn(x) if kind == "r2c" else np.fft.fftn(x)
            self.assert_close(from_parts(bins, 1), expected)
            back = {"kind": "c2r"}
            if kind == "c2c":
                back = {"kind": "c2c", "direction": "inverse"}
            plan = self.plan(lengths=shape, transposed=True, **back)
            self.assert_close(from_parts(plan.execute(bins)), x * x.size)

    @needs_cards
    def test_bad_parts(self):
        x = self.complex_noise(1, 9 * 4).reshape(9, 4)
        plan = self.plan(kind="c2c", lengths=(9, 4))
        parts = to_parts(x)
        for words, bad, *more in (
            (["input", "list of 2 arrays", "[0, 1]"], parts[:1]),
            (["part 0 of input is 4 by 4", "5 by 4"], parts[::-1]),
            (["part 1 of input", "5 by 4", "4 by 4"], [parts[0], parts[0]]),
            (["out", "list of 2 arrays"], parts, parts[0]),
            (["part 0 of out is 4 by 4"], parts, parts[::-1]),
            (["stream is 7", "1", "2"], parts, None, 7),
        ):
            self.assert_refuses(ValueError, words, plan.execute, bad, *more)
        even = self.plan(kind="c2c", lengths=(8, 4))
        swapped = even.execute(to_parts(x[:8]))[
            ::-1
        ]  # with __dlpack__, which names devices
        words = ["part 0 of input is on device 1", "must be on 0"]
        self.assert_refuses(ValueError, words, even.execute, swapped)
        with self.assertRaisesRegex(
            TypeError, "part 1 of input is not on a GPU.*device 1"
        ):
            plan.execute([parts[0], np.ones((4, 4), np.complex64)])
        with self.assertRaisesRegex(TypeError, "part 0 of input has dtype.*complex64"):
            plan.execute(to_parts(x.astype(np.complex128)))

    def test_plans_on_one_device(self):
        class Somewhere:
            """An array on a GPU."""

            __cuda_array_interface__ = {}

        plan = gpufft.plan("c2c_forward_n8_b1", engine="cpu")
        self.assert_refuses(
            ValueError, ["one device", "device=[0, 1]"], plan.execute, [Somewhere()] * 2
        )


if __name__ == "__main__":
    gr_unittest.run(qa_array_parts)
