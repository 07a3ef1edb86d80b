#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of docs/limits.md are the constants that it names."""

import re
import unittest

import page

PAGE = page.PROJECT / "docs" / "limits.md"
UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20}


def constant(name, path):
    """The value of a constexpr in a C++ source."""
    text = (page.PROJECT / path).read_text(encoding="utf-8")
    found = re.search(rf"\b{name} =\s*([^;,]+)[;,]", text)
    if found is None:
        raise AssertionError(f"{path} has no constant {name}")
    value = re.sub(r"std::\w+\((\d+)\)", r"\1", found[1])
    value = re.sub(r"\b[A-Z_]{3,}\b", lambda other: str(known(other[0])), value)
    if not re.fullmatch(r"[\d <>*/+()-]+", value):
        raise AssertionError(f"{name} in {path} is {value}, which is no number")
    return int(eval(value.replace("/", "//")))


def known(name):
    """A constant of the public headers, by its name."""
    return constant(name, "include/gnuradio/gpufft/problem.h")


def number(text):
    """2^30, 4096, 16 MiB."""
    found = re.fullmatch(r"(\d+)(?:\^(\d+))?(?: (\w+))?", text)
    return int(found[1]) ** int(found[2] or 1) * UNITS[found[3] or ""]


def rows():
    """Those of all tables that name a constant."""
    line = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `(\w+)` in `([^`]+)` \|", re.M)
    return line.findall(PAGE.read_text(encoding="utf-8"))


class QaLimits(unittest.TestCase):
    def test_numbers_are_the_constants(self):
        self.assertGreater(len(rows()), 20)
        for limit, value, name, path in rows():
            with self.subTest(limit=limit):
                self.assertEqual(number(value), constant(name, path))


if __name__ == "__main__":
    unittest.main()
