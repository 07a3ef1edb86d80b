#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How recordings are played in gpufft analyzer, without a window: which frames come when; no
frame lies across a jump, at any size and overlap."""

import itertools
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import cli_testing as cli
from analyzer_testing import wait_for
from gnuradio import gpufft
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import playback, playback_blocks
from gnuradio.gpufft.cli.analyzer.flowgraph import AnalyzerFlowgraph
from gnuradio.gpufft.cli.analyzer.settings import Settings
from gnuradio.gpufft.cli.analyzer.sources import FileSource
from gnuradio.gpufft.cli.recording import open_recording

PIECE = playback.PIECE_SECONDS


class Clock:
    """Stands in for the module time."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


def take_all(play, size, hop, most=1 << 40):
    """First samples of the frames of one take()."""
    first, count = play.take(size, hop, most)
    return [first + hop * number for number in range(count)]


class QaPlayback(unittest.TestCase):
    """Which frames come when."""

    def setUp(self):
        self.clock = Clock()
        patch = mock.patch.object(playback, "time", self.clock)
        patch.start()
        self.addCleanup(patch.stop)

    def test_every_pass_has_the_same_frames(self):
        for samples, size, hop in ((100, 16, 8), (97, 10, 3), (33, 33, 7), (50, 8, 8)):
            play = playback.Playback(samples, 1e3, True)
            expected = list(range(0, samples - size + 1, hop))
            for most in (1, 3, 1 << 40):
                play.seek(0)
                found = []
                while len(found) < 3 * len(expected):
                    found += take_all(play, size, hop, most)
                self.assertEqual(found[: 3 * len(expected)], 3 * expected)

    def test_frames_of_a_loop_lie_in_it(self):
        play = playback.Playback(1000, 1e3, True)
        play.set_loop(130, 277)
        for _ in range(5):
            starts = take_all(play, 20, 10)
            self.assertEqual(starts, list(range(130, 258, 10)))
        play.seek(950)  # behind B: to the end, then the loop
        self.assertEqual(take_all(play, 20, 10), [950, 960, 970, 980])
        self.assertEqual(take_all(play, 20, 10)[0], 130)
        play.seek(5)  # before A
        self.assertEqual(take_all(play, 20, 10)[:2], [5, 15])
        play.set_loop(0, 1000)
        self.assertLess(max(take_all(play, 20, 10)), 981)

    def test_pace(self):
        """At each speed as many samples as time has passed, loops and all."""
        for speed, samples in itertools.product((0.1, 1, 7.5), (777, 100000)):
            play = playback.Playback(samples, 1e4, True)
            play.set_speed(speed)
            play.take(10, 5, 1)
            start = self.clock.now
            while self.clock.now < start + 2:
                self.clock.now += 1.3 * PIECE
                while play.take(10, 5, 1 << 40)[1]:
                    pass
            expected = (self.clock.now - start) * 1e4 * speed
            self.assertAlmostEqual(play.passed / expected, 1, delta=0.02)

    def test_back_pressure(self):
        """After a time without a reader the clock is not far ahead."""
        play = playback.Playback(10**6, 1e4, True)
        play.set_speed(1)
        play.take(10, 10, 1)
        self.clock.now += 50
        self.assertLess(len(take_all(play, 10, 10)) * 10, 0.3 * 1e4)
        self.assertLess(play.position, 0.3 * 1e4)

    def test_pause_and_steps(self):
        play = playback.Playback(1000, 1e3, True)
        play.set_speed(1)
        play.set_playing(False)
        self.clock.now += 10
        self.assertEqual(take_all(play, 100, 50), [])
        play.step(3)
        self.assertEqual(take_all(play, 100, 50), [0, 50, 100])
        self.assertEqual(play.position, 200)
        self.assertEqual(take_all(play, 100, 50), [])
        play.step(3)
        take_all(play, 100, 50)
        play.step_back(3, 50)
        self.assertEqual(take_all(play, 100, 50), [0, 50, 100])
        play.seek(880)
        play.step(3)  # across the end
        self.assertEqual(take_all(play, 100, 50), [880])
        self.assertEqual(take_all(play, 100, 50), [0, 50])

    def test_a_smaller_size(self):
        """Its first frames lie in what was played: nothing is played again."""
        play = playback.Playback(1000, None, True)
        play.set_tap(mock.Mock(is_full=False))
        play.take(500, 100, 1)
        tap = mock.Mock(is_full=False)
        play.set_tap(tap)
        played = []
        for _ in range(6):
            play.take(50, 100, 1)
            played.append(play.played)
        self.assertEqual(played, 4 * [(500, 500)] + [(550, 550), (650, 650)])
        self.assertEqual(
            tap.append.call_args_list, [mock.call(500, 550), mock.call(550, 650)]
        )

    def test_failure(self):
        """It ends what plays; where the user goes from there it plays as before."""
        for act in (lambda play: play.seek(0), lambda play: play.set_loop(0, 1000)):
            play = playback.Playback(1000, None, True)
            play.take(100, 100, 1)
            play.fail("no more")
            self.assertEqual((play.error, play.has_ended), ("no more", True))
            self.assertEqual(take_all(play, 10, 10), [])
            act(play)
            self.assertEqual((play.error, play.has_ended), ("", False))
            self.assertTrue(play.is_playing)
            self.assertNotEqual(take_all(play, 10, 10), [])

    def test_once(self):
        play = playback.Playback(100, None, False)
        self.assertEqual(take_all(play, 30, 30), [0, 30, 60])
        self.assertFalse(play.has_ended)
        self.assertEqual(take_all(play, 30, 30), [])
        self.assertTrue(play.has_ended)
        self.assertEqual((play.passed, play.position), (100, 100))
        play.seek(50)
        self.assertFalse(play.has_ended)
        self.assertEqual(take_all(play, 30, 30), [50])

    def test_too_short_for_a_frame(self):
        play = playback.Playback(100, None, True)
        for _ in range(3):
            self.assertEqual(take_all(play, 101, 50), [])


