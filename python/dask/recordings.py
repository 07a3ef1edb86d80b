# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of power of recordings, computed by the workers of a cluster.

A recording is cut into chunks of whole rows, which overlap by what frames share. A task runs
the flowgraph of `gpufft spectrum` on a chunk, and the rows come back in order.
"""

import asyncio
import time
import warnings
from collections import deque
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

import distributed
import numpy as np

from gnuradio.gpufft.cli.band import Band, choose_band
from gnuradio.gpufft.cli.drawing import spectrum_parameters
from gnuradio.gpufft.cli.errors import CommandError, NoCluster
from gnuradio.gpufft.cli.formats import sample_bytes
from gnuradio.gpufft.cli.framing import Framing, make_framing
from gnuradio.gpufft.cli.main import make_parser
from gnuradio.gpufft.cli.on_cluster import check_device, plan_here
from gnuradio.gpufft.cli.recording import Recording, open_recording

from . import chunks, cluster, wisdom
from .crew import POLL, Crew

CHUNK_BYTES = 32 << 20  # of samples, about: a tenth of a second for a core
IN_FLIGHT = 2  # chunks for each thread of the workers
BYTES_SENT = 256 << 20  # of chunks that the client sends, at a time
HOLDS = {"max": np.fmax, "min": np.fmin}


@dataclass(eq=False)
class Job:
    """The rows of one recording."""

    recording: Recording
    framing: Optional[Framing] = None
    band: Optional[Band] = None
    parameters: Optional[dict] = None  # of the block power_spectrum
    is_sent: bool = False  # by the client: the workers cannot read the file
    error: Optional[CommandError] = None  # instead of the rest


class Flight(NamedTuple):
    """A chunk that is computed."""

    job: Job
    chunk: Any  # or an error
    future: Any  # or an error
    workers: list  # addresses of those that may compute it


def make_job(recording, arguments):
    """The job that the command line says, planned by FFTW. Raises InputError as the command
    does."""
    framing = make_framing(recording, arguments)
    band = choose_band(recording, framing.size, arguments.centre, arguments.span)
    parameters = spectrum_parameters(recording, framing, arguments)
    plan_here(recording, parameters)
    return Job(recording, framing, band, parameters)


def power_rows(client, names, **options):
    """Yields (job, rows): mean power of recordings, in order, a chunk at a time.

    Args:
        client: a distributed.Client, as cluster.connect() gives it
        names: of files, or URLs that fsspec knows
        options: those of `gpufft spectrum` that say what the file holds, how it is
            transformed and which band is shown: rate=2.4e6, size=4096, average=100, ...

    The rows are float32 (rows x bins of job.band), linear, in full scale squared (per Hz if
    the sample rate is known). job.recording and job.framing say the rest.
    """
    options = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    arguments = make_parser().parse_args(["spectrum", *options, *map(str, names)])
    check_device(arguments.device)
    facts = arguments.format, arguments.rate, arguments.freq
    recordings = [open_recording(name, *facts, urls=True) for name in arguments.files]
    jobs = [make_job(recording, arguments) for recording in recordings]
    rows = RowQueue(client, jobs, arguments.engine)
    try:
        for job in jobs:
            for each in rows.of(job.recording):
                yield job, each
    finally:
        rows.close()


class RowQueue:
    """Chunks in flight, of one recording after the other: the next recordings are computed
    while the caller is busy with one."""

    def __init__(self, client, jobs, engine="auto", tell=lambda line: None):
        """jobs: an iterable. engine: "auto" takes the GPU if every worker has one, so that
        all rows have the same bits. tell: is called with lines for the user."""
        self._client, self._tell = client, tell
        self._flight = deque()  # of Flight
        self._again = deque()  # of (job, chunk) that come before the others
        self._chunks = ((job, each) for job in jobs for each in self._cut(job))
        self._compute = cluster.checked(chunks.compute)
        self._address = client.scheduler.address
        with self._scheduler_errors():
            self._crew = Crew(client, engine, tell)
        self.engine = self._crew.engine

    def _cut(self, job):
        """The chunks of a job, or its error: that counts when its turn comes."""
        if job.error is not None:
            yield job.error
            return
        framing, recording = job.framing, job.recording
        parameters = {**job.parameters, "engine": self.engine, "hold": "none"}
        key = wisdom.publish(self._client) if self.engine == "cpu" else None
        row = framing.average * framing.hop
        size = sample_bytes(recording.format)
        rows = max(1, CHUNK_BYTES // (row * size))
        try:
            identity = chunks.identity(recording.path)
        except (OSError, CommandError):  # sending the chunks says so in their turn
            identity = None
        for first in range(0, framing.rows, rows):
            count = min(rows, framing.rows - first)
            yield chunks.Chunk(
                path=chunks.absolute(recording.path),
                identity=identity,
                format=recording.format,
                offset=recording.offset + (framing.first + first * row) * size,
                samples=(count * framing.average - 1) * framing.hop + framing.size,
                rows=count,
                band=job.band.slice,
                parameters=parameters,
                wisdom=key,
            )

    def of(self, recording, progress=lambda: None):
        """Yields arrays of rows of one recording, in order. Recordings come in the order of
        the jobs; those before it are done, or given up. Fewer rows come if the file has
        become shorter. progress: is called now and then while it waits."""
        held, is_told = None, False
        with self._scheduler_errors():
            self._drop_until(recording)
            while self._fill(progress) and self._flight[0].job.recording is recording:
                job, chunk, *_ = flight = self._flight[0]
                rows = self._result(flight, progress)
                if rows is None:
                    self._submit_again()
                    continue
                if isinstance(rows, chunks.Unreadable):
                    self._send(job, rows)
                    continue
                self._flight.popleft()
                if not (is_told or job.is_sent):
                    self._tell(f"{recording.path}: the workers read it themselves")
                is_told = True
                held = rows = held_rows(job, held, rows)
                yield rows
                if len(rows) < chunk.rows:
                    return

    def close(self):
        """Drops what is in flight: Dask cancels tasks whose result nobody holds."""
        self._flight.clear()

    def _drop_until(self, recording):
        """Gives up the recordings before this one."""
        while self._flight and self._flight[0].job.recording is not recording:
            self._flight.popleft()
        while not self._flight and (each := self._next()) is not None:
            if each[0].recording is recording:
                self._again.appendleft(each)
                break

    def _next(self):
        """(job, chunk) to submit, or None."""
        return self._again.popleft() if self._again else next(self._chunks, None)

    def _fill(self, progress):
        """Submits chunks, as many as may be in flight; returns whether one is."""
        crew = self._crew.look()
        while self._has_room(crew) and (each := self._next()) is not None:
            while not crew:
                progress()
                time.sleep(POLL)
                crew = self._crew.look()
            self._submit(*each, list(crew))
        return len(self._flight) > 0

    def _has_room(self, crew):
        """Whether one chunk more may be in flight."""
        sent = sum(each.chunk.bytes for each in self._flight if each.job.is_sent)
        most = max(1, IN_FLIGHT * sum(crew.values()))
        return len(self._flight) < most and sent < BYTES_SENT

    def _submit(self, job, chunk, workers):
        try:
            if job.error is not None:
                raise job.error
            task = chunks.loaded(chunk) if job.is_sent else chunk
            with warnings.catch_warnings():  # of the size of what is sent
                warnings.simplefilter("ignore", UserWarning)
                future = self._client.submit(
                    self._compute, task, workers=workers, pure=False
                )
        except CommandError as error:  # it counts when the recording's turn comes
            future = error
        self._flight.append(Flight(job, chunk, future, workers))

    def _send(self, job, reason):
        """From now on the client sends a job's chunks, those in flight, too."""
        if job.is_sent:
            raise CommandError(f"{job.recording.path} could not be computed: {reason}")
        self._tell(f"{job.recording.path}: sent to the workers, as {reason}")
        job.is_sent = True
        self._submit_again()

    def _submit_again(self):
        """Takes back what is in flight."""
        self._again.extendleft(each[:2] for each in reversed(self._flight))
        self.close()

    def _result(self, flight, progress):
        """What a task returned; None if those that may compute it have left. Raises
        CommandError if it failed."""
        job, _, future, workers = flight
        if isinstance(future, CommandError):
            raise future
        result = asyncio.run_coroutine_threadsafe(
            self._client.gather(future, asynchronous=True), self._client.loop.asyncio_loop
        )
        try:
            while not wait([result], timeout=POLL).done:
                progress()
                crew = self._crew.look()
                if crew and not crew.keys() & workers:
                    return None
        finally:
            result.cancel()  # no effect if it is there
        error = result.exception()
        if error is not None and future.status == "error":
            reason = " ".join(str(error).split())
            raise CommandError(f"{job.recording.path} could not be computed: {reason}")
        return result.result()

    @contextmanager
    def _scheduler_errors(self):
        """Makes the end of the scheduler an error of the command."""
        try:
            yield
        except (asyncio.CancelledError, distributed.CancelledError, OSError) as error:
            raise NoCluster(
                f"the Dask scheduler at {self._address} is gone, or has dropped the tasks: "
                f"{error}"
            ) from None


def held_rows(job, before, rows):
    """Rows after --hold, which goes on from the rows before them, None at first."""
    hold = HOLDS.get(job.parameters["hold"])
    if hold is None:
        return rows
    before = rows[:1] if before is None else before[-1:]
    return hold.accumulate(np.concatenate((before, rows)))[1:]
