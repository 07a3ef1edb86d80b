#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of gpufft analyzer --serve in Chromium: what its plots show, what its controls
and the mouse do, several viewers, and a server that comes back."""

import io
import shutil
import subprocess
import unittest

import numpy as np
from matplotlib import image

from browser_testing import CHROMIUM, Browser, wait_for
from serve_testing import (
    CENTRE,
    FREQUENCIES,
    LEVELS,
    RATE,
    RECORDED,
    ServeTestCase,
    Viewer,
)
from gnuradio.gpufft.cli.analyzer import theme

LEFT, TOP, BOTTOM = 68, 6, 24  # pixels around a plot, as in plots.js
GAP, FOOTER, BAR = 4, 24, 32  # pixels between plots and below, as in page.css
DELTA = "\N{GREEK CAPITAL LETTER DELTA}"
SIZES = ((1366, 860), (1024, 640), (1920, 1080))
CHOOSE = """(list => {{
    list.value = "{choice}";
    list.dispatchEvent(new Event("change"));
}})({list})"""


def is_colour(picture, colour, tolerance=40):
    """Where the picture has the colour "#rrggbb", or nearly."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return (abs(picture - wanted) <= tolerance).all(axis=2)


def element(selector):
    """An element of the page, in JavaScript."""
    return f"document.querySelector('{selector}')"


def number_in(text):
    """The number in front of a unit."""
    return float(text.replace("\N{MINUS SIGN}", "-").split()[0])


def brightest(pixels, column, reach=6):
    """The brightest column around one."""
    brightness = pixels.sum(axis=(0, 2))[column - reach : column + reach + 1]
    return column - reach + int(brightness.argmax())


