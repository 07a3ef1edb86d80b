#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide has every page, and every picture is on one and made by a command."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import page

DOCS = page.PROJECT / "docs"


class QaIndex(unittest.TestCase):
    def test_every_page_is_in_the_index(self):
        listed = set(page.links(DOCS / "README.md"))
        pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
        self.assertEqual(pages - listed, set())

    def test_the_readme_leads_to_the_index(self):
        self.assertIn("docs/README.md", page.links(page.PROJECT / "README.md"))

    def test_every_picture_is_shown(self):
        shown = {
            (path.parent / link).resolve()
            for path in page.pages()
            for link in page.links(path)
        }
        pictures = {path.resolve() for path in (DOCS / "images").glob("*.png")}
        self.assertEqual(pictures - shown, set())

    def test_examples_without_a_flowgraph_say_so(self):
        for name, shows in page.table(page.PROJECT / "README.md", "in `examples/`"):
            folder = page.PROJECT / "examples" / name.strip("`")
            says = "no flowgraph for Companion" in shows
            self.assertNotEqual(says, any(folder.glob("*.grc")), name)

    def test_every_fence_has_a_known_language(self):
        # None: usage, what a program prints, a drawing.
        known = ("", "python", "sh", "console", "cpp", "cmake", "yaml")
        for path in page.pages():
            for fence in page.fences(path):
                with self.subTest(page=path.name, line=fence.line):
                    self.assertIn(fence.language, known)
                    if fence.language == "cpp":  # a part of a file, or one to be saved
                        self.assertTrue(fence.part_of or fence.source.startswith("// "))

    def test_drawings_are_made_by_their_scripts(self):
        for name in ("streaming", "architecture"):
            script = DOCS / "images" / f"make_{name}.py"
            with (
                self.subTest(script=script.name),
                tempfile.TemporaryDirectory() as folder,
            ):
                made = Path(folder) / "made.png"
                subprocess.run([sys.executable, script, made], check=True)
                self.assertGreater(made.stat().st_size, 10000)


if __name__ == "__main__":
    unittest.main()
