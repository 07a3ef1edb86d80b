# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft spectrum --cluster`: rows that the workers of a Dask cluster compute."""

import logging
import os
import signal
import time
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import SimpleNamespace

from .drawing import make_block, spectrum_parameters
from .errors import CommandError, InputError, NoCluster
from .progress import write_above
from .quantities import parse_integer

QUIET = {  # local workers: the command tells what is wrong
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "PYTHONWARNINGS": "ignore::UserWarning",  # of a slow disk
}
LOGGERS = ("distributed", "distributed.client", "asyncio", "tornado.application")
TLS = ("cluster_ca", "cluster_cert", "cluster_key")


def add_cluster(add):
    """Options that name the cluster."""
    where = (
        "tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, local, or local:WORKERS"
    )
    add("--cluster", metavar="ADDRESS", help=f"compute on a cluster: {where}")
    what = "certificate of the cluster's authority", "own certificate", "its key"
    for name, words in zip(TLS, what):
        option = f"--{name.replace('_', '-')}"
        add(option, metavar="FILE", help=f"{words} (PEM), for tls://")


class OnCluster:
    """Rows of power from a cluster; connects when the first are wanted."""

    def __init__(self, arguments, recordings):
        """recordings: all that will be asked for, in order. The next ones are computed
        while one is drawn."""
        self._arguments, self._recordings = arguments, recordings
        self._client = self._rows = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._rows is not None:
            self._rows.close()
        if self._client is not None:
            import_dask().cluster.close(self._client)

    def spectrum(self, recording, framing, arguments):
        """Stands for the block: what it would refuse is refused at once."""
        if recording.descriptor is not None:
            raise InputError(
                f"--cluster needs files or URLs: {recording.path} is a stream"
            )
        block = plan_here(recording, spectrum_parameters(recording, framing, arguments))
        return SimpleNamespace(
            detector=block.detector,
            hold=block.hold,
            engine=lambda: self._rows.engine,
            error=lambda: None,
        )

    def run(self, recording, framing, band, spectrum, add, progress):
        """As Here.run()."""
        if self._rows is None:
            self._connect()
        start = time.perf_counter()
        for rows in self._rows.of(recording, progress):
            add(rows)
            progress()
        return time.perf_counter() - start

    def _connect(self):
        dask = import_dask()
        security = security_of(self._arguments)
        try:
            with interrupts_later():
                self._client = dask.cluster.connect(self._arguments.cluster, security)
        except ValueError as error:
            raise NoCluster(f"--{error}", InputError.status) from None
        except dask.cluster.ClusterError as error:
            raise NoCluster(str(error)) from None
        self._rows = dask.recordings.RowQueue(
            self._client,
            self._jobs(dask),
            self._arguments.engine,
            lambda line: write_above(f"gpufft: {line}"),
        )

    def _jobs(self, dask):
        for recording in self._recordings:
            try:
                yield dask.recordings.make_job(recording, self._arguments)
            except (CommandError, OSError, MemoryError) as error:
                error = CommandError(str(error) or "out of memory")
                yield dask.recordings.Job(recording, error=error)


def plan_here(recording, parameters):
    """The block for tasks, on this machine's CPU: it checks the parameters, and FFTW plans
    it."""
    engine = parameters["engine"]
    is_other = engine in ("auto", "cuda")
    on_cpu = {"engine": "cpu" if is_other else engine, "device": 0}
    return make_block(recording, {**parameters, **on_cpu})


@contextmanager
def interrupts_later():
    """Ctrl-C waits, and local workers, which are started meanwhile, never see it: the command
    ends them."""
    resource_tracker.ensure_running()  # at its start it lets the signal in
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # they inherit it
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def import_dask():
    """The package gnuradio.gpufft.dask, if Dask is installed."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        from gnuradio.gpufft import dask
        from gnuradio.gpufft.dask import cluster, recordings  # noqa: F401
    except ImportError as error:
        raise NoCluster(f"--cluster: {error}") from None
    for name in LOGGERS:  # the command itself tells what is wrong
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return dask


def check_cluster(arguments):
    """Raises InputError if options of the cluster do not fit together."""
    files = [getattr(arguments, name) for name in TLS]
    names = ", ".join(f"--{name.replace('_', '-')}" for name in TLS)
    if any(files) and not (all(files) and arguments.cluster):
        raise InputError(f"{names} belong together, and to --cluster")
    if any(files) and not arguments.cluster.startswith("tls://"):
        raise InputError(
            f"{names} are for --cluster tls://HOST:PORT, not {arguments.cluster}"
        )
    if arguments.cluster:
        check_device(arguments.device)


def check_device(text):
    """Raises InputError unless it is 0: a worker computes on the first card that it sees."""
    if parse_integer(text, "--device", 0) != 0:
        raise InputError(
            f"--device {text} must be 0 with --cluster: CUDA_VISIBLE_DEVICES says which card "
            "a worker sees"
        )


def security_of(arguments):
    """The Security that the three files say, or None."""
    files = [getattr(arguments, name) for name in TLS]
    if not all(files):
        return None
    dask = import_dask()
    try:
        return dask.cluster.tls(*files)
    except dask.cluster.ClusterError as error:
        raise NoCluster(str(error), InputError.status) from None
