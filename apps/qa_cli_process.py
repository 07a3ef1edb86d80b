#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gpufft command as a process among others: closed streams, outputs into pipes and
descriptors, signals that end it."""

import argparse
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import cli_testing as cli
from gnuradio.gpufft.cli import bench, drawing
from gnuradio.gpufft.cli.ending import signals_raise
from gnuradio.gpufft.cli.errors import Ended
from gnuradio.gpufft.cli.jobs import run_in_processes
from gnuradio.gpufft.cli.main import main
from gnuradio.gpufft.cli.progress import NoBar, progress_bar

SPECTRUM = (cli.COMMAND, "spectrum", "--engine", "cpu")
FACTS = ("--rate", "1M", "--size", "256")


def end_parent(process):
    """Work of a process, which takes long."""
    time.sleep(0.2)
    os.kill(process, signal.SIGTERM)
    time.sleep(100)


class QaCliProcess(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        x = cli.tones(20000, (0.125,), (0.5,), noise=1e-2)
        (self.folder / "x.cs16").write_bytes(cli.encode(x, "cs16"))

    def shell(self, line, status=0):
        """(stdout, stderr) of a line of bash, in which $gpufft is the command."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env={**os.environ, "gpufft": cli.COMMAND, "spectrum": " ".join(SPECTRUM)},
            capture_output=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def test_closed_streams(self):
        spectrum = "$spectrum x.cs16 -o a.png"
        for line in ("$gpufft info >&-", "$gpufft info 2>&-", f"{spectrum} <&- >&- 2>&-"):
            with self.subTest(line=line):
                self.assertEqual(self.shell(line)[1], "")
        self.assertEqual((self.folder / "a.png").read_bytes()[:4], b"\x89PNG")
        self.shell("$gpufft spectrum no.cs16 2>&-", status=2)
        for name in ("-", "/dev/stdin"):
            _, said = self.shell(f"$spectrum {name} --format cs16 <&-", status=2)
            words = "gpufft: standard input cannot be read: it is closed\n"
            self.assertEqual(said, words)

    def test_outputs_into_descriptors(self):
        """Pipes and files that the shell has opened; the closing line follows a table."""
        self.shell(f"$spectrum x.cs16 {' '.join(FACTS)} -o a.png --csv a.csv")
        table = (self.folder / "a.csv").read_text()
        line = f"$spectrum x.cs16 {' '.join(FACTS)} -o a.png"
        for more in (
            "--csv /dev/stdout | cat",
            "--csv - | cat",
            "--csv /dev/stdout > b.csv; cat b.csv",
            "--csv /dev/fd/1 >> c.csv; cat c.csv",
            "--csv /dev/stderr 2>&1 >/dev/null | cat",
            "--csv /dev/fd/3 3>&1 | cat",
            "--csv >(cat >d.csv; echo end >d.end); until [ -s d.end ]; do :; done; cat d.csv",
        ):
            with self.subTest(more=more):
                out, said = self.shell(f"{line} {more}")
                self.assertEqual((said, table in out), ("", True), out[:200])
        written = (self.folder / "b.csv").read_text()
        self.assertTrue(written.startswith(table))
        self.assertRegex(written[len(table) :], r"^\d+ samples, engine cpu.*\n$")
        self.assertEqual((self.folder / "d.csv").read_text(), table)

    def test_names_of_any_bytes(self):
        """In the picture's title and on standard output; nothing is said on stderr."""
        name = "\u9332\u97f3 \x01".encode() + b"\xff.cs16"
        os.rename(self.folder / "x.cs16", os.path.join(os.fsencode(self.folder), name))
        for picture in ("a.svg", "a.png"):
            _, said = self.shell(f"$spectrum *.cs16 -o {picture}")
            self.assertEqual(said, "")
        ElementTree.parse(self.folder / "a.svg")
        (self.folder / "y.cs16").write_bytes(bytes(8000))
        done = subprocess.run(
            [*SPECTRUM, name, "y.cs16"],
            cwd=self.folder,
            capture_output=True,
            timeout=300,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(name.replace(b"cs16", b"png: "), done.stdout)

    def test_a_home_that_cannot_be_written(self):
        _, said = self.shell("HOME=/proc $spectrum x.cs16 -o a.png", status=1)
        self.assertRegex(
            said, "^gpufft: .*/proc/.gnuradio.*: GNU Radio writes there, so HOME"
        )
        self.assertEqual(said.count("\n"), 1, said)

    def test_rows_into_a_fifo(self):
        os.mkfifo(self.folder / "o.npy")
        os.mkfifo(self.folder / "o.csv")
        line = f"$spectrum x.cs16 {' '.join(FACTS)} -o a.png --waterfall"
        _, said = self.shell(f"cat o.npy & {line} o.npy", status=2)
        self.assertIn("--waterfall o.npy is a pipe", said)
        self.assertEqual(said.count("\n"), 1, said)
        out, said = self.shell(f"cat o.csv & {line} o.csv; wait")
        self.assertEqual(said, "")
        self.assertIn("1970-01-01, 00:00:00.000000, -500000, 500000, 3906.25, ", out)

    def test_signals_leave_no_unfinished_files(self):
        os.mkfifo(self.folder / "x.cu8")
        outputs = ("-o", "a.png", "--csv", "a.csv", "--waterfall", "a.npy")
        before = sorted(os.listdir(self.folder))
        for number in (signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen(
                [*SPECTRUM, "x.cu8", *outputs],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            ) as command:
                self.addCleanup(command.kill)
                with open(self.folder / "x.cu8", "wb") as pipe:
                    while len(os.listdir(self.folder)) < len(before) + 3:
                        pipe.write(bytes(4096))  # until it has opened its outputs
                        pipe.flush()
                    command.send_signal(number)
                    _, said = command.communicate(timeout=300)
            name = signal.Signals(number).name
            self.assertEqual(said.decode(), f"gpufft: ended by {name}\n")
            self.assertEqual(command.returncode, 128 + number)
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_a_second_signal_ends_at_once(self):
        """Also where the first is waited for, as in a call that does not return."""
        before = signal.getsignal(signal.SIGTERM)
        with signals_raise():
            self.assertNotEqual(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)
            with self.assertRaises(Ended):
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(60)
            self.assertEqual(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)

    def test_a_signal_ends_the_other_processes(self):
        """However long what they do takes."""
        script = self.folder / "program"
        script.write_text("#!/bin/sh\nsleep 0.2; kill -TERM $PPID\nexec sleep 100\n")
        script.chmod(0o755)
        facts = {"plot": None, "csv": None, "board": False, "random": None}
        arguments = argparse.Namespace(problems=[], **facts)
        begin = time.monotonic()
        with mock.patch.object(bench.experiment, "find_program", return_value=script):
            with signals_raise(), self.assertRaises(Ended):
                bench.measure(arguments, [], "no folder")
        with signals_raise(), self.assertRaises(Ended):
            run_in_processes(end_parent, [(os.getpid(),)], 1, "tasks")
        self.assertLess(time.monotonic() - begin, 50)

    def test_a_signal_while_a_module_is_imported(self):
        """Python may lose what it raises there."""

        def lose(*_):
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(60)
            except Ended:
                return NoBar()
            self.fail("no signal")

        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        with redirect_stderr(io.StringIO()) as said:
            with mock.patch.object(drawing, "progress_bar", lose):
                self.assertEqual(main([*SPECTRUM[1:], "x.cs16"]), 143)
        self.assertEqual(said.getvalue(), "gpufft: ended by SIGTERM\n")
        self.assertEqual(os.listdir(), ["x.cs16"])

    def test_a_signal_while_a_bar_is_made(self):
        """It waits until the bar is whole."""
        bar = mock.MagicMock()

        def make(**_):
            os.kill(os.getpid(), signal.SIGHUP)
            bar.made()

        with mock.patch.dict(sys.modules, tqdm=mock.MagicMock(tqdm=make)):
            with signals_raise(), self.assertRaises(Ended):
                progress_bar(1, "samples")
        bar.made.assert_called_once()

    def test_nohup_is_left_alone(self):
        again = "while kill -HUP $! 2>&-; do sleep 0.05; done; wait $!"
        out, _ = self.shell(f"trap '' HUP; $spectrum x.cs16 -o a.png & {again}")
        self.assertIn(" samples, engine cpu", out)


if __name__ == "__main__":
    unittest.main()
