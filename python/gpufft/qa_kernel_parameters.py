#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The names and values of kernel_block's parameters, and texts of expressions that Python
cannot read."""

import threading

import numpy as np
from gnuradio import gpufft, gr_unittest
from gnuradio.gpufft import gpufft_python
from gnuradio.gpufft.expression import expression
from qa_support import GpufftTestCase, run

KERNEL = "__global__ void nothing(const float2*, float2*, long long, ...) {}"


class qa_kernel_parameters(GpufftTestCase):
    def kernel(self, value):
        return gpufft.kernel_block(
            KERNEL, parameters={"a": value}, name="nothing", cpu=abs, engine="cpu"
        )

    def test_values_keep_within_their_type(self):
        for first, good, bad in (
            (1, (-5, True, 2**31 - 1), (2**31, -(2**31) - 1, 2**40)),
            (np.uint32(3), (0, 5, 2**32 - 1), (-1, 2**32)),
            (np.int8(1), (-128, np.int64(127)), (128, -129)),
            (np.uint64(1), (2**64 - 1,), (-1,)),
            (np.int64(1), (2**40,), (2**63,)),
            (1.0, (3, -3e38, np.inf, np.nan), (1e39, -1e300)),
            (1j, (2.0, 3e38j, 1), (1e39, 1e39j)),
            (np.float64(1), (1e300,), ()),
        ):
            block = self.kernel(first)
            for value in good:
                block.set_parameter("a", value)
                np.testing.assert_equal(block.parameters(), {"a": value})
            for value in bad:
                words = [f"parameter a is {value!r}: must be ", " ... "]
                self.assert_refuses(ValueError, words, block.set_parameter, "a", value)
                if type(value) is type(first):
                    self.assert_refuses(ValueError, words, self.kernel, value)
            np.testing.assert_equal(block.parameters(), {"a": good[-1]})
        for first, value in ((1, 2.0), (1.0, 1j), (1, [1]), (1.0, [1, [2]]), (1, None)):
            block = self.kernel(first)
            words = ["parameter a is", "must be one"]
            self.assert_refuses(TypeError, words, block.set_parameter, "a", value)
        block = gpufft.kernel_block("x * a", parameters={"a": 1.0}, engine="cpu")
        words = ["parameter a is 1e+39", "3.4028234663852886e+38"]
        self.assert_refuses(ValueError, words, block.set_parameter, "a", 1e39)

    def test_two_threads_set_two_parameters(self):
        """The kernel gets both, though the second comes while the first is on its way."""
        block = gpufft.kernel_block(
            "x * a * b", parameters={"a": 1.0, "b": 1.0}, engine="cpu"
        )
        second = threading.Thread(target=block.set_parameter, args=("b", 3.0))

        class recorder:
            """In the place of the kernel."""

            values = None

            def set_parameters(self, values):
                if second.ident is None:
                    second.start()
                    second.join(0.5)
                self.values = [np.frombuffer(each, np.float32)[0] for each in values]

        block._kernel = recorder()  # pylint: disable=protected-access
        block.set_parameter("a", 2.0)
        second.join()
        self.assertEqual(block._kernel.values, [2.0, 3.0])
        self.assertEqual(block.parameters(), {"a": 2.0, "b": 3.0})

    def test_names_in_any_script(self):
        """Also a micro sign, which Python reads as a Greek letter."""
        x = self.complex_noise(1000)
        for name in ("ü", "增益", "\u00b5", "a"):
            parameters = {name: 3.0, "b": 1j}
            text = f"x * {name} + b"
            block = gpufft.kernel_block(text, parameters=parameters, engine="cpu")
            y, _ = run(x, block, out="c")
            self.assert_close(y.ravel(), 3 * x + 1j)
            block.set_parameter(name, 4.0)
            text = expression(text, "c8", "c8", parameters).cuda()
            self.assertTrue(text.isascii())
            if gpufft.query_cuda()["nvrtc"]:
                gpufft_python.kernel_function.check(text, "gpufft_expression", 90)
        for names in (("\uff58",), ("\u00b5", "\u03bc")):  # x; both mu
            words = [repr(names[-1]), "free"]
            parameters = dict.fromkeys(names, 1.0)
            self.assert_refuses(
                ValueError, words, gpufft.kernel_block, "x", parameters=parameters
            )

    def test_texts_that_python_cannot_read(self):
        for text, words in (
            ("x\0", ["no expression", "zero byte"]),
            ("", ["no expression"]),
            ("-" * 100000 + "x", ["100001 characters", "too deeply"]),
            ("+".join(["x"] * 100000), ["199999 characters", "too deeply"]),
        ):
            self.assert_refuses(ValueError, words, gpufft.kernel_block, text)


if __name__ == "__main__":
    gr_unittest.run(qa_kernel_parameters)
