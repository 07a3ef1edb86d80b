# SPDX-License-Identifier: GPL-3.0-or-later
"""The viewers of a session: what they ask for, what they get, and which of them is in
control. All work on the session is done in one thread of its own, so that a long change (of
the FFT size, say) holds up no connection."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from . import describe
from .describe import OWN_CONTROLS, WINDOW_CONTROLS
from .keys import ACTS, PLAY_ACTS
from .pacing import Pacer
from .readout import PLOTS, words_at
from .session import FRAMES_PER_SECOND, SLOW_SECONDS
from .viewer import FEWEST_COLUMNS, MOST_COLUMNS, Nonsense, parse_request

PING_SECONDS = 5
SILENT_SECONDS = 20  # then a viewer is gone
NOT_IN_CONTROL = "another viewer is in control: take control first"


class Audience:
    """Shows a running session to viewers. All of them see the same band and settings, which
    the one in control sets, each in as many columns as it has."""

    def __init__(self, session):
        self._session = session
        self._viewers = []
        self._in_control = None
        self._fault = ""  # in making the last picture
        self._thread = ThreadPoolExecutor(1)

    async def admit(self, viewer):
        """Adds a viewer, who gets control if nobody has it."""
        hello = await self._do(partial(describe.constants, self._session))
        viewer.send_text("hello", hello)
        viewer.send_text("notes", await self._notes())
        self._viewers.append(viewer)
        await self._tell_state()
        if self._in_control is None:
            self._in_control = viewer
        self._tell_control()

    def dismiss(self, viewer):
        """Removes a viewer who has left; control is free if it was in control."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)
        if self._in_control is viewer:
            self._in_control = None
        self._tell_control()

    def drop(self):
        """Drops all viewers."""
        for viewer in self._viewers:
            viewer.drop()

    def close(self):
        """Waits for what is being done. No viewer may be left."""
        self._thread.shutdown()

    async def show(self):
        """Sends pictures and texts at their rates."""
        slow = 0.0
        pacer = Pacer(FRAMES_PER_SECOND, time.monotonic())
        while True:
            start = time.monotonic()
            if self._viewers:
                await self._send_pictures()
            if start >= slow:
                slow = start + SLOW_SECONDS
                update = partial(self._session.attempt, self._session.update)
                self._fault = await self._do(update) or self._fault
                await self._tell_state()
            await asyncio.sleep(pacer.delay(time.monotonic()))

    async def watch(self):
        """Finds viewers whose machine or network is gone."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            for viewer in self._viewers:
                if time.monotonic() - viewer.heard > SILENT_SECONDS:
                    viewer.drop()
                else:
                    viewer.ping()

    async def obey(self, viewer, text):
        """Does what a message asks for. Raises Nonsense."""
        do, members = parse_request(text)
        await getattr(self, f"_{do}")(viewer, **members)

    async def _columns(self, viewer, columns):
        viewer.columns = min(max(columns, FEWEST_COLUMNS), MOST_COLUMNS)

    async def _seen(self, viewer, picture):
        viewer.see(picture)

    async def _control(self, viewer):
        self._in_control = viewer
        self._tell_control()

    async def _set(self, viewer, name, text):
        check_shared(name, self._session.fields)
        await self._act(viewer, self._session.actions.set, name, text.strip())

    async def _switch(self, viewer, name, on):
        check_shared(name, self._session.switches)
        await self._act(viewer, self._session.actions.switch, name, on)

    async def _press(self, viewer, name):
        check_shared(name, self._session.buttons)
        await self._act(viewer, self._session.actions.press, name)

    async def _band(self, viewer, low, high):
        await self._act(viewer, self._session.show_band, low, high)

    async def _key(self, viewer, key):
        if key not in ACTS and key not in PLAY_ACTS:
            raise Nonsense
        await self._act(viewer, self._session.press, key)

    async def _click(self, viewer, low, high):
        await self._act(viewer, self._session.instrument.click, low, high)

    async def _channel(self, viewer, low, high):
        await self._act(viewer, self._session.instrument.drag_channel, low, high)

    async def _seek(self, viewer, seconds):
        if self._session.transport.playback is None:
            raise Nonsense
        await self._act(viewer, self._session.transport.seek, seconds)

    async def _annotate(self, viewer, **region):
        said = []
        await self._act(viewer, lambda: said.append(self._session.annotate(**region)))
        if said:
            viewer.send_text("say", said[0])
            notes = await self._notes()
            for each in self._viewers:
                each.send_text("notes", notes)

    async def _notes(self):
        return await self._do(partial(describe.describe_notes, self._session))

    async def _point(self, viewer, plot, x, y):
        if plot not in PLOTS:
            raise Nonsense
        words = await self._do(partial(words_at, self._session, plot, x, y))
        viewer.send_text("words", words)

    async def _act(self, viewer, act, *arguments):
        """Acts for the viewer in control, and shows everybody what is in force then."""
        message = NOT_IN_CONTROL
        if viewer is self._in_control:
            act = partial(act, *arguments)
            message = await self._do(partial(self._session.attempt, act))
        if message:
            viewer.send_text("say", message)
        await self._tell_state()

    async def _do(self, act):
        """Calls act() in the thread of the session."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, act)

    async def _send_pictures(self):
        made = []
        ready = [viewer for viewer in self._viewers if viewer.is_ready()]
        columns = max(viewer.columns for viewer in self._viewers)
        make = partial(self._make_pictures, ready, columns, made)
        self._fault = await self._do(partial(self._session.attempt, make))
        for viewer, message in made:
            viewer.send_picture(message)

    def _make_pictures(self, viewers, columns, made):
        """Appends (viewer, message) to `made`."""
        session = self._session
        picture = session.take(columns)
        if picture is None:  # for those who have none yet, the one before
            picture = session.picture
            viewers = [viewer for viewer in viewers if viewer.pictures_sent == 0]
        if picture is None:
            return
        for viewer in viewers:
            made.append((viewer, viewer.encode(picture, session)))

    async def _tell_state(self):
        state = await self._do(self._state)
        for viewer in self._viewers:
            viewer.send_text("state", state)

    def _tell_control(self):
        count = len(self._viewers)
        for viewer in self._viewers:
            whose = "nobody" if self._in_control is None else "other"
            whose = "you" if viewer is self._in_control else whose
            viewer.send_text("control", {"whose": whose, "viewers": count})

    def _state(self):
        return {**describe.state(self._session), "fault": self._fault}


def check_shared(name, controls):
    """Raises Nonsense if none of these controls has this name and is shared."""
    if name not in controls or name in OWN_CONTROLS + WINDOW_CONTROLS:
        raise Nonsense
