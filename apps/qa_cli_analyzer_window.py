#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of gpufft analyzer: every control acts on the running stream; a display that
stands still does not hold it up; sizes from prime to 2^22."""

import argparse
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
from gnuradio import gpufft, gr, soapy, uhd
from PyQt5.QtCore import QPoint, QPointF, Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QComboBox

import cli_testing as cli
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import command, meter, plots, screen, sources
from gnuradio.gpufft.cli.analyzer import window as analyzer_window
from gnuradio.gpufft.cli.errors import CommandError

RATE = 1e6
CENTRE = 100e6
RECORDED = 1 << 18  # samples, played in a loop in which tones go on
FREQUENCIES = (-78643 / RECORDED, 26214 / RECORDED, 96993 / RECORDED)  # cycles a sample
LEVELS = (-20, -30, -40)  # dBFS
NEED_A_PARAMETER = ("kaiser", "exponential", "gaussian", "tukey")  # windows


def wait_for(condition, seconds=100):
    """Runs the window until condition() holds, or fails: a busy machine needs 10 s."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s")
        QTest.qWait(20)


class Receiver(gr.sync_block):
    """Stands in for soapy.source: a carrier at a fixed frequency, as it is received."""

    def __init__(self, carrier):
        gr.sync_block.__init__(self, "receiver", None, [np.complex64])
        self._carrier = carrier
        self._phase = 0.0
        self.gain_mode = None

    def set_sample_rate(self, _channel, rate):
        self._rate = rate

    def get_sample_rate(self, _channel):
        return self._rate

    def set_frequency(self, _channel, frequency):
        self._frequency = frequency

    def has_gain_mode(self, _channel):
        return True

    def set_gain_mode(self, _channel, mode):
        self.gain_mode = mode

    def work(self, _input_items, output_items):
        out = output_items[0][: round(self._rate / 100)]
        time.sleep(len(out) / self._rate)
        step = 2 * np.pi * (self._carrier - self._frequency) / self._rate
        out[:] = 0.1 * np.exp(1j * (self._phase + step * np.arange(len(out))))
        self._phase = (self._phase + step * len(out)) % (2 * np.pi)
        return len(out)


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliAnalyzerWindow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.application = command.open_display(False)
        cls.windows = []  # kept: Python would take them apart in any order
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = Path(folder.name) / "x.cs16"
        amplitudes = [10 ** (level / 20) for level in LEVELS]
        x = cli.tones(RECORDED, FREQUENCIES, amplitudes, noise=1e-4)
        cls.file.write_bytes(cli.encode(x, "cs16"))

    def open(self, *options, source=None, wait=True):
        """A running window; source: other arguments than the file's; wait: for two
        pictures."""
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        if source is None:
            source = (self.file, "--rate", RATE, "--freq", CENTRE)
        words = ("analyzer", *source, "--engine", cli.ENGINE, *options)
        arguments = parser.parse_args(list(map(str, words)))
        self.graph = command.make_flowgraph(arguments)
        self.window = command.make_window(self.graph, arguments)
        self.windows.append(self.window)
        self.addCleanup(self.close)
        self.window.show()
        self.graph.start()
        if wait:
            self.next_picture()

    def close(self):
        self.graph.stop()
        self.graph.wait()
        self.window.close()

    def next_picture(self):
        """Until one has been drawn of what is in force."""
        frames = self.window.frames
        wait_for(lambda: self.window.frames > frames + 1)

    def enter(self, name, text):
        """Writes into a field, as a user does."""
        field = self.window.controls.fields[name]
        edit = field.lineEdit() if isinstance(field, QComboBox) else field
        edit.selectAll()
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key_Return)

    def choose(self, name, text):
        """Takes what a list offers."""
        field = self.window.controls.fields[name]
        field.setCurrentText(text)
        field.activated[str].emit(text)

    def tick(self, name):
        switch = self.window.controls.switches[name]
        QTest.mouseClick(switch, Qt.LeftButton, pos=QPoint(8, switch.height() // 2))

    def press(self, name):
        QTest.mouseClick(self.window.controls.buttons[name], Qt.LeftButton)

    def text(self, name):
        field = self.window.controls.fields[name]
        return field.currentText() if isinstance(field, QComboBox) else field.text()

    def said(self):
        return self.window.statusBar().currentMessage()

    def settle(self):
        """Until what was set before has come through the stream, by its own count."""
        goal = self.graph.samples() + 0.6 * RATE
        wait_for(lambda: self.graph.samples() > goal)
        self.next_picture()

    def assert_peaks(self):
        """The three tones are found, each within a tenth of a bin and 0.2 dB."""
        self.settle()
        self.press("restart")
        self.settle()
        self.window.update_texts()
        peaks = self.window.peaks[:3]
        self.assertEqual(len(peaks), 3)
        for peak, frequency, level in zip(peaks, FREQUENCIES, LEVELS):
            bin_width = RATE / self.graph.settings.size
            expected = CENTRE + frequency * RATE
            self.assertAlmostEqual(peak.frequency, expected, delta=0.1 * bin_width + 1)
            self.assertAlmostEqual(peak.level, level, delta=0.2)

    # Sizes

    def test_sizes(self):
        """A power of two, a prime, fewer bins than columns, and 2^22."""
        self.open("--full-speed")
        window = self.window
        for size in (4096, 1009, 65537, 512):
            with self.subTest(size=size):
                self.enter("size", str(size))
                self.assertEqual(self.graph.spectrum.fft_size(), size)
                self.assert_peaks()
                columns = min(size, int(window.spectrum.getViewBox().width()))
                self.assertEqual(window.picture["columns"], columns)
        self.assertTrue(window.isVisible())

    def test_largest_size(self):
        self.open("--full-speed", "--size", "4M", "--overlap", 0)
        wait_for(lambda: self.graph.view.rows() >= 2)
        self.next_picture()
        self.assertEqual(self.window.picture["bins"], 1 << 22)
        self.assertLess(self.window.picture["columns"], 2000)
        strongest = self.window.picture["average_high"].argmax()
        axis, column = self.window.axis, self.window.picture["average_bin"][strongest]
        self.assertAlmostEqual(
            axis.edge(column) * 1e6, CENTRE + FREQUENCIES[0] * RATE, delta=1
        )

    def test_levels_that_end_at_zero(self):
        picture = {"average_low": np.full(9, 1e-9), "max_hold": np.full(9, 0.1)}
        self.assertEqual("{:g}, {:g}".format(*screen.level_range(picture)), "-110, 0")

    # Controls

    def test_transform_controls(self):
        self.open("--averaging", 0)
        spectrum = self.graph.spectrum
        self.enter("overlap", "0.75")
        self.assertEqual(spectrum.hop(), 1024)
        self.enter("average", "7")
        self.assertEqual(spectrum.average(), 7)
        self.enter("average", "auto")
        self.assertEqual(spectrum.average(), np.ceil(RATE / 1024 / 60))
        self.choose("detector", "max")
        self.assertEqual(spectrum.detector(), "max")
        self.choose("detector", "mean")
        self.enter("window", "blackmanharris")
        self.assertEqual(self.graph.settings.window, "blackmanharris")
        self.assert_peaks()
        self.assertIs(self.graph.spectrum, spectrum)  # all that without another block
        self.enter("rbw", "1 kHz")
        noise_bandwidth = 2.0  # of the window, in bins
        self.assertAlmostEqual(self.graph.settings.size, noise_bandwidth * 1e3, delta=10)
        self.assertEqual(self.graph.spectrum.fft_size(), self.graph.settings.size)
        self.assert_peaks()

    def test_window_list_has_what_is_accepted(self):
        self.open()
        field = self.window.controls.fields["window"]
        names = [field.itemText(index) for index in range(field.count())]
        known = gpufft.window_names().split(", ")
        self.assertEqual(
            names[:-1], [name for name in known if name not in NEED_A_PARAMETER]
        )
        for name in names:
            self.choose("window", name)
            self.assertEqual((self.graph.settings.window, self.said()), (name, ""))

    def test_what_is_typed_counts(self):
        """Not what a list offers that begins like it."""
        self.open()
        for name, text, value in (
            ("size", "1000", 1000),
            ("size", "16", 16),
            ("overlap", "0.7", 0.7),
            ("window", "kaiser:8", "kaiser:8"),
            ("window", "kaiser:1000", "kaiser:1000"),
        ):
            self.enter(name, text)
            self.assertEqual(getattr(self.graph.settings, name), value)

    def test_windows_that_are_refused(self):
        """With what the field wants; the window in force stays."""
        self.open()
        for text, words in (
            ("kaiser:-1", "beta -1: must be 0 ... "),
            ("kaiser:1e20", "no tap above 0"),
            ("hann:5", "'hann' has no parameter"),
            ("tukey:2", "alpha 2: must be 0 ... 1"),
        ):
            self.enter("window", text)
            self.assertIn(words, self.said())
            self.assertEqual(self.graph.settings.window, "hann")

    def test_a_text_stays_as_its_user_left_it(self):
        """Selected, while the window shows the values in force."""
        self.open()
        edit = self.window.controls.fields["size"].lineEdit()
        edit.setFocus()
        edit.selectAll()
        self.window.update_texts()
        self.assertEqual(edit.selectedText(), "4096")

    def test_faults_are_told(self):
        """Nothing that a control does ends the process."""
        self.open()
        for fault, words in (
            (RuntimeError("CUDA error"), "CUDA error"),
            (MemoryError(), "out of memory"),
        ):
            with mock.patch.object(
                type(self.graph.spectrum), "set_detector", side_effect=fault
            ):
                self.choose("detector", "max")
            self.assertIn(words, self.said())
        self.enter("rbw", "1e-320")
        self.assertEqual(self.graph.settings.size, 1 << 22)
        with mock.patch.object(self.graph, "set_counting", side_effect=KeyError("x")):
            self.tick("show_density")
        self.assertIn("KeyError", self.said())

    def test_file_that_ends(self):
        """At full speed it is over before anybody has measured a rate."""
        source = (self.file, "--rate", RATE, "--freq", CENTRE, "--once", "--full-speed")
        self.open(source=source, wait=False)
        wait_for(lambda: self.graph.view.rows() > 30 and self.window.frames > 0)
        wait_for(lambda: "end of the file" in self.window._status.text())
        self.enter("size", "256")
        QTest.qWait(1200)  # two updates of the status
        self.assertIn("end of the file", self.window._status.text())

    def test_waterfall_has_gaps(self):
        """Dark lines for as long as none came; lines before stay, if there is room."""
        plot = plots.WaterfallPlot()
        plot.show_levels(-100, 0)
        picture = {"first_bin": 0, "bins": 8, "columns": 8, "mean": np.full(8, 0.1)}
        axis = SimpleNamespace(edge=lambda bins: np.asarray(bins, float))
        for now in (*np.arange(20) / 10, 5.9):
            plot.show_picture(picture, axis, now)
        self.assertEqual(len(plot._times), 60)  # 2 s of lines, 4 s of nothing
        np.testing.assert_allclose(np.diff(plot._times), -0.1, atol=1e-9)
        is_dark = (plot._lines[:60] == plots.NOTHING).all(axis=1)
        np.testing.assert_array_equal(np.flatnonzero(is_dark), np.arange(1, 40))
        plot.show_picture(picture, axis, 1000.0)
        self.assertEqual(len(plot._times), plots.WATERFALL_LINES)
        self.assertEqual(np.sum(plot._lines[:, 0] != plots.NOTHING), 1)

    def test_traces_begin_anew_in_time(self):
        """Where nobody said the rate, and with frames of minutes, too."""
        self.open(source=(self.file,))
        for size in ("4096", "4194304"):
            self.enter("size", size)
            with mock.patch.object(self.graph, "restart") as restart, mock.patch.object(
                analyzer_window, "QTimer"
            ) as timer:
                self.press("restart")
                milliseconds, again = timer.singleShot.call_args[0]
                self.assertLess(milliseconds, 2000)
                again()
                self.assertEqual(restart.call_count, 2)
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
        self.assertEqual(self.window.peaks, [])
        self.enter("averaging", "0")
        self.enter("persistence", "3")
        self.assertEqual(self.graph.settings.averaging, 0)
        self.assertEqual(self.graph.settings.persistence, 3)

    def test_rows_follow_the_rate(self):
        """At full speed as many frames a row as the display needs, and by hand."""
        self.open("--full-speed", "--size", 64)
        spectrum = self.graph.spectrum
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
            picture = self.window.picture or {"density_bins": 0, "bins": -1}
            return picture["density_bins"] == picture["bins"] and (
                picture["density_low"],
                picture["density_high"],
            ) == (-90, -20)

        for size in ("8192", "1009"):
            self.enter("size", size)
            wait_for(is_there)
            density = self.window.picture["density"]
            np.testing.assert_allclose(density.sum(axis=1), 1, 1e-5)

    def test_holds_begin_anew(self):
        self.open()
        for window in ("none", "blackmanharris"):  # leakage of the first stays
            self.graph.spectrum.set_window(window)
            self.next_picture()
        before = np.median(self.window.picture["max_hold"])
        self.settle()
        self.press("restart")
        self.settle()
        self.assertLess(np.median(self.window.picture["max_hold"]), 0.5 * before)

    def test_span_and_centre(self):
        self.open("--size", "65536")
        self.enter("span", "20 kHz")
        self.enter("centre", "100.1 MHz")
        self.next_picture()
        picture = self.window.picture
        self.assertAlmostEqual(picture["bins"], 65536 * 0.02, delta=2)
        peak = picture["average_bin"][picture["average_high"].argmax()]
        self.assertAlmostEqual(self.window.axis.edge(peak), 100.1, delta=1e-4)
        self.assertEqual(self.text("span"), "20 kHz")
        self.press("full_span")
        self.next_picture()
        self.assertEqual(self.window.picture["bins"], 65536)
        box = self.window.spectrum.getViewBox()
        box.scaleBy(x=0.5, y=1, center=QPointF(100, 0))  # as the wheel does
        self.next_picture()
        self.assertAlmostEqual(self.window.picture["bins"], 32768, delta=2)

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
        self.assertNotEqual(window.levels, (-90, -10))
        self.tick("pause")
        frames, rows = window.frames, view.rows()
        wait_for(lambda: view.rows() > rows + 20)  # the stream goes on
        self.assertEqual(window.frames, frames)
        self.tick("pause")
        self.next_picture()

    def test_speed(self):
        self.open()
        self.choose("speed", "full speed")

        def is_fast():
            samples, start = self.graph.samples(), time.monotonic()
            QTest.qWait(300)
            passed = time.monotonic() - start
            return self.graph.samples() - samples > 2 * RATE * passed

        wait_for(is_fast)
        self.choose("speed", "real time")
        self.assert_peaks()

    def test_what_a_field_refuses(self):
        self.open()
        for name, text, words in (
            ("size", "5000000", "must be 4194304 or less"),
            ("window", "hamm", "hamm"),
            ("overlap", "1", "0 <= overlap < 1"),
            ("average", "0", "must be 1 or more"),
            ("span", "-1", "must be greater than 0"),
            ("levels", "0, -10", "must be below"),
        ):
            before = self.text(name)
            self.enter(name, text)
            self.assertIn(words, self.said())
            self.assertEqual(self.text(name), before)

    def test_tuning(self):
        """A receiver that hears a carrier at 100.1 MHz, wherever it is tuned to."""
        radio = Receiver(100.1e6)
        part = SimpleNamespace(source=lambda *_: radio)
        with mock.patch.object(sources, "import_part", lambda *_: part):
            arguments = ("--soapy", "driver=x", "--rate", RATE, "--freq", CENTRE)
            self.open(*arguments, source=())
        self.assertEqual(radio.gain_mode, True)
        for centre in ("100 MHz", "100.3M"):
            self.enter("tune", centre)
            self.settle()
            self.press("restart")
            self.settle()
            self.window.update_texts()
            self.assertAlmostEqual(self.window.peaks[0].frequency, 100.1e6, delta=50)
        self.assertAlmostEqual(np.mean(self.window.band()), 100.3)
        self.assertNotIn("speed", self.window.controls.fields)

    def open_receiver(self, radio):
        """The source that the command line makes of it."""
        part = SimpleNamespace(source=lambda *_: radio)
        facts = SimpleNamespace(soapy="driver=x", rate="1M", freq="100M", gain=None)
        facts.zmq = facts.uhd = facts.file = None
        with mock.patch.object(sources, "import_part", lambda *_: part):
            return sources.make_source(facts)

    def test_receiver_without_automatic_gain(self):
        radio = Receiver(100e6)
        with mock.patch.object(radio, "has_gain_mode", lambda _: False):
            source = self.open_receiver(radio)
        self.assertIsNone(radio.gain_mode)
        self.assertEqual(len(source.notes), 1)
        self.assertIn("--gain", source.notes[0])

    def test_receiver_that_refuses(self):
        for fault in (ValueError("Unsupported\nrate"), RuntimeError("Unsupported rate")):
            radio = Receiver(100e6)
            with mock.patch.object(radio, "set_sample_rate", side_effect=fault):
                with self.assertRaisesRegex(CommandError, "--rate.*: Unsupported rate"):
                    self.open_receiver(radio)
            source = self.open_receiver(radio)
            with mock.patch.object(radio, "set_frequency", side_effect=fault):
                with self.assertRaisesRegex(CommandError, "refuses 99 MHz: Unsu"):
                    source.tune(99e6)
            self.assertEqual(source.frequency, 100e6)

    def test_receivers_have_what_is_asked_of_them(self):
        """The names that the sources call, in GNU Radio's own blocks."""
        for name in ("sample_rate", "frequency", "gain_mode", "gain"):
            self.assertTrue(hasattr(soapy.source, f"set_{name}"))
        self.assertTrue(hasattr(soapy.source, "has_gain_mode"))
        for name in ("samp_rate", "center_freq", "rx_agc", "gain"):
            self.assertTrue(hasattr(uhd.usrp_source, f"set_{name}"))

    # Decoupling

    def test_display_that_stands_still(self):
        """While a picture keeps this thread, the stream goes on for 0.7 s of samples, and the
        next picture has all their rows."""
        self.open()
        draw = self.window.spectrum.show_picture
        rows, came = [], []

        def draw_slowly(*arguments):
            rows.append(self.window.picture["rows"])
            samples, end = self.graph.samples(), time.monotonic() + 100
            while self.graph.samples() < samples + 0.7 * RATE and time.monotonic() < end:
                pass
            came.append(self.graph.samples() - samples)
            draw(*arguments)

        with mock.patch.object(self.window.spectrum, "show_picture", draw_slowly):
            wait_for(lambda: len(came) >= 3)
        self.assertGreaterEqual(min(came), 0.7 * RATE)
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
            "0</b> samples dropped",
            "pictures/s",
            "density of every frame",
        ):
            self.assertIn(words, status)


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
