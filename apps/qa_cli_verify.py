#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft verify and tune: the lengths, the bounds, what breaks them, CSV and plots."""

import csv
import math
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import (
    accuracy,
    accuracy_csv,
    accuracy_plot,
    axes,
    experiment,
    round_trip,
    verify,
)
from gnuradio.gpufft.cli.errors import CommandError, InputError
from gnuradio.gpufft.cli.experiment_data import find_results

ENGINE = "cuda" if cli.ENGINE == "cuda" else "cpu"
# A row, and what is wrong with it.
DAMAGED = (
    ("0,forward,cpu,0,1,0,x", "n is 0"),
    ("-4,forward,cpu,0,1,0,x", "n is -4"),
    ("1073741825,forward,cpu,0,1,0,x", "1 ... 1073741824"),
    ("4,forward,cpu,-1,1,0,x", "error is -1"),
    ("4,forward,cpu", "is damaged"),
)
DAMAGED_CHIRP = (("7,,", "no results"), ("7,inf,", "rmse is inf"), ("0,1,1", "n is 0"))


def result(n, error, direction="forward"):
    """An Accuracy with this error."""
    return accuracy.Accuracy(n, direction, "cuda", error, error, f"recipe({n})")


class QaAccuracy(unittest.TestCase):
    def test_bounds(self):
        eps = 2.0**-24
        for n, expected in (
            (1, eps),
            (2, eps),
            (3, eps * math.sqrt(math.log2(3))),
            (4096, eps * math.sqrt(12)),
            (17, 1.6 * eps * math.sqrt(math.log2(17))),
            (2 * 17, 1.6 * eps * math.sqrt(math.log2(34))),
        ):
            self.assertAlmostEqual(accuracy.bound(n), expected, delta=1e-6 * expected)

    def test_what_breaks_a_bound(self):
        bound = accuracy.bound(64)
        self.assertFalse(result(64, bound).broken)
        self.assertTrue(result(64, 1.001 * bound).broken)
        self.assertTrue(result(64, math.nan).broken)

    def test_lengths(self):
        primes = [n for n in range(2, 200) if accuracy.is_prime(n)]
        self.assertEqual(len(primes), 46)
        self.assertEqual(accuracy.prime_below(2**24), 16777213)
        lengths = accuracy.large_lengths()
        for n in (8192, 2**24, 16777213, 1048573, 65537, 48000, 3**13):
            self.assertIn(n, lengths)
        self.assertGreater(min(lengths), 4096)
        chirp = accuracy.chirp_primes()
        self.assertTrue(all(map(accuracy.is_prime, chirp)))
        self.assertEqual((chirp[0], chirp[-1]), (31, 1048573))

    def test_errors_are_those_of_the_results(self):
        """A wrong transform is seen: the inverse in the place of the forward one."""
        good = accuracy.measure(64, "forward", engine="cpu")
        self.assertLess(good.error, good.bound)
        x = accuracy.random_frames(64, accuracy.frames_of(64))
        wrong = np.fft.ifft(x) * 64
        exact = np.fft.fft(x.astype(complex))
        self.assertGreater(np.linalg.norm(wrong - exact) / np.linalg.norm(exact), 0.1)
        self.assertGreaterEqual(good.largest, good.error)
        self.assertEqual(good.recipe, "fftw(64)")

    def test_a_length_that_cannot_be_done_is_told(self):
        failed = accuracy.measure(64, "forward", "abacus", engine="cpu")
        self.assertTrue(failed.broken)
        self.assertIn("abacus", failed.recipe)

    def test_judge(self):
        bound = accuracy.bound(64)
        verify.judge([result(64, 0.9 * bound)])
        for bad in (result(128, 1.0), result(128, math.nan)):
            with self.assertRaises(CommandError) as caught:
                verify.judge([result(64, 0.9 * bound), bad])
            self.assertEqual(caught.exception.status, 1)
            self.assertIn("1 of 2", str(caught.exception))
            self.assertIn("n128", str(caught.exception))

    def test_plot_of_the_chirp(self):
        with tempfile.TemporaryFile() as file:
            accuracy_plot.draw_chirp([(31, 1e-7, 1e-6), (1009, 1e-7, math.nan)], file)
            file.seek(0)
            self.assertEqual(file.read(4), b"\x89PNG")


