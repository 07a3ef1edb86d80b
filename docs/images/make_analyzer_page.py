#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures the page of gpufft analyzer --serve, in Chromium, with the built-in scene.

    docs/images/make_analyzer_page.py [FILE]

writes docs/images/analyzer_page.png, or FILE. The command is GPUFFT_COMMAND (default: gpufft
on the path).
"""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "apps"))

from browser_testing import Browser  # noqa: E402

FILE = PROJECT / "docs" / "images" / "analyzer_page.png"
WIDTH, HEIGHT = 1366, 860
LEFT, PANEL = 68, 268  # pixels beside the plots
LOW, HIGH = 95.0, 105.0  # MHz, of the scene
MARKED, POINTED = (97.5, 98.0), 100.7  # MHz
SECONDS = 12  # that the waterfall shows


def column(megahertz):
    """Pixels from the left."""
    width = WIDTH - PANEL - LEFT
    return LEFT + (megahertz - LOW) / (HIGH - LOW) * width


async def take_picture(url, file):
    """Opens the page, sets markers, and waits for a full waterfall."""
    async with Browser() as browser:
        page = await browser.open(url, WIDTH, HEIGHT)
        await page.wait_for("document.querySelector('#peaks').rows.length > 4")
        for number, megahertz in enumerate(MARKED, 1):
            await page.press(str(number))
            await page.click(column(megahertz), 250)
            await page.wait_for(
                f"document.querySelector('#markers').innerText.includes('M{number}')"
            )
        await page.press("d")
        await asyncio.sleep(SECONDS)
        await page.mouse("Moved", column(POINTED), 650)
        await page.wait_for("document.querySelector('#readout').innerText")
        Path(file).write_bytes(await page.screenshot())


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else FILE
    command = os.environ.get("GPUFFT_COMMAND", "gpufft")
    with subprocess.Popen(
        [command, "analyzer", "--serve", "0"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            asyncio.run(take_picture(server.stdout.readline().strip(), file))
        finally:
            server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
