# SPDX-License-Identifier: GPL-3.0-or-later
"""What each control does to a session, and the current values of all of them."""

from ..errors import InputError
from ..quantities import HERTZ, parse_levels, parse_number, parse_positive
from . import measure, settings
from .receiver import OFF
from .theme import COLOUR_MAPS

LEVELS_EXAMPLE = "e.g. -120, 0"

# Of the transform and traces: control -> check of its text; named as in Settings.
CHECKS = {
    "size": settings.check_size,
    "window": settings.check_window,
    "overlap": settings.check_overlap,
    "hop": settings.check_hop,
    "average": settings.check_average,
    "detector": settings.check_detector,
    "averaging": settings.check_seconds,
    "persistence": settings.check_seconds,
}


class Actions:
    """The controls of a session, by the names that the panel gives them."""

    def __init__(self, session):
        self._session = session
        self._flowgraph = session.flowgraph

    def set(self, name, text):
        """Applies a field's text. Raises CommandError, and changes nothing then."""
        if name in CHECKS:
            self._change_settings(name, CHECKS[name](text, name))
        else:
            getattr(self, f"_change_{name}")(text)

    def switch(self, name, is_on):
        """Applies a ticked or unticked box."""
        self._session.switches[name] = is_on
        if name == "show_density":
            self._flowgraph.set_counting(is_on)
        elif name == "pause":
            self._session.transport.pause(is_on)
        elif name == "show_channel":
            self._session.instrument.show_channel(is_on)
        elif name == "recording":
            self._session.recordings.record(is_on)

    def press(self, name):
        """Acts on a pressed button."""
        getattr(self, f"_press_{name}")()

    def values(self):
        """The text in force of each field, by its name."""
        session, now = self._session, self._flowgraph.settings
        values = {}
        for name in CHECKS:
            value = getattr(now, name)
            values[name] = "auto" if value is None else f"{value}"
        values["overlap"] = f"{now.overlap:.6g}"
        axis = session.axis
        low, high = (edge * axis.divisor for edge in session.band)
        bandwidth = now.resolution_bandwidth(axis.rate)
        values["rbw"] = axis.text(bandwidth, 4)
        values["centre"] = axis.text((low + high) / 2, 9)
        values["span"] = axis.text(high - low, 6)
        values["levels"] = levels_text(session.levels)
        levels = session.fixed_waterfall_levels
        values["waterfall_levels"] = "auto" if levels is None else levels_text(levels)
        values["colours"] = session.colour_map
        values.update(self._channel_values())
        values.update(self._radio_values())
        values.update(session.transport.values())
        return {name: text for name, text in values.items() if name in session.fields}

    def _channel_values(self):
        instrument, axis = self._session.instrument, self._session.axis
        channel = instrument.channel
        centre = width = ""
        if channel is not None:
            centre = axis.text((channel.low + channel.high) / 2, 9)
            width = axis.text(channel.width, 6)
        share = f"{instrument.share:g}"
        return {"channel_centre": centre, "channel_width": width, "share": share}

    def _radio_values(self):
        receiver, recordings = self._session.receiver, self._session.recordings
        return {
            "demodulate": receiver.mode,
            "audio_to": receiver.output,
            "volume": f"{receiver.volume:g}",
            "squelch": level_text(receiver.squelch),
            "recorded": recordings.kind,
            "trigger": level_text(recordings.trigger),
        }

    def _change_demodulate(self, text):
        self._session.receiver.set_mode(text)

    def _change_audio_to(self, text):
        self._session.receiver.set_output(text)

    def _change_volume(self, text):
        self._session.receiver.set_volume(text)

    def _change_squelch(self, text):
        self._session.receiver.set_squelch(text)

    def _change_recorded(self, text):
        self._session.recordings.set_kind(text)

    def _change_trigger(self, text):
        self._session.recordings.set_trigger(text)

    def _change_settings(self, name, value):
        """Changes one of Settings. A new size or window needs a new axis or peak shape.
        A hop is kept as the overlap, which stays when the size changes."""
        if name == "hop":
            name, value = "overlap", self._flowgraph.settings.overlap_of(value, name)
        self._flowgraph.change(**{name: value})
        if name in ("size", "window"):
            self._session.follow_size()
        if name in ("window", "detector", "average", "overlap"):
            self._session.restart_traces()

    def _change_rbw(self, text):
        bandwidth = parse_positive(text, "resolution", HERTZ)
        size = self._flowgraph.settings.size_for(bandwidth, self._session.axis.rate)
        self._change_settings("size", size)

    def _change_centre(self, text):
        low, high = self._session.band
        middle = parse_number(text, "centre", HERTZ) / self._session.axis.divisor
        self._session.show_band(middle - (high - low) / 2, middle + (high - low) / 2)

    def _change_span(self, text):
        low, high = self._session.band
        span = parse_positive(text, "span", HERTZ) / self._session.axis.divisor
        self._session.show_band((low + high - span) / 2, (low + high + span) / 2)

    def _change_tune(self, text):
        self._flowgraph.source.tune(parse_number(text, "tune", HERTZ))
        self._session.follow_size()
        self._session.restart_traces()
        self._session.show_full_band()
        self._session.instrument.keep_channel_inside()

    def _change_levels(self, text):
        self._session.fix_levels(*parse_levels(text, "levels", LEVELS_EXAMPLE))

    def _change_waterfall_levels(self, text):
        levels = None
        if text != "auto":
            levels = parse_levels(text, "waterfall levels", LEVELS_EXAMPLE)
        self._session.fixed_waterfall_levels = levels

    def _change_colours(self, text):
        if text not in COLOUR_MAPS:
            raise InputError(f"colours {text!r}: use {', '.join(COLOUR_MAPS)}")
        self._session.colour_map = text

    def _change_channel_centre(self, text):
        middle = parse_number(text, "centre", HERTZ)
        self._set_channel(middle, self._channel_band()[1])

    def _change_channel_width(self, text):
        width = parse_positive(text, "width", HERTZ)
        self._set_channel(self._channel_band()[0], width)

    def _channel_band(self):
        """(centre, width) of the channel, in Hz; it is made if there is none."""
        instrument = self._session.instrument
        if instrument.channel is None:
            instrument.show_channel(True)
        channel = instrument.channel
        return (channel.low + channel.high) / 2, channel.width

    def _set_channel(self, middle, width):
        lowest, highest = self._session.trace.band
        if not lowest <= middle <= highest:
            words = self._session.axis.text
            raise InputError(
                f"centre {words(middle)} is outside the stream's band: "
                f"{words(lowest)} to {words(highest)}"
            )
        self._session.instrument.set_channel(middle - width / 2, middle + width / 2)

    def _change_share(self, text):
        self._session.instrument.set_share(measure.check_share(text, "share"))

    def _change_speed(self, text):
        self._session.transport.set_speed(text)

    def _change_position(self, text):
        self._session.transport.set_position(text)

    def _change_loop(self, text):
        self._session.transport.set_loop(text)

    def _press_full_span(self):
        self._session.show_full_band()

    def _press_restart(self):
        self._session.restart_traces()


def level_text(level):
    """E.g. "-60"; "off" for None."""
    return OFF if level is None else f"{level:g}"


def levels_text(levels):
    """E.g. "-120, 0"."""
    return "{:g}, {:g}".format(*levels)
