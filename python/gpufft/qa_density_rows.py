#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of power_spectrum with a density: against numpy, while settings change, and in a
spectrum_view."""

import time

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import PATIENCE, GpufftTestCase, engine_for, run, wait

EDGE = 1e-3  # dB from a level's edge, within which single precision may count either way


def make(n, columns, levels, low, high, **keywords):
    keywords = {"scaling": "none", "nthreads": 2, "engine": engine_for(n), **keywords}
    return gpufft.power_spectrum_cf(
        n,
        window=None,
        shift=keywords.pop("shift", False),
        density_columns=columns,
        density_levels=levels,
        density_low=low,
        density_high=high,
        **keywords,
    )


class Rows:
    """The parts of rows."""

    def __init__(self, rows, n, columns, levels):
        self.value, self.most, self.least = np.split(rows[:, : 3 * n], 3, axis=1)
        cells = rows[:, 3 * n : 3 * n + columns * levels]
        self.counts = cells.reshape(len(rows), columns, levels)
        self.facts = rows[:, 3 * n + columns * levels :][:, :4]


class RowsSink(gr.sync_block):
    """Keeps what the counts of each row cover, and their sum."""

    def __init__(self, n, columns, levels, size):
        gr.sync_block.__init__(self, "rows", [(np.float32, size)], None)
        self._shape = n, columns, levels
        self.facts, self.counted = [], []

    def work(self, input_items, _output_items):
        rows = Rows(input_items[0], *self._shape)
        self.counted += rows.counts.sum(axis=(1, 2)).tolist()
        self.facts += [tuple(facts) for facts in rows.facts]
        return len(input_items[0])


class qa_density_rows(GpufftTestCase):
    def assert_counts(self, counts, powers, low, high):
        """counts[column, level] of powers[frame, bin]: all, and below each edge as many as
        there are, but for those within EDGE of it."""
        columns, levels = counts.shape
        bins = powers.shape[1]
        decibels = 10 * np.log10(powers)
        edges = np.linspace(low, high, levels + 1)[1:-1, np.newaxis, np.newaxis]
        for column in range(columns):
            begin, end = (c * bins // columns for c in (column, column + 1))
            inside = decibels[:, begin:end]
            self.assertEqual(counts[column].sum(), inside.size)
            below = np.cumsum(counts[column])[:-1]
            for slack, holds in ((-EDGE, np.greater_equal), (EDGE, np.less_equal)):
                expected = (inside < edges + slack).sum(axis=(1, 2))
                self.assertTrue(holds(below, expected).all(), (column, slack))

    def test_against_numpy(self):
        """Columns of one and of several bins; arrival in odd pieces."""
        for n, columns, average, limit in (
            (64, 64, 7, None),
            (100, 30, 20, 97),
            (1024, 200, 3, 1500),
        ):
            x = self.complex_noise(45 * n)
            block = make(n, columns, 50, 0, 50, average=average, shift=True)
            size = block.row_floats()
            self.assertEqual(size % 1024, 0)
            result, _ = run(x, block, vlen_out=size, limit=limit)
            rows = Rows(result, n, columns, 50)
            powers = np.abs(np.fft.fftshift(np.fft.fft(x.reshape(45, n)), axes=1)) ** 2
            self.assertEqual(len(result), 45 // average)
            for r in range(len(result)):
                part = powers[r * average : (r + 1) * average]
                np.testing.assert_allclose(rows.value[r], part.mean(axis=0), 1e-4)
                np.testing.assert_allclose(rows.most[r], part.max(axis=0), 1e-4)
                np.testing.assert_allclose(rows.least[r], part.min(axis=0), 1e-2, 1e-3)
                self.assert_counts(rows.counts[r], part, 0, 50)
                np.testing.assert_array_equal(rows.facts[r], [0, n, 0, 50])

    def test_tone(self):
        """One at -33.3 dBFS is in one cell in every frame."""
        n, frames = 256, 400
        x = 10 ** (-33.3 / 20) * np.exp(2j * np.pi * 40 / n * np.arange(frames * n))
        block = make(n, 64, 120, -120, 0, average=frames, scaling="spectrum", shift=True)
        result, _ = run(x, block, vlen_out=block.row_floats())
        rows = Rows(result, n, 64, 120)
        self.assertEqual(rows.counts[0].sum(), frames * n)
        self.assertEqual(rows.counts[0, (128 + 40) // 4, int(120 - 33.3)], frames)

    def test_setters_while_running(self):
        """Rows before are of the old span and range, those after of the new; each has all
        its frames."""
        n, average = 64, 5
        block = make(n, 16, 20, 0, 40, average=average)
        sink = RowsSink(n, 16, 20, block.row_floats())
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(self.complex_noise(500 * n).tolist(), True)
        flowgraph.connect(source, block, sink)
        flowgraph.start()
        self.wait_until(lambda: sink.facts)
        block.set_density_span(10, 32)
        block.set_density_range(-10, 30)
        self.assertEqual((block.density_first_bin(), block.density_bins()), (10, 32))
        self.assertEqual((block.density_low(), block.density_high()), (-10, 30))
        self.wait_until(lambda: sink.facts[-1] == (10, 32, -10, 30))
        flowgraph.stop()
        wait(flowgraph)
        self.assertEqual(sink.facts[0], (0, 64, 0, 40))
        changes = sum(a != b for a, b in zip(sink.facts, sink.facts[1:]))
        self.assertLessEqual(changes, 2)
        for facts, counted in zip(sink.facts, sink.counted):
            self.assertEqual(counted, average * facts[1])

    def wait_until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)

    def test_no_counting(self):
        block = make(64, 16, 20, 0, 40)
        block.set_density_span(0, 0)
        result, _ = run(self.complex_noise(640), block, vlen_out=block.row_floats())
        rows = Rows(result, 64, 16, 20)
        self.assertEqual(len(result), 10)
        self.assertEqual(rows.counts.sum(), 0)
        np.testing.assert_array_equal(rows.most, rows.least)

    # In a view

    def picture(self, x, n, average, **keywords):
        """The picture of these samples, with all their frames."""
        block = make(n, 50, 80, -30, 50, average=average)
        view = gpufft.spectrum_view(n, 100, 80, density_columns=50)
        flowgraph = gr.top_block()
        flowgraph.connect(blocks.vector_source_c(x.tolist()), block, view)
        for name, arguments in keywords.items():
            getattr(block, name)(*arguments)
        flowgraph.start()
        wait(flowgraph)
        return view, view.take()

    def test_view(self):
        """Peak, holds and density are of every frame, whatever their number in a row."""
        n, frames = 200, 60
        x = self.complex_noise(n * frames)
        powers = np.abs(np.fft.fft(x.reshape(frames, n))) ** 2
        pairs = powers.reshape(frames, 100, 2)
        for average in (1, 12):
            view, picture = self.picture(x, n, average)
            self.assertEqual(view.rows(), frames // average)
            self.assertEqual(view.rows_counted(), view.rows())
            mean = powers.mean(axis=0).reshape(100, 2)
            np.testing.assert_allclose(picture["mean"], mean.max(axis=1), 1e-4)
            for name in ("peak", "max_hold"):
                np.testing.assert_allclose(picture[name], pairs.max(axis=(0, 2)), 1e-4)
            least = pairs.min(axis=(0, 2))
            np.testing.assert_allclose(picture["min_hold"], least, 1e-2, 1e-2)
            density = picture["density"]
            self.assertEqual(density.shape, (50, 80))
            self.assert_counts(np.round(density * 4 * frames), powers, -30, 50)
            self.assertEqual((picture["density_low"], picture["density_high"]), (-30, 50))

    def test_view_of_a_span(self):
        """The picture says which; fewer bins than columns have one each."""
        x = self.complex_noise(200 * 10)
        _, picture = self.picture(x, 200, 5, set_density_span=(180, 20))
        self.assertEqual(
            [picture[f"density_{name}"] for name in ("first_bin", "bins", "columns")],
            [180, 20, 20],
        )
        self.assertEqual(picture["density"].shape, (20, 80))
        powers = np.abs(np.fft.fft(x.reshape(10, 200))[:, 180:]) ** 2
        self.assert_counts(np.round(picture["density"] * 10), powers, -30, 50)
        _, picture = self.picture(x, 200, 5, set_density_span=(0, 0))
        self.assertEqual(len(picture["density"]), 0)
        self.assertEqual(len(picture["max_hold"]), 100)

    def test_view_of_rows_of_others(self):
        """Rows whose counts cannot be of the view's bins are left out, whole."""
        n, columns, levels = 64, 16, 20
        size = gpufft.problem(
            lengths=n, output="power", density_columns=columns, density_levels=levels
        ).row_items
        good = np.array([10, 32, -30, 50], np.float32)
        facts = [good]
        for place, values in enumerate(
            (
                (-1, 0.5, 65, 1e30, np.nan, np.inf, -np.inf, 33),
                (-1, 31.5, 65, 1e30, np.nan, np.inf, 55),
                (50, 51, np.nan, np.inf, -np.inf),
                (-30, -31, np.nan, np.inf),
            )
        ):
            for value in values:
                facts.append(good.copy())
                facts[-1][place] = value
        rows = np.zeros((len(facts), size), np.float32)
        Rows(rows, n, columns, levels).facts[:] = facts
        view = gpufft.spectrum_view(n, 100, levels, density_columns=columns)
        flowgraph = gr.top_block()
        source = blocks.vector_source_f(rows.ravel().tolist(), False, rows.shape[1])
        flowgraph.connect(source, view)
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(
            (view.rows(), view.rows_left_out(), view.rows_counted()),
            (len(facts), len(facts) - 1, 1),
        )

    def test_what_is_refused(self):
        block = make(64, 16, 20, 0, 40, average=2)
        for words, call, *arguments in (
            (["density_columns is 65537", "0 ... 65536"], make, 64, 65537, 20, 0, 1),
            (["density_levels is 257", "1 ... 256"], make, 64, 16, 257, 0, 1),
            (["density_low is 2", "density_high is 1"], make, 64, 16, 20, 2, 1),
            (["density_first_bin is 64", "0 ... 63"], block.set_density_span, 64, 0),
            (["density_bins is 5", "0 ... 4"], block.set_density_span, 60, 5),
            (["density_low is 3"], block.set_density_range, 3, 3),
            (
                ["detector is 'kurtosis'", "with a density"],
                block.set_detector,
                "kurtosis",
            ),
            (["density_columns is -1"], gpufft.spectrum_view, 64, 64, 20, -1),
            (["levels is 0"], gpufft.spectrum_view, 64, 64, 0, 16),
        ):
            self.assert_refuses(ValueError, words, call, *arguments)
        self.assertEqual(block.detector(), "mean")
        self.assertIn("16 columns x 20 levels, 0 ... 40 dB", block.describe())


if __name__ == "__main__":
    gr_unittest.run(qa_density_rows)
