#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdicts on the papers' claims: each measure with results that hold and that do not; and
the page that opens with them."""

import re
import shutil
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from cli import experiment_docs
from cli.experiment_data import Published, Results, Row, read_published
from cli.experiment_lists import EXPERIMENTS
from cli.experiment_sources import hash_of_kernels
from cli.experiment_verdicts import (
    FAILS,
    HOLDS,
    MEASURES,
    RULES,
    UNTESTED,
    Verdict,
    table,
    verdicts,
)

PROJECT = Path(__file__).resolve().parent.parent
CLAIM = Published(
    "Somebody 2008", "govindaraju_fig12", "Fig. 1", "2 to 4 times CUFFT", "a card", 2, 4,
    "times", "speed", "cufft", "", "", "", "page 1",
)  # fmt: skip
HEAD = [
    "CUDA: NVRTC 13.0; cuFFT 12.0.0; VkFFT 1.3.4",
    "copy rate: 1000 GB/s (driver 1000)",
]


def row(n, ours, cufft=None, vkfft=None, series="", **more):
    """A batch of 2^20 points."""
    ms = {"ours": ours, "cufft": cufft, "vkfft": vkfft}
    return Row((n,), 2**20 // n, series, ms, **more)


def cpu_row(n, ms, threads, series="mkl"):
    """The same on a CPU."""
    problem = f"c2c_forward_n{n}_b{2**20 // n}"
    return Row((n,), 2**20 // n, series, {"ours": ms}, threads=threads, problem=problem)


def find(claim, rows, cpus=()):
    """What the claim's measure finds in rows of one card."""
    return MEASURES[claim.measure](claim, Results("h1", HEAD, rows), cpus)


