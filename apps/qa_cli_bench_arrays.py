#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft bench --host-arrays and --on-cards: what they print and write, bad input."""

import csv
import tempfile
import unittest
from pathlib import Path

import cli_testing as cli
from cli_testing import gpufft
from gnuradio import gpufft as library
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
    @unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
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
    def test_arrays_on_two_cards(self):
        if ENGINE != "cuda" or len(library.query_cuda()["devices"]) < 2:
            self.skipTest("this takes two cards")
        problems = ("c2c_forward_n65536_b1", "c2c_inverse_n60x100_b1", "r2c_n64x30x20_b1")
        for place in ((), ("--in-place",)):
            done = gpufft(
                "bench",
                "--on-cards",
                "--csv",
                "x.csv",
                *place,
                *problems,
                cwd=self.folder,
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = (self.folder / "x.csv").read_text().splitlines()
            rows = list(csv.DictReader(line for line in lines if line[0] != "#"))
            self.assertEqual([row["problem"] for row in rows], list(problems))
            for row in rows:
                self.assertGreater(float(row["ms"]), 0)
                self.assertGreater(float(row["link_ms"]), 0)
                self.assertGreater(float(row["memory_ms"]), 0)
                if float(row["cufft_natural_ms"]) > 0:  # else cuFFT is not there: nan
                    self.assertLess(float(row["difference_to_cufft"]), 1e-6)

    @unittest.skipUnless(is_built(), "gpufft-bench-arrays was not built")
    def test_one_card_is_not_several(self):
        for arguments in (("--devices", "0"), ("--engine", "cpu")):
            done = gpufft("bench", "--on-cards", *arguments, PROBLEMS[0], cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("needs --engine cuda and two or more --devices", done.stderr)

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
            (["--on-cards", "--no-fftw"], "--no-fftw is not for --on-cards"),
            (["--on-cards", "--host-arrays"], "--host-arrays is not for --on-cards"),
            (["--on-cards", "--board"], "--board is not for --on-cards"),
            (["--host-arrays", "--no-cufft"], "--no-cufft is not for --host-arrays"),
            (
                ["--device-memory", "1"],
                "--device-memory is for --host-arrays and --on-cards only",
            ),
        ]:
            done = gpufft("bench", *arguments, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
