# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is written whole or not at all, checked before the work starts."""

import os
from pathlib import Path

from .errors import CommandError, InputError


class OutputFile:
    """Context manager: save() writes under another name beside `path`; leaving it without
    an exception puts that in place. A device or a pipe is written to directly."""

    def __init__(self, path, suffix=""):
        """path: may be None, for no file. suffix: what the name must end in.

        Raises InputError if it cannot be written.
        """
        self.file = None
        if path is None:
            return
        if suffix and not path.lower().endswith(suffix):
            raise InputError(f"{path}: the name of the output must end in {suffix}")
        self._path = self._part = Path(os.path.realpath(path))
        if self._path.is_dir():
            raise InputError(f"{path} is a directory, not an output file")
        if self._path.is_file() and not os.access(self._path, os.W_OK):
            raise InputError(f"{path} cannot be written: Permission denied")
        if self._path.is_file() or not self._path.exists():
            self._part = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        try:
            self.file = open(self._part, "wb")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None

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
