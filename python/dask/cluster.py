# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections to Dask clusters whose workers have this version of the module."""

import asyncio
import contextlib
import os
import re

from distributed import Client, Nanny, Security
from distributed.protocol import pickle

from gnuradio import gpufft

CLOSING = 5.0  # s
SCHEDULER_TIMEOUT = 60.0  # s, for an answer to a program that has reached it before
MOST_WORKERS = 1024  # on this machine
LOOPBACK = "127.0.0.1"  # a local cluster listens to this machine only
MISMATCH = (
    "worker {} has gr-gpufft {}, but this program has {}: install the same version on "
    "both"
)


class ClusterError(RuntimeError):
    """A cluster that cannot be used: the message is one line."""


def connect(address, security=None, timeout=10.0, dashboard=None):
    """A distributed.Client, after a check of the workers that are there.

    Args:
        address: of the scheduler, "tcp://host:8786" or "tls://host:8786"; or "local" for
            workers on this machine, one a GPU or else one a core, "local:4" for 4
            workers, at most 1024. They end with the client. A program that asks for them
            must be safe to import: what it does stands under
            `if __name__ == "__main__"`.
        security: a distributed.Security such as tls() makes; with a local cluster, True
            for temporary certificates (other users of this machine are then kept out)
        timeout: seconds to wait for the scheduler, and for the answers of workers
        dashboard: "host:port" for the dashboard of a local cluster

    Raises:
        ValueError: an address of another form, or files of tls() for a local cluster
        ClusterError: no answer, no key, or a worker with another version of this module
    """
    local = re.fullmatch(r"local(?::([1-9]\d{0,3}))?", address)
    if local and isinstance(security, Security):
        raise ValueError(
            f"cluster {address!r} takes no files of certificates: these are for "
            f"tls://HOST:PORT, a local cluster makes its own with security=True"
        )
    count = local and local[1] and int(local[1])
    if local and (count is None or count <= MOST_WORKERS):
        where = _local(count, dashboard)
    elif re.fullmatch(r"(tcp|tls)://.+:\d+", address):
        where = {"address": address}
    else:
        raise ValueError(
            f"cluster {address!r} must be tcp://HOST:PORT or tls://HOST:PORT of a Dask "
            f"scheduler, local, or local:N with N of 1 ... {MOST_WORKERS}"
        )
    try:
        client = Client(**where, security=security, timeout=timeout)
        try:
            there = workers(client, timeout)
        except BaseException:
            close(client)
            raise
    except (OSError, RuntimeError, TypeError, asyncio.TimeoutError) as error:
        if "ssl_context" in str(error) and security is None:
            error = "TLS needs three PEM files of certificates and a key"
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from None
    except ValueError as error:
        raise ValueError(f"cluster {address!r}: {error}") from None
    for worker in there:
        if worker["version"] not in ("", gpufft.version()):
            close(client)
            raise ClusterError(mismatch(worker["address"], worker["version"]))
    return client


def close(client):
    """Closes a client; without a scheduler that takes long, and is given up. An error on
    the way would hide why it is closed."""
    with contextlib.suppress(Exception):
        client.close(timeout=CLOSING)


def call(client, method, **arguments):
    """What a method of the scheduler returns. Raises OSError if it does not answer: one that
    is frozen keeps its connections."""
    scheduler = client.scheduler
    try:
        return client.sync(
            getattr(scheduler, method), callback_timeout=SCHEDULER_TIMEOUT, **arguments
        )
    except asyncio.TimeoutError:
        raise OSError(f"no answer within {SCHEDULER_TIMEOUT:g} s") from None


def tls(ca, cert, key):
    """The Security of three PEM files: the certificate of the cluster's authority, this
    program's certificate that the authority has signed, and the key of that."""
    for path in (ca, cert, key):
        try:
            with open(path, "rb"):
                pass
        except OSError as error:
            raise ClusterError(f"{path} cannot be read: {error.strerror}") from None
    return Security(
        require_encryption=True,
        tls_ca_file=str(ca),
        tls_client_cert=str(cert),
        tls_client_key=str(key),
    )


