#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft analyzer --serve, without a browser: who gets what, and that nobody holds up
others; what is refused, and in which words."""

import asyncio
import contextlib
import io
import os
import random
import socket as sockets
import unittest

import numpy as np

import cli_testing as cli
from serve_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    Server,
    ServeTestCase,
    Viewer,
    aiohttp,
    decode,
)
from gnuradio.gpufft.cli.analyzer import access, viewer
from gnuradio.gpufft.cli.analyzer.session import FRAMES_PER_SECOND
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.main import main

PICTURES, MOST_MEGABITS = 150, 2  # counted; a second
ODD = b"GET /\xff\xed\xa0\x80/stream HTTP/1.1\r\nHost: \xff\r\nOrigin: \xff"
UPGRADE = (
    "GET {}stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n"
)
PING = b"\x89\xfd" + bytes(4 + 125)  # a frame of 125 bytes, with its mask
# Nonsense, no text, too long; gone before that came.
CLOSE_CODES = (1008, 1003, 1009, 1006)
NONSENSE = (
    "",
    "{}",
    "[]",
    "3",
    "[" * 4000,
    '{"do": 1}',
    '{"do": ["set"]}',
    '{"do": "quit"}',
    '{"do": "__init__"}',
    '{"do": "set", "name": "size"}',
    '{"do": "set", "name": "size", "text": 5}',
    '{"do": "set", "name": "settings", "text": "5"}',
    '{"do": "press", "name": "save"}',
    '{"do": "press", "name": "save_traces"}',
    '{"do": "key", "key": "Q"}',
    '{"do": "click", "low": 1}',
    '{"do": "channel", "low": 1, "high": "2"}',
    '{"do": "point", "plot": "panel", "x": 1, "y": 1}',
    '{"do": "annotate", "newest": 1, "oldest": 0, "low": 0, "high": 1, "label": 5}',
    '{"do": "switch", "name": "show_peaks", "on": true}',
    '{"do": "switch", "name": "show_density", "on": 1}',
    '{"do": "band", "low": NaN, "high": 1}',
    '{"do": "band", "low": 1e999, "high": 1}',
    '{"do": "band", "low": 1' + "0" * 1000 + ', "high": 1}',
    '{"do": "columns", "columns": 1.5}',
    '{"do": "columns", "columns": true}',
    '{"do": "seen", "picture": 1000000}',
    '{"do": "seen", "picture": -1}',
    '{"do": "control", "more": 1}',
    b'{"do": "control"}',
    "x" * 5000,
)


class QaCliAnalyzerServe(ServeTestCase):
    async def status(self, url, method="GET", **options):
        """The status of an answer, and its text."""
        async with aiohttp.ClientSession() as session:
            async with session.request(method, url, **options) as answer:
                return answer.status, await answer.text()

    async def test_a_stranger_gets_nothing(self):
        async with self.serve() as server:
            base, token = server.url[:-1].rsplit("/", 1)
            self.assertGreaterEqual(len(token), 22)  # of 64 letters: 128 bits or more
            wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
            odd = ("%ff%fe/", "%ed%a0%80/stream", "%00/")
            wrongly = (
                "",
                token[:-1],
                f"{wrong}/",
                f"{wrong}/page.js",
                "page.js",
                "stream",
            )
            for path in odd + wrongly:
                for method in ("GET", "POST"):
                    status, text = await self.status(f"{base}/{path}", method)
                    self.assertEqual((status, text), (403, "403: Forbidden"), path)
            for path in (f"{wrong}/stream", "stream", f"{token}x/stream"):
                with self.assertRaises(aiohttp.WSServerHandshakeError) as caught:
                    async with aiohttp.ClientSession() as session:
                        await session.ws_connect(f"{base}/{path}")
                self.assertEqual(caught.exception.status, 403)

    async def test_what_is_no_http(self):
        """Strangers cannot make it print anything, or end."""
        async with self.serve() as server:
            for garbage in (b"\x16\x03\x01\x02\0", b"GET\r\n\r\n", b"\0" * 70000, ODD):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(garbage + b"\r\n\r\n")
                writer.write_eof()
                with contextlib.suppress(ConnectionError):
                    self.assertNotIn(b" 200 ", await reader.read())
                writer.close()
            self.assertEqual((await self.status(server.url))[0], 200)
        self.assertEqual(server.said, "")

    async def test_only_the_page_is_served(self):
        async with self.serve() as server:
            status, text = await self.status(server.url)
            self.assertEqual(status, 200)
            self.assertIn("gpufft analyzer", text)
            others = ("server.py", "%2e%2e%2fserver.py", "../server.py", "page", "x.js")
            for path in others:
                status, _ = await self.status(server.url + path)
                self.assertIn(status, (403, 404), path)

    async def test_other_origins(self):
        async with self.serve() as server:
            for origin, status in (
                ("http://example.org", 403),
                ("null", 403),
                (f"http://127.0.0.1:{server.port}", 101),
            ):
                async with aiohttp.ClientSession(headers={"Origin": origin}) as session:
                    try:
                        socket = await session.ws_connect(server.url + "stream")
                        await socket.close()
                        got = 101
                    except aiohttp.WSServerHandshakeError as error:
                        got = error.status
                    self.assertEqual(got, status, origin)

    async def test_pictures(self):
        """Tones at their columns and levels, in traces, line and density."""
        async with self.serve() as server, Viewer(server.url) as viewer:
            await viewer.next_picture(9)
            picture = await viewer.next_picture()
            while "density" not in picture or "line" not in picture:
                picture = await viewer.next_picture()
        self.assertEqual(picture["columns"], 1000)
        width = (picture["high"] - picture["low"]) * 1e6 / picture["columns"]
        self.assertAlmostEqual(width * picture["columns"], RATE)
        for frequency, level in zip(FREQUENCIES, LEVELS):
            place = (CENTRE + frequency * RATE - picture["low"] * 1e6) / width
            for name in ("average_high", "max_hold", "line"):
                near = picture[name][int(place) - 10 : int(place) + 11]
                self.assertAlmostEqual(np.argmax(near), 10, delta=1)
                self.assertAlmostEqual(near.max(), level, delta=2)  # between bins
            self.check_density(picture["density"], place / picture["columns"], level)

    def check_density(self, density, share, level):
        """The highest level at the tone is its own, for a share of the time above 1 %."""
        column = int(share * density["columns"])
        shades = density["shades"][column - 1 : column + 2].max(axis=0)
        scale = (density["top"] - density["bottom"]) / density["levels"]
        highest = density["bottom"] + (np.flatnonzero(shades > 16).max() + 0.5) * scale
        self.assertAlmostEqual(highest, level, delta=2)

    async def test_viewers_of_any_width(self):
        async with self.serve() as server, Viewer(server.url, 1200) as wide:
            await wide.next_picture()
            async with Viewer(server.url, 333) as narrow:
                self.assertEqual((await narrow.next_picture(3))["columns"], 333)
                self.assertEqual((await wide.next_picture(3))["columns"], 1200)
            async with Viewer(server.url, 1 << 40) as widest:
                picture = await widest.next_picture(3)
                self.assertEqual(picture["columns"], viewer.MOST_COLUMNS)

    async def test_a_stalled_viewer_holds_up_nobody(self):
        """One that confirms nothing gets a few pictures, one that does not even read is
        dropped after a while; another gets all the time what it can take."""
        async with self.serve() as server, Viewer(server.url) as good:
            async with Viewer(server.url) as silent, Viewer(server.url) as deaf:
                last = {}
                for _ in range(viewer.PICTURES_IN_FLIGHT):
                    await self.receive_silently(silent, last)
                await good.wait_for(lambda: good.texts["control"]["viewers"] == 3)
                for _ in range(10):
                    await good.next_picture(10)
                    await silent.socket.ping()  # the server drops who says nothing at all
                message = await self.receive_silently(silent, last, texts=True)
                self.assertIsNone(message)  # but texts: the pictures have come
                await silent.ask("seen", picture=viewer.PICTURES_IN_FLIGHT)
                picture = await self.receive_silently(silent, last)
                self.assertEqual(picture["picture"], viewer.PICTURES_IN_FLIGHT + 1)
                await good.wait_for(lambda: good.texts["control"]["viewers"] < 3)
                self.assertFalse(deaf.socket.closed)  # it does not know yet

    async def receive_silently(self, viewer, last, texts=False):
        """The next picture, which is not confirmed; with `texts`, None if a text is next."""
        while True:
            message = await viewer.socket.receive(200)
            if message.type == aiohttp.WSMsgType.BINARY:
                return decode(message.data, last)
            if texts:
                return None

    async def test_nonsense(self):
        """Whoever sends it has to leave; others stay."""
        noise = random.Random(22)
        letters = '{}[]":,do set0.e-true\n'
        noisy = [noise.choices(letters, k=noise.randrange(60)) for _ in range(40)]
        async with self.serve() as server, Viewer(server.url) as good:
            for nonsense in (*NONSENSE, *map("".join, noisy)):
                async with Viewer(server.url, 0) as bad:
                    is_text = isinstance(nonsense, str)
                    send = bad.socket.send_str if is_text else bad.socket.send_bytes
                    await send(nonsense)
                    with self.assertRaises(ConnectionError, msg=nonsense):
                        while True:
                            await bad.receive()
                    self.assertIn(bad.socket.close_code, CLOSE_CODES, nonsense)
                await good.next_picture()  # the server drops who does not read
            await good.next_picture(3)
            self.assertEqual(good.texts["control"]["whose"], "you")

    async def test_who_leaves_before_the_answer(self):
        """Is no fault that is told."""
        async with self.serve() as server, Viewer(server.url) as good:
            path = server.url.partition(f"{server.port}")[2]
            for _ in range(20):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(UPGRADE.format(path).encode() + 500 * PING)
                await writer.drain()
                writer.transport.abort()
            await good.next_picture(3)
        self.assertEqual((server.status, server.said), (0, ""))

    async def test_traffic(self):
        """Of all plots of the built-in scene with its annotations, markers and a channel, at
        a usual width, for who points at it."""
        async with Server() as server, Viewer(server.url, 1400) as viewer:
            await viewer.next_picture()
            for key in "MMMMB":
                await viewer.ask("key", key=key)
            viewer.points = {"plot": "spectrum", "x": 100.0, "y": -50.0}
            first = await viewer.next_picture(60)
            self.assertEqual(len(first["markers"]), 4)
            start = viewer.bytes
            last = await viewer.next_picture(PICTURES)
            # A busy machine makes fewer pictures: they count as if at the full rate.
            megabits = 8e-6 * (viewer.bytes - start) / PICTURES * FRAMES_PER_SECOND
            rate = PICTURES / (last["time"] - first["time"])
        print(f"{megabits:.2f} Mbit/s at 30 pictures/s of 1400 columns; {rate:.0f} came")
        self.assertLess(megabits, MOST_MEGABITS)

    async def test_ends(self):
        """At Ctrl-C and after --seconds, with viewers there, too."""
        async with self.serve() as server:
            watching = await Viewer(server.url).__aenter__()
            await watching.next_picture()
        self.assertEqual(server.status, 0)
        with self.assertRaises(ConnectionError):
            while True:
                await watching.receive()
        await watching.__aexit__()
        async with self.serve("--seconds", 0.5) as server:
            await server.ended()
        self.assertEqual((server.status, server.said), (0, ""))
        brief = ("--serve", 0, "--seconds", 0.5)
        done = cli.gpufft("analyzer", *self.recording, *brief, cwd=".")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^http://127\.0\.0\.1:\d+/[\w-]{22,}/\n$")

    async def test_file_that_has_ended(self):
        """Who comes late sees its last picture."""
        async with self.serve("--once", "--full-speed") as server:
            async with Viewer(server.url) as first:
                await first.next_picture()
                status = lambda: first.texts["state"]["status"][0]
                await first.wait_for(lambda: "end of the file" in status())
            async with Viewer(server.url) as second:
                picture = await second.next_picture()
                self.assertAlmostEqual(picture["max_hold"].max(), LEVELS[0], delta=2)

    async def test_nothing_comes(self):
        """The page says so, and serves on; samples that come later are shown."""
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        options = ("--format", "cs16", "--rate", RATE)
        writer = os.open(fifo, os.O_RDWR)
        self.addCleanup(os.close, writer)
        async with Server(fifo, *options) as server, Viewer(server.url) as viewer:
            notice = lambda: viewer.texts["state"]["notice"]
            await viewer.wait_for(lambda: notice() == "waiting for samples")
            self.assertEqual(viewer.pictures, 0)
            data = self.recording[0].read_bytes()
            write = asyncio.to_thread(os.write, writer, data)
            await asyncio.gather(write, viewer.next_picture())
            self.assertIsNone(viewer.texts["state"]["playback"])
            await viewer.ask("seek", seconds=0)  # there is no such place
            with self.assertRaises(ConnectionError):
                while True:
                    await viewer.receive()

    def test_token_in_a_file(self):
        name = str(self.folder / "token")
        token = access.keep_token(name)
        self.assertEqual(access.keep_token(name), token)
        self.assertEqual(os.stat(name).st_mode & 0o777, 0o600)
        self.assertNotEqual(access.keep_token(name + "2"), token)
        for mode in (0o644, 0o620, 0o601):
            os.chmod(name, mode)
            with self.assertRaisesRegex(InputError, f"token: its mode {mode:o} lets"):
                access.keep_token(name)
        os.chmod(name, 0o400)
        self.assertEqual(access.keep_token(name), token)

    def test_what_is_refused(self):
        folder = self.folder
        (folder / "short").write_text("secret\n")
        (folder / "binary").write_bytes(b"\xff" * 40)
        taken = sockets.socket()
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        self.addCleanup(taken.close)
        port = taken.getsockname()[1]
        for status, words, *arguments in (
            (2, "write [HOST:]PORT", "--serve", "here"),
            (2, "write [HOST:]PORT", "--serve", ":80"),
            (2, "65535 or less", "--serve", "65536"),
            (1, f"--serve 127.0.0.1:{port}: ", "--serve", port),
            (1, "the host is unknown", "--serve", "no.such.host.invalid:0"),
            (1, "--serve 192.0.2.1:0: ", "--serve", "192.0.2.1:0"),
            (2, "x.pem cannot be read", "--serve", 0, "--certificate", "x.pem"),
            (2, "no certificate with", "--serve", 0, "--certificate", folder / "short"),
            (2, "--key needs --certificate", "--serve", 0, "--key", "missing.pem"),
            (2, "--key needs --serve", "--key", "missing.pem"),
            (2, "--token needs --serve", "--token", "x"),
            (2, "must hold 22 to 200", "--serve", 0, "--token", folder / "short"),
            (2, "must hold 22 to 200", "--serve", 0, "--token", folder / "binary"),
            (1, "No such file or directory", "--serve", 0, "--token", folder / "no/x"),
            (2, "--screenshot is of the window", "--serve", 0, "--screenshot", "a.png"),
        ):
            with self.subTest(arguments=arguments):
                command = ("analyzer", *self.recording, "--engine", "cpu", *arguments)
                with contextlib.redirect_stderr(io.StringIO()) as said:
                    self.assertEqual(main(list(map(str, command))), status)
                self.assertIn(words, said.getvalue())
                self.assertEqual(said.getvalue().count("\n"), 1, said.getvalue())

    def run_without(self, modules):
        """The server, as if modules were not installed."""
        options = ("--engine", "cpu", "--serve", "0", "--seconds", "0.5")
        return cli.run_without(modules, "analyzer", *self.recording, *options)

    def test_missing_packages(self):
        done = self.run_without("PyQt5,pyqtgraph")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.run_without("aiohttp")
        self.assertEqual(done.returncode, 1)
        self.assertIn("install python3-aiohttp", done.stderr)
        self.assertNotIn("aiohttp", self.run_without("scipy.signal").stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_the_network_can_read_it(self):
        brief = ("--serve", "0.0.0.0:0", "--seconds", 0.5)
        done = cli.gpufft("analyzer", *self.recording, *brief, cwd=".")
        self.assertEqual(done.returncode, 0)
        self.assertIn("the network carries the page and its token readable", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
