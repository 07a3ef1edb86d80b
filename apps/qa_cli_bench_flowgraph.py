#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft bench --flowgraph: all contests once, what they print and write, bad input."""

import csv
import math
import tempfile
import unittest
from pathlib import Path

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import experiment
from gnuradio.gpufft.cli.errors import CommandError

ENGINE = "cuda" if cli.ENGINE == "cuda" else "cpu"
CARD_ENDS = (
    "card1",
    "card2",
    "card3",
    "card5",
    "card_own1",
    "card_own3",
    "relay",
)  # nothing crosses the link
ON_CARD = ("link", "chain_long", *CARD_ENDS)
RATES = ("round_trip", "chain2", "chain3", "chain5", "power_spectrum", "small", "formats")
ON_CPU = ("fft_vcc", "fft_vcc_threads", "power_spectrum_sf")
PERCENTILES = [f"delay_us_{name}" for name in ("p50", "p90", "p99", "max")]
# Bytes of a complex sample that comes in, if not 8.
BYTES_IN = {"gpufft.power_spectrum_sf": 4, "chain of stock blocks": 4}


def is_built():
    """True if the benchmark program was."""
    try:
        experiment.find_program(experiment.FLOWGRAPH)
        return True
    except CommandError:
        return False


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def flowgraph(self, *arguments):
        return gpufft("bench", "--flowgraph", *arguments, cwd=self.folder)


@unittest.skipUnless(is_built(), "gpufft-bench-flowgraph was not built")
class QaCliBenchFlowgraph(TestCase):
    def measure(self, *arguments):
        """Runs it, which must succeed; returns what it printed, and the CSV: its head,
        its rows as dictionaries."""
        done = self.flowgraph(
            *arguments, "--engine", ENGINE, "--quick", "--csv", "x.csv", "--commit", "abc"
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = (self.folder / "x.csv").read_text().splitlines()
        head = [line for line in lines if line.startswith("#")]
        return done.stdout, "\n".join(head), list(csv.DictReader(lines[len(head) :]))

    @unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
    def test_all_contests(self):
        names = (*RATES, "slow", *ON_CPU, *(ON_CARD if ENGINE == "cuda" else ()))
        out, head, rows = self.measure("--only", ",".join(names))
        for fact in ("# cpu: ", "commit abc", "# command: gpufft bench --flowgraph"):
            self.assertIn(fact, head)
        self.assertEqual({row["case"] for row in rows}, set(names))
        for row in rows:
            self.assertIn(row["block"] if row["case"] != "link" else "link", out)
            with self.subTest(row=row):
                check = {"slow": self.check_delays, "link": self.check_link}
                check.get(row["case"], self.check_rates)(row)
        self.check_ratios(rows)

    def check_rates(self, row):
        rates = [float(row[f"msps_{name}"]) for name in ("min", "median", "max")]
        self.assertEqual(rates, sorted(rates))
        self.assertGreater(rates[0], 0)
        self.assertGreater(float(row["chunk_bytes"]), 0)
        self.assertGreater(float(row["cores"]), 0)
        if row["case"] in CARD_ENDS:
            self.assertEqual(row["up_gbs"] + row["down_gbs"] + row["link_msps"], "")
            limit = float(row["kernel_msps"])
            self.assertAlmostEqual(float(row["of_limit"]), rates[1] / limit, places=4)
            return
        formats = row["block"].split()[1:]  # e.g. cs16, or s16 to cs8
        format_bytes = {"cs16": 4, "cs8": 2, "s16": 2}.get((*formats, "")[0], 8)
        up = 1e-3 * rates[1] * BYTES_IN.get(row["block"], format_bytes)
        self.assertAlmostEqual(float(row["up_gbs"]), up, delta=1e-4 * up)
        if "spectrum" not in row["case"] and "to" not in formats:
            self.assertEqual(row["up_gbs"], row["down_gbs"])
        ours = row["case"] not in ON_CPU and "gpufft" in row["block"]
        of_card = ENGINE == "cuda" and ours
        for name in ("link_msps", "of_best_link", "of_limit"):
            self.assertEqual(row[name] != "", of_card)
        self.assertEqual(row["kernel_msps"] != "", of_card and "chain" in row["case"])
        self.assertEqual(row["edge"] != "", "chain" in row["case"])
        if of_card:
            limit = min(
                float(row[name]) for name in ("link_msps", "kernel_msps") if row[name]
            )
            self.assertAlmostEqual(float(row["of_limit"]), rates[1] / limit, places=4)

    def check_delays(self, row):
        delays = [float(row[name]) for name in PERCENTILES]
        self.assertEqual(delays, sorted(delays))
        self.assertGreater(delays[0], 0)
        self.assertIn(float(row["msps_median"]), (1, 10, 100))

    def check_link(self, row):
        given = [row[name] != "" for name in ("up_gbs", "down_gbs")]
        directions = {"up": [True, False], "down": [False, True], "duplex": [True, True]}
        self.assertEqual(given, directions[row["block"].split()[1]])

    def check_ratios(self, rows):
        pairs = 0
        for ours, other in zip(rows, rows[1:]):
            if ours["ratio_to_other"] and other["ratio_to_other"] == "1":
                ratio = float(ours["msps_median"]) / float(other["msps_median"])
                self.assertTrue(
                    math.isclose(float(ours["ratio_to_other"]), ratio, rel_tol=1e-4)
                )
                pairs += 1
        self.assertEqual(pairs, 6)  # round_trip two, small, and those of the CPU

    @unittest.skipIf(ENGINE == "cuda", "once is enough")
    def test_list(self):
        done = self.flowgraph("--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in (*RATES, *ON_CPU, *ON_CARD, "slow", "of_limit"):
            self.assertIn(f"{name} ", done.stdout)

    @unittest.skipIf(ENGINE == "cuda", "once is enough")
    def test_bad_input(self):
        for arguments, status, text in (
            (["--only", "nope"], 2, 'is "nope", but must be of: link, round_trip, '),
            (["--only", "link", "--engine", "cpu"], 2, "--only link needs --engine cuda"),
            (["--engine", "host"], 2, 'is "host", but must be cuda, cpu or auto'),
            (["--repeats", "0"], 2, "--repeats is 0, but must be in 1 ... 1000"),
            (["--repeats", "x"], 2, "repeats"),
            (["--seconds", "0"], 2, "--seconds is 0, but must be in 0.001 ... 1000"),
            (["--devices", "0,0"], 2, 'is "0,0", but must be different indices'),
            (["--devices", "-1"], 2, 'is "-1", but must be different indices'),
            (["--engine", "cpu", "--csv", "no/x.csv"], 1, "cannot write no/x.csv"),
            (["c2c_forward_n8_b1"], 2, "--flowgraph takes no problems"),
            (["--board"], 2, "--board is not for --flowgraph"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_refused(self.flowgraph(*arguments), status, text)
        done = gpufft("bench", "--only", "slow", cwd=self.folder)
        self.assert_refused(done, 2, "--only is for --flowgraph only")

    @unittest.skipIf(ENGINE == "cuda", "once is enough")
    def test_says_that_there_is_no_gpu(self):
        done = self.flowgraph("--engine", "cuda", "--quick", "--only", "small")
        if done.returncode == 0:
            self.skipTest("there is one")
        self.assert_refused(done, 1, "--engine cuda cannot run here: ")

    def assert_refused(self, done, status, text):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)


@unittest.skipIf(is_built(), "it was built")
class QaNotBuilt(TestCase):
    def test_says_how_to_build_it(self):
        done = self.flowgraph("--engine", "cpu")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-DENABLE_BENCHMARKS=ON", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
