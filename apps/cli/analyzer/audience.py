# SPDX-License-Identifier: GPL-3.0-or-later
"""The viewers of a session: what they ask for, what they get, and which of them is in
control. All work on the session is done in one thread of its own, so that a long change (of
the FFT size, say) holds up no connection."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial

from . import theme
from .readout import channel_rows
from .screen import FAINTEST_SHARE
from .session import FRAMES_PER_SECOND, SLOW_SECONDS
from .viewer import FEWEST_COLUMNS, MOST_COLUMNS, Nonsense, parse_request
from .wire import LOWEST, SHADES, STEP

PING_SECONDS = 5
SILENT_SECONDS = 20  # then a viewer is gone
# What each page does for itself; all other controls are shared.
OWN_CONTROLS = (
    "show_average",
    "show_max_hold",
    "show_min_hold",
    "show_peaks",
    "show_waterfall",
    "pause",
    "save",
)
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
        viewer.send_text("hello", await self._do(self._hello))
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
        while True:
            start = time.monotonic()
            if self._viewers:
                await self._send_pictures()
            if start >= slow:
                slow = start + SLOW_SECONDS
                update = partial(self._session.attempt, self._session.update)
                self._fault = await self._do(update) or self._fault
                await self._tell_state()
            await asyncio.sleep(max(0, start + 1 / FRAMES_PER_SECOND - time.monotonic()))

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
        now = time.monotonic()
        for viewer in viewers:
            message = viewer.encode(picture, session, now)
            made.append((viewer, message))

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

    def _hello(self):
        """What does not change."""
        colours = {**theme.colours(), "OVER_IMAGE": theme.OVER_IMAGE}
        maps = {name: theme.lookup_table(name).ravel() for name in theme.COLOUR_MAPS}
        return {
            "name": self._session.flowgraph.source.name,
            "panel": [describe_group(group) for group in self._session.panel],
            "colours": {name.lower(): colour for name, colour in colours.items()},
            "colour_maps": {name: colours.tolist() for name, colours in maps.items()},
            "faintest_share": FAINTEST_SHARE,
            "density_shades": SHADES,
            "lowest": LOWEST,
            "step": STEP,
        }

    def _state(self):
        """What changes."""
        session = self._session
        axis = session.axis
        return {
            "axis": {**asdict(axis), "low": axis.low, "high": axis.high},
            "band": session.band,
            "levels": session.levels,
            "waterfall_levels": session.waterfall_levels,
            "colour_map": session.colour_map,
            "switches": {
                name: is_on
                for name, is_on in session.switches.items()
                if name not in OWN_CONTROLS
            },
            "values": session.actions.values(),
            "status": session.status,
            "notice": session.notice,
            "fault": self._fault,
            "peaks": [
                [peak.frequency / axis.divisor, peak.level, *texts]
                for peak, texts in zip(session.peaks, session.peak_texts())
            ],
            "channel": describe_channel(session),
        }


def check_shared(name, controls):
    """Raises Nonsense if none of these controls has this name, or a page does it itself."""
    if name not in controls or name in OWN_CONTROLS:
        raise Nonsense


def describe_channel(session):
    """What the channel measures, and its bands in the axis' unit; None if it is hidden."""
    instrument, axis = session.instrument, session.axis
    channel, measured = instrument.channel, instrument.measured
    if measured is None:
        return None
    powers = measured.lower, measured.upper
    beside = [
        band for band, power in zip(channel.neighbours(), powers) if power is not None
    ]
    bands = {
        "channel": [(channel.low, channel.high)],
        "neighbours": beside,
        "occupied": [] if measured.occupied is None else [measured.occupied],
    }
    detector = session.flowgraph.settings.detector
    return {
        **{
            name: [[edge / axis.divisor for edge in band] for band in each]
            for name, each in bands.items()
        },
        "rows": channel_rows(channel, measured, instrument.share, detector, axis),
    }


def describe_group(group):
    """A group of controls as JSON."""
    controls = [
        {
            "kind": type(control).__name__.lower(),
            "is_shared": control.name not in OWN_CONTROLS,
            **asdict(control),
        }
        for control in group.controls
    ]
    return {"title": group.title, "controls": controls}
