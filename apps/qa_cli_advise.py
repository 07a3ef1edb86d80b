#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft advise: the table, what follows from it, CSV, what is kept."""

import csv
import os
import tempfile
import unittest
from pathlib import Path

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import advise
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.quantities import (
    RATE,
    format_rate,
    format_seconds,
    parse_positive,
    parse_size,
)

N = 1000


def table(cpu, cuda, obstacle=""):
    """A table of chunks of 1, 10, 100 vectors; cpu, cuda: their samples a second."""
    chunks = [
        {
            "frames": frames,
            "bytes": 8 * N * frames,
            "cpu": frames * N / cpu[i] if cpu[i] else 0,
            "cuda": frames * N / cuda[i] if cuda[i] else 0,
            "cuda_delay": 3 * frames * N / cuda[i] if cuda[i] else 0,
        }
        for i, frames in enumerate((1, 10, 100))
    ]
    return {
        "problem": f"c2c_forward_n{N}_b1",
        "threads": 1,
        "cpu": "abacus",
        "card": "" if obstacle else "loom",
        "obstacle": obstacle,
        "chunks": chunks,
        "cpu_rate": max(cpu),
        "cuda_rate": max(cuda),
        "engine": "cuda" if max(cuda) >= max(cpu) else "cpu",
        "reason": "auto: for a reason",
    }


def lines(rate, *arguments, **keywords):
    """What is printed for such a table."""
    return "\n".join(advise.lines(advise.Advice(table(*arguments, **keywords), rate)))


class QaAdvice(unittest.TestCase):
    def test_break_even(self):
        for cpu, cuda, text in (
            (
                (5e6,) * 3,
                (1e6, 2e6, 9e6),
                "in chunks of 781.2 KiB (100 vectors) and more",
            ),
            ((5e6,) * 3, (1e6, 6e6, 9e6), "in chunks of 78.12 KiB (10 vectors) and more"),
            ((5e6,) * 3, (6e6, 1e6, 9e6), "in chunks of 781.2 KiB"),
            ((5e6,) * 3, (6e6, 7e6, 9e6), "even with one vector at a time"),
            ((5e6,) * 3, (1e6, 7e6, 4e6), "the CPU is faster, however large"),
            ((5e6, 5e6, 0), (1e6, 7e6, 8e6), "in chunks of 78.12 KiB"),
        ):
            with self.subTest(cpu=cpu, cuda=cuda):
                self.assertIn(text, lines(1e6, cpu, cuda))

    def test_what_to_take(self):
        cpu, cuda = (1e6, 4e6, 4e6), (1e5, 1e6, 40e6)
        for rate, taken, text in (
            (1e6, "cpu", "needs 0.25 of a core"),
            (3e6, "cuda", "spares 0.75 of a core"),
            (5e6, "cuda", "the other one is too slow"),
            (50e6, "cuda", "the faster one, but too slow"),
        ):
            with self.subTest(rate=rate):
                self.assertIn(f'take engine="{taken}": ', lines(rate, cpu, cuda))
                self.assertIn(text, lines(rate, cpu, cuda))
        self.assertIn('take engine="cpu": the other', lines(5e6, (6e6,) * 3, (1e6,) * 3))

    def test_how_it_keeps_up(self):
        text = lines(2e6, (1e6, 4e6, 4e6), (1e5, 1e6, 40e6))
        self.assertIn(
            "the CPU keeps up with 0.5 of a core: it reaches 4 Msps; a chunk of 10 vectors "
            "fills in 5 ms and takes 2.5 ms",
            text,
        )
        self.assertIn(
            "the GPU keeps up: it reaches 40 Msps; a chunk of 100 vectors fills in 50 ms "
            "and takes 7.5 ms",
            text,
        )
        text = lines(50e6, (1e6, 4e6, 4e6), (1e5, 1e6, 40e6))
        self.assertIn("the CPU does not keep up: it reaches 4 Msps", text)
        self.assertIn("the GPU does not keep up: it reaches 40 Msps", text)

    def test_without_gpu(self):
        text = lines(1e6, (2e6,) * 3, (0,) * 3, obstacle="it is in the shop")
        self.assertIn("the GPU cannot be used: it is in the shop", text)
        self.assertIn('take engine="cpu": there is no other', text)
        self.assertNotIn("break-even", text)
        text = lines(3e6, (2e6,) * 3, (0,) * 3, obstacle="it is in the shop")
        self.assertIn("there is no other, but it is too slow", text)

    def test_quantities(self):
        for text, rate in (("2.4Msps", 2.4e6), ("10e6", 1e7), ("3Gsps", 3e9), ("8", 8)):
            self.assertEqual(parse_positive(text, "RATE", RATE), rate)
        for text, size in (("1024", 1024), ("64k", 2**16), ("1M", 2**20), ("1G", 2**30)):
            self.assertEqual(parse_size(text, "SIZE", 1, 2**30), size)
        for text in ("sps", "Msps", "0sps", "-1", "1ksps2"):
            self.assertRaises(InputError, parse_positive, text, "RATE", RATE)
        for text in ("0", "k", "", "1.3k", "-4", "²", "2G", "1" * 5000):
            self.assertRaises(InputError, parse_size, text, "SIZE", 1, 2**30)
        for rate, text in ((6.02e9, "6.02 Gsps"), (999.9e6, "1000 Msps"), (0, "-")):
            self.assertEqual(format_rate(rate), text)
        for time, text in ((2.56e-5, "25.6 us"), (3, "3 s"), (5e-10, "0.5 ns"), (0, "-")):
            self.assertEqual(format_seconds(time), text)


