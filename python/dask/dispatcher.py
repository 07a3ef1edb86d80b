# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks on the way to the workers of a cluster, and their results on the way back.

A coroutine in the client's event loop sees each chunk through: it sends the chunk
straight to a worker, has the function computed there, and fetches the result. If that
worker is lost, it begins again with another.
"""

import asyncio
import collections
import contextlib
import math
import time
from concurrent import futures

import distributed
import numpy as np
from dask.base import is_dask_collection
from distributed.worker import get_data_from_worker
from gnuradio import gr

from .cluster import ClusterError, checked

WATCH_INTERVAL = 0.5  # s, between two looks at which workers are there
PAUSE = 0.2  # s, before a chunk whose worker was lost goes to another
MOST_FAILURES = 3  # tasks that a worker does not run, until it is refused


class Dispatcher:
    """Computes chunks on the workers of a client. One chunk may take several attempts."""

    def __init__(self, client, function, out_type, patience):
        self._client = client
        self._address = getattr(client.scheduler, "address", "(closed before)")
        self._function = checked(Task(function, out_type))
        self._patience = patience
        self._threads = {}  # of each worker that is there, by its address
        self._refused = {}  # why a worker is refused, by its address
        self._failures = collections.Counter()  # tasks that did not run, by the same
        self._silent = {}  # when a transfer took too long, by the worker's address
        self._chunks_at = collections.Counter()  # chunks in flight at each worker
        self._looked = 0.0  # when the workers were looked for last
        self._trouble = ""  # what went wrong last
        self._progress = 0.0  # when the last result came

    def submit(self, chunk):
        """A concurrent future for the function's result."""
        coroutine = self._see_through(chunk)
        try:
            loop = self._client.loop.asyncio_loop
            future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        except RuntimeError:  # it is closed
            coroutine.close()
            return failed(self._closed())
        future.submitted = time.monotonic()
        return future

    def _closed(self):
        return ClusterError(
            f"the connection to the Dask scheduler at {self._address} is closed"
        )

    def check_open(self):
        """Raises ClusterError if the client is closed."""
        if self._client.status in ("closing", "closed"):
            raise self._closed()

    def check(self, future):
        """Raises ClusterError if there is no more hope for a result."""
        self.check_open()
        if time.monotonic() - max(future.submitted, self._progress) > self._patience:
            raise ClusterError(
                f"no result for {self._patience:g} s from {self._address} with "
                f"{len(self._threads)} workers: "
                f"{self._trouble or 'no worker has finished a chunk'}"
            )

    async def _see_through(self, chunk):
        """The result of a chunk, after as many attempts as it takes."""
        failed_at = None
        while True:
            await self._look()
            worker = self._choose_worker(failed_at)
            if worker is not None:
                self._chunks_at[worker] += 1
                try:
                    result = await self._attempt(chunk, worker)
                    self._progress = time.monotonic()
                    return result
                except LostError as error:
                    self._trouble, failed_at = str(error), worker
                finally:
                    self._chunks_at[worker] -= 1
            await asyncio.sleep(PAUSE)

    async def _look(self):
        """Keeps account of the workers that run."""
        if time.monotonic() - self._looked < WATCH_INTERVAL:
            return
        self._looked = time.monotonic()
        try:
            self._threads = await self._client.scheduler.ncores_running(workers=None)
        except (OSError, AttributeError):
            pass  # not connected
        for notes in (self._refused, self._failures, self._silent):
            for worker in notes.keys() - self._threads.keys():
                del notes[worker]

    def _choose_worker(self, last):
        """The worker with the fewest chunks for its threads, rather not `last` nor one that
        was silent; None if there is none."""
        late = time.monotonic() - self._patience
        workers = [each for each in self._threads if each not in self._refused]
        return min(
            workers,
            key=lambda each: (
                each == last or self._silent.get(each, late) > late,
                self._chunks_at[each] / self._threads[each],
            ),
            default=None,
        )

    async def _attempt(self, chunk, worker):
        """The result of a chunk, computed by this worker."""
        limit = self._patience / 2
        options = {"workers": [worker], "direct": True, "hash": False}
        try:
            scatter = self._client.scatter(chunk, **options)
            data = await self._while_there(worker, scatter, limit)
            future = self._client.submit(
                self._function, data, workers=[worker], pure=False
            )
            await self._while_computing(worker, distributed.wait(future))
            if future.status == "error":
                self._blame(worker, await future.exception())
            fetch = self._fetch(future.key, worker)
            return await self._while_there(worker, fetch, limit)
        except (ClusterError, LostError):
            raise
        except Exception as error:  # of any kind, when a worker dies at any moment
            reason = str(error) or type(error).__name__
            raise LostError(f"worker {worker}: {reason}") from None

    async def _while_there(self, worker, coroutine, limit=math.inf):
        """Awaits a step of an attempt. Raises LostError if the worker is lost, if it was
        found silent meanwhile, or after `limit` seconds: then it is silent. A frozen one
        keeps its connections."""
        begin = time.monotonic()
        step = asyncio.ensure_future(coroutine)
        try:
            while not step.done():
                await asyncio.wait([step], timeout=WATCH_INTERVAL)
                await self._look()
                if step.done():
                    break
                if worker not in self._threads:
                    raise LostError(f"worker {worker} has left")
                if time.monotonic() - begin > limit:
                    self._silent[worker] = time.monotonic()
                if self._silent.get(worker, begin) > begin:
                    raise LostError(
                        f"worker {worker} has been silent for {self._patience / 2:g} s"
                    )
            if step.cancelled():
                raise LostError(f"Dask has lost a chunk at worker {worker}")
            return step.result()
        finally:
            step.cancel()  # nobody waits for it: a frozen worker may hold that up

    async def _while_computing(self, worker, coroutine):
        """_while_there() for a step that may take long, if the worker answers meanwhile."""
        pulse = asyncio.ensure_future(self._feel_pulse(worker))
        try:
            await self._while_there(worker, coroutine)
        finally:
            pulse.cancel()

    async def _feel_pulse(self, worker):
        """Asks a worker now and then, and notes when it does not answer."""
        pause = self._patience / 4
        while True:
            await asyncio.sleep(pause)
            answer = asyncio.ensure_future(self._ping(worker))
            try:
                await asyncio.wait([answer], timeout=pause)
                if not answer.done():
                    self._silent[worker] = time.monotonic()
            finally:
                answer.cancel()

    async def _ping(self, worker):
        """Returns when a worker answers, or cannot be reached: then the scheduler knows."""
        with contextlib.suppress(Exception):
            await self._client.rpc(worker).identity()

    async def _fetch(self, key, worker):
        """A result, from the worker that has it. The client's gather() fetches several
        results at once: one from a frozen worker would delay all."""
        while True:
            answer = await get_data_from_worker(self._client.rpc, [key], worker)
            if answer["status"] != "busy":
                return answer["data"][key]
            await asyncio.sleep(PAUSE)

    def _blame(self, worker, error):
        """Raises LostError for a task that failed if it may succeed elsewhere, else
        ClusterError."""
        if isinstance(error, Failure):
            self._explain(error, worker)
        reason = str(error) or type(error).__name__
        if isinstance(error, ImportError):
            self._refuse(worker, reason)
        elif not isinstance(error, (MemoryError, distributed.KilledWorker)):
            reason = (
                f"worker {worker} cannot run tasks ({type(error).__name__}: {error}): "
                f"install the same versions of Python and Dask on both"
            )
            self._failures[worker] += 1
            if self._failures[worker] == MOST_FAILURES:
                self._refuse(worker, reason)
        raise LostError(reason)

    def _explain(self, failure, worker):
        """_blame() for an exception of the function."""
        reason = f"worker {worker}: {failure.text or failure.kind}"
        if failure.lacks_module:
            self._refuse(worker, reason)
        if failure.lacks_module or failure.lacks_memory:
            raise LostError(reason)
        raise ClusterError(
            f"the function failed on worker {worker}: {failure.kind}: {failure.text}"
        )

    def _refuse(self, worker, reason):
        """Gives a worker no more chunks."""
        if worker not in self._refused:
            self._refused[worker] = reason
            gr.logger("stream_map").warn(f"refused: {reason}")


def failed(error):
    """A future that has ended with an error."""
    future = futures.Future()
    future.set_exception(error)
    return future


class LostError(Exception):
    """An attempt that came to nothing, through no fault of the function."""


class Failure(Exception):
    """An exception of the function, in words: so it can always travel."""

    def __init__(self, kind, text, lacks_module, lacks_memory):
        super().__init__(kind, text, lacks_module, lacks_memory)
        self.kind, self.text = kind, text
        self.lacks_module, self.lacks_memory = lacks_module, lacks_memory


class Task:
    """What a worker does with a chunk."""

    def __init__(self, function, out_type):
        self._function, self._out_type = function, out_type

    def __call__(self, chunk):
        try:
            return self._compute(chunk)
        except Exception as error:
            raise Failure(
                type(error).__name__,
                str(error),
                lacks_module=isinstance(error, ImportError),
                lacks_memory=isinstance(error, MemoryError),
            ) from None

    def _compute(self, chunk):
        result = self._function(chunk)
        if is_dask_collection(result):
            result = result.compute(scheduler="synchronous")
        kind, shape = self._out_type.base, self._out_type.shape
        result = np.asarray(result).astype(kind, "C", "same_kind", copy=False)
        return result.reshape(-1, *shape)
