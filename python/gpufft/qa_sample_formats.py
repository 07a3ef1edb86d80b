#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats of samples at the ports of the blocks: each block with integers or halves gives
what it gives with complex64, to half a step of the format, and counts what saturates."""

import unittest

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr
from qa_support import ENGINE, GpufftTestCase, wait

TYPES = {"cs16": np.int16, "cs8": np.int8, "cf16": np.float16, "cf32": np.float32}
TYPES |= {"s16": np.int16, "s8": np.int8, "f16": np.float16, "f32": np.float32}
FULL_SCALE = {np.int16: 32768, np.int8: 128, np.float16: 1, np.float32: 1}


def numbers_of(x):
    """Real and imaginary parts in turns, or the real numbers."""
    x = np.ascontiguousarray(x)
    return x.view(x.real.dtype).ravel().astype(np.float64)


def values_of(numbers, is_complex):
    return numbers[0::2] + 1j * numbers[1::2] if is_complex else numbers


def to_format(x, name):
    """x rounded to the format, as bytes; and the values that they read."""
    kind = TYPES[name]
    numbers = numbers_of(x) * FULL_SCALE[kind]
    if kind in (np.int16, np.int8):
        info = np.iinfo(kind)
        numbers = np.clip(np.rint(numbers), info.min, info.max)
    stored = numbers.astype(kind)
    values = stored.astype(np.float64) / FULL_SCALE[kind]
    return stored.tobytes(), values_of(values, np.iscomplexobj(x))


def packed(x):
    """x in 12 bits each, the highest first; and the values that they read."""
    numbers = np.clip(np.rint(numbers_of(x) * 2048), -2048, 2047).astype(int)
    re, im = numbers[0::2] & 4095, numbers[1::2] & 4095
    rows = np.stack([re >> 4, (re & 15) << 4 | im >> 8, im & 255], axis=-1)
    return rows.astype(np.uint8).tobytes(), values_of(numbers / 2048, True)


PACKED = {"s10": 10, "s12": 12}


def packed_real(x, name):
    """Real x in 10 or 12 bits each, the highest first; and the values that they read."""
    bits = PACKED[name]
    half = 1 << (bits - 1)
    numbers = np.clip(np.rint(x * half), -half, half - 1).astype(int)
    rows = (numbers[:, None] >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(rows.astype(np.uint8)).tobytes(), numbers / half


def from_format(data, name):
    kind = TYPES[name]
    numbers = np.frombuffer(data, kind).astype(np.float64) / FULL_SCALE[kind]
    return values_of(numbers, name.startswith("c"))


def run(block, inputs):
    """The bytes of every output of a block for the bytes at its inputs."""
    flowgraph = gr.top_block()
    in_bytes = block.input_signature().sizeof_stream_item(0)
    out_bytes = block.output_signature().sizeof_stream_item(0)
    for port, data in enumerate(inputs):
        items = np.frombuffer(data, np.uint8)[: len(data) // in_bytes * in_bytes]
        source = blocks.vector_source_b(items.tolist(), vlen=in_bytes)
        flowgraph.connect(source, (block, port))
    sinks = []
    for port in range(max(block.output_signature().max_streams(), 1)):
        sinks.append(blocks.vector_sink_b(out_bytes))
        flowgraph.connect((block, port), sinks[-1])
    flowgraph.start()
    wait(flowgraph)
    return [bytes(sink.data()) for sink in sinks]


class SampleFormats(GpufftTestCase):
    """Every block that has formats."""

    def signal(self, samples, level=0.2):
        return (level * self.complex_noise(samples)).astype(np.complex64)

    def check(self, make, x, formats, scale=1.0, streams=1, gives=None, counts=True):
        """Outputs with these formats against those from and to complex64 (or float).
        gives: the block's own output, if not as x; counts: how many saturated."""
        own = "cf32" if np.iscomplexobj(x) else "f32"
        gives = gives or own
        given, come = formats
        data, read = packed(x) if given == "cs12" else to_format(x, given or own)
        exact, _ = to_format(read.astype(x.dtype), own)
        expected = [
            from_format(output, gives) * scale
            for output in run(make(), [exact] * streams)
        ]
        block = make(input=given, output=come, output_scale=scale)
        self.assertEqual(block.output_scale(), scale)
        results = run(block, [data] * streams)
        self.assertEqual(len(results), len(expected))
        saturated = 0
        for data, wanted in zip(results, expected):
            result = numbers_of(from_format(data, come or gives))
            wanted = numbers_of(wanted)
            self.assertEqual(len(result), len(wanted))
            self.assertGreater(len(result), 0)
            kind = TYPES[come or gives]
            step = 1 / FULL_SCALE[kind]
            limited, allowed = wanted, 2e-6 * np.abs(wanted).max()
            if kind in (np.int16, np.int8):
                limited = np.clip(wanted, -1, 1 - step)
                allowed += step / 2
                beyond = (wanted < -1 - step / 2) | (wanted >= 1 - step / 2)
                saturated += np.count_nonzero(beyond)
            elif kind is np.float16:
                allowed = allowed + np.abs(wanted) * 2.0**-11
            self.assertTrue(np.all(np.abs(result - limited) <= allowed), (formats, scale))
        if not counts:
            return
        counted = block.statistics()["saturated"]
        self.assertLessEqual(abs(counted - saturated), 1e-3 * saturated + 1)

    def check_formats(self, make, x, scale, streams=1, packed=True):
        for formats in (("cs16", "cs16"), ("cs8", "cs8"), ("", "cs16"), ("cs16", "")):
            with self.subTest(formats=formats):
                self.check(make, x, formats, scale, streams)
        self.check(make, x, ("cf16", "cf16"), scale, streams)
        if packed:
            self.check(make, x, ("cs12", "cs16"), scale, streams)
        self.check(make, x, ("cs16", "cs8"), 40 * scale, streams)  # saturates

    def test_filter(self):
        taps = np.hanning(101) / 50

        def make(**formats):
            return gpufft.fft_filter_ccf(3, taps, engine=ENGINE, **formats)

        self.check_formats(make, self.signal(30000), 1.0)

    def test_real_filter(self):
        def make(**formats):
            return gpufft.fft_filter_fff(2, np.hanning(33) / 16, engine=ENGINE, **formats)

        x = self.signal(9000).real.copy()
        for formats in (("s16", "s16"), ("s8", "s8"), ("f16", "f16"), ("s16", "")):
            self.check(make, x, formats)

    def test_xlating_filter(self):
        def make(**formats):
            return gpufft.freq_xlating_fft_filter_ccc(
                5, np.hanning(77) / 38, 0.1, 1.0, engine=ENGINE, **formats
            )

        self.check_formats(make, self.signal(20000), 1.0)

    def test_bank(self):
        def make(**formats):
            return gpufft.channel_bank_cc(
                4, np.hanning(77) / 38, [0.1, -0.2, 0.4], engine=ENGINE, **formats
            )

        self.check_formats(make, self.signal(20000), 1.0)

    def test_channelizer_to_streams_and_vectors(self):
        for vlen in (1, 8):

            def make(**formats):
                return gpufft.pfb_channelizer_ccf(8, engine=ENGINE, vlen=vlen, **formats)

            self.check_formats(make, self.signal(16000), 2.0)

    def test_channelizer_of_interleaved_items(self):
        """The blocks of interleaved integers have outputs in any format, too."""
        x = self.signal(8000)
        shorts, _ = to_format(x, "cs16")
        rows = []
        for output in ("", "cs16"):
            block = gpufft.pfb_channelizer_scf(5, vlen=5, engine=ENGINE, output=output)
            self.assertEqual(block.input_signature().sizeof_stream_item(0), 2)
            rows.append(from_format(run(block, [shorts])[0], output or "cf32"))
        self.assertTrue(np.abs(rows[0] - rows[1]).max() <= 0.71 / 32768)

    def test_synthesizer_from_streams_and_vectors(self):
        for vlen in (1, 4):

            def make(**formats):
                return gpufft.pfb_synthesizer_ccf(4, engine=ENGINE, vlen=vlen, **formats)

            streams = 4 if vlen == 1 else 1
            self.check_formats(make, self.signal(8000), 0.2, streams, False)

    def test_fft(self):
        for forward in (True, False):
            for vlen in (None, 1):

                def make(**formats):
                    return gpufft.fft_vcc(
                        64, forward, "hann", engine=ENGINE, vlen=vlen, **formats
                    )

                self.check_formats(make, self.signal(64 * 100), 1 / 16)

    def test_zoom_and_matrices(self):
        def zoom(**formats):
            return gpufft.zoom_fft_vcc(
                64, 50, -0.1, 0.3, "hann", engine=ENGINE, vlen=vlen, **formats
            )

        def matrix(**formats):
            return gpufft.fft2d_vcc(8, 12, forward, engine=ENGINE, vlen=vlen, **formats)

        for vlen in (None, 1):
            self.check_formats(zoom, self.signal(64 * 60), 1 / 16)
            for forward in (True, False):
                self.check_formats(matrix, self.signal(96 * 40), 1 / 16)

    def test_half_spectra(self):
        for n in (64, 63):

            def to_bins(**formats):
                return gpufft.rfft_vfc(n, "hann", engine=ENGINE, **formats)

            def to_samples(**formats):
                return gpufft.irfft_vcf(n, engine=ENGINE, **formats)

            x = self.signal(n * 50).real.copy()
            bins = self.signal((n // 2 + 1) * 50)
            for real, of_bins in (
                ("s16", "cs16"),
                ("s8", "cs8"),
                ("f16", "cf16"),
                ("", "cs16"),
                ("s16", ""),
            ):
                with self.subTest(n=n, real=real, of_bins=of_bins):
                    self.check(to_bins, x, (real, of_bins), 1 / 16, gives="cf32")
                    self.check(to_samples, bins, (of_bins, real), 1 / 16, gives="f32")
            saturating = (to_bins, x, ("s16", "cs8"), 8.0)
            self.check(*saturating, gives="cf32", counts=False)

    def test_real_to_real(self):
        for make_one in (gpufft.dct_vff, gpufft.dst_vff):
            for kind in (1, 2, 3, 4):
                for norm in ("none", "ortho"):

                    def make(**formats):
                        return make_one(48, kind, norm=norm, engine=ENGINE, **formats)

                    x = self.signal(48 * 50).real.copy()
                    for formats in (("s16", "s16"), ("s8", "f16"), ("", "s8")):
                        with self.subTest(make=make_one, kind=kind, formats=formats):
                            self.check(make, x, formats, 1 / 32)

    def test_log_powers(self):
        for make_one, formats in (
            (gpufft.logpwrfft_c, ("cs16", "cs8", "cf16", "cs12")),
            (gpufft.logpwrfft_f, ("s16", "s8", "f16")),
        ):

            def make(**formats):
                return make_one(64e3, 64, 2, 500, 0.5, True, engine=ENGINE, **formats)

            x = self.signal(64 * 30)
            own = "cf32"
            if make_one is gpufft.logpwrfft_f:
                x, own = x.real.copy(), "f32"
            for given in formats:
                data, read = packed(x) if given == "cs12" else to_format(x, given)
                exact, _ = to_format(read.astype(x.dtype), own)
                expected = from_format(run(make(), [exact])[0], "f32")
                self.assertEqual(len(expected), 15 * 64)
                self.assertTrue(np.isfinite(expected).all())
                rows = from_format(run(make(input=given), [data])[0], "f32")
                self.assertTrue(np.abs(rows - expected).max() < 1e-3, given)  # dB
                halves = run(make(input=given, output="f16"), [data])[0]
                error = np.abs(from_format(halves, "f16") - expected)
                self.assertTrue(np.all(error <= 1e-3 + np.abs(expected) * 2.0**-11))
        self.assert_refuses(
            ValueError,
            ["input is 's16'"],
            lambda: gpufft.logpwrfft_c(64e3, 64, 2, 500, 0.5, True, input="s16"),
        )

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

    def test_spectra_of_integers_one_item_a_sample(self):
        x = self.signal(64 * 10)
        for given in ("cs16", "cs8", "cf16", "cs12"):
            data, read = packed(x) if given == "cs12" else to_format(x, given)
            exact, _ = to_format(read.astype(np.complex64), "cf32")
            rows = [
                from_format(run(make, [samples])[0], "f32")
                for make, samples in (
                    (gpufft.power_spectrum_cf(64, engine=ENGINE, input=given), data),
                    (gpufft.power_spectrum_cf(64, engine=ENGINE), exact),
                )
            ]
            self.assert_close(*rows)

    def test_scale_changes_while_running(self):
        block = gpufft.fft_filter_ccf(1, [1.0], engine=ENGINE, output="cs16")
        block.set_output_scale(0.25)
        data, _ = to_format(np.full(1000, 0.5, np.complex64), "cf32")
        stored = np.frombuffer(run(block, [data])[0], np.int16)
        self.assertEqual(set(stored[0::2]), {4096})
        self.assertEqual(block.output_scale(), 0.25)
        self.assert_refuses(
            ValueError, ["output_scale", "nan"], block.set_output_scale, np.nan
        )
        self.assertEqual(block.output_scale(), 0.25)

    def test_unknown_formats_are_named(self):
        for call in (
            lambda **formats: gpufft.fft_filter_ccc(1, [1], **formats),
            lambda **formats: gpufft.pfb_channelizer_ccf(4, **formats),
            lambda **formats: gpufft.pfb_synthesizer_ccf(4, **formats),
            lambda **formats: gpufft.fft_vcc(4, True, [], **formats),
            lambda **formats: gpufft.zoom_fft_vcc(4, 4, 0, 1, **formats),
            lambda **formats: gpufft.fft2d_vcc(4, 4, True, **formats),
        ):
            for keyword, name in (
                ("input", "int8"),
                ("output", "int8"),
                ("output", "cs12"),
            ):
                words = [f"{keyword} is '{name}'", "cs8"]
                self.assert_refuses(ValueError, words, call, **{keyword: name})
        for call, name in (
            (lambda **formats: gpufft.fft_filter_ccc(1, [1], **formats), "s16"),
            (lambda **formats: gpufft.fft_filter_fff(1, [1], **formats), "cs16"),
            (lambda **formats: gpufft.fft_filter_fff(4, [1], **formats), "s10"),
            (lambda **formats: gpufft.channel_bank_cc(4, [1], [0], **formats), "s12"),
            (lambda **formats: gpufft.pfb_synthesizer_ccf(4, **formats), "cs12"),
            (lambda **formats: gpufft.rfft_vfc(4, **formats), "cs16"),
            (lambda **formats: gpufft.irfft_vcf(4, **formats), "cs12"),
            (lambda **formats: gpufft.dct_vff(4, **formats), "cs8"),
        ):
            self.assert_refuses(ValueError, [f"input is '{name}'"], call, input=name)
        self.assert_refuses(
            ValueError, ["stored is s16"], gpufft.power_spectrum_cf, 8, output="s16"
        )


if __name__ == "__main__":
    unittest.main()
