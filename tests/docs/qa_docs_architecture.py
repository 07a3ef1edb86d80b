#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers use those below them only, as docs/architecture.md says."""

import re
import unittest

import page

# Folders of lib, the lowest first; and what an include of each looks like.
LAYERS = ("plan", "engine", "stream", "blocks")
CORE = ("plan", "engine")


def includes(folder):
    """Pairs of a file and what it includes."""
    for path in sorted((page.PROJECT / "lib" / folder).rglob("*")):
        if path.suffix in (".cc", ".h"):
            text = path.read_text(encoding="utf-8")
            for name in re.findall(r'^#include ["<]([^">]+)[">]', text, re.M):
                yield path.relative_to(page.PROJECT), name


class QaArchitecture(unittest.TestCase):
    def test_no_layer_includes_one_above_it(self):
        for i, layer in enumerate(LAYERS):
            above = tuple(f"{name}/" for name in LAYERS[i + 1 :])
            for path, name in includes(layer):
                with self.subTest(file=str(path)):
                    self.assertFalse(name.startswith(above) if above else False, name)

    def test_the_core_knows_no_gnu_radio(self):
        for layer in CORE:
            for path, name in includes(layer):
                with self.subTest(file=str(path)):
                    if name.startswith("gnuradio/"):
                        self.assertTrue(name.startswith("gnuradio/gpufft/"), name)

    def test_every_folder_of_lib_is_a_layer(self):
        folders = {
            path.name for path in (page.PROJECT / "lib").iterdir() if path.is_dir()
        }
        self.assertEqual(folders, set(LAYERS))


if __name__ == "__main__":
    unittest.main()
