# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording: which bytes of a file are samples, their format, rate and frequency."""

import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from . import blue, names, sigmf, wav
from .errors import InputError
from .formats import EXTENSIONS, check_format, is_real, sample_bytes
from .quantities import HERTZ, parse_number, parse_rate, printable
from .urls import path_of

STANDARD_INPUT = ("-", "/dev/stdin")
WAV_EXTENSIONS = (".wav", ".wave", ".rf64")
UNKNOWN_SIZE = (
    0x7FFF0000  # bytes or more: what programs write into a WAV header on a pipe
)


@dataclass
class Recording:
    """Samples in a file, or in a stream: then `descriptor` is that of the open pipe or device.
    `rate` (Hz) and `frequency` (Hz) are None where nobody said, `samples` where a stream
    has no known end."""

    path: Path  # or a UrlPath
    format: str
    rate: Optional[float] = None
    frequency: Optional[float] = None
    offset: int = 0  # bytes before the first sample
    samples: Optional[int] = 0
    notes: list = field(default_factory=list)  # for stderr, one line each
    files: tuple = ()  # all that was read: the samples, the metadata
    descriptor: Optional[int] = None

    @property
    def title(self):
        """The file's name for pictures and windows."""
        return printable(self.path.name)

    @property
    def is_real(self):
        """Whether its samples are real numbers, not complex ones."""
        return is_real(self.format)


def open_recording(
    name, format=None, rate=None, frequency=None, streams=False, urls=False
):
    """Finds out what the file `name` holds.

    name: SigMF (.sigmf-meta, .sigmf-data or base name), .wav, Blue, or raw by extension;
    with `streams` also "-" for standard input, a pipe or a device; with `urls` also a URL.
    format, rate, frequency: texts from the user, which take precedence over the header, and
    that over the file's name.
    Raises InputError if the file is missing, unreadable, empty or of unknown format.
    """
    if format is not None:
        check_format(format)
    path = path_of(name) if urls else check_local(name)
    path = sigmf.find_metadata(path) or path
    said = {"format": format, "rate": rate, "frequency": frequency}
    given = [key for key, value in said.items() if value is not None]
    if streams and (name in STANDARD_INPUT or is_pipe(path)):
        recording = open_stream(name, format)
    else:
        recording = open_file(path, format, given)
    if rate is not None:
        recording.rate = parse_rate(rate, "--rate")
    if frequency is not None:
        recording.frequency = parse_number(frequency, "--freq", HERTZ)
    if recording.rate is None and recording.frequency is not None:
        recording.frequency = None
        recording.notes.append(
            f"{path}: the centre frequency is left out, as the sample rate is unknown: give "
            f"it with --rate"
        )
    return recording


def check_local(name):
    """The Path that a name means. Raises InputError if it is a URL."""
    if "://" in name:
        raise InputError(
            f"{name} is a URL: only gpufft spectrum --cluster reads these, and --cluster "
            f"local does so on this machine"
        )
    return Path(name)


def is_pipe(path):
    """Whether `path` is a pipe or a device with samples."""
    is_other = path.exists() and not path.is_file() and not path.is_dir()
    return is_other and path.suffix != ".sigmf-meta"


def open_file(path, format, given):
    """A recording in a file; given: names of the fields that the user says."""
    check_readable(path)
    try:
        header = read_header(path, given)
    except OSError as error:  # of a disk
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    facts = {**names.read(path.name), "path": path}
    facts |= {key: value for key, value in header.items() if value is not None}
    facts["format"] = format or facts.get("format") or format_of(path)
    data_bytes = facts.pop("bytes", None)
    recording = Recording(**facts, files=(path, facts["path"]))
    check_readable(recording.path)
    count_samples(recording, data_bytes)
    return recording


def read_header(path, given):
    """What the file says itself: a dict of Recording's fields, empty for a raw file."""
    if path.suffix == ".sigmf-meta":
        return sigmf.read(path, given)
    if path.suffix.lower() in WAV_EXTENSIONS:
        return wav.read(path)
    if path.suffix.lower() not in EXTENSIONS and blue.is_blue(path):
        return blue.read(path)
    return {}


def open_stream(name, format):
    """Samples from a pipe or a device: of `format`, or with the header of a WAV file."""
    is_standard = name in STANDARD_INPUT
    path = Path("standard input" if is_standard else name)
    if is_standard and sys.stdin is None:
        raise InputError(f"{path} cannot be read: it is closed")
    # Opening a pipe does not wait for its other end, reading does, but for no longer than
    # StreamSource says.
    try:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = sys.stdin.fileno() if is_standard else os.open(name, flags)
    except (OSError, ValueError, AttributeError) as error:  # no standard input
        raise InputError(f"{path} cannot be read: {error}") from None
    try:
        return recording_of(path, descriptor, format)
    except BaseException:
        if not is_standard:
            os.close(descriptor)
        raise


def recording_of(path, descriptor, format):
    """The recording that comes from an open pipe or device."""
    if os.isatty(descriptor):
        raise InputError(f"{path} is a terminal: send samples to it through a pipe")
    format = format or EXTENSIONS.get(path.suffix.lower())
    if format is not None:
        return Recording(path, format, samples=None, files=(path,), descriptor=descriptor)
    os.set_blocking(descriptor, True)
    return open_wav_stream(path, descriptor)


def open_wav_stream(path, descriptor):
    """A WAV file that comes through a pipe."""
    with open(descriptor, "rb", buffering=0, closefd=False) as file:
        try:
            facts = wav.read_header(path, file)
        except InputError as error:
            raise InputError(f"{error}; a pipe with raw samples needs --format") from None
    data_bytes = facts.pop("bytes")
    if data_bytes is None or data_bytes >= UNKNOWN_SIZE:
        samples = None
    else:
        samples = data_bytes // sample_bytes(facts["format"])
    return Recording(**facts, samples=samples, files=(path,), descriptor=descriptor)


def check_readable(path):
    """Raises InputError unless `path` is a file that can be opened."""
    if path.is_dir():
        raise InputError(f"{path} is a directory, not a recording")
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe may block
            raise InputError(
                f"{path} is a pipe or a device, not a recording: save it first"
            )
        with path.open("rb"):
            pass
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} cannot be read: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def format_of(path):
    """Format of a raw file by its extension."""
    try:
        return EXTENSIONS[path.suffix.lower()]
    except KeyError:
        raise InputError(
            f"{path}: the extension {path.suffix!r} gives no sample format: name it "
            f"with --format, or use {', '.join(EXTENSIONS)}, .wav, Blue "
            f"or .sigmf-meta"
        ) from None


def count_samples(recording, data_bytes):
    """Fills in `samples` from the file's size and, if not None, its header's."""
    available = max(0, recording.path.stat().st_size - recording.offset)
    if data_bytes is not None:
        if data_bytes > available:
            recording.notes.append(
                f"{recording.path} is cut short: {available} of "
                f"{data_bytes} bytes of samples are there"
            )
        available = min(available, data_bytes)
    size = sample_bytes(recording.format)
    recording.samples, rest = divmod(available, size)
    if recording.samples == 0:
        raise InputError(
            f"{recording.path} holds no samples: {available} bytes of "
            f"{recording.format} ({size} bytes a sample)"
        )
    if rest:
        recording.notes.append(
            f"{recording.path}: the last {rest} of {available} bytes are no whole "
            f"{recording.format} sample ({size} bytes) and are left out; "
            f"{recording.samples} samples are used"
        )
