# SPDX-License-Identifier: GPL-3.0-or-later
"""One viewer of the analyzer's page: what it asks for, and what waits to be sent to it."""

import asyncio
import json
import math
from collections import deque

import numpy as np

from .describe import describe_markers, describe_playback
from .wire import Encoder

FEWEST_COLUMNS, MOST_COLUMNS = 16, 4096
PICTURES_IN_FLIGHT = 8  # sent or waiting, that the page has not confirmed
PICTURES_PER_DENSITY = 4
LONGEST_REQUEST = 4096  # bytes

# What a viewer may ask for: "do" -> the types of the other members.
REQUESTS = {
    "columns": {"columns": int},
    "seen": {"picture": int},
    "set": {"name": str, "text": str},
    "switch": {"name": str, "on": bool},
    "press": {"name": str},
    "band": {"low": float, "high": float},
    "key": {"key": str},
    "click": {"low": float, "high": float},
    "channel": {"low": float, "high": float},
    "seek": {"seconds": float},
    "annotate": {
        "newest": float,
        "oldest": float,
        "low": float,
        "high": float,
        "label": str,
    },
    "point": {"plot": str, "x": float, "y": float},
    "control": {},
}


class Nonsense(Exception):
    """A viewer asks for what no page asks for."""


def parse_request(text):
    """(do, its members) of a message. Raises Nonsense."""
    try:
        members = json.loads(text)
        do = members.pop("do")
        kinds = REQUESTS[do]
        if members.keys() != kinds.keys():
            raise Nonsense
        return do, {name: parse(members[name], kind) for name, kind in kinds.items()}
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise Nonsense from None


def parse(value, kind):
    """A member's value, if it has the type; an integer may stand for a float."""
    if kind is float and type(value) is int and abs(value) < 1e300:
        value = float(value)
    if type(value) is not kind or kind is float and not math.isfinite(value):
        raise Nonsense
    return value


class Viewer:
    """Its texts and pictures wait here until its connection takes them. Only the latest
    text of each kind waits, and few pictures: who stalls misses those in between."""

    def __init__(self, socket, transport, now):
        self.socket = socket
        self.columns = 0  # of pixels; 0 until it has told
        self.heard = now  # when it last sent anything
        self.pictures_sent = 0
        self._pictures_seen = 0
        self._transport = transport
        self._encoder = Encoder()
        self._texts = {}
        self._pictures = deque()
        self._wake = asyncio.Event()

    def is_ready(self):
        """Whether another picture may be sent."""
        in_flight = self.pictures_sent - self._pictures_seen
        return self.columns > 0 and in_flight < PICTURES_IN_FLIGHT

    def see(self, picture):
        """The page has drawn all pictures up to this number."""
        if not self._pictures_seen <= picture <= self.pictures_sent:
            raise Nonsense
        self._pictures_seen = picture

    def encode(self, picture, session):
        """The next picture's message, of a session; it must be sent."""
        if self.pictures_sent % PICTURES_PER_DENSITY > 0:
            picture = {**picture, "density": np.zeros(0)}
        self.pictures_sent += 1
        header = {
            "picture": self.pictures_sent,
            "time": session.history.now,
            "markers": describe_markers(session),
            "playback": describe_playback(session.transport),
            "position": session.history.position,
        }
        return self._encoder.encode(picture, self.columns, session.axis, header)

    def send_picture(self, message):
        """Sends what encode() has made."""
        self._pictures.append(message)
        self._wake.set()

    def send_text(self, kind, content):
        """Sends {kind: content} in place of an older one that still waits."""
        self._texts[kind] = content
        self._wake.set()

    def ping(self):
        """Asks for a sign of life."""
        self.send_text("ping", None)

    async def send(self):
        """Sends what waits, as long as the connection lasts."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._texts or self._pictures:
                if not self._texts:
                    await self.socket.send_bytes(self._pictures.popleft())
                    continue
                kind = next(iter(self._texts))
                content = self._texts.pop(kind)
                if kind == "ping":
                    await self.socket.ping()
                else:
                    await self.socket.send_str(json.dumps({kind: content}))

    def drop(self):
        """Ends the connection at once, whatever waits."""
        self._transport.abort()
