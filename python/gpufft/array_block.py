# SPDX-License-Identifier: GPL-3.0-or-later
"""array_block: a block whose work is a Python function of arrays, on the card or not."""

import atexit
import importlib
import importlib.util
import itertools
import linecache
import sys
import threading
import weakref

import numpy as np
from gnuradio import gr

from .gpufft_python import device_block
from .keywords import forgiving, shown

_texts = itertools.count(1)
LIBRARIES = ("", "cupy", "torch")
MOST_BYTES = 1 << 30  # of a frame


class array_block:
    """A block that calls a function of arrays for the items of a stream.

    With the engine cuda the arrays are in the memory of the GPU, also those that other
    blocks of this module write or read: nothing crosses the link between neighbours. With
    the engine cpu the function gets NumPy arrays, so the flowgraph runs without a GPU.

    Either give the function, or derive a class that defines compute(x, out) and calls
    this constructor; its object must stay referenced while the flowgraph runs.

        function(x, out, **parameters)

    x has the items of the input: history + frames * decimation of them, in an array of
    that length, or for vectors of n numbers of shape (items, n). It must not be changed.
    out takes frames * interpolation items: the function fills it, or returns another array
    of the same shape and type, which is copied. With several inputs x is a tuple of their
    arrays; with several outputs out is one, and the function returns None or a tuple, in
    which None stands for an array that it has filled. How many frames come in a call
    varies.

    Arrays on the GPU have __cuda_array_interface__ (version 3), __dlpack__ and the
    attribute `stream`, the CUstream (an integer) on which all work must be queued. The
    function need not wait for its work, and must keep no array beyond the call. With
    library "cupy" or "torch" it gets arrays of CuPy or PyTorch instead, and their current
    device and stream are the right ones.

    An exception ends the flowgraph, with its traceback in error(); on a GPU with on_error
    "cpu", the function goes on with NumPy arrays of the same items. Tags of all inputs move
    to the first item of their frame, at all outputs.

    Args:
        function: what to call, or a text of Python that defines it by the name "function";
            None in a derived class
        in_sig: type of the input's items: a NumPy dtype, or (dtype, n) for vectors; a list
            of these for several inputs
        out_sig: the same of the output, or of several
        parameters: dict of the function's further arguments, see set_parameter()
        decimation: input items of a frame, 1 ... 2**30 bytes; a list of them, if the inputs
            differ
        interpolation: output items of a frame, or a list
        history: input items before those of the frame, 0 ..., or a list; zeros at the
            beginning
        library: "" for arrays of any library, "cupy" or "torch"
        name: of the block; None is that of the function or class
        engine: "auto" (cuda if there is a usable GPU, and `library` names one that is
            installed; without a measurement), "cuda" or "cpu"
        device: index of the NVIDIA GPU, or a list of them that take turns. Where one is not
            there, "auto" takes the CPU, and engine_reason() says why; "cpu" uses none
        on_error: if function or device fails, "stop" the flowgraph, or continue on the
            "cpu"
        device_timeout: seconds that the GPU may take for one chunk before that counts as a
            device failure; 0 is no limit
        cuda_buffers: where the neighbours are blocks of the module gr-cuda, with which the
            data stays on the GPU: "in", "out" or "both"; needs the engine "cuda"

    Raises:
        ValueError: a value out of range
        TypeError: a type that is none of NumPy's numbers
        RuntimeError: device trouble
    """

    def __init__(
        self,
        function=None,
        in_sig="complex64",
        out_sig="complex64",
        parameters=None,
        *,
        decimation=1,
        interpolation=1,
        history=0,
        library="",
        name=None,
        engine="auto",
        device=0,
        on_error="stop",
        device_timeout=10.0,
        cuda_buffers="",
    ):
        kernel = getattr(self, "_kernel", None)  # of a kernel_block
        is_derived = function is None and kernel is None
        if is_derived and not hasattr(self, "compute"):
            raise ValueError(
                "function is None: give one, or derive a class with compute()"
            )
        if isinstance(function, str):
            function = _function_of(function)
        if function is not None and not callable(function):
            raise TypeError(f"function is {shown(function)}: must be callable")
        check_dict(parameters)
        if not isinstance(library, str):
            raise TypeError(f"library is {shown(library)}: must be a text")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name is {shown(name)}: must be a text")
        if not isinstance(cuda_buffers, str):
            raise TypeError(f"cuda_buffers is {shown(cuda_buffers)}: must be a text")
        if library not in LIBRARIES:
            raise ValueError(f"library is {shown(library)}: must be '', 'cupy' or 'torch'")
        if cuda_buffers not in ("", "in", "out", "both"):
            raise ValueError(
                f"cuda_buffers is {shown(cuda_buffers)}: must be '', 'in', 'out' or 'both'"
            )
        call = weakref.WeakMethod(self.compute) if is_derived else lambda: function
        self._caller = _caller(call, parameters, library)
        inputs, outputs = ports_of("in_sig", in_sig), ports_of("out_sig", out_sig)
        decimations = per_port("decimation", decimation, inputs)
        histories = per_port("history", history, inputs)
        interpolations = per_port("interpolation", interpolation, outputs)
        self._block = device_block(
            name or getattr(function, "__name__", type(self).__name__),
            self._caller if is_derived or function is not None else None,
            [(*port, d, h) for port, d, h in zip(inputs, decimations, histories)],
            [(*port, n) for port, n in zip(outputs, interpolations)],
            kernel,
            "" if kernel else _obstacle(library, engine),
            engine=engine,
            device=device,
            on_error=on_error,
            device_timeout=device_timeout,
            cuda_buffer_in=cuda_buffers in ("in", "both"),
            cuda_buffer_out=cuda_buffers in ("out", "both"),
        )

    def to_basic_block(self):
        """The block as GNU Radio's connect() takes it."""
        return self._block.to_basic_block()

    def __getattr__(self, name):
        """All methods of blocks, and engine(), describe(), error(), statistics()."""
        if name in ("_block", "_caller"):
            raise AttributeError(
                f"{type(self).__name__} has no block: its __init__() must call "
                "gpufft.array_block.__init__()"
            )
        if name.startswith("_") or name == "compute":
            raise AttributeError(name)
        return getattr(self._block, name)

    @property
    def position(self):
        """For the function: the number of the first new item of this call in the stream, of
        the first input."""
        return self._caller.position

    def set_parameter(self, name, value):
        """Changes the argument `name` of the function to `value`, from the next call on,
        from any thread. Raises ValueError for a name that `parameters` did not have."""
        self.set_parameters({name: value})

    def set_parameters(self, parameters):
        """Changes several at once: `parameters` is a dict of names and values."""
        self.check_names(parameters)
        self._caller.parameters.update(parameters)

    def check_names(self, names):
        """Raises ValueError unless the function has all arguments of these names, TypeError
        unless they are the keys of a dict."""
        if not isinstance(names, dict):
            raise TypeError(f"parameters is {shown(names)}: must be a dict")
        for name in names:
            if name not in self._caller.parameters:
                known = ", ".join(self._caller.parameters) or "none"
                raise ValueError(
                    f"name is {shown(name)}: must be one of the parameters: {known}"
                )

    def parameters(self):
        """A copy of the dict of the function's further arguments."""
        return dict(self._caller.parameters)


