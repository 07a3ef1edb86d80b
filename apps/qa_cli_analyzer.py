#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft analyzer as a command: the picture of each source has its tones where they
belong, in spectrum and waterfall; what is refused, and in which words."""

import io
import os
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import numpy as np
import zmq
from matplotlib import image
from PyQt5.QtWidgets import QApplication

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import controls, network, sources, theme
from gnuradio.gpufft.cli.main import main

RATE = 1e6
CENTRE = 433e6
FREQUENCIES = (-1229 / 4096, 410 / 4096, 1515 / 4096)  # cycles a sample: on bins
LEVELS = (-20, -30, -40)  # dBFS
RECORDED = 1 << 17  # samples, played in a loop in which tones go on


def line_of(picture):
    """Where the average's line is; the grid shines through."""
    return cli.is_colour(picture, theme.AVERAGE, 24)[:, : -controls.WIDTH]


def find_tips(picture, count):
    """(column, row) of the highest tips of the average's line, left to right."""
    line = line_of(picture)
    rows = np.where(line.any(axis=0), line.argmax(axis=0), len(line))
    tips = []
    for _ in range(count):
        column = int(rows.argmin())
        tips.append((column, int(rows[column])))
        rows[max(0, column - 20) : column + 21] = len(line)
    return sorted(tips)


ENDING = """
import atexit, sys, unittest
from gnuradio.gpufft.cli import ending
atexit.register(print, "hook")
{load}
print("work")
ending.run({main})
"""


