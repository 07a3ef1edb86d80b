#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The conda recipe says what the project is: its version, options that CMake has, files that
are installed. conda itself is not asked."""

import re
import sys
import unittest
from pathlib import Path

import yaml

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "cmake/packaging/conda"


class QaCondaRecipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recipe = yaml.safe_load((FOLDER / "recipe.yaml").read_text())
        cls.cmake = (PROJECT / "CMakeLists.txt").read_text()

    def test_version(self):
        version = re.search(r"project\(gr-gpufft VERSION (\S+)", self.cmake)[1]
        self.assertEqual(self.recipe["context"]["version"], version)

    def test_source_is_the_project(self):
        source = FOLDER / self.recipe["source"]["path"]
        self.assertEqual(source.resolve(), PROJECT)
        self.assertTrue((source / self.recipe["about"]["license_file"]).exists())

    def test_options_are_the_projects(self):
        commands = " ".join(self.recipe["build"]["script"])
        own = re.findall(r"-D(?!CMAKE_|Python3_)(\w+)=", commands)
        self.assertIn("ENABLE_CUDA", own)
        for option in own:
            self.assertRegex(self.cmake, rf"(?:option|set)\({option} ")

    def test_what_the_build_looks_for_is_required(self):
        required = " ".join(self.recipe["requirements"]["host"])
        names = {"FFTW3": "fftw", "Boost": "boost", "Gnuradio": "gnuradio-core"}
        packages = re.findall(r"find_package\((\w+)", self.cmake)
        self.assertIn("Volk", packages)
        for package in set(packages) - {"Threads"}:
            name = names.get(package, package.lower().removesuffix("3"))
            self.assertIn(name, required)

    def test_what_the_command_imports_is_required(self):
        """By tests/setup.sh, too."""
        required = " ".join(self.recipe["requirements"]["run"])
        packages = (PROJECT / "tests/setup.sh").read_text()
        texts = [file.read_text() for file in (PROJECT / "apps/cli").glob("*.py")]
        found = re.findall(r"(?m)^(?:from|import) (\w+)", "".join(texts))
        modules = set(found) - sys.stdlib_module_names
        self.assertIn("numpy", modules)
        for module in modules - {"gnuradio"}:
            self.assertIn(module, required)
            self.assertIn(f"python3-{module}", packages)

    def test_files_that_it_expects_are_installed(self):
        _, script, contents = self.recipe["tests"]
        example = re.search(r"/examples/gpufft/(\S+)", " ".join(script["script"]))[1]
        self.assertTrue((PROJECT / "examples" / example).exists())
        blocks, man_page = contents["package_contents"]["files"]
        self.assertTrue((PROJECT / "grc" / Path(blocks).name).exists())
        self.assertTrue(
            (PROJECT / "apps" / Path(man_page).name.replace(".gz", ".in")).exists()
        )


if __name__ == "__main__":
    unittest.main()
