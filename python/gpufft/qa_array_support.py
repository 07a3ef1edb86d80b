# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions for the QA of array_block, which compute with NumPy what a card's library would
compute: on the CPU at once, on simulated cards as the work of a queue, and on a real card
by way of the host."""

import ctypes

import numpy as np
from gnuradio import gpufft
from gnuradio.gpufft import gpufft_python

LIBRARY = ctypes.CDLL(gpufft_python.__file__)
IS_SIMULATED = hasattr(LIBRARY, "gpufft_simulate")
_WORK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_kept = []  # the simulation calls them later


def simulate(seconds_per_call=0.0):
    """Sound cards that are as new."""
    _kept.clear()
    LIBRARY.gpufft_simulate(ctypes.c_double(seconds_per_call))


def fail(call):
    LIBRARY.gpufft_simulate_failure(ctypes.c_long(call))


def faults():
    """What went wrong on the simulated cards, or ""."""
    text = ctypes.create_string_buffer(4096)
    LIBRARY.gpufft_simulated_faults(text, ctypes.c_size_t(len(text)))
    return text.value.decode()


def _array_at(address, like):
    memory = (ctypes.c_char * like.nbytes).from_address(address)
    return np.frombuffer(memory, like.dtype).reshape(like.shape)


def address_of(array):
    return array.__cuda_array_interface__["data"][0]


def queue(stream, x, out, function):
    """Queues function(x, out) of NumPy arrays on a simulated card."""

    def work(input_address, output_address):
        function(_array_at(input_address, x), _array_at(output_address, out))

    _kept.append(_WORK(work))
    LIBRARY.gpufft_simulate_work(
        ctypes.c_void_p(stream),
        ctypes.c_void_p(address_of(x)),
        ctypes.c_size_t(x.nbytes),
        ctypes.c_void_p(address_of(out)),
        ctypes.c_size_t(out.nbytes),
        _kept[-1],
    )


def on_arrays(compute):
    """The function for array_block whose output is compute(x, **parameters)."""

    def function(x, out, **parameters):
        if isinstance(x, np.ndarray):
            return compute(x, **parameters)
        if IS_SIMULATED:

            def fill(values, to):
                to[...] = compute(values, **parameters)

            return queue(x.stream, x, out, fill)
        values = np.asarray(compute(x.to_host(), **parameters), out.dtype)
        return gpufft.to_device(np.broadcast_to(values, out.shape), x.device)

    return function
