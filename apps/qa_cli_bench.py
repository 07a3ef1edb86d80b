#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft bench: what it measures is consistent, its CSV and plot; the named lists."""

import argparse
import csv
import importlib.util
import math
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import bench, experiment, problem_lists
from gnuradio.gpufft.cli.errors import CommandError

ENGINE = "cuda" if cli.ENGINE == "cuda" else "cpu"
COLUMNS = (
    "family,problem,placement,ours_ms,cufft_ms,vkfft_ms,ours_eff,cufft_eff,vkfft_eff,"
    "ours_error,cufft_error,recipe_from"
)
# As the program writes it; two rows have gaps.
BOARD = f"""# card: NVIDIA H200, sm_90
# copy rate: 4000 GB/s
{COLUMNS}
pow2_small,c2c_forward_n64_b2097152,out,0.5,0.6,0.55,1,0.9,0.95,1e-7,1.2e-7,wisdom
pow2_mid,c2c_forward_n16384_b8192,out,0.6,0.7,,0.9,0.7,,1e-7,1.2e-7,estimate
prime,c2c_forward_n1009_b133020,out,,2.3,1.8,,0.22,0.27,,1.5e-7,
"""
# Families that make a plot of two rows.
MORE_FAMILIES = """real,r2c_n256_b524288,out,0.3,0.4,0.5,0.8,0.7,0.6,1e-7,1.2e-7,wisdom
dct,dct2_n64_b2097152,out,0.3,,0.4,0.8,,0.7,1e-7,,wisdom
2d,c2c_forward_n16x16_b524288,out,0.5,1.0,1.1,1,0.5,0.45,1e-7,1.2e-7,wisdom
3d,c2c_forward_n8x8x8_b262144,in,0.5,1.0,1.1,1,0.5,0.45,1e-7,1.2e-7,wisdom
"""
# As gpufft-bench-flowgraph writes it.
FLOWGRAPH = """# card: NVIDIA H200, sm_90
case,n,block,threads,msps_median,msps_min,msps_max,ratio_to_other,chunk_bytes,\
up_gbs,down_gbs,link_msps,kernel_msps,of_limit,of_best_link,cores,delay_us_p50,\
delay_us_p90,delay_us_p99,delay_us_max,edge
link,,copies up GPU 0,,,,,,65536,55.12,,,,,,,,,,,
round_trip,4096,gpufft.fft_vcc,1,6000,59,61,14.1,4194304,48,48,6300,,0.9524,0.94,0.3,,,,,
round_trip,4096,fft.fft_vcc,1,425,400,430,1,65536,3.4,3.4,,,,,1,,,,,
slow,1024,gpufft.fft_vcc cpu,1,1,,,,,,,,,,,0.21,84.2,103.9,125.1,214.7,
"""


def program():
    """The benchmark program; None if it was not built."""
    try:
        return experiment.find_program(experiment.BENCH)
    except CommandError:
        return None


def read(path):
    """(head, rows as dictionaries)."""
    lines = path.read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    return "\n".join(head), list(csv.DictReader(lines[len(head) :]))


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_png(self, name):
        self.assertEqual((self.folder / name).read_bytes()[:4], b"\x89PNG")


class QaTables(TestCase):
    def setUp(self):
        super().setUp()
        path = cli.PROJECT / "tests" / "benchmark" / "results_table.py"
        module = importlib.util.spec_from_file_location("results_table", path)
        self.results_table = importlib.util.module_from_spec(module)
        module.loader.exec_module(self.results_table)

    def test_parts_of_flowgraphs_are_tables_of_their_own(self):
        (self.folder / "x.csv").write_text(FLOWGRAPH)
        comment = "<!-- tests/benchmark/results_table.py x.csv"
        page = f"{comment} -->\n\n{comment} slow -->\n| old |\n\n{comment} link -->\n"
        text = self.results_table.with_tables(page, self.folder)
        self.assertEqual(self.results_table.with_tables(text, self.folder), text)
        rates, slow, link = (table.splitlines()[3:] for table in text.split("\n\n"))
        cells = "4096 | 4096 | 6000 | 48.0 | 48.0 | 6300 | - | **0.952** | 0.940 | 14.1"
        self.assertEqual(rates, [f"| round_trip, gpufft.fft_vcc | {cells} | 0.30 |"])
        cells = "1024 | 1 | 84 | 104 | 125 | 215 | 0.21 |"
        self.assertEqual(slow, [f"| gpufft.fft_vcc cpu | {cells}"])
        self.assertEqual(link, ["| up GPU 0 | 64 | 55.1 | - |"])

    def test_families_of_a_board(self):
        text = BOARD + "2d,c2c_forward_n16x16_b524288,in,0.5,1.0,1.1,1,0.5,0.45,,,\n"
        text += "dct,dct2_n64_b2097152,out,0.3,,0.3,0.9,,0.9,1e-7,,\n"
        (self.folder / "x.csv").write_text(text)
        lines = list(self.results_table.table_of(self.folder / "x.csv"))[2:]
        self.assertIn("| 2d | 1 | 1.00 | 0.50 | **2.00** | 2.00 (`c2c_forward_n16x16_b5242"
                      "88` in place) |", lines)
        self.assertIn("| dct | 1 | 0.90 | 0.90 | **1.00** | 1.00 (`dct2_n64_b2097152`) |",
                      lines)
        self.assertEqual([line.split()[1] for line in lines],
                         ["pow2_small", "pow2_mid", "2d", "dct", "all"])

    def test_pages_show_what_the_results_are(self):
        results_table = self.results_table
        for page in ("README.md", "docs/benchmarks.md", "docs/accuracy.md"):
            text = (cli.PROJECT / page).read_text(encoding="utf-8")
            hint = f"write it anew: tests/benchmark/results_table.py {page}"
            self.assertEqual(results_table.with_tables(text, cli.PROJECT), text, hint)


