# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording: which bytes of a file are samples, their format, rate and frequency."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from . import sigmf, wav
from .errors import InputError
from .formats import EXTENSIONS, check_format, sample_bytes
from .quantities import parse_number, parse_positive


@dataclass
class Recording:
    """Samples in a file. `rate` (Hz) and `frequency` (Hz) are None where nobody said."""

    path: Path
    format: str
    rate: Optional[float] = None
    frequency: Optional[float] = None
    offset: int = 0  # bytes before the first sample
    samples: int = 0
    notes: list = field(default_factory=list)  # for stderr, one line each
    files: tuple = ()  # all that was read: the samples, the metadata

    @property
    def is_real(self):
        """Whether its samples are real numbers, not complex ones."""
        return self.format.startswith("r")


def open_recording(name, format=None, rate=None, frequency=None):
    """Finds out what the file `name` holds.

    name: SigMF (.sigmf-meta, .sigmf-data or base name), .wav, or raw by extension.
    format, rate, frequency: texts from the user, which take precedence.
    Raises InputError if the file is missing, unreadable, empty or of unknown format.
    """
    if format is not None:
        check_format(format)
    path = sigmf.find_metadata(Path(name)) or Path(name)
    check_readable(path)
    if path.suffix == ".sigmf-meta":
        description = sigmf.read(path)
    elif path.suffix.lower() in (".wav", ".wave", ".rf64"):
        description = wav.read(path)
    else:
        description = {"path": path, "format": format or format_of(path)}
    data_bytes = description.pop("bytes", None)
    recording = Recording(**description, files=(path, description["path"]))
    check_readable(recording.path)
    if format is not None:
        recording.format = format
    if rate is not None:
        recording.rate = parse_positive(rate, "--rate")
    if frequency is not None:
        recording.frequency = parse_number(frequency, "--freq")
    count_samples(recording, data_bytes)
    return recording


def check_readable(path):
    """Raises InputError unless `path` is a file that can be opened."""
    if path.is_dir():
        raise InputError(f"{path} is a directory, not a recording")
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe may block
            raise InputError(
                f"{path} is a pipe or a device, not a recording: save it first"
            )
        with open(path, "rb"):
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
            f"with --format, or use {', '.join(EXTENSIONS)}, .wav or "
            f".sigmf-meta"
        ) from None


def count_samples(recording, data_bytes):
    """Fills in `samples` from the file's size and, if not None, its header's."""
    available = max(0, os.path.getsize(recording.path) - recording.offset)
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