class QaFrameBlocks(unittest.TestCase):
    """What the blocks write is what the file holds, at every format, size and buffer."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def make(self, format, samples, offset=0):
        data = np.random.default_rng(samples).integers(0, 256, 1 << 16, np.uint8)
        path = self.folder / f"x.{format}"
        bytes = samples * playback_blocks.sample_bytes(format)
        path.write_bytes(data[: offset + bytes].tobytes())
        recording = open_recording(str(path), format, "1e6")
        recording.offset, recording.samples = offset, samples
        play = playback.Playback(samples, 1e6, True)
        file = playback_blocks.SampleFile(recording, play)
        return file, play, data[offset : offset + bytes].reshape(samples, -1)

    def test_frames(self):
        for format, size, hop, room in (
            ("cf32", 64, 32, 1000),
            ("cf32", 64, 64, 100),
            ("cs16", 100, 30, 77),  # a frame is longer than the buffer
            ("rs16", 7, 1, 50),
            ("cu8", 500, 499, 33),
        ):
            file, play, data = self.make(format, 1201, offset=3)
            block = playback_blocks.FrameSource(file, play, size, hop)
            expected = [data[s : s + size] for s in range(0, 1201 - size + 1, hop)]
            expected = np.concatenate(2 * expected).ravel()
            found = np.zeros(0, np.uint8)
            while len(found) < len(expected):
                out = np.zeros(room * file.bytes, np.uint8)
                found = np.append(found, out[: block._fill(out)])
            np.testing.assert_array_equal(found[: len(expected)], expected)

    def test_tap_gives_what_is_played(self):
        file, play, data = self.make("cs16", 1000)
        tap = playback_blocks.SampleTap(file, play)
        play.set_tap(tap)
        frames = playback_blocks.FrameSource(file, play, 100, 50)
        frames._fill(np.zeros(100 * 4 * 5, np.uint8))  # 5 frames: 300 samples
        play.seek(700)
        frames._fill(np.zeros(100 * 4 * 2, np.uint8))
        out = np.zeros(10000, np.uint8)
        count = tap._fill(out)
        expected = np.concatenate((data[:300], data[700:850])).ravel()
        np.testing.assert_array_equal(out[:count], expected)
        self.assertEqual(tap.waiting, 0)

    def test_file_that_shrinks(self):
        file, play, _ = self.make("cs16", 1000)
        block = playback_blocks.FrameSource(file, play, 100, 50)
        (self.folder / "x.cs16").write_bytes(b"x" * 40)
        self.assertEqual(block._fill(np.zeros(4000, np.uint8)), 0)
        self.assertIn("shorter", play.error)
        self.assertTrue(play.has_ended)


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaSeam(unittest.TestCase):
    """The holds after many passes are those of the frames of one."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def hold(self, play_through, samples, size, overlap, noise=1e-3):
        """(max hold in dB after play_through(flowgraph), that of all frames by NumPy): a
        sine that does not go on across the seam, over noise, whose lowest bins lie well above
        the rounding of single precision."""
        rng = np.random.default_rng(size)
        x = 0.5 * np.exp(2j * np.pi * 0.1234567 * np.arange(samples))
        x += noise * (rng.standard_normal(samples) + 1j * rng.standard_normal(samples))
        path = self.folder / "x.cf32"
        path.write_bytes(cli.encode(x, "cf32"))
        settings = Settings(
            size=size, overlap=overlap, average=1, window="blackmanharris"
        )
        source = FileSource(open_recording(str(path), "cf32", "1e6"), True)
        graph = AnalyzerFlowgraph(source, settings, cli.ENGINE, 0, False)
        graph.view.set_span(0, size, size)
        start, end = play_through(graph)
        taps = np.array(gpufft.window_taps("blackmanharris", size))
        part = x.astype(np.complex64)[start:end]
        frames = np.lib.stride_tricks.sliding_window_view(part, size)[:: settings.hop]
        spectra = np.fft.fftshift(np.fft.fft(frames * taps, axis=1), axes=1)
        power = (np.abs(spectra / taps.sum()) ** 2).max(axis=0)
        return 10 * np.log10(graph.view.take()["max_hold"]), 10 * np.log10(power)

    def check(self, play_through, *arguments):
        found, expected = self.hold(play_through, *arguments)
        np.testing.assert_allclose(found, expected, atol=0.2)

    @staticmethod
    def run_rows(graph, rows):
        """Runs until `rows` more rows have come."""
        goal = graph.view.rows() + rows
        graph.start()
        wait_for_rows(graph, goal)
        graph.stop()
        graph.wait()

    def test_seam_of_the_file(self):
        for samples, size, overlap in (
            (10000, 1024, 0.5),
            (9999, 1000, 0.75),
            (5003, 256, 0),
            (20011, 4096, 0.9),
            (1031, 1031, 0.5),
        ):
            hop = Settings(size=size, overlap=overlap).hop
            frames = (samples - size) // hop + 1

            def play_through(graph, frames=frames, samples=samples):
                self.run_rows(graph, 3 * frames)
                return 0, samples

            with self.subTest(samples=samples, size=size, overlap=overlap):
                self.check(play_through, samples, size, overlap)

    def test_seam_of_a_loop(self):
        def play_through(graph):
            graph.source.playback.set_loop(3001, 8011)
            self.run_rows(graph, 60)
            return 3001, 8011

        self.check(play_through, 10000, 512, 0.5)

    def test_seam_of_a_seek(self):
        """Back and forth by whole hops: the same frames again."""

        def play_through(graph):
            play = graph.source.playback
            play.set_playing(False)
            graph.start()
            for hop in (0, 50, 7, 200, 0):
                play.seek(hop * 128)
                for _ in range(2):
                    rows = graph.view.rows()
                    play.step(45)
                    wait_for_rows(graph, rows + 45)
            play.set_playing(True)
            wait_for_rows(graph, graph.view.rows() + 400)
            graph.stop()
            graph.wait()
            return 0, 40000

        self.check(play_through, 40000, 256, 0.5)

    def test_overlap_changes(self):
        """While it runs, also then no frame lies across the seam."""

        def play_through(graph):
            graph.start()
            for overlap in (0.5, 0.0, 0.75, 0.9):
                graph.change(overlap=overlap)
                wait_for_rows(graph, graph.view.rows() + 300)
            graph.stop()
            graph.wait()
            return 0, 10000

        found, expected = self.hold(play_through, 10000, 500, 0.98, noise=1e-4)
        tone = int(expected.argmax())
        far = np.abs(np.arange(500) - tone) > 20
        self.assertLess(found[far].max(), -80)  # a seam makes -40


def wait_for_rows(graph, rows):
    wait_for(lambda: graph.view.rows() >= rows)


if __name__ == "__main__":
    ending.run(unittest.main)
