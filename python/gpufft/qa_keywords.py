#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls with wrong arguments: one line names the parameter and the nearest right one; and
other names of parameters, which are taken."""

import inspect

import numpy as np
from gnuradio import gpufft, gr_unittest
from gnuradio.gpufft import keywords
from qa_support import ENGINE, GpufftTestCase

# A call of each block, by keyword.
CALLS = {
    "fft_vcc": {"fft_size": 8, "forward": True, "window": []},
    "fft_vfc": {"fft_size": 8, "forward": True, "window": []},
    "fft_vcc_fwd": {"fft_size": 8, "window": []},
    "fft_vcc_rev": {"fft_size": 8, "window": []},
    "fft_vfc_fwd": {"fft_size": 8, "window": []},
    "fft_vfc_rev": {"fft_size": 8, "window": []},
    "power_spectrum_cf": {"fft_size": 8},
    "power_spectrum_sf": {"fft_size": 8},
    "power_spectrum_bf": {"fft_size": 8},
    "logpwrfft_c": {
        "sample_rate": 32000,
        "fft_size": 8,
        "ref_scale": 2,
        "frame_rate": 30,
        "avg_alpha": 1,
        "average": False,
    },
    "rfft_vfc": {"fft_size": 8},
    "irfft_vcf": {"fft_size": 8},
    "dct_vff": {"size": 8},
    "dst_vff": {"size": 8},
    "fft2d_vcc": {"rows": 2, "cols": 4, "forward": True},
    "fft_pdu": {},
    "zoom_fft_vcc": {"fft_size": 8, "bins": 4, "f_start": 0, "f_stop": 0.1},
    "fft_filter_ccc": {"decimation": 1, "taps": [1j]},
    "fft_filter_ccf": {"decimation": 1, "taps": [1]},
    "fft_filter_fff": {"decimation": 1, "taps": [1]},
    "freq_xlating_fft_filter_ccc": {
        "decim": 1,
        "taps": [1j],
        "center_freq": 0,
        "samp_rate": 1,
    },
    "freq_xlating_fft_filter_ccf": {
        "decim": 1,
        "taps": [1],
        "center_freq": 0,
        "samp_rate": 1,
    },
    "correlator_bank": {"templates": [[1, 1j]]},
    "channel_bank_cc": {"decimation": 1, "taps": [1], "centers": [0]},
    "pfb_channelizer_ccf": {"numchans": 4},
    "pfb_channelizer_scf": {"numchans": 4},
    "pfb_channelizer_bcf": {"numchans": 4},
    "pfb_channelizer_hier_ccf": {"n_chans": 4},
    "pfb_synthesizer_ccf": {"numchans": 4},
    "array_block": {"function": abs},
    "kernel_block": {"source": "2 * x"},
}
CALLS["logpwrfft_f"] = CALLS["logpwrfft_c"]
FUNCTIONS = [
    name + ending
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "idct", "dst")
    for ending in ("", "n")
]


def make(name, **more):
    return getattr(gpufft, name)(**{**CALLS[name], "engine": ENGINE, **more})


def parameters_of(name):
    """Those of a block's constructor, or of a function."""
    thing = getattr(gpufft, name)
    constructor = thing.__init__ if inspect.isclass(thing) else thing
    listed = keywords.signature_of(constructor).parameters.values()
    return [parameter for parameter in listed if parameter.name != "self"]


