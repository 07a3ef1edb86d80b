#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions in the load and the store of plans, against NumPy."""

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, GpufftTestCase, run

LENGTHS = (1, 8, 60, 100, 1009, 4096, 20000, 65536)


class qa_expressions(GpufftTestCase):
    def test_load_and_store(self):
        """One and several passes over memory, and the product with a window between."""
        for n in LENGTHS:
            x = self.complex_noise(3, n)
            plan = gpufft.plan(
                f"c2c_forward_n{n}_b3_window_load=x * gain + 1j_store=conj(x) / (size + abs(x))",
                engine=ENGINE,
            )
            taps = 0.5 + self.random.random(n)
            plan.set_window(taps.tolist())
            for gain, size in ((0.5, 2.0), (-3.0, 0.25)):
                plan.set_parameter("gain", gain)
                plan.set_parameter("size", size)
                bins = np.fft.fft((x * gain + 1j) * taps)
                expected = bins.conj() / (size + np.abs(bins))
                result = plan.execute(x)
                error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
                self.assertLess(error, 3e-6, n)
            self.assertEqual(plan.parameters(), {"gain": -3.0, "size": 0.25})
            self.assertIn("load(x * gain + 1j), store(conj(x)", plan.describe())

    def test_formats_and_powers(self):
        samples = self.random.integers(-30000, 30000, (4, 2 * 256)).astype(np.int16)
        x = (samples[:, 0::2] + 1j * samples[:, 1::2]) / 32768
        plan = gpufft.plan(
            kind="c2c",
            lengths=256,
            batch=4,
            dtype="int16",
            output="power",
            load="x if abs(x) < limit else 0",
            store="10 * log10(norm(x) + 1e-6)",
            engine=ENGINE,
        )
        plan.set_parameter("limit", 0.5)
        bins = np.fft.fft(np.where(np.abs(x) < 0.5, x, 0))
        expected = 10 * np.log10(np.abs(bins) ** 2 + 1e-6)
        result = plan.execute(samples)
        self.assertEqual(result.dtype, np.float32)
        np.testing.assert_allclose(result, expected, atol=1e-3)

    def test_frames_that_overlap(self):
        x = self.complex_noise(1000)
        plan = gpufft.plan("c2c_inverse_n64_b9_hop10_load=x * x", engine=ENGINE)
        rows = plan.execute(x)
        frames = np.lib.stride_tricks.sliding_window_view(x * x, 64)[::10]
        self.assert_close(rows, 64 * np.fft.ifft(frames))

    def test_zoom(self):
        x = self.complex_noise(2, 100)
        text = "zoom_n100_b2_bins7_from0.1_to0.2_load=x / (1 + abs(x))"
        rows = gpufft.plan(text, engine=ENGINE).execute(x)
        y = x / (1 + np.abs(x))
        steps = 0.1 + 0.1 / 7 * np.arange(7)
        expected = y @ np.exp(-2j * np.pi * np.outer(np.arange(100), steps))
        self.assert_close(rows, expected)

    def test_blocks(self):
        """Vectors and streams, samples of all types, and changes of parameters."""
        x = self.complex_noise(50, 64)
        for vlen in (None, 1):
            block = gpufft.fft_vcc(64, True, [], vlen=vlen, engine=ENGINE)
            block.set_expressions(load="x * gain", store="x / (1 + abs(x))")
            block.set_parameters({"gain": 0.25})
            y, _ = run(x, block, out="c", vlen_in=64 if vlen is None else 1,
                       vlen_out=64 if vlen is None else 1)  # fmt: skip
            bins = np.fft.fft(0.25 * x)
            self.assert_close(y.reshape(50, 64), bins / (1 + np.abs(bins)))
            self.assertEqual(block.parameters(), {"gain": 0.25})
            self.assertIn("load(x * gain)", block.describe())
            block.set_expressions(store="conj(x)")
            self.assertEqual(block.parameters(), {})
            y, _ = run(x, block, out="c", vlen_in=64 if vlen is None else 1,
                       vlen_out=64 if vlen is None else 1)  # fmt: skip
            self.assert_close(y.reshape(50, 64), np.fft.fft(x).conj())
        block = gpufft.fft_vfc(64, True, [], engine=ENGINE)
        block.set_expressions(load="real(x) ** 2")
        y, _ = run(x.real, block, kind="f", out="c", vlen_in=64, vlen_out=64)
        self.assert_close(y, np.fft.fft(x.real**2))
        for words, call, arguments in (
            (["an operator"], block.set_expressions, ("x x",)),
            (["parameter is a", "none"], block.set_parameters, ({"a": 1.0},)),
        ):
            self.assert_refuses(ValueError, words, call, *arguments)
        self.assertEqual(block.load_expression(), "real(x) ** 2")
        self.assertEqual(block.store_expression(), "")

    def test_errors(self):
        plan = gpufft.plan("c2c_forward_n8_b1_store=x * a", engine=ENGINE)
        for words, call, *arguments in (
            (["sin is complex", 'at ""'], gpufft.plan, "c2c_forward_n8_b1_load=sin(x)"),
            (["expression", "must be there"], gpufft.plan, "c2c_forward_n8_b1_load=x+"),
            (["load", "c2c, zoom"], gpufft.plan, "filter_n8_b1_load=x"),
            (["real with output power"], gpufft.plan, "c2c_forward_n8_b1_power_store=x"),
            (["parameter is b", "one of: a"], plan.set_parameter, "b", 1.0),
        ):
            self.assert_refuses(ValueError, words, call, *arguments)
        self.assertEqual(plan.parameters(), {"a": 1.0})


if __name__ == "__main__":
    gr_unittest.run(qa_expressions)
