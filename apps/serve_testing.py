# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft analyzer --serve under test: the command, and a viewer that is no browser."""

import asyncio
import contextlib
import json
import shutil
import signal
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np

import cli_testing as cli
from gnuradio.gpufft.cli.analyzer import wire

try:
    import aiohttp
except ImportError:
    aiohttp = None

PATIENCE = 200  # s, for a busy machine
RATE = 1e6
CENTRE = 100e6
RECORDED = 1 << 17  # samples, played in a loop in which tones go on
FREQUENCIES = (-39321 / RECORDED, 13107 / RECORDED, 48497 / RECORDED)  # cycles a sample
LEVELS = (-20, -30, -40)  # dBFS


class Server:
    """An asynchronous context manager: the command, which serves."""

    def __init__(self, *arguments, port=0):
        self._command = (cli.COMMAND, "analyzer", *arguments, "--engine", cli.ENGINE)
        self._port = port

    async def __aenter__(self):
        command = (*self._command, "--serve", f"{self._port}")
        self._process = await asyncio.create_subprocess_exec(
            *map(str, command), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)
        self.url = line.decode().strip()
        if not self.url:
            raise AssertionError((await self._process.stderr.read()).decode())
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            self._process.send_signal(signal.SIGINT)
        _, said = await asyncio.wait_for(self._process.communicate(), PATIENCE)
        self.status, self.said = self._process.returncode, said.decode()

    async def ended(self):
        """Waits until it has ended by itself."""
        await asyncio.wait_for(self._process.wait(), PATIENCE)

    @property
    def port(self):
        """The port in its address."""
        return int(self.url.split(":")[2].split("/")[0])


class Viewer:
    """An asynchronous context manager: a viewer of pictures `columns` wide."""

    def __init__(self, url, columns=1000):
        self._url = url + "stream"
        self._columns = columns
        self._last = {}
        self.texts = {}  # the latest of each kind
        self.bytes = self.pictures = 0  # received
        self.points = None  # where the mouse is: members of "point", asked with each picture

    async def __aenter__(self):
        self._session = aiohttp.ClientSession()
        self.socket = await self._session.ws_connect(
            self._url,
            ssl=False,
            max_msg_size=0,
            timeout=1,  # s, for its answer to a close
        )
        if self._columns:
            await self.ask("columns", columns=self._columns)
        return self

    async def __aexit__(self, *_):
        await self.socket.close()
        await self._session.close()

    async def ask(self, what, **members):
        """Sends a request."""
        await self.socket.send_json({"do": what, **members})

    async def receive(self):
        """The next picture, confirmed; or None for a text."""
        message = await asyncio.wait_for(self.socket.receive(), PATIENCE)
        if message.type == aiohttp.WSMsgType.TEXT:
            self.bytes += len(message.data)
            self.texts.update(json.loads(message.data))
            return None
        if message.type != aiohttp.WSMsgType.BINARY:
            raise ConnectionError(f"{message.type}, {message.data} {message.extra}")
        self.bytes += len(message.data)
        self.pictures += 1
        picture = decode(message.data, self._last)
        await self.ask("seen", picture=picture["picture"])
        if self.points:
            await self.ask("point", **self.points)
        return picture

    async def next_picture(self, count=1):
        """The last of the next pictures."""
        while count > 0:
            picture = await self.receive()
            count -= picture is not None
        return picture

    async def wait_for(self, condition):
        """Receives until condition() holds for the texts, which may not have come yet."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while not holds(condition):
            await self.receive()
            if asyncio.get_running_loop().time() > end:
                state = self.texts.get("state"), self.texts.get("control")
                raise AssertionError(f"not within {PATIENCE} s: {state}")


def number_in(text):
    """The number in front of a unit."""
    return float(text.replace("\N{MINUS SIGN}", "-").split()[0])


def holds(condition):
    """condition(), False if what it looks at is not there."""
    try:
        return condition()
    except KeyError:
        return False


def decode(message, last):
    """The picture of a message, as described in wire.py. last: planes before; updated."""
    data = zlib.decompress(message)
    length = int.from_bytes(data[:4], "little")
    picture = json.loads(data[4 : 4 + length])
    rest = data[4 + length :]
    columns = picture["columns"]
    for name in wire.TRACES:
        low, high = np.frombuffer(rest[: 2 * columns], np.uint8).reshape(2, columns)
        plane = add(last, name, low.astype(np.uint16) | high.astype(np.uint16) << 8)
        picture[name] = wire.LOWEST + wire.STEP * plane
        rest = rest[2 * columns :]
    if picture["rows"] > 0:
        line = np.frombuffer(rest[:columns], np.uint8)
        picture["line"] = picture["floor"] + picture["step"] * line
        rest = rest[columns:]
    if "density" in picture:
        shape = picture["density"]["columns"], picture["density"]["levels"]
        shades = np.frombuffer(rest, np.uint8).reshape(shape)
        picture["density"]["shades"] = add(last, "density", shades)
        rest = b""
    assert rest == b""
    return picture


def add(last, name, plane):
    """A plane from its difference to the one before."""
    if name in last and last[name].size == plane.size:
        plane = plane + last[name]
    last[name] = plane
    return plane


@unittest.skipIf(aiohttp is None, "there is no aiohttp here")
@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class ServeTestCase(unittest.IsolatedAsyncioTestCase):
    """Has a recording of three tones."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # it tells what takes long

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        amplitudes = [10 ** (level / 20) for level in LEVELS]
        samples = cli.tones(RECORDED, FREQUENCIES, amplitudes, noise=1e-4)
        file = cls.folder / "x.cs16"
        file.write_bytes(cli.encode(samples, "cs16"))
        cls.recording = (file, "--rate", RATE, "--freq", CENTRE)

    def write_annotated(self, start, count, low, high, label):
        """The same as SigMF, with an annotation; the path of its metadata."""
        path = self.folder / "annotated.sigmf-meta"
        shutil.copy(self.recording[0], path.with_suffix(".sigmf-data"))
        annotation = {
            "core:sample_start": start,
            "core:sample_count": count,
            "core:freq_lower_edge": low,
            "core:freq_upper_edge": high,
            "core:label": label,
        }
        facts = {"core:datatype": "ci16_le", "core:sample_rate": RATE}
        metadata = {
            "global": {**facts, "core:version": "1.0.0"},
            "captures": [{"core:sample_start": 0, "core:frequency": CENTRE}],
            "annotations": [annotation],
        }
        path.write_text(json.dumps(metadata))
        return path

    def serve(self, *arguments, port=0):
        """A Server of the recording."""
        return Server(*self.recording, *arguments, port=port)
