#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The C++ program of docs/plan_api.md builds against the installed module, by CMake and by
pkg-config."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import page
import sandbox

PAGE = page.PROJECT / "docs" / "plan_api.md"


class QaPlanApi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.installed = self.install()

    def install(self):
        """What a program in C++ needs, in a folder of its own; returns the prefix there."""
        stage = self.folder / "stage"
        for component in ("libraries", "development"):
            command = ["cmake", "--install", sandbox.BUILD, "--component", component]
            self.run_in({"DESTDIR": str(stage)}, *command)
        config = next(stage.rglob("gnuradio-gpufftConfig.cmake"))
        return config.parents[3] if config.parents[2].name == "lib" else config.parents[4]

    def run_in(self, settings, *command):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_its_commands(self):
        for fence in page.fences(PAGE):
            if fence.language in ("cpp", "cmake"):
                name = fence.source.split()[1]
                (self.folder / name).write_text(fence.source, encoding="utf-8")
        libraries = next(self.installed.rglob("libgpufft-core.so")).parent
        settings = {
            "CMAKE_PREFIX_PATH": str(self.installed),
            "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
            "LD_LIBRARY_PATH": str(libraries),
        }
        ways = [
            fence for fence in page.fences(PAGE) if fence.run_by == "qa_docs_plan_api"
        ]
        self.assertEqual(len(ways), 2)
        for way in ways:
            with self.subTest(commands=way.source):
                said = self.run_in(settings, "bash", "-euc", way.source)
                self.assertIn("3 rows, |X[7]| = 1000.0", said)


if __name__ == "__main__":
    unittest.main()
