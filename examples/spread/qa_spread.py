#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spreading loses nothing, whoever is killed, frozen or late; errors are one line."""

import asyncio
import contextlib
import io
import os
import re
import signal
import sys
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import distributed
import numpy as np
from gnuradio import blocks, gpufft, gr

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "python" / "dask"))
from qa_cluster_support import (  # noqa: E402 (from the folder just added)
    PATIENCE,
    SHORT_TTL,
    ClusterTestCase,
    tls_options,
)

import spread_demo  # noqa: E402 (the same)

ENGINE = os.environ.get("GPUFFT_TEST_ENGINE", "cpu")
SPECTRUM = {"fft_size": 256, "hop": 100, "average": 2, "window": "hann"}
ROWS = 4  # of a chunk
CHUNK = ROWS * SPECTRUM["average"] * SPECTRUM["hop"]  # samples
SAMPLE = 4  # bytes
PIECE = 1000 * SAMPLE


class SpreadTestCase(ClusterTestCase):
    """Runs the demonstration on samples that the test writes into a pipe."""

    @classmethod
    def setUpClass(cls):
        if ENGINE == "cuda" and not gpufft.query_cuda()["usable"]:
            raise unittest.SkipTest(gpufft.query_cuda()["reason"])

    def setUp(self):
        super().setUp()
        self.rows = self.folder / "rows.f32"
        noise = np.random.default_rng(2).normal(0, 3000, 2 * (100 * CHUNK + 123))
        self.samples = noise.astype(np.int16)
        self.pipe = self.folder / "samples.cs16"
        os.mkfifo(self.pipe)
        self.written = 0  # bytes

    def start_demo(self, address, *options, samples=None):
        """Starts the demonstration."""
        words = [samples or self.pipe, self.rows]
        words += ["--cluster", address, "--engine", ENGINE]
        for name, value in SPECTRUM.items():
            words += ["--" + name.replace("_", "-"), value]
        words += ["--rows", ROWS, "--in-flight", 6, *options]
        return self.start_python(HERE / "spread_demo.py", *words)

    def open_pipe(self):
        """The end of the pipe to write to, when the demonstration reads it."""
        pipe = self.pipe.open("wb", buffering=0)
        self.addCleanup(pipe.close)
        return pipe

    def write(self, pipe, first, last):
        """Writes these chunks; -1 for all to the end, which is then closed."""
        end = last * CHUNK if last >= 0 else len(self.samples) // 2
        data = self.samples[2 * first * CHUNK : 2 * end].tobytes()
        for begin in range(0, len(data), PIECE):
            pipe.write(data[begin : begin + PIECE])  # waits until it is in the pipe
            self.written += PIECE
        if last < 0:
            pipe.close()

    def write_in_background(self, *arguments):
        """A thread that writes, as far as the demonstration reads."""
        thread = threading.Thread(target=self.write, args=arguments, daemon=True)
        thread.start()
        return thread

    def count_rows(self):
        return self.rows.stat().st_size // (4 * SPECTRUM["fft_size"])

    def assert_complete(self, demo):
        """The demonstration ends well, with the rows of one flowgraph to the last bit."""
        self.assertEqual(demo.wait(PATIENCE), 0, demo.log.read_text())
        self.assert_rows(np.fromfile(self.rows, np.float32))

    def assert_rows(self, rows):
        flowgraph = gr.top_block()
        source = blocks.vector_source_s(self.samples)
        spectrum = gpufft.power_spectrum_sf(**SPECTRUM, engine=ENGINE)
        sink = blocks.vector_sink_f(SPECTRUM["fft_size"])
        flowgraph.connect(source, spectrum, sink)
        flowgraph.run()
        np.testing.assert_array_equal(rows, np.array(sink.data(), np.float32))

    def assert_fails(self, demo, words):
        """Ends with status 1 and one line of error."""
        self.assertEqual(demo.wait(PATIENCE), 1, demo.log.read_text())
        text = demo.log.read_text()
        lines = [line for line in text.splitlines() if line.startswith("spread_")]
        self.assertEqual(len(lines), 1, text)
        self.assertRegex(lines[0], words)
        self.assertNotIn("Traceback", text)


