#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/first_flowgraph_grc.md: Companion makes the flowgraph that is in examples/, step by
step; it runs and shows what the page says. The page's command for a build folder starts a
Companion that executes flowgraphs of other folders."""

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
import page
import sandbox
import yaml
from gnuradio.gpufft.cli import ending

PAGE = page.PROJECT / "docs" / "first_flowgraph_grc.md"
EXECUTE = page.PROJECT / "tests" / "docs" / "execute_in_companion.py"
SCREEN = ("xvfb-run", "-a", "-s", "-screen 0 1400x900x24 -noreset")
FLOWGRAPH = page.PROJECT / "examples" / "first_flowgraph.grc"
STEPS = (
    "1_new",
    "2_blocks",
    "3_properties",
    "4_documentation",
    "5_connected",
    "6_running",
)


def has_companion():
    """Whether Companion's window, and a screen to draw it on, can be had."""
    probe = "import gi, gi._gi_cairo, gnuradio.grc"
    for name, version in (("Gtk", "3.0"), ("PangoCairo", "1.0")):
        probe += f"; gi.require_version({name!r}, {version!r})"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False)
    return done.returncode == 0 and shutil.which("xvfb-run") is not None


class QaFirstFlowgraph(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_here(self, *command):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1200,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    @unittest.skipUnless(has_companion(), "no Companion, or no xvfb-run")
    def test_companion_from_the_build_folder_executes_what_is_saved_elsewhere(self):
        (command,) = re.findall(
            r"`(PYTHONPATH=\S+ .* gnuradio-companion)`", PAGE.read_text()
        )
        project = self.folder / "project"
        elsewhere = self.folder / "elsewhere"
        for place in (project, elsewhere):
            place.mkdir()
        (project / "build").symlink_to(sandbox.BUILD)
        (project / "grc").symlink_to(page.PROJECT / "grc")
        flowgraph = shutil.copy(
            page.PROJECT / "examples" / "fft_vcc_dropin.grc", elsewhere
        )
        execute = shlex.join([*SCREEN, sys.executable, str(EXECUTE), str(flowgraph)])
        command = command.replace("gnuradio-companion", execute)
        said = self.run_here("bash", "-c", f"cd {shlex.quote(str(project))}; {command}")
        self.assertIn("Executing: ", said)
        self.assertRegex(said, r">>> Done\s*$")

    @unittest.skipUnless(has_companion(), "no Companion, or no xvfb-run")
    def test_companion_makes_it(self):
        script = page.PROJECT / "docs" / "images" / "make_first_flowgraph.py"
        self.run_here(*SCREEN, sys.executable, script, self.folder)
        made = yaml.safe_load((self.folder / FLOWGRAPH.name).read_text(encoding="utf-8"))
        kept = yaml.safe_load(FLOWGRAPH.read_text(encoding="utf-8"))
        for part in ("options", "blocks", "connections"):
            self.assertEqual(made[part], kept[part])
        for step in STEPS:
            picture = self.folder / f"first_flowgraph_{step}.png"
            self.assertGreater(picture.stat().st_size, 10000, step)

    def test_it_shows_the_tone_and_the_noise(self):
        from gnuradio import blocks
        from PyQt5 import Qt

        self.run_here("grcc", "-o", self.folder, FLOWGRAPH)
        source = self.folder / "first_flowgraph.py"
        spec = importlib.util.spec_from_file_location("first_flowgraph", source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        application = Qt.QApplication(["first_flowgraph", "-platform", "offscreen"])
        flowgraph = module.first_flowgraph()
        last = blocks.probe_signal_vf(4096)
        flowgraph.connect(flowgraph.gpufft_power_spectrum_xf_0, last)
        flowgraph.start(8192)
        end = time.monotonic() + 200
        while max(last.level()) == 0 and time.monotonic() < end:
            application.processEvents()
            time.sleep(0.05)
        levels = np.array(last.level())
        flowgraph.stop()
        flowgraph.wait()
        self.assertEqual(levels.argmax(), 2048 + 512)  # 250 kHz of 2 MHz
        self.assertAlmostEqual(levels.max(), -20, delta=0.1)
        self.assertAlmostEqual(np.median(levels), -93, delta=0.5)


if __name__ == "__main__":
    ending.run(unittest.main)
