# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the analyzer's samples come from: files, receivers, the built-in scene, and those of
network.py."""

import hashlib
from pathlib import Path

from gnuradio import gpufft

from .. import wideband_scene
from ..errors import CommandError, InputError
from ..formats import check_format
from ..output import OutputFile
from ..quantities import (
    DECIBEL,
    HERTZ,
    format_frequency,
    parse_number,
    parse_rate,
)
from ..recording import open_recording
from ..spectrum import warn
from .network import PipeSource, RtlTcpSource, TcpSource, UdpSource, ZmqSource
from .playback import Playback
from .playback_blocks import FrameSource, SampleFile, SampleTap
from .source import RadioSource, Source, import_part, told

SCENE_SECONDS = 1.0
NO_AUTOMATIC_GAIN = "the receiver has no automatic gain: set the gain with --gain"


class FileSource(Source):
    """A recording, once or in a loop, where its `playback` is. The transform takes
    make_frames(); `blocks` give the plain samples that are played."""

    def __init__(self, recording, loop):
        self.playback = Playback(recording.samples, recording.rate, loop)
        self._file = SampleFile(recording, self.playback)
        super().__init__(
            recording.title,
            recording.format,
            recording.rate,
            recording.frequency,
            (SampleTap(self._file, self.playback),),
        )
        self.recording = recording
        self.notes = recording.notes
        self.files = recording.files
        self.samples = None if loop else recording.samples

    def make_frames(self, size, hop):
        """A block that gives frames of `size` samples, `hop` apart, end to end."""
        return FrameSource(self._file, self.playback, size, hop)

    def set_tapped(self, is_tapped):
        """Whether `blocks` are read; what plays waits for them then."""
        self.playback.set_tap(self.blocks[0] if is_tapped else None)

    def is_read(self):
        return self.playback.has_ended and self.blocks[0].waiting == 0


class SoapySource(RadioSource):
    """A receiver by SoapySDR; `device` as "driver=rtlsdr"."""

    def __init__(self, device, rate, frequency, gain):
        soapy = import_part("soapy", "SoapySDR", "gnuradio")
        with told(f"--soapy {device!r} cannot be opened"):
            self._radio = soapy.source(device, "fc32", 1, "", "", [""], [""])
        with told(f"--soapy {device!r} refuses --rate, --freq or --gain"):
            self._radio.set_sample_rate(0, rate)
            self._set_frequency(frequency)
            has_automatic = self._radio.has_gain_mode(0)
            if gain is not None:
                self._radio.set_gain(0, gain)
            elif has_automatic:
                self._radio.set_gain_mode(0, True)
            actual = self._radio.get_sample_rate(0)
        super().__init__(f"SoapySDR {device}", self._radio, actual, frequency)
        if gain is None and not has_automatic:
            self.notes.append(NO_AUTOMATIC_GAIN)

    def _set_frequency(self, frequency):
        self._radio.set_frequency(0, frequency)


class UhdSource(RadioSource):
    """A receiver by UHD; `device` as "type=b200"."""

    def __init__(self, device, rate, frequency, gain):
        uhd = import_part("uhd", "UHD", "gnuradio")
        with told(f"--uhd {device!r} cannot be opened"):
            self._radio = uhd.usrp_source(
                device, uhd.stream_args(cpu_format="fc32", channels=[0])
            )
        with told(f"--uhd {device!r} refuses --rate, --freq or --gain"):
            self._radio.set_samp_rate(rate)
            self._set_frequency(frequency)
            has_gain = gain is None and self._has_automatic_gain()
            if gain is not None:
                self._radio.set_gain(gain, 0)
            actual = self._radio.get_samp_rate()
        super().__init__(f"UHD {device}", self._radio, actual, frequency)
        if gain is None and not has_gain:
            self.notes.append(NO_AUTOMATIC_GAIN)

    def _has_automatic_gain(self):
        """Tries to turn automatic gain on: UHD offers no query for it."""
        try:
            self._radio.set_rx_agc(True, 0)
        except (RuntimeError, ValueError):
            return False
        return True

    def _set_frequency(self, frequency):
        self._radio.set_center_freq(frequency, 0)


def make_source(arguments):
    """The source that the command line names."""
    for name, (kind, facts) in NAMED.items():
        value = getattr(arguments, name)
        if value is not None:
            return kind(value, *facts(arguments, f"--{name.replace('_', '-')}"))
    if arguments.file is None:
        return make_scene_source()
    recording = open_recording(
        arguments.file, arguments.format, arguments.rate, arguments.freq, streams=True
    )
    if recording.descriptor is not None:
        return PipeSource(recording)
    return FileSource(recording, not arguments.once)


def stream_facts(arguments, option):
    """(format, rate, frequency) of a stream that does not carry them; without a rate the
    frequency is left out, as the axis is in cycles a sample."""
    if arguments.format is None:
        raise InputError(f"{option} needs --format, the format of the samples")
    rate, frequency = arguments.rate, arguments.freq
    if frequency is not None:
        frequency = parse_number(frequency, "--freq", HERTZ)
    if rate is None:
        return check_format(arguments.format), None, None
    return check_format(arguments.format), parse_rate(rate, "--rate"), frequency


def radio_facts(arguments, option):
    """(rate, frequency, gain) for a radio; gain None is automatic."""
    if arguments.rate is None or arguments.freq is None:
        raise InputError(f"{option} needs --rate and --freq")
    gain = arguments.gain
    return (
        parse_rate(arguments.rate, "--rate"),
        parse_number(arguments.freq, "--freq", HERTZ),
        None if gain is None else parse_number(gain, "--gain", DECIBEL),
    )


# option: (class of the source, what it needs of the command line)
NAMED = {
    "soapy": (SoapySource, radio_facts),
    "uhd": (UhdSource, radio_facts),
    "zmq": (ZmqSource, stream_facts),
    "udp": (UdpSource, stream_facts),
    "tcp": (TcpSource, stream_facts),
    "rtl_tcp": (RtlTcpSource, radio_facts),
}


def make_scene_source():
    """The built-in scene, made at its first use and kept with the compiled kernels."""
    base = scene_base()
    if not Path(f"{base}.sigmf-meta").exists():
        warn("making the built-in scene, which is kept for the next time")
        try:
            make_scene(base)
        except OSError as error:
            raise CommandError(
                f"the built-in scene cannot be kept as {base}: {error.strerror}; name a "
                f"recording, or another GPUFFT_CACHE_DIR"
            ) from None
    source = FileSource(open_recording(f"{base}.sigmf-meta"), True)
    source.name = f"built-in scene at {format_frequency(source.frequency)}"
    return source


def scene_base():
    """Where the scene is kept; the name changes with the program that makes it.

    Raises CommandError if nothing may be kept there."""
    directory = gpufft.cache_directory()
    if not directory:
        reason = gpufft.query_cache()["reason"] or "HOME is not set"
        raise CommandError(
            f"there is no place for the built-in scene ({reason}): name a recording, or "
            f"another GPUFFT_CACHE_DIR"
        )
    program = Path(wideband_scene.__file__).read_bytes()
    mark = hashlib.sha256(program).hexdigest()[:8]
    return Path(directory) / f"scene_{mark}"


def make_scene(base):
    """Writes the scene; other processes never see half of it."""
    make_private(base.parent)
    samples = round(SCENE_SECONDS * wideband_scene.RATE)
    with OutputFile(f"{base}.sigmf-meta") as meta:
        with OutputFile(f"{base}.sigmf-data") as data:
            wideband_scene.WidebandScene(data.file, samples).write()
        wideband_scene.write_metadata(meta.file, samples)


def make_private(folder):
    """Makes a folder, and those above it, for this user alone."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(0o700, exist_ok=True)
