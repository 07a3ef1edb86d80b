#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/planning.md lists all environment variables that anything here reads."""

import re
import unittest

import page

FOLDERS = ("lib", "apps", "python", "tests", "examples")
READ = re.compile(
    r'(?:getenv|path_from_environment)\("(\w+)"\)'  # C++
    r'|"(CUDA_HOME|CUDA_PATH|GPUFFT_\w+)"'  # C++ in a list, Python, CMake
    r"|\$\{(GPUFFT_\w+):[-+]"  # shell
)


def read_by_sources():
    """The names, by the files that read them."""
    names = {}
    for folder in FOLDERS:
        for path in (page.PROJECT / folder).rglob("*"):
            if path.suffix not in (".cc", ".h", ".py", ".sh", ".in"):
                continue
            for found in READ.finditer(path.read_text(encoding="utf-8")):
                names.setdefault(found[1] or found[2] or found[3], path)
    return names


class QaPlanning(unittest.TestCase):
    def test_the_environment_variables_are_all(self):
        rows = page.table(page.PROJECT / "docs" / "planning.md", "variable")
        listed = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
        read = read_by_sources()
        self.assertIn("GPUFFT_CACHE_DIR", read)
        self.assertEqual({name: read[name] for name in set(read) - listed}, {})
        self.assertEqual(listed - set(read), set())


if __name__ == "__main__":
    unittest.main()
