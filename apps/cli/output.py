# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is written whole or not at all, checked before the work starts."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from .errors import CommandError, InputError

SHOWN_OF_NAME = 40  # letters in an unfinished file's name, which must not grow too long


class OutputFile:
    """Context manager: save() writes a temporary file beside `path`, which replaces `path`
    on exit without an exception, and keeps its mode. Devices, pipes, and what is standard
    output or error are written directly."""

    def __init__(self, path, suffix="", apart_from=()):
        """path: may be None, for no file; - is standard output. suffix: what the name must
        end in, or several. apart_from: the files that are read or written too, None for
        none.

        Raises InputError if `path` cannot be written or is one of these.
        """
        self.file = None
        if path is None:
            return
        path = "/dev/stdout" if path == "-" and not suffix else path
        if suffix and not path.lower().endswith(suffix):
            allowed = suffix if isinstance(suffix, str) else " or ".join(suffix)
            raise InputError(f"{path}: the name of the output must end in {allowed}")
        try:
            check_apart(path, apart_from)
            self._open(path)
        except ValueError as error:  # a NUL in the name
            raise InputError(f"{path!r} cannot be written: {error}") from None
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None

    def _open(self, path):
        self._path = self._part = Path(path)
        if self._path.is_dir():
            raise InputError(f"{path} is a directory, not an output file")
        stream = standard_stream(path)
        if stream is not None:
            self.file = open(os.dup(stream), "wb")  # with its place in the file
            return
        if self._path.is_file() and not os.access(self._path, os.W_OK):
            raise InputError(f"{path} cannot be written: Permission denied")
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC
        if self._path.is_file() or not self._path.exists():
            self._path = Path(os.path.realpath(path))
            beginning = self._path.name[:SHOWN_OF_NAME]
            unfinished = f".{beginning}.{secrets.token_hex(8)}.part"
            self._part = self._path.with_name(unfinished)
            flags |= os.O_EXCL | os.O_NOFOLLOW  # nobody else's file or link
        self.file = open(os.open(self._part, flags, 0o666), "wb")
        if self._part != self._path and self._path.exists():
            with suppress(OSError):  # a file system without modes
                os.fchmod(self.file.fileno(), stat.S_IMODE(self._path.stat().st_mode))

    def __enter__(self):
        return self

    def save(self, write, content):
        """Calls write(content, file); does nothing with path None."""
        if self.file is None:
            return
        try:
            write(content, self.file)
            self.file.flush()
        except OSError as error:
            raise CommandError(
                f"{self._path} cannot be written: {error.strerror}"
            ) from None

    def __exit__(self, kind, error, traceback):
        if self.file is None:
            return
        try:
            self.file.close()
            if kind is None and self._part != self._path:
                os.replace(self._part, self._path)
        except OSError as failure:
            if kind is None:
                raise CommandError(
                    f"{self._path} cannot be written: {failure.strerror}"
                ) from None
        finally:
            if self._part != self._path:
                self._part.unlink(missing_ok=True)


def standard_stream(path):
    """1 or 2 if `path` is what standard output or error is, as /dev/stdout, else None."""
    for descriptor in (1, 2):
        try:
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                return descriptor
        except OSError:  # one of them is not there
            pass
    return None


def check_apart(path, others):
    """Raises InputError if `path` is one of the files `others`, under whatever name."""
    for other in others:
        if other is not None and is_same_file(path, other):
            raise InputError(
                f"the output {path} is {other}, which the command reads or writes, too"
            )


def is_same_file(path, other):
    """Whether both names mean one file, also by links or if neither exists yet. Writing to
    a device or a pipe replaces nothing."""
    if os.path.exists(path) and not os.path.isfile(path):
        return False
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    places = (os.path.realpath(each) for each in (path, other))
    folders, names = zip(*map(os.path.split, places))
    return names[0] == names[1] and (
        folders[0] == folders[1]
        or all(map(os.path.isdir, folders))
        and os.path.samefile(*folders)
    )
