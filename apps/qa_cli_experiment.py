#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published experiments: their lists, and the way from a run to the page."""

import math
import shutil
import stat
import tempfile
import unittest
from pathlib import Path

from cli import experiment
from cli.errors import CommandError, InputError
from cli.experiment_data import find_results, parse_problem
from cli.experiment_lists import EXPERIMENTS
from cli.experiment_problems import (
    ELEMENTS,
    MANY_ELEMENTS,
    boxes,
    mixed_lengths,
    rectangles,
    spread_primes,
)

PROJECT = Path(__file__).resolve().parent.parent
HEAD = "# card: some card\n# driver: some driver\n# command: gpufft-bench ...\n"
TITLES = (
    "family,problem,ours_ms,cufft_ms,vkfft_ms,ours_eff,cufft_eff,vkfft_eff,"
    "ours_error,cufft_error\n"
)


def line(problem, ours, cufft, error):
    """A row as gpufft-bench writes it, VkFFT unknown."""
    return f"problem,{problem},{ours},{cufft},,0.5,0.25,,{error},2e-7\n"


class Lists(unittest.TestCase):
    """Which problems are timed."""

    def test_every_experiment_of_the_papers_is_there(self):
        """Of Govindaraju et al.'s figures with measurements all but those of clocks."""
        numbers = (6, 8, 11, 12, 13, 14, 15, 16, 17, 18)
        figures = [f"govindaraju_fig{i}" for i in numbers] + [
            "govindaraju_crossover",
            "govindaraju_round_trip",
        ]
        of_gu = "2d 3d shapes shapes_3d search errors table1 table2".split()
        of_gu = [f"gu_{name}" for name in of_gu]
        others = ["cpu_peers", "bainville", "bainville_groups", "tsai_gpu", "tsai_cpu"]
        self.assertEqual(set(EXPERIMENTS), {*figures, *of_gu, *others})
        self.assertIn("Figs. 9 and 10", EXPERIMENTS["govindaraju_fig8"].note)

    def test_problems_differ_and_fill_what_they_should(self):
        for name, each in EXPERIMENTS.items():
            self.assertEqual(len(each.problems), len(set(each.problems)), name)
            for text in each.problems:
                lengths, batch, _ = parse_problem(text)
                n = math.prod(lengths)
                if batch > 1:
                    sums = (
                        (ELEMENTS, MANY_ELEMENTS)
                        if len(lengths) == 1
                        else (MANY_ELEMENTS,)
                    )
                    full = [sum_ for sum_ in sums if n * batch <= sum_ < n * (batch + 1)]
                    self.assertTrue(full, text)

    def test_sizes_are_those_of_the_papers(self):
        for number in (15, 16):
            problems = EXPERIMENTS[f"govindaraju_fig{number}"].problems
            for n, batch in (parse_problem(text)[:2] for text in problems):
                self.assertEqual(batch, 2**24 // n[0])
        self.assertEqual(problems[-1], "c2c_forward_n16777213_b1")
        self.assertIn("c2c_forward_n3_b5592405", problems)
        shapes = boxes(2**20, 4)
        self.assertLessEqual({(16, 64, 1024), (1024, 64, 16)}, set(shapes))
        self.assertEqual({a * b * c for a, b, c in shapes}, {2**20})
        self.assertEqual(min(map(min, shapes)), 16)
        self.assertEqual(boxes(64, 2), [])  # the cube alone

    def test_sizes_that_are_not_square(self):
        shapes = rectangles(2**20, 6)
        self.assertIn((2048, 512), shapes)
        self.assertIn((512, 2048), shapes)
        self.assertEqual({a * b for a, b in shapes}, {2**20})
        self.assertIn("c2c_forward_n512x2048_b16", EXPERIMENTS["gu_shapes"].problems)

    def test_lengths_have_the_factors_they_should(self):
        for n in mixed_lengths():
            self.assertEqual(n % 30, 0)
            for prime in (2, 3, 5):
                while n % prime == 0:
                    n //= prime
            self.assertEqual(n, 1)
        primes = spread_primes()
        self.assertGreater(len(primes), 40)
        for p in primes:
            self.assertTrue(all(p % d for d in range(2, p) if d * d <= p))
            self.assertTrue(2**5 < p < 2**16)


class Runs(unittest.TestCase):
    """From a benchmark program's CSV to the page, in a folder of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.docs = self.folder / "docs"
        (self.docs / "results").mkdir(parents=True)
        (self.docs / "experiments").mkdir()
        published = PROJECT / "docs" / "experiments" / "published.csv"
        shutil.copy(published, self.docs / "experiments")

    def program(self, text, name="bench_somecard", status=0):
        """A program that writes `text` where --csv says, as gpufft-bench does."""
        path = self.folder / "program"
        path.write_text(
            '#!/bin/sh\nwhile [ "$1" != --csv ]; do shift; done\n'
            f'cat > "$2/{name}.csv" <<END\n{text}END\nexit {status}\n',
            encoding="utf-8",
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def page(self):
        """The page, written anew."""
        experiment.run("docs", self.docs)
        return (self.docs / "experiments.md").read_text(encoding="utf-8")

    def test_a_run_leaves_csv_plot_and_section(self):
        # 5 * 1024 * 10 * 8192 flops in 0.1 ms are 4194 GFLOPS
        text = HEAD + TITLES
        text += line("c2c_forward_n8_b1048576", 0.5, 1.0, 1e-7)
        text += line("c2c_forward_n1024_b8192", 0.1, 0.1, 1e-7)
        experiment.run("govindaraju_fig13", self.docs, self.program(text))
        results = self.docs / "results"
        written = results / "experiment_govindaraju_fig13_somecard.csv"
        self.assertIn(
            "# command: gpufft bench --experiment govindaraju_fig13\n",
            written.read_text(encoding="utf-8"),
        )
        self.assertTrue(written.with_suffix(".png").read_bytes().startswith(b"\x89PNG"))
        page = self.page()
        self.assertIn("Best: 4194 GFLOPS at N = 1024", page)
        self.assertIn("| algorithm | speed, × cuFFT |", page)
        self.assertIn("| the planner's choice | 1.41 | 2 | 0 | 1.00 at 1024, batch", page)
        self.assertIn("Volkov", page)
        self.assertNotRegex(page, "times the published [0-9]")
        self.assertIn("), older kernels: card: some card", page)
        # without sources to compare with, nobody can say that the kernels are the same
        self.assertIn(
            "# sources: unknown\n# clocks: ", written.read_text(encoding="utf-8")
        )
        self.assertIn("results/experiment_govindaraju_fig13_somecard.png", page)

    def test_one_run_serves_all_experiments(self):
        """Also a problem that two of them have, and one that failed."""
        text = HEAD + TITLES
        text += line("c2c_forward_n1024_b8192", 0.1, 0.1, 1e-7)
        text += line("c2c_forward_n16777216_b1_algorithm=ladder2", 2.0, 1.0, 1e-7)
        text += line("c2c_forward_n16777216_b1", 1.0, 1.0, 1e-7)
        experiment.run("gpu", self.docs, self.program(text))
        lengths = {
            name: [row.n for row in find_results(self.docs / "results", name)[0].rows]
            for name in EXPERIMENTS
            if EXPERIMENTS[name].program == "gpufft-bench"
        }
        self.assertEqual(lengths["govindaraju_fig12"], [1024])
        self.assertEqual(lengths["govindaraju_fig13"], [1024])
        self.assertEqual(lengths["govindaraju_fig11"], [2**24])
        self.assertEqual(lengths["bainville"], [2**24, 2**24])
        self.assertEqual(lengths["govindaraju_fig15"], [])
        self.assertIn("Nothing was timed.", self.page())

    def test_several_can_be_named(self):
        text = HEAD + TITLES + line("c2c_forward_n64x64_b4096", 0.1, 0.1, 1e-7)
        experiment.run("gu_2d,gu_table2", self.docs, self.program(text))
        for name in ("gu_2d", "gu_table2"):
            (found,) = find_results(self.docs / "results", name)
            self.assertEqual([row.size for row in found.rows], ["64×64"])

    def test_series_are_the_algorithms_that_problems_name(self):
        text = HEAD + TITLES
        for name in ("_algorithm=ladder2", "_algorithm=ladder8-table", ""):
            text += line(f"c2c_forward_n16777216_b1{name}", 2.0, 1.0, 1e-7)
        experiment.run("bainville", self.docs, self.program(text))
        (found,) = find_results(self.docs / "results", "bainville")
        self.assertEqual(found.series(), ["ladder2", "ladder8-table", ""])
        self.assertIn("| ladder8-table | 0.50 | 1 | 1 |", self.page())

    def test_details_bring_recipes_and_errors(self):
        text = HEAD + TITLES + line("c2c_forward_n1024_b8192", 0.1, 0.1, 1e-7)
        experiment.run("govindaraju_fig13", self.docs, self.program(text))
        path = self.docs / "results" / "experiment_govindaraju_fig13_somecard_details.csv"
        path.write_text(
            HEAD + "family,problem,vkfft_error,recipe\n"
            'problem,c2c_forward_n1024_b8192,3e-7,"stockham(1024: 32·32), 128 threads"\n',
            encoding="utf-8",
        )
        ((row,),) = (
            found.rows for found in find_results(path.parent, "govindaraju_fig13")
        )
        self.assertEqual(row.error["vkfft"], 3e-7)
        self.assertEqual(row.recipe, "stockham(1024: 32·32), 128 threads")

    def test_threads_and_registers_of_each_kernel(self):
        text = HEAD + TITLES
        text += line("c2c_forward_n16_b524288_algorithm=stockham2", 0.1, 0.1, 1e-7)
        text += line("c2c_forward_n32_b262144_algorithm=stockham2", 0.1, 0.1, 1e-7)
        experiment.run("tsai_gpu", self.docs, self.program(text))
        path = self.docs / "results" / "experiment_tsai_gpu_somecard_details.csv"
        kernels = "[8 threads, 18 registers, 128 bytes shared], load cf32"
        path.write_text(
            HEAD + "family,problem,recipe\n"
            f'problem,c2c_forward_n16_b524288_algorithm=stockham2,"cuda: x, {kernels}"\n'
            f'problem,c2c_forward_n32_b262144_algorithm=stockham2,"cuda: x, {kernels}"\n',
            encoding="utf-8",
        )
        table = "| N | stockham2 |\n| --- | --- |\n| 16 | 8/18 |\n| 32 | 8/18 |"
        self.assertIn(table, self.page())

    def test_the_page_says_what_a_csv_lacks(self):
        text = HEAD + TITLES + line("c2c_forward_n8_b1048576", 0.5, 1.0, 1e-7)
        experiment.run("govindaraju_fig13", self.docs, self.program(text))
        self.assertIn("5 of 6 problems have not been run", self.page())

    def test_libraries_of_the_cpu(self):
        text = (
            "# cpu: AMD EPYC 9999, 2 cores\n# load: 3.5 processes ran before\n"
            "# commit: abc\n# command: x\nlibrary,threads,problem,ms,min_ms,max_ms,rmse\n"
            "fftw,1,c2c_forward_n8_b1048576,8,8,8,1e-7\n"
            "fftw,2,c2c_forward_n8_b1048576,5,5,5,2e-7\n"
            "mkl,1,c2c_forward_n8_b1048576,4,4,4,1e-7\n"
            "mkl,2,c2c_forward_n8_b1048576,2,2,2,3e-7\n"
        )
        folder = self.docs / "results"
        path = self.program(text)
        path.write_text(
            path.read_text(encoding="utf-8").replace('"$2/bench_somecard.csv"', '"$2"')
        )
        experiment.run("govindaraju_fig8", self.docs, path)
        written = folder / "experiment_govindaraju_fig8_epyc2.csv"
        self.assertIn(
            "experiment govindaraju_fig8\n", written.read_text(encoding="utf-8")
        )
        page = self.page()
        self.assertIn(
            "mkl, 2 threads over one: geometric mean 2.00, most 2.00 at N = 8", page
        )
        self.assertIn("2 cores; load: 3.5 processes ran before.", page)
        self.assertIn("* Other work ran on these cores meanwhile", page)
        self.assertTrue(written.with_suffix(".png").exists())
        shutil.copy(written, folder / "experiment_cpu_peers_epyc2.csv")
        page = self.page()
        self.assertIn("Speed of mkl: 2.50 × fftw", page)
        self.assertIn("Largest RMSE of mkl, forward and inverse: 3.0e-07 at N = 8.", page)

    def test_errors_are_told_in_units_of_their_bound(self):
        text = HEAD + TITLES
        name = "c2c_forward_n65521_b1_algorithm=bluestein"
        text += line(name, 1.0, 1.0, 4 * 2**-24)
        text += line(f"{name}-inexact", 1.0, 1.0, 0.01)
        experiment.run("govindaraju_fig6", self.docs, self.program(text))
        page = self.page()
        self.assertIn("Largest error of bluestein: 2.4e-07 at N = 65521 (1.00 ·", page)
        self.assertIn("Largest error of bluestein-inexact: 1.0e-02", page)

    def test_steps_of_the_cpu_are_held_against_fftw(self):
        text = (
            "# cpu: AMD EPYC 9999, 2 cores, one used\n# fftw\n"
            "step,n,ms,min_ms,max_ms,gflops,error\n"
            "naive_dft,16,8,8,8,1,1e-7\nfftw_measure,16,2,2,2,1,1e-7\n"
        )
        path = self.docs / "results" / "experiment_tsai_cpu_epyc2.csv"
        path.write_text(text, encoding="utf-8")
        page = self.page()
        self.assertIn("| time over FFTW's measured plans | mean | most |", page)
        self.assertIn("| naive_dft | 4 | 4 |", page)
        self.assertEqual(experiment.host_card(text), "epyc2")

    def test_sizes_of_several_axes_and_their_passes(self):
        # 16 bytes * 2^24 * 2 passes in 0.5 ms are 1074 GB/s, of one pass in 0.25 ms too
        path = self.docs / "results" / "experiment_gu_table2_somecard.csv"
        path.write_text(
            HEAD
            + "# copy rate: 2000 GB/s (driver 2000, kernel 1900)\n"
            + TITLES
            + line("c2c_forward_n64x64_b4096", 0.25, 0.5, 1e-7)
            + line("c2c_forward_n512x512_b64", 0.5, 1.0, 1e-7),
            encoding="utf-8",
        )
        path.with_name("experiment_gu_table2_somecard_details.csv").write_text(
            HEAD + "family,problem,recipe\n"
            'problem,c2c_forward_n64x64_b4096,"tensor(64×64: {}, 1 pass over memory)"\n'
            'problem,c2c_forward_n512x512_b64,"tensor(512×512: {}, 2 passes over memory)"\n',
            encoding="utf-8",
        )
        page = self.page()
        (found,) = find_results(path.parent, "gu_table2")
        self.assertEqual([row.passes() for row in found.rows], [1, 2])
        self.assertEqual(
            [round(row.bandwidth("ours")) for row in found.rows], [1074, 1074]
        )
        self.assertIn("* 1 pass over memory: 64×64.", page)
        self.assertIn("* 2 passes over memory: 512×512. Their bandwidth over the", page)
        self.assertIn("geometric mean 0.54.", page)

    def test_shapes_are_lines_of_one_plot(self):
        text = HEAD + TITLES
        text += line("c2c_forward_n8x8_b1", 0.5, 1.0, 1e-7)
        text += line("c2c_forward_n16x16_b1", 0.5, 1.0, 1e-7)
        text += line("c2c_forward_n2x8388608_b1", 2.0, 1.0, 1e-7)
        experiment.run("govindaraju_fig14", self.docs, self.program(text))
        (found,) = find_results(self.docs / "results", "govindaraju_fig14")
        self.assertEqual([row.shape for row in found.rows], ["N×N", "N×N", "Nx×Ny"])
        self.assertEqual([row.n for row in found.rows], [64, 256, 2**24])

    def test_registers_of_codelets(self):
        text = (
            "# architecture: sm_90\n# NVRTC 13.0\n"
            "points,precision,registers,local_bytes\n"
            "2,single,16,0\n64,single,168,0\n64,double,255,400\n"
        )
        self.assertEqual(experiment.host_card(text), "sm90")
        path = self.docs / "results" / "experiment_gu_table1_sm90.csv"
        path.write_text(text, encoding="utf-8")
        page = self.page()
        self.assertIn("In double precision 64 points take 255 registers and 400", page)
        self.assertTrue(path.with_suffix(".png").exists())

    def test_recipes_and_their_numbers_of_kernels(self):
        text = (
            "# card: NVIDIA H900 8GB, sm_90\n# commit: abc\n# command: bench_recipes\n"
            "problem,ms,eff,error,registers,spills,shared,blocks,recipe\n"
            "c2c_forward_n8x8_b4,0.4,0.5,1e-7,40,0,0,1,tensor 64 1 0 0 [8x8] 8*8x1:8a.8b/8/1/9/0\n"
            "c2c_forward_n8x8_b4,0.3,0.5,1e-7,40,0,0,1,tensor 64 1 0 0 [8x8] 8x1:8a/1/1/9/0 8x8:8a/8/1/1/0\n"
            "c2c_forward_n8x8_b4,0.5,0.5,1e-7,40,0,0,1,tensor 64 1 0 0 [8x8] 8x1:8a/1/1/9/0 8x4:8a/8/1/1/0\n"
        )
        path = self.folder / "bench_recipes"
        path.write_text(f"#!/bin/sh\ncat <<END\n{text}END\n", encoding="utf-8")
        path.chmod(0o755)
        listed = EXPERIMENTS["bainville_groups"].recipes
        self.assertEqual(len(listed), 30)
        self.assertIn(
            "c2c_forward_n16777216_b1 | ladder32 16777216 1 0 0 "
            "16777216x1:32.32.32.32.16/64/1/0/0",
            listed,
        )
        experiment.run("bainville_groups", self.docs, path, ["--commit", "1234567"])
        written = self.docs / "results" / "experiment_bainville_groups_h900.csv"
        shutil.copy(written, written.with_name("experiment_gu_search_h900.csv"))
        self.assertIn("# commit: 1234567\n", written.read_text(encoding="utf-8"))
        page = self.page()
        self.assertIn("| N | 1 kernel, ms | 2 kernels, ms | fastest |", page)
        self.assertIn("| 8×8 | 0.4 | 0.3 | 2 kernels |", page)
        self.assertIn("The fewest kernels are fastest for 0 of 1 sizes.", page)
        written.write_text(
            text.split("c2c")[0] + "c2c_forward_n8_b1,0.4,0.5,1e-7,40,0,0,1,"
            "ladder2 8 1 0 0 8x1:2.2.2/64/1/0/0\n",
            encoding="utf-8",
        )
        page = self.page()
        self.assertIn("| N | 64 threads, ms | fastest |", page)
        self.assertIn("| 8, ladder2 | 0.4 | 64 threads |", page)
        path.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        with self.assertRaisesRegex(InputError, "--runs is not for this experiment"):
            experiment.run("bainville_groups", self.docs, path, ["--runs", "3"])
        with self.assertRaisesRegex(CommandError, "bench_recipes failed"):
            experiment.run("bainville_groups", self.docs, path)

    def test_problems_that_fail_leave_the_others(self):
        text = HEAD + TITLES + line("c2c_forward_n8_b1048576", 0.5, 1.0, 1e-7)
        experiment.run("govindaraju_fig13", self.docs, self.program(text, status=1))
        (found,) = find_results(self.docs / "results", "govindaraju_fig13")
        self.assertEqual([row.n for row in found.rows], [8])

    def test_the_page_says_what_is_missing(self):
        page = self.page()
        self.assertEqual(
            page.count("There are no results in `docs/results` yet."), len(EXPERIMENTS)
        )
        self.assertIn("claims 0 hold, 0 do not hold, and", page)

    def test_faults_are_named(self):
        with self.assertRaisesRegex(InputError, "'fig1', but must be one of .*bainville"):
            experiment.run("fig1", self.docs)
        with self.assertRaisesRegex(InputError, "'plots', but must be one of"):
            experiment.run("gu_2d,plots", self.docs)
        with self.assertRaisesRegex(InputError, "not run by the same program"):
            experiment.run("gu_2d,gu_table1", self.docs)
        with self.assertRaisesRegex(InputError, "no folder .*results"):
            experiment.run("bainville", self.folder)
        with self.assertRaisesRegex(CommandError, "failed on experiment bainville"):
            experiment.run("bainville", self.docs, self.program("", status=1))
        self.assertEqual(list((self.docs / "results").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
