#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""rx_rate and rx_freq behind blocks that change the sample rate or the centre."""

import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, GpufftTestCase, wait

RATE, CENTER = 2.4e6, 100.3e6
SAMPLES = 6000
TUNED, NEW_CENTER = 3000, 433.9e6  # a later rx_freq alone
TAPS = [0.25] * 4


def radio_tag(offset, key, value):
    made = gr.tag_t()
    made.offset, made.key = offset, pmt.intern(key)
    made.value = value if isinstance(value, pmt.pmt_base) else pmt.from_double(value)
    return made


RECEIVER = (  # the centre comes before the rate, at the same sample
    radio_tag(0, "rx_freq", CENTER),
    radio_tag(0, "rx_rate", RATE),
    radio_tag(TUNED, "rx_freq", NEW_CENTER),
)


def values_of(tags, key):
    """[(offset, value)], in order."""
    found = (tag for tag in tags if pmt.symbol_to_string(tag.key) == key)
    return sorted((tag.offset, pmt.to_python(tag.value)) for tag in found)


class qa_radio_tags(GpufftTestCase):
    def tags_behind(
        self, block, *, ports=1, item=gr.sizeof_gr_complex, tags=RECEIVER, kind="c"
    ):
        """The tags at each output of a block behind a receiver."""
        flowgraph = gr.top_block()
        if kind == "c":
            source = blocks.vector_source_c([0] * SAMPLES, False, 1, list(tags))
            flowgraph.connect(source, block)
        else:
            pairs = blocks.vector_source_s([0] * 2 * SAMPLES, False, 1, list(tags))
            flowgraph.connect(pairs, block)
        sinks = [blocks.tag_debug(item, "", "") for _ in range(ports)]
        for port, sink in enumerate(sinks):
            sink.set_display(False)
            sink.set_save_all(True)
            flowgraph.connect((block, port), sink)
        flowgraph.start()
        wait(flowgraph)
        return [sink.current_tags() for sink in sinks]

    def expect(self, tags, ratio, shift):
        """Rate and centre after a change of the rate by `ratio`."""
        self.assertEqual(len(values_of(tags, "rx_rate")), 1)
        self.assertAlmostEqual(values_of(tags, "rx_rate")[0][1], RATE * ratio, delta=1e-6)
        (first, center), (later, tuned) = values_of(tags, "rx_freq")
        self.assertEqual((first, later), (0, int(TUNED * ratio)))
        self.assertAlmostEqual(center, CENTER + shift, delta=1e-3)
        self.assertAlmostEqual(tuned, NEW_CENTER + shift, delta=1e-3)

    def test_filters(self):
        for decimation in (1, 5):
            block = gpufft.fft_filter_ccf(decimation, TAPS, engine=ENGINE)
            self.expect(self.tags_behind(block)[0], 1 / decimation, 0)
        block = gpufft.freq_xlating_fft_filter_ccc(3, TAPS, -2e5, RATE, engine=ENGINE)
        self.expect(self.tags_behind(block)[0], 1 / 3, -2e5)

    def test_values_that_stay_keep_their_type(self):
        tags = (
            radio_tag(0, "rx_rate", pmt.from_long(2400000)),
            radio_tag(0, "rx_freq", pmt.from_uint64(2**63)),
        )
        for decimation, are_kept in ((1, [True, True]), (5, [False, True])):
            block = gpufft.fft_filter_ccf(decimation, TAPS, engine=ENGINE)
            found = self.tags_behind(block, tags=tags)[0]
            found.sort(key=lambda each: str(each.key), reverse=True)
            values = [each.value for each in found]
            self.assertEqual([pmt.is_integer(values[0]), pmt.is_uint64(values[1])], are_kept)

    def test_channel_bank(self):
        centers = [0, 4e5, -1e6]
        block = gpufft.channel_bank_cc(4, TAPS, centers, RATE, engine=ENGINE)
        for tags, center in zip(self.tags_behind(block, ports=3), centers):
            self.expect(tags, 1 / 4, center)

    def test_channelizer(self):
        """Every stream has its channel's centre, in the order of the map, oversampled."""
        for channels, oversampling, chosen in (
            (6, 1, None),
            (6, 2, None),
            (5, 1, [4, 0, 2]),
        ):
            with self.subTest(
                channels=channels, oversampling=oversampling, chosen=chosen
            ):
                block = gpufft.pfb_channelizer_ccf(
                    channels, [], oversampling, outchans=len(chosen or []), engine=ENGINE
                )
                order = chosen or list(range(channels))[::-1]
                block.set_channel_map(order)
                found = self.tags_behind(block, ports=len(order))
                for tags, channel in zip(found, order):
                    bands = channel if channel <= channels // 2 else channel - channels
                    self.expect(tags, oversampling / channels, bands * RATE / channels)

    def test_vectors_keep_the_centre(self):
        block = gpufft.pfb_channelizer_ccf(6, [], vlen=6, engine=ENGINE)
        self.expect(self.tags_behind(block, item=6 * gr.sizeof_gr_complex)[0], 1 / 6, 0)

    def test_integers(self):
        """Their rate counts samples, not items."""
        block = gpufft.pfb_channelizer_scf(6, [], engine=ENGINE)
        tags = (RECEIVER[0], RECEIVER[1], radio_tag(2 * TUNED, "rx_freq", NEW_CENTER))
        found = self.tags_behind(block, ports=6, tags=tags, kind="s")
        self.expect(found[5], 1 / 6, -RATE / 6)

    def test_channelizer_and_synthesizer(self):
        """The receiver's own again, once."""
        for vlen in (1, 4):
            for oversampling in (1, 2):
                with self.subTest(vlen=vlen, oversampling=oversampling):
                    words = {"vlen": vlen, "engine": ENGINE}
                    apart = gpufft.pfb_channelizer_ccf(4, [], oversampling, **words)
                    together = gpufft.pfb_synthesizer_ccf(
                        4, [], oversample_rate=oversampling, **words
                    )
                    pair = gr.hier_block2(
                        "pair", *[gr.io_signature(1, 1, gr.sizeof_gr_complex)] * 2
                    )
                    pair.connect(pair, apart)
                    for port in range(4 if vlen == 1 else 1):
                        pair.connect((apart, port), (together, port))
                    pair.connect(together, pair)
                    self.expect(self.tags_behind(pair)[0], 1, 0)

    def test_without_a_rate(self):
        """Nobody can tell a channel's centre."""
        block = gpufft.pfb_channelizer_ccf(4, [], engine=ENGINE)
        found = self.tags_behind(block, ports=4, tags=[RECEIVER[0]])
        centers = [values_of(tags, "rx_freq") for tags in found]
        self.assertEqual(centers, [[(0, CENTER)], [], [], []])
        block = gpufft.freq_xlating_fft_filter_ccc(3, TAPS, 1e5, RATE, engine=ENGINE)
        found = self.tags_behind(block, tags=[RECEIVER[0]])[0]
        self.assertEqual(values_of(found, "rx_freq"), [(0, CENTER + 1e5)])

    def test_values_of_integer_types(self):
        """Whatever integer type a source gives them."""
        for make in (pmt.from_long, pmt.from_uint64):
            tags = [
                radio_tag(0, "rx_freq", make(100_300_000)),
                radio_tag(0, "rx_rate", make(2_400_000)),
            ]
            for block, ratio, shift in (
                (gpufft.fft_filter_ccc(4, TAPS, engine=ENGINE), 0.25, 0),
                (
                    gpufft.freq_xlating_fft_filter_ccc(3, TAPS, 1e5, RATE, engine=ENGINE),
                    1 / 3,
                    1e5,
                ),
                (gpufft.channel_bank_cc(3, TAPS, [1e5], RATE, engine=ENGINE), 1 / 3, 1e5),
            ):
                found = self.tags_behind(block, tags=tags)[0]
                ((_, rate),) = values_of(found, "rx_rate")
                self.assertAlmostEqual(rate, RATE * ratio, delta=1e-6)
                self.assertEqual(values_of(found, "rx_freq"), [(0, CENTER + shift)])

    def test_as_upstream(self):
        """Unchanged where asked for; other tags and other values always."""
        odd = (
            radio_tag(0, "rx_rate", pmt.intern("fast")),
            radio_tag(
                0, "rx_freq", pmt.make_tuple(pmt.from_double(1.0), pmt.from_long(2))
            ),
            radio_tag(0, "rx_time", 7.0),
        )
        block = gpufft.pfb_channelizer_ccf(4, [], engine=ENGINE)
        for tags in self.tags_behind(block, ports=4, tags=odd):
            self.assertEqual(values_of(tags, "rx_rate"), [(0, "fast")])
            self.assertEqual(values_of(tags, "rx_freq"), [(0, (1.0, 2))])
            self.assertEqual(values_of(tags, "rx_time"), [(0, 7.0)])
        block = gpufft.pfb_channelizer_ccf(4, [], engine=ENGINE)
        self.assertTrue(block.radio_tags())
        block.set_radio_tags(False)
        self.assertFalse(block.radio_tags())
        for tags in self.tags_behind(block, ports=4):
            self.assertEqual(values_of(tags, "rx_rate"), [(0, RATE)])
            self.assertEqual(
                [value for _, value in values_of(tags, "rx_freq")], [CENTER, NEW_CENTER]
            )


if __name__ == "__main__":
    gr_unittest.run(qa_radio_tags)