class Measures(unittest.TestCase):
    def test_a_speed_is_a_geometric_mean_over_the_sizes_that_are_meant(self):
        rows = [row(8, 1, 100), row(1024, 1, 2), row(4096, 1, 8)]
        found = find(replace(CLAIM, sizes="1024-"), rows)
        self.assertEqual(found.text, "4.00 (2.00 … 8.00, 2 problems) × cuFFT 12.0.0")
        self.assertIs(found.holds, True)
        self.assertIs(find(replace(CLAIM, sizes="1024"), rows).holds, True)
        self.assertIs(find(replace(CLAIM, sizes="1024", low=2.1), rows).holds, False)
        self.assertIsNone(find(replace(CLAIM, sizes="16"), rows))
        self.assertIsNone(find(CLAIM, [row(8, 1)]))
        self.assertIsNone(find(CLAIM, [row(8, None, 1)]))  # failed

    def test_named_algorithms_are_not_the_planners_choice(self):
        rows = [row(8, 1, 3, series="ladder2"), row(8, 1, 1)]
        self.assertIs(find(CLAIM, rows).holds, False)
        self.assertIs(find(replace(CLAIM, series="ladder2"), rows).holds, True)
        named = replace(CLAIM, measure="best_series", low=1)
        slow = row(8, 9, 3, series="ladder4")
        found = find(named, [*rows, slow])
        self.assertEqual(found.text, "the fastest, ladder2: 3.00 × cuFFT 12.0.0")
        self.assertIs(find(named, [slow, row(8, 1, 3)]).holds, False)

    def test_a_cpu_of_fewer_cores_than_then_decides_nothing(self):
        claim = replace(CLAIM, measure="cpu_speed", peer="mkl")
        rows = [row(8, 1), row(16, 1)]
        small = Results("epyc2", [], [cpu_row(8, 9, 1), cpu_row(8, 10, 2)])
        found = find(claim, rows, [small])
        self.assertIsNone(found.holds)
        self.assertIn("on 2 cores only", found.why)
        self.assertEqual(found.text, "")  # nor is its ratio shown
        large = Results("xeon16", [], [cpu_row(8, 4, 1), cpu_row(8, 3, 16)])
        fast_alone = Results("xeon16", [], [cpu_row(8, 2, 1), cpu_row(8, 3, 16)])
        self.assertIn("2.00", find(claim, rows, [fast_alone]).text)
        found = find(claim, rows, [small, large])
        self.assertEqual(found.text, "3.00 (1 problem) × MKL on 16 cores (xeon16)")
        self.assertIs(found.holds, True)
        self.assertIs(find(replace(claim, low=3.1), rows, [large]).holds, False)
        self.assertIsNone(
            find(claim, rows, [Results("x", [], [cpu_row(8, 1, 16, "fftw")])])
        )

    def test_best_rates_and_sizes_one_by_one(self):
        rows = [
            row(8, 1, 3, 2),
            row(1024, 1, 1, 2),
        ]  # the best of ours 1024, of cuFFT too
        found = find(replace(CLAIM, measure="best_rate"), rows)
        self.assertEqual((found.text, found.holds), ("1.00 × cuFFT 12.0.0", False))
        claim = replace(CLAIM, measure="ahead", peer="vkfft", low=1)
        self.assertIs(find(claim, rows).holds, True)
        found = find(claim, [*rows, row(16, 1, 1, 0.5)])
        self.assertEqual(found.text, "2.00 at 8, 2.00 at 1024, 0.50 at 16 × VkFFT 1.3.4")
        self.assertIs(found.holds, False)

    def test_errors(self):
        rows = [row(8, 1, error={"ours": 1e-7, "cufft": 2e-7}), row(16, 1, error={})]
        claim = replace(CLAIM, measure="error_gain", low=17)
        self.assertEqual(find(claim, rows).text, "50 % below cuFFT's (1 problems)")
        self.assertIs(find(claim, rows).holds, True)
        self.assertIs(find(replace(claim, low=51), rows).holds, False)
        worse = [row(8, 1, error={"ours": 2e-7, "cufft": 1e-7})]
        self.assertIs(find(replace(claim, low=0), worse).holds, False)
        most = replace(CLAIM, measure="error_at_most", low=1e-6, high=1e-6)
        self.assertIs(find(most, [row(8, 1, error={"ours": 3e-6})]).holds, True)
        self.assertIs(find(most, [row(8, 1, error={"ours": 4e-6})]).holds, False)
        reached = replace(CLAIM, measure="error_reaches", low=0.1, high=0.1)
        self.assertIs(find(reached, [row(8, 1, error={"ours": 0.04})]).holds, True)
        self.assertIs(find(reached, [row(8, 1, error={"ours": 0.03})]).holds, False)
        self.assertIsNone(find(reached, []))

    def test_registers_passes_and_the_copy_rate(self):
        claim = replace(CLAIM, measure="registers", series="single", sizes="64", high=40)
        codelet = Row((64,), 1, "single", registers=254)
        self.assertEqual(find(claim, [codelet]).text, "254 registers")
        self.assertIs(find(claim, [codelet]).holds, False)
        self.assertIs(find(claim, [replace(codelet, registers=40)]).holds, True)
        claim = replace(CLAIM, measure="passes", low=1, high=5)
        twice = row(8, 1, recipe="tensor(8: x, 2 passes over memory)")
        self.assertIs(find(claim, [twice]).holds, True)
        self.assertIs(find(replace(claim, high=1), [twice]).holds, False)
        # 16 bytes * 2^20 * 3 passes in 0.05 ms are 1007 GB/s
        claim = replace(CLAIM, measure="copy_share", series="ladder2", low=1)
        ladder = row(8, 0.05, series="ladder2", recipe="cuda: ladder2(8: 2·2·2), [...")
        self.assertEqual(find(claim, [ladder]).text, "3 passes at 1.01 of the copy rate")
        self.assertIs(find(claim, [ladder]).holds, True)
        self.assertIs(find(claim, [replace(ladder, ms={"ours": 0.06})]).holds, False)

    def test_shares_of_fftw(self):
        claim = replace(CLAIM, measure="share_of_fftw", series="a b", sizes="8", low=42)

        def share(a, b, measured, estimated):
            series = {
                "a": a,
                "b": b,
                "fftw_measure": measured,
                "fftw_estimate": estimated,
            }
            return find(claim, [row(8, ms, series=name) for name, ms in series.items()])

        found = share(10, 4, 2, 3)
        self.assertEqual(
            found.text,
            "b: 50 % of FFTW's with a measured plan, 75 % with an estimated one",
        )
        self.assertIs(found.holds, True)
        self.assertIs(share(10, 5, 1, 2).holds, False)
        found = share(10, 4, 1, 2)
        self.assertIsNone(found.holds)
        self.assertIn("depends on FFTW's planning", found.why)
        self.assertIsNone(find(claim, [row(8, 1, series="a")]))


