#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No type is defined twice: tests link the library's objects, and where two types have one
name, the linker keeps the functions of one of them for both (C++'s one-definition rule)."""

import re
import unittest
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = ("include", "lib", "tests", "apps/bench", "kernels")
SCOPE = re.compile(r"^(?:inline )?namespace ?([\w:]*) ?{")
TYPE = re.compile(
    r"^(?:struct|class) (?:GPUFFT_API )?(\w+)(?: final)?(?: : [^;]*)?(?: \{)?$"
)


def types_of(text):
    """Full names of the types that a file defines outside anonymous namespaces."""
    scopes = []
    for line in text.splitlines():
        if found := SCOPE.match(line):
            scopes.append(found[1] or "(anonymous)")
        elif line.startswith("} // namespace") and scopes:
            scopes.pop()
        elif (found := TYPE.match(line)) and "(anonymous)" not in scopes:
            if "gpufft" in "::".join(scopes):
                yield "::".join([*scopes, found[1]])


class QaTypeNames(unittest.TestCase):
    def test_finds_them(self):
        text = "namespace gr {\nnamespace gpufft {\nstruct a {\n};\nclass b : c\n{\n"
        text += "};\nnamespace {\nstruct d {\n};\n} // namespace\nstruct e;\n}\n"
        self.assertEqual(list(types_of(text)), ["gr::gpufft::a", "gr::gpufft::b"])

    def test_each_has_one_definition(self):
        places = defaultdict(set)
        for folder in FOLDERS:
            for path in sorted((PROJECT / folder).rglob("*")):
                if path.suffix in (".h", ".cc", ".cuh"):
                    for name in types_of(path.read_text(encoding="utf-8")):
                        places[name].add(path.relative_to(PROJECT).as_posix())
        self.assertGreater(len(places), 300)
        twice = {name: sorted(files) for name, files in places.items() if len(files) > 1}
        self.assertEqual(twice, {})


if __name__ == "__main__":
    unittest.main()
