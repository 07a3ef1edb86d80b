#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fft_filter_ccc, _ccf and _fff: against direct convolution in double precision, and
against gr-filter's up to where that stops."""

import math

import numpy as np
from gnuradio import blocks, filter, gpufft, gr, gr_unittest
from qa_support import (
    ENGINE,
    ITEM_SIZES,
    SOURCES,
    GpufftTestCase,
    run_and_unlock,
    run_with_change,
    tag,
    tag_places,
    wait,
)
from scipy import signal

KINDS = ("ccc", "ccf", "fff")


def fft_filter(kind, *arguments, **keywords):
    return getattr(gpufft, f"fft_filter_{kind}")(*arguments, engine=ENGINE, **keywords)


def direct(x, taps, decimation=1):
    """The sums of the definition, for every whole group of samples."""
    convolve = np.convolve if len(taps) < 9000 else signal.fftconvolve
    full = convolve(x.astype(complex), np.asarray(taps, complex))
    return full[: len(x) // decimation * decimation : decimation]


def run(x, block, *, limit=None, tags=()):
    """source -> block -> sink; `limit`: the most items that arrive at a time."""
    kind = "c" if np.iscomplexobj(x) else "f"
    flowgraph = gr.top_block()
    source = SOURCES[kind](x.tolist(), False, 1, list(tags))
    feeder = blocks.copy(ITEM_SIZES[kind])
    if limit:
        feeder.set_max_noutput_items(limit)
    sink = blocks.vector_sink_c() if kind == "c" else blocks.vector_sink_f()
    flowgraph.connect(source, feeder, block, sink)
    flowgraph.start()
    wait(flowgraph)
    if hasattr(block, "error") and block.error():
        raise RuntimeError(block.error())
    return np.array(sink.data()), sink.tags()


def filter_with_change(x, block, at, change):
    """`change()` is called once outputs are there, and before sample `at` is."""
    is_complex = np.iscomplexobj(x)
    sink = blocks.vector_sink_c() if is_complex else blocks.vector_sink_f()
    return run_with_change(x, at, [block], sink, change, outputs=1000)


class qa_fft_filter(GpufftTestCase):
    def samples(self, kind, count):
        noise = self.complex_noise(count)
        return noise if kind[0] == "c" else noise.real.copy()

    def taps(self, kind, count):
        taps = self.complex_noise(count)
        return taps.tolist() if kind == "ccc" else taps.real.tolist()

    def test_values(self):
        for kind in KINDS:
            for decimation, taps, count in (
                (1, 1, 10),
                (1, 2, 4096),
                (1, 33, 5000),
                (3, 33, 5001),
                (7, 5, 12345),
                (4, 501, 20000),
                (11, 1001, 30000),
                (1, 5001, 40000),
                (5000, 3, 20000),
            ):
                with self.subTest(kind=kind, decimation=decimation, taps=taps):
                    x, h = self.samples(kind, count), self.taps(kind, taps)
                    y, _ = run(x, fft_filter(kind, decimation, h))
                    self.assert_close(y, direct(x, h, decimation))

    def test_odd_chunks(self):
        for kind, decimation, limit in (("ccc", 1, 1), ("ccf", 3, 7), ("fff", 2, 1001)):
            x, h = self.samples(kind, 3001), self.taps(kind, 40)
            y, _ = run(x, fft_filter(kind, decimation, h, 2), limit=limit)
            self.assert_close(y, direct(x, h, decimation), (kind, decimation, limit))

    def test_as_stock_which_loses_the_end(self):
        for kind in KINDS:
            x, h = self.samples(kind, 5000), self.taps(kind, 33)
            stock, _ = run(x, getattr(filter, f"fft_filter_{kind}")(1, h))
            ours, _ = run(x, fft_filter(kind, 1, h))
            self.assertLess(len(stock), 5000)
            self.assertEqual(len(ours), 5000)
            self.assert_close(ours[: len(stock)], stock)

    def test_tags_go_to_the_output_of_their_group(self):
        x = self.complex_noise(1000)
        places = (0, 1, 3, 4, 502, 998)
        _, found = run(x, fft_filter("ccf", 4, [1.0] * 9), tags=map(tag, places))
        self.assertEqual(tag_places(found), [(place, place // 4) for place in places])

    def test_runs_again(self):
        x, h = self.complex_noise(2000), self.taps("ccc", 65)
        block = fft_filter("ccc", 2, h)
        for _ in range(2):
            self.assert_close(run(x, block)[0], direct(x, h, 2))

    def assert_changes(self, x, y, before, after, latest):
        """Each output is from `before` or, from some place on, from `after`."""
        self.assertEqual(len(y), len(x))
        is_old = np.abs(y - before) < 1e-3 * np.std(before)
        change = int(np.argmin(is_old))
        self.assertTrue(1000 <= change <= latest, change)
        self.assert_close(y[:change], before[:change])
        self.assert_close(y[change:], after[change:])

    def test_set_taps_changes_from_one_output_to_the_next(self):
        x, at = self.complex_noise(100000), 50000
        old, new = self.taps("ccf", 100), self.taps("ccf", 300)
        block = fft_filter("ccf", 1, old)
        y = filter_with_change(x, block, at, lambda: block.set_taps(new))
        self.assert_changes(x, y, direct(x, old), direct(x, new), at)

    def test_set_taps_of_any_length(self):
        """More taps than the block's history, and than its buffer holds, take effect once
        enough samples have arrived, and at once in the next run."""
        for kind, count in (("ccc", 20000), ("fff", 300000)):
            if count > 100000 and ENGINE == "cuda":
                continue
            with self.subTest(kind=kind, taps=count):
                x, at = self.samples(kind, count + 200000), 50000
                old, new = self.taps(kind, 100), self.taps(kind, count)
                block = fft_filter(kind, 1, old)
                self.assertEqual(block.max_taps(), 4096)
                y = filter_with_change(x, block, at, lambda: block.set_taps(new))
                after = direct(x, new)
                self.assert_changes(x, y, direct(x, old), after, at + count * 9 // 8)
                self.assertGreaterEqual(block.max_taps(), count)
                self.assert_close(run(x, block)[0], after)

    def test_set_taps_before_the_start(self):
        x, taps = self.samples("fff", 20000), self.taps("fff", 9000)
        block = fft_filter("fff", 1, [1.0])
        block.set_taps(taps)
        self.assert_close(run(x, block)[0], direct(x, taps))

    def test_set_decimation_while_running(self):
        for old, new in ((3, 1), (1, 7), (10, 5000)):
            with self.subTest(old=old, new=new):
                x, h = self.samples("fff", 300000), self.taps("fff", 50)
                block = fft_filter("fff", old, h)
                at = 100000
                y = filter_with_change(x, block, at, lambda: block.set_decimation(new))
                full = direct(x, h)
                before = full[::old][: len(y)]
                is_old = np.abs(y[: len(before)] - before) < 1e-3 * np.std(full)
                change = int(np.argmin(is_old))
                self.assertTrue(1000 <= change <= (at + new) // old + 1, change)
                self.assert_close(y[:change], before[:change])
                # the first output of the new grid is one of the old grid, too
                passed = (change - 1) * old + new
                after = full[passed::new][: (len(x) - passed) // new]
                self.assert_close(y[change:], after)

    def test_set_nthreads_while_running(self):
        x, h = self.samples("ccc", 200000), self.taps("ccc", 200)
        block = fft_filter("ccc", 1, h)
        y = filter_with_change(x, block, 100000, lambda: block.set_nthreads(3))
        self.assert_close(y, direct(x, h))
        self.assertEqual(block.nthreads(), 3)

    def test_begins_anew_after_unlock(self):
        """With zeros before the stream, also where it is shorter than the taps."""
        x, h = self.samples("fff", 5000), self.taps("fff", 9000)
        block = fft_filter("fff", 1, h)
        y = run_and_unlock(x, [block], blocks.vector_sink_f(), len(x))
        truth = direct(x, h)
        self.assert_close(y, np.concatenate([truth, truth]))

    def test_sample_delay_moves_tags_as_stock(self):
        x, places = self.complex_noise(9000), (0, 100, 4000)
        found = []
        for make in (gpufft.fft_filter_ccf, filter.fft_filter_ccf):
            block = make(1, [1.0] * 21)
            block.declare_sample_delay(10)
            found.append(tag_places(run(x, block, tags=map(tag, places))[1]))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], [(place, place + 10) for place in places])

    def test_setters(self):
        block = fft_filter("fff", 2, [1.0, 2.0])
        block.set_decimation(3)
        block.set_nthreads(2)
        block.set_taps([3.0])
        self.assertEqual((block.decimation(), block.nthreads()), (3, 2))
        self.assertEqual(block.taps(), [3.0])
        x = self.samples("fff", 100)
        self.assertEqual(len(run(x, block)[0]), 100 // 3)

    def test_errors(self):
        make = gpufft.fft_filter_ccf
        self.assert_refuses(ValueError, ["taps are 0", "1 ..."], make, 1, [])
        self.assert_refuses(ValueError, ["decimation is 0"], make, 0, [1.0])
        self.assert_refuses(ValueError, ["nthreads is -1"], make, 1, [1.0], -1)
        block = fft_filter("ccf", 1, [1.0])
        for taps, words in (
            ([], ["taps are 0", "1 ... 16777216"]),
            ([1.0, math.nan], ["tap 1 is nan", "finite"]),
            ([-math.inf], ["tap 0 is -inf", "finite"]),
        ):
            self.assert_refuses(ValueError, words, block.set_taps, taps)
        self.assert_refuses(ValueError, ["decimation is 0"], block.set_decimation, 0)
        make = gpufft.fft_filter_ccc
        self.assert_refuses(ValueError, ["tap 1 is nan"], make, 1, [0, math.nan * 1j])
        self.assertEqual(block.taps(), [1.0])


if __name__ == "__main__":
    gr_unittest.run(qa_fft_filter)
