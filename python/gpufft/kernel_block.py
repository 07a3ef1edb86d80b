# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_block: a block whose work is an expression for each sample, or a kernel in CUDA
C++."""

import threading

import numpy as np

from .array_block import array_block, check_dict, item_of, per_port, ports_of
from .expression import AT_ONCE, TYPES, expression
from .gpufft_python import kernel_function
from .keywords import forgiving, shown

# What a parameter is in CUDA, by NumPy's type.
PARAMETER_TYPES = {
    **TYPES,
    "float64": "double",
    "complex128": "double2",
    "int64": "long long",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
}


class kernel_block(array_block):
    """A block that computes an expression for each sample, or launches a kernel.

    An expression, without `name`:

        kernel_block("norm(x) * gain", np.complex64, np.float32, {"gain": 2.0})

    It is computed in single precision, on the GPU by a kernel made from it, on the CPU by
    NumPy. x is the sample, x[-1] the one before (items for vectors; zeros before the
    stream); of several inputs x0, x1 ... are the samples, as in "x0 * conj(x1)". k is its place in its vector, pi a number, and parameters have their names. There
    are + - * / **, comparisons in "a if x > 0 else b", complex constants as 2j, and the
    functions abs, norm (|x|^2), arg, real, imag, conj, exp, expj (exp(j x)), sqrt, log,
    log2, log10, sin, cos, tan, tanh, floor, round, atan2, min, max and clip(x, low, high).
    Integers are read as they are; to integers, results are rounded to the nearest and
    saturate.

    A kernel in CUDA C++, with its `name` in the text:

        __global__ void name(const In* input, Out* output, long long frames, parameters...)

    Of several ports it gets all inputs, then all outputs. In and Out are float2 for complex64, float, int, short, signed char, unsigned char, or
    double and double2. Frame f has the items from input[f * decimation] on, history +
    decimation of them, and its row begins at output[f * interpolation]; for vectors
    multiply by their length. The parameters follow in their order: a Python float is a
    float, an int an int, a complex a float2, and a NumPy number has its own type. The text
    may include the headers of this module's folder kernels/. On the CPU `cpu` computes.

    Tags, errors, engines and parameters are as those of array_block.

    Args:
        source: the expression, or the text of the kernel
        in_sig: type of the input's items: a NumPy dtype, or (dtype, n) for vectors; a list
            of these for several inputs
        out_sig: the same of the output; a list for several outputs of a kernel
        parameters: dict of names and numbers, see set_parameter()
        name: of the kernel in the text; None for an expression
        decimation: input items of a frame, or a list; 1 for an expression
        interpolation: output items of a frame, or a list; 1 for an expression
        history: input items before those of the frame, or a list; an expression needs none
        threads: threads of a block of threads, 1 ... 1024
        threads_per_frame: the kernel is launched with so many threads for each frame, or
            some more; 1 or more
        cpu: a function(x, out, **parameters) of NumPy arrays for the engine cpu, as
            array_block's; None for an expression
        engine: "auto" (cuda if there is a usable GPU, without a measurement), "cuda" or
            "cpu"
        device: index of the NVIDIA GPU, or a list of them that take turns. Where one is not
            there, "auto" takes the CPU, and engine_reason() says why; "cpu" uses none
        on_error: if the device fails, "stop" the flowgraph, or continue on the "cpu"
        device_timeout: seconds that the GPU may take for one chunk before that counts as a
            device failure; 0 is no limit
        cuda_buffers: where the neighbours are blocks of the module gr-cuda, with which the
            data stays on the GPU: "in", "out" or "both"; needs the engine "cuda"

    Raises:
        ValueError: a value out of range, a wrong expression, or a kernel that does not
            compile, with the compiler's messages
        TypeError: a type that there is not
        RuntimeError: device trouble
    """

    def __init__(
        self,
        source,
        in_sig="complex64",
        out_sig="complex64",
        parameters=None,
        name=None,
        *,
        decimation=1,
        interpolation=1,
        history=0,
        threads=256,
        threads_per_frame=1,
        cpu=None,
        engine="auto",
        device=0,
        on_error="stop",
        device_timeout=10.0,
        cuda_buffers="",
    ):
        inputs, outputs = ports_of("in_sig", in_sig), ports_of("out_sig", out_sig)
        if not isinstance(source, str):
            raise TypeError(f"source is {shown(source)}: must be a text")
        if not (name is None or isinstance(name, str)):
            raise TypeError(f"name is {shown(name)}: must be a text")
        check_dict(parameters)
        if not (cpu is None or callable(cpu)):
            raise TypeError(f"cpu is {shown(cpu)}: must be a function")
        for key, value in (
            ("threads", threads),
            ("threads_per_frame", threads_per_frame),
        ):
            if not isinstance(value, (int, np.integer)):
                raise TypeError(f"{key} is {shown(value)}: must be an int")
            if value < 1:
                raise ValueError(f"{key} is {value}: must be 1 or more")
        per_port("decimation", decimation, inputs)
        per_port("interpolation", interpolation, outputs)
        per_port("history", history, inputs)
        parameters = dict(parameters or {})
        self._types = {
            key: np.dtype(_type_of(key, value)) for key, value in parameters.items()
        }
        self._expression = None
        frames_per_thread = 1
        if name is None:
            given = (decimation, interpolation, history, cpu)
            if given != (1, 1, 0, None):
                raise ValueError(
                    "decimation, interpolation, history and cpu are for a kernel with a name, "
                    "not for an expression"
                )
            if len(outputs) != 1:
                raise ValueError(
                    f"out_sig has {len(outputs)} outputs: an expression has 1"
                )
            if any(port[1] != outputs[0][1] for port in inputs):
                raise ValueError(
                    "in_sig and out_sig must be of one length in an expression"
                )
            length = int(np.prod(outputs[0][1], dtype=int))
            in_types = [dtype for dtype, _ in inputs]
            made = expression(source, in_types, outputs[0][0], parameters, length)
            self._expression = made
            source, name, history = made.cuda(), "gpufft_expression", made.history
            threads_per_frame, frames_per_thread = length, AT_ONCE
            # each parameter in single precision
            self._types = {
                key: np.dtype(np.complex64 if kind == "c" else np.float32)
                for key, kind in made.kinds.items()
            }

            def cpu(x, out, **values):
                made.compute(x, out, values)

        else:
            source += self._check_of(name, inputs, outputs)

        decimations = per_port("decimation", decimation, inputs)
        histories = per_port("history", history, inputs)
        interpolations = per_port("interpolation", interpolation, outputs)
        self._source, self._name = source, name
        self._setting = threading.Lock()  # the kernel gets all parameters at once
        self._kernel = kernel_function(
            source,
            name,
            list(zip(map(item_of, inputs), decimations, histories)),
            list(zip(map(item_of, outputs), interpolations)),
            threads,
            threads_per_frame,
            frames_per_thread,
            self._bytes_of(parameters),
        )
        array_block.__init__(
            self,
            cpu,
            in_sig,
            out_sig,
            parameters,
            decimation=decimation,
            interpolation=interpolation,
            history=history,
            name="kernel_block" if self._expression else name,
            engine=engine,
            device=device,
            on_error=on_error,
            device_timeout=device_timeout,
            cuda_buffers=cuda_buffers,
        )

    def source(self):
        """The text of the kernel in CUDA C++, also that of an expression."""
        return self._source

    def check(self, architecture=90):
        """Compiles the kernel for GPUs of this architecture (90 is compute capability 9.0),
        without a GPU. Raises ValueError with the compiler's messages, cuda_error if there
        is no NVRTC."""
        kernel_function.check(self._source, self._name, architecture)

    def set_parameter(self, name, value):
        """Changes the parameter `name` to `value`, from the next call on, from any thread.
        Raises ValueError for a name that `parameters` did not have and for a value that its
        type cannot hold, TypeError for a value of another type, e.g. complex where it was
        real."""
        self.set_parameters({name: value})

    def set_parameters(self, parameters):
        """Changes several at once: `parameters` is a dict of names and values."""
        array_block.check_names(self, parameters)
        with self._setting:
            values = {**self.parameters(), **parameters}
            self._kernel.set_parameters(self._bytes_of(values))
            array_block.set_parameters(self, parameters)

    def _check_of(self, name, inputs, outputs):
        """Text that does not compile unless the kernel has the right arguments."""
        types = [
            *(f"const {_name_of(dtype)}*" for dtype, _ in inputs),
            *(f"{_name_of(dtype)}*" for dtype, _ in outputs),
            "long long",
            *map(_name_of, self._types.values()),
        ]
        return f"""
