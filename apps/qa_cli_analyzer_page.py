#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of gpufft analyzer --serve in Chromium: what its plots show, what its controls do,
several viewers, and a server that comes back."""

import shutil
import subprocess
import unittest

import numpy as np
from matplotlib import image

from browser_testing import Browser, wait_for
from cli_testing import is_colour
from page_testing import BOTTOM, SIZES, TOP, PageTestCase, brightest, element
from serve_testing import FREQUENCIES, LEVELS, Viewer
from gnuradio.gpufft.cli.analyzer import theme

GAP, FOOTER, BAR = 4, 24, 32  # pixels between plots and below, as in page.css
CHOOSE = """(list => {{
    list.value = "{choice}";
    list.dispatchEvent(new Event("change"));
}})({list})"""


class QaCliAnalyzerPage(PageTestCase):
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
        hop = element("[name=hop]")  # changes when it is about to be typed over
        await page.wait_for(f"Number({hop}.value) > 2000")
        before = await page.evaluate(f"{hop}.focus(), {hop}.select(), {hop}.value")
        await page.evaluate(CHOOSE.format(list=beside, choice="4096"))
        await page.wait_for(f"{hop}.value !== '{before}'")
        await page.call("Input.insertText", text="1024")
        await page.press("Enter", code="Enter", windowsVirtualKeyCode=13)
        await expect("overlap", "0.75")
        await page.evaluate(CHOOSE.format(list=beside, choice="16384"))
        await expect("size", "16384")
        await self.enter(page, "hop", "4096")
        await expect("overlap", "0.75")
        await page.wait_for(f"{element('[name=overlap]')}.value === '0.75'")
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

    async def test_save(self):
        async with self.serve() as server, Browser() as browser:
            page = await self.open(browser, server.url)
            await self.fix_levels(page)
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
