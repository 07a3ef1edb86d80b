#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests/setup.sh installs it asks for first, where somebody can answer; the demo installs
nothing that only the tests use."""

import os
import pty
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SETUP = PROJECT / "tests" / "setup.sh"
NOBODY = 65534

PROGRAMS = {  # that stand for the real ones
    "apt-get": 'echo "apt-get $*" >>"$SEEN"',
    "sudo": 'echo sudo >>"$SEEN"; "$@"',
    "dpkg-query": "exit 1",  # nothing is installed
    "cmake": 'echo "cmake $*" >>"$SEEN"; exit 1',
    "nvidia-smi": '[ -n "$CUDA" ] || exit 127; echo "| Driver 580.1  CUDA Version: $CUDA  |"',
    "pip3": 'echo "pip3 $*" >>"$SEEN"',
}
TESTS_ONLY = re.compile(
    r"clang.*|libclang.*|libgtest.*|python3-(distributed|hypothesis|pytest)|xvfb|xauth"
)


class QaSetup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o777)  # whoever runs the programs
        for name, text in PROGRAMS.items():
            program = self.folder / name
            program.write_text(f"#!/bin/bash\n{text}\n")
            program.chmod(0o755)

    def install(self, answer=None, **how):
        """(status, what was run, stderr) of install_packages; answers are typed."""
        seen = self.folder / "seen"
        seen.unlink(missing_ok=True)
        terminal, stdin = pty.openpty() if answer is not None else (None, None)
        if answer is not None:
            os.write(terminal, f"{answer}\n".encode())
        script = os.open(SETUP, os.O_RDONLY)  # in a folder that others may not enter
        done = subprocess.run(
            ["bash", "-c", f"set -euo pipefail; . /dev/fd/{script}; install_packages"],
            stdin=stdin if answer is not None else subprocess.DEVNULL,
            env={
                "PATH": f"{self.folder}:/usr/bin:/bin",
                "SEEN": str(seen),
                "GPUFFT_BUILD_DIR": str(self.folder),
                "TMPDIR": str(self.folder),
            },
            pass_fds=(script,),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **how,
        )
        for descriptor in (terminal, stdin, script):
            if descriptor is not None:
                os.close(descriptor)
        return done.returncode, seen.read_text() if seen.exists() else "", done.stderr

    def run_script(self, script):
        """(packages installed, words of the first cmake) by one of the project's scripts."""
        seen = self.folder / "seen"
        seen.unlink(missing_ok=True)
        environment = {
            "PATH": f"{self.folder}:/usr/bin:/bin",
            "SEEN": str(seen),
            "GPUFFT_BUILD_DIR": str(self.folder / "build"),
        }
        done = subprocess.run(
            ["bash", PROJECT / script],
            stdin=subprocess.DEVNULL,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        lines = seen.read_text().splitlines()
        installed = [line for line in lines if line.startswith("apt-get install")]
        configured = [line for line in lines if line.startswith("cmake")]
        self.assertEqual((len(installed), len(configured)), (1, 1), done.stderr)
        words = installed[0].split()[2:]
        return {word for word in words if word[0] != "-"}, configured[0].split()

    def packages_of_cuda(self, version, folder):
        """What pip3 is asked for on a machine whose driver has this version of CUDA."""
        seen = self.folder / "seen"
        seen.unlink(missing_ok=True)
        script = f". {SETUP}; cuda_folders=({folder}); build"
        environment = {
            "PATH": f"{self.folder}:/usr/bin:/bin",
            "SEEN": str(seen),
            "CUDA": version,
            "GPUFFT_BUILD_DIR": str(self.folder / "build"),
        }
        subprocess.run(
            ["bash", "-c", script], env=environment, capture_output=True, check=False
        )
        line = next((x for x in seen.read_text().splitlines() if "pip3" in x), "")
        return [word for word in line.split() if word.startswith("nvidia-")]

    def test_a_gpu_without_cuda_gets_its_compiler(self):
        cuda = self.folder / "cuda"
        (cuda / "include").mkdir(parents=True)
        for version, names in (
            ("", []),
            ("11.8", []),
            ("12.2", ["nvidia-cuda-nvrtc-cu12==12.*", "nvidia-cuda-runtime-cu12==12.*"]),
            ("13.0", ["nvidia-cuda-nvrtc==13.*", "nvidia-cuda-runtime==13.*"]),
        ):
            for found, expected in (("", names), ("11080", names), ("12040", [])):
                header = f"#define CUDA_VERSION {found}\n"
                (cuda / "include" / "cuda.h").write_text(header)
                with self.subTest(driver=version, headers=found):
                    self.assertEqual(self.packages_of_cuda(version, cuda), expected)

    def as_user(self, answer=None):
        """The same, not as root."""
        if os.geteuid() != 0:
            return self.install(answer)
        return self.install(answer, user=NOBODY, group=NOBODY, extra_groups=[])

    def test_a_user_is_asked(self):
        for answer in ("", "n", "no"):
            status, seen, said = self.as_user(answer)
            self.assertEqual((status, seen), (1, ""), said)
            self.assertIn("packages are missing, and are not to be installed", said)
        for answer in ("y", "Yes"):
            status, seen, said = self.as_user(answer)
            self.assertEqual(status, 0, said)
            self.assertIn("sudo\napt-get install -q -y", seen)

    def test_where_nobody_can_answer_nobody_is_asked(self):
        status, seen, said = self.as_user()
        self.assertEqual(status, 0, said)
        self.assertIn("sudo\napt-get install", seen)

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_root_is_not_asked(self):
        status, seen, said = self.install("n")
        self.assertEqual(status, 0, said)
        self.assertIn("apt-get install", seen)
        self.assertNotIn("sudo", seen)

    def test_the_demo_installs_nothing_that_only_the_tests_use(self):
        demo, _ = self.run_script("examples/run_demo.sh")
        tests, _ = self.run_script("tests/run_tests.sh")
        self.assertLess(demo, tests)
        self.assertEqual({name for name in demo if TESTS_ONLY.fullmatch(name)}, set())
        used = {"clang", "libgtest-dev", "python3-hypothesis", "python3-pytest", "xvfb"}
        self.assertLess(used, tests)
        self.assertIn("gir1.2-gtk-3.0", demo)

    def test_the_demo_builds_no_tests_unless_the_folder_has_them(self):
        folder = self.folder / "build"
        folder.mkdir()
        _, configured = self.run_script("examples/run_demo.sh")
        self.assertIn("-DENABLE_TESTING=OFF", configured)
        (folder / "CMakeCache.txt").touch()  # to configure failed, perhaps for want of gtest
        _, configured = self.run_script("examples/run_demo.sh")
        self.assertIn("-DENABLE_TESTING=OFF", configured)
        (folder / "build.ninja").touch()
        _, configured = self.run_script("examples/run_demo.sh")
        self.assertNotIn("-DENABLE_TESTING=OFF", configured)
        _, configured = self.run_script("tests/run_tests.sh")
        self.assertIn("-DENABLE_TESTING=ON", configured)


if __name__ == "__main__":
    unittest.main()
