# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of gpufft spectrum under test, in this process: its words, tables and picture."""

import io
import os
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import cli_testing as cli
from gnuradio.gpufft.cli import picture
from gnuradio.gpufft.cli.main import main


class SpectrumTest(unittest.TestCase):
    """Each test has an empty folder, which is the current one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.figure = None  # of the last picture
        self.view = None
        self.stdout = self.stderr = ""

    def run_command(self, *arguments, status=0):
        """Runs the command, whose exit status must be `status`."""
        draw, save = picture.draw, picture.Figure.savefig

        def keep_view(content, file):
            self.view = content[0]
            draw(content, file)

        def keep_figure(figure, *arguments, **options):
            self.figure = figure
            save(figure, *arguments, **options)

        line = ["spectrum", "--engine", cli.ENGINE, *map(str, arguments)]
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            with mock.patch.object(picture, "draw", keep_view):
                with mock.patch.object(picture.Figure, "savefig", keep_figure):
                    self.assertEqual(main(line), status, err.getvalue())
        self.stdout, self.stderr = out.getvalue(), err.getvalue()

    def refuse(self, words, *arguments, status=2):
        """The command says one line with `words` in it, and leaves no file."""
        before = sorted(os.listdir())
        self.run_command(*arguments, status=status)
        self.assertEqual(self.stderr.count("\n"), 1, self.stderr)
        self.assertIn(words, self.stderr)
        self.assertEqual(sorted(os.listdir()), before)

    @property
    def image(self):
        """The waterfall in the figure."""
        return next(axes.images[0] for axes in self.figure.axes if axes.images)


def write(name, x, format):
    """Writes samples; returns them as the file has them."""
    data = cli.encode(x, format)
    Path(name).write_bytes(data)
    return cli.decode(data, format)
