#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""array_block: functions of arrays between blocks, on the CPU, on simulated cards and on
real ones."""

import gc
import importlib.util
import weakref

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_array_support import IS_SIMULATED, ON_CARD, array_case, fail, on_arrays, simulate
from qa_support import ENGINE, run, tag, tag_places, wait


class qa_array_block(array_case):
    def test_doubles_a_stream(self):
        x = self.complex_noise(50000)
        block = self.block(lambda x: 2 * x)
        np.testing.assert_array_equal(self.samples(block, x), 2 * x)
        self.assertEqual(block.engine(), ENGINE)
        self.assertEqual(block.engine_reason(), f"{ENGINE}: asked for")
        self.assertEqual(block.statistics()["frames"], 50000)

    def test_random_sizes(self):
        """Decimation, interpolation, history, vectors, limits on calls."""
        for _ in range(12):
            n = int(self.random.integers(1, 5))
            down, up = (int(self.random.integers(1, 6)) for _ in range(2))
            history = int(self.random.choice([0, 0, 1, 7, 300]))
            x = self.random.standard_normal((4000, n)).astype(np.float32)

            def rows(x):
                frames = (len(x) - history) // down
                sums = np.cumsum(np.concatenate([np.zeros((1, n), x.dtype), x]), 0)
                ends = history + down * (1 + np.arange(frames))
                sums = sums[ends] - sums[ends - history - down]
                return np.repeat(sums, up, axis=0).reshape(-1, *((n,) if n > 1 else ()))

            def compute(x):
                return rows(x.reshape(-1, n)).astype(np.float32)

            item = (np.float32, n) if n > 1 else np.float32
            block = self.block(
                compute, item, item, decimation=down, interpolation=up, history=history
            )
            limit = int(self.random.choice([1000000, 17]))
            y, _ = run(x, block, kind="f", out="f", vlen_in=n, vlen_out=n, limit=limit)
            padded = np.concatenate([np.zeros((history, n), np.float32), x])
            frames = 4000 // down
            expected = rows(padded[: history + frames * down]).reshape(-1, n)
            self.assertEqual(y.shape, expected.shape)
            np.testing.assert_allclose(y, expected, atol=2e-3)

    def test_other_types(self):
        x = self.random.integers(-100, 100, 4096)
        for kind, dtype in (("s", np.int16), ("b", np.uint8)):
            block = self.block(lambda x: x.astype(np.float32) / 2, dtype, np.float32)
            values = x % 256 if kind == "b" else x
            y, _ = run(values, block, kind=kind)
            np.testing.assert_array_equal(y.ravel(), values / 2)

    def test_tags(self):
        x = self.complex_noise(9000)
        places = [0, 1, 17, 4000, 8998]
        for down, up in ((1, 1), (3, 1), (1, 4), (3, 2)):
            block = self.block(
                lambda x: np.repeat(x[::down], up), decimation=down, interpolation=up
            )
            y, tags = run(x, block, out="c", tags=map(tag, places))
            np.testing.assert_array_equal(y.ravel(), np.repeat(x[::down], up))
            self.assertEqual(tag_places(tags), [(p, p // down * up) for p in places])

    def test_several_outputs(self):
        x = self.complex_noise(3000)
        block = self.block(lambda x: (x, 2 * x, 3 * x), np.complex64, [np.complex64] * 3)
        flowgraph = gr.top_block()
        flowgraph.connect(blocks.vector_source_c(x.tolist()), block)
        sinks = [blocks.vector_sink_c() for _ in range(3)]
        for port, sink in enumerate(sinks):
            flowgraph.connect((block, port), sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        for factor, sink in enumerate(sinks, 1):
            np.testing.assert_array_equal(sink.data(), factor * x)

    def ports_of(self, block, sources, sinks, **keywords):
        """What the sinks have after the sources' items have passed the block."""
        flowgraph = gr.top_block()
        for port, source in enumerate(sources):
            flowgraph.connect(source, (block, port))
        for port, sink in enumerate(sinks):
            flowgraph.connect((block, port), sink)
        flowgraph.start(keywords.get("limit", 1000000))
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        return [np.array(sink.data()) for sink in sinks]

    def test_several_inputs_and_outputs(self):
        """Each with its own type, length, decimation, history and interpolation."""
        x = self.complex_noise(6000)
        y = self.random.standard_normal((2100, 3)).astype(np.float32)
        z = self.random.integers(-100, 100, 2000)

        def mix(arrays):
            x, y, z = arrays
            frames = len(z)
            sums = x.reshape(frames, 3).sum(1)
            means = (y[1:] + y[:-1]) / 2
            return np.repeat(sums, 2), means * z[:, np.newaxis], None

        def function(x, out):
            if isinstance(x[0], np.ndarray):
                out[2][:] = x[2]
                return mix(x)
            return on_arrays(lambda arrays: (*mix(arrays)[:2], arrays[2]))(x, out)

        for limit in (1000000, 50):
            block = gpufft.array_block(
                function,
                [np.complex64, (np.float32, 3), np.int16],
                [np.complex64, (np.float32, 3), np.int16],
                decimation=[3, 1, 1],
                history=[0, 1, 0],
                interpolation=[2, 1, 1],
                engine=ENGINE,
            )
            sources = [
                blocks.vector_source_c(x.tolist()),
                blocks.vector_source_f(y.ravel().tolist(), False, 3),
                blocks.vector_source_s(z.tolist()),
            ]
            sinks = [
                blocks.vector_sink_c(),
                blocks.vector_sink_f(3),
                blocks.vector_sink_s(),
            ]
            found = self.ports_of(block, sources, sinks, limit=limit)
            before = np.concatenate([np.zeros((1, 3), np.float32), y[:1999]])
            means = (y[:2000] + before) / 2 * z[:, np.newaxis]
            self.assert_close(found[0], np.repeat(x.reshape(-1, 3).sum(1), 2))
            self.assert_close(found[1].reshape(-1, 3), means)
            np.testing.assert_array_equal(found[2], z)

    def test_wrong_results_for_several_outputs(self):
        for result, words in ((3, "tuple of 2"), ((None,) * 3, "returned 3 arrays")):
            block = gpufft.array_block(
                lambda x, out, r=result: r, "f4", ["f4", "f4"], engine=ENGINE
            )
            flowgraph = gr.top_block()
            flowgraph.connect(blocks.null_source(4), block, blocks.null_sink(4))
            flowgraph.connect((block, 1), blocks.null_sink(4))
            flowgraph.start()
            wait(flowgraph)
            self.assertIn(words, block.error())

    def test_between_transforms(self):
        """A filter in the frequency domain; on a card nothing leaves it in between."""
        n = 64
        x = self.complex_noise(2000, n)
        response = self.complex_noise(n)
        forward = gpufft.fft_vcc(n, True, [], engine=ENGINE)
        inverse = gpufft.fft_vcc(n, False, [], engine=ENGINE)
        vectors = (np.complex64, n)
        block = self.block(lambda x: x * response, vectors, vectors)
        flowgraph = gr.top_block()
        sink = blocks.vector_sink_c(n)
        source = blocks.vector_source_c(x.ravel().tolist(), False, n)
        flowgraph.connect(source, forward, block, inverse, sink)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(block.error(), "")
        expected = n * np.fft.ifft(np.fft.fft(x) * response)
        self.assert_close(np.reshape(sink.data(), x.shape), expected)
        if ON_CARD:
            middle = block.statistics()
            self.assertEqual((middle["bytes_up"], middle["bytes_down"]), (0, 0))
            self.assertTrue(middle["input_edge"].startswith("device: "), middle)
            self.assertEqual(inverse.statistics()["bytes_up"], 0)

    def test_functions_of_this_package(self):
        """gpufft's own functions take the arrays, wherever they are."""
        if IS_SIMULATED:
            self.skipTest("the functions know no simulated cards")
        n = 256
        x = self.complex_noise(300, n)
        plan = gpufft.plan(f"c2c_forward_n{n}_b64", engine=ENGINE)

        vectors = (np.complex64, n)
        block = gpufft.array_block(
            lambda x, out: plan.execute(x), vectors, vectors, engine=ENGINE
        )
        y, _ = run(x, block, vlen_in=n, vlen_out=n, out="c")
        self.assert_close(y, np.fft.fft(x))

    def test_derived_class(self):
        class ramp(gpufft.array_block):
            """Adds the number of each item."""

            def __init__(self):
                self.calls = 0
                gpufft.array_block.__init__(
                    self, None, np.float32, np.float32, history=2, engine=ENGINE
                )

            def compute(self, x, out):
                self.calls += 1
                first = self.position
                function = on_arrays(
                    lambda x: x[2:] + np.arange(first, first + len(x) - 2)
                )
                return function(x, out)

        x = self.random.standard_normal(100000).astype(np.float32)
        block = ramp()
        y = self.samples_in_parts(block, x, 30000, blocks.vector_sink_f())
        np.testing.assert_array_equal(y, (x + np.arange(100000)).astype(np.float32))
        self.assertGreater(block.calls, 1)
        self.assertEqual(block.name(), "ramp")
        gone = weakref.ref(block)
        del block
        gc.collect()
        self.assertIsNone(gone())

    def test_function_as_text(self):
        text = "def function(x, out, gain):\n    return gain * np.conj(x)"
        x = self.complex_noise(1000)
        block = gpufft.array_block(text, parameters={"gain": 2}, engine="cpu")
        np.testing.assert_array_equal(self.samples(block, x), 2 * np.conj(x))
        block = gpufft.array_block(text, parameters={"gain": "much"}, engine="cpu")
        with self.assertRaisesRegex(AssertionError, "return gain .* np.conj"):
            self.samples(block, x)
        refuses = self.assert_refuses
        refuses(ValueError, ["does not compile"], gpufft.array_block, "def function(:")
        refuses(ValueError, ["without `def"], gpufft.array_block, "x = 3")
        refuses(ValueError, ["function", "name 'y' is"], gpufft.array_block, "x = y")

    def test_errors_end_the_flowgraph(self):
        def failing(x, out):
            if failing.calls == 3:
                raise KeyError("no such thing")
            failing.calls += 1
            return on_arrays(lambda x: x)(x, out)

        failing.calls = 0
        block = gpufft.array_block(failing, engine=ENGINE)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c([1] * 4096, True)
        flowgraph.connect(source, block, blocks.null_sink(8))
        flowgraph.start()
        wait(flowgraph)
        error = block.error()
        self.assertTrue(error.startswith("Traceback (most recent call last)"), error)
        self.assertIn("in failing", error)
        self.assertTrue(error.endswith("KeyError: 'no such thing'"), error)

    def test_the_cpu_goes_on_after_an_error(self):
        x = self.complex_noise(40000)
        kinds = set()

        def half_baked(x, out):
            kinds.add(type(x))
            if not isinstance(x, np.ndarray):
                raise RuntimeError("only NumPy")
            return x + 1

        block = gpufft.array_block(half_baked, engine=ENGINE, on_error="cpu")
        np.testing.assert_array_equal(self.samples(block, x), x + 1)
        self.assertEqual(block.engine(), "cpu")
        if ON_CARD:
            self.assertIn("RuntimeError: only NumPy", block.engine_reason())
            self.assertEqual(kinds, {np.ndarray, gpufft.device_array})

    def test_the_cpu_goes_on_after_a_fault(self):
        if not IS_SIMULATED:
            self.skipTest("only simulated cards fail at will")
        x = self.complex_noise(100000)
        for call in (8, 16, 24):
            simulate()
            block = self.block(lambda x: x - 1, on_error="cpu")
            fail(call)
            y = self.samples_in_parts(block, x, 4000, blocks.vector_sink_c())
            np.testing.assert_array_equal(y, x - 1)
            self.assertEqual(block.engine(), "cpu")
            del block

    def test_wrong_results(self):
        """What is no array like `out` ends the flowgraph, with both in words. The length
        is what work() of GNU Radio's own blocks in Python returns."""
        x = self.complex_noise(3000)
        number = "None or an array"
        like = "but must return complex64 of shape"
        results = [
            (lambda x: x.shape[0], np.complex64, number),
            (lambda x: True, np.complex64, number),
            (lambda x: np.complex64(1), np.complex64, number),
            (lambda x: "text", np.complex64, number),
            (lambda x: iter([]), np.complex64, number),
            (lambda x: np.zeros(3, np.complex64), np.complex64, like),
            (lambda x: np.zeros(1, np.complex64), np.complex64, like),
            (lambda x: np.zeros((1, *x.shape), np.complex64), np.complex64, like),
            (lambda x: np.zeros(x.shape, np.complex64), np.float32, "must return float32"),
            (lambda x: np.zeros(x.shape, np.float32), np.int16, "must return int16"),
        ]
        for result, out_type, words in results:

            def function(x, out, result=result):
                given = result(x)
                if not isinstance(given, np.ndarray) or not ON_CARD or IS_SIMULATED:
                    return given
                return gpufft.to_device(given, x.device)

            if IS_SIMULATED:
                words = number  # to_device() knows no simulated cards
            block = gpufft.array_block(function, out_sig=out_type, engine=ENGINE)
            flowgraph = gr.top_block()
            sink = blocks.null_sink(np.dtype(out_type).itemsize)
            flowgraph.connect(blocks.vector_source_c(x.tolist()), block, sink)
            flowgraph.start()
            wait(flowgraph)
            self.assertIn("the function returned", block.error())
            self.assertIn(words, block.error())
            self.assertEqual(sink.nitems_read(0), 0)

    def test_results_of_another_precision(self):
        """On the CPU, where NumPy's functions give them unasked."""
        if ON_CARD:
            self.skipTest("a card copies bytes")
        x = self.complex_noise(3000)
        for result in (lambda x: x.astype(np.complex128), list, lambda x: x[::-1][::-1]):
            block = gpufft.array_block(lambda x, out, r=result: r(x), engine=ENGINE)
            np.testing.assert_array_equal(self.samples(block, x), x)

    def test_engine_auto(self):
        """It takes a GPU only for a library that is there."""
        block = gpufft.array_block(lambda x, out: x, engine="auto")
        self.assertEqual(block.engine(), "cpu")
        self.assertEqual(
            block.engine_reason(), "auto: cpu, library is '': the function is for NumPy"
        )
        if importlib.util.find_spec("torch") is None:
            named = {"function": abs, "library": "torch"}
            block = gpufft.array_block(**named, engine="auto")
            self.assertEqual(
                block.engine_reason(), "auto: cpu, Python has no module torch"
            )
            words = ["engine is cuda", "no module torch"]
            self.assert_refuses(
                ValueError, words, gpufft.array_block, **named, engine="cuda"
            )

    def test_refuses(self):
        refuses = self.assert_refuses
        make = gpufft.array_block
        refuses(ValueError, ["function is None", "compute()"], make)
        refuses(TypeError, ["function is 3", "callable"], make, 3)
        refuses(ValueError, ["library is 'jax'", "cupy"], make, abs, library="jax")
        refuses(ValueError, ["in_sig is []"], make, abs, [])
        two = ["f4", "f4"]
        refuses(
            ValueError, ["history", "3 values", "or 2"], make, abs, two, history=[0] * 3
        )
        refuses(ValueError, ["history is -1"], make, abs, history=-1)
        refuses(TypeError, ["decimation is 1.5"], make, abs, decimation=1.5)
        refuses(TypeError, ["object", "numbers"], make, abs, object)
        refuses(TypeError, ["in_sig has None", "dtype"], make, abs, None)
        for length in (0, -1, 1.5, np.nan, np.inf, 2**70, "f4", (2, 3)):
            words = [f"vectors of {length!r}", "1 ... 1073741824"]
            refuses(ValueError, words, make, abs, (np.float32, length))
        refuses(
            ValueError,
            ["decimation is 0", "1 ..."],
            make,
            abs,
            decimation=0,
            engine="cpu",
        )
        refuses(ValueError, ["engine", "tpu"], make, abs, engine="tpu")
        refuses(ValueError, ["cuda_buffers", "'up'"], make, abs, cuda_buffers="up")
        words = ["cuda_buffers", "engine must be cuda"]
        refuses(ValueError, words, make, abs, cuda_buffers="in", engine="cpu")
        refuses(TypeError, ["gain", "array_block()"], make, abs, gain=3)
        block = make(abs, parameters={"a": 1}, engine="cpu")
        for wrong in (None, 3, "a", ["a"]):
            refuses(TypeError, ["parameters is", "dict"], block.set_parameters, wrong)

        class unmade(gpufft.array_block):
            def __init__(self):
                pass

        words = ["unmade has no block", "array_block.__init__()"]
        refuses(AttributeError, words, lambda: unmade().name())


if __name__ == "__main__":
    gr_unittest.run(qa_array_block)
