# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is written whole or not at all, checked before the work starts."""

import os
from pathlib import Path

from .errors import CommandError, InputError


class OutputFile:
    """Context manager: `file` is open for writing under another name beside `path`;
    leaving it without an exception puts it in place. With path None, `file` is None."""

    def __init__(self, path, suffix=""):
        """suffix: what the name must end in. Raises InputError if not writable."""
        self.file = None
        self._path = None if path is None else Path(path)
        if self._path is None:
            return
        if suffix and self._path.suffix.lower() != suffix:
            raise InputError(f"{path}: the name of the output must end in {suffix}")
        if self._path.is_dir():
            raise InputError(f"{path} is a directory, not an output file")
        if self._path.exists() and not os.access(self._path, os.W_OK):
            raise InputError(f"{path} cannot be written: Permission denied")
        self._part = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        try:
            self.file = open(self._part, "wb")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if self.file is None:
            return
        try:
            self.file.close()
            if kind is None:
                os.replace(self._part, self._path)
        except OSError as failure:
            raise CommandError(
                f"{self._path} cannot be written: {failure.strerror}"
            ) from None
        finally:
            if self._part.exists():
                self._part.unlink()
