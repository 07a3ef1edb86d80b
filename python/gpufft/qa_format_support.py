# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers to and from the formats of samples at the ports, and blocks with them beside the
same from and to complex64."""

import numpy as np
from gnuradio import blocks, gr
from qa_support import GpufftTestCase, wait

TYPES = {"cs16": np.int16, "cs8": np.int8, "cf16": np.float16, "cf32": np.float32}
TYPES |= {"s16": np.int16, "s8": np.int8, "f16": np.float16, "f32": np.float32}
FULL_SCALE = {np.int16: 32768, np.int8: 128, np.float16: 1, np.float32: 1}


def numbers_of(x):
    """Real and imaginary parts in turns, or the real numbers."""
    x = np.ascontiguousarray(x)
    return x.view(x.real.dtype).ravel().astype(np.float64)


def values_of(numbers, is_complex):
    return numbers[0::2] + 1j * numbers[1::2] if is_complex else numbers


def to_format(x, name):
    """x rounded to the format, as bytes; and the values that they read."""
    kind = TYPES[name]
    numbers = numbers_of(x) * FULL_SCALE[kind]
    if kind in (np.int16, np.int8):
        info = np.iinfo(kind)
        numbers = np.clip(np.rint(numbers), info.min, info.max)
    stored = numbers.astype(kind)
    values = stored.astype(np.float64) / FULL_SCALE[kind]
    return stored.tobytes(), values_of(values, np.iscomplexobj(x))


def packed(x):
    """x in 12 bits each, the highest first; and the values that they read."""
    numbers = np.clip(np.rint(numbers_of(x) * 2048), -2048, 2047).astype(int)
    re, im = numbers[0::2] & 4095, numbers[1::2] & 4095
    rows = np.stack([re >> 4, (re & 15) << 4 | im >> 8, im & 255], axis=-1)
    return rows.astype(np.uint8).tobytes(), values_of(numbers / 2048, True)


PACKED = {"s10": 10, "s12": 12}


def packed_real(x, name):
    """Real x in 10 or 12 bits each, the highest first; and the values that they read."""
    bits = PACKED[name]
    half = 1 << (bits - 1)
    numbers = np.clip(np.rint(x * half), -half, half - 1).astype(int)
    rows = (numbers[:, None] >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(rows.astype(np.uint8)).tobytes(), numbers / half


def from_format(data, name):
    kind = TYPES[name]
    numbers = np.frombuffer(data, kind).astype(np.float64) / FULL_SCALE[kind]
    return values_of(numbers, name.startswith("c"))


def run(block, inputs):
    """The bytes of every output of a block for the bytes at its inputs."""
    flowgraph = gr.top_block()
    in_bytes = block.input_signature().sizeof_stream_item(0)
    out_bytes = block.output_signature().sizeof_stream_item(0)
    for port, data in enumerate(inputs):
        items = np.frombuffer(data, np.uint8)[: len(data) // in_bytes * in_bytes]
        source = blocks.vector_source_b(items.tolist(), vlen=in_bytes)
        flowgraph.connect(source, (block, port))
    sinks = []
    for port in range(max(block.output_signature().max_streams(), 1)):
        sinks.append(blocks.vector_sink_b(out_bytes))
        flowgraph.connect((block, port), sinks[-1])
    flowgraph.start()
    wait(flowgraph)
    return [bytes(sink.data()) for sink in sinks]


class FormatsTestCase(GpufftTestCase):
    """Checks a block with formats."""

    def signal(self, samples, level=0.2):
        return (level * self.complex_noise(samples)).astype(np.complex64)

    def check(self, make, x, formats, scale=1.0, streams=1, gives=None, counts=True):
        """Outputs with these formats against those from and to complex64 (or float).
        gives: the block's own output, if not as x; counts: how many saturated."""
        own = "cf32" if np.iscomplexobj(x) else "f32"
        gives = gives or own
        given, come = formats
        data, read = packed(x) if given == "cs12" else to_format(x, given or own)
        exact, _ = to_format(read.astype(x.dtype), own)
        expected = [
            from_format(output, gives) * scale
            for output in run(make(), [exact] * streams)
        ]
        block = make(input=given, output=come, output_scale=scale)
        self.assertEqual(block.output_scale(), scale)
        results = run(block, [data] * streams)
        self.assertEqual(len(results), len(expected))
        saturated = 0
        for data, wanted in zip(results, expected):
            result = numbers_of(from_format(data, come or gives))
            wanted = numbers_of(wanted)
            self.assertEqual(len(result), len(wanted))
            self.assertGreater(len(result), 0)
            kind = TYPES[come or gives]
            step = 1 / FULL_SCALE[kind]
            limited, allowed = wanted, 2e-6 * np.abs(wanted).max()
            if kind in (np.int16, np.int8):
                limited = np.clip(wanted, -1, 1 - step)
                allowed += step / 2
                beyond = (wanted < -1 - step / 2) | (wanted >= 1 - step / 2)
                saturated += np.count_nonzero(beyond)
            elif kind is np.float16:
                allowed = allowed + np.abs(wanted) * 2.0**-11
            self.assertTrue(np.all(np.abs(result - limited) <= allowed), (formats, scale))
        if not counts:
            return
        counted = block.statistics()["saturated"]
        self.assertLessEqual(abs(counted - saturated), 1e-3 * saturated + 1)

    def check_formats(self, make, x, scale, streams=1, packed=True):
        for formats in (("cs16", "cs16"), ("cs8", "cs8"), ("", "cs16"), ("cs16", "")):
            with self.subTest(formats=formats):
                self.check(make, x, formats, scale, streams)
        self.check(make, x, ("cf16", "cf16"), scale, streams)
        if packed:
            self.check(make, x, ("cs12", "cs16"), scale, streams)
        self.check(make, x, ("cs16", "cs8"), 40 * scale, streams)  # saturates