class QaCliAdvise(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def advise(self, *arguments):
        done = gpufft("advise", *arguments, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_table_and_csv(self):
        out = self.advise("256", "1ksps", "--csv", "x.csv")
        self.assertIn("c2c_forward_n256_", out)
        self.assertIn("the CPU keeps up", out)
        self.assertIn('engine="auto" takes c', out)
        text = (self.folder / "x.csv").read_text().splitlines()
        head = [line for line in text if line.startswith("#")]
        self.assertIn("# cpu: ", "\n".join(head))
        rows = list(csv.DictReader(text[len(head) :]))
        vectors = [int(row["vectors"]) for row in rows]
        self.assertEqual(vectors[:2], [1, 8])
        self.assertEqual(vectors, sorted(vectors))
        for row in rows:
            self.assertEqual(int(row["bytes"]), 2048 * int(row["vectors"]))
        measured = [row for row in rows if row["cpu_seconds"]]
        self.assertTrue(measured)
        for row in measured:
            rate = int(row["vectors"]) * 256 / float(row["cpu_seconds"])
            self.assertAlmostEqual(float(row["cpu_sps"]) / rate, 1, places=4)

    def test_problems(self):
        out = self.advise("c2c_inverse_n100_b7_real_window", "1k", "--threads", "2")
        self.assertIn("c2c_inverse_n100_", out)
        self.assertIn("_real_window at 1 ksps", out)
        self.assertIn("2 threads", out)
        self.assertIn("r2c_n64_b65536 at 1 ksps", self.advise("r2c_n64", "1k"))
        out = self.advise("64k", "1k")
        self.assertIn("n65536_", out)

    def test_long_vectors(self):
        self.assertIn(
            "vectors of more than 16 MiB are not measured", self.advise("4M", 1)
        )

    @unittest.skipUnless(cli.ENGINE == "cuda", "about the GPU")
    @unittest.skipUnless(cli.engine_is_usable(), "no GPU here")
    def test_gpu_is_measured_once(self):
        os.environ["GPUFFT_CACHE_DIR"] = str(self.folder / "cache")
        first = self.advise("512", "1M")
        self.assertIn("break-even: ", first)
        self.assertNotIn("cannot be used", first)
        kept = (self.folder / "cache" / "break_even.txt").read_text()
        self.assertEqual(self.advise("512", "1M"), first)
        self.assertEqual((self.folder / "cache" / "break_even.txt").read_text(), kept)
        self.advise("512", "1M", "--measure")
        self.assertNotEqual((self.folder / "cache" / "break_even.txt").read_text(), kept)


if __name__ == "__main__":
    unittest.main()
