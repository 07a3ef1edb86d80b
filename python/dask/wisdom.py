# SPDX-License-Identifier: GPL-3.0-or-later
"""FFTW's wisdom of the client, used by its workers.

FFTW measures which plan is fastest, two processes may find two plans of one length, and two
plans round differently. A worker that takes the client's wisdom first makes the client's
plans, and so (on the same kind of CPU) the client's bits.
"""

import hashlib
import threading

import distributed
from distributed.utils import sync
from gnuradio.gpufft import fftw_wisdom, prefer_fftw_wisdom

from . import cluster

PLANNING = threading.Lock()  # hold it from use() until the plan is made
_taken = [None]  # key of the text that counts first in this process


def publish(client):
    """Lays this process's wisdom on the scheduler; returns its key, for use()."""
    text = fftw_wisdom()
    key = f"gpufft-wisdom-{hashlib.sha256(text.encode()).hexdigest()}"
    cluster.call(client, "set_metadata", keys=[key], value=text)
    return key


def use(key):
    """In a task that holds PLANNING: takes the wisdom of publish() before this process's
    own."""
    if key == _taken[0]:
        return
    worker = distributed.get_worker()
    prefer_fftw_wisdom(sync(worker.loop, worker.scheduler.get_metadata, keys=[key]))
    _taken[0] = key