def workers(client, timeout=10.0):
    """What each worker is, a dict: address, name, threads, resources; host, version (of
    this module), engine and device of its transforms, "" if it does not answer."""
    silent = dict.fromkeys(("host", "version", "engine", "device"), "")
    known = client.sync(client.scheduler.identity, callback_timeout=timeout)["workers"]
    answers = client.sync(ask, client, known, timeout)
    return [
        {
            "address": address,
            "name": str(about["name"]),
            "threads": about["nthreads"],
            "resources": about["resources"],
            **silent,
            **answers[address],
        }
        for address, about in known.items()
    ]


async def ask(client, addresses, timeout):
    """Host, version, engine and device of workers, a dict for each address, which is empty
    if the worker does not answer."""

    async def ask_one(address):
        try:
            answers = await asyncio.wait_for(
                client.run(_description(), workers=[address]), timeout
            )
        except (OSError, asyncio.TimeoutError):
            return {}  # frozen, or gone meanwhile
        except Exception as error:  # of any kind: it has another Python, or is damaged
            return {"version": f"not ({type(error).__name__}: {error})"}
        return answers.get(address, {})

    return dict(zip(addresses, await asyncio.gather(*map(ask_one, addresses))))


def mismatch(address, version):
    """The line on a worker that has another version of this module."""
    return MISMATCH.format(address, version, gpufft.version())


def checked(function):
    """The function for tasks: it raises ImportError on a worker that has another version
    of this module, which may have come at any time. Only then it unpacks the function."""
    packed, unpacked = pickle.dumps(function), []
    expected, line = gpufft.version(), MISMATCH

    def run(*args, **kwargs):
        if not unpacked:
            from distributed import get_worker

            try:
                from gnuradio.gpufft import version
            except ImportError:
                raise ImportError(
                    line.format(get_worker().address, "not", expected)
                ) from None
            if version() != expected:
                raise ImportError(line.format(get_worker().address, version(), expected))
            unpacked.append(pickle.loads(packed))
        return unpacked[0](*args, **kwargs)

    return run


def _description():
    """The function that asks a worker. It is a local one so that Dask sends its code: the
    worker may not have this module."""

    def describe():
        import socket

        try:
            from gnuradio import gpufft
        except ImportError as error:
            return {"host": socket.gethostname(), "version": f"not ({error})"}
        engine, index = gpufft.get_engine()
        cuda = gpufft.query_cuda()
        card = engine != "cpu" and cuda["usable"]
        return {
            "host": socket.gethostname(),
            "version": gpufft.version(),
            "engine": "cuda" if card else "cpu",
            "device": cuda["devices"][index]["name"] if card else "",
        }

    return describe


class CardNanny(Nanny):
    """A local worker that sees one card."""

    def __init__(self, *args, name, **kwargs):
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        cards = len(gpufft.query_cuda()["devices"])
        names = visible.split(",") if visible else [str(card) for card in range(cards)]
        env = {"CUDA_VISIBLE_DEVICES": names[name % cards]}
        super().__init__(*args, name=name, env=env, **kwargs)


def _local(count, dashboard):
    """Client's arguments for a cluster on this machine, which it ends when it closes."""
    cuda = gpufft.query_cuda()
    where = {
        "n_workers": count or len(os.sched_getaffinity(0)),
        "threads_per_worker": 1,
        "host": LOOPBACK,
        "dashboard_address": dashboard or f"{LOOPBACK}:0",
        "worker_dashboard_address": f"{LOOPBACK}:0",
    }
    if cuda["usable"]:
        where["n_workers"] = count or len(cuda["devices"])
        where["worker_class"] = CardNanny
        where["resources"] = {"GPU": 1}
    return where
