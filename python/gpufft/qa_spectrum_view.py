#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""spectrum_view against numpy: traces, density, spans, a reader that never comes."""

import threading
import time

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import PATIENCE, GpufftTestCase, wait, wait_for_more


def columns_of(values, columns, reduce):
    """`reduce` over the bins of each column, along the last axis."""
    edges = np.arange(columns) * values.shape[-1] // columns
    return reduce.reduceat(values, edges, axis=-1)


class Gate(gr.sync_block):
    """Passes rows on once it is open, as a slow transform does."""

    def __init__(self, bins):
        rows = [(np.float32, bins)]
        gr.sync_block.__init__(self, "gate", in_sig=rows, out_sig=rows)
        self.is_open = threading.Event()

    def work(self, input_items, output_items):
        self.is_open.wait(PATIENCE)
        output_items[0][:] = input_items[0]
        return len(output_items[0])


class qa_spectrum_view(GpufftTestCase):
    def powers(self, rows, bins):
        return self.random.exponential(1e-6, (rows, bins)).astype(np.float32)

    def feed(self, view, rows):
        """All rows into the view."""
        source = blocks.vector_source_f(rows.ravel().tolist(), False, rows.shape[1])
        flowgraph = gr.top_block()
        flowgraph.connect(source, view)
        flowgraph.start()
        wait(flowgraph)

    def test_traces(self):
        """More bins than columns, as many, fewer; no common divisor."""
        for bins, columns in ((1000, 64), (64, 64), (37, 1024), (20011, 1000)):
            with self.subTest(bins=bins, columns=columns):
                rows = self.powers(5, bins)
                view = gpufft.spectrum_view(bins, columns)
                self.feed(view, rows)
                picture = view.take()
                columns = min(columns, bins)
                mean = rows.mean(axis=0)
                expected = {
                    "mean": columns_of(mean, columns, np.maximum),
                    "peak": columns_of(rows.max(axis=0), columns, np.maximum),
                    "average_high": columns_of(mean, columns, np.maximum),
                    "average_low": columns_of(mean, columns, np.minimum),
                    "max_hold": columns_of(rows.max(axis=0), columns, np.maximum),
                    "min_hold": columns_of(rows.min(axis=0), columns, np.minimum),
                }
                for name, values in expected.items():
                    np.testing.assert_allclose(picture[name], values, 1e-5, err_msg=name)
                np.testing.assert_allclose(
                    mean[picture["average_bin"]], expected["average_high"], 1e-5
                )
                np.testing.assert_allclose(view.average(3, 20), mean[3:23], 1e-5)
                self.assertEqual((picture["rows"], view.rows()), (5, 5))

    def test_density(self):
        """The histogram of each column."""
        rows, columns, levels = self.powers(40, 96), 24, 100
        view = gpufft.spectrum_view(96, columns, levels)
        view.set_level_range(-100, -50)
        self.feed(view, rows)
        density = view.take()["density"]
        self.assertEqual(view.rows_counted(), 40)
        decibels = 10 * np.log10(rows).reshape(40, columns, 4)
        for column in range(columns):
            below = np.cumsum(density[column])
            edges = np.linspace(-100, -50, levels + 1)[1:-1]
            for slack, holds in ((-1e-4, np.greater_equal), (1e-4, np.less_equal)):
                share = (decibels[:, column, :, np.newaxis] < edges + slack).mean((0, 1))
                self.assertTrue(holds(below[:-1] + 1e-5 * -np.sign(slack), share).all())
        np.testing.assert_allclose(density.sum(axis=1), 1, 1e-5)

    def test_levels_beyond_the_range(self):
        view = gpufft.spectrum_view(4, levels=10)
        view.set_level_range(-90, -10)
        self.feed(view, np.array([[0, 1e-38, 1, 3e38]], np.float32))
        expected = np.zeros((4, 10))
        expected[[0, 1, 2, 3], [0, 0, 9, 9]] = 1
        np.testing.assert_array_equal(view.take()["density"], expected)

    def test_span(self):
        rows = self.powers(3, 1000)
        view = gpufft.spectrum_view(1000)
        view.set_span(100, 300, 50)
        self.feed(view, rows)
        picture = view.take()
        self.assertEqual(picture["first_bin"], 100)
        self.assertEqual(picture["density"].shape, (50, 128))
        part = rows[:, 100:400]
        expected = columns_of(part.max(axis=0), 50, np.maximum)
        np.testing.assert_array_equal(picture["max_hold"], expected)
        view.set_span(0, 1000, 10)  # of what is known already, as the stream has ended
        picture = view.take()
        self.assertEqual((picture["rows"], len(picture["mean"])), (0, 0))
        expected = columns_of(rows.min(axis=0), 10, np.minimum)
        np.testing.assert_array_equal(picture["min_hold"], expected)

    def test_rows_stay_when_the_span_moves(self):
        """Those since the last picture are in the next one's mean, peak and holds."""
        rows = self.powers(3, 1000)
        view = gpufft.spectrum_view(1000)
        self.feed(view, rows)
        view.set_span(100, 300, 50)
        view.set_level_range(-90, -20)
        picture = view.take()
        self.assertEqual(picture["rows"], 3)
        part = rows[:, 100:400]
        for name, values, reduce in (
            ("mean", part.mean(axis=0), np.maximum),
            ("peak", part.max(axis=0), np.maximum),
            ("min_hold", part.min(axis=0), np.minimum),
        ):
            expected = columns_of(values, 50, reduce)
            np.testing.assert_allclose(picture[name], expected, 1e-5, err_msg=name)
        self.assertEqual(len(picture["density"]), 0)  # of another grid

    def test_time_without_rows_counts(self):
        """Pictures without rows between two rows: the first has decayed by then."""
        low, high = (np.full((1, 8), power, np.float32) for power in (1e-6, 1.0))
        view = gpufft.spectrum_view(8)
        view.set_averaging(0.2)
        view.set_persistence(0.2)
        self.feed(view, high)
        view.take()
        for _ in range(10):
            time.sleep(0.1)  # or longer: all has decayed after one second
            view.take()
        self.feed(view, low)
        picture = view.take()
        self.assertLess(picture["average_high"].max(), 1.1 * np.exp(-1 / 0.2))
        self.assertGreater(picture["density"].max(), 1 - 1.1 * np.exp(-1 / 0.2))

    def test_holds_go_on_until_reset(self):
        first, second, third = self.powers(3, 64)[:, np.newaxis]
        view = gpufft.spectrum_view(64)
        for row in (first, second):
            self.feed(view, row)
            picture = view.take()
        np.testing.assert_array_equal(picture["max_hold"], np.maximum(first, second)[0])
        np.testing.assert_array_equal(picture["min_hold"], np.minimum(first, second)[0])
        np.testing.assert_array_equal(picture["peak"], second[0])
        view.reset()
        picture = view.take()
        for name in ("max_hold", "average_low", "density"):
            self.assertEqual(len(picture[name]), 0, name)
        self.feed(view, third)
        np.testing.assert_array_equal(view.take()["max_hold"], third[0])

    def test_average_and_density_follow_slowly(self):
        low, high = (np.full((1, 8), power, np.float32) for power in (1e-6, 1e-3))
        view = gpufft.spectrum_view(8)
        view.set_averaging(1e6)
        view.set_persistence(1e6)
        for row in (low, high):
            self.feed(view, row)
            picture = view.take()
        self.assertLess(picture["average_high"].max(), 1.1e-6)
        self.assertGreater(picture["density"].max(), 0.999)
        view.set_averaging(0)
        self.feed(view, high)
        np.testing.assert_allclose(view.take()["average_low"], 1e-3, 1e-5)

    def test_rows_with_nan_or_inf_are_left_out(self):
        rows = self.powers(4, 50)
        rows[1, 7], rows[2, 49] = np.nan, np.inf
        view = gpufft.spectrum_view(50)
        self.feed(view, rows)
        picture = view.take()
        np.testing.assert_array_equal(picture["peak"], np.maximum(rows[0], rows[3]))
        self.assertEqual((view.rows(), view.rows_left_out()), (4, 2))

    def test_it_has_ended_once_all_rows_have_come(self):
        rows = self.powers(7, 4)
        view, gate = gpufft.spectrum_view(4), Gate(4)
        flowgraph = gr.top_block()
        source = blocks.vector_source_f(rows.ravel().tolist(), False, 4)
        flowgraph.connect(source, gate, view)
        self.assertFalse(view.has_ended())
        flowgraph.start()
        while source.nitems_written(0) < 7:
            time.sleep(0.005)
        self.assertEqual((view.rows(), view.has_ended()), (0, False))
        gate.is_open.set()
        while not view.has_ended():
            time.sleep(0.005)
        self.assertEqual(view.rows(), 7)
        wait(flowgraph)

    def test_a_reader_that_never_comes(self):
        """Rows go on: 200000 of them without a picture, and their mean is right."""
        view = gpufft.spectrum_view(4)
        flowgraph = gr.top_block()
        source = blocks.vector_source_f([1e-3, 1e-4, 1e-5, 1e-6], True, 4)
        flowgraph.connect(source, blocks.head(16, 200000), view)
        flowgraph.start()
        wait(flowgraph)
        picture = view.take()
        self.assertEqual(picture["rows"], 200000)
        np.testing.assert_allclose(picture["mean"], [1e-3, 1e-4, 1e-5, 1e-6], 1e-5)

    def test_counting_in_a_full_stream(self):
        """All rows are in the traces, whatever share is counted; or none is counted."""
        view = gpufft.spectrum_view(4096)
        flowgraph = gr.top_block()
        flowgraph.connect(blocks.null_source(4 * 4096), view)
        flowgraph.start()
        wait_for_more(view, 20000)  # counting all would cost more than its share
        flowgraph.stop()
        wait(flowgraph)
        self.assertGreater(view.rows_counted(), 0)
        self.assertEqual(view.take()["rows"], view.rows())
        counted = view.rows_counted()
        view.set_counting(False)
        self.feed(view, self.powers(2, 4096))
        self.assertEqual(view.rows_counted(), counted)

    def test_what_is_refused(self):
        view = gpufft.spectrum_view(100)
        for words, call, *arguments in (
            (["bins is 0", "1 ..."], gpufft.spectrum_view, 0),
            (["columns is 0"], gpufft.spectrum_view, 8, 0),
            (["levels is 257", "1 ... 256"], gpufft.spectrum_view, 8, 8, 257),
            (["first_bin is 100", "0 ... 99"], view.set_span, 100, 1, 1),
            (["bins is 51", "1 ... 50"], view.set_span, 50, 51, 1),
            (["low is 0", "high is 0"], view.set_level_range, 0, 0),
            (["averaging is -1"], view.set_averaging, -1),
            (["persistence is nan"], view.set_persistence, np.nan),
            (["bins is 101"], view.average, 0, 101),
        ):
            self.assert_refuses(ValueError, words, call, *arguments)


if __name__ == "__main__":
    gr_unittest.run(qa_spectrum_view)
