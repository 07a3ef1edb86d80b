# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the analyzer's samples come from. Each source has GNU Radio blocks that give
items of its format, and `is_live`: whether samples that are not read in time are lost."""

import hashlib
import importlib
import math
from contextlib import contextmanager
from pathlib import Path

from gnuradio import blocks, gpufft

from .. import wideband_scene
from ..errors import CommandError, InputError
from ..formats import check_format, item_bytes, sample_bytes
from ..output import OutputFile
from ..quantities import format_frequency, parse_number, parse_positive
from ..recording import open_recording
from ..spectrum import warn

SCENE_SECONDS = 1.0
NO_AUTOMATIC_GAIN = "the receiver has no automatic gain: set the gain with --gain"
ZMQ_TIMEOUT_MS = 100
ZMQ_CHECKED_MESSAGES, ZMQ_CHECK_MS = 10, 300


class Source:
    """name: for display; rate, frequency: Hz, or None if unknown; samples: until the end, or
    None for no end; blocks: a chain of GNU Radio blocks whose items have the format.

    Blocks after the chain may be replaced while it runs, so its last block gives whole
    samples only: I and Q of interleaved integers stay together."""

    is_live = False
    is_tunable = False
    samples = None
    files = ()  # that are read

    def __init__(self, name, format, rate, frequency, blocks):
        self.name = name
        self.format = format
        self.rate = rate
        self.frequency = frequency
        self.items_per_sample = sample_bytes(format) // item_bytes(format)
        self.blocks = blocks
        self.blocks[-1].set_output_multiple(self.items_per_sample)
        self.notes = []  # for stderr, one line each

    def is_read(self):
        """Whether all samples have been read."""
        return False


class FileSource(Source):
    """A recording, once or in a loop."""

    def __init__(self, recording, loop):
        item = item_bytes(recording.format)
        unit = math.gcd(recording.offset, item)  # headers need not be whole items
        self._units = recording.samples * sample_bytes(recording.format) // unit
        source = blocks.file_source(
            unit, str(recording.path), loop, recording.offset // unit, self._units
        )
        regroup = (blocks.stream_to_vector(unit, item // unit),) if unit < item else ()
        super().__init__(
            recording.path.name,
            recording.format,
            recording.rate,
            recording.frequency,
            (source, *regroup),
        )
        self.notes = recording.notes
        self.files = recording.files
        self.samples = None if loop else recording.samples
        self._read, self._read_before = 0, 0  # units

    def is_read(self):
        read = self.blocks[0].nitems_written(0)
        if read < self._read:  # the flowgraph has changed, and counts from 0
            self._read_before += self._read
        self._read = read
        return self.samples is not None and self._read_before + read >= self._units


class ZmqSource(Source):
    """The samples of a ZeroMQ PUB socket, e.g. GNU Radio's PUB Sink. They are read as bytes:
    GNU Radio's source of items ends at a message with a part of an item."""

    is_live = True

    def __init__(self, address, format, rate, frequency):
        zeromq = import_part("zeromq", "ZeroMQ", "gnuradio")
        item, sample = item_bytes(format), sample_bytes(format)
        try:
            source = zeromq.sub_source(1, 1, address, ZMQ_TIMEOUT_MS, False)
        except RuntimeError as error:
            raise InputError(
                f"--zmq {address!r} cannot be used: {error} (write it like "
                f"tcp://host:5555)"
            ) from None
        check_messages(address, format)
        whole = (
            blocks.stream_to_vector(1, sample),
            blocks.vector_to_stream(item, sample // item),
        )
        super().__init__(f"ZeroMQ {address}", format, rate, frequency, (source, *whole))


class RadioSource(Source):
    """A receiver that can be tuned; complex64."""

    is_live = True
    is_tunable = True

    def __init__(self, name, block, rate, frequency):
        super().__init__(name, "cf32", rate, frequency, (block,))

    def tune(self, frequency):
        """Moves the centre to `frequency` in Hz. Raises CommandError."""
        with told(f"the receiver refuses {format_frequency(frequency)}"):
            self._set_frequency(frequency)
        self.frequency = frequency

    def _set_frequency(self, frequency):
        raise NotImplementedError


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


def check_messages(address, format):
    """Raises InputError if a message ends within a sample: a subscriber that joins after
    it takes second halves of samples for first ones. Checks the messages that come soon."""
    try:
        import zmq
    except ImportError:
        return
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SUBSCRIBE, b"")
        socket.connect(address)
        for _ in range(ZMQ_CHECKED_MESSAGES):
            if not socket.poll(ZMQ_CHECK_MS):
                return
            length = len(socket.recv())
            if length % sample_bytes(format):
                raise InputError(
                    f"--zmq {address!r}: a message has {length} bytes, no whole number "
                    f"of {format} samples ({sample_bytes(format)} bytes); let the "
                    f"publisher send whole ones (in GNU Radio: Stream to Vector before "
                    f"the PUB Sink)"
                )


def import_part(part, name, package):
    """The module gnuradio.`part`."""
    try:
        return importlib.import_module(f"gnuradio.{part}")
    except ImportError:
        raise CommandError(
            f"{name} needs GNU Radio's part gr-{part}, which is missing: on Debian "
            f"install {package}"
        ) from None


@contextmanager
def told(failure):
    """Turns a receiver's refusal into one line: RuntimeError comes from the driver,
    ValueError from GNU Radio's block for what the driver cannot do."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise CommandError(f"{failure}: {' '.join(str(error).split())}") from None


def make_source(arguments):
    """The source that the command line names."""
    if arguments.zmq is not None:
        return ZmqSource(arguments.zmq, *stream_facts(arguments, "--zmq"))
    if arguments.soapy is not None:
        return SoapySource(arguments.soapy, *radio_facts(arguments, "--soapy"))
    if arguments.uhd is not None:
        return UhdSource(arguments.uhd, *radio_facts(arguments, "--uhd"))
    if arguments.file is None:
        return make_scene_source()
    recording = open_recording(
        arguments.file, arguments.format, arguments.rate, arguments.freq
    )
    return FileSource(recording, not arguments.once)


def stream_facts(arguments, option):
    """(format, rate, frequency) of a stream that does not carry them."""
    if arguments.format is None:
        raise InputError(f"{option} needs --format, the format of the samples")
    rate = None if arguments.rate is None else parse_positive(arguments.rate, "--rate")
    frequency = None if arguments.freq is None else parse_number(arguments.freq, "--freq")
    return check_format(arguments.format), rate, frequency


def radio_facts(arguments, option):
    """(rate, frequency, gain) for a radio; gain None is automatic."""
    if arguments.rate is None or arguments.freq is None:
        raise InputError(f"{option} needs --rate and --freq")
    gain = None if arguments.gain is None else parse_number(arguments.gain, "--gain")
    return (
        parse_positive(arguments.rate, "--rate"),
        parse_number(arguments.freq, "--freq"),
        gain,
    )


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