array_block.__init__ = forgiving(array_block.__init__, "array_block")


class _caller:
    """What the block calls. It holds the function, but not the block, which holds it."""

    def __init__(self, function, parameters, library):
        self.function = function  # returns it, or None if it is gone
        self.parameters = dict(parameters or {})
        self.library = library
        self.position = 0
        self.adapters = {}  # by device

    def begin(self):
        _stop_in_time(sys._getframe(1))  # pylint: disable=protected-access

    def __call__(self, x, out, position):
        function = self.function()
        if function is None:
            raise RuntimeError("the object of this block is gone: keep a reference to it")
        self.position = position
        first = x[0] if isinstance(x, tuple) else x
        if isinstance(first, np.ndarray) and self.library != "torch":
            for_each(lambda array: array.setflags(write=False), x)
            return function(x, out, **self.parameters)
        if not self.library:
            return function(x, out, **self.parameters)
        if isinstance(first, np.ndarray):
            tensor = importlib.import_module("torch").from_numpy
            return function(for_each(tensor, x), for_each(tensor, out), **self.parameters)
        adapter = _cupy_arrays if self.library == "cupy" else _torch_arrays
        return adapter(function, x, out, first, self.parameters)


_started = {}  # of flowgraphs with functions, by weak references: (implementation, lock)


def _stop_in_time(frame):
    """Has the flowgraph that this frame starts stopped before it is destroyed, and before
    Python ends. GNU Radio's destructor would stop it, too, but wait for its threads with
    Python's lock held, for which a thread in a function waits."""
    while frame is not None:
        flowgraph = frame.f_locals.get("self")
        if isinstance(flowgraph, gr.top_block):
            if weakref.ref(flowgraph) not in _started:
                implementation = flowgraph._impl  # pylint: disable=protected-access
                _started[weakref.ref(flowgraph, _stop)] = implementation, threading.RLock()
            return
        frame = frame.f_back


def _stop(reference):
    """Python collects cycles in any thread, also in one of the flowgraph itself, which
    cannot wait for its own end. Python's end waits for the thread that can."""
    thread = threading.current_thread()
    if isinstance(thread, threading._DummyThread):  # pylint: disable=protected-access
        threading.Thread(target=_stop_now, args=(reference,), daemon=False).start()
    else:
        _stop_now(reference)