class QaCliBenchPlot(TestCase):
    def test_plot_of_a_csv(self):
        (self.folder / "board_h200.csv").write_text(BOARD + MORE_FAMILIES)
        done = gpufft(
            "bench", "--from", "board_h200.csv", "--plot", "x.png", cwd=self.folder
        )
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""))
        self.assert_png("x.png")

    def test_says_how_to_build_it(self):
        if program() is not None:
            self.skipTest("it was built")
        done = gpufft("bench", "c2c_forward_n8_b1", "--engine", "cpu", cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("-DENABLE_BENCHMARKS=ON", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


@unittest.skipIf(program() is None, "gpufft-bench was not built")
@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliBench(TestCase):
    def bench(self, *arguments):
        """Runs it, which must succeed; returns what it printed."""
        done = gpufft(
            "bench", *arguments, "--engine", ENGINE, "--runs", 5, cwd=self.folder
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_csv_and_plot(self):
        problems = ["c2c_forward_n1024_b200", "c2c_inverse_n1000_b3", "c2c_forward_n1_b1"]
        out = self.bench(*problems, "--csv", "x.csv", "--plot", "x.png", "--spread")
        self.assert_png("x.png")
        self.assertIn("spread of two runs", out)
        head, rows = read(self.folder / "x.csv")
        for fact in ("# card: ", "# driver: ", "# CUDA: ", "# commit: ", "# copy rate: "):
            self.assertIn(fact, head)
        self.assertEqual(list(rows[0]), COLUMNS.split(","))
        self.assertEqual([(row["problem"], row["placement"]) for row in rows],
                         [(name, place) for name in problems for place in ("out", "in")])
        rate = float(head.partition("# copy rate: ")[2].split()[0])
        for row, elements in zip(rows, (204800, 204800, 3000, 3000, 1, 1)):
            self.assertIn(row["problem"], out)
            eff = 16 * elements / (1e6 * float(row["ours_ms"])) / rate
            self.assertAlmostEqual(float(row["ours_eff"]), eff, delta=1e-4 * eff)
            self.assertLess(float(row["ours_error"]), 2.5e-7)
        _, details = read(self.folder / "x_details.csv")
        for row in details:
            times = [float(row[f"ours_{name}ms"]) for name in ("min_", "", "max_")]
            self.assertEqual(times, sorted(times))
            self.assertGreater(float(row["ours_again_ms"]), 0)
            self.assertGreater(float(row["plan_warm_ms"]), 0)
            self.assertIn("(", row["recipe"])

    def test_every_kind_of_transform(self):
        """Errors of real, several-axes and double ones; bytes are those that must move."""
        moved = {
            "r2c_n1000_b40": 40 * (4 * 1000 + 8 * 501),
            "c2r_n1009_b4": 4 * (8 * 505 + 4 * 1009),
            "dct2_n1024_b30": 30 * 8 * 1024,
            "dst3_n90_b10": 10 * 8 * 90,
            "c2c_forward_n16x24_b20": 20 * 16 * 384,
            "c2c_inverse_n8x8x8_b20": 20 * 16 * 512,
            "c2c_forward_n1000_b40_f64": 40 * 32 * 1000,
            "r2c_n64_b10_f64": 10 * (8 * 64 + 16 * 33),
        }
        self.bench(*moved, "--out-of-place", "--csv", "x.csv")
        head, rows = read(self.folder / "x.csv")
        rate = float(head.partition("# copy rate: ")[2].split()[0])
        self.assertEqual([row["problem"] for row in rows], list(moved))
        for row in rows:
            bound = 5e-16 if row["problem"].endswith("f64") else 4e-7
            self.assertLess(float(row["ours_error"]), bound, row["problem"])
            eff = moved[row["problem"]] / (1e6 * float(row["ours_ms"])) / rate
            self.assertAlmostEqual(float(row["ours_eff"]), eff, delta=1e-4 * eff)
        _, details = read(self.folder / "x_details.csv")
        flops = {row["problem"]: float(row["ours_gflops"]) for row in details}
        times = {row["problem"]: float(row["ours_ms"]) for row in rows}
        for name, factor, n, batch in (
            ("dct2_n1024_b30", 2.5, 1024, 30),
            ("c2c_forward_n16x24_b20", 5, 384, 20),
        ):
            expected = factor * n * math.log2(n) * batch / (1e6 * times[name])
            self.assertAlmostEqual(flops[name], expected, delta=1e-4 * expected)

    def test_folder_takes_the_names_of_list_and_card(self):
        self.bench("--family", "small_batches", "--csv", ".")
        paths = sorted(self.folder.glob("small_batches_*.csv"))
        path, details = paths
        self.assertEqual(details.stem, f"{path.stem}_details")
        _, rows = read(path)
        self.assertEqual(len(rows), 40)
        self.assertEqual({row["family"] for row in rows}, {"small_batches"})

    def test_random_problems(self):
        """The same ones for the same seed, of every family, in both placements."""
        options = ("--random", 11, "--rows", 20, "--elements", 100000, "--csv", "x.csv")
        self.bench(*options)
        _, rows = read(self.folder / "x.csv")
        apart = [row["problem"] for row in rows if row["placement"] == "out"]
        self.assertEqual(len(apart), 20)
        self.assertEqual(len({row["family"] for row in rows}), 10)
        in_place = {row["problem"] for row in rows if row["placement"] == "in"}
        self.assertEqual(in_place, {name for name in apart if name[:3] not in ("r2c", "c2r")})
        for row in rows:
            bound = 1e-15 if row["problem"].endswith("f64") else 1e-6
            self.assertLess(float(row["ours_error"]), bound, row["problem"])
        self.bench(*options, "--in-place")
        _, again = read(self.folder / "x.csv")
        self.assertEqual([row["problem"] for row in again],
                         [row["problem"] for row in rows if row["placement"] == "in"])
        self.bench(*options, "--out-of-place", "--family", "real,2d")
        _, some = read(self.folder / "x.csv")
        self.assertEqual({row["family"] for row in some}, {"real", "2d"})
        self.assertEqual(len(some), 4)
        self.bench("--random", 12, *options[2:], "--out-of-place")
        _, others = read(self.folder / "x.csv")
        self.assertLess(len({row["problem"] for row in others} & set(apart)), 10)

    def test_no_problem_can_be_in_place(self):
        done = gpufft("bench", "r2c_n64_b3", "--in-place", "--engine", ENGINE, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("none of the problems can be in place", done.stderr)

    def test_times_of_plans(self):
        out = self.bench("c2c_forward_n640_b2", "--plans", "--csv", "x.csv")
        _, (row,) = read(self.folder / "x_details.csv")
        for name, column in (("first", "plan_cold_ms"), ("warm", "plan_warm_ms")):
            self.assertIn(f"{name} plan: median ", out)
            self.assertGreater(float(row[column]), 0)

    def test_other_formats_have_times_without_peers(self):
        self.bench("c2c_forward_n64_b90_cs16_hop32_window_power_avg3", "--csv", "x.csv")
        _, (row,) = read(self.folder / "x.csv")
        self.assertGreater(float(row["ours_ms"]), 0)
        self.assertEqual((row["cufft_ms"], row["ours_error"]), ("", ""))


@unittest.skipIf(program() is None, "gpufft-bench was not built")
class QaFailures(TestCase):
    """A problem that fails: one whose plan is larger than the memory that there is."""

    LARGE, SMALL = "c2c_forward_n67108864_b1_cs8_power_avg2", "c2c_forward_n8_b1"
    MOST_BYTES = 750 << 20  # enough for its input alone

    def run_short_of_memory(self, *command):
        limit = (self.MOST_BYTES, self.MOST_BYTES)
        return subprocess.run(
            [*command, "--engine", "cpu", "--runs", "3", self.LARGE, self.SMALL],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            cwd=self.folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        )

    def assert_one_failed(self, done):
        self.assertEqual(done.returncode, 1)
        said = [line for line in done.stderr.splitlines() if "VOLK" not in line]
        self.assertEqual(
            said,
            [
                f"gpufft-bench: {self.LARGE}, ours: {self.LARGE}: needs 1 GiB of memory "
                "or more, which this process cannot have",
                f"gpufft-bench: 1 of 3 problems failed, first of all {self.LARGE}",
            ],
        )
        rows = {
            line.split()[0]: line.split()
            for line in done.stdout.splitlines()
            if " in place " not in line
        }
        self.assertEqual(rows[self.LARGE][1], "failed")
        self.assertGreater(float(rows[self.SMALL][1]), 0)

    def test_others_are_measured_and_the_status_tells(self):
        done = self.run_short_of_memory(program(), "--csv", "x.csv")
        self.assert_one_failed(done)
        _, rows = read(self.folder / "x.csv")
        self.assertEqual(rows[0]["ours_ms"], "")
        self.assertGreater(float(rows[1]["ours_ms"]), 0)

    def test_the_command_passes_it_on(self):
        script = self.folder / "fails"
        script.write_text(f"#!/bin/sh\necho 'written: {self.folder}/x.csv'\nexit 3\n")
        script.chmod(0o755)
        (self.folder / "x.csv").write_text(BOARD + MORE_FAMILIES)
        arguments = argparse.Namespace(plot="x.png", csv=None, board=False, problems=[], random=None)
        with mock.patch.object(bench.experiment, "find_program", return_value=script):
            found = bench.measure(arguments, [], "no folder")
        self.assertEqual(found, (f"{self.folder}/x.csv", 3))


@unittest.skipIf(program() is None, "gpufft-bench was not built")
class QaProgram(TestCase):
    def run_program(self, *arguments):
        return subprocess.run(
            [program(), *arguments],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            cwd=self.folder,
        )

    def test_lists_are_those_of_tune(self):
        found = {}
        for line in self.run_program("--list").stdout.splitlines():
            if line.startswith(" "):
                found[name].append(line.strip())
            else:
                name = line
                found[name] = []
        expected = {
            name: problem_lists.problems_of(name, 2**27)
            for name in problem_lists.read_lists()
        }
        self.assertEqual(found, expected)
        self.assertEqual(len(found["board"]), 81)
        self.assertEqual(len(found["double"]), 94)
        self.assertIn("c2c_forward_n1009_b133020", found["prime"])
        self.assertIn("c2c_forward_n64x64_b32768", found["2d"])
        self.assertIn("r2c_n1009_b133020_f64", found["double_r2c"])

    @unittest.skipUnless(
        ENGINE == "cuda" and cli.engine_is_usable(), "measures on the GPU"
    )
    def test_tune_prints_wisdom(self):
        problems = ("c2c_forward_n512_b1000", "c2c_forward_n90_b3")
        done = self.run_program("--tune", "--candidates", "3", *problems)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wisdom = [line for line in lines if not line.startswith("#")]
        self.assertEqual([len(line.split(" | ")) for line in wisdom], [3, 3])
        for text in problems:
            times = [
                float(line.split()[2]) for line in lines if line.startswith(f"# {text}")
            ]
            self.assertGreaterEqual(len(times), 3)
            self.assertEqual(times[0], min(times))

    def test_csv_to_a_device(self):
        """Details have no place beside it."""
        (self.folder / "x.csv").symlink_to("/dev/null")
        arguments = ("--engine", "cpu", "--runs", "3", "--csv", "x.csv")
        self.assertEqual(self.run_program("c2c_forward_n8", *arguments).returncode, 0)
        self.assertEqual([each.name for each in self.folder.iterdir()], ["x.csv"])

    def test_bad_input(self):
        for arguments, status, text in (
            ([], 2, "no problem to time"),
            (["--family", "nope"], 2, 'no list "nope": use board, pow2_small'),
            (["--list", "--family", "nope"], 2, 'no list "nope": use board'),
            (["--random", "1", "--family", "nope"], 2, "use 2d, 3d, dct_or_dst"),
            (["--runs", "2"], 2, '--runs is "2", but must be a whole number in 3'),
            (["--runs"], 2, "--runs needs a value"),
            (["--runs", "-3"], 2, '--runs is "-3"'),
            (["--engine", "host"], 2, '--engine is "host", but must be cuda or cpu'),
            (["--effort", "none"], 2, "estimate or measure"),
            (["--colour", "red"], 2, "unknown option --colour"),
            (["--tune"], 2, "no problem to time"),
            (["--tune", "--candidates", "0"], 2, '--candidates is "0"'),
            (["c2c_forward_n0_b1"], 2, "0"),
            (["c2c_sideways_n8_b1"], 2, "sideways"),
            (["c2c_forward_n8", "--engine", "cpu", "--csv", "no/x"], 1, "no/x"),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments)
                self.assertEqual(done.returncode, status)
                self.assertTrue(done.stderr.startswith("gpufft-bench: "), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
