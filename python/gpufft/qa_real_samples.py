#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real samples at the input of blocks of complex ones: channels and bins of a real band,
packed samples, tags."""

import unittest

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr
from qa_format_support import (
    FULL_SCALE,
    TYPES,
    FormatsTestCase,
    from_format,
    numbers_of,
    packed_real,
    run,
    to_format,
)
from qa_support import ENGINE


class RealSamples(FormatsTestCase):
    """Blocks of complex samples, from real ones."""

    def test_real_samples_of_banks(self):
        """Real input gives what its samples as complex ones give."""
        x = self.signal(8000).real.copy()
        for given in ("s16", "s8", "f16", "f32"):
            data, read = to_format(x, given)
            exact, _ = to_format(read.astype(np.complex64), "cf32")
            for make in (
                lambda **formats: gpufft.channel_bank_cc(
                    4, np.hanning(77) / 38, [0.1, -0.2], engine=ENGINE, **formats
                ),
                lambda **formats: gpufft.freq_xlating_fft_filter_ccc(
                    5, np.hanning(77) / 38, 0.1, 1.0, engine=ENGINE, **formats
                ),
                lambda **formats: gpufft.pfb_channelizer_ccf(
                    8, engine=ENGINE, vlen=5, outchans=5, **formats
                ),
            ):
                result = run(make(input=given), [data])
                expected = run(make(), [exact])
                for a, b in zip(result, expected):
                    self.assert_close(from_format(a, "cf32"), from_format(b, "cf32"))

    def test_channels_of_a_real_band(self):
        """M / 2 + 1 channels of any M, in streams, vectors and by a map."""
        for channels, rate in ((8, 1), (8, 2), (7, 1), (15, 15 / 9), (1, 1), (2, 1)):
            x = self.signal(2000).real.copy()
            data, read = to_format(x, "s16")
            exact, _ = to_format(read.astype(np.complex64), "cf32")
            taps = np.hanning(5 * channels + 4)
            settings = {"oversample_rate": rate, "engine": ENGINE}
            expected = [
                from_format(stream, "cf32")
                for stream in run(
                    gpufft.pfb_channelizer_ccf(channels, taps, **settings), [exact]
                )
            ]
            settings["input"] = "s16"
            half = channels // 2 + 1
            block = gpufft.pfb_channelizer_ccf(channels, taps, **settings)
            self.assertEqual(list(block.channel_map()), list(range(half)))
            streams = run(block, [data])
            self.assertEqual(len(streams), half)
            for a, b in zip(streams, expected):
                self.assert_close(from_format(a, "cf32"), b)
            block = gpufft.pfb_channelizer_ccf(channels, taps, vlen=half, **settings)
            rows = from_format(run(block, [data])[0], "cf32").reshape(-1, half)
            for a, b in zip(rows.T, expected):
                self.assert_close(a, b)
            block = gpufft.pfb_channelizer_ccf(channels, taps, outchans=1, **settings)
            block.set_channel_map([half - 1])
            top = run(block, [data])[0]
            self.assert_close(from_format(top, "cf32"), expected[half - 1])
            words = [f"channel {half}", f"0 ... {half - 1}"]
            self.assert_refuses(ValueError, words, block.set_channel_map, [half])
        for words, wrong in (
            (["outchans is 6", "0 ... 5"], {"outchans": 6}),
            (["vlen is 8", "5", "real band"], {"vlen": 8}),
        ):
            self.assert_refuses(
                ValueError, words, gpufft.pfb_channelizer_ccf, 8, input="s16", **wrong
            )

    def test_channels_of_packed_real_samples(self):
        """Any hop of whole items, of odd and even M, with taps that fill no item."""
        for channels, hop, given in (
            (8, 8, "s10"),
            (8, 4, "s10"),
            (7, 4, "s10"),
            (15, 8, "s10"),
            (15, 6, "s12"),
            (64, 64, "s12"),
        ):
            x = self.signal(2400).real.copy()
            data, read = packed_real(x, given)
            exact, _ = to_format(read.astype(np.float32), "f32")

            def make(name):
                return gpufft.pfb_channelizer_ccf(
                    channels,
                    np.hanning(5 * channels + 3),
                    channels / hop,
                    engine=ENGINE,
                    input=name,
                )

            block = make(given)
            for a, b in zip(run(block, [data]), run(make("f32"), [exact])):
                a, b = from_format(a, "cf32"), from_format(b, "cf32")
                self.assertEqual(len(a), len(x) // hop)
                self.assert_close(a, b)
            self.assertEqual(block.max_taps() % channels, 0)
        words = ["hop with s10 is 6", "multiple of 4"]
        self.assert_refuses(
            ValueError, words, gpufft.pfb_channelizer_ccf, 6, [1.0], input="s10"
        )

    def test_filters_of_packed_real_samples(self):
        """Sums in double precision, at any decimation of whole items, with any taps."""
        x = 0.4 * np.cos(0.3 * np.arange(6001)) + self.signal(6001).real / 2
        t = np.arange(len(x))
        for given, decimation, taps in (
            ("s10", 4, np.hanning(1)),
            ("s10", 4, np.hanning(78)),
            ("s10", 12, np.hanning(5)),
            ("s12", 2, np.hanning(65)),
            ("s12", 6, np.hanning(1000)),
        ):
            data, read = packed_real(x[: len(x) // 4 * 4], given)
            taps = (taps + 0.1) / len(taps)
            exact = np.convolve(read, taps)[: len(read)]
            with self.subTest(given=given, decimation=decimation, taps=len(taps)):
                block = gpufft.fft_filter_fff(
                    decimation, taps, engine=ENGINE, input=given
                )
                result = from_format(run(block, [data])[0], "f32")
                self.assert_close(result, exact[::decimation])
                self.assertGreaterEqual(block.max_taps(), 4096)
                self.assertIn(f"{len(taps)} taps", block.describe())
                block = gpufft.fft_filter_fff(
                    decimation, taps, engine=ENGINE, input=given, output="s8"
                )
                rounded = from_format(run(block, [data])[0], "s8")
                self.assertLess(np.abs(rounded - exact[::decimation]).max(), 0.51 / 128)
            turn = np.exp(-2j * np.pi * 0.1 * t[: len(read)])
            lowered = np.convolve(read * turn, taps)[: len(read)][::decimation]
            for make in (
                lambda: gpufft.freq_xlating_fft_filter_ccf(
                    decimation, taps, 0.1, 1.0, engine=ENGINE, input=given
                ),
                lambda: gpufft.channel_bank_cc(
                    decimation, taps, [0.1], engine=ENGINE, input=given
                ),
            ):
                with self.subTest(make=make().name(), given=given):
                    result = from_format(run(make(), [data])[0], "cf32")
                    self.assert_close(result, lowered)

    def test_filters_of_packed_real_samples_refuse_parts_of_items(self):
        for call, given, unit in (
            (lambda **how: gpufft.fft_filter_fff(6, [1.0], **how), "s10", 4),
            (lambda **how: gpufft.fft_filter_fff(1, [1.0], **how), "s12", 2),
            (lambda **how: gpufft.channel_bank_cc(3, [1.0], [0.0], **how), "s12", 2),
            (
                lambda **how: gpufft.freq_xlating_fft_filter_ccc(2, [1.0], 0, 1, **how),
                "s10",
                4,
            ),
        ):
            words = ["decimation is", f"multiple of {unit}", given]
            self.assert_refuses(ValueError, words, call, input=given)
        block = gpufft.fft_filter_fff(8, [1.0], engine=ENGINE, input="s10")
        self.assert_refuses(
            ValueError, ["decimation is 9", "multiple of 4"], block.set_decimation, 9
        )
        block.set_decimation(4)
        self.assertEqual(block.decimation(), 4)

    def test_spectra_of_packed_real_samples(self):
        for n, hop, given in (
            (64, 64, "s10"),
            (63, 40, "s10"),
            (60, 34, "s12"),
            (16, 32, "s12"),
        ):
            x = self.signal(20 * 64 + 64).real.copy()
            data, read = packed_real(x, given)
            exact, _ = to_format(read.astype(np.float32), "f32")
            rows = [
                from_format(
                    run(
                        gpufft.power_spectrum_cf(n, hop=hop, engine=ENGINE, input=name),
                        [samples],
                    )[0],
                    "f32",
                )
                for name, samples in ((given, data), ("f32", exact))
            ]
            self.assertEqual(len(rows[0]) % (n // 2 + 1), 0)
            self.assert_close(*rows)

    def test_packed_real_samples_of_tags(self):
        """A tag lies at an item of four samples; rates are those of samples."""
        channelizer = gpufft.pfb_channelizer_ccf(8, engine=ENGINE, input="s10", vlen=5)
        tag = gr.tag_utils.python_to_tag(
            {"offset": 6, "key": pmt.intern("rx_rate"), "value": pmt.from_double(8e6)}
        )
        source = blocks.vector_source_b([0] * 500, vlen=5, tags=[tag])
        sink = blocks.vector_sink_c(5)
        flowgraph = gr.top_block()
        flowgraph.connect(source, channelizer, sink)
        flowgraph.run()
        (found,) = sink.tags()
        self.assertEqual((found.offset, pmt.to_python(found.value)), (3, 1e6))
        filters = gpufft.fft_filter_fff(8, [1.0, 2.0], engine=ENGINE, input="s10")
        source.rewind()
        sink = blocks.vector_sink_f()
        flowgraph = gr.top_block()
        flowgraph.connect(source, filters, sink)
        flowgraph.run()
        (found,) = sink.tags()
        self.assertEqual((found.offset, pmt.to_python(found.value)), (3, 1e6))

    def test_integer_channels_of_a_real_band_saturate_once(self):
        def make(**formats):
            return gpufft.pfb_channelizer_ccf(
                8, np.hanning(33), engine=ENGINE, vlen=5, **formats
            )

        x = self.signal(4000).real.copy()
        for given, come, scale in (
            ("s16", "cs16", 1),
            ("s16", "cs8", 1),
            ("s8", "cs8", 0.02),
        ):
            data, read = to_format(x, given)
            exact, _ = to_format(read.astype(np.float32), "f32")
            row = from_format(run(make(input="f32"), [exact])[0], "cf32")
            wanted = numbers_of(row) * scale
            block = make(input=given, output=come, output_scale=scale)
            step = 1 / FULL_SCALE[TYPES[come]]
            result = numbers_of(from_format(run(block, [data])[0], come))
            limited = np.clip(wanted, -1, 1 - step)
            self.assertTrue(np.abs(result - limited).max() <= 0.51 * step)
            beyond = (wanted < -1 - step / 2) | (wanted >= 1 - step / 2)
            counted, beyond = block.statistics()["saturated"], np.count_nonzero(beyond)
            self.assertLessEqual(abs(counted - beyond), 1e-3 * beyond)
            self.assertEqual(beyond > 0, scale == 1)

    def test_spectra_of_real_samples(self):
        """N/2 + 1 bins by a real transform, in floats and in halves."""
        for n, given in ((64, "s16"), (63, "s8"), (64, "f32"), (60, "f16")):
            x = self.signal(20 * n).real.copy()
            data, read = to_format(x, given)
            frames = read.reshape(-1, n) * np.hanning(n)
            bins = np.fft.rfft(frames, axis=1)
            powers = (np.abs(bins) ** 2).reshape(10, 2, -1).mean(axis=1)
            for output, bound in (("", 1e-6), ("f16", 2.0**-11)):
                block = gpufft.power_spectrum_cf(
                    n,
                    window=np.hanning(n),
                    average=2,
                    scaling="none",
                    engine=ENGINE,
                    input=given,
                    output=output,
                )
                self.assertEqual(block.row_floats(), n // 2 + 1)
                rows = from_format(run(block, [data])[0], output or "f32")
                rows = rows.reshape(-1, n // 2 + 1)
                error = np.abs(rows - powers)
                self.assertTrue(np.all(error <= bound * (powers + powers.max() * 1e-2)))


if __name__ == "__main__":
    unittest.main()
