#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed headers in a program that asks its compiler for all warnings and takes
them for errors."""

import os
import re
import subprocess
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = "gnuradio/gpufft"
COMPILER = os.environ.get("CXX", "g++")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror"


def compile_program(headers, *options):
    """What the compiler says to a program of these headers."""
    program = "".join(f"#include <{FOLDER}/{header}>\n" for header in headers)
    done = subprocess.run(
        [COMPILER, "-x", "c++", "-fsyntax-only", f"-I{PROJECT}/include"]
        + [*WARNINGS.split(), *options, "-"],
        input=program,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


def cmake_list_of_core():
    """The headers that are installed without GNU Radio."""
    text = (PROJECT / "include" / FOLDER / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r'"/\(([a-z_|]+)\)', text)[1].split("|")


class QaHeaders(unittest.TestCase):
    maxDiff = None

    def test_each_of_the_plans_alone(self):
        """In the oldest standard, without GNU Radio."""
        names = cmake_list_of_core()
        self.assertIn("plan", names)
        for name in names:
            said = compile_program([f"{name}.h"], "-std=c++17")
            self.assertEqual(said, "", name)

    def test_all_together(self):
        """Beside GNU Radio's, whose own warnings do not count."""
        flags = subprocess.run(
            ["pkg-config", "--cflags", "gnuradio-runtime", "gnuradio-fft"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        flags = [re.sub("^-I", "-isystem", flag) for flag in flags]
        headers = sorted(each.name for each in (PROJECT / "include" / FOLDER).glob("*.h"))
        self.assertGreater(len(headers), 30)
        for standard in ("c++17", "c++20"):
            said = compile_program(headers, f"-std={standard}", *flags)
            self.assertEqual(said, "", standard)


if __name__ == "__main__":
    unittest.main()
