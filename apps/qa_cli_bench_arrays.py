#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft bench --host-arrays: what it prints and writes, bad input."""

import csv
import tempfile
import unittest
from pathlib import Path

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import experiment
from gnuradio.gpufft.cli.errors import CommandError

ENGINE = "cuda" if cli.ENGINE == "cuda" else "cpu"
PROBLEMS = ("c2c_forward_n4096_b1", "r2c_n60x100_b1", "c2r_n60x100_b1_f64")


def is_built():
    """True if the benchmark program was."""
    try:
        experiment.find_program(experiment.ARRAYS)
        return True
    except CommandError:
        return False


class QaCliBenchArrays(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bench(self, *arguments):
        return gpufft("bench", "--host-arrays", *arguments, cwd=self.folder)

    @unittest.skipUnless(is_built(), "gpufft-bench-arrays was not built")
    def test_times_and_differences(self):
        for place in ((), ("--in-place",)):
            done = self.bench(
                "--engine", ENGINE, "--runs", "1", *place, "--csv", "x.csv", *PROBLEMS
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = (self.folder / "x.csv").read_text().splitlines()
            rows = list(csv.DictReader(line for line in lines if line[0] != "#"))
            self.assertEqual([row["problem"] for row in rows], list(PROBLEMS))
            for row in rows:
                self.assertIn(",".join(row.values()), done.stdout)
                self.assertEqual(row["place"], "in" if place else "out")
                self.assertEqual(row["engine"], ENGINE)
                self.assertGreater(float(row["ms"]), 0)
                self.assertGreater(float(row["fftw_ms"]), 0)
                self.assertLess(float(row["difference_to_fftw"]), 1e-6)

    @unittest.skipUnless(is_built(), "gpufft-bench-arrays was not built")
    def test_bad_values(self):
        for arguments, words in [
            (["--runs", "x", PROBLEMS[0]], '--runs is "x", but must be a whole number'),
            (["--runs", "0", PROBLEMS[0]], "must be a whole number in 1 ... 100000"),
            (["--engine", "gpu", PROBLEMS[0]], 'engine "gpu" is none of'),
            ([], "no problem to time"),
        ]:
            done = self.bench(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_options_of_others(self):
        for arguments, words in [
            (["--host-arrays", "--board"], "--board is not for --host-arrays"),
            (["--host-arrays", "--flowgraph"], "--flowgraph is not for --host-arrays"),
            (["--no-fftw"], "--no-fftw is for --host-arrays only"),
        ]:
            done = gpufft("bench", *arguments, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
