#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples that come through pipes: gpufft spectrum draws them as it draws files, whatever
their length, and both commands end although a pipe gives nothing."""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

import numpy as np
from gnuradio import blocks, gr

import cli_testing as cli
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.recording import open_recording
from gnuradio.gpufft.cli.streams import StreamSource
from gnuradio.gpufft.cli.waterfall import LINES, Waterfall

RATE, CENTRE = 1e6, 100e6
TONES = cli.tones(1 << 18, (26214 / (1 << 18),), (0.1,))

STARTED = """
import sys
from gnuradio.gpufft.cli import ending, streams
from gnuradio.gpufft.cli.main import main
work = streams.StreamSource.work
def tell(self, *items):
    print("work", flush=True)
    streams.StreamSource.work = work
    return work(self, *items)
streams.StreamSource.work = tell
ending.run(lambda: main(sys.argv[1:]))
"""


def read_by(pipe):
    """Bytes that wait in a pipe."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def open_for(reader, path):
    """The writing end of a FIFO that a process opens for reading."""
    while reader.poll() is None:
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # it has not opened it yet
            time.sleep(0.01)
            continue
        os.set_blocking(pipe, True)
        return open(pipe, "wb")
    raise AssertionError(f"the reader ended: {reader.stderr.read()}")


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliPipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def spectrum(self, *arguments, send=b"", status=0):
        """(stdout, stderr) of the command that gets `send` on its standard input."""
        done = subprocess.run(
            [cli.COMMAND, "spectrum", *map(str, arguments), "--engine", cli.ENGINE],
            cwd=self.folder,
            input=send,
            capture_output=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def table(self, name):
        return np.loadtxt(self.folder / name, delimiter=",", skiprows=1)

    def test_standard_input_is_as_the_file(self):
        """The same table, if rows hold as many frames."""
        facts = ("--rate", RATE, "--freq", CENTRE, "--size", 1000, "--average", 7)
        frames = ((1 << 18) - 1000) // 500 + 1
        used = (frames // 7 * 7 - 1) * 500 + 1000
        for format, name in (("cu8", "-"), ("cs24", "/dev/stdin"), ("rf32", "-")):
            data = cli.encode(TONES, format)
            (self.folder / "x").write_bytes(data)
            self.spectrum("x", "--format", format, *facts, "--csv", "file.csv")
            with self.subTest(format=format, name=name):
                out, said = self.spectrum(
                    name, "--format", format, *facts, "--csv", "a.csv", send=data
                )
                self.assertEqual(said, "")
                self.assertTrue((self.folder / "spectrum.png").exists())
                np.testing.assert_array_equal(self.table("a.csv"), self.table("file.csv"))
                self.assertTrue(out.startswith(f"{used} samples"), out)

    def test_a_stream_that_ends_within_a_sample(self):
        data = cli.encode(TONES, "cs24")
        facts = ("--format", "cs24", "--rate", RATE)
        words = "the last 5 bytes are no whole cs24 sample (6 bytes) and are left out\n"
        for part, expected in (((), words), (("--duration", "10ms"), "")):
            with self.subTest(part=part):
                _, said = self.spectrum("-", *facts, *part, send=data + bytes(5))
                self.assertEqual(said.partition(": standard input: ")[2], expected)

    def test_part_of_a_stream(self):
        """--start skips, --duration ends a stream that has no end."""
        silence = np.zeros(1 << 16)
        data = cli.encode(np.concatenate((silence, TONES, silence)), "cs16")
        part = ("--start", f"{1 << 16}us", "--duration", f"{1 << 18}us")
        facts = ("--format", "cs16", "--rate", "1MHz", "--size", 1024, "--average", 1)
        out, _ = self.spectrum("-", *facts, *part, send=data)
        self.assertTrue(out.startswith(f"{1 << 18} samples"), out)
        self.assertRegex(out, r"100\.\d+ kHz -20\.0 dBFS")
        self.spectrum("/dev/zero", *facts, "--duration", "0.1", "--csv", "a.csv")
        self.assertLess(self.table("a.csv")[:, 1].max(), -300)

    def test_wav_on_a_pipe(self):
        data = cli.encode(TONES, "cs24")
        filler = cli.chunk(b"LIST", bytes(10001))
        whole = cli.wav(data, 1, 24, 2, int(RATE), filler) + cli.chunk(b"LIST", bytes(60))
        (self.folder / "x.wav").write_bytes(whole)
        endless = whole.replace(
            b"data" + struct.pack("<I", len(data)), b"data" + b"\xff" * 4
        )
        facts = ("--size", 1024, "--average", 1)
        self.spectrum("x.wav", *facts, "--csv", "file.csv")
        for send, samples in ((whole, 1 << 18), (endless[:-68], 1 << 18)):
            out, said = self.spectrum("-", *facts, "--csv", "a.csv", send=send)
            self.assertEqual(said, "")
            self.assertTrue(out.startswith(f"{samples} samples"), out)
            np.testing.assert_array_equal(self.table("a.csv"), self.table("file.csv"))

    def test_a_fifo_that_the_user_ends(self):
        """Ctrl-C writes the picture of what has come; the sender is still there."""
        os.mkfifo(self.folder / "x.cs16")
        facts = ("--format", "cs16", "--rate", "1MHz", "--size", "1k", "--csv", "a.csv")
        with subprocess.Popen(
            [cli.COMMAND, "spectrum", "x.cs16", *facts, "--engine", cli.ENGINE],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as command:
            with open_for(command, self.folder / "x.cs16") as pipe:
                pipe.write(cli.encode(TONES, "cs16") * 4)
                pipe.flush()
                while read_by(pipe) > 0:
                    pass
                command.send_signal(signal.SIGINT)
                out, said = command.communicate(timeout=300)
        self.assertEqual((command.returncode, said), (0, b""))
        self.assertIn(b" kHz -20.0 dBFS", out)
        self.assertEqual(len(self.table("a.csv")), 1024)

    def test_a_pipe_that_gives_nothing_ends(self):
        """At Ctrl-C, in both commands."""
        picture = ("--screenshot", "a.png", "--seconds", "1000000")
        for name, more, status in (("spectrum", (), 1), ("analyzer", picture, 0)):
            arguments = (name, "-", "--format", "cu8", "--rate", "1M", *more)
            with subprocess.Popen(
                [sys.executable, "-c", STARTED, *arguments, "--engine", cli.ENGINE],
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as command:
                self.addCleanup(command.kill)
                self.assertIn(b"work\n", iter(command.stdout.readline, b""))
                command.send_signal(signal.SIGINT)
                said = command.stderr.read()
                self.assertEqual(command.wait(timeout=300), status, said)
                expected = (
                    b"gpufft: the stream ended before it had a row" if status else b""
                )
                self.assertTrue(said.startswith(expected), said)
                self.assertNotIn(b"Traceback", said)

    def test_what_is_refused(self):
        for arguments, send, status, words in (
            (("-",), b"x" * 99, 2, "a pipe with raw samples needs --format"),
            (("-",), cli.wav(b"", 1, 16, 2, 8000)[:30], 2, "it has no 'data' chunk"),
            (("-", "--format", "cu8"), b"", 1, "the stream ended before it had a row"),
            (("-", "--format", "cu8", "--start", 1), b"", 2, "give the sample rate"),
            (
                ("-", "--format", "cu8", "--rate", "1M", "--start", -1),
                b"",
                2,
                "--start -1 is out of range",
            ),
        ):
            with self.subTest(arguments=arguments):
                out, said = self.spectrum(*arguments, send=send, status=status)
                self.assertEqual(out, "")
                self.assertIn(words, said)
                self.assertEqual(said.count("\n"), 1, said)

    def test_a_stream_that_is_refused_is_closed(self):
        before = os.listdir("/proc/self/fd")
        for _ in range(3):
            with self.assertRaisesRegex(InputError, "needs --format"):
                open_recording("/dev/null", streams=True)
        self.assertEqual(os.listdir("/proc/self/fd"), before)

    def test_a_stream_that_ends_early(self):
        facts = ("--format", "cf32", "--rate", RATE, "--size", 1024, "--duration", "1s")
        _, said = self.spectrum("-", *facts, send=cli.encode(TONES, "cf32"))
        self.assertRegex(said, r"^gpufft: the stream ended early: \d+ of \d+ rows are ")

    def test_a_waterfall_of_unknown_length(self):
        """Its lines are means of as many rows each, of all rows and in order."""
        for rows in (1, 999, LINES, LINES + 1, 5 * LINES + 3):
            waterfall = Waterfall(3, None)
            powers = np.repeat(1.0 + np.arange(rows)[:, None], 3, 1).astype(np.float32)
            waterfall.add(powers)
            together = 1
            while rows > together * LINES:
                together *= 2
            expected = [
                powers[i : i + together, 0].mean() for i in range(0, rows, together)
            ]
            waterfall.end()
            np.testing.assert_allclose(waterfall.image[:, 0], expected, rtol=1e-5)
            np.testing.assert_allclose(waterfall.mean, powers.mean(axis=0))

    def test_pieces_of_samples_are_joined(self):
        """However the bytes are cut, and a part of a sample at the end is left out."""
        reading, writing = os.pipe()
        data = cli.encode(TONES[:5000], "cs24") + b"\1\2"
        graph = gr.top_block()
        source, sink = StreamSource("cs24", reading), blocks.vector_sink_b(6)
        graph.connect(source, sink)
        graph.start()
        for piece in (data[:1], data[1:7], data[7:20001], data[20001:]):
            os.write(writing, piece)
        os.close(writing)
        graph.wait()
        os.close(reading)
        self.assertEqual(bytes(sink.data()), data[:-2])
        self.assertTrue(source.has_ended)


if __name__ == "__main__":
    unittest.main()
