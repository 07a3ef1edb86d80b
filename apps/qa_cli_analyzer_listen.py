#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listening to a channel in gpufft analyzer: audio of each modulation against what the test
has modulated."""

import resource
import threading
import unittest
import wave
from unittest import mock

import numpy as np
from gnuradio import gr

from gnuradio.gpufft.cli.analyzer import audio
from gnuradio.gpufft.cli.errors import CommandError, InputError
from session_testing import CENTRE, RATE, SessionTestCase, wait_for

AUDIO_RATE = 48000
SAMPLES = int(2 * RATE)
LIMITS = {  # of the usual channel, in Hz from the carrier
    "AM": (-5e3, 5e3),
    "NFM": (-6250, 6250),
    "WFM": (-100e3, 100e3),
    "USB": (0, 3e3),
    "LSB": (-3e3, 0),
}
NFM_DEVIATION, WFM_DEVIATION, AM_INDEX = 2.5e3, 50e3, 0.6
EMPHASIS = {"NFM": 75e-6, "WFM": 50e-6}  # s
IN_FLIGHT = 3 * AUDIO_RATE  # samples that GNU Radio's buffers can hold
SPECTRUM_LINE = 6  # bins of a Hann window's line


def carrier(frequency, samples=SAMPLES):
    """A complex tone."""
    return np.exp(2j * np.pi * frequency / RATE * np.arange(samples))


def modulate(mode, frequency, tone):
    """A carrier of amplitude 1 at a frequency, modulated by a tone (both in Hz)."""
    time = np.arange(SAMPLES) / RATE
    if mode == "AM":
        return (1 + AM_INDEX * np.cos(2 * np.pi * tone * time)) * carrier(frequency)
    if mode in ("USB", "LSB"):
        return carrier(frequency + (tone if mode == "USB" else -tone))
    deviation = NFM_DEVIATION if mode == "NFM" else WFM_DEVIATION
    phase = deviation / tone * np.sin(2 * np.pi * tone * time)
    return carrier(frequency) * np.exp(1j * phase)


def expected_amplitude(mode, tone):
    """Of the audio."""
    if mode == "AM":
        return AM_INDEX
    if mode in ("USB", "LSB"):
        return 0.3
    low, high = LIMITS[mode]
    deviation = NFM_DEVIATION if mode == "NFM" else WFM_DEVIATION
    emphasis = 1 / np.sqrt(1 + (2 * np.pi * tone * EMPHASIS[mode]) ** 2)
    return deviation / ((high - low) / 2) * emphasis


def noise(level):
    """Of a total power in dBFS."""
    random = np.random.default_rng(5)
    scale = 10 ** (level / 20) / np.sqrt(2)
    return scale * (random.normal(size=SAMPLES) + 1j * random.normal(size=SAMPLES))


def measure(y):
    """(frequency, amplitude, signal over all else in dB) of the strongest tone."""
    powers = np.abs(np.fft.rfft(y * np.hanning(len(y)))) ** 2
    peak = int(np.argmax(powers[2:])) + 2
    line = slice(max(0, peak - SPECTRUM_LINE), peak + SPECTRUM_LINE + 1)
    signal = np.sum(powers[line])
    bins = np.arange(len(powers))[line]
    frequency = np.sum(bins * powers[line]) / signal * AUDIO_RATE / len(y)
    amplitude = np.sqrt(signal / np.sum(np.hanning(len(y)) ** 2) / len(y)) * 2
    return frequency, amplitude, 10 * np.log10(signal / (np.sum(powers) - signal))


class BlockingSink(gr.sync_block):
    """A sound card that takes nothing before it is let go."""

    def __init__(self):
        gr.sync_block.__init__(self, "blocking", in_sig=[np.float32], out_sig=None)
        self.gate, self.is_waiting = threading.Event(), threading.Event()
        self.parts = []

    def work(self, input_items, output_items):
        self.is_waiting.set()
        self.gate.wait()
        self.parts.append(input_items[0].copy())
        return len(input_items[0])


class QaCliAnalyzerListen(SessionTestCase):
    def read(self, name="a.wav"):
        """The audio so far."""
        with wave.open(str(self.folder / name)) as file:
            self.assertEqual(file.getparams()[:3], (1, 2, AUDIO_RATE))
            return np.frombuffer(file.readframes(1 << 30), "<i2") / 32767

    def tune(self, mode, frequency):
        low, high = LIMITS[mode]
        at = CENTRE + frequency
        self.session.instrument.set_channel(at + low, at + high)

    def play(self, mode, frequency):
        """Plays the file once to the WAV file; returns the audio of its middle half."""
        self.tune(mode, frequency)
        self.set(audio_to="a.wav", demodulate=mode)
        self.graph.start()
        self.graph.wait()
        y = self.read()
        self.assertAlmostEqual(len(y) / AUDIO_RATE, SAMPLES / RATE, delta=0.1)
        return y[len(y) // 4 : 3 * len(y) // 4]

    def assert_tone(self, y, tone, amplitude, least_ratio):
        frequency, measured, ratio = measure(y)
        self.assertAlmostEqual(frequency, tone, delta=0.5)
        self.assertAlmostEqual(measured / amplitude, 1, delta=0.03)
        self.assertGreater(ratio, least_ratio)

    def test_modes(self):
        """Each is heard alone, with its level, among carriers 10 kHz beside the channel that
        are 40 dB stronger, whatever the tone."""
        random = np.random.default_rng(11)
        for mode, (low, high) in LIMITS.items():
            with self.subTest(mode):
                tone, at = random.uniform(500, 2500), random.uniform(-60e3, 60e3)
                x = 0.005 * modulate(mode, at, tone) + noise(-100)
                for beside in (at + low - 10e3, at + high + 10e3):
                    if mode != "WFM":
                        x += 0.45 * carrier(beside)
                self.setUp()
                self.open_file(x, "cf32", "--full-speed", "--once")
                y = self.play(mode, at)
                self.assert_tone(y, tone, expected_amplitude(mode, tone), 25)
                self.stop()

    def test_other_side_band_is_silent(self):
        """A tone in the other side band is 60 dB down."""
        for mode, other in (("USB", "LSB"), ("LSB", "USB")):
            with self.subTest(mode):
                x = 0.1 * (modulate(mode, 30e3, 900) + modulate(other, 30e3, 1700))
                self.setUp()
                self.open_file(x, "cf32", "--full-speed", "--once")
                self.assert_tone(self.play(mode, 30e3), 900, 0.3, 55)
                self.stop()

    def test_formats(self):
        """Integers, unsigned and real samples, too."""
        for format in ("cs16", "cs8", "cu8", "rf32", "rs16", "cs24", "cf64be", "ru16"):
            with self.subTest(format):
                self.setUp()
                x = 0.4 * modulate("AM", 50e3, 1234)
                self.open_file(x, format, "--full-speed", "--once")
                self.assert_tone(self.play("AM", 50e3), 1234, AM_INDEX, 25)
                self.stop()

    def play_on(self, seconds=1.0):
        """Audio of the next seconds."""
        start = len(self.read()) + IN_FLIGHT
        end = start + round(seconds * AUDIO_RATE)
        wait_for(lambda: len(self.read()) >= end)
        return self.read()[start:end]

    def open_two_stations(self, *options):
        """AM at 20 and at 100 kHz, whose tones go on at the seam of the loop."""
        x = 0.2 * modulate("AM", 20e3, 800) + 0.02 * modulate("AM", 100e3, 1500)
        self.open_file(x, "cf32", *options)
        self.tune("AM", 20e3)
        self.set(audio_to="a.wav", demodulate="AM")
        self.graph.start()

    def test_retune(self):
        """The lines move: the same blocks follow; a much wider channel gets others."""
        self.open_two_stations()
        self.assert_tone(self.play_on(), 800, AM_INDEX, 40)
        branch = self.session.receiver._branch
        self.tune("AM", 100e3)
        self.session.take(100)
        self.assert_tone(self.play_on(), 1500, AM_INDEX, 40)
        self.assertIs(self.session.receiver._branch, branch)
        at = CENTRE + 100e3
        self.session.instrument.set_channel(at - 4e3, at + 4e3)
        self.session.take(100)
        self.assert_tone(self.play_on(), 1500, AM_INDEX, 40)
        self.assertIs(self.session.receiver._branch, branch)
        self.session.instrument.set_channel(at - 60e3, at + 60e3)
        self.session.update()
        self.assertIsNot(self.session.receiver._branch, branch)
        self.assertEqual(self.session.receiver.mode, "AM")
        self.assertGreater(np.std(self.play_on()), 0.1)

    def test_change_while_running(self):
        """Mode, FFT size and volume change, the WAV file goes on."""
        self.open_two_stations()
        self.play_on(0.2)
        self.set(size="1000", demodulate="NFM", volume="-6")
        self.assertLess(np.std(self.play_on(0.5)), 0.01)  # AM has no deviation
        self.set(demodulate="AM")
        self.assert_tone(self.play_on(), 800, AM_INDEX * 10 ** (-6 / 20), 40)
        self.set(demodulate="off")
        before = len(self.read())
        goal = self.graph.samples() + RATE
        wait_for(lambda: self.graph.samples() > goal)
        self.assertEqual(len(self.read()), before)
        self.set(demodulate="AM", audio_to="b.wav")
        wait_for(lambda: (self.folder / "b.wav").exists() and len(self.read("b.wav")))

    def test_squelch(self):
        """Opens at the channel's power, which is -20 dBFS."""
        phase = np.sin(2 * np.pi * 700 / RATE * np.arange(SAMPLES))
        x = 0.1 * carrier(20e3) * np.exp(1j * phase)
        for level, is_open in (("-19", False), ("-21 dBFS", True), ("off", True)):
            with self.subTest(level):
                self.setUp()
                self.open_file(x, "cf32", "--full-speed", "--once")
                self.set(squelch=level)
                y = self.play("NFM", 20e3)
                self.assertEqual(np.std(y) > 0.01, is_open)
                self.assertTrue(is_open or not np.any(y))
                self.stop()

    def test_sound_card_that_blocks(self):
        """The spectrum goes on, also when listening ends; what the card has not taken is
        dropped, and what it takes is the audio."""
        card = BlockingSink()
        self.addCleanup(card.gate.set)
        x = 0.2 * modulate("AM", 20e3, 800)
        self.open_file(x, "cf32")
        self.tune("AM", 20e3)
        with mock.patch.object(audio, "open_sound_card", lambda: card):
            self.set(demodulate="AM")
        self.graph.start()
        wait_for(card.is_waiting.is_set)
        goal = self.graph.samples() + 4 * RATE
        wait_for(lambda: self.graph.samples() > goal)
        waiting = self.session.receiver._player._samples
        self.assertLessEqual(waiting, audio.MOST_WAITING)
        card.gate.set()
        wait_for(lambda: sum(map(len, card.parts)) > 2 * AUDIO_RATE)
        y = np.concatenate(card.parts)
        self.assertGreater(np.max(np.abs(y)), 0.9 * AM_INDEX)
        self.set(size="1000")  # which restarts all blocks
        before = len(card.parts)
        wait_for(lambda: len(card.parts) > before + 100)
        card.gate.clear()
        card.is_waiting.clear()
        wait_for(card.is_waiting.is_set)
        with mock.patch.object(audio, "END_SECONDS", 0.1):
            self.set(demodulate="off")
        goal = self.graph.samples() + RATE
        wait_for(lambda: self.graph.samples() > goal)

    def test_refusals(self):
        """One line, and nothing changes."""
        self.open_file(noise(-40), "cf32", "--full-speed")
        with self.assertRaisesRegex(InputError, "real time"):
            self.set(demodulate="AM")
        for name in ("../a.wav", "/a.wav", "a.mp3", "sub/a.wav", ".wav/", "", "a\0.wav"):
            with self.assertRaisesRegex(InputError, "audio to"):
                self.set(audio_to=name)
        for field, text in (
            ("volume", "61"),
            ("volume", "loud"),
            ("squelch", "low"),
            ("demodulate", "XM"),
            ("trigger", "nan"),
        ):
            with self.assertRaisesRegex(InputError, field):
                self.set(**{field: text})
        (self.folder / "a.wav").write_bytes(b"mine")
        self.set(audio_to="a.wav")
        with self.assertRaisesRegex(InputError, "exists already"):
            self.set(demodulate="AM")
        self.assertEqual((self.folder / "a.wav").read_bytes(), b"mine")
        self.assertEqual(self.session.receiver.mode, "off")
        no_card = mock.Mock(side_effect=CommandError("no card"))
        self.set(audio_to="sound card", speed="real time")
        with mock.patch.object(audio, "open_sound_card", no_card):
            with self.assertRaisesRegex(CommandError, "no card"):
                self.set(demodulate="AM")
        self.assertEqual(self.session.receiver.mode, "off")
        with mock.patch.object(audio, "open_sound_card", BlockingSink):
            self.set(demodulate="AM")
        with self.assertRaisesRegex(InputError, "real time"):
            self.set(speed="full speed")
        self.assertEqual(self.graph.speed, 1)

    def test_low_rates(self):
        """AM from streams that are slower than the audio."""
        for rate in (8000, 1000, 20):
            with self.subTest(rate):
                self.setUp()
                time = np.arange(8 * rate) / rate
                x = 0.2 * (1 + AM_INDEX * np.cos(2 * np.pi * 0.1 * rate * time))
                self.open_file(x + 0j, "cf32", "--full-speed", "--once", "--rate", rate)
                self.session.instrument.set_channel(CENTRE - rate / 4, CENTRE + rate / 4)
                for mode in LIMITS:
                    self.set(audio_to=f"{mode}.wav", demodulate=mode)
                self.set(audio_to="a.wav", demodulate="AM")
                self.graph.start()
                self.graph.wait()
                y = self.read()
                if rate > 20:
                    middle = y[len(y) // 4 : 3 * len(y) // 4]
                    self.assert_tone(middle, 0.1 * rate, AM_INDEX, 35)
                self.stop()

    def test_tuning_a_receiver(self):
        """The channel stays at its frequency, or comes back into the band."""
        self.open_gated("cf32")
        self.source.tune = lambda frequency: setattr(self.source, "frequency", frequency)
        self.tune("AM", 100e3)
        self.set(audio_to="a.wav", demodulate="AM")
        for to, shift in ((50e3, 50e3), (400e3, 0)):
            self.set(tune=f"{CENTRE + to:.0f}")
            self.session.take(100)
            self.assertAlmostEqual(self.session.receiver._branch.tuning.shift, shift)
        self.assertAlmostEqual(self.session.instrument.channel.width, 10e3)

    def test_unknown_rate(self):
        self.open_gated("cf32")
        self.source.rate = None
        words = "--listen. needs the sample rate: give --rate"
        with self.assertRaisesRegex(InputError, words):
            self.set(demodulate="AM")
        with self.assertRaisesRegex(InputError, "--rate"):
            self.set(audio_to="a.wav", demodulate="AM")
        self.source.rate = RATE

    def test_full_disk(self):
        """Listening ends with one line, and the spectrum goes on."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, before)
        self.open_two_stations()
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
        wait_for(lambda: self.session.receiver._branch.tap.error)
        with self.assertRaisesRegex(CommandError, "a.wav cannot be written"):
            self.session.update()
        self.session.update()
        self.assertEqual(self.session.receiver.mode, "off")
        goal = self.graph.samples() + RATE
        wait_for(lambda: self.graph.samples() > goal)

    def test_command_line(self):
        """--listen takes the middle of the band shown, in either case."""
        x = 0.2 * modulate("NFM", 40e3, 700)
        with mock.patch.object(audio, "open_sound_card", BlockingSink):
            band = "--centre", CENTRE + 40e3, "--span", 50e3
            self.open_file(x, "cf32", *band, "--listen", "nfm")
        channel = self.session.instrument.channel
        self.assertAlmostEqual(channel.low, CENTRE + 40e3 - 6250, delta=1)
        self.assertAlmostEqual(channel.high, CENTRE + 40e3 + 6250, delta=1)
        self.assertEqual(self.session.actions.values()["demodulate"], "NFM")
        with self.assertRaisesRegex(InputError, "demodulate 'CW'"):
            self.open_file(x, "cf32", "--listen", "cw")
        with self.assertRaisesRegex(InputError, "--record-to"):
            self.open_file(x, "cf32", "--record-to", self.folder / "none")


if __name__ == "__main__":
    unittest.main()
