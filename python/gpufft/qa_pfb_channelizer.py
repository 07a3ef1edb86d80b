#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pfb_channelizer_ccf, _scf and _bcf: against convolution and DFT in double precision, and
against gr-filter's where that is right."""

import numpy as np
from gnuradio import blocks, filter, gpufft, gr, gr_unittest
from pfb_channelizer_support import (
    ChannelizerTestCase,
    channelizer,
    expected,
    run_streams,
)
from qa_support import tag, tag_places

# M, R, taps: prime or not, every kind of oversampling, filters shorter than M too.
CASES = (
    (1, 1, 1),
    (1, 1, 7),
    (2, 1, 5),
    (3, 3, 2),
    (5, 5, 13),
    (6, 4, 25),
    (7, 1, 14),
    (8, 6, 40),
    (16, 8, 64),
    (67, 67, 402),
    (79, 79, 1264),
    (80, 50, 960),
    (97, 45, 500),
    (128, 128, 1000),
    (200, 9, 600),
    (139, 100, 4 * 139),
)


def run_stock(x, channels, rate, taps):
    """gr-filter's own, whose run is cut to whole output samples."""
    flowgraph = gr.top_block()
    split = blocks.stream_to_streams(gr.sizeof_gr_complex, channels)
    stock = filter.pfb_channelizer_ccf(channels, taps, rate)
    sinks = [blocks.vector_sink_c() for _ in range(channels)]
    flowgraph.connect(blocks.vector_source_c(x.tolist()), split)
    for port, sink in enumerate(sinks):
        flowgraph.connect((split, port), (stock, port), sink)
    flowgraph.run()
    return np.array([sink.data() for sink in sinks])


