#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pfb_channelizer_ccf while it runs: other taps, other channels, unlock() and runs one after
the other."""

import numpy as np
from gnuradio import blocks, gr_unittest
from pfb_channelizer_support import (
    ChannelizerTestCase,
    channelizer,
    expected,
    run_streams,
)
from qa_support import run, run_and_unlock, run_with_change


class qa_pfb_channelizer_running(ChannelizerTestCase):
    def test_map_changes_at_a_sample(self):
        """Outputs after a map is set use that map, those before do not."""
        channels, hop, before, after = 20, 15, 100, 80
        taps = self.filter_of(130)
        x = self.complex_noise((before + after) * hop)
        truth = expected(x, taps, channels, hop)
        block = channelizer(channels, taps.tolist(), channels / hop, outchans=3, vlen=3)
        block.set_channel_map([19, 0, 7])
        rows = run_with_change(
            x,
            before * hop,
            [block],
            blocks.vector_sink_c(3),
            lambda: block.set_channel_map([2, 2, 19]),
            outputs=before,
        )
        result = rows.reshape(-1, 3).T
        self.assert_channels(result[:, :before], truth[[19, 0, 7], :before])
        self.assert_channels(result[:, before:], truth[[2, 2, 19], before:])

    def test_taps_change_without_a_gap(self):
        """Every output sample is from the old or the new, longer filter, with one step
        between."""
        taps = self.filter_of(60)
        more = np.concatenate([-taps, self.filter_of(300)])
        stream = np.tile(self.complex_noise(600), 75)
        block = channelizer(20, taps.tolist(), 20 / 15, vlen=20)
        rows = run_with_change(
            stream,
            len(stream) // 2,
            (block,),
            blocks.vector_sink_c(20),
            lambda: block.set_taps(more.tolist()),
            outputs=20,
        )
        result = rows.reshape(-1, 20).T
        self.assertEqual(result.shape, (20, 3000))
        old = expected(stream, taps, 20, 15, 0, 3000)
        new = expected(stream, more, 20, 15, 0, 3000)
        is_old = np.abs(result - old).max(axis=0) < 3e-4
        is_new = np.abs(result - new).max(axis=0) < 3e-4
        self.assert_changes_once(is_old, is_new)

    def test_set_taps_of_any_length(self):
        """More taps than the block's history take effect once enough samples have arrived,
        and at once in the next run."""
        for channels, hop in ((20, 15), (79, 79)):
            x, at, count = self.complex_noise(40000), 9000, 12000
            old, new = self.filter_of(60), self.filter_of(count)
            truth = expected(x, new, channels, hop)
            block = channelizer(channels, old.tolist(), channels / hop, vlen=channels)
            self.assertEqual(block.max_taps(), -(-4096 // channels) * channels)
            sink = blocks.vector_sink_c(channels)
            rows = run_with_change(x, at, [block], sink, lambda: block.set_taps(new))
            self.assert_change(
                rows.reshape(-1, channels),
                expected(x, old, channels, hop).T,
                truth.T,
                (at + count) // hop + 2,
            )
            self.assertGreaterEqual(block.max_taps(), count)
            rows, _ = run(x, block, vlen_out=channels, out="c")
            self.assert_channels(rows.T, truth)

    def test_taps_that_the_buffer_does_not_hold(self):
        """The CPU collects the samples; a card's buffers hold them."""
        x, at, count = self.complex_noise(200000), 9000, 160000
        old, new = self.filter_of(600), self.filter_of(count)
        block = channelizer(200, old.tolist(), nthreads=1, vlen=200)
        sink = blocks.vector_sink_c(200)
        rows = run_with_change(x, at, [block], sink, lambda: block.set_taps(new))
        self.assert_change(
            rows.reshape(-1, 200),
            expected(x, old, 200, 200).T,
            expected(x, new, 200, 200).T,
            (at + count) // 200 + 2,
        )

    def test_begins_anew_after_unlock(self):
        """With zeros before the stream, also where it is shorter than the filter."""
        x, taps = self.complex_noise(3000), self.filter_of(5000)
        block = channelizer(20, taps.tolist(), 20 / 15, vlen=20)
        result = run_and_unlock(x, [block], blocks.vector_sink_c(20), 3000 // 15 * 20)
        truth = expected(x, taps, 20, 15).T
        self.assert_channels(result.reshape(-1, 20), np.concatenate([truth, truth]))

    def test_runs_again(self):
        x = self.complex_noise(79 * 40)
        taps = self.filter_of(300)
        truth = expected(x, taps, 79, 79)
        block = channelizer(79, taps.tolist())
        for _ in range(3):
            result, _ = run_streams(x, block, 79)
            self.assert_channels(result, truth)


if __name__ == "__main__":
    gr_unittest.run(qa_pfb_channelizer_running)
