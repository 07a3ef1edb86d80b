#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The block stream_map: the results of all chunks, in order, or one error."""

import functools
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr
from gnuradio.gpufft import dask as gpufft_dask
from gnuradio.gpufft.dask import connect, live, stream_map
from qa_cluster_support import PATIENCE
from qa_support import ENGINE, GpufftTestCase, wait

FRAME, HOP = 32, 12


def frames(samples):
    """Spectra of frames of samples: floats in vectors."""
    if len(samples) < FRAME:
        return np.empty((0, FRAME), np.float32)
    views = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    return np.abs(np.fft.fft(views)).astype(np.float32)


def first_is_last(samples):
    """The samples; those of the first chunk come after those of the next ones."""
    time.sleep(0.5 * (samples[0] == 0))
    return samples


def refuse(samples):
    raise ValueError(f"{len(samples)} samples are none")


class QaStreamMap(GpufftTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = connect("local:2", timeout=PATIENCE)
        cls.addClassCleanup(cls.client.close)

    def run_map(self, block, samples):
        """What the block gives out for float samples, and its first status message."""
        flowgraph, status = gr.top_block(), blocks.message_debug()
        with tempfile.NamedTemporaryFile() as file:
            size = block.output_signature().sizeof_stream_item(0)
            sink = blocks.file_sink(size, file.name)
            flowgraph.connect(blocks.vector_source_f(samples), block, sink)
            flowgraph.msg_connect(block, "status", status, "store")
            flowgraph.start()
            wait(flowgraph)
            sink.close()
            return np.fromfile(file.name, np.float32), status

    def map(self, samples, function, **parameters):
        block = stream_map(self.client, function, np.float32, **parameters)
        result, _ = self.run_map(block, samples)
        self.assertEqual(block.error(), "")
        return result

    def test_frames_whatever_the_chunks(self):
        for count in (1, FRAME - 1, FRAME, FRAME + HOP, 2000):
            samples = self.random.standard_normal(count).astype(np.float32)
            for hops in (1, 3, 60, 1000):
                result = self.map(
                    samples,
                    frames,
                    out_sig=(np.float32, FRAME),
                    chunk=hops * HOP,
                    overlap=FRAME - HOP,
                )
                np.testing.assert_array_equal(
                    result, frames(samples).ravel(), (count, hops)
                )

    def test_rows_of_power_to_the_last_bit(self):
        samples = self.complex_noise(40_000).view(np.float32)
        settings = {"fft_size": 500, "hop": 200, "average": 3, "engine": ENGINE}
        block, sink = gpufft.power_spectrum_cf(**settings), blocks.vector_sink_f(500)
        source, flowgraph = (
            blocks.vector_source_c(samples.view(np.complex64)),
            gr.top_block(),
        )
        flowgraph.connect(source, block, sink)
        flowgraph.run()
        spectrum = functools.partial(power_of_pairs, **settings)
        result = self.map(
            samples, spectrum, out_sig=(np.float32, 500), chunk=2 * 3000, overlap=2 * 300
        )
        np.testing.assert_array_equal(result, np.array(sink.data(), np.float32))

    def test_order_and_numbers_of_items(self):
        samples = np.arange(1000, dtype=np.float32)
        for function, expected in (
            (first_is_last, samples),
            (lambda chunk: np.repeat(chunk, 3), np.repeat(samples, 3)),
            (lambda chunk: chunk[chunk % 500 == 0], samples[::500]),
            (lambda chunk: chunk.astype(np.float64), samples),
        ):
            for in_flight in (1, 16):
                result = self.map(
                    samples, function, out_sig=np.float32, chunk=30, in_flight=in_flight
                )
                np.testing.assert_array_equal(result, expected)

    def assert_fails(self, words, function, client=None, **parameters):
        """The stream ends with one error."""
        block = stream_map(
            client or self.client, function, np.float32, np.float32, 100, **parameters
        )
        result, status = self.run_map(block, np.zeros(10_000, np.float32))
        self.assertEqual(len(result), 0)
        self.assertRegex(block.error(), words)
        self.assertEqual(status.num_messages(), 1)
        message = pmt.to_python(status.get_message(0))
        self.assertEqual(message["error"], block.error())

    def test_errors_end_the_stream(self):
        self.assert_fails(
            "failed on worker tcp://.*: ValueError: 100 samples are", refuse
        )
        self.assert_fails("RecursionError: maximum", endless)
        self.assert_fails("TypeError: Cannot cast array data", lambda chunk: 1j * chunk)
        self.assert_fails(
            r"no result for 20 s from tcp.* with 2 workers: worker tcp.*: no module",
            needs_a_module,
            patience=20,
        )

    def test_a_chunk_without_memory_is_tried_again(self):
        with tempfile.TemporaryDirectory() as folder:
            function = functools.partial(lack_memory_once, flag=Path(folder) / "flag")
            samples = np.arange(1000, dtype=np.float32)
            result = self.map(samples, function, out_sig=np.float32, chunk=100)
            self.assertTrue(function.keywords["flag"].exists())
        np.testing.assert_array_equal(result, samples)

    def test_a_client_that_is_closed(self):
        client = connect(self.client.scheduler.address, timeout=PATIENCE)
        client.close()
        self.assert_fails("the connection to .* is closed", frames, client)

    def test_it_runs_again(self):
        samples = np.arange(1000, dtype=np.float32)
        block = stream_map(self.client, np.negative, np.float32, np.float32, 70)
        flowgraph, source = gr.top_block(), blocks.vector_source_f(samples)
        sink = blocks.vector_sink_f()
        flowgraph.connect(source, block, sink)
        for _ in range(3):
            flowgraph.start()
            wait(flowgraph)
            np.testing.assert_array_equal(sink.data(), -samples)
            source.rewind()
            sink.reset()

    def test_stop_does_not_wait_for_results(self):
        with connect("local:1", timeout=PATIENCE) as client:
            function = functools.partial(sleep_long, seconds=10 * PATIENCE)
            block = stream_map(client, function, np.float32, np.float32, 1000)
            flowgraph = gr.top_block()
            flowgraph.connect(blocks.null_source(4), block, blocks.null_sink(4))
            flowgraph.start()
            while not any(client.processing().values()):
                time.sleep(0.05)
            flowgraph.stop()
            wait(flowgraph)
            self.assertEqual(block.error(), "")

    def test_nothing_is_submitted_after_the_end(self):
        results, cluster = live.Results(1), mock.Mock()
        sink = live.ChunkSink(cluster, results, np.float32, 10, 0)

        def acquire(timeout):
            results.cancel()  # while the sink waits for room
            return True

        results.room = mock.Mock(acquire=acquire)
        sink.work([np.zeros(10, np.float32)], [])
        self.assertEqual(cluster.submit.call_count, 0)

    def test_parameters_out_of_range(self):
        for name, value in (
            ("chunk", 0),
            ("chunk", 1.5),
            ("overlap", -1),
            ("in_flight", 0),
            ("patience", 0),
        ):
            parameters = {"chunk": 1, name: value}
            self.assert_refuses(
                ValueError,
                (name, str(value)),
                stream_map,
                *(self.client, frames, np.float32, np.float32),
                **parameters,
            )


def power_of_pairs(samples, **settings):
    return gpufft_dask.power_spectrum(samples.view(np.complex64), **settings)


def endless(samples):
    return endless(samples)


def needs_a_module(samples):
    raise ImportError("no module")


def lack_memory_once(samples, flag):
    try:
        flag.touch(exist_ok=False)
    except FileExistsError:
        return samples
    raise MemoryError


def sleep_long(samples, seconds):
    time.sleep(seconds)


if __name__ == "__main__":
    unittest.main()