class qa_keywords(GpufftTestCase):
    def told(self, call, *arguments, **named):
        """The error of a call, which is a line and no more."""
        with self.assertRaises(TypeError) as caught:
            call(*arguments, **named)
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        self.assertNotIn("incompatible", text)
        return text

    def test_every_block_is_here(self):
        blocks = {
            name
            for name in gpufft.__all__
            if hasattr(getattr(gpufft, name), "to_basic_block")
        }
        factories = {"fft_vcc", "fft_vfc", "pfb_channelizer_hier_ccf"}
        self.assertEqual(blocks | factories, {*CALLS, "spectrum_view"})
        for name in CALLS:
            make(name)

    def test_misspelt_keywords(self):
        for name in CALLS:
            for parameter in parameters_of(name):
                wrong = parameter.name[:2] + parameter.name[3:] + "s"
                with self.subTest(block=name, keyword=wrong):
                    text = self.told(make, name, **{wrong: 1})
                    self.assertTrue(text.startswith(f"{name}() has no"), text)
                    self.assertIn(f"'{wrong}'; did you mean '{parameter.name}'?", text)

    def test_keywords_far_from_all(self):
        for name in CALLS:
            text = self.told(make, name, xyzzy=1)
            self.assertIn("'xyzzy'; it has ", text)
            for parameter in parameters_of(name):
                self.assertIn(parameter.name, text)

    def test_values_of_a_wrong_type(self):
        for name in CALLS:
            for parameter in parameters_of(name):
                if parameter.name in (
                    "win",
                    "n_filterbanks",
                ):  # anything is taken, or none
                    continue
                if name in ("fft_vcc", "fft_vfc") and parameter.name == "forward":
                    continue  # anything has a truth
                with self.subTest(block=name, parameter=parameter.name):
                    wrong = {parameter.name: object()}
                    if parameter.name in ("center_freq", "span") and "zoom" in name:
                        wrong = {**wrong, "f_start": None, "f_stop": None}
                    with self.assertRaises(TypeError) as caught:
                        make(name, **wrong)
                    self.assertNotIn("\n", str(caught.exception))
                    if name != "pfb_channelizer_hier_ccf":  # some meet Python first
                        self.assertIn(parameter.name, str(caught.exception))

    def test_values_and_what_they_must_be(self):
        power = gpufft.power_spectrum_cf
        for call, words in [
            (
                lambda: power(1024, hop=1024 / 2),
                "hop is 512.0, but must be an int or None",
            ),
            (lambda: power("1024"), "fft_size is '1024', but must be an int"),
            (lambda: power(64, mode=3), "mode is 3, but must be a str"),
            (lambda: power(64, alpha="1"), "alpha is '1', but must be a float"),
            (lambda: power(64, shift="yes"), "shift is 'yes', but must be True or False"),
            (lambda: power(2**70), f"fft_size is {2**70}, which is out of range"),
            (lambda: power(8, nthreads=2**40), "nthreads is 1099511627776, which is out"),
            (lambda: power(), "missing a required argument: 'fft_size'"),
            (lambda: power(8, fft_size=8), "multiple values for argument 'fft_size'"),
            (lambda: gpufft.rfft_vfc(8, [], 1, 2, 3), "too many positional arguments"),
            (
                lambda: gpufft.fft_filter_ccf(1, ["a"]),
                "taps is ['a'], but must be a list",
            ),
            (lambda: gpufft.fft_filter_ccf(1, 0.5), "taps is 0.5, but must be a list"),
            (
                lambda: gpufft.fft_filter_ccf(1, b"ab"),
                "taps is b'ab', but must be a list",
            ),
            (
                lambda: gpufft.fft_filter_ccf(1, np.array(1.0)),
                "taps is array(1.), but must be a list",
            ),
            (
                lambda: gpufft.correlator_bank(np.float32(2)),
                "templates is 2.0, but must be a list",
            ),
            (
                lambda: gpufft.rfft_vfc(np.array(["a"])),
                "fft_size is array(['a'], dtype='<U1'), but must be an int",
            ),
            (
                lambda: power(8, alpha=np.array([])),
                "alpha is array([], dtype=float64), but must be a float",
            ),
            (lambda: power(memoryview(b"8")), "fft_size is <memory at "),
            (lambda: power(8, alpha=bytearray(b"1")), "alpha is bytearray(b'1'), but"),
            (
                lambda: power(8, shift=np.array([0, 1])),
                "shift is array([0, 1]), but must be True or False",
            ),
            (lambda: power(8, mode="\ud800"), "mode is '\\ud800', but must be a str"),
            (
                lambda: make("pfb_channelizer_ccf").set_channel_map(np.ma.masked_all(1, int)),
                "map is masked_array(data=[--], mask=[ True],",
            ),
        ]:
            self.assertIn(words, self.told(call))

    def test_long_values_are_cut(self):
        """Also where Python lets their type pass, and in the middle of other letters."""
        plane, long = np.ones((40, 40)), 500 * "\u00e9"
        wave = np.exp(1j * np.arange(500)).tolist()
        problem = gpufft.problem
        for call in (
            lambda: make("fft_vcc", window=wave),
            lambda: make("fft_vcc", window=plane),
            lambda: make("power_spectrum_cf", window=("kaiser", wave)),
            lambda: make("power_spectrum_cf", device=plane),
            lambda: problem(lengths=plane),
            lambda: problem(lengths=8, average=plane),
            lambda: problem(lengths=8, hop=long),
            lambda: gpufft.fft(wave, axis=plane),
            lambda: gpufft.dct(wave[:1], orthogonalize=wave),
            lambda: gpufft.array_block(abs, plane),
            lambda: gpufft.array_block(abs, decimation=long),
            lambda: gpufft.kernel_block("a * x", parameters={"a": plane}),
            lambda: gpufft.kernel_block("x", parameters=wave),
            lambda: gpufft.array_block(plane),
            lambda: gpufft.array_block(abs, library=plane),
            lambda: gpufft.kernel_block(plane),
            lambda: gpufft.kernel_block("x", name=plane),
            lambda: gpufft.kernel_block("x", cpu=plane),
            lambda: make("pfb_channelizer_hier_ccf", n_chans=plane),
            lambda: make("pfb_channelizer_hier_ccf", outchans=[plane]),
            lambda: make("pfb_channelizer_hier_ccf", taps=long),
            lambda: make("pfb_channelizer_hier_ccf", bw=plane),
        ):
            self.assertLess(len(self.told(call)), 250)
        with self.assertRaises(ValueError) as caught:
            gpufft.fftn(wave, axes=plane)  # as SciPy's
        self.assertLess(len(str(caught.exception)), 250)

    def test_setters(self):
        block = make("power_spectrum_cf")
        for call, named, words in [
            (block.set_average, {"avrage": 3}, "'avrage'; did you mean 'average'?"),
            (block.set_average, {"average": 3.5}, "set_average(): average is 3.5"),
            (
                block.set_hop,
                {"hop": 0.5},
                "set_hop(): hop is 0.5, but must be an int or None",
            ),
            (block.set_overlap, {"overlap": "1/2"}, "overlap is '1/2'"),
            (
                make("channel_bank_cc").declare_sample_delay,
                {"delay": 2**40},
                "delay is 1099511627776, which is out of range",
            ),
            (block.set_density_span, {"first": 3}, "did you mean 'first_bin'?"),
        ]:
            self.assertIn(words, self.told(call, **named))
        taps = gpufft.pfb_channelizer_ccf.create_taps
        self.assertIn("'atten'?", self.told(taps, 4, attenuation=60))
        self.assertEqual(len(taps(4, atten=60)), len(taps(4, 60)))

    def test_plans_and_problems(self):
        for call in (gpufft.plan, gpufft.problem):
            for named, words in [
                (
                    {"lengths": 8, "bacth": 2},
                    '"bacth" of a problem; did you mean "batch"?',
                ),
                ({"lenghts": 8}, 'did you mean "lengths"?'),
                ({"lengths": 8, "xyzzy": 2}, 'no keyword "xyzzy"'),
            ]:
                self.assertIn(words, self.told(call, **named))
        told = self.told(gpufft.plan, lengths=8, enginee="cpu")
        self.assertIn('did you mean "engine"?', told)
        told = self.told(gpufft.plan, "c2c_forward_n8_b1", thread=2)
        self.assertIn("plan() has no parameter 'thread'; did you mean 'threads'?", told)
        self.assertIn("problem is 8", self.told(gpufft.plan, 8))
        for named, words in [
            ({"threads": "2"}, "plan(): threads is '2', but must be an int"),
            ({"device": 0.5}, "plan(): device is 0.5, but must be an int or a list"),
            ({"device_memory": -1}, "plan(): device_memory is -1, but must be 0 or more"),
        ]:
            for arguments, more in ((["c2c_forward_n8"], {}), ([], {"lengths": 8})):
                self.assertEqual(
                    self.told(gpufft.plan, *arguments, **more, **named)[: len(words)],
                    words,
                )

    def test_functions_and_methods(self):
        plan = gpufft.plan("c2c_forward_n8", engine="cpu")
        for call, arguments, words in [
            (gpufft.set_plan_cache_size, [-1], "plans is -1, but must be 0 or more"),
            (gpufft.set_plan_cache_size, [2**64], "which is out of range"),
            (gpufft.window_taps, ["hann", 2.5], "n is 2.5, but must be an int"),
            (gpufft.window_taps, ["hann"], "missing a required argument: 'n'"),
            (gpufft.to_device, [[1]], "values is [1], but must be a numpy array"),
            (gpufft.tune, [1], "problem is 1, but must be a str"),
            (plan.set_hop, [np.int64(-1)], "samples is -1, but must be 0 or more"),
            (plan.execute, [np.ones(8), None, -1], "stream is -1, but must be 0 or"),
            (plan.execute, [], "missing a required argument: 'input'"),
            (plan.describe, [1], "too many positional arguments"),
        ]:
            self.assertIn(words, self.told(call, *arguments))

    def test_functions_of_scipy(self):
        x = np.ones(8)
        for name in FUNCTIONS:
            call = getattr(gpufft, name)
            wrong = "axis" if name.endswith("n") else "axes"
            right = "axes" if name.endswith("n") else "axis"
            told = self.told(call, x, **{wrong: 0})
            self.assertEqual(
                told, f"{name}() has no parameter '{wrong}'; did you mean '{right}'?"
            )

    def test_errors_of_others_are_left_alone(self):
        def window(n):
            raise TypeError("not\nours")

        with self.assertRaisesRegex(TypeError, "^not\nours$"):
            make("logpwrfft_c", win=window)

    def test_other_names(self):
        hann = "hann"
        for ours, theirs in [
            (("power_spectrum_cf", {"samp_rate": 5}), {"sample_rate": 5}),
            (("power_spectrum_cf", {"window": hann}), {"win": hann}),
            (("fft_filter_ccf", {"decimation": 3}), {"decim": 3}),
            (("channel_bank_cc", {"samp_rate": 5}), {"sample_rate": 5}),
            (("freq_xlating_fft_filter_ccf", {"samp_rate": 5}), {"sampling_freq": 5}),
        ]:
            name, right = ours
            values = {**CALLS[name], **right, "engine": "cpu"}
            other = {k: v for k, v in values.items() if k not in right} | theirs
            blocks = [getattr(gpufft, name)(**each) for each in (values, other)]
            for getter in right:
                if hasattr(blocks[0], getter):
                    self.assertEqual(*(getattr(block, getter)() for block in blocks))
            self.assertEqual(*(block.describe() for block in blocks))
        levels = dict(CALLS["logpwrfft_c"], window=hann, engine="cpu")
        levels["samp_rate"] = levels.pop("sample_rate")
        self.assertEqual(gpufft.logpwrfft_c(**levels).sample_rate(), 32000)
        told = self.told(make, "power_spectrum_cf", samp_rate=1, sample_rate=1)
        self.assertIn("samp_rate are one parameter", told)
        channelizer = make("pfb_channelizer_ccf")
        channelizer.set_channel_map(newmap=[1, 0])
        channelizer.set_nthreads(nthreads=3)
        self.assertEqual((channelizer.channel_map()[:2], channelizer.nthreads()), ([1, 0], 3))
        told = self.told(channelizer.set_taps, newmap=[1])
        self.assertIn("set_taps() has no parameter 'newmap'", told)

    def test_older_methods(self):
        block = make("power_spectrum_cf", scaling="density")
        block.set_sample_rate(4.0)
        self.assertEqual((block.samp_rate(), block.sample_rate()), (4.0, 4.0))
        block.set_samp_rate(5.0)
        self.assertEqual((block.samp_rate(), block.sample_rate()), (5.0, 5.0))


if __name__ == "__main__":
    gr_unittest.run(qa_keywords)
