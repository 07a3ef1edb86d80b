#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The recording example: bursts at their times and frequencies, spectra against NumPy."""

import json
import re
import shutil
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import recording  # noqa: E402 (from the folders just added)
import transponder_scene as scene  # noqa: E402
from example_test import ENGINE, ExampleTestCase, run_grc  # noqa: E402
from gnuradio.fft import window  # noqa: E402
from gnuradio.gpufft.cli.errors import InputError  # noqa: E402
from gnuradio.gpufft.cli.recording import open_recording  # noqa: E402


class QaRecording(ExampleTestCase):
    def make_scene(self, seed):
        """(file, bursts) of a scene made here."""
        file = self.folder / "scene.cu8"
        bursts = scene.make_bursts(np.random.default_rng(seed))
        scene.TransponderScene(bursts, seed).write(file)
        return file, bursts

    def measure(self, file, **how):
        opened = open_recording(str(file), **how)
        flowgraph = recording.RecordingSpectra(opened, 0, opened.samples, ENGINE)
        return flowgraph.measure()

    def assert_bursts(self, found, sent):
        self.assertGreaterEqual(len(sent), 40)
        self.assertEqual(len(found), len(sent))
        self.assertEqual(recording.compare(found, sent), len(sent))

    def test_bursts_and_spectra(self):
        file, sent = self.make_scene(3)
        rows = self.measure(file, rate="2M")
        self.assert_bursts(recording.find_bursts(rows["short"], scene.RATE), sent)
        # The same from the file, in double precision.
        samples = (np.fromfile(file, np.uint8) - 127.5) / 127.5
        samples = samples.view(complex)
        size = recording.SIZE
        taps = np.array(window.hann(size))
        for kind, hop in (("mean", size // 2), ("max", size // 2), ("kurtosis", size)):
            frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
            power = np.abs(np.fft.fft(frames * taps, axis=1) / taps.sum()) ** 2
            if kind == "kurtosis":
                m, s1, s2 = len(power), power.sum(axis=0), (power**2).sum(axis=0)
                expected = (m + 1) / (m - 1) * (m * s2 / s1**2 - 1)
            else:
                expected = getattr(power, kind)(axis=0)
            np.testing.assert_allclose(
                rows[kind], [np.fft.fftshift(expected)], rtol=1e-3, err_msg=kind
            )

    def test_kurtosis_tells_bursts_and_carriers_from_noise(self):
        file, _ = self.make_scene(4)
        kurtosis = self.measure(file, rate="2M")["kurtosis"][0]
        burst, carrier = (
            round(hertz / scene.RATE * recording.SIZE) + recording.SIZE // 2
            for hertz in (scene.TRANSPONDERS[0][0], scene.CARRIER[0])
        )
        self.assertGreater(kurtosis[burst], 10)
        self.assertLess(kurtosis[carrier], 0.2)

    def test_noise_alone_has_no_bursts_and_kurtosis_1(self):
        file = self.folder / "noise.cu8"
        scene.TransponderScene([], 2).write(file)
        rows = self.measure(file, rate="2M")
        self.assertEqual(recording.find_bursts(rows["short"], scene.RATE), [])
        self.assertAlmostEqual(np.median(rows["kurtosis"]), 1, delta=0.02)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "recording.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertRegex(printed, r"(\d+) of \1 bursts where they were sent, \1 found")

    def test_the_picture_is_not_the_recording(self):
        file, _ = self.make_scene(5)
        before = file.read_bytes()
        link = self.folder / "link.png"
        link.symlink_to(file)
        with self.assertRaisesRegex(InputError, "which the command reads or writes"):
            recording.analyse(
                recording.make_parser().parse_args(
                    [str(file), "--rate", "2M", "--plot", str(link)]
                )
            )
        self.assertEqual(file.read_bytes(), before)

    def test_a_sigmf_recording_with_a_part_of_it(self):
        file, sent = self.make_scene(6)
        shutil.move(file, self.folder / "scene.sigmf-data")
        metadata = {
            "global": {
                "core:version": "1.0.0",
                "core:datatype": "cu8",
                "core:sample_rate": scene.RATE,
            },
            "captures": [{"core:sample_start": 0, "core:frequency": 1090e6}],
            "annotations": [],
        }
        (self.folder / "scene.sigmf-meta").write_text(json.dumps(metadata))
        printed = self.run_example(
            HERE / "recording.py",
            self.folder / "scene.sigmf-meta",
            "--start",
            0.1,
            "--duration",
            0.05,
        )
        inside = [burst for burst in sent if 0.1 < burst.start and burst.end < 0.15]
        self.assertIn(f"{len(inside)} bursts", printed)
        times = re.findall(r"([\d.]+) ms +[\d.]+ us +1(?:089|090)\.\d+ MHz", printed)
        self.assertEqual(len(times), min(10, len(inside)))
        for time in times:
            nearest = min(abs(float(time) / 1e3 - burst.start) for burst in inside)
            self.assertLess(nearest, 8e-6)

    def test_the_grc_flowgraph(self):
        """Its waterfall, row by row: where bursts are, and only there, levels rise."""
        file, sent = self.make_scene(1)
        shutil.move(file, self.folder / "transponders.cu8")
        size, line = 256, 20
        seconds = line * size / 2 / scene.RATE
        rows = int(scene.SECONDS / seconds) - 1
        got = run_grc(
            HERE / "recording.grc", self.folder, {"rows_file": 4 * size * rows}
        )
        waterfall = np.frombuffer(got["rows_file"], np.float32).reshape(rows, size)
        place, level = scene.CARRIER
        carrier = waterfall[:, round(place / scene.RATE * size) + size // 2]
        self.assertAlmostEqual(np.median(carrier), level, delta=1.5)
        busy = np.zeros(rows, bool)
        for burst in sent:
            first, last = int(burst.start / seconds), int(burst.end / seconds)
            if last < rows:
                busy[first : last + 1] = True
                k = round(burst.frequency / scene.RATE * size) + size // 2
                peak = waterfall[first : last + 1, k - 2 : k + 3].max()
                # Its line is 3 dB lower, and a short burst fills half a frame or more.
                self.assertGreater(peak, burst.level - 10)
        others = np.roll(busy, 1) | np.roll(busy, -1) | busy
        self.assertLess(waterfall[~others, : size // 2 + 40].max(), -38)


if __name__ == "__main__":
    unittest.main()