def _stop_now(reference):
    implementation, lock = _started.get(reference, (None, None))
    if implementation is None:
        return
    with lock:  # a second thread returns when the flowgraph has stopped, too
        gr.top_block_stop_unlocked(implementation)
        gr.top_block_wait_unlocked(implementation)
    _started.pop(reference, None)


@atexit.register
def _stop_all():
    for reference in list(_started):
        _stop_now(reference)


def _obstacle(library, engine):
    """Why the GPU cannot be used, or "". A function for any arrays takes NumPy's, too, but
    one for NumPy's not those of a GPU."""
    if not library:
        return "library is '': the function is for NumPy" if engine == "auto" else ""
    if library in sys.modules or importlib.util.find_spec(library):
        return ""
    return f"Python has no module {library}"


def _function_of(text):
    """The function that a text defines. Tracebacks quote its lines."""
    name = f"<function {next(_texts)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    known = {"np": np}
    try:
        exec(compile(text, name, "exec"), known)  # pylint: disable=exec-used
    except SyntaxError as error:
        raise ValueError(f"function does not compile: {error}") from None
    except Exception as error:
        raise ValueError(f"function has a text that fails: {error}") from error
    if not callable(known.get("function")):
        raise ValueError("function is a text without `def function(x, out):`")
    return known["function"]


def for_each(convert, arrays):
    """convert(array), or the tuple of those of a tuple."""
    if isinstance(arrays, tuple):
        return tuple(map(convert, arrays))
    return convert(arrays)


def _cupy_arrays(function, x, out, first, parameters):
    cupy = importlib.import_module("cupy")

    def array_of(view):
        # not cupy.asarray(), which would wait for the stream
        address = view.__cuda_array_interface__["data"][0]
        memory = cupy.cuda.UnownedMemory(address, view.nbytes, view, view.device)
        pointer = cupy.cuda.MemoryPointer(memory, 0)
        return cupy.ndarray(view.shape, view.dtype, pointer)

    stream = cupy.cuda.ExternalStream(first.stream, first.device)
    with cupy.cuda.Device(first.device), stream:
        return function(for_each(array_of, x), for_each(array_of, out), **parameters)


def _torch_arrays(function, x, out, first, parameters):
    torch = importlib.import_module("torch")
    stream = torch.cuda.ExternalStream(first.stream, device=first.device)
    with torch.cuda.device(first.device), torch.cuda.stream(stream):
        return function(
            for_each(torch.from_dlpack, x), for_each(torch.from_dlpack, out), **parameters
        )


def check_dict(parameters):
    """Raises TypeError unless the parameters are a dict by names, or None."""
    if not (parameters is None or isinstance(parameters, dict)):
        raise TypeError(f"parameters is {shown(parameters)}: must be a dict")


def ports_of(name, signature):
    """[(dtype, shape of an item), ...] of a signature."""
    if not isinstance(signature, list):
        signature = [signature]
    if not signature:
        raise ValueError(f"{name} is []: must have a port or more")
    return [_port(name, each) for each in signature]


def per_port(name, value, ports):
    """The value of each port: `value`, or its own in a list."""
    values = list(value) if isinstance(value, (list, tuple)) else [value] * len(ports)
    if len(values) != len(ports):
        raise ValueError(
            f"{name} has {len(values)} values: must be one, or {len(ports)}, of each port"
        )
    for each in values:
        if isinstance(each, bool) or not isinstance(each, (int, np.integer)):
            raise TypeError(f"{name} is {shown(value)}: must be an int, or a list of them")
        if not 0 <= each <= MOST_BYTES:
            raise ValueError(f"{name} is {shown(value)}: must be 0 ... {MOST_BYTES}")
    return values


def item_of(port):
    """Bytes of an item of a port."""
    dtype, shape = port
    return dtype.itemsize * int(np.prod(shape, dtype=int))


def _port(name, item):
    length = None
    if isinstance(item, tuple):
        if len(item) != 2:
            raise ValueError(f"{name} has {item}: must be a dtype or (dtype, n)")
        item, length = item
    try:
        if item is None:
            raise TypeError  # NumPy takes it for float64
        dtype = np.dtype(item)
    except TypeError:
        raise TypeError(f"{name} has {shown(item)}: must be a dtype or (dtype, n)") from None
    if dtype.kind not in "iufc" or not dtype.isnative:
        raise TypeError(
            f"{name} has {dtype}: must be integers, floats or complex numbers"
        )
    try:
        whole = 1 if length is None else int(length)
        is_whole = length is None or whole == length
    except (TypeError, ValueError, OverflowError):  # texts, shapes, nan, inf
        is_whole = False
    if not is_whole or not 1 <= whole <= MOST_BYTES:
        raise ValueError(
            f"{name} has vectors of {shown(length)}: must have 1 ... {MOST_BYTES} numbers"
        )
    return dtype, () if whole == 1 else (whole,)
