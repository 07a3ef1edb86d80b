#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The waterfall of gpufft analyzer: every line is kept and found again; what is saved."""

import unittest
from pathlib import Path
from unittest import mock

import numpy as np
from PyQt5.QtCore import QPoint, Qt

from analyzer_testing import CENTRE, RATE, AnalyzerWindowTestCase, turn_wheel, wait_for
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import history, saving


class QaHistory(unittest.TestCase):
    """Tiers of 16 lines in place of the large ones."""

    def setUp(self):
        for name, value in (("LINES", 16), ("ROOM", 20), ("TIERS", 3)):
            patch = mock.patch.object(history, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_nothing_is_lost(self):
        """All times have a line, the newest a line of their own; each line is the mean of
        the power in its time."""
        lines, edges = history.History(), np.arange(5.0)
        powers = np.random.default_rng(2).uniform(1e-9, 1e-3, (500, 4))
        for number, power in enumerate(powers):
            lines.add(10 * np.log10(power), (0.0, 4.0), number + 1.0, number)
        self.assertEqual(lines.oldest, 1)
        cells = lines.image(np.arange(500) + 0.5, edges)[1:]
        self.assertFalse((cells == history.NOTHING).any())
        levels = history.decode(cells)
        newest = 10 * np.log10(powers[-14:])
        np.testing.assert_allclose(levels[-14:], newest, atol=0.011)
        tiers = [tier.facts for tier in lines._tiers]
        self.assertEqual(sum(facts["seconds"].sum() for facts in tiers), 499)
        self.assertLessEqual(sum(len(facts) for facts in tiers), 48)
        for tier in lines._tiers:
            for fact, line in zip(tier.facts, tier.levels):
                end, count = round(fact["end"]), round(fact["seconds"])
                mean = powers[end - count : end].mean(axis=0)
                found = 10 ** (line[:4] * history.STEP / 10)
                np.testing.assert_allclose(found, mean, rtol=0.03)

    def test_zoom(self):
        """A line stays where its frequencies are, whatever is shown later."""
        lines = history.History()
        for number in range(40):
            band = (0.0, 100.0) if number % 3 else (20.0, 30.0)
            lines.add(np.linspace(*band, 100), band, number + 1.0)
        edges = np.linspace(22, 28, 13)
        cells = lines.image(np.arange(1, 40) + 0.5, edges)
        middles = (edges[1:] + edges[:-1]) / 2
        for row in history.decode(cells):
            np.testing.assert_allclose(row, middles, atol=1.5)
        outside = lines.image(np.array([39.5]), np.array([10.0, 11.0]))  # band 20 ... 30
        self.assertEqual(outside[0, 0], history.NOTHING)

    def test_gaps(self):
        """Nothing for as long as no lines came; lines before stay."""
        lines = history.History()
        for now in (*np.arange(21) / 10, 6.0):
            lines.add(np.full(8, -10.0), (0.0, 8.0), now)
        times = np.arange(0.05, 6, 0.1)
        cells = lines.image(times, np.arange(9.0))
        is_there = (times < 2) | (times > 5.9)
        np.testing.assert_array_equal((cells != history.NOTHING).all(axis=1), is_there)
        np.testing.assert_array_equal((cells != history.NOTHING).any(axis=1), is_there)


class QaCliAnalyzerHistory(AnalyzerWindowTestCase):
    def test_waterfall_scrolls_back(self):
        """Wheel and dragging over the time axis; the picture stands; End goes on."""
        self.open()
        waterfall = self.window.waterfall
        wait_for(lambda: waterfall._seconds[1] > 1)
        waterfall.show_times(0, 0.3)
        self.key(Qt.Key_PageDown)
        self.assertFalse(waterfall.is_live)
        top = waterfall.history.now - waterfall._seconds[0]
        self.next_picture()
        self.assertAlmostEqual(waterfall.history.now - waterfall._seconds[0], top)
        axis = QPoint(20, waterfall.height() // 2)
        span = np.diff(waterfall._seconds)
        turn_wheel(waterfall.viewport(), axis, 3)
        self.assertLess(np.diff(waterfall._seconds), 0.8 * span)
        self.key(Qt.Key_End)
        self.next_picture()
        self.assertTrue(waterfall.is_live)
        self.assertEqual(waterfall._seconds[0], 0)

    def test_readout_has_the_position(self):
        """What the waterfall says of a line is the time in the file."""
        self.open()
        self.key(Qt.Key_Space)
        for seconds in (0.05, 0.2):
            self.enter("position", str(seconds))
            wait_for(lambda: self.position() >= seconds)
            wait_for(lambda: abs(self.read_position() - self.position()) < 1e-3)

    def read_position(self):
        words = self.window.waterfall.read_at(CENTRE / 1e6, 0.0001)
        _, found, position = words.partition("(at ")
        return float(position.split()[0]) if found else np.nan

    def save(self, button, name):
        path = Path(self.file.parent / name)
        answer = mock.patch.object(
            saving.QFileDialog, "getSaveFileName", lambda *_: (str(path), "")
        )
        with answer:
            self.press(button)
        return path

    def test_saved_traces(self):
        self.open("--size", 512)
        self.key(Qt.Key_Space)
        self.at_rest()
        picture, axis = self.session.picture, self.session.axis
        path = self.save("save_traces", "traces.csv")
        table = np.genfromtxt(path, delimiter=",", names=True)
        self.assertEqual(
            table.dtype.names,
            ("frequency_hz", "average_dbfs", "max_hold_dbfs", "min_hold_dbfs"),
        )
        expected = CENTRE + (np.arange(512) - 256) * RATE / 512
        np.testing.assert_allclose(table["frequency_hz"], expected)
        for name, trace in (("average", "average_high"), ("max_hold", "max_hold")):
            level = 10 * np.log10(picture[trace])
            np.testing.assert_allclose(table[f"{name}_dbfs"], level, atol=1e-4)
        self.assertEqual(axis.size, 512)

    def test_saved_waterfall(self):
        self.open("--size", 512)
        wait_for(lambda: self.window.waterfall._seconds[1] > 0.5)
        self.key(Qt.Key_Space)
        self.at_rest()
        expected = self.window.waterfall.shown()
        levels = np.load(self.save("save_waterfall", "w.npy"))
        self.assertIn("512 columns from 99.49902 MHz to 100.499 MHz", self.said())
        np.testing.assert_array_equal(levels, expected[0])
        with np.load(self.save("save_waterfall", "w.npz")) as arrays:
            np.testing.assert_array_equal(arrays["levels"], levels)
            np.testing.assert_array_equal(arrays["seconds_ago"], expected[1])
            hertz = CENTRE + (np.arange(512) - 256) * RATE / 512
            np.testing.assert_allclose(arrays["frequency_hz"], hertz)
        tone = int(np.nanargmax(np.nanmean(levels, axis=0)))
        self.assertAlmostEqual(hertz[tone], CENTRE - 300e3, delta=RATE / 512)
        self.assertTrue(self.save("save_waterfall", "w.png").read_bytes()[1:4] == b"PNG")
        self.save("save_waterfall", "w.txt")
        self.assertIn(".npy, .npz, .png", self.said())


if __name__ == "__main__":
    ending.run(unittest.main)
