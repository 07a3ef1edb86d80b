#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spreading loses nothing, whoever is killed or late; errors are one line."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from spread_control import Client, Server  # noqa: E402 (from the folder just added)
from spread_merge import Merge  # noqa: E402
from spread_protocol import (  # noqa: E402
    Spec,
    SpreadError,
    from_pmt,
    pack,
    to_pmt,
    unpack,
)
from spread_window import Window  # noqa: E402

ENGINE = os.environ.get("GPUFFT_TEST_ENGINE", "cpu")


def start(script, *words):
    """Starts one of the programs."""
    return subprocess.Popen(
        [sys.executable, HERE / f"spread_{script}.py", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class QaWindow(unittest.TestCase):
    def test_an_overdue_chunk_goes_before_a_fresh_one(self):
        window = Window(4, 0.05)
        window.put("a")
        self.assertEqual(window.take(0), (0, "a"))
        self.assertIsNone(window.take(0))
        time.sleep(0.06)
        window.put("b")
        self.assertEqual(window.take(0), (0, "a"))
        self.assertEqual(window.take(0), (1, "b"))
        self.assertEqual(window.sent_again, 1)

    def test_a_full_window_stops_the_reader(self):
        window = Window(2, 10)
        window.put("a")
        window.put("b")
        window.acknowledge([1])  # the oldest still waits: the merger holds what follows
        self.assertFalse(window.wait_for_room(0.01))
        window.acknowledge([0, 0, 1])
        self.assertTrue(window.wait_for_room(0))

    def test_it_is_finished_when_all_is_acknowledged(self):
        window = Window(2, 10)
        window.put("a")
        window.close()
        self.assertFalse(window.finished)
        window.acknowledge([0])
        self.assertTrue(window.finished)


class QaMerge(unittest.TestCase):
    def test_order_duplicates_and_other_runs(self):
        spec = Spec("cf32", 4, 4, "hann", 1, rows=2)
        flowgraph, merge = gr.top_block(), Merge(spec, 9)
        sink = blocks.vector_sink_f(4)
        flowgraph.connect(merge, sink)
        expected = np.arange(7 * 4, dtype=np.float32).reshape(7, 4)
        for run, sequence in ((9, 2), (9, 0), (8, 1), (9, 2), (9, 3), (9, 1), (9, 0)):
            about = {"run": run, "sequence": sequence, "worker": "a"}
            rows = expected[2 * sequence : 2 * sequence + 2] * (run == 9)
            pdu = pmt.cons(pmt.to_pmt(about), to_pmt(rows))
            merge.to_basic_block()._post(pmt.intern("rows"), pdu)
        merge.to_basic_block()._post(pmt.intern("rows"), pmt.intern("no rows"))
        merge.total = 4
        flowgraph.run()
        np.testing.assert_array_equal(np.reshape(sink.data(), (-1, 4)), expected)
        self.assertEqual(merge.duplicates, 2)
        self.assertEqual(merge.by_worker["a"], 4)
        self.assertEqual(merge.received(), [2, 0, 2, 3, 1, 0])


class QaControl(unittest.TestCase):
    def setUp(self):
        self.server = Server("127.0.0.1", 0, {"run": 2, "data_port": 1}, Window(2, 1))
        self.server.start()
        self.addCleanup(self.server.finish, "done")
        self.address = f"127.0.0.1:{self.server.port}"
        self.client = Client("observer", ("127.0.0.1", self.server.port))
        self.addCleanup(self.client.close)

    def test_the_same_run(self):
        self.assertEqual(self.client.ask()["state"], "running")
        self.assertEqual(self.client.ask()["acknowledged"], 0)

    def test_a_worker_that_comes_when_all_is_done(self):
        nobody = "127.0.0.1:1"
        worker = start("worker", "--source", self.address, "--merge", nobody)
        self.addCleanup(worker.kill)
        while not self.server._heard:
            time.sleep(0.02)
        self.server.finish("done")  # and the merger is gone
        text, errors = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0, errors)
        self.assertIn("was done before this worker began", text)

    def test_a_source_that_was_started_again(self):
        self.client.run = 1
        with self.assertRaisesRegex(SpreadError, "was started again"):
            self.client.ask()

    def test_a_question_that_is_none(self):
        self.client._identity = {}
        with self.assertRaisesRegex(SpreadError, "not a question"):
            self.client.ask()


class QaProtocol(unittest.TestCase):
    def test_rows_of_chunks_are_the_rows_of_the_whole(self):
        for fft_size, hop, average in ((64, 32, 4), (100, 10, 3), (8, 20, 2)):
            spec = Spec("cf32", fft_size, hop, "hann", average, rows=3)
            advance = spec.chunk_samples - spec.overlap
            for samples in range(0, 4 * advance, 7):
                chunks = max(0, -(-(samples - spec.overlap) // advance))
                parts = [
                    spec.rows_in(min(samples - c * advance, spec.chunk_samples))
                    for c in range(chunks)
                ]
                self.assertEqual(sum(parts), spec.rows_in(samples), (spec, samples))

    def test_chunk_round_trip(self):
        spec = Spec(rows=1, average=1)
        message = np.empty(spec.chunk_bytes, np.uint8)
        samples = np.arange(2 * spec.chunk_samples - 6, dtype=np.int16)
        pack(spec, message, 5, 7, samples)
        run, sequence, back = unpack(spec, message)
        self.assertEqual((run, sequence), (5, 7))
        np.testing.assert_array_equal(back, samples)
        self.assertIsNone(unpack(spec, message[::-1].copy()))

    def test_pmt_round_trip(self):
        rows = np.random.default_rng(1).standard_normal((3, 5)).astype(np.float32)
        np.testing.assert_array_equal(from_pmt(to_pmt(rows), np.float32), rows.ravel())

    def test_errors_name_the_value(self):
        for words, parameters in (
            ("'wav' must be one of", {"kind": "wav"}),
            ("hop is 0; it must be 1", {"hop": 0}),
            ("choose fewer rows", {"rows": 1 << 20}),
        ):
            with self.assertRaisesRegex(SpreadError, words):
                Spec(**parameters)


class QaPrograms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if ENGINE == "cuda" and not gpufft.query_cuda()["usable"]:
            raise unittest.SkipTest(gpufft.query_cuda()["reason"])

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def recording(self, samples):
        path = self.folder / "noise.cs16"
        noise = np.random.default_rng(2).normal(0, 3000, 2 * samples)
        noise.astype(np.int16).tofile(path)
        return path

    def start(self, *words):
        """Starts a program that does not outlive the test."""
        program = start(*words)
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        return program

    def port(self, program):
        """The port that it says."""
        for line in program.stdout:
            if " on port " in line:
                return f"127.0.0.1:{line.split()[-1]}"
        self.fail(program.stderr.read())

    def assert_fails(self, program, words):
        """Ends with status 1 and one line of error."""
        _, errors = program.communicate(timeout=90)
        lines = [line for line in errors.splitlines() if line.startswith("spread_")]
        self.assertEqual(program.returncode, 1, errors)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], words)

    def demo(self, samples, *words):
        """Runs the demo with its check; returns its output."""
        output = self.folder / "rows.f32"
        engine = ("--engine", ENGINE, "--check")
        program = self.start("demo", self.recording(samples), output, *engine, *words)
        text, errors = program.communicate(timeout=90)
        self.assertEqual(program.returncode, 0, text + errors)
        self.assertIn("rows as of one flowgraph", text)
        return text

    def test_a_killed_worker_costs_nothing(self):
        # Two seconds of a live source, chunks of 32 ms.
        text = self.demo(
            2_000_123,
            *("--rate", 1e6, "--fft-size", 1024, "--hop", 500, "--rows", 4, "--kill"),
            *("--timeout", 0.5),
        )
        self.assertIn("worker 0 killed", text)
        chunks, seconds, again = re.search(
            r"(\d+) chunks in ([\d.]+) s, (\d+) of them sent again", text
        ).groups()
        self.assertEqual(int(chunks), 63)
        self.assertGreater(float(seconds), 1.9)
        self.assertGreaterEqual(int(again), 1)
        shares = [int(n) for n in re.findall(r"-\d+ (\d+)", text.split("chunks by")[1])]
        self.assertEqual(sum(shares), 63)
        self.assertGreaterEqual(len(shares), 2)

    def test_a_frozen_worker_returns(self):
        text = self.demo(
            1_000_000,
            *("--rate", 1e6, "--fft-size", 1024, "--hop", 1024, "--rows", 1),
            *("--workers", 2, "--timeout", 0.2, "--freeze"),
        )
        self.assertIn("worker 0 returned", text)
        self.assertIn("worker 0: the source is done", text)
        again = int(re.search(r"(\d+) of them sent again", text)[1])
        self.assertGreaterEqual(again, 1)

    def test_all_workers_late(self):
        # The file is read as fast as it goes, and has less than the window in it.
        text = self.demo(
            500_000, "--fft-size", 500, "--hop", 700, "--late", 1.5, "--workers", 2
        )
        rows = Spec("cs16", 500, 700, "hann", 16, 8).rows_in(500_000)
        self.assertIn(f"{rows} rows as", text)
        self.assertEqual(len(re.findall(r"worker \d: working on", text)), 2)

    def test_nobody_there(self):
        nowhere = ("--source", "127.0.0.1:1", "--wait", 0.2)
        for program in (
            self.start("worker", *nowhere),
            self.start("merge", self.folder / "rows.f32", *nowhere),
        ):
            self.assert_fails(program, r"no source at 127\.0\.0\.1:1 for 0\.2 s .*ref")

    def test_no_merger_and_port_in_use(self):
        recording = self.recording(100_000)
        address = self.port(self.start("source", recording, "--port", 0))
        other = self.start("source", recording, "--port", address.split(":")[1])
        worker = self.start(
            "worker", "--source", address, "--merge", "127.0.0.1:1", "--wait", 0.2
        )
        self.assert_fails(worker, r"no merger at 127\.0\.0\.1:1")
        self.assert_fails(other, r"port \d+ is in use")

    def test_listens_on_this_host_alone_unless_told(self):
        """127.0.0.2 is this host, too, but nobody's default."""
        recording = self.recording(100_000)
        for bind, reached in (((), False), (("--bind", "0.0.0.0"), True)):
            source = self.start("source", recording, "--port", 0, *bind)
            address = self.port(source)
            rows = self.folder / "rows.f32"
            merger = self.start(
                "merge", rows, "--port", 0, "--source", address, *bind
            )
            client = Client("observer", ("127.0.0.1", int(address.split(":")[1])))
            self.addCleanup(client.close)
            ports = [client.ask()["data_port"]]
            ports += [int(each.split(":")[1]) for each in (address, self.port(merger))]
            for port in ports:
                for host, there in (("127.0.0.1", True), ("127.0.0.2", reached)):
                    with socket.socket() as asking:
                        found = asking.connect_ex((host, port)) == 0
                    self.assertEqual(found, there, (host, port, bind))
        self.assert_fails(
            self.start("source", recording, "--bind", "192.0.2.1"),
            "192.0.2.1 is no address of this host",
        )

    def test_no_result(self):
        source = self.start(
            "source", self.recording(100_000), "--port", 0, "--give-up", 0.5
        )
        self.assert_fails(source, r"no result for 0\.5 s \(\d+ chunks wait\)")

    def test_source_or_merger_lost(self):
        recording, rows = self.recording(1_000_000), self.folder / "rows.f32"
        slow = ("--port", 0, "--rate", 50e3, "--average", 2)
        # One run loses its merger, one its source; at the same time, for each takes 5 s.
        sources = [self.start("source", recording, *slow) for _ in range(2)]
        addresses = [self.port(source) for source in sources]
        mergers, workers = [], []
        for address in addresses:
            merger = self.start("merge", rows, "--port", 0, "--source", address)
            where = ("--source", address, "--merge", self.port(merger))
            worker = self.start("worker", "--engine", "cpu", *where)
            for line in worker.stdout:
                if "working" in line:
                    break
            mergers.append(merger)
            workers.append(worker)
        mergers[0].send_signal(signal.SIGKILL)
        sources[1].send_signal(signal.SIGKILL)
        second = self.start("merge", rows, "--port", 0, "--source", addresses[0])
        self.assert_fails(second, "was its merger: restart source and merger")
        self.assert_fails(sources[0], "the merger .* has been silent for 5 s")
        self.assert_fails(workers[0], "the source gave up: the merger")
        self.assert_fails(mergers[1], "source at .* has been silent for 5 s")
        self.assert_fails(workers[1], "source at .* has been silent for 5 s")

    def test_bad_arguments(self):
        recording = self.recording(10)
        for script, words, expected in (
            ("worker", ("--source", "here"), "'here' is not HOST:PORT"),
            ("source", (recording, "--port", 70000), "must be 0 .any. to 65535"),
        ):
            _, errors = self.start(script, *words).communicate(timeout=90)
            self.assertRegex(errors, expected)
        for words, expected in (
            ((recording, "--window", "none-such"), "none-such"),
            ((recording, "--timeout", 0), "--timeout is 0; it must be above 0"),
            ((self.folder / "no.cs16",), "cannot be read: No such file"),
            ((recording,), r"holds 10 samples; a row takes \d+"),
        ):
            self.assert_fails(self.start("source", *words), expected)


if __name__ == "__main__":
    unittest.main()