class QaWorkers(SpreadTestCase):
    def start_all(self):
        """Scheduler, two workers and the demonstration, in the middle of its stream."""
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker(self.scheduler.address) for _ in range(2)]
        self.client = distributed.Client(self.scheduler.address, set_as_default=False)
        self.addCleanup(self.client.close)
        self.client.wait_for_workers(2, PATIENCE)
        demo = self.start_demo(self.scheduler.address)
        pipe = self.open_pipe()
        self.write(pipe, 0, 40)
        self.wait_until(lambda: self.rows.exists() and self.count_rows() > ROWS)
        return demo, pipe

    def test_a_killed_worker_costs_nothing(self):
        demo, pipe = self.start_all()
        self.workers[0].send_signal(signal.SIGSTOP)  # it holds chunks from now on
        writing = self.write_in_background(pipe, 40, 60)
        self.wait_until(lambda: self.written > 45 * CHUNK * SAMPLE)
        self.workers[0].kill()
        writing.join(PATIENCE)
        self.write(pipe, 60, -1)
        self.assert_complete(demo)

    def test_a_frozen_worker_is_replaced_and_returns(self):
        with mock.patch.dict(os.environ, SHORT_TTL):
            demo, pipe = self.start_all()
        self.freeze(self.workers[0])
        writing = self.write_in_background(pipe, 40, 80)
        self.wait_until(lambda: "failed to heartbeat" in self.scheduler.log.read_text())
        writing.join(PATIENCE)
        self.workers[0].send_signal(signal.SIGCONT)
        self.write(pipe, 80, -1)
        self.assert_complete(demo)

    def test_a_retired_worker_hands_its_work_over(self):
        demo, pipe = self.start_all()
        writing = self.write_in_background(pipe, 40, -1)
        self.client.retire_workers(list(self.client.nthreads())[:1])
        writing.join(PATIENCE)
        self.assert_complete(demo)

    def test_death_of_the_scheduler(self):
        demo, _ = self.start_all()  # nothing more comes from the pipe
        self.client.close()
        self.scheduler.kill()
        self.assert_fails(
            demo, r"Dask scheduler at tcp://.* is closed|no result for .* tcp://"
        )

    def test_a_worker_of_another_version_that_comes_later(self):
        demo, pipe = self.start_all()
        version = self.preload_of_version("0.0.1")
        self.start_worker(self.scheduler.address, "--preload", version)
        chunk, line = 40, r"refused: worker tcp://.* has gr-gpufft 0\.0\.1, but this .*"
        end = time.monotonic() + PATIENCE
        while not re.search(line, demo.log.read_text()) and time.monotonic() < end:
            self.samples = np.insert(self.samples, 2 * chunk * CHUNK, [7] * 2 * CHUNK)
            self.write(pipe, chunk, chunk + 1)
            chunk += 1
            # Few chunks wait, so that those of the end are not many.
            self.wait_until(lambda least=ROWS * (chunk - 10): self.count_rows() >= least)
        self.assertRegex(demo.log.read_text(), line)
        self.write(pipe, chunk, -1)
        self.assert_complete(demo)


