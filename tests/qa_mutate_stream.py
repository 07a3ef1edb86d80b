#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What mutate_stream.py makes of tests that do not end."""

import tempfile
import unittest
from pathlib import Path

import mutate_stream
from mutate_stream import LEAST_PATIENCE, LONGER, TOO_LONG
from mutation_lists import Mutation

SLOW = f"{TOO_LONG} {LEAST_PATIENCE} s"


class laboratory(mutate_stream.Laboratory):
    """One whose tests say what was written down for them, run after run."""

    def __init__(self, folder, says):
        self.tests = [("qa_a", mutate_stream.QUICK), ("qa_b", mutate_stream.QUICK)]
        self.seconds = dict.fromkeys(range(len(self.tests)), 0.1)
        self.folder, self.says, self.runs = folder, says, []

    def compile(self, file, mutations):
        for each in mutations:
            (self.folder / each.name).mkdir()
        return {}

    def link(self, mutation, folder):
        if not folder.exists():
            raise AssertionError(f"{folder} has gone")
        return mutation.name

    def run(self, program, name, settings, patience):
        self.runs.append((program, name, patience))
        return self.says[program, name].pop(0)


class QaMutateStream(unittest.TestCase):
    def verdicts(self, says):
        """{name: (verdict, detail)} and the runs."""
        names = list(dict.fromkeys(program for program, _ in says))
        faults = [Mutation(name, "lib/x.cc", "a", "b", "") for name in names]
        with tempfile.TemporaryDirectory() as folder:
            here = laboratory(Path(folder), says)
            found = {each.mutation.name: each[1:] for each in here.judge_all(faults, 1)}
            self.assertEqual(list(Path(folder).iterdir()), [])
        return found, here.runs

    def test_a_test_that_does_not_end_runs_again_alone(self):
        says = {
            ("busy", "qa_a"): [SLOW, ""],
            ("busy", "qa_b"): ["B.Sees"],
            ("survivor", "qa_a"): [""],
            ("survivor", "qa_b"): [SLOW, ""],
            ("endless", "qa_a"): [SLOW, SLOW],
            ("seen", "qa_a"): ["A.Sees"],
        }
        found, runs = self.verdicts(says)
        self.assertEqual(
            found,
            {
                "busy": ("seen", "qa_b: B.Sees"),
                "survivor": ("survived", ""),
                "endless": ("seen", f"qa_a: {SLOW}"),
                "seen": ("seen", "qa_a: A.Sees"),
            },
        )
        # with more time, after all others, and not the tests that it has passed
        longer = LONGER * LEAST_PATIENCE
        self.assertEqual(
            runs[-4:],
            [
                ("busy", "qa_a", longer),
                ("busy", "qa_b", longer),
                ("survivor", "qa_b", longer),
                ("endless", "qa_a", longer),
            ],
        )
        self.assertEqual({patience for *_, patience in runs[:-4]}, {LEAST_PATIENCE})


if __name__ == "__main__":
    unittest.main()
