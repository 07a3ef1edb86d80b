#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs and libraries, built and installed: the loader looks for libraries in no
folder that is not named, and faults of memory meet what the compiler has against them."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["GPUFFT_BUILD_DIR"])
IS_HARDENED = os.environ.get("GPUFFT_IS_HARDENED", "ON") in ("ON", "TRUE", "1")
# What is installed, where it is built.
INSTALLED = ("lib/*.so.*", "python_modules/gnuradio/gpufft/*.so", "apps/bench/*")
INSTALLED += ("apps/bench/arrays/*", "apps/bench/flowgraph/*")


def is_elf(path):
    """Whether it is a program or a shared library, under its own name."""
    if path.is_symlink() or not path.is_file() or path.suffix == ".o":
        return False
    with path.open("rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] in (b"\2\0", b"\3\0")


def readelf(path, *options):
    return subprocess.run(
        ["readelf", "--wide", *options, path], capture_output=True, text=True, check=True
    ).stdout


def runpath(path):
    """Its elements; [] without one."""
    found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", readelf(path, "--dynamic"))
    return found[1].split(":") if found else []


class QaElfFiles(unittest.TestCase):
    def check_runpath(self, path):
        for element in runpath(path):
            self.assertTrue(element.startswith(("/", "$ORIGIN")), (path, runpath(path)))

    def products(self):
        files = [path for pattern in INSTALLED for path in BUILD.glob(pattern)]
        return [path for path in files if is_elf(path)]

    def test_all_that_is_built(self):
        """The tests' programs, too; not those that other presets build below."""
        found = 0
        for folder, folders, names in os.walk(BUILD):
            folders[:] = [
                name
                for name in folders
                if not (Path(folder) / name / "CMakeCache.txt").exists()
                and name != "CMakeFiles"
            ]
            for path in (Path(folder) / name for name in names):
                if is_elf(path):
                    found += 1
                    self.check_runpath(path)
        self.assertGreater(found, 2)

    def test_all_that_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            for component in ("libraries", "python", "tools"):
                command = ["cmake", "--install", BUILD, "--component", component]
                command += ["--prefix", f"{folder}/usr"]
                done = subprocess.run(command, capture_output=True, text=True)
                if "file INSTALL cannot find" in done.stderr:
                    self.skipTest("not all is built")
                self.assertEqual(done.returncode, 0, done.stderr)
            installed = [path for path in Path(folder).rglob("*") if is_elf(path)]
            self.assertEqual(
                sorted(path.name for path in installed),
                sorted(path.name for path in self.products()),
            )
            for path in installed:
                self.check_runpath(path)
                for element in runpath(path):
                    self.assertNotIn(str(BUILD), element)
                # It finds this project's libraries beside it, here.
                if not runpath(path):  # but where it is to be the loader looks
                    continue
                needed = subprocess.run(["ldd", path], capture_output=True, text=True)
                for place in re.findall(r"libg\S*gpufft\S* => (\S*)", needed.stdout):
                    is_here = Path(place).resolve().is_relative_to(folder)
                    self.assertTrue(is_here, (path, place))

    def test_what_functions_make_at_their_first_call(self):
        """A child of fork() waits for ever for what another thread was making: all is made
        when the library is loaded, or under a mutex that is free at forks (forks.h)."""
        names = subprocess.run(
            ["nm", "-C", *BUILD.glob("lib/lib*gpufft*.so")],
            capture_output=True,
            text=True,
        ).stdout
        made = set()
        for name in re.findall(r"guard variable for gr::gpufft::(.*)", names):
            function = name.replace("(anonymous namespace)::", "").split("(")[0]
            made.add(re.sub("<.*>|\\[.*?\\]", "", function).split("::")[-1])
        at_load = {
            "algorithms",
            "compile_options",
            "kernel_sources",
            "of",
            "free_at_forks",
        }
        at_load |= {"shipped_wisdom", "sources_hash", "transform_kinds", "wisdom_files"}
        at_load |= {"expression_functions"}
        locked = {"planner_lock", "say_once", "tell_if_unmeasured"}
        locked |= {"user_wisdom"}
        self.assertEqual(made, at_load | locked)

    @unittest.skipUnless(IS_HARDENED, "this build is not hardened")
    def test_hardening(self):
        guarded = 0
        for path in self.products():
            with self.subTest(path=path):
                dynamic = readelf(path, "--dynamic")
                self.assertRegex(dynamic, r"BIND_NOW|FLAGS_1.*NOW")
                self.assertNotIn("TEXTREL", dynamic)
                segments = readelf(path, "--segments")
                self.assertIn("GNU_RELRO", segments)
                self.assertRegex(segments, r"GNU_STACK .* RW  ")  # not executable
                guarded += "__stack_chk_fail" in readelf(path, "--dyn-syms")
        self.assertEqual(guarded, len(self.products()))

    @unittest.skipUnless(IS_HARDENED, "this build is not hardened")
    @unittest.skipUnless((BUILD / "build.ninja").exists(), "paths as Ninja has them")
    def test_copies_are_checked(self):
        """By the commands: of copies that fit, nothing is left in the symbols."""
        commands = json.loads((BUILD / "compile_commands.json").read_text())
        seen = set()
        for each in commands:  # whose sources may be several in one
            target = re.search(r" -o (lib|python|apps/bench)/\S* ", each["command"])
            if target:
                seen.add(target[1])
                self.assertIn("-D_FORTIFY_SOURCE=", each["command"])
                self.assertRegex(each["command"], r" -O[23] ")
        self.assertLessEqual({"lib", "python"}, seen)


if __name__ == "__main__":
    unittest.main()