template <class A, class B> struct gpufft_same {{ static constexpr bool value = false; }};
template <class A> struct gpufft_same<A, A> {{ static constexpr bool value = true; }};
static_assert(gpufft_same<decltype(&{name}), void (*)({", ".join(types)})>::value,
              "the kernel must be: __global__ void {name}({", ".join(types)})");
"""

    def _bytes_of(self, parameters):
        return [
            _converted(key, parameters[key], dtype).tobytes()
            for key, dtype in self._types.items()
        ]


kernel_block.__init__ = forgiving(kernel_block.__init__, "kernel_block")


def _name_of(dtype):
    if dtype.name not in PARAMETER_TYPES:
        raise TypeError(
            f"{dtype} has no type in CUDA: must be {', '.join(PARAMETER_TYPES)}"
        )
    return PARAMETER_TYPES[dtype.name]


def _type_of(name, value):
    if isinstance(value, (bool, int)) and not isinstance(value, np.generic):
        return np.int32
    if isinstance(value, float) and not isinstance(value, np.generic):
        return np.float32
    if isinstance(value, complex) and not isinstance(value, np.generic):
        return np.complex64
    dtype = np.asarray(value).dtype
    if np.ndim(value) != 0 or dtype.name not in PARAMETER_TYPES:
        raise TypeError(f"parameter {name} is {shown(value)}: must be a number")
    return dtype


def _converted(name, value, dtype):
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray(None)  # of lists of several lengths
    whole = array.dtype.kind in "biu" and dtype.kind in "iu"
    if array.ndim or not (whole or np.can_cast(array.dtype, dtype, "same_kind")):
        raise TypeError(f"parameter {name} is {shown(value)}: must be one {dtype}")
    limits = (np.iinfo if dtype.kind in "iu" else np.finfo)(dtype)
    parts = [int(array)] if whole else [array.real, array.imag]
    if any(np.isfinite(each) and not limits.min <= each <= limits.max for each in parts):
        raise ValueError(
            f"parameter {name} is {shown(value)}: must be {limits.min} ... {limits.max}"
        )
    return array.astype(dtype)
