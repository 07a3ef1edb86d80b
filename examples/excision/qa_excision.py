#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The excision example: all symbols are right, as clear as theory says, and wrong without
it. On a GPU it needs CuPy."""

import importlib.util
import math
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import excision  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)


class QaExcision(ExampleTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if ENGINE == "cuda" and importlib.util.find_spec("cupy") is None:
            raise unittest.SkipTest("there is no CuPy")

    def test_symbols_are_as_clear_as_theory_says(self):
        receiver = excision.Receiver(excision.LIMIT, ENGINE, 3)
        symbols = receiver.receive()
        errors, ratio = excision.quality(symbols, receiver.symbols)
        self.assertEqual(errors, 0)
        removed = receiver.removed()
        self.assertTrue(0.005 < removed < 0.1, removed)
        self.assertAlmostEqual(ratio, excision.expected(removed), delta=0.5)
        if ENGINE == "cuda":
            for stage in receiver.stages[1:]:
                self.assertEqual(stage.statistics()["bytes_up"], 0)

    def test_without_excision_they_are_lost(self):
        receiver = excision.Receiver(math.inf, ENGINE, 3)
        errors, _ = excision.quality(receiver.receive(), receiver.symbols)
        self.assertGreater(errors, excision.SYMBOLS / 4)

    def test_the_code_is_one_of_maximal_length(self):
        spectrum = abs(np.fft.fft(excision.chips())) ** 2
        np.testing.assert_allclose(spectrum[0], 1, atol=1e-4)
        np.testing.assert_allclose(spectrum[1:], excision.CHIPS + 1, rtol=1e-4)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "excision.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn(f"after excision: 0 of {excision.SYMBOLS} symbols", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "excision.grc"
        made = grc_variables(grc)
        count = 1500
        got = run_grc(grc, self.folder, {"symbols_file": 8 * count})["symbols_file"]
        symbols = np.frombuffer(got, np.complex64)
        sent = np.resize(made["symbols"], count)
        errors, ratio = excision.quality(symbols, sent)
        self.assertEqual(errors, 0)
        self.assertGreater(ratio, 9)


if __name__ == "__main__":
    unittest.main()
