#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples do what they say: the scene, the flowgraphs."""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from scipy import signal

EXAMPLES = Path(__file__).resolve().parent
sys.path.insert(0, str(EXAMPLES))
import wideband_scene as scene  # noqa: E402 (from the folder just added)


def run(*command, cwd):
    """Runs a command; returns the finished process with its texts."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(cwd)}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        text=True,
        capture_output=True,
        timeout=1200,
        check=False,
    )


def make_scene(folder, seconds):
    """Makes the scene in `folder`; returns its base name."""
    base = folder / "scene"
    script = EXAMPLES / "wideband_scene.py"
    run(
        sys.executable, script, base, "--duration", seconds, cwd=folder
    ).check_returncode()
    return base


class QaSceneWithoutRoom(unittest.TestCase):
    def test_ends_with_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, EXAMPLES / "wideband_scene.py", "scene"],
                cwd=folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192,) * 2),
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            self.assertEqual(done.returncode, 1)
            line = "wideband_scene.py: scene cannot be written: File too large\n"
            self.assertEqual(done.stderr, line)
            self.assertEqual(os.listdir(folder), [])


class QaScene(unittest.TestCase):
    SLICE = 25000  # samples: short against every signal that is switched on and off

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.base = make_scene(cls.folder, 1)
        pairs = np.fromfile(f"{cls.base}.sigmf-data", "<i2").astype(np.float32) / 32768
        samples = pairs.view(np.complex64).reshape(-1, cls.SLICE)
        cls.frequency, cls.density = signal.welch(
            samples, scene.RATE, "hann", 2000, detrend=False, return_onesided=False
        )

    def band_power(self, low, high):
        """Power between two frequencies in every slice of time."""
        inside = (self.frequency >= low) & (self.frequency <= high)
        return self.density[:, inside].sum(axis=1) * scene.RATE / 2000

    def test_every_signal_has_its_level(self):
        for name, made in scene.SIGNALS.items():
            with self.subTest(signal=name):
                margin = scene.RATE / 1000  # two bins, for the window's lobe
                power = self.band_power(made.low - margin, made.high + margin)
                # Without the slices in which it is switched on or off.
                level = 10 * np.log10(np.median(power[power > power.max() / 2]))
                self.assertAlmostEqual(level, made.level, delta=0.5)

    def test_noise_floor(self):
        quiet = (self.frequency > 4.8e6) | (self.frequency < -4.6e6)
        level = 10 * np.log10(self.density[:, quiet].mean())
        self.assertAlmostEqual(level, scene.NOISE_DBFS_PER_HZ, delta=0.2)

    def test_metadata(self):
        metadata = json.loads(Path(f"{self.base}.sigmf-meta").read_text())
        self.assertEqual(metadata["global"]["core:datatype"], "ci16_le")
        self.assertEqual(
            [note["core:label"] for note in metadata["annotations"]],
            [made.label for made in scene.SIGNALS.values()],
        )

    def test_the_command_finds_the_carriers(self):
        done = run(os.environ["GPUFFT_COMMAND"], "spectrum", self.base, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        peaks = re.findall(r"([\d.]+) MHz (-[\d.]+) dBFS", done.stdout)
        found = {round(float(place), 2): float(level) for place, level in peaks}
        self.assertAlmostEqual(found[98.0], scene.SIGNALS["tone"].level, delta=0.1)
        carrier = scene.SIGNALS["am"].level - 10 * np.log10(1 + 0.5**2 / 2)
        # The side bands, 3 kHz away, are in the main lobe of the window, too.
        self.assertAlmostEqual(found[97.5], carrier, delta=0.2)


class QaExamples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_python_flowgraph(self):
        done = run(sys.executable, EXAMPLES / "spectrum_flowgraph.py", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("19 rows on engine", done.stdout)
        self.assertRegex(
            done.stdout, r"strongest bin: 100 kHz, -(20\.0|19\.9|20\.1) dBFS"
        )

    def test_drop_in_flowgraph_agrees_with_gr_fft(self):
        flowgraph = EXAMPLES / "fft_vcc_dropin.grc"
        run("grcc", "-o", self.folder, flowgraph, cwd=self.folder).check_returncode()
        done = run(sys.executable, "fft_vcc_dropin.py", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        ours, stock = (
            np.fromfile(self.folder / f"{name}.cf32", np.complex64)
            for name in ("gpufft", "gr_fft")
        )
        self.assertEqual(len(ours), 100 * 1024)
        error = np.linalg.norm(ours - stock) / np.linalg.norm(stock)
        self.assertLess(error, 1e-6)


if __name__ == "__main__":
    unittest.main()
