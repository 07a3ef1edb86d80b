#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats of samples at the ports of the blocks: each block with integers or halves gives
what it gives with complex64, to half a step of the format, and counts what saturates."""

import unittest

import numpy as np
from gnuradio import gpufft
from qa_format_support import FormatsTestCase, from_format, packed, run, to_format
from qa_support import ENGINE


class SampleFormats(FormatsTestCase):
    """Every block that has formats."""

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
        self.assert_refuses(  # beyond single precision
            ValueError, ["1e+39", "3.40282"], block.set_output_scale, 1e39
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
            (lambda **formats: gpufft.fft_filter_fff(4, [1], **formats), "cs12"),
            (lambda **formats: gpufft.fft_filter_ccf(4, [1], **formats), "s12"),
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
