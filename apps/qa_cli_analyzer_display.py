#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window of gpufft analyzer shows: every control of the display acts on the running
stream; a display that stands still does not hold it up."""

import time
import unittest
from types import SimpleNamespace
from unittest import mock

import numpy as np
from PyQt5.QtCore import QPointF
from PyQt5.QtTest import QTest

import cli_testing as cli
from analyzer_testing import CENTRE, RATE, AnalyzerWindowTestCase, wait_for
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import meter, plots, screen


class QaCliAnalyzerDisplay(AnalyzerWindowTestCase):
    def test_file_that_ends(self):
        """At full speed the file ends before a rate has been measured."""
        source = (self.file, "--rate", RATE, "--freq", CENTRE, "--once", "--full-speed")
        self.open(source=source, wait=False)
        wait_for(lambda: self.graph.view.rows() > 30 and self.session.frames > 0)
        wait_for(lambda: "end of the file" in self.window._status.text())
        self.enter("size", "256")
        QTest.qWait(1200)  # two updates of the status
        self.assertIn("end of the file", self.window._status.text())

    def test_marks_stand_on_the_trace(self):
        """On the average of each picture, and all of the mark in the plot."""
        plot = plots.SpectrumPlot()
        plot.resize(600, 300)
        plot.show_levels(-100, 0)
        axis = SimpleNamespace(edge=lambda bins: np.asarray(bins, float), divisor=1.0)
        picture = {"first_bin": 0, "bins": 9, "columns": 9}
        mark = plot._marks[0]
        for level in (-20.0, -45.0, -70.0, -1.0, 10.0):
            power = np.full(9, 1e-9)
            power[4] = 10 ** (level / 10)
            for name in ("min_hold", "max_hold", "average_high", "average_low"):
                picture[name] = power
            plot.show_picture(picture, axis)
            if level == -20.0:  # peaks are found less often than pictures are drawn
                plot.show_peaks([screen.PeakMark(4.4, -20.0)], axis)
            room = mark.boundingRect().height() * 100 / plot.getViewBox().height()
            self.assertAlmostEqual(mark.pos().y(), min(level, -room), places=3)
            self.assertAlmostEqual(mark.pos().x(), 4.4)
            self.assertGreater(room, 1)

    def test_peaks_of_a_part(self):
        """A part inside a wide signal has the signal's peak, a part of noise has none."""
        size = 4096
        rng = np.random.default_rng(5)
        power = rng.gamma(100, 1e-12, size)
        power[1800:2100] *= 1e4 * np.hanning(300) + 1
        highest = int(power.argmax())
        view = SimpleNamespace(
            bins=lambda: size, average=lambda first, bins: power[first : first + bins]
        )
        axis = screen.Axis(size, size, 0.0, 1.0, "")
        finder = screen.PeakFinder(axis, "hann")
        parts = {(0, size): 1, (highest - 30, 60): 1, (1850, 40): 0, (3000, 500): 0}
        for (first, bins), count in parts.items():
            peaks = finder.find({"first_bin": first, "bins": bins}, view)
            self.assertEqual(len(peaks), count, f"{bins} bins from {first}")
            for peak in peaks:
                self.assertAlmostEqual(peak.frequency, highest - size / 2, delta=1)

    def test_traces_begin_anew_in_time(self):
        """Where nobody said the rate, and with frames of minutes, too."""
        self.open(source=(self.file,))
        for size in ("4096", "4194304"):
            self.enter("size", size)
            with mock.patch.object(self.graph, "restart") as restart:
                self.press("restart")
                self.assertLess(self.session.restart_at - time.monotonic(), 2)
                wait_for(lambda: restart.call_count == 2)
                self.assertIsNone(self.session.restart_at)
            self.assertEqual(self.said(), "")

    def test_trace_controls(self):
        self.open()
        curves = self.window.spectrum.curves
        for name in ("average", "max_hold", "min_hold"):
            self.tick(f"show_{name}")
            self.assertFalse(curves[name].isVisible())
            self.tick(f"show_{name}")
            self.assertTrue(curves[name].isVisible())
        self.tick("show_peaks")
        self.window.update_texts()
        self.assertEqual(self.session.peaks, [])
        self.enter("averaging", "0")
        self.enter("persistence", "3")
        self.assertEqual(self.graph.settings.averaging, 0)
        self.assertEqual(self.graph.settings.persistence, 3)

    def test_rows_follow_the_rate(self):
        """At full speed as many frames a row as the display needs, and by hand."""
        self.open("--full-speed", "--size", 64)
        spectrum = self.graph.spectrum
        self.graph.follow_rate(1e6)  # not near 64 Msps, as what was measured may be
        self.graph.follow_rate(64e6)
        self.assertEqual(spectrum.average(), np.ceil(64e6 / 32 / 60))
        self.graph.follow_rate(70e6)  # near enough
        self.assertEqual(spectrum.average(), np.ceil(64e6 / 32 / 60))
        self.enter("average", "9")
        self.graph.follow_rate(64e6)
        self.assertEqual(spectrum.average(), 9)

    def test_density_is_of_what_is_shown(self):
        """After a change of span, levels and size its picture has them."""
        self.open("--size", "8192")
        self.enter("span", "100 kHz")
        self.enter("levels", "-90, -20")

        def is_there():
            picture = self.session.picture or {"density_bins": 0, "bins": -1}
            return picture["density_bins"] == picture["bins"] and (
                picture["density_low"],
                picture["density_high"],
            ) == (-90, -20)

        for size in ("8192", "1009"):
            self.enter("size", size)
            wait_for(is_there)
            density = self.session.picture["density"]
            np.testing.assert_allclose(density.sum(axis=1), 1, 1e-5)

    def test_holds_begin_anew(self):
        self.open()
        for window in ("none", "blackmanharris"):  # leakage of the first stays
            self.graph.spectrum.set_window(window)
            self.settle()
        before = np.median(self.session.picture["max_hold"])
        self.settle()
        self.press("restart")
        self.settle()
        self.assertLess(np.median(self.session.picture["max_hold"]), 0.5 * before)

    def test_span_and_centre(self):
        self.open("--size", "65536")
        self.enter("span", "20 kHz")
        self.enter("centre", "100.1 MHz")
        self.next_picture()
        picture = self.session.picture
        self.assertAlmostEqual(picture["bins"], 65536 * 0.02, delta=2)
        peak = picture["average_bin"][picture["average_high"].argmax()]
        self.assertAlmostEqual(self.session.axis.edge(peak), 100.1, delta=1e-4)
        self.assertEqual(self.text("span"), "20 kHz")
        self.press("full_span")
        self.next_picture()
        self.assertEqual(self.session.picture["bins"], 65536)
        box = self.window.spectrum.getViewBox()
        box.scaleBy(x=0.5, y=1, center=QPointF(100, 0))  # as the wheel does
        self.next_picture()
        self.assertAlmostEqual(self.session.picture["bins"], 32768, delta=2)

    def test_display_controls(self):
        self.open()
        window, view = self.window, self.graph.view
        self.tick("show_density")
        self.settle()
        self.assertEqual(self.graph.spectrum.density_bins(), 0)
        counted = view.rows_counted()
        self.next_picture()
        self.assertEqual(view.rows_counted(), counted)
        self.assertFalse(window.density.isVisible())
        self.tick("show_density")
        wait_for(lambda: view.rows_counted() > counted)
        self.tick("show_waterfall")
        self.assertFalse(window.waterfall.isVisible())
        self.enter("levels", "-90, -10")
        self.assertEqual(window.spectrum.viewRange()[1], [-90, -10])
        self.assertFalse(window.controls.switches["auto_levels"].isChecked())
        self.tick("auto_levels")
        window.update_texts()
        self.assertNotEqual(self.session.levels, (-90, -10))
        self.tick("pause")
        self.at_rest()
        self.tick("pause")
        self.next_picture()

    def test_display_that_stands_still(self):
        """While a picture blocks this thread, more rows come, and the next picture has all
        of them."""
        self.open()
        draw, view = self.window.spectrum.show_picture, self.graph.view
        rows, came = [], []

        def draw_slowly(*arguments):
            rows.append(self.session.picture["rows"])
            before, end = view.rows(), time.monotonic() + 100
            while view.rows() <= before + 30 and time.monotonic() < end:
                pass
            came.append(view.rows() - before)
            draw(*arguments)

        with mock.patch.object(self.window.spectrum, "show_picture", draw_slowly):
            wait_for(lambda: len(came) >= 3)
        self.assertGreater(min(came), 30)
        self.assertGreater(min(rows[1:]), 30)  # of one picture: none lost

    def test_status(self):
        self.open()
        for _ in range(2):
            self.next_picture()
            self.window.update_texts()
        status = self.window._status.text()
        for words in (
            cli.ENGINE,
            "sps",
            "GB/s",
            "pictures/s",
            "density of every frame",
        ):
            self.assertIn(words, status)
        self.assertNotIn("dropped", status)  # a file waits


