#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""freq_xlating_fft_filter_ccc and _ccf: against mixing and direct convolution in double
precision, and against gr-filter's up to where that stops."""

import numpy as np
import pmt
from gnuradio import blocks, filter, gpufft, gr, gr_unittest
from qa_channel_bank import direct
from qa_support import (
    ENGINE,
    GpufftTestCase,
    gate,
    run,
    tag,
    tag_places,
    wait,
    wait_for_items,
)


def xlating(kind, *arguments, **keywords):
    make = getattr(gpufft, f"freq_xlating_fft_filter_{kind}")
    return make(*arguments, engine=ENGINE, **keywords)


def filtered(x, block, **keywords):
    rows, tags = run(x, block, out="c", **keywords)
    return rows[:, 0], tags


class qa_freq_xlating_fft_filter(GpufftTestCase):
    def taps(self, kind, count):
        taps = self.complex_noise(count)
        return taps.tolist() if kind == "ccc" else taps.real.tolist()

    def test_values(self):
        for kind in ("ccc", "ccf"):
            for decim, taps, count in ((1, 1, 50), (3, 40, 5001), (16, 501, 40000)):
                x, h = self.complex_noise(count), self.taps(kind, taps)
                center = self.random.uniform(-1e6, 1e6)
                y, _ = filtered(x, xlating(kind, decim, h, center, 2e6))
                self.assert_close(y, direct(x, h, center / 2e6, decim), (kind, decim))

    def test_as_stock_which_loses_the_end(self):
        x, h = self.complex_noise(20000), self.taps("ccc", 101)
        arguments = (5, h, 200e3, 2e6)
        stock, _ = filtered(x, filter.freq_xlating_fft_filter_ccc(*arguments))
        ours, _ = filtered(x, xlating("ccc", *arguments))
        self.assertLess(len(stock), len(ours))
        for count, bound in ((50, 1e-5), (len(stock), 1e-3)):  # stock's phase drifts
            error = np.linalg.norm(ours[:count] - stock[:count])
            self.assertLess(error, bound * np.linalg.norm(stock[:count]))

    def test_odd_chunks_and_tags(self):
        x, h = self.complex_noise(3001), self.taps("ccf", 40)
        places = (0, 5, 6, 2996)
        y, tags = filtered(
            x, xlating("ccf", 3, h, 0.1, 1.0), limit=7, tags=list(map(tag, places))
        )
        self.assert_close(y, direct(x, h, 0.1, 3))
        self.assertEqual(tag_places(tags), [(place, place // 3) for place in places])

    def test_setters_while_running(self):
        x, h = self.complex_noise(200000), self.taps("ccf", 50)
        block = xlating("ccf", 2, h, 100e3, 1e6)
        flowgraph = gr.top_block()
        sink = blocks.vector_sink_c()
        feeder = gate(len(x) // 2)
        flowgraph.connect(blocks.vector_source_c(x.tolist()), feeder, block, sink)
        flowgraph.start()
        wait_for_items(sink, 1000)
        block.set_center_freq(-250e3)
        block.set_nthreads(2)
        feeder.open()
        wait(flowgraph)
        y = np.array(sink.data())
        before, after = direct(x, h, 0.1, 2), direct(x, h, -0.25, 2)
        apart = np.abs(y - before) > 1e-3 * np.sqrt(np.mean(np.abs(before) ** 2))
        change = int(np.argmax(apart))
        self.assertTrue(0 < change < len(y) == len(x) // 2)
        turned = np.exp(2j * np.pi * (-0.35 * 2 * change % 1))
        self.assert_close(y[change:], turned * after[change:])

    def test_setters(self):
        block = xlating("ccf", 2, [1.0, 2.0], 1e3, 1e6)
        block.set_taps([0.5])
        block.set_center_freq(5e6)  # as 0: a multiple of the sample rate
        block.set_nthreads(3)
        block.declare_sample_delay(1)
        self.assertEqual((block.taps(), block.center_freq()), ([0.5], 5e6))
        self.assertEqual((block.decimation(), block.nthreads()), (2, 3))
        x = self.complex_noise(100)
        self.assert_close(filtered(x, block)[0], x[::2] / 2)

    def test_messages(self):
        """Those that gr-filter's FIR block takes, and integers; no others, no exception."""
        name, other = pmt.intern("freq"), pmt.intern("gain")
        x, h = self.complex_noise(400), self.taps("ccf", 9)
        for message, center in (
            (pmt.cons(name, pmt.from_double(0.2)), 0.2),
            (pmt.cons(other, pmt.from_double(0.2)), 0.2),
            (pmt.dict_add(pmt.make_dict(), name, pmt.from_double(-0.3)), -0.3),
            (pmt.cons(name, pmt.from_long(1)), 1),
            (pmt.cons(name, pmt.from_uint64(2)), 2),
            (pmt.dict_add(pmt.make_dict(), other, pmt.from_double(0.2)), 0.1),
            (pmt.cons(name, pmt.intern("0.2")), 0.1),
            (pmt.cons(name, pmt.from_double(1e9)), 0.1),
            (pmt.cons(name, pmt.from_double(np.nan)), 0.1),
            (pmt.from_double(0.2), 0.1),
            (pmt.PMT_NIL, 0.1),
        ):
            with self.subTest(message=str(message)):
                block = xlating("ccf", 2, h, 0.1, 1.0)
                block.to_basic_block()._post(name, message)
                self.assert_close(filtered(x, block)[0], direct(x, h, center, 2))
                self.assertEqual(block.center_freq(), center)
                stock = filter.freq_xlating_fir_filter_ccf(2, h, 0.1, 1.0)
                stock.to_basic_block()._post(name, message)
                filtered(x, stock)
                if stock.center_freq() != 0.1 and abs(stock.center_freq()) < 1e9:
                    self.assertEqual(stock.center_freq(), center)

    def test_errors(self):
        make = gpufft.freq_xlating_fft_filter_ccc
        self.assert_refuses(ValueError, ["decimation is 0"], make, 0, [1], 0, 1)
        for center, rate in ((1e308, 1e-308), (-2e6, 1), (np.nan, 1), (np.inf, 1e300)):
            words = ["center frequency is", "2^20 times samp_rate"]
            self.assert_refuses(ValueError, words, make, 1, [1], center, rate)
        block = make(1, [1], 2**20, 1)
        self.assert_refuses(ValueError, words, block.set_center_freq, 2**20 + 1)
        self.assert_refuses(ValueError, ["taps are 0"], make, 1, [], 0, 1)
        self.assert_refuses(ValueError, ["samp_rate is -1"], make, 1, [1], 0, -1)


if __name__ == "__main__":
    gr_unittest.run(qa_freq_xlating_fft_filter)
