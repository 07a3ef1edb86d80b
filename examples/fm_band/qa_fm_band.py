#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The FM example: every station's note, deviation and noise are what theory says."""

import sys
import unittest
from pathlib import Path

import numpy as np
from scipy import signal

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import fm_band as fm  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)


class QaFmBand(ExampleTestCase):
    def assert_heard(self, audio, station):
        """The note to 0.3 Hz, its deviation to 0.5 %, the noise to 1.5 dB."""
        heard = fm.measure(audio)
        self.assertAlmostEqual(heard.note, station.note, delta=0.3)
        self.assertAlmostEqual(heard.deviation, fm.DEVIATION, delta=0.005 * fm.DEVIATION)
        expected = fm.expected_clarity(station)
        self.assertAlmostEqual(heard.clarity, expected, delta=1.5)

    def test_every_station_is_heard(self):
        stations = fm.make_stations(np.random.default_rng(8))
        self.assertEqual(len({round(station.note) for station in stations}), 20)
        audio, spectrum = fm.FmBand(stations, ENGINE, 8).receive()
        for sound, station in zip(audio, stations):
            with self.subTest(station=station):
                self.assert_heard(sound, station)
        # Away from the stations is the noise.
        frequency = (np.arange(fm.SIZE) - fm.SIZE // 2) * fm.RATE / fm.SIZE
        away = [np.abs(frequency - station.offset) > 150e3 for station in stations]
        floor = 10 * np.log10(np.mean(10 ** (spectrum[np.all(away, axis=0)] / 10)))
        self.assertAlmostEqual(floor, fm.NOISE, delta=0.2)

    def test_a_strong_neighbour_is_not_heard(self):
        weak = fm.Station(1e6, -50, 440.0)
        strong = fm.Station(1.3e6, -25, 1000.0)
        audio, _ = fm.FmBand([weak, strong], ENGINE, 9).receive()
        self.assert_heard(audio[0], weak)
        self.assert_heard(audio[1], strong)
        time = np.arange(audio.shape[1]) / fm.AUDIO_RATE
        window = signal.windows.blackmanharris(audio.shape[1])
        tone = window * np.exp(-2j * np.pi * strong.note * time)
        crosstalk = 2 * abs(np.sum(audio[0] * tone)) / np.sum(window)
        self.assertLess(crosstalk, 1e-3 * fm.DEVIATION)

    def test_names_of_notes(self):
        for hertz, name in ((440, "A4"), (523.25, "C5"), (830.6, "G♯5"), (880, "A5")):
            self.assertEqual(fm.note_name(hertz), name)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "fm_band.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn("20 of 20 stations play their note", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "fm_band.grc"
        made = grc_variables(grc)
        count, length = len(made["centers"]), int(0.2 * fm.CHANNEL_RATE)
        sizes = {"angles_file": 4 * count * length}
        got = run_grc(grc, self.folder, sizes)["angles_file"]
        angles = np.frombuffer(got, np.float32).reshape(length, count).T
        frequency = angles * fm.CHANNEL_RATE / (2 * np.pi)
        audio = signal.lfilter(fm.audio_taps(), 1, frequency)[:, :: fm.AUDIO_DECIMATION]
        for sound, note in zip(audio[:, fm.SETTLING :], made["notes"]):
            with self.subTest(note=note):
                self.assert_heard(sound, fm.Station(0, made["level"], note))


if __name__ == "__main__":
    unittest.main()
