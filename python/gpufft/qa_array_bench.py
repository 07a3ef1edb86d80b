#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/benchmark/bench_array_block.py runs, on the CPU and on simulated cards. On a real
card it needs CuPy, and is run by hand."""

import importlib.util
import pathlib
import unittest

import numpy as np
from gnuradio import gpufft, gr_unittest
from qa_array_support import IS_SIMULATED, array_case, on_arrays, simulate
from qa_support import ENGINE

PATH = pathlib.Path(__file__).parents[2] / "tests" / "benchmark" / "bench_array_block.py"


@unittest.skipIf(ENGINE == "cuda" and not IS_SIMULATED, "CuPy's array is by hand")
class qa_array_bench(array_case):
    def test_a_row(self):
        spec = importlib.util.spec_from_file_location("bench_array_block", PATH)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if IS_SIMULATED:
            simulate()

        def make_function(n):
            factors = np.exp(1j * np.arange(n)).astype(np.complex64)
            return on_arrays(lambda x: x * factors)

        runs = module.bench(ENGINE, "", make_function, 0.2)
        if IS_SIMULATED:  # without CUDA C++
            runs.end = lambda name, *signatures: gpufft.array_block(
                lambda x, out: None, *signatures, engine=ENGINE
            )
        row = dict(zip(module.FIELDS.split(","), runs.row(1024)))
        for name in ("link", "host", "card"):
            self.assertGreater(row[name], 0, name)
        self.assertEqual(row["host_share"], row["host"] / row["link"])
        if IS_SIMULATED:
            self.assertGreater(row["alone"], 0)


if __name__ == "__main__":
    gr_unittest.run(qa_array_bench)
