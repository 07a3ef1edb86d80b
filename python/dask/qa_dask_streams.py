#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft.dask's functions of streams: the bits of the block on the undivided stream,
whatever the chunks."""

import functools
import math
import os
from unittest import mock

import dask
import dask.array as da
import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.gpufft import dask as gpufft_dask
from gnuradio.gpufft.dask import streams
from pfb_channelizer_support import expected as expected_channels
from qa_support import ENGINE, SOURCES, GpufftTestCase, wait

SINKS = {
    np.dtype("complex64"): blocks.vector_sink_c,
    np.dtype("float32"): blocks.vector_sink_f,
}
MOST_SAMPLES = 40000
MOST_CHUNKS = 60


def undivided(block, letter, x, dtype, row=()):
    """All outputs of a block for the samples x."""
    unsigned = x.view(np.uint8) if letter == "b" else x
    source = SOURCES[letter](unsigned.tolist())
    sink = SINKS[np.dtype(dtype)](math.prod(row))
    flowgraph = gr.top_block()
    flowgraph.connect(source, block, sink)
    flowgraph.start()
    wait(flowgraph)
    return np.array(sink.data(), dtype).reshape(-1, *row)


class qa_dask_streams(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        dask.config.set(scheduler="synchronous")

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def samples(self, letter, count):
        if letter == "c":
            return self.complex_noise(count)
        if letter == "f":
            return self.random.standard_normal(count).astype(np.float32)
        dtype = {"s": np.int16, "b": np.int8}[letter]
        return self.random.integers(-128, 128, 2 * count).astype(dtype)

    def chunked(self, x):
        """x in chunks of random sizes, many of them short."""
        most = max(1, x.size // 10 ** self.random.integers(0, 4))
        sizes = [0]
        while sum(sizes) < x.size and len(sizes) < MOST_CHUNKS:
            size = int(self.random.integers(0, most + 1))
            sizes.append(min(size, x.size - sum(sizes)))
        sizes.append(x.size - sum(sizes))
        return da.concatenate(
            [
                da.from_array(part)
                for part in np.split(x, np.cumsum(sizes)[:-1])
                if part.size
            ]
            or [da.from_array(x)]
        )

    def compare(self, lazy, expected, case):
        result = lazy.compute()
        self.assertEqual((lazy.shape, lazy.dtype), (expected.shape, expected.dtype), case)
        self.assertEqual(lazy._meta.ndim, expected.ndim, case)
        self.assertEqual((result.shape, result.dtype), (lazy.shape, lazy.dtype), case)
        wrong = [i for i, (a, b) in enumerate(zip(result, expected)) if not same(a, b)]
        self.assertEqual(
            wrong[:5], [], f"{len(wrong)} of {len(result)} outputs of {case}"
        )

    def compare_power_spectrum(self, letter, count, *arguments, **keywords):
        x = self.samples(letter, count)
        block_class = getattr(gpufft, f"power_spectrum_{letter}f")
        block = block_class(*arguments, engine=ENGINE, **keywords)
        lazy = gpufft_dask.power_spectrum(
            self.chunked(x), *arguments, engine=ENGINE, **keywords
        )
        rows = undivided(block, letter, x, np.float32, (block.row_floats(),))
        case = f"power_spectrum_{letter}f {arguments} {keywords}, {lazy.chunks}"
        self.compare(lazy, rows, case)

    def test_power_spectra(self):
        for _ in range(12):
            size = self.pick([1, 7, 64, 100, 256, 1000, 1024, 4096])
            self.compare_power_spectrum(
                self.pick("csb"),
                int(self.random.integers(0, MOST_SAMPLES)),
                size,
                hop=int(self.random.integers(max(1, size // 8), 2 * size + 20)),
                window=self.pick(["hann", None, ("kaiser", 8.6)]),
                average=int(self.random.integers(2, 9)),
                mode=self.pick(["linear", "db"]),
                shift=self.pick([False, True]),
                detector=self.pick(["mean", "max", "min", "kurtosis"]),
            )

    def test_long_means_and_densities(self):
        self.compare_power_spectrum("c", 40000, 32, 20, None, 777)
        self.compare_power_spectrum(
            "s", 20000, 64, overlap=0.5, average=50, density_columns=8, density_levels=16
        )

    def test_channelizers(self):
        for _ in range(10):
            letter, channels = self.pick("csb"), self.pick([1, 2, 3, 8, 10, 17, 64])
            hop = int(self.random.integers(1, channels + 1))
            taps = self.random.standard_normal(self.random.integers(1, 12 * channels))
            taps = self.pick([None, taps.tolist()])
            picked = self.pick([0, channels // 2])
            x = self.samples(letter, int(self.random.integers(0, MOST_SAMPLES // 2)))
            keywords = {"oversample_rate": channels / hop, "outchans": picked}
            lazy = gpufft_dask.pfb_channelizer(
                self.chunked(x), channels, taps, engine=ENGINE, **keywords
            )
            width = picked or channels
            block = getattr(gpufft, f"pfb_channelizer_{letter}cf")(
                channels, taps, vlen=width, engine=ENGINE, **keywords
            )
            rows = undivided(block, letter, x, np.complex64, (width,))
            case = f"pfb_channelizer_{letter}cf of {channels}, {hop}, {lazy.chunks}"
            self.compare(lazy, rows, case)

    def test_filters(self):
        for _ in range(14):
            letter, decimation = self.pick("cf"), self.pick([1, 1, 2, 3, 7, 50])
            taps = self.random.standard_normal(self.pick([1, 5, 33, 100, 501, 3000]))
            tap = "f"
            if letter == "c" and self.random.integers(2):
                taps, tap = taps * (1 + 0.5j), "c"
            x = self.samples(letter, int(self.random.integers(0, MOST_SAMPLES)))
            lazy = gpufft_dask.fft_filter(
                self.chunked(x), decimation, taps.tolist(), engine=ENGINE
            )
            block = getattr(gpufft, f"fft_filter_{letter}{letter}{tap}")(
                decimation, taps.tolist(), engine=ENGINE
            )
            case = (
                f"fft_filter of {letter}, {tap} {taps.size}, {decimation}, {lazy.chunks}"
            )
            self.compare(lazy, undivided(block, letter, x, x.dtype), case)

    def test_values(self):
        x = self.complex_noise(3000)
        lazy = da.from_array(x, chunks=700)
        rows = gpufft_dask.power_spectrum(lazy, 100, window=None, engine=ENGINE)
        bins = np.fft.fftshift(np.fft.fft(x.reshape(-1, 100).astype(complex)), axes=1)
        self.assert_close(rows.compute(), np.abs(bins) ** 2 / 100**2)
        taps = self.random.standard_normal(50)
        filtered = gpufft_dask.fft_filter(lazy, 3, taps, engine=ENGINE)
        self.assert_close(filtered.compute(), np.convolve(x, taps)[:3000:3])
        channels = gpufft_dask.pfb_channelizer(lazy, 6, taps, 2.0, engine=ENGINE)
        self.assert_close(channels.compute(), expected_channels(x, taps, 6, 3).T)

    def test_the_end(self):
        for count in (0, 99, 199, 200, 349, 350, 351):
            x = da.from_array(self.complex_noise(count))
            lazy = gpufft_dask.power_spectrum(x, 100, 50, average=3, engine=ENGINE)
            self.assertEqual(lazy.compute().shape, (max(count - 50, 0) // 150, 100))

    def test_outputs_lie_in_the_chunks_of_their_samples(self):
        x = da.zeros(100000, chunks=10000, dtype=np.complex64)
        lazy = gpufft_dask.power_spectrum(x, 1000, 500, engine=ENGINE)
        self.assertEqual(lazy.chunks[0], (20,) * 9 + (19,))
        lazy = gpufft_dask.pfb_channelizer(x, 10, engine=ENGINE)
        self.assertEqual(lazy.chunks[0], (1000,) * 10)
        self.assertEqual(
            gpufft_dask.fft_filter(x, 1, [1.0], engine=ENGINE).shape, x.shape
        )

    def test_parts_of_filters_on_cards(self):
        for description, decimation, is_real, outputs in (
            ("cuda: overlap-save(501: 4096 = 16·16·16), [128 threads", 1, False, 3596),
            ("cuda: overlap-save(501: 4096 = 16·16·16), [128 threads", 1, True, 7192),
            ("cuda: overlap-save(501: 5120 = 16·16·20), [160", 10, False, 462),
            ("overlap-save(9: 512 = 16·32, 2048 = 16·8·16), [", 1, False, 2**20 - 8),
        ):
            found = streams.outputs_of_part(description, decimation, is_real)
            self.assertEqual(found, outputs)

    def test_it_is_lazy(self):
        computed = []

        def block():
            computed.append(1)
            return np.ones(3000, np.complex64)

        x = da.from_delayed(dask.delayed(block)(), (3000,), dtype=np.complex64)
        lazy = [
            gpufft_dask.power_spectrum(x, 64, engine=ENGINE),
            gpufft_dask.pfb_channelizer(x, 4, engine=ENGINE),
            gpufft_dask.fft_filter(x, 1, [1.0, 2.0], engine=ENGINE),
        ]
        self.assertEqual(computed, [])
        dask.compute(lazy)
        self.assertEqual(computed, [1])

    def test_a_process_keeps_its_blocks(self):
        x = da.zeros(8000, chunks=1000, dtype=np.complex64)
        lazy = gpufft_dask.power_spectrum(x, 50, window="blackman", engine=ENGINE)
        make = functools.partial(mock.patch.object, streams.Call, "make", autospec=True)
        with make(side_effect=streams.Call.make) as made:
            lazy.compute()
            lazy.compute()
        self.assertEqual(made.call_count, 1)

    def test_threads_and_processes(self):
        x = da.from_array(self.complex_noise(20000), chunks=3000)
        lazy = [
            gpufft_dask.power_spectrum(x, 128, 64, average=5, engine=ENGINE),
            gpufft_dask.pfb_channelizer(x, 8, engine=ENGINE),
            gpufft_dask.fft_filter(x, 2, np.hanning(99), engine=ENGINE),
        ]
        expected = dask.compute(*lazy)
        schedulers = ["threads"] + ["processes"] * (ENGINE == "cpu")
        for scheduler in schedulers:
            results = dask.compute(*lazy, scheduler=scheduler, num_workers=2)
            for result, each in zip(results, expected):
                np.testing.assert_array_equal(result, each)

    def test_a_task_that_fails_leaves_no_descriptor(self):
        class Unreadable:
            itemsize = 8

            def __array__(self, *_):
                raise MemoryError

        call = streams.Call("power_spectrum_cf", (8,), {}, np.dtype(np.float32), (8,))
        before = len(os.listdir("/proc/self/fd"))
        with self.assertRaises(MemoryError):
            streams._run(call, [Unreadable()], 0, 1)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_errors(self):
        x = da.zeros(100, dtype=np.complex64)
        refuses, spectrum = self.assert_refuses, gpufft_dask.power_spectrum
        refuses(
            TypeError,
            ["float32", "complex64 or int16 or int8"],
            spectrum,
            x.real * 1.0,
            8,
        )
        refuses(
            TypeError,
            ["int16", "float32"],
            gpufft_dask.fft_filter,
            x.astype("i2"),
            1,
            [1],
        )
        refuses(ValueError, ["2 dimensions"], spectrum, x.reshape(2, 50), 8)
        refuses(ValueError, ["alpha is 0.5", "must be 1"], spectrum, x, 8, alpha=0.5)
        refuses(ValueError, ["hold is max", "none"], spectrum, x, 8, hold="max")
        refuses(ValueError, ["fft_size is 0"], spectrum, x, 0)
        refuses(TypeError, ["ovrlap", "overlap"], spectrum, x, 8, ovrlap=0.5)
        refuses(
            ValueError, ["oversample_rate"], gpufft_dask.pfb_channelizer, x, 4, None, 1.5
        )
        refuses(TypeError, ["no parameter 'vlen'"], gpufft_dask.pfb_channelizer, x, 4, vlen=4)
        refuses(ValueError, ["taps are 0"], gpufft_dask.fft_filter, x, 1, [])
        refuses(ValueError, ["unknown"], spectrum, x[x.real > 0], 8)


def same(a, b):
    return np.asarray(a).tobytes() == np.asarray(b).tobytes()


if __name__ == "__main__":
    gr_unittest.main()
