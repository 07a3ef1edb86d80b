#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the gpufft command writes: whole or not at all, whatever their names, and in the
place of an older one with its mode."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from gnuradio.gpufft.cli import output
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.output import OutputFile


def write(path, data):
    """Writes bytes by an OutputFile."""
    with OutputFile(str(path)) as file:
        file.save(lambda content, file: file.write(content), data)


class QaCliOutput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_an_older_file_is_replaced_with_its_mode(self):
        path = self.folder / "a.csv"
        for mode in (0o600, 0o664):
            path.write_bytes(b"old")
            path.chmod(mode)
            write(path, b"new")
            self.assertEqual(path.read_bytes(), b"new")
            self.assertEqual(path.stat().st_mode & 0o777, mode)

    def test_names_as_long_as_a_file_system_takes(self):
        for name in ("a" * 251 + ".png", "\N{CYRILLIC SMALL LETTER ZHE}" * 125 + ".png"):
            write(self.folder / name, b"new")
            self.assertEqual((self.folder / name).read_bytes(), b"new")

    def test_an_error_leaves_the_older_file(self):
        path = self.folder / "a.csv"
        path.write_bytes(b"old")
        with self.assertRaises(ZeroDivisionError), OutputFile(str(path)) as file:
            file.save(lambda content, file: file.write(content), b"new")
            raise ZeroDivisionError
        self.assertEqual(os.listdir(self.folder), ["a.csv"])
        self.assertEqual(path.read_bytes(), b"old")

    def test_unfinished_output_follows_no_link(self):
        victim = self.folder / "victim"
        victim.write_bytes(b"mine")
        random = mock.patch.object(output.secrets, "token_hex", return_value="guessed")
        (self.folder / ".a.png.guessed.part").symlink_to(victim)
        with random, self.assertRaises(InputError):
            OutputFile(str(self.folder / "a.png"))
        self.assertEqual(victim.read_bytes(), b"mine")

    def test_a_name_with_a_nul(self):
        with self.assertRaisesRegex(InputError, "cannot be written: embedded null"):
            OutputFile("a\0b.png")


if __name__ == "__main__":
    unittest.main()