class QaConditions(SpreadTestCase):
    def write_file(self):
        """The samples as a file instead of the pipe."""
        path = self.folder / "noise.cs16"
        self.samples.tofile(path)
        return path

    def test_workers_of_this_machine_and_the_check(self):
        demo = self.start_demo("local:2", "--check", samples=self.write_file())
        self.assert_complete(demo)
        text = demo.log.read_text()
        rows = self.count_rows()
        self.assertIn(f"{rows} of {rows} rows are as in one flowgraph", text)
        self.assertEqual(text.count("worker tcp://127.0.0.1:"), 2)

    def test_the_check_of_silence_and_of_nothing(self):
        for count in (5000, 0):
            self.samples = np.zeros(2 * count, np.int16)
            demo = self.start_demo("local:1", "--check", samples=self.write_file())
            self.assert_complete(demo)
            rows = self.count_rows()
            self.assertEqual(rows > 0, count > 0)
            self.assertIn(f"{rows} of {rows} rows are as in", demo.log.read_text())

    def test_all_workers_late(self):
        scheduler = self.start_scheduler()
        demo = self.start_demo(scheduler.address, samples=self.write_file())
        self.wait_until(lambda: "Receive client" in scheduler.log.read_text())
        for _ in range(2):
            self.start_worker(scheduler.address)
        self.assert_complete(demo)

    def test_no_workers(self):
        address = self.start_scheduler().address
        demo = self.start_demo(address, "--patience", 1, samples=self.write_file())
        self.assert_fails(demo, f"no result for 1 s from {address} with 0 workers")

    def test_a_worker_of_another_version(self):
        address = self.start_scheduler().address
        worker = self.start_worker(address, "--preload", self.preload_of_version("0.0.1"))
        self.wait_until(lambda: "Registered to" in worker.log.read_text())
        demo = self.start_demo(address, samples=self.write_file())
        self.assert_fails(
            demo, rf"worker tcp://.* has gr-gpufft 0\.0\.1, but .* {gpufft.version()}: "
        )

    def test_a_slow_output_stops_the_input(self):
        os.mkfifo(self.rows)
        demo = self.start_demo("local:1", "--rows", 1000)
        self.samples = np.resize(self.samples, 2 * 60 * 1000 * CHUNK // ROWS)
        output = self.rows.open("rb")
        self.addCleanup(output.close)
        writing = self.write_in_background(self.open_pipe(), 0, -1)
        before = -1
        while before != self.written or not before:
            before = self.written
            time.sleep(2)  # long enough for a chunk, else the bound holds all the more
        # Of 60 chunks six are in flight; GNU Radio's buffers hold a few more.
        self.assertLess(self.written, self.samples.nbytes / 2)
        self.assertTrue(writing.is_alive())
        rows = np.frombuffer(output.read(), np.float32)
        writing.join(PATIENCE)
        self.assertEqual(demo.wait(PATIENCE), 0, demo.log.read_text())
        self.assert_rows(rows)

    def test_a_stranger_without_a_key(self):
        ca = self.certificate("ca")
        member = (ca[0], *self.certificate("member", ca))
        stranger = (ca[0], *self.certificate("stranger"))
        scheduler = self.start_scheduler(*tls_options(*member), protocol="tls")
        self.start_worker(scheduler.address, *tls_options(*member))
        refused = self.start_demo(scheduler.address, "--tls", *stranger)
        file = self.write_file()
        welcome = self.start_demo(scheduler.address, "--tls", *member, samples=file)
        self.assert_complete(welcome)
        self.assert_fails(refused, f"no Dask scheduler answers at {scheduler.address}")

    def test_a_client_that_does_not_close(self):
        """The cause of the end is told all the same."""
        for error in (asyncio.TimeoutError, OSError("no end"), AssertionError):
            with self.subTest(error=error):
                self.assert_cause_is_told(mock.Mock(**{"close.side_effect": error}))

    def assert_cause_is_told(self, client):
        with (
            mock.patch.object(spread_demo.gpufft_dask, "connect", lambda *_: client),
            mock.patch.object(spread_demo.gpufft_dask, "workers", lambda _: []),
            mock.patch.object(spread_demo, "make_map", side_effect=OSError("the cause")),
            mock.patch.object(sys, "argv", ["spread_demo", "in", "out"]),
            mock.patch.object(os, "_exit", side_effect=SystemExit) as end,
            contextlib.redirect_stderr(io.StringIO()) as stderr,
            self.assertRaises(SystemExit),
        ):
            spread_demo.main()
        end.assert_called_with(1)
        self.assertEqual(stderr.getvalue(), "spread_demo: the cause\n")

    def test_bad_arguments(self):
        file = self.write_file()
        for address, options, words in (
            ("here", (), "'here' must be tcp://HOST:PORT"),
            ("local:1", ("--tls", "no", "no", "no"), "no cannot be read: No such file"),
            ("local:1", ("--patience", 0), "patience is 0"),
            ("local:1", ("--window", "none-such"), "none-such"),
        ):
            self.assert_fails(self.start_demo(address, *options, samples=file), words)
        demo = self.start_demo("local:1", samples=self.folder / "none.cs16")
        self.assert_fails(demo, "No such file or directory: '.*none.cs16'")
        demo = self.start_demo("local:1", "--check")
        self.assert_fails(demo, "--check reads files, no pipes")


if __name__ == "__main__":
    unittest.main()
