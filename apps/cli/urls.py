# SPDX-License-Identifier: GPL-3.0-or-later
"""Files behind URLs (s3://, https://, ssh://, ...), which fsspec opens: as much of pathlib's
Path as recordings need."""

import stat
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

from .errors import InputError


def path_of(name):
    """A Path, or a UrlPath if the name is a URL."""
    return UrlPath(name) if "://" in name else Path(name)


class UrlPath:
    """A file at a URL; what fails is an InputError."""

    def __init__(self, url):
        self._url = str(url)
        self._place, mark, query = self._url.partition("?")
        self._query = mark + query
        path = PurePosixPath(self._place.partition("://")[2])
        self.name, self.stem, self.suffix = path.name, path.stem, path.suffix

    def __str__(self):
        return self._url

    def __fspath__(self):  # which is no file's name on this machine
        return self._url

    def with_name(self, name):
        """Another file beside it."""
        return UrlPath(f"{self._place.rpartition('/')[0]}/{name}{self._query}")

    def with_suffix(self, suffix):
        """The file beside it whose name has another end."""
        return self.with_name(self.stem + suffix)

    @cached_property
    def _opened(self):
        """(file system, path in it)."""
        with self._told():
            import fsspec  # it takes a tenth of a second

            return fsspec.core.url_to_fs(self._url)

    def exists(self):
        """Whether there is a file or a folder."""
        files, path = self._opened
        with self._told():
            return files.exists(path)

    @cached_property
    def _kind(self):
        files, path = self._opened
        with self._told():
            about = files.info(path)
        if about["type"] != "directory" and about["size"] is None:
            raise InputError(f"{self} cannot be read: its server does not say its size")
        return about

    def is_dir(self):
        """Whether it is a folder."""
        return self.exists() and self._kind["type"] == "directory"

    def is_file(self):
        """Whether it is a file."""
        return self.exists() and self._kind["type"] != "directory"

    def stat(self):
        """Its size, and that it is a file."""
        return SimpleNamespace(st_size=self._kind["size"], st_mode=stat.S_IFREG)

    def open(self, mode):
        """The file, opened."""
        files, path = self._opened
        with self._told():
            return files.open(path, mode)

    def read_text(self, encoding):
        """The whole file."""
        with self._told(), self.open("rb") as file:
            return file.read().decode(encoding)

    @contextmanager
    def _told(self):
        """Makes the errors of fsspec, of any kind, one line."""
        try:
            yield
        except (InputError, UnicodeError):
            raise
        except FileNotFoundError:
            raise InputError(f"{self} cannot be read: there is no such file") from None
        except Exception as error:
            reason = str(error) or repr(error)
            raise InputError(f"{self} cannot be read: {reason}") from None