class Publisher:
    """Context manager: sends the same bytes 100 times a second, by ZeroMQ."""

    def __init__(self, data):
        self._data = data
        self._socket = zmq.Context.instance().socket(zmq.PUB)
        self.port = self._socket.bind_to_random_port("tcp://127.0.0.1")
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def _send(self):
        while not self._end.wait(0.01):
            self._socket.send(self._data)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
        self._socket.close(linger=0)


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliAnalyzer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sources.make_scene_source()  # once, so that no command has to

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        amplitudes = [10 ** (level / 20) for level in LEVELS]
        self.samples = cli.tones(RECORDED, FREQUENCIES, amplitudes)

    def picture(self, *arguments, seconds=1):
        """The window as an array [row, column, red green blue]."""
        options = ("--engine", cli.ENGINE, "--seconds", seconds, "--levels=-130,0")
        done = gpufft(
            "analyzer", *arguments, *options, "--screenshot", "a.png", cwd=self.folder
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return np.round(255 * image.imread(self.folder / "a.png")[..., :3]).astype(int)

    def expect_picture(self, check, *arguments, seconds=1):
        """check(window) holds; if a busy machine has drawn too little, after more time."""
        for patience in (1, 5, 25):
            picture = self.picture(*arguments, seconds=patience * seconds)
            try:
                return check(picture)
            except (AssertionError, IndexError, ValueError):
                if patience == 25:
                    raise

    def expect_tones(self, *arguments, seconds=1):
        self.expect_picture(self.check_tones, *arguments, seconds=seconds)

    def check_tones(self, picture):
        """Tips of the line: places as the frequencies, heights as the levels; in the
        waterfall a bright line at each."""
        (left, top), (middle, second), (right, third) = find_tips(picture, 3)
        low, centre, high = FREQUENCIES
        scale = (right - left) / (high - low)
        self.assertGreater(scale, 500)  # columns for the whole band
        self.assertAlmostEqual(middle, left + scale * (centre - low), delta=1.5)
        self.assertGreater(second - top, 20)
        self.assertAlmostEqual(third - top, 2 * (second - top), delta=4)
        height = len(picture)
        waterfall = picture[int(0.74 * height) : int(0.78 * height)].sum(axis=(0, 2))
        for column in (left, middle, right):
            near = waterfall[column - 12 : column + 13]
            self.assertAlmostEqual(int(near.argmax()), 12, delta=1)
            self.assertGreater(near.max(), 1.3 * np.median(near))

    def test_sigmf(self):
        cli.write_sigmf(
            self.folder / "x", self.samples, "cs16", "ci16_le", RATE, CENTRE, header=6
        )
        self.expect_tones("x.sigmf-meta")

    def test_wav(self):
        """With a header that is no whole number of samples."""
        data = cli.wav(cli.encode(self.samples, "cf32"), 3, 32, 2, int(RATE))
        self.assertNotEqual(data.index(b"data") % 8, 0)
        (self.folder / "x.wav").write_bytes(data)
        self.expect_tones("x.wav")

    def test_raw_at_full_speed(self):
        (self.folder / "x.cu8").write_bytes(cli.encode(self.samples, "cu8"))
        self.expect_tones("x.cu8", "--full-speed")  # and without a rate

    def test_rates_at_both_ends(self):
        """The command ends well, whatever the picture shows."""
        file = self.folder / "x.cs16"
        file.write_bytes(cli.encode(self.samples, "cs16"))
        for rate in ("1e-9", "1e18"):
            self.picture(file, "--rate", rate, seconds=0.1)

    def test_zmq(self):
        pieces = self.samples[:8192]
        with Publisher(cli.encode(pieces, "cs16")) as publisher:
            address = f"tcp://127.0.0.1:{publisher.port}"
            facts = ("--format", "cs16", "--rate", 819200, "--freq", CENTRE)
            self.expect_tones("--zmq", address, *facts, seconds=1.5)

    def test_zmq_messages_that_end_within_a_sample(self):
        for data in (b"12345", bytes(4 * 100 + 2)):  # within an item, between I and Q
            with Publisher(data) as publisher:
                address = f"tcp://127.0.0.1:{publisher.port}"
                command = ("--zmq", address, "--format", "cs16", "--screenshot", "a.png")
                with (
                    mock.patch.object(network, "ZMQ_CHECK_MS", 60_000),
                    redirect_stderr(io.StringIO()) as said,
                ):
                    self.assertEqual(main(["analyzer", *command]), 2)
                words = f"a message has {len(data)} bytes, no whole number of cs16"
                self.assertIn(words, said.getvalue())

    def test_built_in_scene(self):
        """Its reference tone and its AM carrier, in a part of the band."""
        part = ("--centre", "97.75M", "--span", "1M", "--size", 65536)
        self.expect_picture(self.check_scene, *part)

    def check_scene(self, picture):
        (left, low), (right, high) = find_tips(picture, 2)
        plot = np.flatnonzero(line_of(picture).any(0))
        scale = (plot[-1] - plot[0]) / 1e6
        self.assertAlmostEqual(right - left, 0.5e6 * scale, delta=2)
        self.assertLess(low, high)  # the carrier is the stronger

    def test_what_is_refused(self):
        file = self.folder / "x.cf32"
        file.write_bytes(cli.encode(self.samples, "cf32"))
        for status, words, *arguments in (
            (2, "--size 15 is out of range", "--size", 15),
            (2, "must be 4194304 or less", "--size", "8M"),
            (2, "0 <= overlap < 1", "--overlap", 1),
            (2, "--hop 1025 is out of range", "--size", 1024, "--hop", 1025),
            (2, "use mean, max, min", "--detector", "kurtosis"),
            (2, "window", "--window", "hamm"),
            (2, "--averaging -1 is out of range", "--averaging", -1),
            (2, "only one source", file, "--zmq", "tcp://a:1"),
            (2, "--zmq needs --format", "--zmq", "tcp://127.0.0.1:5555"),
            (2, "write it like tcp://", "--zmq", "nonsense", "--format", "cf32"),
            (2, "--soapy needs --rate and --freq", "--soapy", "driver=none"),
            (2, "missing.cf32 cannot be read", "missing.cf32"),
            (2, "levels '5': write two numbers", file, "--levels", "5"),
            (2, "it must be 2000000 or less", file, "--seconds", "2147484"),
            (2, "udp and rtl_tcp are given", "--udp", 1, "--rtl-tcp", "a:1"),
            (2, "--udp '0' is not an address", "--udp", 0, "--format", "cu8"),
            (2, "write it like host:1234", "--tcp", "a", "--format", "cu8"),
            (2, "--tcp needs --format", "--tcp", "a:1"),
            (2, "--rtl-tcp needs --rate and --freq", "--rtl-tcp", "a:1"),
            (2, "span '2ms' cannot have the unit", file, "--span", "2ms"),
            (
                1,
                "--soapy 'driver=none' cannot be opened",
                *("--soapy", "driver=none", "--rate", "1M", "--freq", "1M"),
            ),
        ):
            with self.subTest(arguments=arguments):
                picture = self.folder / "a.png"
                command = ("analyzer", *arguments, "--screenshot", picture)
                with redirect_stderr(io.StringIO()) as said:
                    self.assertEqual(main(list(map(str, command))), status)
                self.assertIn(words, said.getvalue())
                self.assertEqual(said.getvalue().count("\n"), 1)
                self.assertFalse(picture.exists())
        linked = self.folder / "link.png"
        linked.symlink_to(file)
        with redirect_stderr(io.StringIO()) as said:
            status = main(["analyzer", str(file), "--screenshot", str(linked)])
        self.assertEqual(status, 2)
        self.assertIn("which the command reads or writes, too", said.getvalue())
        self.assertIsNotNone(QApplication.instance())  # kept: see make_application()

    def test_missing_packages(self):
        radio = ("--rate", "1M", "--freq", "1M", "--screenshot", "a.png")
        for modules, arguments, words in (
            ("PyQt5,PyQt5.QtWidgets", (), "install python3-pyqt5"),
            ("pyqtgraph", (), "install python3-pyqt5 and python3-pyqtgraph"),
            ("gnuradio.soapy", ("--soapy", "x", *radio), "gr-soapy, which is missing"),
            ("gnuradio.uhd", ("--uhd", "x", *radio), "gr-uhd, which is missing"),
            (
                "gnuradio.zeromq",
                ("--zmq", "tcp://x:1", "--format", "cs8", *radio),
                "gr-zeromq, which is missing",
            ),
        ):
            with self.subTest(modules=modules):
                done = cli.run_without(modules, "analyzer", *arguments)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_the_scene_does_not_fit_on_the_disk(self):
        cache = self.folder / "cache"
        done = subprocess.run(
            [cli.COMMAND, "analyzer", "--screenshot", "a.png"],
            cwd=self.folder,
            env={**os.environ, "GPUFFT_CACHE_DIR": str(cache)},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16,) * 2),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("Traceback", done.stderr)
        # GNU Radio may say something of its own, of buffers that do not fit either.
        own = [line for line in done.stderr.splitlines() if line.startswith("gpufft: ")]
        self.assertEqual(len(own), 2, done.stderr)
        error = own[1]
        self.assertIn("the built-in scene cannot be kept", error)
        self.assertIn("File too large", error)
        self.assertEqual([each for each in cache.iterdir() if "scene" in each.name], [])

    def test_pyqt_has_no_last_word(self):
        """ending.run() skips what runs at the end, PyQt5's hook included, where that is
        loaded, and keeps the status."""
        for load, hook in (("", "hook"), ("import PyQt5.QtCore", "")):
            for main, status in (
                ("lambda: 3", 3),
                ("lambda: None", 0),
                ("lambda: sys.exit(4)", 4),
                ("lambda: sys.exit('why')", 1),
                ("unittest.main", 5 if sys.version_info >= (3, 12) else 0),  # no tests
            ):
                with self.subTest(load=load, main=main):
                    done = subprocess.run(
                        [sys.executable, "-c", ENDING.format(load=load, main=main)],
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    self.assertEqual(done.returncode, status, done.stderr)
                    self.assertEqual(done.stdout.split(), ["work", *hook.split()])
                    self.assertEqual("why" in done.stderr, "why" in main)

    def test_all_programs_with_qt_end_so(self):
        programs = 0
        for file in cli.PROJECT.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            parts = file.relative_to(cli.PROJECT).parts
            has_qt = "import Qt" in text or "from PyQt5" in text
            if has_qt and text.startswith("#!") and not {"cli", "build"} & set(parts):
                self.assertIn("ending.run(", text, file)
                programs += 1
        self.assertGreater(programs, 3)

    def test_no_display(self):
        environment = {k: v for k, v in os.environ.items() if "DISPLAY" not in k}
        environment.pop("QT_QPA_PLATFORM", None)
        for arguments, status, words in (
            (["--screenshot", "a.png"], 0, ""),
            ([], 1, "there is no display"),
        ):
            done = subprocess.run(
                [cli.COMMAND, "analyzer", *arguments, "--seconds", "0.5"],
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
        self.assertTrue((self.folder / "a.png").exists())


if __name__ == "__main__":
    ending.run(unittest.main)
