# SPDX-License-Identifier: GPL-3.0-or-later
"""FFTW's wisdom of the client, used by its workers.

FFTW measures which plan is fastest, two processes may find two plans of one length, and two
plans round differently. A worker that takes the client's wisdom first makes the client's
plans, and so (on the same kind of CPU) the client's bits.
"""

import ctypes
import hashlib
import threading

import distributed
from distributed.utils import sync

PLANNING = threading.Lock()  # hold it to make plans: wisdom is changed while nobody plans
_taken = [None]  # key of the text that counts first in this process


def publish(client):
    """Lays this process's wisdom on the scheduler; returns its key, for use()."""
    text = _export()
    key = f"gpufft-wisdom-{hashlib.sha256(text).hexdigest()}"
    client.set_metadata(key, text)
    return key


def use(key):
    """In a task that holds PLANNING: takes the wisdom of publish() before this process's
    own."""
    if key == _taken[0]:
        return
    worker = distributed.get_worker()
    text = sync(worker.loop, worker.scheduler.get_metadata, keys=[key])
    own = _export()
    _fftw().fftwf_forget_wisdom()
    for each in (text, own):  # of two entries for one problem, FFTW keeps the first
        _fftw().fftwf_import_wisdom_from_string(each)
    _taken[0] = key


def _fftw():
    """The library that this process's plans are made by."""
    return ctypes.CDLL("libfftw3f.so.3")


def _export():
    """All wisdom of single precision, as text."""
    export, libc = _fftw().fftwf_export_wisdom_to_string, ctypes.CDLL(None)
    export.restype = ctypes.c_void_p
    address = export()
    text = ctypes.string_at(address)
    libc.free(ctypes.c_void_p(address))
    return text
