#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What viewers of gpufft analyzer --serve do with it, without a browser: markers, channel,
position, annotations."""

import json
import re
import unittest

import numpy as np

from serve_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    RECORDED,
    Server,
    ServeTestCase,
    Viewer,
    number_in,
)

DELTA, MINUS = "\N{GREEK CAPITAL LETTER DELTA}", "\N{MINUS SIGN}"


class QaCliAnalyzerViewers(ServeTestCase):
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
                    low, high = around(frequency).values()
                    await first.ask("click", low=high, high=low)  # in any order
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
        path = self.write_annotated(20000, 10000, 99.8e6, 99.9e6, "first")
        options = ("--size", 1024, "--overlap", 0, "--average", 1)
        async with Server(path, *options) as server, Viewer(server.url) as viewer:
            await viewer.wait_for(lambda: len(viewer.texts["notes"]) == 1)
            note = {"label": "first", "span": [99.8, 99.9], "start": 0.02, "end": 0.03}
            self.assertEqual(viewer.texts["notes"], [note])
            await viewer.ask("key", key="Space")
            await viewer.wait_for(lambda: viewer.texts["state"]["switches"]["pause"])
            for seconds in (0.025, 0.05):
                await viewer.ask("seek", seconds=seconds)
                await self.picture_at(viewer, seconds + 1024 / RATE)
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

    async def picture_at(self, viewer, seconds):
        """The first picture whose newest row ends at that time. Rows that were in flight when
        the recording jumped come before it."""
        while True:
            picture = await viewer.next_picture()
            position = picture["position"]
            if position is not None and abs(position - seconds) < 1e-9 and picture["rows"]:
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


if __name__ == "__main__":
    unittest.main()
