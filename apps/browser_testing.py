# SPDX-License-Identifier: GPL-3.0-or-later
"""Chromium under test, without a screen, by its DevTools protocol
(https://chromedevtools.github.io/devtools-protocol)."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 200  # s, for a busy machine
CHROMIUM = shutil.which("chromium")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--remote-debugging-port=0",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-renderer-backgrounding",  # pages behind others are drawn, too
    "--disable-backgrounding-occluded-windows",
    "--ignore-certificate-errors",  # of a test's own authority
    "--no-first-run",
)


async def wait_for(condition, what="condition"):
    """Waits until the awaited condition() holds, and returns its value."""
    end = time.monotonic() + PATIENCE
    while True:
        value = await condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {PATIENCE} s")
        await asyncio.sleep(0.1)


class Browser:
    """An asynchronous context manager: a running Chromium."""

    async def __aenter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [CHROMIUM, *OPTIONS, f"--user-data-dir={self._folder.name}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            from aiohttp import ClientSession

            self._session = ClientSession()
            file = Path(self._folder.name, "DevToolsActivePort")
            lines = await wait_for(lambda: read_lines(file), "Chromium's start")
            address = f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            self._socket = await self._session.ws_connect(address, max_msg_size=0)
            self._numbers = itertools.count(1)
            self._answers = {}
            self._reader = asyncio.create_task(self._read())
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(self, *_):
        self._reader.cancel()
        await self._socket.close()
        await self._end()

    async def _end(self):
        await self._session.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._folder.cleanup()

    async def _read(self):
        async for message in self._socket:
            answer = json.loads(message.data)
            if "id" in answer:
                self._answers.pop(answer["id"]).set_result(answer)

    async def call(self, method, page=None, **parameters):
        """The result of a method of the protocol."""
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        request = {"id": number, "method": method, "params": parameters}
        if page is not None:
            request["sessionId"] = page
        await self._socket.send_json(request)
        answer = await asyncio.wait_for(self._answers[number], PATIENCE)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    async def open(self, url, width=1366, height=860):
        """A page in a window of this size."""
        target = await self.call("Target.createTarget", url="about:blank", newWindow=True)
        attached = await self.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        page = Page(self, attached["sessionId"], target["targetId"])
        await page.resize(width, height)
        await page.go(url)
        return page


async def read_lines(file):
    """The lines of a file that is whole, or None."""
    lines = file.read_text().split("\n") if file.exists() else []
    return lines if len(lines) == 2 else None


class Page:
    """A page of the browser."""

    def __init__(self, browser, session, target):
        self._browser = browser
        self._session = session
        self._target = target

    async def call(self, method, **parameters):
        """The result of a method of the protocol."""
        return await self._browser.call(method, self._session, **parameters)

    async def go(self, url):
        """Loads an address."""
        await self.call("Page.navigate", url=url)

    async def resize(self, width, height):
        """Sets the size of the page."""
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    async def close(self):
        """Closes the page."""
        await self._browser.call("Target.closeTarget", targetId=self._target)

    async def evaluate(self, expression):
        """The value of a JavaScript expression; promises are awaited."""
        result = await self.call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    async def wait_for(self, expression):
        """Waits until the expression holds; elements may not be there yet."""
        guarded = f"(() => {{ try {{ return {expression} }} catch {{ return null }} }})()"
        return await wait_for(lambda: self.evaluate(guarded), expression)

    async def screenshot(self):
        """The page as PNG."""
        result = await self.call("Page.captureScreenshot", format="png")
        return base64.b64decode(result["data"])

    async def mouse(self, kind, x, y, **parameters):
        """An event of the mouse: Moved, Pressed, Released, Wheel."""
        await self.call(
            "Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **parameters
        )

    async def click(self, x, y, count=1):
        """Clicks `count` times at a place, without a pause between the clicks."""
        events = (
            self.mouse(kind, x, y, button="left", clickCount=number)
            for number in range(1, count + 1)
            for kind in ("Pressed", "Released")
        )
        await asyncio.gather(*events)

    async def click_element(self, selector):
        """Clicks on an element."""
        await self.click(*await self.centre(selector))

    async def centre(self, selector):
        """The centre of an element, which is brought into view."""
        return await self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )

    async def type(self, selector, text):
        """Types a text into a field in place of the one there, and Enter."""
        element = f"document.querySelector({json.dumps(selector)})"
        await self.evaluate(f"{element}.focus(); {element}.select()")
        await self.call("Input.insertText", text=text)
        await self.press("Enter", code="Enter", windowsVirtualKeyCode=13)

    async def press(self, key, **parameters):
        """Presses a key."""
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, **parameters)
