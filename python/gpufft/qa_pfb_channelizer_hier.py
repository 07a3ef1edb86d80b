#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pfb_channelizer_hier_ccf against gr-filter's block of the same parameters."""

import itertools

import numpy as np
import scipy.signal
from gnuradio import gpufft, gr_unittest
from gnuradio.filter import pfb
from pfb_channelizer_support import ChannelizerTestCase, run_streams
from qa_support import ENGINE


class qa_pfb_channelizer_hier(ChannelizerTestCase):
    def compare(self, x, channels, *arguments, ports=None, **keywords):
        """gr-filter's channel c turned by -c / channels, which is ours."""
        stock = pfb.channelizer_hier_ccf(channels, *arguments, **keywords)
        block = gpufft.pfb_channelizer_hier_ccf(
            channels, *arguments, engine=ENGINE, **keywords
        )
        ports = list(range(channels)) if ports is None else ports
        result, expected = (
            run_streams(x, each, len(ports))[0] for each in (block, stock)
        )
        turns = np.exp(-2j * np.pi * np.array(ports) / channels)
        self.assert_channels(result, expected * turns[:, None], f"{channels} {keywords}")
        self.assertGreater(np.linalg.norm(result), 0.1)

    def test_taps(self):
        """Not symmetric, whole and not whole numbers to an arm, and fewer than arms."""
        for channels, taps, banks in itertools.product((1, 3, 8), (2, 24, 25), (1, 2)):
            x = self.complex_noise(channels * 50)
            self.compare(x, channels, banks, self.filter_of(taps).tolist())

    def test_designed_filter(self):
        """Any number of channels, of which gr-filter's design ends the program for some."""
        for channels, settings in (
            (8, {}),
            (67, {}),
            (5, {"atten": 60, "bw": 0.4, "tb": 0.2, "ripple": 0.5}),
            (4, {"atten": 30, "ripple": 0.001}),
            (16, {"atten": 40, "ripple": 3}),
        ):
            block = gpufft.pfb_channelizer_hier_ccf(channels, engine=ENGINE, **settings)
            taps = np.ravel(np.transpose(block.taps()))
            edges = settings.get("bw", 1.0) + np.array([0, settings.get("tb", 0.2)])
            at, response = scipy.signal.freqz(taps, worN=1 << 16, fs=channels)
            decibels = 20 * np.log10(np.abs(response) + 1e-12)
            inside = decibels[at <= edges[0]]
            outside = decibels[at >= edges[1]]
            ripple = settings.get("ripple", 0.1)
            self.assertLessEqual(np.ptp(inside), 1.1 * ripple + 0.001, channels)
            self.assertLessEqual(outside.max(), -settings.get("atten", 100) + 1, channels)

    def test_what_is_refused(self):
        """At once, before anything is designed or padded."""
        make = gpufft.pfb_channelizer_hier_ccf
        for error, words, channels, bad in (
            (ValueError, ["bw is 2.0"], 4, {"bw": 2.0}),
            (ValueError, ["tb is 0"], 4, {"tb": 0}),
            (ValueError, ["ripple is 0"], 4, {"ripple": 0}),
            (ValueError, ["ripple is 100000.0", "at most 100"], 4, {"ripple": 1e5}),
            (ValueError, ["ripple is nan"], 4, {"ripple": np.nan}),
            (ValueError, ["atten is 0"], 4, {"atten": 0}),
            (ValueError, ["tb is 1e-12", "67108865", "give taps"], 4, {"tb": 1e-12}),
            (
                ValueError,
                ["n_chans is 16777216", "give taps"],
                1 << 24,
                {"vlen": 1 << 24},
            ),
            (ValueError, ["n_chans is 2147483648", "134217728"], 1 << 31, {"taps": [1]}),
            (ValueError, ["n_chans is 0", "1 ... 134217728"], 0, {"taps": [1]}),
            (ValueError, ["n_chans is -4", "1 ... 134217728"], -4, {}),
            (ValueError, ["outchans has 0", "1 ... 4"], 4, {"outchans": []}),
            (ValueError, ["outchans has 5", "1 ... 4"], 4, {"outchans": [0] * 5}),
            (TypeError, ["outchans is 3"], 4, {"outchans": 3}),
            (TypeError, ["outchans is 1.0"], 4, {"outchans": [1.0]}),
            (TypeError, ["taps is 'x'"], 4, {"taps": "x"}),
            (TypeError, ["taps is 3"], 4, {"taps": 3}),
            (TypeError, ["atten is 'x'"], 4, {"atten": "x"}),
            (TypeError, ["n_chans is 4.5"], 4.5, {}),
        ):
            self.assert_refuses(error, words, make, channels, engine=ENGINE, **bad)

    def test_output_channels(self):
        x = self.complex_noise(6 * 50)
        for outchans in ([4], [1, 3, 0], [0, 1, 2, 3, 4, 5]):
            taps = self.filter_of(18).tolist()
            self.compare(x, 6, 2, taps, outchans, ports=outchans)

    def test_vectors(self):
        x = self.complex_noise(6 * 50)
        taps = self.filter_of(18).tolist()
        block = gpufft.pfb_channelizer_hier_ccf(6, 1, taps, [1, 3], engine=ENGINE)
        streams, _ = run_streams(x, block, 2)
        self.assertEqual(streams.shape, (2, 50))
        self.assertEqual(block.channel_map(), [1, 3])


if __name__ == "__main__":
    gr_unittest.run(qa_pfb_channelizer_hier)
