#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that picture the analyzer's window, its page and spectrum_sink for the guide
run, and make pictures of the size of those in the guide, with all that they show."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

PROJECT = Path(__file__).resolve().parents[2]
IMAGES = PROJECT / "docs" / "images"
COMMAND = Path(os.environ["GPUFFT_BUILD_DIR"]) / "apps" / "gpufft"
PATIENCE = 500  # s, for a busy machine
CELLS = 8  # across and down
FEWEST_COLOURS = 4  # in a cell where the guide's picture has twice as many


class QaDocsPictures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, script, target, *pictures):
        """Runs a script, whose pictures go to `target`, and compares them with the guide's."""
        environment = {**os.environ, "GPUFFT_COMMAND": str(COMMAND)}
        environment["QT_QPA_PLATFORM"] = "offscreen"
        done = subprocess.run(
            [IMAGES / script, target],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("Traceback", done.stdout)
        for name in pictures:
            self.compare(name)

    def compare(self, name):
        """Every part that shows something in the guide shows something here."""
        with Image.open(self.folder / name) as ours, Image.open(IMAGES / name) as guides:
            self.assertEqual(ours.size, guides.size, name)
            for place, (mine, its) in enumerate(zip(colours(ours), colours(guides))):
                if its >= 2 * FEWEST_COLOURS:
                    self.assertGreaterEqual(mine, FEWEST_COLOURS, f"{name}, cell {place}")

    def test_window(self):
        pictures = "analyzer.png", "analyzer_markers.png"
        self.make("make_analyzer.py", self.folder, *pictures)

    @unittest.skipUnless(shutil.which("chromium"), "there is no Chromium here")
    def test_page(self):
        name = "analyzer_page.png"
        self.make("make_analyzer_page.py", self.folder / name, name)

    @unittest.skipUnless(shutil.which("grcc"), "there is no grcc here")
    def test_sink(self):
        name = "spectrum_sink.png"
        self.make("make_spectrum_sink.py", self.folder / name, name)


def colours(picture):
    """How many colours, by 4 bits a channel, are in each cell of a picture."""
    pixels = np.asarray(picture.convert("RGB")).astype(int) >> 4
    keys = (pixels[..., 0] << 8) + (pixels[..., 1] << 4) + pixels[..., 2]
    for row in np.array_split(keys, CELLS):
        for cell in np.array_split(row, CELLS, axis=1):
            yield len(np.unique(cell))


if __name__ == "__main__":
    unittest.main()
