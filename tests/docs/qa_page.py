#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page says is so: qa_page.py PAGE. Its commands and its Python run, options exist,
tables are what their commands print, links lead somewhere."""

import ast
import functools
import re
import sys
import tempfile
import unittest
from pathlib import Path

import commands
import page
import sandbox

PAGE = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
HERE = Path(__file__).resolve().parent
FOLDERS = ("apps", "cmake", "docs", "examples", "grc", "include", "kernels", "lib")
FOLDERS += ("packaging", "python", "tests", "tools")


class QaPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        sandbox.make(cls.folder)
        cls.fences = page.fences(PAGE)

    def test_commands_and_python_run(self):
        inside = self.folder / PAGE.relative_to(page.PROJECT)
        session = [sys.executable, HERE / "session.py", inside]
        done = sandbox.run(session, self.folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        print(done.stdout)

    def test_what_does_not_run_is_well_formed(self):
        for fence in self.fences:
            with self.subTest(line=fence.line):
                if fence.needs:
                    self.assertIn(fence.needs, page.REASONS)
                if fence.run_by:
                    self.assertTrue(list(page.PROJECT.rglob(f"{fence.run_by}.*")))
                if fence.language == "python":
                    ast.parse(fence.source)
                elif fence.language == "sh":
                    done = sandbox.run(["bash", "-n", "-c", fence.source], self.folder)
                    self.assertEqual(done.returncode, 0, done.stdout)

    def test_marks_stand_above_fences(self):
        text = PAGE.read_text(encoding="utf-8")
        marks = re.findall(r"^(?:<!-- (?:needs|run by)|\*Needs|\*Run by) .*$", text, re.M)
        marked = [fence for fence in self.fences if fence.needs or fence.run_by]
        self.assertEqual(len(marks), len(marked), marks)

    def test_parts_of_files_are_there(self):
        for fence in self.fences:
            if fence.part_of:
                with self.subTest(line=fence.line):
                    file = page.PROJECT / fence.part_of
                    self.assertIn(fence.source, file.read_text(encoding="utf-8"))

    def test_options_exist(self):
        for words in self.commands():
            with self.subTest(command=" ".join(words)):
                self.assertEqual(commands.wrong_options(words, self.says), [])

    def test_options_in_the_text_are_those_of_the_command_that_it_is_about(self):
        title = PAGE.read_text(encoding="utf-8").splitlines()[0]
        subcommands = re.findall(r"`gpufft (\w+)`", title)
        said = "".join(self.says(("gpufft", name, "--help")) for name in subcommands)
        spans = page.code_spans(PAGE) if subcommands else []
        for option in re.findall(r"^--[a-z][\w-]*", "\n".join(spans), re.M):
            with self.subTest(option=option):
                self.assertRegex(said, rf"{option}(?![\w-])")

    def test_tables_are_what_their_commands_print(self):
        text = PAGE.read_text(encoding="utf-8")
        for made_by in page.MADE_BY.finditer(text):
            with self.subTest(command=made_by[1]):
                script, *arguments = made_by[1].split()
                command = [sys.executable, page.PROJECT / script, *arguments]
                done = sandbox.run(command, self.folder)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertTrue(text[made_by.end() :].startswith(done.stdout))

    def test_links_lead_somewhere(self):
        for link in page.links(PAGE):
            with self.subTest(link=link):
                name, _, anchor = link.partition("#")
                target = PAGE.parent / name if name else PAGE
                self.assertTrue(target.exists())
                if anchor:
                    self.assertIn(anchor, page.anchors(target))

    def test_files_that_it_names_exist(self):
        for span in page.code_spans(PAGE):
            name = span.rstrip("/")
            if name.split("/")[0] not in FOLDERS or set(name) & set(" <>=$…"):
                continue
            if "/" not in name or any(part.isupper() for part in name.split("/")):
                continue
            with self.subTest(file=name):
                self.assertTrue(list(page.PROJECT.glob(name)))

    def commands(self):
        """Of the shell fences, and of the text where they are gpufft's."""
        for fence in self.fences:
            if fence.language == "sh":
                yield from commands.commands(fence.source)
            for usage in re.findall(r"^gpufft \w+ .*", fence.source, re.M):
                if not fence.language:  # "gpufft advise SIZE RATE [--threads K]"
                    yield [*usage.split()[:2], *re.findall(r"--[\w-]+", usage)]
        for span in page.code_spans(PAGE):
            if span.startswith(("gpufft ", "build/apps/gpufft ")):
                yield from commands.commands(span)

    def says(self, command):
        return help_of(tuple(map(str, command)), self.folder)


@functools.lru_cache(None)
def help_of(command, folder):
    """What a program prints about itself."""
    if (page.PROJECT / command[0]).suffix == ".py":
        command = (sys.executable, *command)
    return sandbox.run(command, folder).stdout


if __name__ == "__main__":
    unittest.main()