class Verdicts(unittest.TestCase):
    def test_a_claim_holds_on_every_card_or_not(self):
        results = [Results(name, [], []) for name in ("h100", "h200")]
        good, bad = find(CLAIM, [row(8, 1, 2)]), find(CLAIM, [row(8, 1, 1)])
        self.assertEqual(Verdict(CLAIM, [("x", results[0], good)]).word, HOLDS)
        mixed = Verdict(CLAIM, [("x", results[0], good), ("x", results[1], bad)])
        self.assertEqual(mixed.word, FAILS)
        self.assertEqual(Verdict(CLAIM, []).word, UNTESTED)
        self.assertEqual(Verdict(CLAIM, []).why, "not measured yet")

    def test_the_table_shows_failures_as_clearly(self):
        made = [
            Verdict(
                CLAIM,
                [
                    (
                        "govindaraju_fig12",
                        Results("h1", [], []),
                        find(CLAIM, [row(8, 1, 1)]),
                    )
                ],
            ),
            Verdict(replace(CLAIM, measure="", why="a rate"), []),
        ]
        lines = list(
            table(made, lambda name, results: f"{name} {results.card}", lambda _: "!")
        )
        self.assertEqual(
            lines[0], "Of 2 claims 0 hold, 1 do not hold, and 1 cannot be tested."
        )
        self.assertEqual(
            lines[-2],
            "| Somebody 2008, Fig. 1 | 2 to 4 times CUFFT | a card | 1.00 (1 problem) × cuFFT 12.0.0 (govindaraju_fig12 h1!) | **does not hold** |",
        )
        self.assertTrue(lines[-1].endswith("| - | cannot be tested: a rate |"))

    def test_results_are_read_from_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            (made,) = verdicts([CLAIM], folder)
            self.assertEqual(made.findings, [])
            (Path(folder) / "experiment_govindaraju_fig12_h9.csv").write_text(
                "# card: x\nfamily,problem,ours_ms,cufft_ms\n"
                "problem,c2c_forward_n8_b2,1,3\n",
                encoding="utf-8",
            )
            (made,) = verdicts([CLAIM], folder)
            self.assertEqual(made.word, HOLDS)

    def test_of_two_experiments_the_first_with_results_counts(self):
        claim = replace(
            CLAIM,
            experiment="govindaraju_round_trip govindaraju_fig17",
            low=1e-6,
            high=1e-6,
        )
        claim = replace(claim, measure="error_at_most")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "experiment_govindaraju_fig17_h9.csv").write_text(
                "# card: x\nfamily,problem,ours_ms,ours_error\n"
                "problem,c2c_forward_n8_b2,1,1e-6\n",
                encoding="utf-8",
            )
            (made,) = verdicts([claim], folder)
            self.assertIn("forward error", made.findings[0][2].text)
            (Path(folder) / "experiment_govindaraju_round_trip_h9.csv").write_text(
                "# card: x\nproblem,frames,rmse\nc2c_forward_n8_b1,4,1e-5\n",
                encoding="utf-8",
            )
            (made,) = verdicts([claim], folder)
            self.assertEqual(made.findings[0][0], "govindaraju_round_trip")
            self.assertEqual(
                made.findings[0][2].text, "largest round trip's RMSE 1.0e-05, at N = 8"
            )
            self.assertEqual(made.word, FAILS)


