#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pfb_synthesizer_ccf: against the sums of its definition in double precision, gr-filter's,
and what a channelizer took."""

import numpy as np
from gnuradio import blocks, filter, gpufft, gr, gr_unittest
from qa_support import (
    ENGINE,
    TOLERANCE,
    GpufftTestCase,
    run_and_unlock,
    run_with_change,
    tag,
    tag_places,
    wait,
)

# M, R, taps: prime or not, any oversampling, filters shorter than R too.
CASES = (
    (1, 1, 1),
    (1, 1, 7),
    (2, 1, 5),
    (3, 3, 2),
    (5, 5, 13),
    (6, 4, 25),
    (8, 6, 40),
    (16, 8, 64),
    (79, 79, 1264),
    (80, 50, 960),
    (97, 45, 500),
    (139, 100, 4 * 139),
)


def synthesizer(*arguments, **keywords):
    return gpufft.pfb_synthesizer_ccf(*arguments, engine=ENGINE, **keywords)


def expected(x, taps, hop):
    """y[t] = sum_f sum_c x[c, f] taps[t - f hop] exp(2 pi j c (t + hop) / channels)."""
    channels, count = x.shape
    c = np.arange(channels)
    waves = np.exp(2j * np.pi * np.outer(c, np.arange(channels)) / channels)
    sums = waves.T @ x  # at each time modulo the channels
    y = np.zeros(count * hop + len(taps), complex)
    for f in range(count):
        t = f * hop + np.arange(len(taps))
        y[t] += np.asarray(taps) * sums[(t + hop) % channels, f]
    return y[: count * hop]


def run_streams(x, block, *, tags=(), limit=None):
    """A source for each row of x -> block -> sink; returns the samples and the tags.

    limit: the most items that arrive at a time
    """
    flowgraph = gr.top_block()
    sink = blocks.vector_sink_c()
    for port, channel in enumerate(x):
        there = list(tags) if port == 0 else []
        source = blocks.vector_source_c(channel.tolist(), False, 1, there)
        feeder = blocks.copy(gr.sizeof_gr_complex)
        if limit:
            feeder.set_max_noutput_items(limit)
        flowgraph.connect(source, feeder, (block, port))
    flowgraph.connect(block, sink)
    flowgraph.start()
    wait(flowgraph)
    if hasattr(block, "error") and block.error():
        raise AssertionError(block.error())
    return np.array(sink.data()), sink.tags()


def run_vectors(x, block):
    flowgraph = gr.top_block()
    sink = blocks.vector_sink_c()
    flowgraph.connect(
        blocks.vector_source_c(x.T.ravel().tolist(), False, len(x)), block, sink
    )
    flowgraph.run()
    return np.array(sink.data())


class qa_pfb_synthesizer(GpufftTestCase):
    def filter_of(self, taps):
        return self.random.standard_normal(taps).astype(np.float32)

    def channels_of(self, channels, count):
        return self.complex_noise(channels * count).reshape(channels, count)

    def assert_samples(self, result, truth, message="", bound=2 * TOLERANCE):
        self.assertEqual(result.shape, truth.shape, message)
        error = np.linalg.norm(result - truth) / max(np.linalg.norm(truth), 1e-30)
        self.assertTrue(error <= bound, f"{message}: relative error {error}")

    def test_definition(self):
        """Streams and vectors; the output ends with the last sample of the channels."""
        for channels, hop, count in CASES:
            x = self.channels_of(channels, 41)
            taps = self.filter_of(count)
            truth = expected(x, taps, hop)
            case = f"{channels} channels, hop {hop}, {count} taps"
            settings = {"oversample_rate": channels / hop}
            result, _ = run_streams(x, synthesizer(channels, taps.tolist(), **settings))
            self.assert_samples(result, truth, case)
            block = synthesizer(channels, taps.tolist(), vlen=channels, **settings)
            self.assert_samples(run_vectors(x, block), truth, case + ", vectors")

    def test_random_settings(self):
        for _ in range(15):
            channels = int(self.random.integers(1, 200))
            hop = int(self.random.integers(1, channels + 1))
            taps = self.filter_of(int(self.random.integers(1, 9 * hop + 1)))
            x = self.channels_of(channels, int(self.random.integers(0, 60)))
            limit = int(self.random.integers(1, 40))
            block = synthesizer(channels, taps.tolist(), oversample_rate=channels / hop)
            result, _ = run_streams(x, block, limit=limit)
            self.assert_samples(
                result,
                expected(x, taps, hop),
                f"{channels} channels, hop {hop}, {len(taps)} taps, {x.shape[1]} samples "
                f"of each, {limit} at a time",
            )

    def test_gr_filter(self):
        """The same samples in the same places, critically sampled and with twox."""
        for numchans, twox, count in (
            (1, False, 5),
            (4, False, 30),
            (7, False, 50),
            (79, False, 1264),
            (2, True, 9),
            (6, True, 55),
            (40, True, 1280),
        ):
            channels = 2 * numchans if twox else numchans
            x = self.channels_of(channels, 50)
            taps = self.filter_of(count).tolist()
            stock = filter.pfb_synthesizer_ccf(numchans, taps, twox)
            truth, _ = run_streams(x[:numchans], stock)  # it has no ports for more
            block = synthesizer(numchans, taps, twox)
            result, _ = run_streams(x[:numchans], block)
            self.assertGreater(len(truth), 0)
            self.assert_samples(
                result[: len(truth)], truth, f"{numchans} channels, twox {twox}"
            )
            self.assertEqual(np.shape(block.taps()), np.shape(stock.taps()))
            self.assertTrue(np.allclose(block.taps(), stock.taps()))

    def test_gives_back_what_the_channelizer_took(self):
        """With the default filters, oversampled: 2 times, 79 / 50, 1.4 times; any M."""
        for channels, hop in ((8, 4), (79, 50), (80, 40), (7, 5), (67, 22), (1, 1)):
            x = self.complex_noise(400 * hop)
            rate = channels / hop
            bank = gpufft.pfb_channelizer_ccf(channels, None, rate, engine=ENGINE)
            back = synthesizer(channels, oversample_rate=rate)
            flowgraph = gr.top_block()
            sink = blocks.vector_sink_c()
            flowgraph.connect(blocks.vector_source_c(x.tolist()), bank)
            for port in range(channels):
                flowgraph.connect((bank, port), (back, port))
            flowgraph.connect(back, sink)
            flowgraph.run()
            result = np.array(sink.data())
            self.assertEqual(len(result), len(x))
            analysis = np.array(bank.taps()).T.ravel()
            taps = np.array(back.taps()).T.ravel()
            delay = np.argmax(np.abs(analysis)) + np.argmax(np.abs(taps)) - hop + 1
            self.assert_samples(
                result[delay:], x[: len(x) - delay], f"{channels}, {hop}", 2e-5
            )

    def test_gives_back_exactly(self):
        """Where each arm has one tap, critically sampled; with vectors; any M."""
        for channels in (1, 2, 7, 79, 128):
            analysis, synthesis = np.zeros(4 * channels), np.zeros(4 * channels + 1)
            for arm in range(channels):
                tap = arm + channels * self.random.integers(0, 4)
                weight = self.random.uniform(0.5, 2)
                analysis[tap] = weight
                synthesis[4 * channels - tap] = 1 / weight
            x = self.complex_noise(50 * channels)
            flowgraph = gr.top_block()
            sink = blocks.vector_sink_c()
            flowgraph.connect(
                blocks.vector_source_c(x.tolist()),
                gpufft.pfb_channelizer_ccf(
                    channels, analysis.tolist(), engine=ENGINE, vlen=channels
                ),
                synthesizer(channels, (synthesis / channels).tolist(), vlen=channels),
                sink,
            )
            flowgraph.run()
            result = np.array(sink.data())
            late = 3 * channels + 1
            self.assert_samples(result[late:], x[:-late], f"{channels} channels")

    def test_a_channel_comes_out_at_its_frequency(self):
        for channels, channel in ((79, 3), (79, 76), (16, 8)):
            tone = np.exp(0.2j * np.pi * np.arange(200))
            block = synthesizer(channels)
            block.set_channel_map([channel])
            result, _ = run_streams([tone], block)
            settled = result[100 * channels :]
            turn = settled[1:] / settled[:-1]
            wave = np.exp(2j * np.pi * (channel + 0.1) / channels)
            self.assertTrue(np.allclose(turn, wave, atol=1e-4))
            self.assertTrue(np.allclose(np.abs(settled), 1, atol=1e-4))

    def test_channel_map(self):
        """Fewer inputs than channels; of two for one channel the last one counts."""
        x = self.channels_of(3, 20)
        taps = self.filter_of(21)
        block = synthesizer(7, taps.tolist())
        block.set_channel_map([])
        self.assertEqual(block.channel_map(), [0, 1, 2, 3, 4, 5, 6])
        block.set_channel_map([5, 6, 5])
        self.assertEqual(block.channel_map(), [5, 6, 5, 3, 4, 5, 6])
        all = np.zeros((7, 20), complex)
        all[5], all[6] = x[2], x[1]
        result, _ = run_streams(x, block)
        self.assert_samples(result, expected(all, taps, 7))

    def test_settings_out_of_range(self):
        for words, *settings in (
            (("numchans", "0"), 0),
            (("numchans", "-3"), -3),
        ):
            self.assert_refuses(ValueError, words, synthesizer, *settings)
        for words, settings in (
            (("oversample_rate", "1.5"), {"oversample_rate": 1.5}),
            (("oversample_rate", "2", "twox"), {"oversample_rate": 2, "twox": True}),
            (("atten", "-5"), {"atten": -5}),
            (("vlen", "3"), {"vlen": 3}),
            (("vlen", "4", "8"), {"vlen": 4, "twox": True}),
        ):
            self.assert_refuses(ValueError, words, synthesizer, 4, **settings)
        block = synthesizer(4, [1.0] * 3000)
        self.assert_refuses(ValueError, ("taps", "0"), block.set_taps, [])
        for tap in (np.nan, np.inf):
            words = ("tap 1", str(tap), "finite")
            self.assert_refuses(ValueError, words, block.set_taps, [1, tap])
            self.assert_refuses(ValueError, words, synthesizer, 4, [1, tap])
        self.assert_refuses(ValueError, ("4", "0 ... 3"), block.set_channel_map, [4])
        self.assert_refuses(ValueError, ("5 entries",), block.set_channel_map, [0] * 5)
        block = synthesizer(4, [1.0], vlen=4)
        self.assert_refuses(ValueError, ("vlen=1",), block.set_channel_map, [1])

    def test_default_taps_of_too_many_channels(self):
        """They are refused before hours of design and gigabytes of memory."""
        for channels in (2**23, 2**26):
            words = (f"numchans is {channels}", "1 ... 36323", "100 dB", "give taps")
            block = gpufft.pfb_synthesizer_ccf
            self.assert_refuses(ValueError, words[:1], block, channels, vlen=channels)
            self.assert_refuses(ValueError, words[:1], block.create_taps, channels)

    def test_taps_change_without_a_gap(self):
        """Every row of samples is of the old or of the new filter, which is longer."""
        channels, hop, rows = 20, 15, 3000
        taps = self.filter_of(60)
        more = np.concatenate([-taps, self.filter_of(300)])
        x = self.channels_of(channels, 40)
        stream = np.tile(x, rows // 40)
        block = synthesizer(
            channels, taps.tolist(), oversample_rate=channels / hop, vlen=channels
        )
        result = run_with_change(
            stream.T.ravel(),
            rows // 2 * channels,
            (blocks.stream_to_vector(gr.sizeof_gr_complex, channels), block),
            blocks.vector_sink_c(),
            lambda: block.set_taps(more.tolist()),
            outputs=20 * hop,
        ).reshape(rows, hop)
        old, new = (expected(stream, h, hop).reshape(rows, hop) for h in (taps, more))
        is_old = np.abs(result - old).max(axis=1) < 1e-3
        is_new = np.abs(result - new).max(axis=1) < 1e-3
        self.assert_changes_once(is_old, is_new)

    def test_set_taps_of_any_length(self):
        """More taps than the block's history take effect once enough vectors have arrived,
        and at once in the next run."""
        for channels, hop in ((20, 15), (79, 79)):
            x, at, count = self.channels_of(channels, 2000), 300, 12000
            old, new = self.filter_of(60), self.filter_of(count)
            truth = expected(x, new, hop)
            block = synthesizer(
                channels, old.tolist(), oversample_rate=channels / hop, vlen=channels
            )
            self.assertEqual(block.max_taps(), -(-4096 // hop) * hop)
            to_vectors = blocks.stream_to_vector(gr.sizeof_gr_complex, channels)
            samples = run_with_change(
                x.T.ravel(),
                at * channels,
                [to_vectors, block],
                blocks.vector_sink_c(),
                lambda: block.set_taps(new),
            )
            self.assert_change(
                samples.reshape(-1, hop),
                expected(x, old, hop).reshape(-1, hop),
                truth.reshape(-1, hop),
                at + count // hop + 2,
            )
            self.assertGreaterEqual(block.max_taps(), count)
            self.assert_samples(run_vectors(x, block), truth)

    def test_begins_anew_after_unlock(self):
        """With zeros before the stream, also where it is shorter than the filter."""
        x, taps = self.channels_of(20, 200), self.filter_of(5000)
        block = synthesizer(20, taps.tolist(), oversample_rate=20 / 15, vlen=20)
        to_vectors = blocks.stream_to_vector(gr.sizeof_gr_complex, 20)
        stages = [to_vectors, block]
        result = run_and_unlock(x.T.ravel(), stages, blocks.vector_sink_c(), 200 * 15)
        truth = expected(x, taps, 15)
        self.assert_samples(result, np.concatenate([truth, truth]))

    def test_tags(self):
        """To the first sample of their vector's row."""
        offsets = [0, 5, 39, 40, 99]
        for limit in (None, 3):
            for hop in (4, 3):
                x = self.channels_of(4, 100)
                taps = self.filter_of(20).tolist()
                block = synthesizer(4, taps, oversample_rate=4 / hop)
                tags = [tag(offset) for offset in offsets]
                _, found = run_streams(x, block, tags=tags, limit=limit)
                self.assertEqual(tag_places(found), [(at, at * hop) for at in offsets])

    def test_runs_again(self):
        x = self.channels_of(79, 40)
        taps = self.filter_of(300)
        truth = expected(x, taps, 79)
        block = synthesizer(79, taps.tolist())
        for _ in range(3):
            result, _ = run_streams(x, block)
            self.assert_samples(result, truth)

    def test_engine_block(self):
        block = synthesizer(79, [1.0] * 1264)
        self.assertIn(block.engine(), ("cpu", "cuda"))
        self.assertIn("79", block.describe())
        self.assertEqual(block.error(), "")
        self.assertEqual(block.statistics()["frames"], 0)


if __name__ == "__main__":
    gr_unittest.run(qa_pfb_synthesizer)
