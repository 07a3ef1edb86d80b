#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/transforms.md names every token of a problem string, and no other; help(problem) as
well."""

import re
import unittest

import page

PAGE = page.PROJECT / "docs" / "transforms.md"
HEADER = page.PROJECT / "include" / "gnuradio" / "gpufft" / "problem.h"
PROBLEM = page.PROJECT / "lib" / "problem"
BINDING = page.PROJECT / "python" / "gpufft" / "bindings" / "problem_python.cc"


def source(name):
    """The text of a source of lib/problem."""
    return (PROBLEM / name).read_text(encoding="utf-8")


def kinds():
    """The words that a problem string may begin with."""
    return set(re.findall(r'\{ kind::\w+, "(\w+)"', source("transform_kind.cc")))


def names_in(table):
    """The names in a table of problem_names.h."""
    text = source("problem_names.h").split(f" {table}[] = ")[1].split("};")[0]
    return re.findall(r'"(\w+)"', text)


def documented(source=HEADER, head="without defaults: the kind,"):
    """Tokens that the comment of problem::to_string() lists, or another text."""
    text = re.sub(r"\s[\s*]*", " ", source.read_text(encoding="utf-8"))
    text = text.split(head)[1].split("<name>.")[0]
    words = re.sub(r"\([^)]*\)", "", text)  # without "(complex_taps)"
    last = [part.split()[-1] for part in re.split(r"[,|]", words)]
    return {re.match(r"[a-z]\w*", word)[0] for word in last}


def read():
    """Tokens that problem_reader.cc reads: those in the table of fields, and those that
    it compares with."""
    text = source("problem_reader.cc")
    found = set(re.findall(r'd_token == "(\w+)"', text))
    found |= set(re.findall(r'begins_with\("(\w+)"\)', text))
    for token, table in re.findall(
        r'visit\("(\w*)=?", &\w+::\w+(?:, (\w+))?\);', source("problem_fields.h")
    ):
        found |= {token + name for name in names_in(table)} if table else {token}
    return found | set(names_in("DIRECTION_NAMES"))


def listed(title):
    """The words in the first column of a table of the page: `c2c`, `b64`."""
    cells = " ".join(row[0] for row in page.table(PAGE, title))
    return {word for span in re.findall("`([^`]+)`", cells) for word in span.split("_")}


def is_token(word, name):
    """Whether a word is this token, alone or with a value: b64, n8x8, to0.2, low-90."""
    return re.fullmatch(rf"{name}(=\w+|-?[\d.]+(x\d+)*)?", word) is not None


class QaTransforms(unittest.TestCase):
    def test_sources_are_understood(self):
        self.assertLess({"c2c", "filter", "synthesis", "dst4"}, kinds())
        self.assertLess({"forward", "n", "taps", "ctaps", "algorithm"}, documented())
        self.assertLess({"inverse", "n", "outs8", "running", "density", "low"}, read())
        self.assertEqual(documented() - read(), set())

    def test_help_names_every_kind_and_token(self):
        self.assertEqual(documented(BINDING, "dst1 ... dst4),"), documented())
        text = BINDING.read_text(encoding="utf-8").split("the kind (")[1].split(")")[0]
        text = text.replace("dct1 ...\ndct4", "dct1, dct2, dct3, dct4")
        text = text.replace("dst1 ... dst4", "dst1, dst2, dst3, dst4")
        self.assertEqual(set(text.split(", ")), kinds())

    def test_page_names_every_kind(self):
        self.assertEqual(kinds() - listed("begins with"), set())

    def test_page_names_every_token(self):
        words = listed("begins with") | listed("token")
        for token in sorted(documented() | read()):
            with self.subTest(token=token):
                self.assertTrue(any(is_token(word, token) for word in words))

    def test_page_names_no_other_token(self):
        known = documented() | read()
        for word in sorted(listed("token")):
            with self.subTest(word=word):
                self.assertTrue(any(is_token(word, token) for token in known))


if __name__ == "__main__":
    unittest.main()
