#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of gpufft analyzer: what its fields take and refuse, files and receivers."""

import time
import unittest
from types import SimpleNamespace
from unittest import mock

import numpy as np
from gnuradio import gpufft, gr, soapy, uhd
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest

from analyzer_testing import CENTRE, FREQUENCIES, RATE, AnalyzerWindowTestCase, wait_for
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import screen, sources
from gnuradio.gpufft.cli.errors import CommandError

NEED_A_PARAMETER = ("kaiser", "exponential", "gaussian", "tukey")  # windows


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


class QaCliAnalyzerWindow(AnalyzerWindowTestCase):
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
                self.assertEqual(self.session.picture["columns"], columns)
        self.assertTrue(window.isVisible())

    def test_largest_size(self):
        file = self.file.with_name("long.cs16")
        file.write_bytes(16 * self.file.read_bytes())  # tones go on from copy to copy
        source = (file, "--rate", RATE, "--freq", CENTRE)
        self.open("--full-speed", "--size", "4M", "--overlap", 0, source=source)
        wait_for(lambda: self.graph.view.rows() >= 2)
        self.next_picture()
        self.assertEqual(self.session.picture["bins"], 1 << 22)
        self.assertLess(self.session.picture["columns"], 2000)
        strongest = self.session.picture["average_high"].argmax()
        axis, column = self.session.axis, self.session.picture["average_bin"][strongest]
        self.assertAlmostEqual(
            axis.edge(column) * 1e6, CENTRE + FREQUENCIES[0] * RATE, delta=1
        )

    def test_levels_that_end_at_zero(self):
        picture = {"average_low": np.full(9, 1e-9), "max_hold": np.full(9, 0.1)}
        self.assertEqual("{:g}, {:g}".format(*screen.level_range(picture)), "-110, 0")

    def test_transform_controls(self):
        self.open("--averaging", 0)
        spectrum = self.graph.spectrum
        self.enter("overlap", "0.75")
        self.assertEqual(self.graph.frames.hop, 1024)
        self.assertEqual(self.text("hop"), "1024")
        self.enter("hop", "1000")
        self.assertEqual(self.graph.frames.hop, 1000)
        self.assertEqual(self.text("overlap"), "0.755859")
        self.enter("hop", "1024")
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
            ("hop", "3", 3),
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

    def test_speed(self):
        self.open()
        for text, speed in (("full speed", None), ("real time", 1)):
            self.choose("speed", text)
            self.assertEqual(self.graph.speed, speed)
            before = self.graph.samples()
            wait_for(lambda: self.graph.samples() > before)
        self.assert_peaks()

    def test_what_a_field_refuses(self):
        self.open()
        for name, text, words in (
            ("size", "5000000", "must be 4194304 or less"),
            ("window", "hamm", "hamm"),
            ("overlap", "1", "0 <= overlap < 1"),
            ("hop", "0", "1 or more"),
            ("hop", "4097", "4096 or less"),
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
            self.assertAlmostEqual(self.session.peaks[0].frequency, 100.1e6, delta=50)
        self.assertAlmostEqual(np.mean(self.session.band), 100.3)
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

    def test_listen_and_record(self):
        """By the panel and by the key; the box and the status line show what is going on."""
        folder = self.file.parent
        self.open("--record-to", folder)
        self.enter("audio_to", "window.wav")
        self.choose("demodulate", "AM")
        self.enter("volume", "-3 dB")
        self.assertEqual(self.said(), "")
        self.assertTrue(self.window.controls.switches["show_channel"].isChecked())
        wait_for(lambda: (folder / "window.wav").stat().st_size > 48000)
        box = self.window.controls.switches["recording"]
        QTest.keyClick(self.window.spectrum, Qt.Key_R)
        self.assertTrue(box.isChecked())
        wait_for(lambda: "recording" in self.session.status[0])
        QTest.keyClick(self.window.spectrum, Qt.Key_R)
        self.assertFalse(box.isChecked())
        self.assertEqual(len(list(folder.glob("*.sigmf-meta"))), 1)
        self.tick("recording")
        self.assertTrue(box.isChecked())
        self.choose("recorded", "channel")
        self.assertIn("end it first", self.said())
        self.tick("recording")
        self.assertEqual(len(list(folder.glob("*.sigmf-meta"))), 2)
        self.choose("demodulate", "off")
        values = [self.text(name) for name in ("demodulate", "volume", "recorded")]
        self.assertEqual(values, ["off", "-3", "whole stream"])

    def test_receivers_have_what_is_asked_of_them(self):
        """The names that the sources call, in GNU Radio's own blocks."""
        for name in ("sample_rate", "frequency", "gain_mode", "gain"):
            self.assertTrue(hasattr(soapy.source, f"set_{name}"))
        self.assertTrue(hasattr(soapy.source, "has_gain_mode"))
        for name in ("samp_rate", "center_freq", "rx_agc", "gain"):
            self.assertTrue(hasattr(uhd.usrp_source, f"set_{name}"))


if __name__ == "__main__":
    ending.run(unittest.main)
