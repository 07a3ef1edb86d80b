#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft analyzer --serve, without a browser: who gets what, and that nobody holds up
others; what is refused, and in which words."""

import asyncio
import contextlib
import io
import json
import os
import random
import re
import socket as sockets
import subprocess
import sys
import unittest

import numpy as np

import cli_testing as cli
from serve_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    RECORDED,
    Server,
    ServeTestCase,
    Viewer,
    aiohttp,
    decode,
)
from gnuradio.gpufft.cli.analyzer import access, viewer
from gnuradio.gpufft.cli.main import main

PICTURES, MOST_MEGABITS = 150, 2  # counted; a second
DELTA, MINUS = "\N{GREEK CAPITAL LETTER DELTA}", "\N{MINUS SIGN}"
ODD = b"GET /\xff\xed\xa0\x80/stream HTTP/1.1\r\nHost: \xff\r\nOrigin: \xff"
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

    async def test_control(self):
        """One viewer is in control; the others watch, and may take it."""
        async with self.serve() as server, Viewer(server.url) as first:
            await first.wait_for(lambda: "control" in first.texts)
            self.assertEqual(first.texts["control"], {"whose": "you", "viewers": 1})
            async with Viewer(server.url) as second:
                await second.ask("set", name="size", text="1009")
                await second.wait_for(lambda: "say" in second.texts)
                self.assertIn("take control first", second.texts["say"])
                self.assertEqual(second.texts["control"]["whose"], "other")
                await second.ask("control")
                await second.ask("set", name="size", text="1009")
                values = lambda: first.texts["state"]["values"]
                await first.wait_for(lambda: values()["size"] == "1009")
                self.assertEqual(first.texts["control"], {"whose": "other", "viewers": 2})
                await second.wait_for(lambda: second.texts["control"]["whose"] == "you")
                await second.ask("band", low=99.75, high=100)
                band = lambda: first.texts["state"]["band"]
                await first.wait_for(lambda: band() == [99.75, 100])
            await first.wait_for(lambda: first.texts["control"]["whose"] == "nobody")
            await first.ask("control")
            await first.wait_for(lambda: first.texts["control"]["whose"] == "you")

    async def test_markers(self):
        """One viewer sets them; all get the same, at the levels that the tones have."""
        async with self.serve() as server, Viewer(server.url) as first:
            await first.next_picture(3)
            async with Viewer(server.url, 333) as second:
                for number, frequency in enumerate(FREQUENCIES, 1):
                    await first.ask("key", key=str(number))
                    await first.ask("click", **around(frequency))
                table = lambda: second.texts["state"]["marker_table"]
                await second.wait_for(lambda: len(table()) == 1 + len(FREQUENCIES))
                tones = zip(FREQUENCIES, LEVELS, table()[1:])
                for number, (frequency, level, row) in enumerate(tones, 1):
                    hertz, level = in_its_bin(frequency, level)
                    self.assertEqual(row[0], f"M{number}")
                    self.assertAlmostEqual(number_in(row[1]) * 1e6, hertz, delta=20)
                    self.assertAlmostEqual(number_in(row[2]), level, delta=0.15)
                await second.ask("click", **around(0))
                await second.wait_for(lambda: "take control" in second.texts["say"])
                picture = await second.next_picture(3)
                self.check_drawn(picture["markers"], len(FREQUENCIES))
                await first.ask("key", key="D")
                await second.wait_for(lambda: table()[3][0] == f"{DELTA}3")
                self.assertAlmostEqual(
                    number_in(table()[3][5]),
                    number_in(table()[3][2]) - number_in(table()[1][2]),
                    delta=0.15,
                )
                await first.ask("key", key="Esc")
                await second.wait_for(lambda: table() == [])

    def check_drawn(self, markers, count):
        """What is drawn on the trace: the tones, the last one chosen."""
        self.assertEqual([each["is_chosen"] for each in markers], [False, False, True])
        for marker, frequency, level in zip(markers, FREQUENCIES, LEVELS):
            hertz, level = in_its_bin(frequency, level)
            self.assertAlmostEqual(marker["frequency"] * 1e6, hertz, delta=1)
            self.assertAlmostEqual(marker["level"], level, delta=0.1)

    async def test_channel(self):
        """Its lines are dragged; it measures the tone between them."""
        async with self.serve() as server, Viewer(server.url) as viewer:
            await viewer.next_picture(9)
            middle = (CENTRE + FREQUENCIES[1] * RATE) / 1e6
            await viewer.ask("channel", low=middle + 0.01, high=middle - 0.01)
            channel = lambda: viewer.texts["state"]["channel"]
            await viewer.wait_for(lambda: channel() is not None)
            edges = [[middle - 0.01, middle + 0.01]]
            np.testing.assert_allclose(channel()["channel"], edges)
            power = number_in(channel()["table"][1][1])
            self.assertAlmostEqual(power, LEVELS[1], delta=0.1)
            await viewer.ask("channel", low=-1e300, high=1e308)
            whole = [[(CENTRE - RATE / 2) / 1e6, (CENTRE + RATE / 2) / 1e6]]
            await viewer.wait_for(lambda: channel()["channel"] == whole)
            await viewer.ask("key", key="B")
            await viewer.wait_for(lambda: channel() is None)

    async def test_playback(self):
        """Pause, seeking, steps and the loop act for all, in frames of 1024 samples."""
        options = ("--size", 1024, "--overlap", 0, "--average", 1)
        async with self.serve(*options) as server, Viewer(server.url) as viewer:
            state = lambda: viewer.texts["state"]
            async with Viewer(server.url) as other:
                await other.ask("seek", seconds=0.0)
                await other.wait_for(lambda: "take control" in other.texts["say"])
            await viewer.ask("key", key="Space")
            await viewer.wait_for(lambda: state()["switches"]["pause"])
            A, B = 0.051024, 0.101024
            whole = RECORDED / RATE
            for request, position, marks, loop in (
                ({"do": "seek", "seconds": 0.05}, A, [None, None], "all"),
                ({"do": "key", "key": "."}, 0.052048, [None, None], "all"),
                ({"do": "key", "key": ","}, A, [None, None], "all"),
                ({"do": "key", "key": "A"}, A, [A, None], "all"),
                ({"do": "seek", "seconds": 0.1}, B, [A, None], "all"),
                ({"do": "key", "key": "A"}, A, [A, B], "0.051024, 0.101024"),
                ({"do": "seek", "seconds": 0.06}, 0.061024, [A, B], "0.051024, 0.101024"),
                ({"do": "key", "key": "Home"}, A + 0.001024, [A, B], "0.051024, 0.101024"),
                ({"do": "key", "key": "A"}, A + 0.001024, [None, None], "all"),
                ({"do": "seek", "seconds": 1e308}, 0.001024, [None, None], "all"),
            ):
                await viewer.ask(**{"what": request.pop("do"), **request})
                expected = {
                    "position": position,
                    "duration": whole,
                    "marks": marks,
                    "words": f"{position:.3f} / {whole:.3f} s",
                }
                await viewer.wait_for(lambda: state()["playback"] == expected)
                self.assertEqual(state()["values"]["loop"], loop)
            await viewer.ask("key", key="Space")
            await viewer.next_picture(3)
            picture = await viewer.next_picture()
            self.assertNotEqual(picture["playback"]["position"], 0.001024)

    async def test_annotations(self):
        """Those of the lines that come, and one more of a marked region, in a pause."""
        base = self.folder / "noted"
        samples = cli.tones(RECORDED, FREQUENCIES, (0.1, 0.1, 0.1))
        cli.write_sigmf(base, samples, "cs16", "ci16_le", RATE, CENTRE)
        path = self.folder / "noted.sigmf-meta"
        metadata = json.loads(path.read_text())
        first = {"core:sample_start": 20000, "core:sample_count": 10000}
        edges = {"core:freq_lower_edge": 99.8e6, "core:freq_upper_edge": 99.9e6}
        metadata["annotations"] = [{**first, **edges, "core:label": "first"}]
        path.write_text(json.dumps(metadata))
        options = ("--size", 1024, "--overlap", 0, "--average", 1)
        async with Server(path, *options) as server, Viewer(server.url) as viewer:
            await viewer.wait_for(lambda: len(viewer.texts["notes"]) == 1)
            note = {"label": "first", "span": [99.8, 99.9]}
            self.assertEqual(viewer.texts["notes"], [note])
            await viewer.ask("key", key="Space")
            await viewer.wait_for(lambda: viewer.texts["state"]["switches"]["pause"])
            for seconds, notes in ((0.025, [0]), (0.05, [])):
                picture = await self.seek(viewer, seconds)
                self.assertEqual(picture["notes"], notes)
            for rows in (2, 3, 4):
                await viewer.ask("key", key=".")
                picture = await self.picture_at(viewer, 0.05 + rows * 1024 / RATE)
            newest = picture["time"] - 512 / RATE
            times = {"newest": newest, "oldest": newest - 2048 / RATE}
            region = {**times, "low": 100.2, "high": 100.1, "label": " a\nlabel"}
            await viewer.ask("annotate", **region)
            await viewer.wait_for(lambda: len(viewer.texts["notes"]) == 2)
            self.assertIn("'a label'", viewer.texts["say"])
            _, added = json.loads(path.read_text())["annotations"]
            self.assertEqual(added["core:label"], "a label")
            start, count = added["core:sample_start"], added["core:sample_count"]
            self.assertAlmostEqual(start, 50000 + 4 * 1024 - 512 - 2048, delta=3)
            self.assertAlmostEqual(count, 2048, delta=5)
            span = added["core:freq_lower_edge"], added["core:freq_upper_edge"]
            np.testing.assert_allclose(span, (100.1e6, 100.2e6))
            await viewer.ask("annotate", **{**region, "newest": -1.0, "oldest": -2.0})
            await viewer.wait_for(lambda: "no line" in viewer.texts["say"])
            async with Viewer(server.url) as other:
                await other.ask("annotate", **region)
                await other.wait_for(lambda: "take control" in other.texts["say"])
                self.assertEqual(len(other.texts["notes"]), 2)

    async def seek(self, viewer, seconds):
        """Goes to a time in a pause; the picture of the row of 1024 samples there."""
        await viewer.ask("seek", seconds=seconds)
        return await self.picture_at(viewer, seconds + 1024 / RATE)

    async def picture_at(self, viewer, seconds):
        """The first picture after that time."""
        while True:
            picture = await viewer.next_picture()
            if abs(picture["playback"]["position"] - seconds) < 1e-9 and picture["rows"]:
                return picture

    async def test_words_at_the_mouse(self):
        """For whoever points, in control or not."""
        async with self.serve() as server, Viewer(server.url) as first:
            async with Viewer(server.url) as viewer:
                await first.next_picture(9)
                x = (CENTRE + FREQUENCIES[0] * RATE) / 1e6
                _, level = in_its_bin(FREQUENCIES[0], LEVELS[0])
                level = f"{MINUS}{-level:.1f} dBFS"
                for plot, y, words in (
                    ("spectrum", -55.5, f"{MINUS}55.5 dBFS, trace {level}"),
                    ("density", 5, "5.0 dBFS"),
                    ("waterfall", 0, f"0.00 s ago (at POSITION s), {level}"),
                    ("waterfall", 1e6, "1000000.00 s ago, \N{EN DASH}"),
                ):
                    viewer.texts.pop("words", None)
                    await viewer.ask("point", plot=plot, x=x, y=y)
                    await viewer.wait_for(lambda: viewer.texts["words"])
                    frequency, *said = viewer.texts["words"].split(" \N{MIDDLE DOT} ")
                    self.assertAlmostEqual(number_in(frequency), x, delta=2e-3)
                    said = ", ".join(map(str.strip, said))
                    said = re.sub(r"\d\.\d{3} s\)", "POSITION s)", said)
                    self.assertEqual(said, words)
                await viewer.ask("point", plot="density", x=-1e308, y=1e308)
                await viewer.next_picture(3)  # goes on

    async def test_what_is_entered_wrongly(self):
        async with self.serve() as server, Viewer(server.url) as viewer:
            for name, text, words in (
                ("size", "15", "size 15 is out of range"),
                ("window", "hamm", "hamm"),
                ("levels", "0, -10", "must be below"),
                ("span", "9" * 4000, "span"),
            ):
                viewer.texts.pop("say", None)
                await viewer.ask("set", name=name, text=text)
                await viewer.wait_for(lambda: "say" in viewer.texts)
                self.assertIn(words, viewer.texts["say"])
            self.assertEqual(viewer.texts["state"]["values"]["size"], "4096")

    async def test_a_stalled_viewer_holds_up_nobody(self):
        """One that confirms nothing gets a few pictures, one that does not even read is
        dropped after a while; another gets all the time what it can take."""
        async with self.serve() as server, Viewer(server.url) as good:
            async with Viewer(server.url) as silent, Viewer(server.url) as deaf:
                last = {}
                for _ in range(viewer.PICTURES_IN_FLIGHT):
                    await self.receive_silently(silent, last)
                await good.wait_for(lambda: good.texts["control"]["viewers"] == 3)
                await good.next_picture(100)
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
            await good.next_picture(3)
            self.assertEqual(good.texts["control"]["whose"], "you")

    async def test_traffic(self):
        """Of all plots of the built-in scene, at a usual width."""
        async with Server() as server, Viewer(server.url, 1400) as viewer:
            first = await viewer.next_picture(60)
            start = viewer.bytes
            last = await viewer.next_picture(PICTURES)
            seconds = last["time"] - first["time"]  # that were played
            megabits = 8e-6 * (viewer.bytes - start) / seconds
        rate = PICTURES / seconds
        print(f"{megabits:.2f} Mbit/s for {rate:.0f} pictures/s of 1400 columns")
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

    def run_without(self, modules, *arguments):
        """The command, as if modules were not installed."""
        program = (
            "import sys; sys.modules.update(dict.fromkeys(sys.argv[1].split(',')));"
            "from gnuradio.gpufft.cli.main import main; sys.exit(main(sys.argv[2:]))"
        )
        options = ("--engine", "cpu", "--serve", "0", "--seconds", "0.5")
        command = (program, modules, "analyzer", *self.recording, *options, *arguments)
        return subprocess.run(
            [sys.executable, "-c", *map(str, command)],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_missing_packages(self):
        done = self.run_without("PyQt5,pyqtgraph")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.run_without("aiohttp")
        self.assertEqual(done.returncode, 1)
        self.assertIn("install python3-aiohttp", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_the_network_can_read_it(self):
        brief = ("--serve", "0.0.0.0:0", "--seconds", 0.5)
        done = cli.gpufft("analyzer", *self.recording, *brief, cwd=".")
        self.assertEqual(done.returncode, 0)
        self.assertIn("the network carries the page and its token readable", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


def around(frequency):
    """Limits in MHz, a few bins around a frequency (cycles a sample)."""
    middle = CENTRE + frequency * RATE
    return {"low": (middle - 1e3) / 1e6, "high": (middle + 1e3) / 1e6}


def in_its_bin(frequency, level):
    """(frequency in Hz, level) of a tone in the nearest one of 4096 bins, with Hann's window."""
    bin = round(frequency * 4096)
    n = np.arange(4096)
    window = np.hanning(4096)
    away = np.exp(2j * np.pi * (frequency - bin / 4096) * n)
    loss = abs(np.sum(window * away)) / np.sum(window)
    return CENTRE + bin / 4096 * RATE, level + 20 * np.log10(loss)


def number_in(text):
    """The number in front of a unit."""
    return float(text.replace(MINUS, "-").split()[0])


if __name__ == "__main__":
    unittest.main()
