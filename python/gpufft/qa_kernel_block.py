#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kernel_block: expressions and kernels, by NumPy, by g++ from the text for NVRTC, on
simulated cards and on real ones."""

import ctypes
import time

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.gpufft import gpufft_python
from gnuradio.gpufft.expression import expression
from qa_array_support import IS_SIMULATED, ON_CARD, array_case
from qa_kernel_support import COMPILER, launcher, simulate_kernels
from qa_support import ENGINE, run, tag, tag_places, wait

J = np.complex64(1j)
# An expression, whether samples and results are complex, and its value by NumPy for the
# samples x, those before them x1, x2, their places k, and the parameters a, c.
EXPRESSIONS = [
    ("norm(x) * a", "cf", lambda v: np.abs(v.x) ** 2 * v.a),
    ("a * arg(x * conj(x[-1]))", "cf", lambda v: v.a * np.angle(v.x * np.conj(v.x1))),
    ("x - 0.5 * x[-2]", "ff", lambda v: v.x - 0.5 * v.x2),
    ("x * expj(2 * pi * k / 7)", "cc", lambda v: v.x * np.exp(2j * np.pi * v.k / 7)),
    ("c * x / (1 + abs(x))", "cc", lambda v: v.c * v.x / (1 + np.abs(v.x))),
    ("x / (c + x[-1])", "cc", lambda v: v.x / (v.c + v.x1)),
    ("x if x > 0.3 else -a", "ff", lambda v: np.where(v.x > 0.3, v.x, -v.a)),
    ("x if abs(x) >= a else 2j", "cc", lambda v: np.where(np.abs(v.x) >= v.a, v.x, 2j)),
    ("10 * log10(max(norm(x), 1e-20))", "cf", lambda v: 20 * np.log10(np.abs(v.x))),
    ("clip(x, -a, a) + tanh(x)", "ff", lambda v: np.clip(v.x, -v.a, v.a) + np.tanh(v.x)),
    ("real(x) * imag(x) + 3", "cf", lambda v: v.x.real * v.x.imag + 3),
    ("exp(x) - exp(real(x))", "cc", lambda v: np.exp(v.x) - np.exp(v.x.real)),
    ("sqrt(x * x) ** 1.5 + 1", "ff", lambda v: np.abs(v.x) ** 1.5 + 1),
    ("atan2(x, 2) + min(x, a)", "ff", lambda v: np.arctan2(v.x, 2) + np.minimum(v.x, v.a)),
    ("sin(x) + cos(x) * log(x * x + 1)", "ff",
     lambda v: np.sin(v.x) + np.cos(v.x) * np.log(v.x**2 + 1)),
    ("x", "fc", lambda v: v.x + 0j),
    ("-x[-3] + 1j", "cc", lambda v: -v.x3 + 1j),
]  # fmt: skip
PARAMETERS = {"a": 0.75, "c": 1.5 - 0.5j}
DTYPES = {"c": np.complex64, "f": np.float32}

SUMS = """
__global__ void sums(const float2* input, float* output, long long frames, float gain,
                     int places)
{
    const long long f = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames)
        return;
    float sum = 0;
    for (int i = 0; i < places; ++i)
        sum += input[f * 3 + i].x;
    output[2 * f] = gain * sum;
    output[2 * f + 1] = input[f * 3 + places - 1].y;
}
"""

SPLIT = """
__global__ void split(const float2* x, const float* y, float2* even, float* odd,
                      long long frames, float gain)
{
    const long long f = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames)
        return;
    even[f].x = gain * x[2 * f].x;
    even[f].y = gain * x[2 * f].y;
    odd[2 * f] = x[2 * f + 1].y;
    odd[2 * f + 1] = y[f];
}
"""


class values:
    """x and what expressions know of it, where length numbers are an item."""

    def __init__(self, x, length):
        self.x = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        for back in (1, 2, 3):
            zeros = np.zeros(back * length, self.x.dtype)
            setattr(self, f"x{back}", np.concatenate([zeros, self.x])[: len(x)])
        self.k = np.arange(len(x)) % length
        self.a, self.c = PARAMETERS["a"], PARAMETERS["c"]


class qa_kernel_block(array_case):
    def setUp(self):
        super().setUp()
        if IS_SIMULATED and COMPILER is None:
            self.skipTest("there is no g++")
        simulate_kernels()

    def numbers(self, kind, count):
        x = self.random.standard_normal((count, 2)).astype(np.float32)
        return x.view(np.complex64).ravel() if kind == "c" else x[:, 0].copy()

    def block(self, *arguments, **keywords):
        return gpufft.kernel_block(*arguments, **{"engine": ENGINE, **keywords})

    def sums_of(self, x, gain, places):
        """What the kernel SUMS makes of x with 2 items before it."""
        padded = np.concatenate([np.zeros(2, np.complex64), x])
        frames = len(x) // 3
        rows = np.stack([padded[3 * f : 3 * f + places] for f in range(frames)])
        return np.stack([gain * rows.real.sum(1), rows.imag[:, -1]], 1).ravel()

    def test_expressions(self):
        for length in (1, 7):
            for text, kinds, expected in EXPRESSIONS:
                x = self.numbers(kinds[0], 4200)
                ports = [DTYPES[kind] for kind in kinds]
                if length > 1:
                    ports = [(dtype, length) for dtype in ports]
                block = self.block(text, *ports, PARAMETERS)
                y, _ = run(x, block, kind=kinds[0], out=kinds[1], vlen_in=length,
                           vlen_out=length)  # fmt: skip
                self.assert_close(y.ravel(), expected(values(x, length)), text)
                self.assertEqual(block.engine(), ENGINE)

    def test_the_text_for_cards_computes_the_same(self):
        if COMPILER is None:
            self.skipTest("there is no g++")
        for length in (1, 7):
            for text, kinds, expected in EXPRESSIONS:
                x = self.numbers(kinds[0], 2100)
                dtypes = [DTYPES[kind] for kind in kinds]
                made = expression(text, *dtypes, PARAMETERS, length)
                padded = np.concatenate([np.zeros(made.history * length, x.dtype), x])
                out = np.full(len(x), np.nan, dtypes[1])
                parameters = [np.float32(PARAMETERS["a"]), np.complex64(PARAMETERS["c"])]
                kept = [np.array([each]) for each in parameters]
                addresses = (ctypes.c_void_p * 2)(*(each.ctypes.data for each in kept))
                launcher(made.cuda(), "gpufft_expression")(
                    (ctypes.c_void_p * 1)(padded.ctypes.data),
                    (ctypes.c_void_p * 1)(out.ctypes.data),
                    ctypes.c_longlong(len(x) // length),
                    addresses,
                    ctypes.c_uint(len(x) // (4 * 32) + 1),
                    ctypes.c_uint(32),
                )
                self.assert_close(out, expected(values(x, length)), text)

    def test_the_text_for_cards_compiles(self):
        if not gpufft.query_cuda()["nvrtc"]:
            self.skipTest("there is no NVRTC")
        texts = [
            expression(text, DTYPES[kinds[0]], DTYPES[kinds[1]], PARAMETERS, 7).cuda()
            for text, kinds, _ in EXPRESSIONS
        ]
        for name in ("int32", "int16", "int8", "uint8"):
            texts.append(expression("x * 2", name, name).cuda())
        for text in texts:
            gpufft_python.kernel_function.check(text, "gpufft_expression", 90)

    def test_integers(self):
        x = self.random.integers(-128, 128, 3000)
        block = self.block("x * 0.6", np.int8, np.float32)
        y, _ = run(x % 256, block, kind="b")
        np.testing.assert_allclose(y.ravel(), np.float32(0.6) * x, rtol=1e-6)
        x = self.random.standard_normal(3000).astype(np.float32)
        for dtype, sink in (
            (np.int16, blocks.vector_sink_s),
            (np.int32, blocks.vector_sink_i),
            (np.uint8, blocks.vector_sink_b),
        ):
            block = self.block("30000 * x", np.float32, dtype)
            end = sink()
            flowgraph = gr.top_block()
            flowgraph.connect(blocks.vector_source_f(x.tolist()), block, end)
            flowgraph.start()
            wait(flowgraph)
            limits = np.iinfo(dtype)
            expected = np.clip(np.rint(np.float32(30000) * x), limits.min, limits.max)
            np.testing.assert_array_equal(end.data(), expected)

    def test_tags_and_chunks(self):
        x = self.numbers("c", 50000)
        places = [0, 1, 999, 49999]
        block = self.block("x * conj(x[-1])")
        y, tags = run(x, block, out="c", tags=map(tag, places), limit=777)
        expected = x * np.conj(np.concatenate([[0], x[:-1]]))
        self.assert_close(y.ravel(), expected)
        self.assertEqual(tag_places(tags), [(p, p) for p in places])

    def test_between_transforms(self):
        n = 128
        x = self.complex_noise(1000, n)
        forward = gpufft.fft_vcc(n, True, [], engine=ENGINE)
        inverse = gpufft.fft_vcc(n, False, [], engine=ENGINE)
        vectors = (np.complex64, n)
        block = self.block("x * a if k < 40 else 0", vectors, vectors, {"a": 0.5})
        flowgraph = gr.top_block()
        sink = blocks.vector_sink_c(n)
        source = blocks.vector_source_c(x.ravel().tolist(), False, n)
        flowgraph.connect(source, forward, block, inverse, sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        bins = np.fft.fft(x) * np.where(np.arange(n) < 40, 0.5, 0)
        self.assert_close(np.reshape(sink.data(), x.shape), n * np.fft.ifft(bins))
        if ON_CARD:
            middle = block.statistics()
            self.assertEqual((middle["bytes_up"], middle["bytes_down"]), (0, 0))
            self.assertEqual(inverse.statistics()["bytes_up"], 0)

    def test_a_kernel(self):
        """Decimation by 3, interpolation by 2, history of 2, parameters of two types."""
        x = self.numbers("c", 9001)

        def sums(x, out, gain, places):
            frames = len(out) // 2
            rows = np.stack([x[3 * f : 3 * f + places] for f in range(frames)])
            out[0::2] = gain * rows.real.sum(1)
            out[1::2] = rows.imag[:, -1]

        parameters = {"gain": 2.0, "places": 5}
        block = self.block(SUMS, np.complex64, np.float32, parameters, "sums",
                           decimation=3, interpolation=2, history=2, cpu=sums)  # fmt: skip
        y, _ = run(x, block, limit=1000)
        self.assert_close(y.ravel(), self.sums_of(x, 2, 5).astype(np.float32))
        block.set_parameters({"gain": -1.0, "places": 2})
        y, _ = run(x, block)
        self.assert_close(y.ravel(), self.sums_of(x, -1, 2).astype(np.float32))

    def test_expression_of_several_inputs(self):
        for length in (1, 5):
            x, y = self.numbers("c", 3000), self.numbers("f", 3000)
            types = [np.complex64, np.float32]
            if length > 1:
                types = [(dtype, length) for dtype in types]
            block = self.block("conj(x0[-1]) * x1 + a", types, types[0], {"a": 2.0})
            flowgraph = gr.top_block()
            sink = blocks.vector_sink_c(length)
            source = blocks.vector_source_c(x.tolist(), False, length)
            flowgraph.connect(source, block, sink)
            source = blocks.vector_source_f(y.tolist(), False, length)
            flowgraph.connect(source, (block, 1))
            flowgraph.start()
            wait(flowgraph)
            self.assertEqual(block.error(), "")
            before = np.concatenate([np.zeros(length), x[:-length]])
            self.assert_close(np.array(sink.data()), np.conj(before) * y + 2)

    def test_kernel_of_several_ports(self):
        """One input has twice the other's items; the outputs differ in type and number."""
        x, y = self.numbers("c", 4000), self.numbers("f", 2000)

        def split(x, out, gain):
            pairs = x[0].reshape(-1, 2)
            out[0][:] = pairs[:, 0] * gain
            out[1][0::2], out[1][1::2] = pairs[:, 1].imag, x[1]

        block = self.block(
            SPLIT, ["c8", "f4"], ["c8", "f4"], {"gain": 3.0}, "split",
            decimation=[2, 1], interpolation=[1, 2], cpu=split,
        )  # fmt: skip
        sources = [blocks.vector_source_c(x.tolist()), blocks.vector_source_f(y.tolist())]
        sinks = [blocks.vector_sink_c(), blocks.vector_sink_f()]
        flowgraph = gr.top_block()
        for port in (0, 1):
            flowgraph.connect(sources[port], (block, port))
            flowgraph.connect((block, port), sinks[port])
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        self.assert_close(np.array(sinks[0].data()), 3 * x[0::2])
        expected = np.stack([x[1::2].imag, y], 1).ravel()
        np.testing.assert_array_equal(sinks[1].data(), expected)

    def test_kernels_are_checked(self):
        if not gpufft.query_cuda()["nvrtc"]:
            self.skipTest("there is no NVRTC")
        check = gpufft_python.kernel_function.check
        right = gpufft.kernel_block(
            SUMS, np.complex64, np.float32, {"gain": 1.0, "places": 2}, "sums",
            cpu=lambda x, out: None, engine="cpu",
        )  # fmt: skip
        right.check(80)
        wrong = gpufft.kernel_block(
            SUMS, np.float32, np.float32, {"gain": 1.0, "places": 2}, "sums",
            cpu=lambda x, out: None, engine="cpu",
        )  # fmt: skip
        words = r"void sums\(const float\*, float\*, long long, float, int\)"
        with self.assertRaisesRegex(ValueError, words):
            wrong.check(80)
        with self.assertRaisesRegex(ValueError, "identifier"):
            check("__global__ void f() { y = 1; }", "f", 80)
        with self.assertRaisesRegex(ValueError, "missing"):
            check(SUMS, "missing", 80)

    def test_parameters_change_while_it_runs(self):
        block = self.block("x * a + c", parameters=PARAMETERS)
        flowgraph = gr.top_block()
        sink = blocks.probe_signal_c()
        flowgraph.connect(blocks.vector_source_c([1] * 1000, True), block, sink)
        flowgraph.start()
        try:
            for a in (0.25, -3.0):
                block.set_parameter("a", a)
                end = time.monotonic() + 300
                while sink.level() != a + PARAMETERS["c"] and time.monotonic() < end:
                    time.sleep(0.005)
                self.assertEqual(sink.level(), a + PARAMETERS["c"])
        finally:
            flowgraph.stop()
            wait(flowgraph)
        self.assertEqual(block.parameters(), {**PARAMETERS, "a": -3.0})
        refuses = self.assert_refuses
        refuses(ValueError, ["'b'", "a, c"], block.set_parameter, "b", 1)
        refuses(TypeError, ["a is", "float32"], block.set_parameter, "a", 1j)
        refuses(TypeError, ["a is", "float32"], block.set_parameter, "a", "much")
        self.assertEqual(block.parameters(), {**PARAMETERS, "a": -3.0})

    def test_refuses(self):
        make = gpufft.kernel_block
        for text, words in {
            "norm(x": ["no expression"],
            "x": ["complex", "out_sig is float32", "norm()"],
            "y + real(x)": ["'y'", "unknown", "a, c"],
            "__import__('os')": ["functions are"],
            "x.real": ["operators and functions only"],
            "norm(x)(1)": ["functions are"],
            "real(x[1])": ["x[0], x[-1]"],
            "real(x[k])": ["x[0], x[-1]"],
            "real(x[{[]}])": ["x[0], x[-1]"],
            "a[0]": ["only x has"],
            "sqrt(x)": ["complex", "real for sqrt()"],
            "real(x) ** x": ["complex", "real"],
            "norm(x, x)": ["takes 1"],
            "1 if x else 2": ["condition"],
            "real(x) > 1": ["condition"],
            "real(x) // 2": ["+ - * / **"],
            "'text'": ["no number"],
            "[real(x)]": ["operators and functions only"],
            "1e50": ["single precision"],
            "(lambda: 1)()": ["functions are"],
        }.items():
            self.assert_refuses(ValueError, words, make, text, "c8", "f4", PARAMETERS)
        refuses = self.assert_refuses
        refuses(
            ValueError, ["1199 characters", "too deeply"], make, "+".join(["x"] * 600)
        )
        refuses(TypeError, ["parameter 1", "text"], make, "x", parameters={1: 3})
        for name in ("pi", "if", "True"):
            words = [repr(name), "free"]
            refuses(ValueError, words, make, "x", parameters={name: 3})
        refuses(TypeError, ["complex128"], make, "x", np.complex128)
        refuses(ValueError, ["one length"], make, "x", ("c8", 4), ("c8", 5))
        refuses(ValueError, ["2 outputs"], make, "x", "c8", ["c8", "c8"])
        refuses(ValueError, ["'x'", "x0, x1, k"], make, "x", ["c8", "c8"])
        refuses(
            ValueError, ["'x1'", "free"], make, "x0", ["c8", "c8"], parameters={"x1": 1}
        )
        refuses(ValueError, ["expression"], make, "x", decimation=2)
        refuses(TypeError, ["parameter a"], make, "x", parameters={"a": "text"})
        refuses(
            ValueError, ["sums", "GPU only", "give cpu"],
            make, SUMS, "c8", "f4", {}, "sums", engine="cpu",
        )  # fmt: skip
        refuses(ValueError, ["threads is 2000", "1 ... 1024"], make, "x", threads=2000)
        refuses(ValueError, ["threads is -1"], make, "x", threads=-1)


if __name__ == "__main__":
    gr_unittest.run(qa_kernel_block)