class QaMeters(unittest.TestCase):
    def test_rate(self):
        rate = meter.RateMeter()
        self.assertEqual(rate.rate, 0)
        for tenth in range(30):
            rate.update(tenth / 10, 500 * tenth)
        self.assertAlmostEqual(rate.rate, 5000)

    def test_loss(self):
        """1000 samples/s that come in pieces, then leave out two seconds."""
        loss = meter.LossMeter(1000)
        loss.update(5, 0)
        for tenth in range(100):
            loss.update(10 + tenth / 10, 100 + 200 * (tenth // 2))
        self.assertEqual(loss.lost, 0)
        loss.update(21.9, 10000)
        self.assertAlmostEqual(loss.lost, 2000, delta=260)
        lost = loss.lost
        loss.update(22.9, 11000)
        self.assertEqual(loss.lost, lost)


class QaScreen(unittest.TestCase):
    def test_bins_of_a_band(self):
        for size in (16, 1009):
            axis = screen.Axis(size, 1e6, 50e6, 1e6, "")
            self.assertEqual(axis.bins(axis.edge(0), axis.edge(size)), (0, size))
            self.assertEqual(axis.bins(axis.edge(3), axis.edge(8)), (3, 5))
            self.assertEqual(axis.bins(0, 1), (0, 2))
            self.assertEqual(axis.bins(99, 100), (size - 2, 2))

    def test_density_shades(self):
        shades = screen.density_shades(np.array([0, 1e-5, 1e-4, 1e-2, 1]))
        np.testing.assert_array_equal(shades, [0, 0, 0, 127, 255])


if __name__ == "__main__":
    ending.run(unittest.main)
