#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SigMF annotations in gpufft analyzer: where they are drawn, and how a marked region becomes
one."""

import itertools
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PyQt5.QtCore import QEvent, QPointF, Qt
from PyQt5.QtGui import QMouseEvent
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication

import cli_testing as cli
from analyzer_testing import AnalyzerWindowTestCase, wait_for
from gnuradio.gpufft.cli import annotations, ending
from gnuradio.gpufft.cli.errors import CommandError
from gnuradio.gpufft.cli.analyzer import note_items, notes
from gnuradio.gpufft.cli.analyzer.sources import FileSource
from gnuradio.gpufft.cli.recording import open_recording

RATE, CENTRE, SAMPLES = 1e5, 20e6, 200000


def move_mouse(widget, kind, at, button, buttons):
    place = QPointF(widget.mapToGlobal(at))
    event = QMouseEvent(kind, QPointF(at), place, button, buttons, Qt.ShiftModifier)
    QApplication.sendEvent(widget, event)


class NotesCase:
    """Recordings of noise in a folder of their own."""

    def make_folder(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        rng = np.random.default_rng(5)
        noise = rng.standard_normal((SAMPLES, 2)).view(complex).ravel()
        self.data = cli.encode(0.01 * noise, "cs16")

    def write_sigmf(self, *found):
        metadata = {
            "global": {
                "core:datatype": "ci16_le",
                "core:sample_rate": RATE,
                "core:version": "1.0.0",
                "other:key": [1, "x"],
            },
            "captures": [{"core:sample_start": 0, "core:frequency": CENTRE}],
            "annotations": list(found),
        }
        (self.folder / "x.sigmf-data").write_bytes(self.data)
        path = self.folder / "x.sigmf-meta"
        path.write_text(json.dumps(metadata))
        return path

    def write_wav(self):
        """16 bits, I and Q, header of 44 bytes."""
        path = self.folder / "x.wav"
        path.write_bytes(cli.wav(self.data, 1, 16, 2, int(RATE)))
        return path


def note(start, count, low, high, label):
    return {
        "core:sample_start": start,
        "core:sample_count": count,
        "core:freq_lower_edge": low,
        "core:freq_upper_edge": high,
        "core:label": label,
    }


class QaNotes(NotesCase, unittest.TestCase):
    def setUp(self):
        self.make_folder()

    def open_notes(self, path, *facts):
        return notes.Notes(FileSource(open_recording(str(path), *facts), True))

    def test_boxes(self):
        """Among rows that go through the recording, in a loop: one box each time."""
        found = self.open_notes(self.write_sigmf(note(50000, 40000, 1e7, 2e7, "a")))
        ago = np.arange(30) * 0.1 + 0.05  # 0.5 ... 0.9 s in a loop of 2 s, from 1.25 back
        positions = (1.25 - ago) % 2.0
        limits = np.arange(31) * 0.1
        boxes = found.boxes(positions, limits)
        spans = [(round(top, 6), round(bottom, 6)) for _, top, bottom in boxes]
        expected = [(0.3, 0.8), (2.3, 2.8)]
        np.testing.assert_allclose(spans, expected, atol=0.11)
        self.assertEqual([each.label for each in found.at(0.7)], ["a"])
        self.assertEqual((found.at(0.49), found.at(0.91)), ([], []))

    def test_many(self):
        """Only those in sight are looked at."""
        all = [note(1000 * n, 500, 1e7, 2e7, f"{n}") for n in range(150)]
        found, seen = self.open_notes(self.write_sigmf(*all)), []

        class Watched(list):
            def __getitem__(self, number):
                seen.append(number)
                return super().__getitem__(number)

            def __iter__(self):
                return map(self.__getitem__, range(len(self)))

        found.all = Watched(found.all)
        positions = np.array([np.nan, 0.518, 0.512, 0.506, 0.502])
        boxes = found.boxes(positions, np.arange(6) * 0.005)
        self.assertEqual([each.label for each, *_ in boxes], ["50", "51"])
        self.assertEqual([each.label for each in found.at(0.512)], ["51"])
        self.assertEqual(found.at(np.nan), [])
        self.assertEqual(seen, [50, 51, 51])
        self.assertEqual(found.boxes(np.full(5, np.nan), np.arange(6)), [])

    def test_recording_of_its_own_metadata(self):
        """What is there stays; annotations are in order."""
        path = self.write_sigmf(note(60000, 10, 1.0, 2.0, "late"))
        before = json.loads(path.read_text())
        found = self.open_notes(path)
        rows = np.array([0.5, 0.4, 0.3]), np.array([0.0, 0.1, 0.2, 0.3])
        found.add(*rows, 19.9e6, 20.01e6, "  my\nlabel ")
        after = json.loads(path.read_text())
        added, late = after.pop("annotations")
        self.assertEqual([late], before.pop("annotations"))
        self.assertEqual(after, before)
        self.assertEqual(added["core:sample_start"], 30000)
        self.assertEqual(added["core:sample_count"], 20000)
        self.assertEqual(added["core:freq_lower_edge"], 19.9e6)
        self.assertEqual(added["core:label"], "my label")
        self.assertEqual(len(found.all), 2)
        self.assertEqual((self.folder / "x.sigmf-data").read_bytes(), self.data)

    def test_recording_without_metadata(self):
        """A file beside it describes it; read again, and as SigMF."""
        path = self.write_wav()
        before = path.read_bytes()
        for label in ("one", "two"):
            found = self.open_notes(path)
            found.add(np.array([0.2, 0.1]), np.array([0.0, 0.1, 0.2]), -1e3, 1e3, label)
        self.assertEqual(path.read_bytes(), before)
        labels = [each.label for each in self.open_notes(path).all]
        self.assertEqual(labels, ["one", "two"])
        recording = open_recording(f"{path}.sigmf-meta")
        self.assertEqual((recording.samples, recording.offset), (SAMPLES, 44))
        self.assertEqual((recording.format, recording.rate), ("cs16", RATE))
        self.assertEqual(len(annotations.read(recording)[0]), 2)

    def test_what_is_refused(self):
        path = self.write_sigmf()
        before = path.read_text()
        found = self.open_notes(path)
        limits = np.array([0.0, 0.1, 0.2, 0.3])
        for positions, words in (
            (np.array([0.1, 0.3, 0.2]), "spans a jump"),  # back to the start
            (np.array([1.3, 1.2, 0.3]), "spans a jump"),  # forward by the user
            (np.array([0.3, 0.2, 0.2]), "spans a jump"),
            (np.full(3, np.nan), "no line"),
        ):
            with self.assertRaisesRegex(CommandError, words):
                found.add(positions, limits, 1.0, 2.0, "x")
        path.write_text("{")
        with self.assertRaises(CommandError):
            found.add(np.array([0.3, 0.2]), limits[:3], 1.0, 2.0, "x")
        self.assertEqual(path.read_text(), "{")
        path.write_text(before)
        (self.folder / "y.cs16").write_bytes(self.data)
        with self.assertRaisesRegex(CommandError, "sample rate"):
            self.open_notes(self.folder / "y.cs16").add(
                np.array([0.3]), limits[:2], 1.0, 2.0, "x"
            )


class QaCliAnalyzerNotes(NotesCase, AnalyzerWindowTestCase):
    def test_labels_do_not_overlap(self):
        """In any font, on the spectrum and on the waterfall, where the caption is free, too;
        all lie inside the plot, and one that is cut says so."""
        self.make_folder()
        bands = [CENTRE - 30e3 + 1500 * n for n in range(20)]
        found = [
            note(0, SAMPLES, low, low + 800, f"Wide and long name {low:.0f}")
            for low in bands
        ]
        path = self.write_sigmf(*found)
        for points in (6, 13, 26):
            font = QApplication.font()
            self.addCleanup(QApplication.setFont, QApplication.font())
            font.setPointSize(points)
            QApplication.setFont(font)
            self.open("--size", 512, source=(path,))
            wait_for(lambda: self.window.waterfall._seconds[1] > 0.2)
            QTest.keyClick(self.window.spectrum, Qt.Key_Space)
            QTest.qWait(300)
            for drawing in (self.window._notes._boxes, self.window._notes._bars):
                shown = [label for label in drawing.labels if label.isVisible()]
                self.assertTrue(shown)
                texts = [label.textItem.toPlainText() for label in shown]
                self.assertTrue(all(len(text) <= 24 for text in texts), texts)
                self.assertTrue(all(text.endswith("\u2026") for text in texts), texts)
                places = [label.mapRectToScene(label.boundingRect()) for label in shown]
                room = shown[0].getViewBox().sceneBoundingRect()
                for place in places:
                    self.assertLessEqual(place.right(), room.right() + 1)
                    self.assertGreaterEqual(place.left(), room.left() - 1)
                if drawing is self.window._notes._boxes:
                    caption = self.window.waterfall._caption
                    places.append(caption.mapRectToScene(caption.boundingRect()))
                for one, other in itertools.combinations(places, 2):
                    self.assertFalse(one.adjusted(1, 1, -1, -1).intersects(other), points)
            self.close()

    def test_labels_of_what_is_out_of_sight(self):
        """They are dropped on both sides; what reaches into the view keeps its label."""
        self.make_folder()
        self.open(source=(self.write_sigmf(),))
        plot = self.window.waterfall
        drawing = note_items.Drawing(plot, "w")
        (left, right), (top, bottom) = plot.viewRange()
        width, middle = right - left, (top + bottom) / 2
        places = {"before": (-2, -1), "into": (-1, 0.1), "beyond": (1.1, 1.2)}
        labels = [
            (left + a * width, left + b * width, middle, text)
            for text, (a, b) in places.items()
        ]
        drawing.show([], labels)
        shown = [label for label in drawing.labels if label.isVisible()]
        self.assertEqual([label.textItem.toPlainText() for label in shown], ["into"])

    def test_marking(self):
        """Shift and dragging, a label, Return: the region's times and frequencies."""
        self.make_folder()
        path = self.write_sigmf(note(0, SAMPLES, CENTRE - 30e3, CENTRE - 20e3, "whole"))
        self.open("--size", 512, source=(path,))
        waterfall, play = self.window.waterfall, self.graph.source.playback
        wait_for(lambda: waterfall._seconds[1] > 0.4)
        QTest.keyClick(self.window.spectrum, Qt.Key_Space)
        QTest.qWait(300)
        self.assertTrue(
            any(label.isVisible() for label in self.window._notes._boxes.labels)
        )
        (end,) = self.session.history.positions(np.array([self.session.history.now]))
        viewport = waterfall.viewport()
        last = 0.3 if end > 0.35 else 0.9 * end
        corners = [
            self.place(waterfall, CENTRE + hertz, seconds)
            for hertz, seconds in ((10e3, 0.1 * last), (30e3, last))
        ]
        move_mouse(
            viewport, QEvent.MouseButtonPress, corners[0], Qt.LeftButton, Qt.LeftButton
        )
        move_mouse(viewport, QEvent.MouseMove, corners[1], Qt.NoButton, Qt.LeftButton)
        move_mouse(
            viewport, QEvent.MouseButtonRelease, corners[1], Qt.LeftButton, Qt.NoButton
        )
        self.assertTrue(self.window.marking.edit.isVisible())
        QTest.keyClicks(self.window.marking.edit, "a burst")
        QTest.keyClick(self.window.marking.edit, Qt.Key_Return)
        self.assertFalse(self.window.marking.edit.isVisible())
        self.assertIn("a burst", self.said())
        added = json.loads(path.read_text())["annotations"][-1]
        self.assertEqual(added["core:label"], "a burst")
        pixel = 0.02 * last + 0.01
        start, count = (
            added["core:sample_start"] / RATE,
            added["core:sample_count"] / RATE,
        )
        self.assertAlmostEqual(start, end - last, delta=pixel)
        self.assertAlmostEqual(count, 0.9 * last, delta=2 * pixel)
        self.assertAlmostEqual(added["core:freq_lower_edge"], CENTRE + 10e3, delta=300)
        self.assertAlmostEqual(added["core:freq_upper_edge"], CENTRE + 30e3, delta=300)
        self.assertEqual(play.is_playing, False)


if __name__ == "__main__":
    ending.run(unittest.main)
