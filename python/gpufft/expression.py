# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions for each sample, e.g. "norm(x) * gain": evaluated by NumPy, and written as
CUDA C++. The grammar is Python's, of which few nodes are allowed."""

import ast
import keyword
import math
import unicodedata

import numpy as np

# Arguments that a function takes: "r" real, "c" real or complex; then what it gives ("s":
# real if all arguments are), NumPy's function, and the name in PRELUDE or CUDA.
FUNCTIONS = {
    "abs": ("c", "r", np.abs, "abs_"),
    "norm": ("c", "r", lambda x: x.real * x.real + x.imag * x.imag, "norm_"),
    "arg": ("c", "r", lambda x: np.arctan2(x.imag, x.real), "arg_"),
    "real": ("c", "r", lambda x: x.real, "real_"),
    "imag": ("c", "r", lambda x: x.imag, "imag_"),
    "conj": ("c", "s", np.conj, "conj_"),
    "exp": ("c", "s", np.exp, "exp_"),
    "expj": ("r", "c", lambda x: np.exp(np.complex64(1j) * x), "expj_"),
    "sqrt": ("r", "r", np.sqrt, "sqrtf"),
    "log": ("r", "r", np.log, "logf"),
    "log2": ("r", "r", np.log2, "log2f"),
    "log10": ("r", "r", np.log10, "log10f"),
    "sin": ("r", "r", np.sin, "sinf"),
    "cos": ("r", "r", np.cos, "cosf"),
    "tan": ("r", "r", np.tan, "tanf"),
    "tanh": ("r", "r", np.tanh, "tanhf"),
    "floor": ("r", "r", np.floor, "floorf"),
    "round": ("r", "r", np.rint, "rintf"),
    "atan2": ("rr", "r", np.arctan2, "atan2f"),
    "min": ("rr", "r", np.fmin, "fminf"),
    "max": ("rr", "r", np.fmax, "fmaxf"),
    "clip": ("rrr", "r", lambda x, a, b: np.fmin(np.fmax(x, a), b), "clip_"),
}
OPERATORS = {
    ast.Add: ("+", np.add),
    ast.Sub: ("-", np.subtract),
    ast.Mult: ("*", np.multiply),
    ast.Div: ("/", np.divide),
}
COMPARISONS = {
    ast.Lt: ("<", np.less),
    ast.LtE: ("<=", np.less_equal),
    ast.Gt: (">", np.greater),
    ast.GtE: (">=", np.greater_equal),
    ast.Eq: ("==", np.equal),
    ast.NotEq: ("!=", np.not_equal),
}
# NumPy's types of items, with the types in CUDA.
TYPES = {
    "complex64": "float2",
    "float32": "float",
    "int32": "int",
    "int16": "short",
    "int8": "signed char",
    "uint8": "unsigned char",
}
RESERVED = {"x", "k", "pi", *FUNCTIONS}
SLICE = 1 << 14  # numbers that NumPy computes at once, within the caches

PRELUDE = """struct cf {
    float re, im;
    __device__ cf(float r, float i = 0) : re(r), im(i) {}
    __device__ cf(float2 x) : re(x.x), im(x.y) {}
};
__device__ cf operator+(cf a, cf b) { return cf(a.re + b.re, a.im + b.im); }
__device__ cf operator-(cf a, cf b) { return cf(a.re - b.re, a.im - b.im); }
__device__ cf operator-(cf a) { return cf(-a.re, -a.im); }
__device__ cf operator*(cf a, cf b)
{
    return cf(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
__device__ float norm_(cf a) { return a.re * a.re + a.im * a.im; }
__device__ cf operator/(cf a, cf b)
{
    const float n = norm_(b);
    return cf((a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n);
}
__device__ cf operator/(cf a, float b) { return cf(a.re / b, a.im / b); }
__device__ float real_(cf a) { return a.re; }
__device__ float imag_(cf a) { return a.im; }
__device__ float abs_(float a) { return fabsf(a); }
__device__ float abs_(cf a) { return hypotf(a.re, a.im); }
__device__ float arg_(cf a) { return atan2f(a.im, a.re); }
__device__ float conj_(float a) { return a; }
__device__ cf conj_(cf a) { return cf(a.re, -a.im); }
__device__ float exp_(float a) { return expf(a); }
__device__ cf expj_(float a) { return cf(cosf(a), sinf(a)); }
__device__ cf exp_(cf a) { return cf(expf(a.re)) * expj_(a.im); }
__device__ float clip_(float a, float low, float high) { return fminf(fmaxf(a, low), high); }
__device__ float load_(float x) { return x; }
__device__ cf load_(float2 x) { return cf(x); }
__device__ float2 store_(cf x, float2) { float2 y; y.x = x.re; y.y = x.im; return y; }
__device__ float store_(float x, float) { return x; }
"""