class qa_pfb_channelizer(ChannelizerTestCase):
    def test_definition(self):
        """Streams and vectors; samples left over at the end make no output."""
        for channels, hop, count in CASES:
            x = self.complex_noise(37 * hop + hop // 2)
            taps = self.filter_of(count)
            truth = expected(x, taps, channels, hop)
            case = f"{channels} channels, hop {hop}, {count} taps"
            settings = channels, taps.tolist(), channels / hop
            streams, _ = run_streams(x, channelizer(*settings), channels)
            self.assert_channels(streams, truth, case)
            flowgraph = gr.top_block()
            sink = blocks.vector_sink_c(channels)
            flowgraph.connect(
                blocks.vector_source_c(x.tolist()),
                channelizer(*settings, vlen=channels),
                sink,
            )
            flowgraph.run()
            vectors = np.array(sink.data()).reshape(-1, channels).T
            self.assert_channels(vectors, truth, case + ", vectors")

    def test_random_settings(self):
        for _ in range(25):
            channels = int(self.random.integers(1, 300))
            hop = int(self.random.integers(1, channels + 1))
            taps = self.filter_of(int(self.random.integers(1, 9 * channels)))
            x = self.complex_noise(int(self.random.integers(0, 30 * hop)))
            limit = int(self.random.integers(1, 4 * channels))
            block = channelizer(channels, taps.tolist(), channels / hop)
            result, _ = run_streams(x, block, channels, limit=limit)
            self.assert_channels(
                result,
                expected(x, taps, channels, hop),
                f"{channels} channels, hop {hop}, {len(taps)} taps, {len(x)} samples, "
                f"{limit} at a time",
            )

    def test_gr_filter(self):
        """The same order of channels, phases and alignment."""
        for channels, hop, count in CASES:
            if channels == 200:
                continue  # gr-filter refuses this rate
            x = self.complex_noise(12 * channels * hop)
            taps = self.filter_of(count)
            stock = run_stock(x, channels, channels / hop, taps.tolist())
            block = channelizer(channels, taps.tolist(), channels / hop)
            ours, _ = run_streams(x, block, channels)
            self.assertGreater(stock.shape[1], 0)
            self.assert_channels(
                ours[:, : stock.shape[1]], stock, f"{channels} channels, hop {hop}"
            )

    def test_integers(self):
        for kind, scale, dtype in (("s", 32768, np.int16), ("b", 128, np.int8)):
            items = self.random.integers(-scale, scale, 2 * 79 * 30).astype(dtype)
            if kind == "b":  # GNU Radio's byte source takes 0 ... 255
                data = items.view(np.uint8)
            else:
                data = items
            x = items.reshape(-1, 2) @ [1, 1j] / scale
            taps = self.filter_of(200)
            block = channelizer(79, taps.tolist(), 79 / 40, kind=kind)
            result, _ = run_streams(data, block, 79, kind=kind)
            self.assert_channels(result, expected(x, taps, 79, 40), kind)

    def test_many_samples(self):
        """Through all of GNU Radio's buffers, over and over."""
        x = self.complex_noise(50 * 30000)
        taps = self.filter_of(1200)
        block = channelizer(80, taps.tolist(), 80 / 50)
        result, _ = run_streams(x, block, 80)
        self.assertEqual(result.shape, (80, 30000))
        for first in (0, 11111, 29900):
            self.assert_channels(
                result[:, first : first + 100],
                expected(x, taps, 80, 50, first, first + 100),
                f"from output sample {first} on",
            )

    def test_default_taps_of_too_many_channels(self):
        """They are refused before minutes of design."""
        create = gpufft.pfb_channelizer_ccf.create_taps
        for channels in (2**23, 2**27):
            words = (f"numchans is {channels}", "1 ... 3632374 ", "60 dB", "give taps")
            self.assert_refuses(ValueError, words, create, channels, 60)
            words = (f"numchans is {channels}", "give taps")
            self.assert_refuses(
                ValueError, words, gpufft.pfb_channelizer_ccf, channels, vlen=channels
            )
        taps = create(2**17, 60)
        self.assertEqual(len(taps), 2421585)
        self.assertAlmostEqual(np.sum(taps, dtype=float), 1, 5)

    def test_default_taps_of_every_number_of_channels(self):
        """gr-filter finds none for some primes and powers of two."""
        for channels in (1, 2, 3, 67, 79, 97, 101, 128, 139, 256, 839):
            taps = np.array(gpufft.pfb_channelizer_ccf.create_taps(channels, 80))
            response = np.abs(np.fft.fft(taps, 64 * 1024 * max(1, channels // 64)))
            spacing = len(response) / channels
            folded = response[: len(response) // 2 + 1]
            passed = folded[: int(0.4 * spacing) + 1]
            stopped = folded[int(np.ceil(0.6 * spacing)) :]
            self.assertLess(np.abs(20 * np.log10(passed)).max(), 0.1, channels)
            if len(stopped):
                self.assertLess(20 * np.log10(stopped.max()), -79, channels)
            block = channelizer(channels, atten=80)
            self.assertEqual(len(block.taps()), channels)
            self.assertAlmostEqual(np.sum(block.taps()), 1, places=5)

    def test_a_tone_comes_out_of_its_channel(self):
        for channels, channel in ((79, 3), (79, 76), (128, 64)):
            frequency = (channel + 0.1) / channels
            x = np.exp(2j * np.pi * frequency * np.arange(channels * 100))
            block = channelizer(channels)
            result, _ = run_streams(x, block, channels)
            settled = result[:, 60:]
            levels = 20 * np.log10(np.abs(settled).max(axis=1) + 1e-12)
            self.assertAlmostEqual(levels[channel], 0, places=2)
            self.assertLess(np.delete(levels, channel).max(), -90)
            turn = settled[channel, 1:] / settled[channel, :-1]
            self.assertTrue(np.allclose(turn, np.exp(0.2j * np.pi), atol=1e-4))

    def test_rates_are_decided_in_integers(self):
        """gr-filter refuses these, in single precision."""
        for channels, hops in ((200, (9,)), (839, (90, 838)), (4096, (718, 4095, 7))):
            for hop in hops:
                for rate in (channels / hop, float(np.float32(channels / hop))):
                    block = channelizer(channels, [1.0], rate)
                    self.assertEqual(len(block.taps()), channels)

    def test_settings_out_of_range(self):
        for words, *settings in (
            (("numchans", "0"), 0),
            (("numchans", "-3"), -3),
            (("oversample_rate", "1.5", "79 channels"), 79, [1.0], 1.5),
            (("oversample_rate", "0.5"), 4, [1.0], 0.5),
            (("oversample_rate", "5"), 4, [1.0], 5),
            (("oversample_rate", "nan"), 4, [1.0], float("nan")),
            (("atten", "-5"), 4, None, 1, -5),
        ):
            self.assert_refuses(ValueError, words, channelizer, *settings)
        self.assert_refuses(ValueError, ("vlen", "3"), channelizer, 4, [1.0], vlen=3)
        for outchans in (-1, 5):
            self.assert_refuses(
                ValueError,
                ("outchans", str(outchans), "0 ... 4"),
                channelizer,
                4,
                [1.0],
                outchans=outchans,
            )
        self.assert_refuses(
            ValueError, ("4", "1", "2"), channelizer, 4, [1.0], vlen=4, outchans=2
        )
        some = channelizer(4, [1.0], outchans=2)
        for map in ([1], [3, 2, 1]):
            self.assert_refuses(
                ValueError, (str(len(map)), "must have 2"), some.set_channel_map, map
            )
        self.assert_refuses(ValueError, ("4", "0 ... 3"), some.set_channel_map, [0, 4])
        self.assert_refuses(ValueError, ("-1",), some.set_channel_map, [-1, 0])
        self.assertEqual(some.channel_map(), [0, 1])
        vectors = channelizer(4, [1.0], vlen=4)
        self.assert_refuses(ValueError, ("outchans",), vectors.set_channel_map, [1])
        block = channelizer(4, [1.0] * 8)
        self.assert_refuses(ValueError, ("taps", "0"), block.set_taps, [])
        for tap in (np.nan, np.inf):
            words = ("tap 1", str(tap), "finite")
            self.assert_refuses(ValueError, words, block.set_taps, [1, tap])
            self.assert_refuses(ValueError, words, channelizer, 4, [1, tap])
        self.assert_refuses(ValueError, ("4", "0 ... 3"), block.set_channel_map, [4])
        self.assert_refuses(ValueError, ("-1",), block.set_channel_map, [-1])

    def test_channel_map(self):
        """Fewer outputs than channels, in any order; what is past the map stays."""
        x = self.complex_noise(7 * 20)
        taps = self.filter_of(21)
        truth = expected(x, taps, 7, 7)
        block = channelizer(7, taps.tolist())
        block.set_channel_map([])
        self.assertEqual(block.channel_map(), [0, 1, 2, 3, 4, 5, 6])
        block.set_channel_map([5, 0, 5])
        self.assertEqual(block.channel_map(), [5, 0, 5, 3, 4, 5, 6])
        result, _ = run_streams(x, block, 4)
        self.assert_channels(result, truth[[5, 0, 5, 3]])

    def test_some_channels(self):
        """Streams and vectors of the channels of a map, at first 0, 1, ..."""
        for channels, hop, count in CASES:
            some = int(self.random.integers(1, channels + 1))
            map = self.random.integers(0, channels, some).tolist()
            x = self.complex_noise(23 * hop + hop // 2)
            taps = self.filter_of(count)
            truth = expected(x, taps, channels, hop)
            case = f"{channels} channels, hop {hop}, {count} taps, {map}"
            settings = channels, taps.tolist(), channels / hop
            first = channelizer(*settings, outchans=some)
            self.assertEqual(first.channel_map(), list(range(some)))
            result, _ = run_streams(x, first, some)
            self.assert_channels(result, truth[:some], case)
            for vlen in {1, some}:
                block = channelizer(*settings, vlen=vlen, outchans=some)
                block.set_channel_map([])
                block.set_channel_map(map)
                self.assertEqual(block.channel_map(), map)
                flowgraph = gr.top_block()
                sinks = [blocks.vector_sink_c(vlen) for _ in range(some // vlen)]
                flowgraph.connect(blocks.vector_source_c(x.tolist()), block)
                for port, sink in enumerate(sinks):
                    flowgraph.connect((block, port), sink)
                flowgraph.run()
                result = np.array([sink.data() for sink in sinks])
                if vlen > 1:
                    result = result.reshape(-1, some).T
                self.assert_channels(result, truth[map], f"{case}, vlen {vlen}")

    def test_arms(self):
        arms = channelizer(4, [1, 2, 3, 4, 5, 6]).taps()
        self.assertEqual(arms, [[1, 5], [2, 6], [3, 0], [4, 0]])

    def test_tags(self):
        """To floor(offset / R) of every output; gr-filter rounds."""
        offsets = [0, 5, 39, 40, 41, 42, 43, 44, 399]
        for limit in (None, 3):
            for hop in (4, 3):
                x = self.complex_noise(400)
                block = channelizer(4, self.filter_of(20).tolist(), 4 / hop)
                tags = [tag(offset) for offset in offsets]
                _, found = run_streams(x, block, 4, tags=tags, limit=limit)
                for port in found:
                    self.assertEqual(
                        tag_places(port),
                        [(at, at // hop) for at in offsets if at // hop < 400 // hop],
                    )

    def test_engine_block(self):
        block = channelizer(79, [1.0] * 1264)
        self.assertIn(block.engine(), ("cpu", "cuda"))
        self.assertIn("79", block.describe())
        self.assertEqual(block.error(), "")
        self.assertEqual(block.statistics()["frames"], 0)


if __name__ == "__main__":
    gr_unittest.run(qa_pfb_channelizer)
