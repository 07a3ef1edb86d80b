# SPDX-License-Identifier: GPL-3.0-or-later
"""The workers that compute the chunks of recordings, all with the same engine."""

import asyncio
import time
from concurrent.futures import wait

from gnuradio import gpufft
from gnuradio.gpufft.cli.errors import NoCluster

from . import cluster

WORKER_TIMEOUT = 60.0  # s without any worker
ANSWER_TIMEOUT = 10.0  # s
POLL = 0.2  # s


class Crew:
    """Workers that have answered, with this version of the module and with the engine.
    The others are left out, whenever they come."""

    def __init__(self, client, engine, tell):
        """Waits for a worker. engine: "auto" takes the GPU if all that are there have
        one, "cuda" leaves those without one out. tell: is called with a line on each
        worker. Raises NoCluster."""
        self._client, self._tell = client, tell
        self._there = {}  # threads of the workers, by their addresses
        self._answers = {}  # what they are
        self._silent = set()  # who has not answered
        self._introduced = set()
        self._asked = None  # answers to come, a concurrent future
        self._alone_since = None  # while there is no worker
        self.engine = None  # until all that are there have been asked
        while not self.look():
            time.sleep(POLL) if self._asked is None else wait([self._asked], POLL)
        self.engine = self._choose(engine)
        self._introduce()

    def look(self):
        """The threads of the workers that are there now, by their addresses. It asks
        those that have come, and does not wait for the answers. Raises NoCluster if there
        has been none for long, and OSError if the scheduler does not answer."""
        self._there = cluster.call(self._client, "ncores", workers=None)
        self._forget()
        if self._asked is not None and self._asked.done():
            self._learn()
        new = self._there.keys() - self._answers.keys()
        if new and self._asked is None:
            self._asked = asyncio.run_coroutine_threadsafe(
                cluster.ask(self._client, new, ANSWER_TIMEOUT),
                self._client.loop.asyncio_loop,
            )
        crew = {
            address: threads
            for address, threads in self._there.items()
            if not self._fault(address)
        }
        self._check(crew)
        return crew

    def _forget(self):
        """Forgets the workers that have left: others may come to their addresses."""
        self._answers = {
            address: answer
            for address, answer in self._answers.items()
            if address in self._there
        }
        self._silent &= self._there.keys()
        self._introduced &= self._there.keys()

    def _check(self, crew):
        """Raises NoCluster if there has been no worker for long."""
        now = time.monotonic()
        if crew:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now
        elif now - self._alone_since > WORKER_TIMEOUT:
            scheduler = self._client.scheduler.address
            reason = next(map(self._fault, self._there), "there is none")
            raise NoCluster(
                f"the Dask scheduler at {scheduler} has had no worker for "
                f"{WORKER_TIMEOUT:g} s: {reason}"
            )

    def _learn(self):
        """Takes the answers that have come."""
        answers, self._asked = self._asked.result(), None
        self._answers |= {key: answer for key, answer in answers.items() if answer}
        silent = answers.keys() & self._there.keys() - self._answers.keys()
        for address in silent - self._silent:
            self._tell(f"left out: {self._fault(address)}")
        self._silent |= silent
        if self.engine is not None:
            self._introduce()

    def _choose(self, engine):
        """The engine that all take."""
        engines = [
            self._answers[address]["engine"]
            for address in self._there
            if not self._fault(address)
        ]
        if engine == "cuda" and "cuda" not in engines:
            raise NoCluster(
                f"engine cuda: none of {len(engines)} workers has a GPU that is usable"
            )
        if engine == "auto":
            return "cpu" if "cpu" in engines else "cuda"
        return engine

    def _fault(self, address):
        """Why a worker does not belong to the crew; "" if it does."""
        answer = self._answers.get(address)
        if answer is None:
            return f"worker {address} has not answered within {ANSWER_TIMEOUT:g} s"
        if answer["version"] != gpufft.version():
            return cluster.mismatch(address, answer["version"])
        if self.engine == "cuda" and answer["engine"] != "cuda":
            return f"worker {address} has no GPU that is usable"
        return ""

    def _introduce(self):
        """Tells what the workers are, each once."""
        new = self._answers.keys() & self._there.keys() - self._introduced
        for address in sorted(new):
            self._introduced.add(address)
            answer, fault = self._answers[address], self._fault(address)
            if fault:
                self._tell(f"left out: {fault}")
                continue
            on = "" if self.engine == "cpu" else f" on {answer['device']}"
            self._tell(
                f"worker {address}: engine {self.engine}{on}, "
                f"{self._there[address]} at a time"
            )
