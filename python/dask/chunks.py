# SPDX-License-Identifier: GPL-3.0-or-later
"""A chunk of a recording, and the task that computes its rows on a worker."""

import hashlib
import io
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Optional

import numpy as np
from gnuradio import gr

from gnuradio.gpufft.cli.errors import CommandError, InputError
from gnuradio.gpufft.cli.flowgraph import SpectrumFlowgraph, make_spectrum
from gnuradio.gpufft.cli.formats import sample_bytes
from gnuradio.gpufft.cli.recording import Recording
from gnuradio.gpufft.cli.urls import UrlPath, path_of

from . import wisdom

HEAD_BYTES = 1 << 16  # that tell one file from another
PIECE_BYTES = 1 << 20  # that are copied at once


@dataclass(frozen=True)
class Chunk:
    """Whole rows of a recording."""

    path: str  # or a URL
    identity: Any  # of the client's file
    format: str
    offset: int  # bytes before the first sample
    samples: int
    rows: int
    band: slice  # the bins that are wanted
    parameters: dict  # of the block power_spectrum
    wisdom: Optional[str]  # key of the client's wisdom, on the CPU
    data: Optional[bytes] = None  # the samples, if the client sends them

    @property
    def bytes(self):
        """Of its samples."""
        return self.samples * sample_bytes(self.format)


@dataclass(frozen=True)
class Unreadable:
    """What a task returns if it cannot read the client's file."""

    reason: str

    def __str__(self):
        return self.reason


def absolute(path):
    """The name of a recording's file for other processes."""
    return str(path) if isinstance(path, UrlPath) else os.path.abspath(path)


def identity(path):
    """What a file and its copies have in common, but other files do not."""
    about = path.stat()
    if isinstance(path, UrlPath):
        return about.st_size
    with path.open("rb") as file:
        head = hashlib.sha256(file.read(HEAD_BYTES)).hexdigest()
    return about.st_size, int(about.st_mtime), head


def loaded(chunk):
    """The chunk with its samples in it."""
    data = io.BytesIO()
    try:
        copy_samples(chunk, data)
    except OSError as error:
        raise CommandError(f"{chunk.path} cannot be read: {error.strerror}") from None
    return replace(chunk, data=data.getvalue())


def copy_samples(chunk, file):
    """Writes the samples of a chunk, or those that are there, to a file."""
    left = chunk.bytes
    with path_of(chunk.path).open("rb") as source:
        source.seek(chunk.offset)
        while left > 0 and (piece := source.read(min(left, PIECE_BYTES))):
            file.write(piece)
            left -= len(piece)


def compute(chunk):
    """The task: float32 rows of the band, or Unreadable."""
    try:
        with local_file(chunk) as (path, offset):
            return rows_of(chunk, Recording(path, chunk.format, offset=offset))
    except OSError as error:
        return Unreadable(f"{chunk.path} cannot be read: {error.strerror or error}")
    except InputError as error:
        return Unreadable(str(error))


def rows_of(chunk, recording):
    """The rows of a recording that begins with the chunk."""
    rows = [np.empty((0, chunk.band.stop - chunk.band.start), np.float32)]
    with wisdom.PLANNING, only_warnings():
        if chunk.wisdom is not None:
            wisdom.use(chunk.wisdom)
        spectrum = make_spectrum(chunk.format, nthreads=1, **chunk.parameters)
    graph = SpectrumFlowgraph(
        recording,
        0,
        chunk.samples,
        spectrum,
        lambda more: rows.append(more[:, chunk.band].copy()),
    )
    graph.run()
    if spectrum.error() or graph.sink.error:
        raise RuntimeError(spectrum.error() or graph.sink.error)
    return np.concatenate(rows)


@contextmanager
def only_warnings():
    """A block that is made meanwhile does not log its engine: there is one a chunk."""
    log = gr.logging()
    before = log.default_level()
    log.set_default_level(gr.log_levels.warn)
    try:
        yield
    finally:
        log.set_default_level(before)


@contextmanager
def local_file(chunk):
    """(path, bytes before the first sample) of a file with the chunk. Raises OSError or
    InputError."""
    path = path_of(chunk.path)
    if chunk.data is None and identity(path) != chunk.identity:
        raise InputError(f"{chunk.path} is another file there")
    if chunk.data is None and isinstance(path, Path):
        yield path, chunk.offset
        return
    with tempfile.NamedTemporaryFile(prefix="gpufft-") as file:
        if chunk.data is None:
            copy_samples(chunk, file)
        else:
            file.write(chunk.data)
        file.flush()
        yield Path(file.name), 0
