#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's scripts run by the Python that GNU Radio's modules belong to, whichever python3
comes first on PATH: Debian's in the source tree, the configured one where they are installed."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["GPUFFT_BUILD_DIR"])


def interpreters(folder):
    """What the first lines of the Python programs below name; not of build folders."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if name != ".git" and not Path(place, name, "CMakeCache.txt").exists()
        ]
        for path in (Path(place, name) for name in names if name.endswith(".py")):
            with path.open("rb") as file:
                first = file.readline().decode()
            if first.startswith("#!"):
                found[path.relative_to(folder)] = first[2:-1]
    return found


class QaScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_here(self, *command):
        """Where python3 is another environment's, which has not even NumPy."""
        python = self.folder / "python3"
        python.write_text('#!/bin/sh\necho "No module named \'numpy\'"; exit 1\n')
        python.chmod(0o755)
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_scripts_name_debian_s_python(self):
        found = interpreters(PROJECT)
        self.assertGreater(len(found), 50)
        for path, interpreter in found.items():
            with self.subTest(script=path):
                self.assertEqual(interpreter, "/usr/bin/python3")

    @unittest.skipIf(sys.executable != "/usr/bin/python3", "made for another Python")
    def test_a_script_runs_beside_another_python(self):
        script = PROJECT / "examples" / "wideband_scene.py"
        self.run_here(script, "scene", "--duration", "0.001")
        self.assertTrue((self.folder / "scene.sigmf-data").exists())

    def test_installed_scripts_name_the_configured_python(self):
        prefix = self.folder / "prefix"
        self.run_here("cmake", "--install", BUILD / "examples", "--prefix", prefix)
        installed = prefix / "share" / "gnuradio" / "examples" / "gpufft"
        found = interpreters(installed)
        programs = interpreters(PROJECT / "examples")
        wanted = {path for path in programs if not path.name.startswith("qa_")}
        self.assertEqual(set(found), wanted)
        for path, interpreter in found.items():
            with self.subTest(script=path):
                self.assertEqual(interpreter, sys.executable)
                self.assertTrue(os.access(installed / path, os.X_OK))


if __name__ == "__main__":
    unittest.main()