@unittest.skipIf(CHROMIUM is None, "there is no Chromium here")
class QaCliAnalyzerPage(ServeTestCase):
    async def open(self, browser, url, size=SIZES[0]):
        """A page that has pictures."""
        page = await browser.open(url, *size)
        await page.wait_for(f"{element('#peaks')}.rows.length === 3")
        await self.draw(page)
        return page

    async def draw(self, page, lines=20):
        """Waits until so many more pictures are drawn."""
        now = await self.pictures(page)
        await wait_for(lambda: self.has_more(page, now + lines), "pictures")

    async def has_more(self, page, count):
        return await self.pictures(page) >= count

    async def pictures(self, page):
        """How many the page has drawn."""
        return int(await page.evaluate("document.body.dataset.pictures || 0"))

    async def plots(self, page):
        """The canvases as arrays [row, column, red green blue]."""
        screenshot = image.imread(io.BytesIO(await page.screenshot()))[..., :3]
        pixels = np.round(255 * screenshot).astype(int)
        plots = {}
        for name in ("spectrum", "density", "waterfall"):
            x, y, width, height = await page.evaluate(
                f"(r => [r.x, r.y, r.width, r.height].map(Math.round))"
                f"({element('#' + name)}.getBoundingClientRect())"
            )
            plots[name] = pixels[y : y + height, x : x + width]
        return plots

    def column(self, plot, frequency, low=CENTRE - RATE / 2, span=RATE):
        """Of a frequency (cycles a sample), in a plot of the band."""
        share = (CENTRE + frequency * RATE - low) / span
        return LEFT + round(share * (plot.shape[1] - LEFT))

    async def enter(self, page, name, text, shown=None):
        """Types a value, and waits until it is in force (as `shown`)."""
        await page.type(f"input[name={name}]", text)
        shown = text if shown is None else shown
        await page.wait_for(f"{element(f'[name={name}]')}.value === '{shown}'")

    async def test_a_stranger(self):
        async with self.serve() as server, Browser() as browser:
            page = await browser.open(server.url[:-5] + "AAAA/")
            await page.wait_for("document.body.innerText === '403: Forbidden'")
            self.assertEqual(await page.evaluate("document.scripts.length"), 0)

    async def test_plots(self):
        """At the sizes of small and large screens."""
        async with self.serve() as server, Browser() as browser:
            for size in SIZES:
                page = await self.open(browser, server.url, size)
                await self.enter(page, "levels", "-110, -10")
                await self.enter(page, "waterfall_levels", "-120, 0")
                await self.draw(page, 40)
                plots = await self.plots(page)
                heights = BAR + sum(map(len, plots.values())) + 3 * GAP
                self.assertAlmostEqual(heights, size[1] - FOOTER, delta=2)
                self.check_spectrum(plots["spectrum"], await self.levels(page))
                self.check_density(plots["density"])
                self.check_waterfall(plots["waterfall"])
                await page.close()

    async def levels(self, page):
        """(lowest, highest), as the page shows them."""
        text = await page.evaluate(f"{element('[name=levels]')}.value")
        return [float(level) for level in text.split(",")]

    def check_spectrum(self, plot, levels):
        """The average's line has its tips where the tones are, in place and level."""
        low, high = levels
        line = is_colour(plot, theme.AVERAGE)
        height = len(plot) - TOP - BOTTOM
        for frequency, level in zip(FREQUENCIES, LEVELS):
            column = self.column(plot, frequency)
            row = line[:, column - 2 : column + 3].any(axis=1).argmax()
            expected = TOP + (high - level) / (high - low) * height
            self.assertAlmostEqual(row, expected, delta=4 + 2 * height / (high - low))
            self.assertFalse(line[: row + 20, column + 6 : column + 20].any())

    def check_density(self, plot):
        """The tones' columns are bright above the noise, those beside them are not."""
        above = plot[TOP + 25 : TOP + (len(plot) - TOP - BOTTOM) // 2]
        for frequency in FREQUENCIES:
            column = self.column(plot, frequency)
            self.assertAlmostEqual(brightest(above, column), column, delta=2)
            self.assertGreater(above[:, column - 2 : column + 3].max(), 150)
            self.assertLess(above[:, column + 8 : column + 20].max(), 100)

    def check_waterfall(self, plot):
        """A bright line at each tone, in the colours of their levels."""
        lines = plot[TOP + 25 : -60]
        colours = theme.lookup_table().astype(int)
        for frequency, level in zip(FREQUENCIES, LEVELS):
            column = self.column(plot, frequency)
            self.assertAlmostEqual(brightest(lines, column), column, delta=2)
            colour = np.median(lines[:, brightest(lines, column)], axis=0)
            shade = int(np.abs(colours - colour).sum(axis=1).argmin())
            self.assertAlmostEqual(shade, 255 * (level + 120) / 120, delta=6)

    async def test_controls(self):
        """They act on the analyzer, in the hands of the viewer in control."""
        async with self.serve() as server, Viewer(server.url, 0) as watch:
            async with Browser() as browser:
                page = await self.open(browser, server.url)
                await page.wait_for(f"{element('[name=size]')}.disabled")
                await page.click_element("#take")
                await page.wait_for(f"!{element('[name=size]')}.disabled")
                await self.check_fields(page, watch)
                await self.check_switches(page, watch)

    async def check_fields(self, page, watch):
        async def expect(name, value):
            await watch.wait_for(lambda: watch.texts["state"]["values"][name] == value)

        await self.enter(page, "size", "1009")
        await expect("size", "1009")
        await self.draw(page)  # goes on
        await page.type("input[name=size]", "15")
        await page.wait_for(f"{element('#status')}.innerText.includes('out of range')")
        await page.wait_for(f"{element('[name=size]')}.value === '1009'")
        await page.evaluate(CHOOSE.format(list=element("[name=detector]"), choice="max"))
        await expect("detector", "max")
        beside = element("[name=size] + select")
        await page.evaluate(CHOOSE.format(list=beside, choice="16384"))
        await expect("size", "16384")
        await self.enter(page, "channel_centre", "100.1M", "100.1 MHz")
        await self.enter(page, "channel_width", "1k", "1 kHz")
        await page.wait_for(f"{element('#channel')}.innerText.includes('100.1')")
        power = f"{element('#channel')}.rows[1].cells[1].innerText"
        await page.wait_for(f"Math.abs(Number({power}.slice(1, 5)) - {-LEVELS[1]}) < 0.2")
        await self.enter(page, "levels", "-90,-10", "-90, -10")
        await page.wait_for(f"!{element('[name=auto_levels]')}.checked")

    async def check_switches(self, page, watch):
        await page.click_element("[name=show_density]")
        switches = lambda: watch.texts["state"]["switches"]
        await watch.wait_for(lambda: not switches()["show_density"])
        await page.wait_for(f"{element('#density')}.hidden")
        await page.click_element("[name=show_max_hold]")
        await self.draw(page)
        spectrum = (await self.plots(page))["spectrum"]
        self.assertFalse(is_colour(spectrum, theme.MAX_HOLD).any())
        self.assertTrue(is_colour(spectrum, theme.AVERAGE).any())

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
        await self.draw(page, 2)
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

    async def drag(self, page, start, end):
        """Moves the mouse with its button down."""
        await page.mouse("Moved", *start)
        await page.mouse("Pressed", *start, button="left", clickCount=1)
        for share in (0.5, 1):
            at = [a + share * (b - a) for a, b in zip(start, end)]
            await page.mouse("Moved", *at, button="left", buttons=1)
        await page.mouse("Released", *end, button="left", clickCount=1)


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

    async def test_save(self):
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            folder = str(self.folder)
            await browser.call(
                "Browser.setDownloadBehavior", behavior="allow", downloadPath=folder
            )
            await page.click_element("[name=save]")
            file = self.folder / "spectrum.png"
            await wait_for(lambda: exists(file), "the picture")
            saved = np.round(255 * image.imread(file)[..., :3]).astype(int)
            height = len((await self.plots(page))["spectrum"])
            self.check_spectrum(saved[:height], await self.levels(page))

    async def test_reconnects(self):
        """To a server that comes back with the same token; not to another one."""
        token = ("--token", self.folder / "token")
        async with Browser() as browser:
            async with self.serve(*token) as server:
                page = await self.open(browser, server.url)
                port = server.port
            await page.wait_for(f"!{element('#note')}.hidden")
            async with self.serve(*token, port=port):
                await page.wait_for(f"{element('#note')}.hidden")
                await self.draw(page)
                await self.enter(page, "size", "1009")  # in control again
            async with self.serve(port=port):
                await page.wait_for(f"{element('#note')}.innerText.includes('no longer')")

    @unittest.skipUnless(shutil.which("openssl"), "no openssl makes a certificate here")
    async def test_encrypted(self):
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes")
        names = ("-keyout", key, "-out", certificate, "-subj", "/CN=localhost")
        subprocess.run([*command, *names], check=True, capture_output=True)
        files = ("--certificate", certificate, "--key", key)
        async with self.serve(*files) as server, Browser() as browser:
            self.assertTrue(server.url.startswith("https://"))
            await self.open(browser, server.url)


async def exists(file):
    """Whether a file is there."""
    return file.exists()


if __name__ == "__main__":
    unittest.main()
