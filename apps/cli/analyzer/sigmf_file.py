# SPDX-License-Identifier: GPL-3.0-or-later
"""A SigMF recording (https://sigmf.org) that is complete at any time: the metadata are there
before the first sample, and only whole samples stay."""

import json
import os
from datetime import datetime, timedelta, timezone

from ..errors import CommandError, InputError
from ..formats import SIGMF_DATATYPES
from ..output import OutputFile

MOST_OF_A_NAME = 1000  # recordings that may begin at the same millisecond


class SigmfFile:
    """A recording that grows. A gap in the stream, or another frequency, begins another
    capture segment. One thread at a time may use it."""

    def __init__(self, folder, sample_bytes, facts, frequency, age):
        """facts: SigMF's global object; frequency: in Hz or None; age: seconds since the
        first sample. Raises InputError if the files cannot be written."""
        self._sample_bytes = sample_bytes
        self._facts = facts
        self._captures = []
        self._next = frequency, age  # the capture that begins with the next sample
        self._written = 0  # bytes
        self.path = None  # without suffix
        try:
            self._open(folder, file_name(frequency, time_of(age)))
        except OSError as error:
            raise InputError(
                f"{folder} cannot take recordings: {error.strerror}"
            ) from None
        try:
            self._begin_capture()
        except CommandError:
            self._file.close()
            os.remove(self._file.name)
            raise

    def _open(self, folder, name):
        """Neither file may exist."""
        for number in range(1, MOST_OF_A_NAME):
            self.path = folder / (name if number == 1 else f"{name}_{number}")
            if os.path.exists(f"{self.path}.sigmf-meta"):
                continue
            try:
                self._file = open(f"{self.path}.sigmf-data", "xb", buffering=0)
                return
            except FileExistsError:
                continue
        raise InputError(f"{folder} holds {MOST_OF_A_NAME} recordings named {name}")

    @property
    def samples(self):
        """Samples that are written."""
        return self._written // self._sample_bytes

    def cut(self, frequency, age=0.0):
        """The next sample does not follow the last one, or has another frequency."""
        self._next = frequency, age

    def write(self, data):
        """Appends the bytes of whole samples. Raises CommandError; then the file is closed,
        with the whole samples that came in."""
        try:
            if self._next is not None:
                self._begin_capture()
            rest = memoryview(data).cast("B")
            while rest:
                count = self._file.write(rest)
                self._written += count
                rest = rest[count:]
        except OSError as error:
            self._end_with_whole_sample()
            raise CommandError(
                f"the recording {self.path} has ended: {error.strerror}"
            ) from None
        except CommandError:  # of the metadata
            self._end_with_whole_sample()
            raise

    def _end_with_whole_sample(self):
        self._written = self.samples * self._sample_bytes
        try:
            self._file.truncate(self._written)
            self._file.close()
        except OSError:  # the disk that has just failed
            pass

    def close(self):
        """Ends the recording. Raises CommandError."""
        try:
            self._file.close()
        except OSError as error:
            raise CommandError(f"{self.path}: {error.strerror}") from None

    def _begin_capture(self):
        frequency, age = self._next
        self._next = None
        capture = {
            "core:sample_start": self.samples,
            "core:datetime": stamp(time_of(age)),
        }
        if frequency is not None:
            capture["core:frequency"] = frequency
        if self._captures and self._captures[-1]["core:sample_start"] == self.samples:
            self._captures.pop()  # without a sample
        self._captures.append(capture)
        metadata = {"global": self._facts, "captures": self._captures, "annotations": []}
        text = json.dumps(metadata, indent=2) + "\n"
        with OutputFile(f"{self.path}.sigmf-meta") as meta:
            meta.save(lambda words, file: file.write(words.encode()), text)


def datatype(format):
    """SigMF's name of a format. Raises InputError if it has none."""
    names = {ours: theirs for theirs, ours in SIGMF_DATATYPES.items()}
    if format not in names:
        raise InputError(f"SigMF has no samples of format {format}: record the channel")
    return names[format]


def time_of(age):
    """The time that many seconds ago."""
    return datetime.now(timezone.utc) - timedelta(seconds=age)


def stamp(time):
    """As SigMF has it."""
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def file_name(frequency, time):
    """E.g. 2026-05-01T12-34-56.789Z_98500000Hz: a name in any file system."""
    name = stamp(time).replace(":", "-")
    return name if frequency is None else f"{name}_{round(frequency)}Hz"
