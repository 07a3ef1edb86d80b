#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft spectrum --cluster when something dies, is missing or is interrupted: the work goes
on with the same result, or ends with one line."""

import functools
import os
import signal
import subprocess
import unittest
from concurrent.futures import wait
from pathlib import Path
from unittest import mock

import distributed

import cli_testing as cli
from cluster_testing import READ, ClusterRuns, small_cluster
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.dask import cluster, crew, recordings
from qa_cluster_support import SHORT_TTL, ClusterTestCase

FACTS = ("--format", "cs8", "--size", 256, "--average", 1)

# A worker that says that it has a card, and computes on the CPU.
CARD = """
from gnuradio import gpufft
from gnuradio.gpufft.cli.flowgraph import make_spectrum
from gnuradio.gpufft.dask import chunks
gpufft.query_cuda = lambda: {"usable": True, "devices": [{"name": "a card"}]}
chunks.make_spectrum = lambda *_, **all: make_spectrum(*_, **{**all, "engine": "cpu"})
"""


def at_result(number, action):
    """Calls action() before the result of that number is waited for."""
    result, count = recordings.RowQueue._result, []

    def watched(queue, *arguments):
        count.append(None)
        if len(count) == number:
            action()
        return result(queue, *arguments)

    return mock.patch.object(recordings.RowQueue, "_result", watched)


NO_CARDS = unittest.skipIf(cli.ENGINE == "cuda", "the worker's card is one of the CPU")


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliClusterEnds(ClusterTestCase, ClusterRuns):
    @classmethod
    def setUpClass(cls):
        cls.cluster = small_cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.address = cls.cluster.scheduler_address

    def setUp(self):
        ClusterTestCase.setUp(self)
        ClusterRuns.setUp(self)
        x = cli.tones(100_000, (0.1,), (0.5,))
        Path("x").write_bytes(cli.encode(x, "cs8"))
        small_chunks = mock.patch.object(recordings, "CHUNK_BYTES", 4000)
        small_chunks.start()
        self.addCleanup(small_chunks.stop)

    def fails(self, words, *options, status=1):
        """The command says what the workers are, then one line, and leaves no file."""
        before = sorted(os.listdir())
        self.run_command("x", *FACTS, *options, status=status)
        self.assertIn(words, self.stderr.splitlines()[-1])
        self.assertNotIn("Traceback", self.stderr)
        self.assertEqual(sorted(os.listdir()), before)

    def start_two_workers(self):
        """Workers of a cluster at self.address, which nobody starts anew."""
        scheduler = self.start_scheduler()
        workers = [self.start_worker(scheduler.address) for _ in range(2)]
        with distributed.Client(scheduler.address) as client:
            client.wait_for_workers(2, 120)
        self.address = scheduler.address
        return workers

    def test_workers_that_are_killed(self):
        expected = self.run_here(["x"], *FACTS, "--waterfall", "/")
        for number in (1, 2, 10):
            with self.subTest(at=number):
                workers = self.start_two_workers()
                with at_result(number, workers[0].kill):
                    self.run_there(expected, ["x"], *FACTS, "--waterfall", "/")

    def test_a_worker_that_freezes(self):
        expected = self.run_here(["x"], *FACTS, "--waterfall", "/")
        with mock.patch.dict(os.environ, SHORT_TTL):
            workers = self.start_two_workers()
        with at_result(3, lambda: self.freeze(workers[0])):
            self.run_there(expected, ["x"], *FACTS, "--waterfall", "/")

    def start_card(self):
        """A worker with a card, at a new self.address; returns what starts another one."""
        late = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1000s"}
        with mock.patch.dict(os.environ, late):
            self.address = self.start_scheduler().address
        path = self.folder / "card.py"
        path.write_text(CARD)
        client = distributed.Client(self.address)
        self.addCleanup(client.close)

        def start(*options):
            count = len(client.nthreads())
            worker = self.start_worker(self.address, *options)
            self.wait_until(lambda: len(client.nthreads()) > count)
            return worker

        start("--preload", path)
        return start

    def assert_rows(self, expected, *options):
        """The cluster gives the expected rows; pictures name the engine."""
        files = self.run_into("there", ["x"], ("--cluster", self.address, *options))
        self.assertTrue(files["x.npy"] == expected["x.npy"])

    @NO_CARDS
    def test_workers_that_do_not_fit_are_left_out(self):
        """They come late: one without a card, one of another version."""
        options = (*FACTS, "--waterfall", "/")
        expected = self.run_here(["x"], *options)
        look = crew.Crew.look

        def wait_for_answers(self):
            found = look(self)
            if self._asked is not None:
                wait([self._asked])
            return found

        for words, *late in (
            ("worker tcp.* has no GPU that is usable",),
            (
                r"worker tcp.* has gr-gpufft 0\.0\.1",
                *("--preload", self.preload_of_version("0.0.1")),
            ),
        ):
            start = self.start_card()
            with mock.patch.object(crew.Crew, "look", wait_for_answers):
                with at_result(3, functools.partial(start, *late)):
                    self.assert_rows(expected, *options, "--engine", "auto")
            self.assertRegex(self.stderr, f"left out: {words}")
            self.assertIn(": engine cuda on a card, 1 at a time", self.stderr)

    @NO_CARDS
    def test_a_worker_that_does_not_answer(self):
        options = (*FACTS, "--waterfall", "/")
        expected = self.run_here(["x"], *options)
        self.freeze(self.start_card()())
        with mock.patch.object(crew, "ANSWER_TIMEOUT", 2.0):
            for engine in ("auto", "cuda"):
                self.assert_rows(expected, *options, "--engine", engine)
                words = "left out: worker tcp.* has not answered within 2 s"
                self.assertRegex(self.stderr, words)

    def test_all_have_left_and_another_comes(self):
        expected = self.run_here(["x"], *FACTS, "--waterfall", "/")
        workers = self.start_two_workers()

        def replace():
            for worker in workers:
                worker.kill()
            self.start_worker(self.address)

        with at_result(3, replace):
            self.run_there(expected, ["x"], *FACTS, "--waterfall", "/")

    def test_interrupt_cancels(self):
        with open("long.cs8", "wb") as file:
            file.truncate(20 << 30)
        with subprocess.Popen(
            [cli.COMMAND, "spectrum", "long.cs8", "--cluster", self.address],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as command:
            self.addCleanup(command.kill)
            said = iter(command.stderr.readline, "")
            self.assertTrue(any(READ in line for line in said))
            command.send_signal(signal.SIGINT)
            rest = command.stderr.read()
            self.assertEqual(command.wait(), 130, rest)
        self.assertEqual(rest, "gpufft: interrupted\n")
        self.wait_until(lambda: not self.cluster.scheduler.tasks)
        self.assertFalse(Path("spectrum.png").exists())

    def test_no_scheduler(self):
        soon = functools.partial(cluster.connect, timeout=1)
        with mock.patch.object(cluster, "connect", soon):
            self.fails(
                "no Dask scheduler answers at tcp://127.0.0.1:1", *at("127.0.0.1:1")
            )
            Path("y").write_bytes(Path("x").read_bytes())
            self.run_command("x", "y", *FACTS, *at("127.0.0.1:1"), status=1)
            self.assertEqual(self.stderr.count("\n"), 1)  # for both recordings

    def test_no_workers_and_workers_that_are_gone(self):
        scheduler = self.start_scheduler()
        words = f"scheduler at {scheduler.address} has had no worker for 1 s"
        with mock.patch.object(crew, "WORKER_TIMEOUT", 1.0):
            self.fails(words, "--cluster", scheduler.address)
        worker = self.start_worker(scheduler.address)
        with distributed.Client(scheduler.address) as client:
            client.wait_for_workers(1, 120)
        with mock.patch.object(crew, "WORKER_TIMEOUT", 1.0):
            with at_result(3, worker.kill):
                self.fails(words, "--cluster", scheduler.address)

    def test_the_scheduler_dies(self):
        scheduler = self.start_scheduler()
        self.start_worker(scheduler.address)
        with at_result(3, scheduler.kill):
            self.fails(
                f"the Dask scheduler at {scheduler.address} is gone, or has dropped the",
                *("--cluster", scheduler.address),
            )

    def test_the_scheduler_freezes(self):
        scheduler = self.start_scheduler()
        self.start_worker(scheduler.address)
        with mock.patch.object(cluster, "SCHEDULER_TIMEOUT", 2.0):
            with at_result(3, lambda: self.freeze(scheduler)):
                self.fails(
                    "has dropped the tasks: no answer within 2 s",
                    *("--cluster", scheduler.address),
                )

    def test_somebody_drops_the_tasks(self):
        def restart():
            with distributed.Client(self.address) as client:
                client.restart()

        with at_result(3, restart):
            self.fails("is gone, or has dropped the tasks", "--cluster", self.address)

    def test_the_file_gets_shorter_or_lost(self):
        address = ("--cluster", self.address)
        with at_result(1, lambda: os.truncate("x", 50_000)):
            self.fails("rows: the file is shorter than its size", *address)
        os.rename("x", "y")
        with at_result(3, lambda: os.remove("x")):
            os.rename("y", "x")
            before = os.listdir()
            self.run_command("x", *FACTS, *address, status=1)
        self.assertIn("/x cannot be read: No such file", self.stderr.splitlines()[-1])
        self.assertEqual(sorted(os.listdir()), sorted(set(before) - {"x"}))

    def test_without_dask(self):
        command = ("spectrum", "x", "--format", "cs8", "--cluster", "local")
        done = cli.run_without("distributed", *command)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("on Debian install python3-distributed", done.stderr)

    def test_interrupt_of_a_cluster_on_this_machine(self):
        """Ctrl-C in a terminal goes to all processes; nothing but the command tells."""
        with open("long.cs8", "wb") as file:
            file.truncate(20 << 30)
        with subprocess.Popen(
            [cli.COMMAND, "spectrum", "long.cs8", "--cluster", "local:2"],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as command:
            self.addCleanup(command.kill)
            first = command.stderr.readline()
            os.killpg(command.pid, signal.SIGINT)
            rest = command.stderr.read().splitlines()
            self.assertEqual(command.wait(), 130, rest)
        self.assertEqual(rest[-1], "gpufft: interrupted")
        for line in (first, *rest[:-1]):
            self.assertRegex(line, "^gpufft: (worker tcp|long.cs8: the workers read it)")

    def test_a_cluster_on_this_machine(self):
        done = cli.gpufft(
            *("spectrum", "x", *FACTS, "--engine", cli.ENGINE, "--csv", "there.csv"),
            *("--cluster", "local:1"),
            cwd=".",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], "gpufft: worker tcp://127.0.0.1:.*: engine ")
        self.run_command("x", *FACTS, "--csv", "here.csv")
        self.assertEqual(Path("here.csv").read_bytes(), Path("there.csv").read_bytes())

    def test_with_keys(self):
        authority = self.certificate("authority")
        files = (authority[0], *self.certificate("client", authority))
        options = zip(("--tls-ca-file", "--tls-cert", "--tls-key"), files)
        options = [word for pair in options for word in pair]
        scheduler = self.start_scheduler(*options, protocol="tls")
        self.start_worker(scheduler.address, *options)
        names = ("--cluster-ca", "--cluster-cert", "--cluster-key")
        keys = [word for pair in zip(names, files) for word in pair]
        self.run_command("x", *FACTS, "--cluster", scheduler.address, *keys)
        self.fails("no Dask scheduler answers", "--cluster", scheduler.address)

    def test_what_is_refused(self):
        tls = ("--cluster", "tls://127.0.0.1:1")
        for words, *options in (
            ("--cluster 'here' must be tcp://HOST:PORT", "--cluster", "here"),
            ("belong together", *at("127.0.0.1:1"), "--cluster-ca", "x"),
            ("belong together", "--cluster-key", "x"),
            ("nothing.pem cannot be read", *tls, *keys_of("nothing.pem")),
            ("PORT, not local:2", "--cluster", "local:2", *keys_of("x")),
            ("PORT, not tcp://127.0.0.1:1", *at("127.0.0.1:1"), *keys_of("x")),
            ("--cluster 'tcp://::1:1': invalid address", *at("::1:1")),
            ("out of range", *at("127.0.0.1:1"), "--average", 0),
            ("--device 'x' is not", *at("127.0.0.1:1"), "--device", "x"),
            ("--device 1 must be 0 with --cluster", "--cluster", "local", "--device", 1),
            ("window 'square' is unknown", *at("127.0.0.1:1"), "--window", "square"),
        ):
            with self.subTest(options=options):
                self.fails(words, *options, status=2)
        with self.assertRaisesRegex(InputError, "--device 1 must be 0 with --cluster"):
            next(recordings.power_rows(None, ["x"], format="cs8", device=1))
        Path("y").write_bytes(Path("x").read_bytes())
        self.run_command("x", "y", *FACTS, "--cluster", "here", status=2)
        self.assertEqual(self.stderr.count("\n"), 1)  # for both
        os.mkfifo("pipe")
        self.refuse("pipe is a stream", "pipe", "--format", "cs8", *at("127.0.0.1:1"))
        self.refuse("only gpufft spectrum --cluster reads these", "s3://bucket/x.cs8")
        self.refuse(
            "ab://y.cs8 cannot be read: Protocol", "ab://y.cs8", *at("127.0.0.1:1")
        )
        self.refuse("there is no such file", "memory://no.cs8", *at("127.0.0.1:1"))


def at(place):
    """The option for a cluster there."""
    return "--cluster", f"tcp://{place}"


def keys_of(file):
    """All three options for keys."""
    return "--cluster-ca", file, "--cluster-cert", file, "--cluster-key", file


if __name__ == "__main__":
    unittest.main()
