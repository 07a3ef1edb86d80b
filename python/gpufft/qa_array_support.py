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
_PLACES = ctypes.POINTER(ctypes.c_void_p)
_WORK = ctypes.CFUNCTYPE(None, _PLACES, _PLACES)
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


class _area(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


def _areas(arrays):
    return (_area * len(arrays))(*((address_of(each), each.nbytes) for each in arrays))


def _all(arrays):
    return arrays if isinstance(arrays, tuple) else (arrays,)


def _like(arrays, of):
    """The arrays in a list as the function gets those: one, or a tuple."""
    return tuple(arrays) if isinstance(of, tuple) else arrays[0]


def queue(stream, x, out, function):
    """Queues function(x, out) of NumPy arrays on a simulated card."""

    def work(inputs, outputs):
        arrays = [list(map(_array_at, inputs[: len(_all(x))], _all(x)))]
        arrays.append(list(map(_array_at, outputs[: len(_all(out))], _all(out))))
        function(_like(arrays[0], x), _like(arrays[1], out))

    _kept.append(_WORK(work))
    LIBRARY.gpufft_simulate_work(
        ctypes.c_void_p(stream),
        ctypes.c_size_t(len(_all(x))),
        _areas(_all(x)),
        ctypes.c_size_t(len(_all(out))),
        _areas(_all(out)),
        _kept[-1],
    )


def on_arrays(compute):
    """The function for array_block whose output is compute(x, **parameters), a tuple for
    several outputs."""

    def function(x, out, **parameters):
        first = _all(x)[0]
        if isinstance(first, np.ndarray):
            return compute(x, **parameters)
        if IS_SIMULATED:

            def fill(values, to):
                for array, result in zip(_all(to), _all(compute(values, **parameters))):
                    array[...] = result

            return queue(first.stream, x, out, fill)
        values = _like([each.to_host() for each in _all(x)], x)
        results = [
            gpufft.to_device(
                np.broadcast_to(np.asarray(result, array.dtype), array.shape),
                first.device,
            )
            for array, result in zip(_all(out), _all(compute(values, **parameters)))
        ]
        return _like(results, out)

    return function
