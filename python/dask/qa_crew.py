#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who computes recordings: the workers that fit, whenever they come."""

import socket
import time
import unittest

import distributed
from gnuradio import gpufft
from gnuradio.gpufft.cli.errors import NoCluster
from gnuradio.gpufft.dask import ClusterError, connect
from gnuradio.gpufft.dask.crew import POLL, Crew
from qa_cluster_support import LOOPBACK, PATIENCE, ClusterTestCase

# Preloads of workers: with a card and without, of another version, and those that cannot
# say what they are.
NO_CARD = """
from gnuradio import gpufft
gpufft.query_cuda = lambda: {"usable": False, "devices": []}
"""
CARD = """
from gnuradio import gpufft
gpufft.query_cuda = lambda: {"usable": True, "devices": [{"name": "a card"}]}
"""
OLD = """
from gnuradio import gpufft
gpufft.version = lambda: "0.0.1"
"""
NO_MODULE = """
import sys
sys.modules["gnuradio.gpufft"] = None
"""
DAMAGED = """
from gnuradio import gpufft
def get_engine():
    raise ValueError("no engine is left")
gpufft.get_engine = get_engine
"""


def free_port():
    """A port that nobody has now."""
    with socket.socket() as any_port:
        any_port.bind((LOOPBACK, 0))
        return any_port.getsockname()[1]


class QaCrew(ClusterTestCase):
    def setUp(self):
        super().setUp()
        self.address = self.start_scheduler().address
        self.client = distributed.Client(self.address, set_as_default=False)
        self.addCleanup(self.client.close)
        self.lines = []  # that the user sees

    def start(self, preload=NO_CARD, port=0):
        """Starts a worker and waits until it is there."""
        path = self.folder / f"preload{self._count}.py"
        path.write_text(preload)
        count = len(self.client.nthreads())
        worker = self.start_worker(self.address, "--preload", path, "--worker-port", port)
        self.wait_until(lambda: len(self.client.nthreads()) > count)
        return worker

    def look_until(self, crew, condition):
        """Looks for workers until the condition of those in the crew holds."""
        end = time.monotonic() + PATIENCE
        while not condition(crew.look()):
            self.assertLess(time.monotonic(), end)
            time.sleep(POLL)

    def test_another_worker_at_the_address_of_one_that_was_left_out(self):
        port = free_port()
        self.start()
        old = self.start(OLD, port)
        crew = Crew(self.client, "cpu", self.lines.append)
        self.assertEqual(len(crew.look()), 1)
        old.kill()
        self.look_until(crew, lambda _: len(crew._there) == 1)
        self.start(port=port)
        self.look_until(crew, lambda there: len(there) == 2)
        self.assertIn(
            f"worker tcp://{LOOPBACK}:{port}: engine cpu, 1 at a time", self.lines
        )

    def test_workers_that_cannot_say_what_they_are(self):
        """Those that come late are left out; connect() names one that is there before."""
        self.start()
        crew = Crew(self.client, "auto", self.lines.append)
        for preload, reason in (
            (NO_MODULE, r"not \(.*gnuradio.gpufft.*\)"),
            (DAMAGED, r"not \(ValueError: no engine is left\)"),
        ):
            self.lines.clear()
            worker = self.start(preload)
            self.look_until(crew, lambda _: self.lines)
            self.assertEqual(len(crew.look()), 1)
            line = f"worker tcp://{LOOPBACK}:.* has gr-gpufft {reason}, but this program"
            self.assertRegex(self.lines[0], f"left out: {line} has {gpufft.version()}")
            with self.assertRaisesRegex(ClusterError, line):
                connect(self.address, timeout=PATIENCE)
            worker.kill()
            self.wait_until(lambda: len(self.client.nthreads()) == 1)

    def test_engine_cuda_takes_the_workers_with_a_card(self):
        self.start()
        with self.assertRaisesRegex(NoCluster, "cuda: none of 1 workers has a GPU"):
            Crew(self.client, "cuda", self.lines.append)
        self.start(CARD)
        for engine, workers in (("cuda", 1), ("auto", 2), ("cpu", 2)):
            crew = Crew(self.client, engine, self.lines.append)
            self.assertEqual(crew.engine, "cpu" if engine == "auto" else engine)
            self.assertEqual(len(crew.look()), workers)
            there = [line for line in self.lines if " at a time" in line]
            self.assertEqual(len(there), workers)
            on_card = [line for line in there if "engine cuda on a card, 1 at" in line]
            self.assertEqual(len(on_card), engine == "cuda")
            self.lines = [line for line in self.lines if line not in there]
        left_out = [line for line in self.lines if "left out" in line]
        self.assertEqual(len(left_out), 1, self.lines)
        self.assertRegex(left_out[0], "worker tcp://.* has no GPU that is usable")


if __name__ == "__main__":
    unittest.main()
