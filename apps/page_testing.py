# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of gpufft analyzer --serve under test, in Chromium."""

import io
import unittest

import numpy as np
from matplotlib import image

from browser_testing import CHROMIUM, wait_for
from serve_testing import CENTRE, RATE, ServeTestCase

LEFT, TOP, BOTTOM = 68, 6, 24  # pixels around a plot, as in plots.js
SIZES = ((1366, 860), (1024, 640), (1920, 1080))


def element(selector):
    """An element of the page, in JavaScript."""
    return f"document.querySelector('{selector}')"


def brightest(pixels, column, reach=6):
    """The brightest column around one."""
    brightness = pixels.sum(axis=(0, 2))[column - reach : column + reach + 1]
    return column - reach + int(brightness.argmax())


@unittest.skipIf(CHROMIUM is None, "there is no Chromium here")
class PageTestCase(ServeTestCase):
    """What is done with a page."""

    async def open(self, browser, url, size=SIZES[0]):
        """A page that has pictures."""
        page = await browser.open(url, *size)
        await page.wait_for(f"{element('#peaks')}.rows.length === 3")
        await self.draw(page)
        return page

    async def draw(self, page, lines=20):
        """Waits until `lines` more pictures are drawn."""
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

    async def fix_levels(self, page, text="-110, -10"):
        """Types the spectrum's levels, and waits until it is drawn with them."""
        await self.enter(page, "levels", text)
        await page.wait_for(f"!{element('[name=auto_levels]')}.checked")
        await self.draw(page, 2)

    async def levels(self, page):
        """(lowest, highest), as the page shows them."""
        text = await page.evaluate(f"{element('[name=levels]')}.value")
        return [float(level) for level in text.split(",")]

    async def drag(self, page, start, end, **keys):
        """Moves the mouse with its button down."""
        await page.mouse("Moved", *start)
        await page.mouse("Pressed", *start, button="left", clickCount=1, **keys)
        for share in (0.5, 1):
            at = [a + share * (b - a) for a, b in zip(start, end)]
            await page.mouse("Moved", *at, button="left", buttons=1, **keys)
        await page.mouse("Released", *end, button="left", clickCount=1, **keys)
