#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""channel_bank_cc: every channel against mixing and direct convolution in double
precision."""

import math

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import (
    ENGINE,
    GpufftTestCase,
    gate,
    tag,
    tag_places,
    wait,
    wait_for_items,
)


def bank(*arguments, **keywords):
    return gpufft.channel_bank_cc(*arguments, engine=ENGINE, **keywords)


def direct(x, taps, center, decimation=1):
    """The sums of the definition, for every whole group of samples; center in cycles per
    sample."""
    mixed = x * np.exp(-2j * np.pi * (center * np.arange(len(x)) % 1))
    full = np.convolve(mixed, np.asarray(taps, complex))
    return full[: len(x) // decimation * decimation : decimation]


def flowgraph_of(x, block, channels, *, feeder=None, limit=None, tags=()):
    """source -> feeder -> block -> a sink for each channel; `limit`: the most items that
    arrive at a time."""
    flowgraph = gr.top_block()
    source = blocks.vector_source_c(x.tolist(), False, 1, list(tags))
    feeder = feeder or blocks.copy(gr.sizeof_gr_complex)
    if limit:
        feeder.set_max_noutput_items(limit)
    flowgraph.connect(source, feeder, block)
    sinks = [blocks.vector_sink_c() for _ in range(channels)]
    for port, sink in enumerate(sinks):
        flowgraph.connect((block, port), sink)
    return flowgraph, sinks


def run(x, block, channels, **keywords):
    flowgraph, sinks = flowgraph_of(x, block, channels, **keywords)
    flowgraph.start()
    wait(flowgraph)
    if block.error():
        raise RuntimeError(block.error())
    return [np.array(sink.data()) for sink in sinks], [sink.tags() for sink in sinks]


class qa_channel_bank(GpufftTestCase):
    def test_values(self):
        for decimation, taps, channels, count in (
            (1, 1, 1, 100),
            (1, 20, 3, 5000),
            (7, 33, 5, 12345),
            (10, 201, 20, 30000),
            (100, 901, 7, 50000),
            (97, 1000, 2, 40000),
            (5000, 3, 2, 20000),
        ):
            with self.subTest(decimation=decimation, taps=taps, channels=channels):
                x, h = self.complex_noise(count), self.complex_noise(taps)
                centers = self.random.uniform(-0.5, 0.5, channels)
                streams, _ = run(
                    x, bank(decimation, h.tolist(), centers.tolist()), channels
                )
                for center, y in zip(centers, streams):
                    self.assert_close(y, direct(x, h, center, decimation), center)

    def test_centers_are_in_hertz(self):
        x, h = self.complex_noise(3000), [0.25] * 4
        centers = [-800e3, 0.0, 123456.789]
        streams, _ = run(x, bank(4, h, centers, 2e6), 3)
        for center, y in zip(centers, streams):
            self.assert_close(y, direct(x, h, center / 2e6, 4), center)

    def test_odd_chunks(self):
        x, h = self.complex_noise(3001), self.complex_noise(40)
        for decimation, limit in ((1, 1), (3, 7), (10, 1001)):
            streams, _ = run(x, bank(decimation, h.tolist(), [0.1, -0.2]), 2, limit=limit)
            for center, y in zip((0.1, -0.2), streams):
                self.assert_close(y, direct(x, h, center, decimation), limit)

    def test_tags_go_to_every_channel(self):
        places = (0, 1, 3, 4, 502, 998)
        x = self.complex_noise(1000)
        _, found = run(x, bank(4, [1.0] * 9, [0.0, 0.25]), 2, tags=list(map(tag, places)))
        for tags in found:
            self.assertEqual(tag_places(tags), [(place, place // 4) for place in places])

    def test_runs_again(self):
        x, h = self.complex_noise(2000), self.complex_noise(65)
        block = bank(2, h.tolist(), [0.3, 0.1], nthreads=2)
        for _ in range(2):
            streams, _ = run(x, block, 2)
            for center, y in zip((0.3, 0.1), streams):
                self.assert_close(y, direct(x, h, center, 2))

    def change_while_running(self, x, block, channels, change):
        """Calls change() after some outputs, and before the second half of the input."""
        feeder = gate(len(x) // 2)
        flowgraph, sinks = flowgraph_of(x, block, channels, feeder=feeder)
        flowgraph.start()
        wait_for_items(sinks[0], 1000)
        change()
        feeder.open()
        wait(flowgraph)
        return [np.array(sink.data()) for sink in sinks]

    def change_of(self, y, before):
        """The first output that is not that of before."""
        error = np.abs(y - before)
        return int(np.argmax(error > 1e-3 * np.sqrt(np.mean(np.abs(before) ** 2))))

    def test_one_channel_is_tuned_anew_and_its_phase_goes_on(self):
        x, h = self.complex_noise(200000), self.complex_noise(50)
        old, new, other = 0.11, -0.07, 0.3
        block = bank(4, h.tolist(), [old, other])
        first, second = self.change_while_running(
            x, block, 2, lambda: block.set_center(0, new)
        )
        self.assert_close(second, direct(x, h, other, 4))
        before, after = direct(x, h, old, 4), direct(x, h, new, 4)
        change = self.change_of(first, before)
        self.assertTrue(0 < change < len(x) // 4)
        turned = np.exp(2j * np.pi * ((new - old) * 4 * change % 1))
        self.assert_close(first[:change], before[:change])
        self.assert_close(first[change:], turned * after[change:])

    def test_taps_change_from_one_output_to_the_next(self):
        x = self.complex_noise(200000)
        old, new = self.complex_noise(100), self.complex_noise(300)
        block = bank(3, old.tolist(), [0.2, -0.4])
        streams = self.change_while_running(
            x, block, 2, lambda: block.set_taps(new.tolist())
        )
        changes = []
        for center, y in zip((0.2, -0.4), streams):
            changes.append(self.change_of(y, direct(x, old, center, 3)))
            after = direct(x, new, center, 3)
            self.assert_close(y[changes[-1] :], after[changes[-1] :])
        self.assertTrue(0 < changes[0] == changes[1])

    def test_setters(self):
        block = bank(2, [1.0, 2.0], [0.1, 0.2, 0.3])
        block.set_center(2, -0.5)
        block.set_nthreads(2)
        block.set_taps([1j])
        self.assertEqual(block.centers(), [0.1, 0.2, -0.5])
        block.set_centers([0.0, 0.25, 0.5])
        self.assertEqual(block.centers(), [0.0, 0.25, 0.5])
        self.assertEqual((block.decimation(), block.nthreads()), (2, 2))
        self.assertEqual((block.taps(), block.samp_rate()), ([1j], 1.0))
        x = self.complex_noise(100)
        streams, _ = run(x, block, 3)
        self.assert_close(streams[1], direct(x, [1j], 0.25, 2))

    def test_errors(self):
        make = gpufft.channel_bank_cc
        self.assert_refuses(ValueError, ["taps are 0"], make, 1, [], [0.0])
        self.assert_refuses(ValueError, ["decimation is 0"], make, 0, [1.0], [0.0])
        self.assert_refuses(ValueError, ["number of centers is 0"], make, 1, [1.0], [])
        self.assert_refuses(
            ValueError,
            ["center 1 is 98500000 Hz", "-1000000 ... 1000000"],
            make,
            1,
            [1.0],
            [0.0, 98.5e6],
            2e6,
        )
        self.assert_refuses(ValueError, ["samp_rate is 0"], make, 1, [1.0], [0.0], 0)
        block = bank(1, [1.0], [0.1, 0.2])
        self.assert_refuses(ValueError, ["channel is 2"], block.set_center, 2, 0.0)
        self.assert_refuses(ValueError, ["1 centers", "2"], block.set_centers, [0.0])
        self.assert_refuses(ValueError, ["tap 1 is nan"], block.set_taps, [1.0, math.nan])
        self.assertEqual(block.centers(), [0.1, 0.2])


if __name__ == "__main__":
    gr_unittest.run(qa_channel_bank)
