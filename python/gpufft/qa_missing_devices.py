#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A device that this machine does not have: with "auto" every block and plan computes on the
CPU and says why, "cpu" uses none, and "cuda" is refused."""

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_block_support import ARGUMENTS, make
from qa_support import GpufftTestCase

MISSING = 99
REASON = f"auto: cpu, there is no device {MISSING}: ."
# What gives no reason: a sink has its blocks for itself, functions of NumPy use no card.
BLOCKS = sorted(set(ARGUMENTS) - {"spectrum_sink", "array_block"})


class qa_missing_devices(GpufftTestCase):
    def setUp(self):
        super().setUp()
        found = gpufft.query_cuda()["devices"]
        if any(each["index"] == MISSING for each in found):
            self.skipTest(f"this machine has {len(found)} GPUs")

    def test_auto_says_why_it_takes_the_cpu(self):
        for name in BLOCKS:
            for device in (MISSING, [MISSING, 0]):
                with self.subTest(block=name, device=device):
                    if name == "fft_pdu" and device != MISSING:
                        continue  # bursts have one device
                    block = make(name, device=device)
                    self.assertEqual(block.engine(), "cpu")
                    self.assertRegex(block.engine_reason(), REASON)

    def test_one_of_several(self):
        """A machine without any card names the first of the list."""
        has_card = gpufft.query_cuda()["usable"]
        for name in BLOCKS:
            if name == "fft_pdu":
                continue
            with self.subTest(block=name):
                block = make(name, device=[0, MISSING])
                self.assertEqual(block.engine(), "cpu")
                reason = REASON if has_card else "auto: cpu, ."
                self.assertRegex(block.engine_reason(), reason)

    def test_cpu_uses_none(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                block = make(name, engine="cpu", device=MISSING)
                self.assertEqual(block.engine_reason(), "cpu: asked for")

    def test_cuda_is_refused(self):
        for name in BLOCKS:
            with self.subTest(block=name):
                with self.assertRaises((ValueError, RuntimeError)):
                    make(name, engine="cuda", device=MISSING)

    def test_plans_and_array_functions(self):
        plan = gpufft.plan("c2c_forward_n64_b1", device=MISSING)
        self.assertEqual(plan.engine, "cpu")
        self.assertRegex(plan.engine_reason, REASON)
        plan = gpufft.plan("c2c_forward_n64_b1", engine="cpu", device=MISSING)
        self.assertEqual(plan.engine_reason, "cpu: asked for")
        x = self.complex_noise(64)
        with gpufft.set_engine("auto", MISSING):
            self.assert_close(gpufft.fft(x), np.fft.fft(x).astype(np.complex64))
        with gpufft.set_engine("cuda", MISSING):
            with self.assertRaises((ValueError, RuntimeError)):
                gpufft.fft(x)


if __name__ == "__main__":
    gr_unittest.run(qa_missing_devices)
