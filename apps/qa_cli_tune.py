#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft tune: stopped and continued, what was gained, which problems it takes."""

import argparse
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from gnuradio.gpufft.cli import experiment, tune
from gnuradio.gpufft.cli.errors import CommandError, InputError


def has_bench():
    """True if the program is there that draws random problems."""
    try:
        return experiment.find_program(experiment.BENCH) is not None
    except CommandError:
        return False


class QaTune(unittest.TestCase):
    """What the command does around the measurement, which is not made here."""

    FAST = {"recipe": "fast(8)", "milliseconds": 1.0, "wisdom": "w", "was_used": False}
    SLOW = {"recipe": "slow(8)", "milliseconds": 1.5, "wisdom": "v", "was_used": True}
    CUDA = {"usable": True, "devices": [{"name": "A card"}]}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Path(folder.name, "wisdom.txt").touch()  # as the measurement does

    def tune(self, *arguments, fails_at=None):
        """(what it printed, the problems that it measured)."""
        measured = []

        def measure(text, **_):
            if len(measured) == fails_at:
                raise KeyboardInterrupt
            measured.append(text)
            return [self.FAST, self.SLOW] if len(measured) == 1 else [self.SLOW]

        parser = argparse.ArgumentParser()
        tune.add_parser(parser.add_subparsers())
        options = parser.parse_args(["tune", *map(str, arguments)])
        with (
            mock.patch.multiple(
                tune.gpufft,
                tune=measure,
                query_cuda=lambda: self.CUDA,
                cache_directory=lambda: self.folder,
            ),
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.nullcontext()
            if fails_at is None
            else self.assertRaises(KeyboardInterrupt),
        ):
            options.run(options)
        return out.getvalue(), measured

    def test_is_stopped_and_goes_on(self):
        problems = [f"c2c_forward_n{n}_b{2**27 // n}" for n in range(60, 65)]
        out, measured = self.tune("--lengths", "60-64", fails_at=2)
        self.assertEqual(measured, problems[:2])
        self.assertIn("stopped; the same command goes on with the other 3", out)
        self.assertIn(
            "1 of them got faster; 22.5 % in the geometric mean of all, 50 % at "
            f"most ({problems[0]})",
            out,
        )
        out, measured = self.tune("--lengths", "60-64")
        self.assertEqual(measured, problems[2:])
        self.assertIn("2 problems were measured before (--again)", out)
        out, measured = self.tune("--lengths", "60-64", "--again")
        self.assertEqual(measured, problems)

    def test_lengths_are_checked(self):
        for text in ("60", "64-60", "0-3", "a-b", "1-100001"):
            with self.assertRaisesRegex(InputError, "--lengths"):
                self.tune("--lengths", text)

    @unittest.skipUnless(has_bench(), "gpufft-bench was not built")
    def test_random_problems(self):
        _, measured = self.tune("--random", 3, "--rows", 12)
        self.assertEqual(len(measured), 12)
        self.assertEqual(self.tune("--random", 3, "--rows", 12, "--again")[1], measured)


if __name__ == "__main__":
    unittest.main()
