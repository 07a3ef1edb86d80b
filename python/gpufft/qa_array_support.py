# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions for the QA of array_block, which compute with NumPy what a card's library would
compute: on the CPU at once, on simulated cards as the work of a queue, and on a real card
by way of the host."""

import ctypes
import gc
import time

import numpy as np
from gnuradio import gpufft, gr
from gnuradio.gpufft import gpufft_python
from qa_support import ENGINE, GpufftTestCase, run, wait

ON_CARD = ENGINE == "cuda"

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


class in_parts(gr.sync_block):
    """A source of samples x in parts of this size, each once `through()` counts all that
    came before, so that a block has to compute part after part."""

    def __init__(self, x, size, through):
        gr.sync_block.__init__(self, "in_parts", [], [x.dtype.type])
        self._x, self._size, self._through, self._sent = x, size, through, 0

    def work(self, input_items, output_items):
        deadline = time.monotonic() + 60
        while self._through() < self._sent and time.monotonic() < deadline:
            time.sleep(0.0005)
        x = self._x[self._sent :][: min(self._size, len(output_items[0]))]
        output_items[0][: len(x)] = x
        self._sent += len(x)
        return len(x) or -1  # WORK_DONE


class array_case(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        if not IS_SIMULATED:
            super().setUpClass()

    def setUp(self):
        super().setUp()
        if IS_SIMULATED:
            simulate()

    def tearDown(self):
        gc.collect()
        if IS_SIMULATED:
            self.assertEqual(faults(), "")

    def block(self, compute, *arguments, **keywords):
        keywords = {"engine": ENGINE, **keywords}
        return gpufft.array_block(on_arrays(compute), *arguments, **keywords)

    def samples(self, block, x, kind="c", out="c", **keywords):
        return run(x, block, kind=kind, out=out, **keywords)[0].ravel()

    def samples_in_parts(self, block, x, size, sink):
        flowgraph = gr.top_block()
        source = in_parts(x, size, lambda: sink.nitems_read(0))
        flowgraph.connect(source, block, sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        return np.array(sink.data()).astype(x.dtype)
