# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions to the source and its answers (ZeroMQ REQ and REP, JSON).

Workers and merger ask what the work is, and later whether it goes on; the merger's
questions carry its acknowledgements. Whoever does not ask for SILENCE seconds is gone.
"""

import os
import socket
import threading
import time

import zmq
from spread_protocol import SILENCE, SpreadError, port_in_use, say, url


class Client:
    """A client that asks the source at (host, port)."""

    def __init__(self, role, address):
        self._address = address
        self._identity = {"role": role, "id": f"{socket.gethostname()}-{os.getpid()}"}
        self.run = None  # the run that this client works for
        self._socket = zmq.Context.instance().socket(zmq.REQ)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(url(*address))

    @property
    def name(self):
        """This process in messages: host and process id."""
        return self._identity["id"]

    def close(self):
        """No more questions."""
        self._socket.close()

    def ask(self, **question):
        """The source's answer. Raises SpreadError if the work cannot continue."""
        self._socket.send_json({**self._identity, "run": self.run, **question})
        if not self._socket.poll(int(1000 * SILENCE)):
            raise SpreadError(
                "the source at {}:{} has been silent for {:g} s: it ended, or is no "
                "spread_source.py".format(*self._address, SILENCE)
            )
        answer = self._socket.recv_json()
        if answer["state"] == "failed":
            raise SpreadError(f"the source gave up: {answer['reason']}")
        if self.run not in (None, answer["run"]):
            raise SpreadError(
                "the source was started again, and this run is lost: start again"
            )
        self.run = answer["run"]
        return answer


class Server(threading.Thread):
    """The source's side: knows who is there, answers, takes acknowledgements."""

    def __init__(self, bind, port, description, window):
        """bind, port: where to listen; description: what every answer says; window: takes
        the acknowledgements."""
        super().__init__(daemon=True)
        self._description = description
        self._window = window
        self._state = {"state": "running"}
        self._heard = {}  # client -> when
        self._told = set()  # clients that know the end
        self._merger = None
        self._socket = zmq.Context.instance().socket(zmq.REP)
        self._socket.setsockopt(zmq.LINGER, 500)
        try:
            self._socket.bind(url(bind, port))
        except zmq.ZMQError:
            raise port_in_use(bind, port) from None
        self.port = int(self._socket.LAST_ENDPOINT.rsplit(b":", 1)[1])
        self._stopping = False

    def run(self):
        while not self._stopping:
            if self._socket.poll(50):
                try:
                    answer = self._answer(self._socket.recv_json())
                except (ValueError, KeyError, TypeError) as error:
                    answer = {"state": "failed", "reason": f"not a question: {error}"}
                self._socket.send_json(answer)
            self._forget_silent_workers()
        self._socket.close()

    def _answer(self, question):
        role, client = question["role"], question["id"]
        current = question["run"] in (None, self._description["run"])
        if role == "merge" and current:
            self._merger = self._merger or client
            if client != self._merger:
                reason = f"{self._merger} was its merger: restart source and merger"
                return {"state": "failed", "reason": reason}
            self._window.acknowledge(question["received"])
        if role != "observer":
            if client not in self._heard:
                say(f"{role} {client} joined")
            self._heard[client] = time.monotonic()
        if self._state["state"] != "running":
            self._told.add(client)
        return {
            **self._description,
            **self._state,
            "chunks": self._window.total if self._window.closed else None,
            "acknowledged": self._window.acknowledged,
        }

    def _forget_silent_workers(self):
        for client, heard in list(self._heard.items()):
            if client != self._merger and time.monotonic() - heard > SILENCE:
                del self._heard[client]
                say(f"worker {client} is silent: its chunks are sent to others")

    def check_merger(self):
        """Raises SpreadError if the merger has joined and disappeared."""
        heard = self._heard.get(self._merger, time.monotonic())
        if time.monotonic() - heard > SILENCE:
            raise SpreadError(
                f"the merger {self._merger} has been silent for {SILENCE:g} s: its "
                f"output is incomplete, restart source and merger"
            )

    def finish(self, state, reason=None):
        """Tells all clients the end, waits until they know it, and ends."""
        self._state = {"state": state, "reason": reason}
        deadline = time.monotonic() + 2
        while set(list(self._heard)) - self._told and time.monotonic() < deadline:
            time.sleep(0.02)
        self._stopping = True
        self.join()
