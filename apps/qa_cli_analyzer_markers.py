#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readout, markers and channel of gpufft analyzer's window, by mouse and keys, on a recording
of three tones."""

import re
import unittest

import numpy as np
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication

from analyzer_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    AnalyzerWindowTestCase,
    drag_to,
    move_to,
    wait_for,
)
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import describe

MINUS = "\N{MINUS SIGN}"
SIZE = 4096
BIN = RATE / SIZE
TONES = [CENTRE + frequency * RATE for frequency in FREQUENCIES]  # Hz


class QaCliAnalyzerMarkers(AnalyzerWindowTestCase):
    def open(self, *options, **keywords):
        super().open("--size", SIZE, "--averaging", "0.5", *options, **keywords)
        self.settle()
        self.instrument = self.session.instrument

    def hover(self, plot, x, y):
        """Moves the mouse there; returns what is read."""
        at = self.place(plot, x, y)
        for step in (1, 0):  # the pointer may stand there already
            QTest.mouseMove(plot.viewport(), at + QPoint(step, 0))
            QApplication.processEvents()
        label = self.window.pointer._words[plot]
        wait_for(label.isVisible)
        return label.text().replace(MINUS, "-")

    def click(self, plot, x, y):
        QTest.mouseClick(plot.viewport(), Qt.LeftButton, pos=self.place(plot, x, y))

    def key(self, *keys, modifier=Qt.NoModifier):
        for key in keys:
            QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def at(self, number):
        """The reading of a marker."""
        return {each.number: each for each in self.instrument.readings}[number]

    def assert_on_tone(self, number, tone):
        """A marker stands on a tone, at the level that the tone has in its nearest bin."""
        self.assertAlmostEqual(self.at(number).frequency, TONES[tone], delta=BIN / 2 + 1)
        self.assertAlmostEqual(self.at(number).level, LEVELS[tone] - 0.7, delta=0.8)

    def pixel(self):
        """Width of a pixel, in Hz."""
        low, high = self.session.band
        width = self.window.spectrum.getViewBox().width()
        return (high - low) * self.session.axis.divisor / width

    def test_readout(self):
        """Of every plot: frequency to a pixel, and what is there."""
        self.open("--levels=-110,0")
        window, tone = self.window, TONES[1]
        words = self.hover(window.spectrum, tone, -55).split(" \N{MIDDLE DOT} ")
        frequency, level, trace = (word.split() for word in words)
        self.assertAlmostEqual(float(frequency[0]) * 1e6, tone, delta=2 * self.pixel())
        self.assertEqual((frequency[1], level[1], trace[2]), ("MHz", "dBFS", "dBFS"))
        self.assertAlmostEqual(float(level[0]), -55, delta=1)
        self.assertEqual(trace[0], "trace")
        self.assertLess(float(trace[1]), LEVELS[1] + 0.2)
        words = self.hover(window.density, tone, -100).split(" \N{MIDDLE DOT} ")
        self.assertEqual(words[2].strip(), "0.000% of the time")
        wait_for(lambda: window.waterfall._seconds[1] > 0.6)
        self.tick("pause")  # else the waterfall grows under the mouse
        words = self.hover(window.waterfall, tone, 0.5).split(" \N{MIDDLE DOT} ")
        self.assertAlmostEqual(float(words[1].split()[0]), 0.5, delta=0.1)
        self.assertIn("s ago", words[1])
        self.assertLess(float(words[2].split()[0]), LEVELS[1] + 0.2)

    def test_readout_of_density_is_its_share(self):
        """All cells of a column sum to all of the time."""
        self.open()
        window = self.window
        self.tick("pause")
        low, high = self.session.levels
        picture, frequency = self.session.picture, TONES[0] + 50e3
        step = (high - low) / picture["density"].shape[1]
        shares = [
            float(self.read_density(frequency, level).split()[0].rstrip("%"))
            for level in np.arange(low + step / 2, high, step)
        ]
        self.assertAlmostEqual(sum(shares), 100, delta=0.2)
        self.assertIsNotNone(window.density.read_at(100.0, low - 10))

    def read_density(self, frequency, level):
        words = self.window.density.read_at(frequency / 1e6, level)
        return words.split("\N{MIDDLE DOT}")[2]

    def test_readout_ends_when_the_mouse_leaves(self):
        self.open()
        window = self.window
        self.hover(window.spectrum, TONES[0], -50)
        self.assertTrue(all(line.isVisible() for line in window.pointer._lines.values()))
        QTest.mouseMove(window.controls, QPoint(20, 20))
        label = window.pointer._words[window.spectrum]
        wait_for(lambda: not label.isVisible())
        self.assertFalse(any(line.isVisible() for line in window.pointer._lines.values()))

    def test_click_sets_marker_1(self):
        """On every plot, beside a tone by less than a pixel: it snaps to the tone."""
        self.open("--levels=-110,0")
        window = self.window
        for plot, y, tone in (
            (window.spectrum, -60, 0),
            (window.density, -60, 1),
            (window.waterfall, 0.3, 2),
        ):
            self.click(plot, TONES[tone], y)
            self.assertEqual(len(self.instrument.readings), 1)
            self.assert_on_tone(1, tone)
        table = self.window._results._markers.text()
        self.assertIn("M1", table)
        self.assertIn(f"{self.at(1).frequency / 1e6:.4f}", table)

    def test_dragging_sets_no_marker(self):
        """It moves the band."""
        self.open("--span", "200k")
        viewport = self.window.spectrum.viewport()
        start = self.place(self.window.spectrum, CENTRE, -50)
        before = self.session.band
        QTest.mousePress(viewport, Qt.LeftButton, pos=start)
        for step in range(1, 6):
            drag_to(viewport, start + QPoint(20 * step, 0))
        QTest.mouseRelease(viewport, Qt.LeftButton, pos=start + QPoint(100, 0))
        self.assertEqual(self.instrument.readings, [])
        self.assertLess(self.session.band[0], before[0])

    def test_marker_keys(self):
        self.open()
        for number, tone in enumerate(range(3), 1):
            self.key(Qt.Key_M)
            self.assert_on_tone(number, tone)
        self.key(Qt.Key_1)
        self.assertTrue(self.at(1).is_chosen)
        start = self.at(1).frequency
        self.key(Qt.Key_Right, Qt.Key_Right, Qt.Key_Left)
        self.assertAlmostEqual(self.at(1).frequency, start + BIN, delta=1)
        self.key(Qt.Key_Left)
        self.key(Qt.Key_Right, modifier=Qt.ControlModifier)
        self.assertAlmostEqual(self.at(1).frequency, start + RATE / 10, delta=BIN)
        self.key(Qt.Key_Left, modifier=Qt.ControlModifier)
        for key, tone in (
            (Qt.Key_N, 1),
            (Qt.Key_BracketRight, 2),
            (Qt.Key_P, 1),
            (Qt.Key_BracketLeft, 0),
        ):
            self.key(key)
            self.assert_on_tone(1, tone)
        self.key(Qt.Key_3, Qt.Key_Delete)
        self.assertEqual([each.number for each in self.instrument.readings], [1, 2])
        self.key(Qt.Key_Escape)
        self.assertEqual(self.instrument.readings, [])
        self.assertFalse(self.window._results.isVisible())

    def test_delta_marker(self):
        self.open()
        self.key(Qt.Key_D)
        self.assertIn("marker 1", self.said())
        self.key(Qt.Key_M, Qt.Key_D, Qt.Key_N)
        self.assert_on_tone(2, 1)
        hertz, decibel = self.at(2).delta
        self.assertAlmostEqual(hertz, TONES[1] - TONES[0], delta=BIN + 1)
        self.assertAlmostEqual(decibel, LEVELS[1] - LEVELS[0], delta=1.5)
        table = self.window._results._markers.text().replace(MINUS, "-")
        self.assertIn(f"+{hertz / 1e3:.2f} kHz"[:6], table)
        self.assertIn(f"{decibel:.1f} dB", table)

    def test_level_follows_the_stream(self):
        """Another window has other levels; the marker stays on its frequency."""
        self.open()
        self.click(self.window.spectrum, CENTRE, -50)
        frequency, noise = self.at(1).frequency, self.at(1).level
        self.enter("size", "256")
        self.settle()
        self.assertEqual(self.at(1).frequency, frequency)
        wait_for(lambda: abs(self.at(1).level - noise - 12.04) < 1.5)  # 16 times as wide
        self.assertAlmostEqual(self.at(1).density, -80 - 60, delta=1.5)

    def test_keys_that_a_field_takes(self):
        """Typing is not steering, until the field is left by Return or Esc."""
        self.open()
        edit = self.window.controls.fields["size"].lineEdit()
        edit.setFocus()
        edit.selectAll()
        self.key(Qt.Key_1, Qt.Key_2)
        self.assertEqual((edit.text(), self.instrument.readings), ("12", []))
        self.key(Qt.Key_Escape)
        self.assertFalse(edit.hasFocus())
        self.window.update_texts()
        self.assertEqual((edit.text(), self.graph.settings.size), (str(SIZE), SIZE))
        edit.setFocus()
        self.key(Qt.Key_Return)
        self.next_picture()
        self.key(Qt.Key_M)
        self.assertEqual(len(self.instrument.readings), 1)

    def test_help(self):
        self.open()
        for key, is_shown in (
            (Qt.Key_F1, True),
            (Qt.Key_F1, False),
            (Qt.Key_Question, True),
            (Qt.Key_Escape, False),
        ):
            self.key(key)
            self.assertEqual(self.window.help.isVisible(), is_shown)
        self.assertIn("next peak", self.window.help.text())

    def test_channel_power(self):
        """Of one tone and of all, whatever is shown and however they are computed."""
        self.open("--averaging", "0.5")
        self.enter("channel_centre", f"{TONES[1]:.0f}")
        self.enter("channel_width", "20 kHz")
        self.assertTrue(self.window.controls.switches["show_channel"].isChecked())
        for name, text in (("span", "50 kHz"), ("size", "1009"), ("window", "flattop")):
            self.enter(name, text)
            self.settle()
            self.press("restart")
            self.settle()
            self.window.update_texts()
            self.assertAlmostEqual(self.measured().power, LEVELS[1], delta=0.1)
        self.enter("channel_centre", f"{CENTRE:.0f}")
        self.enter("channel_width", "1M")
        total = 10 * np.log10(sum(10 ** (level / 10) for level in LEVELS))
        self.assertAlmostEqual(self.measured().power, total, delta=0.1)
        self.assertIsNone(self.measured().lower)
        shown = self.window._results._channel.text().replace(MINUS, "-")
        self.assertIn(f"{self.measured().power:.1f} dBFS", shown)
        self.choose("detector", "max")
        self.assertIn("Power (max)", self.window._results._channel.text())

    def measured(self):
        return self.instrument.measured

    def test_zoom_changes_no_measurement(self):
        self.open()
        self.key(Qt.Key_B)
        self.tick("pause")
        wait_for(lambda: self.session.switches["pause"])
        self.window.update_texts()
        before = self.measured()
        for span in ("300 kHz", "3 kHz"):
            self.enter("span", span)
            self.instrument.measure()
            self.assertEqual(self.measured(), before)

    def test_adjacent_channels(self):
        """Channels around the second tone, of a width that puts the others beside it."""
        self.open()
        width = 2 * (TONES[2] - TONES[1]) / 2.2
        self.enter("channel_centre", f"{TONES[1]:.0f}")
        self.enter("channel_width", f"{width:.0f}")
        self.settle()
        self.window.update_texts()
        self.assertAlmostEqual(self.measured().upper, LEVELS[2] - LEVELS[1], delta=0.1)
        self.assertLess(self.measured().lower, -20)

    def test_occupied_bandwidth(self):
        """Two tones of 1 % and 10 %: 99 % needs both, less the first alone."""
        self.open()
        self.enter("channel_centre", f"{CENTRE:.0f}")
        self.enter("channel_width", "900k")
        for share, tones in (("99.9", (0, 2)), ("97", (0, 1)), ("80", (0, 0))):
            self.enter("share", share)
            low, high = self.measured().occupied
            self.assertAlmostEqual(low, TONES[tones[0]], delta=3 * BIN)
            self.assertAlmostEqual(high, TONES[tones[1]], delta=3 * BIN)

    def test_lines_are_dragged(self):
        """Either line by itself."""
        self.open()
        self.key(Qt.Key_B)
        spectrum = self.window.spectrum
        channel = self.instrument.channel
        level = np.mean(self.session.levels)
        for line, change in ((0, -60), (1, 40)):
            self.settle()
            before = [channel.low, channel.high]
            start = self.place(spectrum, before[line], level)
            move_to(spectrum.viewport(), start)
            QTest.mousePress(spectrum.viewport(), Qt.LeftButton, pos=start)
            for part in (0.3, 0.6, 1.0):
                drag_to(spectrum.viewport(), start + QPoint(round(part * change), 0))
            end = start + QPoint(change, 0)
            QTest.mouseRelease(spectrum.viewport(), Qt.LeftButton, pos=end)
            moved = np.array([channel.low, channel.high]) - before
            self.assertAlmostEqual(
                moved[line], change * self.pixel(), delta=3 * self.pixel()
            )
            self.assertEqual(moved[1 - line], 0)
        self.assertEqual(self.instrument.readings, [])
        self.key(Qt.Key_B)
        self.assertIsNone(self.measured())

    def test_channel_is_dragged(self):
        """Both lines, by what is between them; the band stays."""
        self.open()
        self.key(Qt.Key_B)
        spectrum, channel = self.window.spectrum, self.instrument.channel
        width, band, low = channel.width, self.session.band, channel.low
        level = np.mean(self.session.levels)
        start = self.place(spectrum, channel.low + 0.3 * width, level)
        move_to(spectrum.viewport(), start)
        QTest.mousePress(spectrum.viewport(), Qt.LeftButton, pos=start)
        for change in (20, 40, 60):
            drag_to(spectrum.viewport(), start + QPoint(change, 0))
        end = start + QPoint(60, 0)
        QTest.mouseRelease(spectrum.viewport(), Qt.LeftButton, pos=end)
        self.assertAlmostEqual(channel.width, width, delta=1)
        moved = channel.low - low
        self.assertAlmostEqual(moved, 60 * self.pixel(), delta=3 * self.pixel())
        self.assertEqual(self.session.band, band)

    def test_the_page_shows_the_same(self):
        """Markers and channel as the window's tables have them, at the places drawn."""
        self.open()
        self.key(Qt.Key_M, Qt.Key_M, Qt.Key_D, Qt.Key_B)
        self.tick("pause")
        self.window.update_texts()
        state, window = describe.state(self.session), self.window
        for label, rows in (
            (window._results._markers, state["marker_table"]),
            (window._results._channel, state["channel"]["table"]),
        ):
            cells = re.findall("<td[^>]*>(.*?)&nbsp;", label.text())
            cells = [re.sub("<.*?>", "", cell) for cell in cells]
            self.assertGreater(len(cells), 11)
            self.assertEqual(cells, [cell for row in rows for cell in row])
        places = np.array(window._markers._diamonds.getData()).T
        drawn = [(each["frequency"], each["level"]) for each in state["markers"]]
        np.testing.assert_array_equal(places, drawn)
        region = window.channel._channel.getRegion()
        np.testing.assert_allclose(state["channel"]["channel"], [region])

    def test_what_the_channel_refuses(self):
        self.open()
        for name, text, words in (
            ("channel_centre", "5 MHz", "the stream's band: 99.5 MHz to 100.5 MHz"),
            ("channel_width", "0", "must be greater than 0"),
            ("share", "100", "more than 0, less than 100"),
            ("share", "x", "not a number"),
            ("waterfall_levels", "-50", "write two numbers"),
            ("waterfall_levels", "-50, -60", "must be below"),
        ):
            before = self.text(name)
            self.enter(name, text)
            self.assertIn(words, self.said())
            self.window.update_texts()
            if name != "channel_centre":
                self.assertEqual(self.text(name), before)


if __name__ == "__main__":
    ending.run(unittest.main)