class Claims(unittest.TestCase):
    """docs/experiments/published.csv."""

    def setUp(self):
        self.claims = read_published(PROJECT / "docs" / "experiments" / "published.csv")

    def test_every_claim_has_a_source_and_a_measure_or_a_reason(self):
        for claim in self.claims:
            with self.subTest(claim=claim.claim):
                self.assertLessEqual(set(claim.experiment.split()), set(EXPERIMENTS))
                self.assertLessEqual(claim.low, claim.high)
                self.assertTrue(
                    claim.source and claim.where and claim.hardware and claim.unit
                )
                if claim.measure:
                    self.assertIn(claim.measure, MEASURES)
                    self.assertEqual(claim.why, "")
                else:
                    self.assertTrue(claim.why)
                if claim.unit == "GFLOPS":  # never across generations of hardware
                    self.assertEqual(claim.measure, "")

    def test_no_claim_comes_twice_and_no_work_is_left_out(self):
        keys = [(claim.work, claim.where, claim.claim) for claim in self.claims]
        self.assertEqual(len(keys), len(set(keys)))
        works = {claim.work.split()[0] for claim in self.claims}
        self.assertLessEqual({"Govindaraju", "Gu", "Bainville", "Tsai"}, works)


class Page(unittest.TestCase):
    """docs/experiments.md itself."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs = Path(folder.name) / "docs"
        shutil.copytree(PROJECT / "docs", self.docs)
        self.results = self.docs / "results"

    def page(self):
        """The page from the copied files, with this project's sources."""
        page = self.docs / "experiments.md"
        published = self.docs / "experiments" / "published.csv"
        experiment_docs.write(self.results, published, page, PROJECT)
        return page.read_text(encoding="utf-8")

    def csvs(self):
        """The experiments' files, without the details."""
        found = sorted(self.results.glob("experiment_*.csv"))
        return [path for path in found if not path.stem.endswith("_details")]

    def test_is_what_the_results_give(self):
        self.assertEqual(
            self.page(),
            (PROJECT / "docs" / "experiments.md").read_text(encoding="utf-8"),
            "write it anew: gpufft bench --experiment docs",
        )

    def test_every_csv_names_its_command_and_commit(self):
        page = self.page()
        for path in self.csvs():
            text = path.read_text(encoding="utf-8")
            found = re.search(r"(?m)^# command: gpufft bench --experiment (\w+)$", text)
            self.assertTrue(found, path.name)
            self.assertTrue(path.name.startswith(f"experiment_{found[1]}_"), path.name)
            self.assertRegex(text, r"(?m)^# commit: [0-9a-f]{7,}$", path.name)
            self.assertIn(f"](results/{path.name})", page)

    def test_no_figure_is_written_by_hand(self):
        """Without the CSV files the page has no measured or published figure left."""
        for path in self.csvs():
            path.unlink()
        published = self.docs / "experiments" / "published.csv"
        lines = published.read_text(encoding="utf-8").splitlines()
        titles = next(line for line in lines if not line.startswith("#"))
        published.write_text(titles + "\n", encoding="utf-8")
        page = self.page().replace(RULES, "")
        self.assertNotRegex(
            page, r"\d\.\d|\de-\d|\d ?(times|×|GFLOPS|%|ms|GB)\b(?! [N2])"
        )

    def test_results_of_other_kernels_are_called_older(self):
        path = self.results / "experiment_govindaraju_fig13_h200.csv"
        text = re.sub(r"(?m)^# sources: .*\n", "", path.read_text(encoding="utf-8"))
        pages = {}
        for sources in (hash_of_kernels(PROJECT), "0123456789abcdef", ""):
            fact = f"# sources: {sources}\n# command" if sources else "# command"
            path.write_text(text.replace("# command", fact), encoding="utf-8")
            pages[sources] = self.page().count("older kernels")
        now, other, none = pages.values()
        self.assertEqual(other, none)
        self.assertEqual(other, now + 2)  # in the table and in the section

    def test_every_csv_counts(self):
        """Other numbers in a file make another page."""
        page = self.page()
        for path in self.csvs():
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub(r"(?m),(\d)", r",7\1", text), encoding="utf-8")
            self.assertNotEqual(self.page(), page, path.name)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
