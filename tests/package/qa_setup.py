#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests/setup.sh installs it asks for first, where somebody can answer."""

import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[1] / "setup.sh"
NOBODY = 65534

PROGRAMS = {  # that stand for the real ones
    "apt-get": 'echo "apt-get $*" >>"$SEEN"',
    "sudo": 'echo sudo >>"$SEEN"; "$@"',
    "dpkg-query": "exit 1",  # nothing is installed
}


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
            timeout=60,
            check=False,
            **how,
        )
        for descriptor in (terminal, stdin, script):
            if descriptor is not None:
                os.close(descriptor)
        return done.returncode, seen.read_text() if seen.exists() else "", done.stderr

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


if __name__ == "__main__":
    unittest.main()
