#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/own_module builds against the installed libraries and headers, passes its own
test, and its block is one of Companion's."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ["GPUFFT_BUILD_DIR"])


def run(*command, **more):
    done = subprocess.run(
        [str(word) for word in command],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=1200,
        check=False,
        **more,
    )
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}")
    return done.stdout


class QaOwnModule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        prefix, cls.build = (
            Path(cls.folder.name, "prefix"),
            Path(cls.folder.name, "build"),
        )
        for component in ("libraries", "development"):
            run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
        core = next(prefix.rglob("libgpufft-core.so"))  # where the loader does not look
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": str(core.parent)}
        options = {
            "CMAKE_PREFIX_PATH": prefix,
            "CMAKE_BUILD_TYPE": "Release",
            "Python3_EXECUTABLE": sys.executable,
            "PYTHON_EXECUTABLE": sys.executable,
        }
        given = [f"-D{name}={value}" for name, value in options.items()]
        run("cmake", "-S", HERE / "own_module", "-B", cls.build, *given)
        run("cmake", "--build", cls.build)

    def test_its_own_test_passes(self):
        path = os.pathsep.join([str(self.build), os.environ["PYTHONPATH"]])
        test = HERE / "own_module" / "qa_limiter.py"
        said = run(sys.executable, test, env={**self.environment, "PYTHONPATH": path})
        self.assertIn("OK", said)

    def test_ctest_finds_it(self):
        command = ("ctest", "--test-dir", self.build, "--output-on-failure")
        said = run(*command, env=self.environment)
        self.assertIn("100% tests passed", said)

    def test_it_can_be_installed(self):
        prefix = Path(self.folder.name, "installed")
        run("cmake", "--install", self.build, "--prefix", prefix)
        names = {path.name for path in prefix.rglob("*") if path.is_file()}
        self.assertLessEqual({"__init__.py", "own_limiter_cc.block.yml"}, names)

    def test_companion_knows_the_block(self):
        program = (
            "from gnuradio import gr\n"
            "from gnuradio.grc.core.platform import Platform\n"
            "parts = (gr.major_version(), gr.api_version(), gr.minor_version())\n"
            "grc = Platform(version=gr.version(), version_parts=parts, prefs=gr.prefs())\n"
            "grc.build_library()\n"
            "assert grc.blocks['own_limiter_cc'].category == ['Own Module']\n"
        )
        paths = {"GRC_BLOCKS_PATH": str(HERE / "own_module")}
        run(sys.executable, "-c", program, env={**os.environ, **paths})


if __name__ == "__main__":
    unittest.main()
