#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the preset `debian` builds the packages with: Debian's own flags, and the engine cuda
always. Configures in a folder of its own, builds nothing."""

import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def flags(kind):
    """Those of dpkg-buildflags, but for Release's own."""
    words = subprocess.run(
        ["dpkg-buildflags", "--get", kind],
        env={**os.environ, "DEB_BUILD_MAINT_OPTIONS": "hardening=+all"},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {word for word in shlex.split(words) if not re.match("-O", word)}


class QaDebianPreset(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "build"

    def configure(self, *options):
        command = ["cmake", "--preset", "debian", "-B", self.folder, *options]
        return subprocess.run(
            command,
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def headers(self, folder, version):
        folder.mkdir(parents=True)
        (folder / "cuda.h").write_text(f"#define CUDA_VERSION {version}\n")
        (folder / "nvrtc.h").touch()
        return f"-DCUDA_INCLUDE_DIR={folder}", f"-DNVRTC_INCLUDE_DIR={folder}"

    def test_flags_and_engine(self):
        headers = self.headers(self.folder / "nvidia/cu13/include", 13000)
        done = self.configure(*headers, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("cuda engine ON", done.stdout)
        compile_flags = flags("CPPFLAGS") | flags("CXXFLAGS")
        self.assertTrue(any("FORTIFY_SOURCE" in flag for flag in compile_flags))
        commands = json.loads((self.folder / "compile_commands.json").read_text())
        seen = set()
        for each in commands:
            words = shlex.split(each["command"])
            target = re.search(r"/(\w[\w-]*)\.dir/", each["command"])[1]
            if target in (
                "gpufft-objects",
                "gpufft-block-objects",
                "gpufft-binding-objects",
            ):
                seen.add(target)
                self.assertLessEqual(compile_flags, set(words), each["file"])
                self.assertIn("-O3", words)
        self.assertEqual(len(seen), 3, seen)
        ninja = (self.folder / "build.ninja").read_text()
        link_flags = flags("LDFLAGS")
        for library in ("libgpufft-core", "libgnuradio-gpufft", "gpufft_python"):
            stanza = re.search(
                rf"^build \S*{library}\S*: CXX\S*LINK.*?\n\n", ninja, re.M | re.S
            )
            found = re.search(r"LINK_FLAGS = (.*)", stanza[0])[1]
            self.assertLessEqual(link_flags, set(shlex.split(found)), library)

    def test_without_headers_it_says_how_to_get_them(self):
        done = self.configure(*self.headers(self.folder.parent / "old", 11080))
        self.assertNotEqual(done.returncode, 0)
        text = " ".join(done.stdout.split())
        self.assertIn("cuda.h and nvrtc.h of CUDA 12.4 or later were not found", text)
        self.assertRegex(
            text,
            rf"pip3 install .* --target {self.folder} nvidia-cuda-nvrtc nvidia-cuda-runtime",
        )


if __name__ == "__main__":
    unittest.main()