class QaRoundTrip(unittest.TestCase):
    """The experiment of forward and inverse."""

    def test_errors_are_small(self):
        problems = ("c2c_forward_n1000_b1", "c2c_forward_n2_b1")
        text = round_trip.measure(problems, ENGINE, "abc")
        self.assertIn("# commit: abc\n", text)
        rows = list(csv.DictReader(x for x in text.splitlines() if x[0] != "#"))
        self.assertEqual([row["problem"] for row in rows], list(problems))
        for row in rows:
            self.assertLess(float(row["rmse"]), 1e-6)

    def test_a_length_that_fails_is_left_out(self):
        good, bad = "c2c_forward_n64_b1", "c2c_forward_n64_b1_algorithm=abacus"
        self.assertNotIn("abacus", round_trip.measure((bad, good), ENGINE))
        with self.assertRaisesRegex(CommandError, "none of the lengths"):
            round_trip.measure((bad,), ENGINE)

    def test_it_is_an_experiment(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "docs" / "results"
            results.mkdir(parents=True)
            short = mock.Mock(
                problems=["c2c_forward_n8_b1"],
                program="round_trip",
                quantity="round trip",
            )
            short.title = short.figure = "x"
            name = "govindaraju_round_trip"
            with mock.patch.dict(experiment.EXPERIMENTS, {name: short}):
                options = ["--engine", ENGINE]
                experiment.run(name, results.parent, options=options)
                (found,) = find_results(results, name)
                self.assertTrue(found.rows[0].is_round_trip)
                self.assertLess(found.rows[0].error["ours"], 1e-6)
                self.assertEqual(
                    found.fact("command"), f"gpufft bench --experiment {name}"
                )
                with self.assertRaisesRegex(InputError, "--runs is not for this"):
                    experiment.run(name, results.parent, options=["--runs", "3"])


class QaAxes(unittest.TestCase):
    """What --axes goes through, and what it takes for wrong."""

    def test_shapes(self):
        shapes = axes.all_shapes()
        self.assertEqual((len(shapes), len(set(shapes))), (1900, 1900))
        self.assertEqual(shapes, axes.all_shapes())
        for shape in ((16, 8), (1, 40), (40, 40)):
            self.assertIn(shape, shapes)
        self.assertEqual(sum(len(shape) == 3 for shape in shapes), 150)

    def test_every_kind_is_right_on_the_cpu(self):
        for shape in ((1, 1), (5, 6), (16, 8), (3, 4, 7)):
            for kind in axes.kinds(shape):
                for each in axes.check(shape, kind, "cpu", 0, 1):
                    self.assertFalse(each.broken, each)

    def test_wrong_results_are_seen(self):
        """One number of one frame of a batch; a NaN; a plan that fails."""
        wrong = mock.Mock(engine="cuda")
        wrong.describe.return_value = "wrong"
        frames = axes.reference((4, 6), "dct2")

        def spoiled(value):
            def execute(sent):
                result = frames[1][np.arange(len(sent)) % 17].astype(np.float32)
                result[-1, 2, 3] = value
                return result

            return execute

        for value in (7.0, math.nan):
            wrong.execute.side_effect = spoiled(value)
            with mock.patch.object(axes.gpufft, "plan", return_value=wrong):
                found = axes.check_one("x", 40, "", frames, (4, 6), "cpu", 0)
            self.assertTrue(found.broken, value)
        wrong.execute.side_effect = RuntimeError("the card broke")
        with mock.patch.object(axes.gpufft, "plan_by", return_value=wrong):
            found = axes.check_one("x", 40, "tensor", frames, (4, 6), "cuda", 0)
        self.assertTrue(found.broken)
        self.assertEqual(found.recipe, "tensor: the card broke")
        with self.assertRaisesRegex(CommandError, "1 of 1 transforms exceed.*card broke"):
            axes.judge([found])


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliVerify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_command(self, *arguments):
        """Runs it, which must succeed; returns what it printed."""
        done = gpufft(*arguments, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def read(self, name):
        lines = (self.folder / name).read_text().splitlines()
        return list(csv.DictReader(line for line in lines if line[0] != "#"))

    def test_certificate(self):
        lengths = [*range(1, 17), 100, 127, 1000, 4096, 8192]
        out = self.run_command(
            "verify",
            *("--engine", ENGINE, "--lengths", "1-16,100,127,1000,4096,8192"),
            *("--jobs", 2, "--csv", "v.csv", "--plot", "v.png"),
        )
        self.assertIn(f"all {2 * len(lengths)} transforms keep their bound", out)
        self.assertEqual((self.folder / "v.png").read_bytes()[:4], b"\x89PNG")
        rows = self.read("v.csv")
        self.assertEqual(
            [(int(row["n"]), row["direction"]) for row in rows],
            [(n, direction) for n in lengths for direction in accuracy.DIRECTIONS],
        )
        for row in rows:
            self.assertEqual(row["engine"], ENGINE)
            self.assertLessEqual(float(row["error"]), float(row["bound"]))
            self.assertLess(float(row["max_error"]), 20 * float(row["bound"]))

    def test_parts_make_a_whole(self):
        for name, lengths in (("a.csv", "1-8"), ("b.csv", "9-20")):
            self.run_command(
                "verify", "--engine", ENGINE, "--lengths", lengths, "--csv", name
            )
        wanted = ("--from", "b.csv,a.csv,b.csv", "--csv", "all.csv", "--plot", "all.png")
        out = self.run_command("verify", *wanted)
        self.assertIn("all 40 transforms keep their bound", out)
        self.assertEqual(self.read("all.csv"), self.read("a.csv") + self.read("b.csv"))
        head = (self.folder / "all.csv").read_text().split("\nn,")[0]
        self.assertEqual(head, (self.folder / "a.csv").read_text().split("\nn,")[0])
        text = (self.folder / "a.csv").read_text()
        (self.folder / "a.csv").write_text(text.replace("2,forward", "2,sideways"))
        (self.folder / "c.csv").write_text("n,error\n1,0\n")
        for arguments, said in (
            (("--from", "a.csv"), "sideways"),
            (("--from", "c.csv"), "not a CSV of this command"),
            (("--from", "none.csv"), "No such file"),
            (("--from", "b.csv", "--lengths", "8"), "--lengths does not go"),
            (("--from", "b.csv", "--engine", "cpu"), "--engine does not go"),
        ):
            done = gpufft("verify", *arguments, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn(said, done.stderr)

    def test_damaged_results(self):
        """Every row that is none is refused, and nothing waits for it."""
        file = self.folder / "x.csv"
        for titles, read, rows in (
            (accuracy_csv.TITLES, accuracy_csv.read, DAMAGED),
            (accuracy_csv.CHIRP_TITLES, accuracy_csv.read_chirp, DAMAGED_CHIRP),
        ):
            for row, words in rows:
                file.write_text(f"{titles}\n{row}\n")
                with self.assertRaisesRegex(InputError, words):
                    read([str(file)])

    def test_parts_by_one_process(self):
        """Every third length, computed without another process."""
        for jobs in (0, 2):
            self.run_command(
                *("verify", "--engine", ENGINE, "--lengths", "1-10", "--part", "2/3"),
                *("--jobs", jobs, "--csv", f"{jobs}.csv"),
            )
        self.assertEqual([row["n"] for row in self.read("0.csv")[::2]], ["2", "5", "8"])
        self.assertEqual(self.read("0.csv"), self.read("2.csv"))
        done = gpufft("verify", "--lengths", "1-2", "--part", "3/3", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("--part 3/3 is empty: there are 2 problems", done.stderr)

    def test_broken_bound_of_a_file(self):
        self.run_command("verify", "--engine", ENGINE, "--lengths", "8", "--csv", "a.csv")
        lines = (self.folder / "a.csv").read_text().splitlines()
        cells = lines[-1].split(",")
        cells[3] = "1e-3"
        lines[-1] = ",".join(cells)
        (self.folder / "a.csv").write_text("\n".join(lines) + "\n")
        done = gpufft("verify", "--from", "a.csv", cwd=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 of 2 transforms exceed their bound", done.stderr)

    def test_sample_is_always_the_same(self):
        for name in ("a.csv", "b.csv"):
            self.run_command(
                *("verify", "--engine", ENGINE, "--lengths", "1-64"),
                *("--sample", 5, "--csv", name),
            )
        first, again = (
            [row["n"] for row in self.read(name)] for name in ("a.csv", "b.csv")
        )
        self.assertEqual(len(set(first)), 5)
        self.assertEqual(first, again)

    def test_axes(self):
        out = self.run_command(
            *("verify", "--axes", "--engine", ENGINE),
            *("--shapes", "16x8,3x4x5", "--csv", "x.csv"),
        )
        self.assertRegex(out, r"all \d+ transforms keep their bound")
        rows = self.read("x.csv")
        self.assertEqual(len({row["problem"] for row in rows}), 2 * len(axes.KINDS) * 5)
        self.assertEqual({row["engine"] for row in rows}, {ENGINE})

    def test_axes_in_parts(self):
        all_of = ("verify", "--axes", "--engine", ENGINE, "--shapes", "2x3,4x5,6x7")
        self.run_command(*all_of, "--csv", "all.csv")
        problems = []
        for part in ("1/2", "2/2"):
            self.run_command(*all_of, "--csv", "part.csv", "--part", part)
            problems += {row["problem"] for row in self.read("part.csv")}
        whole = {row["problem"] for row in self.read("all.csv")}
        self.assertEqual(sorted(problems), sorted(whole))

    def test_options_of_axes(self):
        for arguments, text in (
            (["--axes", "--lengths", "8"], "--lengths does not go with --axes"),
            (["--axes", "--shapes", "8"], "two or three lengths"),
            (["--axes", "--part", "3/2"], "--part"),
            (["--axes", "--part", "3"], "write it like 1/4"),
            (["--axes", "--engine", "gpu"], "use auto, cuda, cpu"),
            (["--axes", "--recipes", "2", "--engine", "cpu"], "--recipes tests the GPU"),
            (["--shapes", "8x8"], "--shapes goes with --axes only"),
        ):
            done = gpufft("verify", "--engine", ENGINE, *arguments, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(text, done.stderr)

    @unittest.skipUnless(ENGINE == "cuda", "compares the GPU's kernels")
    def test_chirp(self):
        out = self.run_command(
            "verify", "--chirp", "--lengths", "31,1009,65537", "--csv", "c.csv"
        )
        self.assertIn("bluestein-inexact: RMSE", out)
        for row in self.read("c.csv"):
            self.assertLess(float(row["exact_index_rmse"]), 1e-6)
        self.assertGreater(float(row["inexact_index_rmse"]), 1e-5)

    @unittest.skipUnless(ENGINE == "cuda", "measures on the GPU")
    def test_tune(self):
        problems = ("c2c_forward_n256_b1000", "c2c_forward_n96_b7")
        out = self.run_command("tune", *problems, "--candidates", 3, "--print")
        self.assertIn("2 problems measured", out)
        lines = out.splitlines()
        for text in problems:
            times = [float(line.split()[1]) for line in lines if line.startswith(text)]
            self.assertIn(len(times), (3, 4))  # one more where there was wisdom
            self.assertEqual(times[0], min(times))
        kept = (Path(os.environ["GPUFFT_CACHE_DIR"]) / "wisdom.txt").read_text()
        wisdom = [line for line in lines if " | " in line]
        self.assertEqual(len(wisdom), 2)
        for line in wisdom:
            self.assertIn(line + "\n", kept)


if __name__ == "__main__":
    unittest.main()
