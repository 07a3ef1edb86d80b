# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves the analyzer's page and its WebSockets, to those who know the token."""

import asyncio
import contextlib
import logging
import signal
import socket
import time
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, http_exceptions, web

from ..errors import CommandError
from ..spectrum import warn
from .audience import Audience
from .viewer import LONGEST_REQUEST, Nonsense, Viewer

PAGE = Path(__file__).parent / "page"
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class PageServer:
    """Serves a running session."""

    def __init__(self, session, access):
        self._audience = Audience(session)
        self._access = access
        self._files = {file.name: file for file in PAGE.iterdir() if file.suffix in KINDS}
        self._files[""] = self._files.pop("index.html")
        self._application = web.Application()
        self._application.router.add_get("/{token}/stream", self._stream)
        self._application.router.add_get("/{token}/{name:[^/]*}", self._file)
        self._application.router.add_route("*", "/{rest:.*}", self._refuse)

    async def run(self, seconds):
        """Serves until Ctrl-C or SIGTERM, or for `seconds`. Raises CommandError."""
        end = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, end.set)
        logging.getLogger("aiohttp.server").addFilter(is_fault)
        runner = web.AppRunner(self._application, access_log=None)
        await runner.setup()
        tasks = []
        try:
            await self._open(runner)
            waits = (end.wait(), self._audience.show(), self._audience.watch())
            tasks = [asyncio.create_task(each) for each in waits]
            done, _ = await asyncio.wait(
                tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()  # raises what ended it
        finally:
            for task in tasks:
                task.cancel()
            self._audience.drop()
            await runner.cleanup()
            self._audience.close()

    async def _open(self, runner):
        """Listens, and prints the page's address."""
        access = self._access
        site = web.TCPSite(
            runner,
            access.host,
            access.port,
            shutdown_timeout=1,  # s, which viewers get to leave
            ssl_context=access.encryption,
        )
        try:
            await site.start()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            if isinstance(error, (socket.gaierror, UnicodeError)):
                reason = f"the host is unknown ({reason})"
            raise CommandError(f"--serve {access.host}:{access.port}: {reason}") from None
        if access.is_readable():
            warn(
                "the network carries the page and its token readable: give --certificate "
                "and --key, or serve at 127.0.0.1 and forward the port by ssh -L"
            )
        print(access.url(runner.addresses[0][1]), flush=True)

    def _check(self, request):
        """Refuses who does not know the token."""
        if not self._access.admits(request.match_info["token"]):
            raise web.HTTPForbidden(headers=HEADERS)

    async def _refuse(self, _request):
        raise web.HTTPForbidden(headers=HEADERS)

    async def _file(self, request):
        """A file of the page."""
        self._check(request)
        file = self._files.get(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound(headers=HEADERS)
        return web.Response(
            text=file.read_text(encoding="utf-8"),
            content_type=KINDS[file.suffix],
            headers=HEADERS,
        )

    async def _stream(self, request):
        """The WebSocket of a viewer, as long as it lasts."""
        self._check(request)
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(headers=HEADERS)
        connection = web.WebSocketResponse(
            autoping=False, max_msg_size=LONGEST_REQUEST, compress=False
        )
        await connection.prepare(request)
        viewer = Viewer(connection, request.transport, time.monotonic())
        sender = asyncio.create_task(viewer.send())
        try:
            await self._audience.admit(viewer)
            await self._listen(viewer)
        finally:
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await sender
            self._audience.dismiss(viewer)
        return connection

    async def _listen(self, viewer):
        """Obeys a viewer until it leaves; one that sends nonsense has to."""
        async for message in viewer.socket:
            viewer.heard = time.monotonic()
            if message.type == WSMsgType.PING:
                await viewer.socket.pong(message.data)
            elif message.type == WSMsgType.TEXT:
                try:
                    await self._audience.obey(viewer, message.data)
                except Nonsense:
                    await viewer.socket.close(code=WSCloseCode.POLICY_VIOLATION)
            elif message.type != WSMsgType.PONG:
                await viewer.socket.close(code=WSCloseCode.UNSUPPORTED_DATA)


def is_fault(record):
    """Whether what aiohttp logs is a fault of this program, not of what strangers send, or of
    who leaves before the answer."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, (http_exceptions.HttpProcessingError, ConnectionError))