class expression:
    """A checked expression of x, or of x0, x1 ... if `in_types` are several. `parameters` is
    a dict of names and numbers, of which only real or complex matters here."""

    def __init__(self, text, in_types, out_type, parameters=(), in_length=1):
        self.text = text
        if not isinstance(in_types, list):
            in_types = [in_types]
        self.in_types, self.out_type = list(map(np.dtype, in_types)), np.dtype(out_type)
        several = len(in_types) > 1
        self.items = [f"x{i}" if several else "x" for i in range(len(in_types))]
        named = [("in_sig", dtype) for dtype in self.in_types]
        for name, dtype in (*named, ("out_sig", self.out_type)):
            if dtype.name not in TYPES:
                raise TypeError(
                    f"{name} has {dtype}: must be {', '.join(TYPES)} in an expression"
                )
        self.length = in_length
        self.kinds = {}
        self.names = {}  # by what Python's parser makes of them, e.g. of a micro sign
        for name, value in dict(parameters).items():
            if not isinstance(name, str):
                raise TypeError(f"parameter {name!r}: its name must be text")
            read = unicodedata.normalize("NFKC", name)
            taken = (*RESERVED, *keyword.kwlist, *self.items, *self.names)
            if not name.isidentifier() or read in taken:
                raise ValueError(f"parameter {name!r}: its name must be free")
            self.names[read] = name
            self.kinds[name] = "c" if np.iscomplexobj(value) else "r"
        self.in_cuda = {  # NVRTC reads ASCII only
            name: name if name.isascii() else str(i) for i, name in enumerate(self.kinds)
        }
        self.history = 0  # items before the newest that x[-1], x[-2] ... need
        self.offsets = []
        try:
            if "\0" in text:
                raise ValueError(f"{text!r} is no expression: it has a zero byte")
            body = ast.parse(text.strip(), mode="eval").body
            self.evaluate, code, kind = self._node(body)
        except SyntaxError as error:
            raise ValueError(f"{text!r} is no expression: {error.msg}") from None
        except (RecursionError, MemoryError):  # Python's parser has a stack of its own
            raise ValueError(
                f"an expression of {len(text)} characters is nested too deeply: "
                "make it of several blocks"
            ) from None
        if kind == "b":
            raise ValueError(f"{text!r} is a condition: must be a number, as in 1 if ...")
        if kind == "c" and self.out_type.kind != "c":
            raise ValueError(
                f"{text!r} is complex, but out_sig is {self.out_type}: take real(), imag(), "
                "abs(), norm() or arg() of it"
            )
        self.code = code

    def _refuse(self, node, why):
        part = ast.unparse(node)
        raise ValueError(f"{part!r} in {self.text!r}: {why}")

    def _node(self, node):
        """(function of a dict that evaluates it, code, kind): kind is "r", "c" or "b"."""
        read = getattr(self, "_" + type(node).__name__, None)
        if read is None:
            self._refuse(node, "must be numbers, operators and functions only")
        return read(node)

    def _number(self, node):
        value, code, kind = self._node(node)
        if kind == "b":
            self._refuse(node, "is a condition, but must be a number")
        return value, code, kind

    def _real(self, node):
        value, code, kind = self._number(node)
        if kind == "c":
            self._refuse(node, "is complex, but must be real")
        return value, code

    def _Constant(self, node):
        value = node.value
        if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
            self._refuse(node, "is no number")
        if not abs(value) <= np.finfo(np.float32).max:
            self._refuse(node, "is beyond the range of single precision")
        if isinstance(value, complex):
            number = np.complex64(value)
            return lambda _: number, f"cf(0.0f, {_literal(value.imag)})", "c"
        number = np.float32(value)
        return lambda _: number, _literal(float(value)), "r"

    def _Name(self, node):
        name = node.id
        if name in self.items:
            return self._item(name, 0)
        if name == "k":
            return lambda known: known["k"], f"(float)(i % {self.length})", "r"
        if name == "pi":
            return lambda _: np.float32(math.pi), _literal(math.pi), "r"
        if name not in self.names:
            known = ", ".join([*self.items, "k", "pi", *self.kinds])
            self._refuse(node, f"is unknown; known are {known} and functions")
        name = self.names[name]
        return lambda known: known[name], f"p_{self.in_cuda[name]}", self.kinds[name]

    def _Subscript(self, node):
        try:
            place = ast.literal_eval(node.slice)
        except (TypeError, ValueError):
            place = None
        if not isinstance(node.value, ast.Name) or node.value.id not in self.items:
            self._refuse(node, f"only {', '.join(self.items)} has earlier items")
        name = node.value.id
        if not isinstance(place, int) or not -(1 << 20) <= place <= 0:
            self._refuse(node, f"must be {name}[0], {name}[-1] ... {name}[-1048576]")
        return self._item(name, -place)

    def _item(self, name, back):
        self.history = max(self.history, back)
        port = self.items.index(name)
        kind = "c" if self.in_types[port].kind == "c" else "r"
        code = f"load_({self._input(port)}[i + (HISTORY - {back}) * LENGTH])"
        return lambda known: known[name](back), code, kind

    def _input(self, port):
        return "input" if len(self.items) == 1 else f"input{port}"

    def _BinOp(self, node):
        if isinstance(node.op, ast.Pow):
            (a, code_a), (b, code_b) = self._real(node.left), self._real(node.right)
            return (
                lambda known: np.power(a(known), b(known)),
                f"powf({code_a}, {code_b})",
                "r",
            )
        if type(node.op) not in OPERATORS:
            self._refuse(node, "the operators are + - * / **")
        sign, call = OPERATORS[type(node.op)]
        (a, code_a, kind_a), (b, code_b, kind_b) = map(
            self._number, (node.left, node.right)
        )
        kind = "c" if "c" in (kind_a, kind_b) else "r"
        return (
            lambda known: call(a(known), b(known)),
            f"({code_a} {sign} {code_b})",
            kind,
        )

    def _UnaryOp(self, node):
        if isinstance(node.op, ast.UAdd):
            return self._number(node.operand)
        if not isinstance(node.op, ast.USub):
            self._refuse(node, "the only signs are + and -")
        value, code, kind = self._number(node.operand)
        return lambda known: -value(known), f"(-{code})", kind

    def _Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name not in FUNCTIONS:
            self._refuse(node, f"the functions are {', '.join(FUNCTIONS)}")
        takes, gives, call, in_cuda = FUNCTIONS[name]
        if node.keywords or len(node.args) != len(takes):
            self._refuse(node, f"{name}() takes {len(takes)} numbers")
        values, codes, kinds = [], [], []
        for argument, wanted in zip(node.args, takes):
            value, code, kind = self._number(argument)
            if wanted == "r" and kind == "c":
                self._refuse(argument, f"is complex, but must be real for {name}()")
            values.append(value)
            codes.append(code)
            kinds.append(kind)
        kind = gives if gives != "s" else kinds[0]
        return (
            lambda known: call(*(value(known) for value in values)),
            f"{in_cuda}({', '.join(codes)})",
            kind,
        )

    def _Compare(self, node):
        if len(node.ops) != 1 or type(node.ops[0]) not in COMPARISONS:
            self._refuse(node, "must compare two numbers by < <= > >= == !=")
        sign, call = COMPARISONS[type(node.ops[0])]
        (a, code_a), (b, code_b) = self._real(node.left), self._real(node.comparators[0])
        return lambda known: call(a(known), b(known)), f"({code_a} {sign} {code_b})", "b"

    def _IfExp(self, node):
        condition, test, kind = self._node(node.test)
        if kind != "b":
            self._refuse(node.test, "must be a condition")
        (a, code_a, kind_a), (b, code_b, kind_b) = map(
            self._number, (node.body, node.orelse)
        )
        kind = "c" if "c" in (kind_a, kind_b) else "r"
        if kind == "c":
            code_a, code_b = f"cf({code_a})", f"cf({code_b})"
        return (
            lambda known: np.where(condition(known), a(known), b(known)),
            f"({test} ? {code_a} : {code_b})",
            kind,
        )

    def compute(self, x, out, parameters):
        """Writes the values for the NumPy array x, or a tuple of them, which begin with the
        history."""
        values = {
            name: (np.complex64 if kind == "c" else np.float32)(parameters[name])
            for name, kind in self.kinds.items()
        }
        x = [array.reshape(-1) for array in (x if isinstance(x, tuple) else (x,))]
        out = out.reshape(-1)
        with np.errstate(all="ignore"):
            for first in range(0, len(out), SLICE):
                self._compute_slice(x, first, out[first : first + SLICE], values)

    def _compute_slice(self, x, first, out, values):
        def item_of(array):
            def item(back):
                begin = first + (self.history - back) * self.length
                numbers = array[begin : begin + len(out)]
                return (
                    numbers if numbers.dtype.kind == "c" else numbers.astype(np.float32)
                )

            return item

        items = dict(zip(self.items, map(item_of, x)))
        places = np.arange(first, first + len(out)) % self.length
        known = {**values, **items, "k": places.astype(np.float32)}
        result = self.evaluate(known)
        if out.dtype.kind in "iu":
            limits = np.iinfo(out.dtype)
            result = np.rint(np.nan_to_num(result, nan=0.0)).astype(np.float64)
            result = np.clip(result, limits.min, limits.max)
        out[...] = result

    def cuda(self):
        """The text of the kernel `gpufft_expression`."""
        into = TYPES[self.out_type.name]
        if self.out_type.kind in "iu":
            limits = np.iinfo(self.out_type)
            stored = f"({into})store_int_({self.code}, {limits.min}LL, {limits.max}LL)"
        else:
            stored = f"store_({self.code}, {into}())"
        parameters = "".join(
            f", {'float2' if kind == 'c' else 'float'} n_{self.in_cuda[name]}"
            for name, kind in self.kinds.items()
        )
        locals_ = "".join(
            f"    const {'cf' if kind == 'c' else 'float'} p_{name}(n_{name});\n"
            for name, kind in zip(self.in_cuda.values(), self.kinds.values())
        )
        inputs = "".join(
            f"const {TYPES[dtype.name]}* {self._input(port)}, "
            for port, dtype in enumerate(self.in_types)
        )
        return f"""{PRELUDE}__device__ long long store_int_(float x, long long low, long long high)
{{
    const double y = x == x ? rint((double)x) : 0;
    return y < (double)low ? low : y > (double)high ? high : (long long)y;
}}
constexpr long long HISTORY = {self.history}, LENGTH = {self.length};
constexpr int AT_ONCE = {AT_ONCE};

extern "C" __global__ void gpufft_expression(
    {inputs}{into}* output, long long frames{parameters})
{{
{locals_}    const long long first = (long long)blockIdx.x * (AT_ONCE * blockDim.x) + threadIdx.x;
    for (int u = 0; u < AT_ONCE; ++u) {{
        const long long i = first + u * blockDim.x;
        if (i < frames * LENGTH)
            output[i] = {stored};
    }}
}}
"""


AT_ONCE = 4  # numbers that a thread computes


def _literal(value):
    text = repr(float(np.float32(value)))
    return text + "f" if "e" in text or "." in text else text + ".0f"
