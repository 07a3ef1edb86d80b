#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mouse and keys on the page of gpufft analyzer --serve, in Chromium: zoom, markers, channel,
position, annotations, scrolling back."""

import json
import unittest

import numpy as np

from browser_testing import Browser, wait_for
from cli_testing import is_colour
from page_testing import (
    BOTTOM,
    LEFT,
    TOP,
    PageTestCase,
    brightest,
    element,
)
from serve_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    RECORDED,
    Server,
    number_in,
)
from gnuradio.gpufft.cli.analyzer import keys, theme

DELTA = "\N{GREEK CAPITAL LETTER DELTA}"

# More lines of 2000 columns than are kept, 30 a second, and one after a gap: their number,
# size in bytes, seconds ago of the oldest, duration of the newest.
KEEP_LINES = """import("./waterfall.js").then(({WaterfallPlot}) => {
    const plot = new WaterfallPlot(document.createElement("canvas"), {}, "");
    const line = {rows: 1, low: 0, high: 1, columns: 2000, floor: 0, step: 1};
    line.line = new Uint8Array(2000);
    for (let n = 0; n < 40000; n++) plot.show({...line, time: n / 30});
    plot.show({...line, time: 39999 / 30 + 100});
    plot.scroll(1e9);
    return [plot.lines.length, plot.bytes, plot.range()[0], plot.lines[0].seconds];
})"""


class QaCliAnalyzerPageMouse(PageTestCase):
    async def test_mouse(self):
        """The wheel zooms around its place, dragging moves, a double click shows all."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            spectrum = (await self.plots(page))["spectrum"]
            column = self.column(spectrum, FREQUENCIES[1])
            await page.mouse("Wheel", column, 100, deltaX=0, deltaY=-700)
            await page.wait_for(f"{element('[name=span]')}.value !== '1 MHz'")
            await self.draw(page)
            zoomed = (await self.plots(page))["waterfall"][TOP + 25 : -60]
            self.assertAlmostEqual(brightest(zoomed, column), column, delta=3)
            centre = await page.evaluate(f"{element('[name=centre]')}.value")
            await self.drag(page, (400, 100), (500, 100))
            await page.wait_for(f"{element('[name=centre]')}.value !== '{centre}'")
            await self.draw(page)
            moved = (await self.plots(page))["waterfall"][TOP + 25 : -60]
            self.assertAlmostEqual(brightest(moved, column + 100), column + 100, delta=3)
            await page.click(300, 100, count=2)
            await page.wait_for(f"{element('[name=span]')}.value === '1 MHz'")
            await self.check_markers(page, spectrum)

    async def check_markers(self, page, spectrum):
        """Clicks on two tones, and reads."""
        cells = "row => [...row.cells].map(cell => cell.innerText)"
        rows = f"[...{element('#markers')}.rows].map({cells})"
        self.assertEqual(await page.evaluate(rows), [])  # a double click sets none
        for number, frequency in enumerate(FREQUENCIES[:2], 1):
            await page.press(str(number))
            await page.click(self.column(spectrum, frequency), 150)
            await page.wait_for(f"{element('#markers')}.innerText.includes('M{number}')")
        await page.press("d")
        await page.wait_for(f"{element('#markers')}.innerText.includes('{DELTA}2')")
        titles, first, second = await page.evaluate(rows)
        self.assertEqual(titles[1:3], ["Frequency", "Level"])
        expected = [CENTRE + frequency * RATE for frequency in FREQUENCIES[:2]]
        for row, frequency, level in zip((first, second), expected, LEVELS):
            self.assertAlmostEqual(number_in(row[1]) * 1e6, frequency, delta=RATE / 4096)
            self.assertAlmostEqual(number_in(row[2]), level, delta=1.5)
        away = expected[1] - expected[0]
        self.assertAlmostEqual(number_in(second[4]) * 1e3, away, delta=RATE / 4096)
        self.assertAlmostEqual(number_in(second[5]), LEVELS[1] - LEVELS[0], delta=1.5)
        await self.check_drawn_markers(page)
        _, y = await page.centre("#waterfall")
        await page.mouse("Moved", self.column(spectrum, 0), y)
        await page.wait_for(f"{element('#readout')}.innerText.includes(' s ago')")
        self.assertTrue(
            (await page.evaluate(f"{element('#readout')}.innerText")).startswith("100.00")
        )
        await page.click_element("#markers tr:nth-child(2)")  # chooses it
        await page.wait_for(f"{element('#markers')}.rows[1].className === 'chosen'")
        await page.click_element("[data-key=Esc]")
        await page.wait_for(f"{element('#markers')}.rows.length === 0")

    async def check_drawn_markers(self, page):
        """Diamonds on the tips, the chosen one filled."""
        await self.fix_levels(page)
        low, high = await self.levels(page)
        plot = (await self.plots(page))["spectrum"]
        diamonds = is_colour(plot, theme.MARKER)
        height = len(plot) - TOP - BOTTOM
        for frequency, level, is_filled in zip(FREQUENCIES, LEVELS, (False, True)):
            column = self.column(plot, frequency)
            row = round(TOP + (high - level) / (high - low) * height)
            around = diamonds[row - 8 : row + 20, column - 9 : column + 10]
            self.assertEqual(around.sum() > 60, is_filled)
            self.assertGreater(around.sum(), 15)

    async def test_channel_is_dragged(self):
        """By a line, then by what is between; the band stays."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await page.press("b")
            await page.wait_for(f"{element('#channel')}.rows.length === 3")
            width = (await self.plots(page))["spectrum"].shape[1] - LEFT
            for start, end, *expected in (  # shares of the span
                (1 / 3, 0.4, 0.4, 2 / 3),
                (0.5, 0.7, 0.6, 2 / 3 + 0.2),
            ):
                columns = [LEFT + share * width for share in (start, end)]
                await self.drag(page, *((column, 100) for column in columns))
                near = lambda: self.is_channel(page, expected, 3 / width)
                await wait_for(near, f"{start} to {end}")
            span = await page.evaluate(f"{element('[name=span]')}.value")
            self.assertEqual(span, "1 MHz")

    async def is_channel(self, page, expected, tolerance):
        """Whether the channel's limits, as shares of the whole band, are these."""
        fields = "document.querySelectorAll('[name^=channel_]')"
        values = await page.evaluate(f"[...{fields}].map(field => field.value)")
        centre, width = map(number_in, values)
        edges = np.array([centre * 1e6 - width * 500, centre * 1e6 + width * 500])
        return np.allclose((edges - CENTRE) / RATE + 0.5, expected, atol=tolerance)

    async def test_position(self):
        """Bar and buttons move a recording, whose loop is drawn; keys do the same."""
        options = ("--size", 1024, "--overlap", 0, "--average", 1)
        async with self.serve(*options) as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await page.click_element("#play")
            await page.wait_for(f"{element('#play')}.innerText === 'Play'")
            self.assertTrue(await page.evaluate(f"{element('[name=pause]')}.checked"))
            left, width, y = await page.evaluate(
                f"(r => [r.x, r.width, r.y + r.height / 2])"
                f"({element('#bar')}.getBoundingClientRect())"
            )
            seconds = RECORDED / RATE
            for share in (0.25, 0.75):
                await page.click(left + share * width, y)
                position = share * seconds + 1024 / RATE  # a row was shown
                await self.expect_position(page, position, seconds / width)
                knob = await page.evaluate(f"{element('#knob')}.style.left")
                shown = float(knob.rstrip("%")) / 100 * seconds
                self.assertAlmostEqual(shown, position, delta=seconds / width)
                await page.press("a")
                await page.wait_for(f"!{element('.mark:not([hidden])')}.hidden")
            await page.wait_for(f"!{element('#loop')}.hidden")
            loop = await page.evaluate(
                f"(r => [r.x, r.right])({element('#loop')}.getBoundingClientRect())"
            )
            row = 1024 / RATE / seconds
            expected = [left + (share + row) * width for share in (0.25, 0.75)]
            np.testing.assert_allclose(loop, expected, atol=1.5)
            start = 0.25 * seconds + 1024 / RATE
            for key, rows in (("Home", 1), (".", 2), (".", 3), (",", 2)):
                await page.click_element(f"[data-key='{key}']")
                position = start + rows * 1024 / RATE
                await self.expect_position(page, position, seconds / width)
            await self.drag(page, (left + 0.3 * width, y), (left + 0.5 * width, y))
            position = 0.5 * seconds + 1024 / RATE
            await self.expect_position(page, position, seconds / width)
            await self.enter(page, "loop", "all")
            await page.wait_for(f"{element('#loop')}.hidden")
            await page.press(" ")
            await self.draw(page)

    async def expect_position(self, page, seconds, tolerance):
        """Waits until it is shown."""
        shown = f"parseFloat({element('#position')}.innerText)"
        await page.wait_for(f"Math.abs({shown} - {seconds}) < {tolerance + 0.0006}")

    async def test_annotations(self):
        """A bar and a box where one is; Shift and dragging make another one."""
        low, high = 99.8e6, 99.95e6
        path = self.write_annotated(20000, 60000, low, high, "first")
        options = ("--size", 1024, "--overlap", 0, "--average", 8)
        async with Server(path, *options) as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await page.press(" ")
            await page.wait_for(f"{element('#play')}.innerText === 'Play'")
            await page.type("input[name=position]", "0.02")
            for rows in range(1, 7):
                await self.expect_position(page, 0.02 + rows * 8192 / RATE, 1e-4)
                await page.press(".")
            await self.expect_position(page, 0.02 + 7 * 8192 / RATE, 1e-4)
            place = await page.evaluate(
                f"(r => [r.x, r.y, r.width, r.height])"
                f"({element('#waterfall')}.getBoundingClientRect())"
            )
            # All that the waterfall then shows, the last 50 ms, is in the annotation.
            x, y = place[0] + 20, place[1] + TOP - 1
            await page.mouse("Wheel", x, y, deltaX=0, deltaY=-9000)
            await self.expect_annotation(page, (low, high))
            await self.mark(page, path, place)

    async def expect_annotation(self, page, limits):
        """Waits until a bar and a box show one between two frequencies (Hz)."""

        async def is_there():
            plots = await self.plots(page)
            shares = [(hertz - CENTRE) / RATE for hertz in limits]
            edges = np.array([self.column(plots["spectrum"], each) for each in shares])
            bar = is_colour(plots["spectrum"], theme.CHANNEL)[:50].any(axis=0)
            box = is_colour(plots["waterfall"], theme.OVER_IMAGE)[TOP + 2 : TOP + 5]
            bar, lines = np.flatnonzero(bar), np.flatnonzero(box.all(axis=0))
            return (
                len(bar) > 0
                and len(lines) > 0
                and max(abs(bar[[0, -1]] - edges)) <= 2
                and max(min(abs(line - edges)) for line in lines) <= 1
            )

        await wait_for(is_there, "the annotation's bar and box")

    async def mark(self, page, path, place):
        """Marks a region of what the waterfall at a place shows, and reads what is written."""
        x, y, width, height = place
        corners = [
            (x + 0.3 * width, y + 0.1 * height),
            (x + 0.4 * width, y + 0.4 * height),
        ]
        words = [await self.words_at(page, *corner) for corner in corners]
        await self.drag(page, *corners, modifiers=8)  # Shift
        await page.wait_for(f"{element('#label')} === document.activeElement")
        await page.call("Input.insertText", text="another")
        await page.press("Enter", code="Enter", windowsVirtualKeyCode=13)
        await page.wait_for(f"{element('#status')}.innerText.includes(\"'another'\")")
        self.assertIsNone(await page.evaluate(element("#label")))
        await page.mouse("Moved", 1, 1)
        await self.expect_box(page, *((a - x, b - y) for a, b in corners))
        added = json.loads(path.read_text())["annotations"][-1]
        self.assertEqual(added["core:label"], "another")
        times = [added["core:sample_start"], added["core:sample_start"]]
        times[0] += added["core:sample_count"]
        for time, edge, said in zip(times, ("lower", "upper"), words):
            frequency, ago, _ = said.split("\N{MIDDLE DOT}")
            position = float(ago.split("(at ")[1].split()[0])
            self.assertAlmostEqual(time / RATE, position, delta=1.5e-3)
            hertz = added[f"core:freq_{edge}_edge"]
            self.assertAlmostEqual(hertz, number_in(frequency) * 1e6, delta=RATE / 400)

    async def expect_box(self, page, start, end):
        """Waits until there is one in the waterfall, between two corners."""

        async def is_there():
            plot = (await self.plots(page))["waterfall"]
            row = round((start[1] + end[1]) / 2)
            lines = np.flatnonzero(is_colour(plot, theme.OVER_IMAGE)[row])
            return all(min(abs(lines - x), default=9) < 3 for x in (start[0], end[0]))

        await wait_for(is_there, "the box")

    async def words_at(self, page, x, y):
        """What is read at a place."""
        await page.mouse("Moved", 1, 1)
        await page.wait_for(f"{element('#readout')}.hidden")
        await page.mouse("Moved", x, y)
        await page.wait_for(f"!{element('#readout')}.hidden")
        return await page.evaluate(f"{element('#readout')}.innerText")

    async def test_level_axis(self):
        """The wheel zooms around the level under the mouse, dragging moves; then levels are
        fixed."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await self.fix_levels(page, "-100, 0")
            height = len((await self.plots(page))["spectrum"]) - TOP - BOTTOM
            y = TOP + height / 4  # at -25 dBFS
            await page.mouse("Wheel", 20, y, deltaX=0, deltaY=-400)
            factor = 1.0015**-400
            expected = [-25 - 75 * factor, -25 + 25 * factor]
            await self.expect_levels(page, expected, 100 / height)
            await self.drag(page, (20, y), (20, y + height / 2))
            moved = 100 * factor / 2
            expected = [level + moved for level in expected]
            await self.expect_levels(page, expected, 200 / height)
            self.assertFalse(
                await page.evaluate(f"{element('[name=auto_levels]')}.checked")
            )

    async def expect_levels(self, page, expected, tolerance):
        """Waits until these are in force."""

        async def are_there():
            return np.allclose(await self.levels(page), expected, atol=tolerance)

        await wait_for(are_there, f"levels {expected}")

    async def test_help(self):
        """It is shown and hidden by its keys, which do nothing else then."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await page.click_element("[name=show_max_hold]")
            left = "document.activeElement === document.body"
            await page.wait_for(left)  # a box that was clicked takes no keys
            await page.press("m")
            await page.wait_for(f"{element('#markers')}.rows.length === 2")
            for key, is_hidden in (
                ("?", "false"),
                ("Escape", "true"),
                ("F1", "false"),
                ("?", "true"),
            ):
                await page.press(key)
                await page.wait_for(f"{element('#help')}.hidden === {is_hidden}")
            rows = await page.evaluate(f"{element('#help')}.rows.length")
            self.assertEqual(rows, len(keys.HELP))
            self.assertEqual(await page.evaluate(f"{element('#markers')}.rows.length"), 2)
            await page.press("Escape")
            await page.wait_for(f"{element('#markers')}.rows.length === 0")

    async def test_scrolling_back(self):
        """What is shown stands still, until End; an axis is dragged, too."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await self.draw(page, 40)
            _, y = await page.centre("#waterfall")
            zoom = lambda: page.mouse("Wheel", 20, y, deltaX=0, deltaY=-400)
            for act, count, is_still in (
                (zoom, 1, True),
                (lambda: page.press("PageUp"), 30, False),
                (lambda: page.press("PageDown"), 1, True),
                (lambda: page.press("End"), 1, False),
                (zoom, 1, True),
                (lambda: self.drag(page, (20, y - 20), (20, y + 500)), 5, False),
                (lambda: self.drag(page, (20, y), (20, y - 40)), 1, True),
                (lambda: page.click(20, y, count=2), 1, False),
            ):
                if count > 1:  # it has to catch up with the time that goes on meanwhile
                    await wait_for(lambda a=act, n=count: self.catches_up(page, a, n))
                else:
                    await act()
                    self.assertEqual(await self.is_still(page), is_still)

    async def catches_up(self, page, act, count):
        """Whether the waterfall moves on after so many acts."""
        for _ in range(count):
            await act()
        return not await self.is_still(page)

    async def is_still(self, page):
        """Whether the waterfall's lines stay where they are when others come."""
        await self.draw(page, 2)
        before, after = [], []
        for lines in (before, after):
            lines.append(
                (await self.plots(page))["waterfall"][TOP + 30 : -60, LEFT + 2 :]
            )
            await self.draw(page, 10)
        return np.array_equal(before[0], after[0])

    async def test_lines_are_kept(self):
        """In bounded memory; scrolling back ends at the oldest; gaps stay dark."""
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            kept, size, seconds, last = await page.evaluate(KEEP_LINES)
            self.assertLessEqual(size, 64 << 20)
            self.assertGreater(size, 60 << 20)
            self.assertEqual(kept, size // 2200)
            self.assertAlmostEqual(seconds, kept / 30 + 100 - 1 / 30, delta=0.001)
            self.assertAlmostEqual(last, 1 / 30, delta=0.001)  # after the gap


if __name__ == "__main__":
    unittest.main()
