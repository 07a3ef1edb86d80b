#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording in gpufft analyzer's window: pause, steps, loop, speed, bar; digital silence."""

import unittest

import numpy as np
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtTest import QTest

import cli_testing as cli
from analyzer_testing import CENTRE, RATE, AnalyzerWindowTestCase, drag_to, wait_for
from gnuradio.gpufft.cli import ending


class QaCliAnalyzerPlayback(AnalyzerWindowTestCase):
    def go_to(self, seconds, text):
        """Enters a position in a pause, and waits until the row from there is played."""
        self.enter("position", text)
        self.window.spectrum.setFocus()
        settings, play = self.graph.settings, self.graph.source.playback
        row = settings.size + (self.graph.spectrum.average() - 1) * settings.hop
        wait_for(lambda: play.position == seconds * RATE + row)
        return play.position

    def test_pause_stands_still_and_steps_by_a_row(self):
        self.open("--size", 1024)
        window, graph = self.window, self.graph
        self.key(Qt.Key_Space)
        self.assertTrue(window.controls.switches["pause"].isChecked())
        self.enter("position", "0.05")
        window.spectrum.setFocus()
        before, rows, _ = self.at_rest()
        QTest.qWait(300)
        self.assertEqual((graph.samples(), graph.view.rows()), (before, rows))
        step = graph.spectrum.average() * graph.settings.hop
        positions = []
        for number in range(1, 4):
            frames = self.session.frames
            self.key(Qt.Key_Period)
            wait_for(lambda: graph.view.rows() == rows + number)
            wait_for(lambda: self.session.frames == frames + 1)  # it is drawn
            positions.append(graph.source.playback.position)
        self.assertEqual(np.diff(positions).tolist(), [step, step])
        self.key(Qt.Key_Comma)
        wait_for(lambda: graph.source.playback.position == positions[-2])
        self.key(Qt.Key_Space)
        wait_for(lambda: graph.samples() > before + 10 * step)

    def test_loop_by_keys_and_field(self):
        self.open()
        play = self.graph.source.playback
        self.key(Qt.Key_Space)
        first = self.go_to(0.1, "0.1")
        self.key(Qt.Key_A)
        self.assertEqual(self.session.transport.marks[1], None)
        last = self.go_to(0.2, "0.2 s")
        self.key(Qt.Key_A)
        self.assertEqual(play.loop, (first, last))
        self.window.update_texts()
        self.assertEqual(
            self.text("loop"), "{:.6g}, {:.6g}".format(first / RATE, last / RATE)
        )
        self.key(Qt.Key_Home)
        wait_for(lambda: play.position < last)
        self.key(Qt.Key_Space)
        for _ in range(20):
            QTest.qWait(20)
            self.assertTrue(first <= play.position <= last)
        self.key(Qt.Key_A)
        self.assertEqual(play.loop, (0, play.samples))
        self.enter("loop", "0.05, 0.15")
        self.assertEqual(play.loop, (50000, 150000))
        self.enter("loop", "all")
        self.assertEqual(play.loop, (0, play.samples))

    def test_bar(self):
        """A click and dragging go there; it shows where it is."""
        self.open()
        self.key(Qt.Key_Space)
        bar, duration = self.window.bar, self.session.transport.duration
        y = bar.height() // 2
        for share in (0.25, 0.75):
            at = QPoint(round(bar.place(share * duration)), y)
            QTest.mousePress(bar, Qt.LeftButton, pos=at)
            # a row later
            self.assertAlmostEqual(self.position() / duration, share, delta=0.1)
        drag_to(bar, QPoint(round(bar.place(0.5 * duration)), y))
        QTest.mouseRelease(bar, Qt.LeftButton)
        self.assertAlmostEqual(self.position() / duration, 0.5, delta=0.1)  # a row later
        wait_for(lambda: abs(bar._position - self.position()) < 1e-9)

    def test_seek_after_the_end(self):
        """A file that plays once goes on from where the user goes."""
        source = (self.file, "--rate", RATE, "--freq", CENTRE, "--once")
        self.open(source=source, wait=False)  # it may end before its second picture
        wait_for(lambda: self.graph.has_ended())
        wait_for(lambda: "end of the file" in self.window._status.text())
        before, rows = self.graph.samples(), self.graph.view.rows()
        self.enter("position", "0.1")
        wait_for(lambda: self.graph.view.rows() > rows)
        wait_for(lambda: self.graph.has_ended())
        passed = self.graph.samples() - before
        self.assertEqual(passed, self.graph.source.playback.samples - 100000)

    def test_speeds(self):
        self.open()
        for text, speed in (("0.5", 0.5), ("10x", 10), ("full speed", None)):
            self.enter("speed", text)
            self.assertEqual(self.graph.speed, speed)
            before = self.graph.samples()
            wait_for(lambda: self.graph.samples() > before + 1000)
        self.enter("speed", "real time")
        self.assertEqual((self.graph.speed, self.graph.rate), (1.0, RATE))

    def test_what_is_refused(self):
        self.open()
        for name, text, words in (
            ("position", "7", "outside the recording: 0 to 0.262"),
            ("position", "-1", "outside the recording"),
            ("position", "x", "is not a number"),
            ("loop", "0.2", "write two times"),
            ("loop", "0.2, 0.1", "A must be before B"),
            ("loop", "0.1, 0.101", "a frame needs 4096"),
            ("loop", "0.1, 1", "outside the recording"),
            ("speed", "0.01", "0.1 to 10"),
            ("speed", "11", "0.1 to 10"),
            ("speed", "fast", "is not a number"),
        ):
            before = self.text(name)
            self.enter(name, text)
            self.assertIn(words, self.said(), (name, text))
            if name != "position":
                self.assertEqual(self.text(name), before)

    def test_too_short_is_told(self):
        source = (self.file, "--rate", RATE, "--format", "cs16")
        self.open("--size", "1M", source=source, wait=False)
        wait_for(lambda: "too few for a frame of 1048576" in self.session.notice)
        self.enter("size", "4096")
        self.next_picture()

    def test_silence_does_not_set_the_range(self):
        """Noise, then zeros: the range stays while the average falls."""
        rng = np.random.default_rng(1)
        x = np.zeros(1 << 18, complex)
        x[: 1 << 16] = 1e-2 * rng.standard_normal((1 << 16, 2)).view(complex).ravel()
        file = self.file.with_name("silence.cs16")
        file.write_bytes(cli.encode(x, "cs16"))
        source = (file, "--rate", "250k", "--freq", CENTRE)
        self.open("--size", "1024", "--averaging", 0.05, source=source)
        self.window.update_texts()
        heard = self.session.levels
        self.assertGreater(heard[0], -120)
        average = lambda: self.session.picture["average_high"].max()
        wait_for(lambda: average() < 1e-9 and self.session.picture["mean"].max() == 0)
        self.window.update_texts()
        self.assertGreaterEqual(self.session.levels[0], heard[0] - 20)


if __name__ == "__main__":
    ending.run(unittest.main)
