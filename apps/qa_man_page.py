#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The man page has every command and option that the gpufft command has, and no mistake."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_testing import gpufft

PAGE = Path(os.environ["GPUFFT_MAN_PAGE"])


def plain(troff):
    """The words of a page without troff's requests, fonts and escapes."""
    text = re.sub(r"^\.\S* ?", "", troff, flags=re.M)
    text = re.sub(r"\\f.|\\&", "", text).replace("\\(ha", "^").replace("\\(aq", "'")
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def options_in(text):
    """Names of options, as --name and -n."""
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", text))


class QaManPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = PAGE.read_text()
        listed = gpufft("--help", cwd=".").stdout
        cls.commands = re.findall(r"^    (\w+) ", listed, re.M)
        parts = re.split(r'^\.SS "gpufft (\w+)"$|^\.SH EXIT', cls.page, flags=re.M)
        cls.sections = dict(zip(parts[1::2], parts[2::2]))

    def test_every_command(self):
        self.assertIn("spectrum", self.commands)
        self.assertEqual(set(self.commands), set(self.sections) - {None})

    def test_every_option_and_what_is_said_of_it(self):
        for name in self.commands:
            with self.subTest(command=name):
                listed = gpufft(name, "--help", cwd=".").stdout
                section = plain(self.sections[name])
                self.assertEqual(options_in(listed), options_in(section))
                # Paragraphs that argparse wraps: word for word in the page.
                for words in re.findall(r"^ {24}(\S.*)$", listed, re.M):
                    self.assertIn(" ".join(words.split()), section)

    def test_version(self):
        version = gpufft("--version", cwd=".").stdout.split()[1]
        self.assertIn(f'"gr-gpufft {version}"', self.page)

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_man_shows_it_without_a_warning(self):
        command = ["man", "--warnings", "--local-file", str(PAGE)]
        environment = {**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}
        shown = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=True
        )
        self.assertEqual(shown.stderr, "")
        self.assertIn("~/.cache/gpufft", shown.stdout)


if __name__ == "__main__":
    unittest.main()
