#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""device_timeout of every block: what it refuses, and in which words."""

import math
import os

from gnuradio import gpufft, gr_unittest
from qa_block_support import ARGUMENTS, blocks_with, make
from qa_support import GpufftTestCase

from gnuradio.gpufft.cli import ending

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # for the sink


class qa_device_timeout(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        from PyQt5.QtWidgets import QApplication

        super().setUpClass()
        cls.application = QApplication.instance() or QApplication(["qa"])
        cls.kept = []  # Python would take windows apart in any order

    def test_every_block_is_here(self):
        self.assertEqual(set(ARGUMENTS), blocks_with("device_timeout"))
        with_statistics = {
            name for name, each in vars(gpufft).items() if hasattr(each, "statistics")
        }
        self.assertLess(with_statistics, set(ARGUMENTS))

    def test_what_is_refused(self):
        for name in ARGUMENTS:
            for seconds in (-1, math.nan, math.inf, -math.inf):
                words = "device_timeout is .*: must be a finite number >= 0"
                with self.subTest(block=name, seconds=seconds):
                    with self.assertRaisesRegex(ValueError, words):
                        make(name, engine="cpu", device_timeout=seconds)

    def test_what_is_taken(self):
        for name in ARGUMENTS:
            for seconds in (0, 0.5):
                with self.subTest(block=name, seconds=seconds):
                    block = make(name, engine="cpu", device_timeout=seconds)
                    self.kept.append(block)
                    if name != "spectrum_sink":
                        self.assertEqual(block.engine(), "cpu")


if __name__ == "__main__":
    ending.run(lambda: gr_unittest.run(qa_device_timeout))
