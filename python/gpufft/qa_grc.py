#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GRC files: each block compiles with grcc, in every type, and the result runs."""

import itertools
import pathlib
import tempfile

from gnuradio import gr_unittest
from grc_support import chains, errors_of, flowgraph, opened, run_python
from qa_support import ENGINE, GpufftTestCase


class qa_grc(GpufftTestCase):
    def compile(self, graph):
        """Runs grcc; returns its output and the Python file's path."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        output = graph.compile(folder.name)
        return output, pathlib.Path(folder.name) / "compiled.py"

    def test_every_block_compiles_and_runs(self):
        graph = chains()
        for type, ports in itertools.product(
            ("complex", "float"), ("vectors", "samples")
        ):
            vlen = "n" if ports == "vectors" else "1"
            graph.add(
                "gpufft_fft_vxx",
                type=type,
                fft_size="n",
                ports=ports,
                vlen_in=vlen,
                vlen_out=vlen,
                out="complex",
            )
        for taps in ("window.hann(n)", "window.WIN_HANN", "('kaiser', 8.6)", "[]"):
            graph.add(
                "gpufft_fft_vxx",
                type="complex",
                fft_size="n",
                window=taps,
                forward="False",
                vlen_in="n",
                vlen_out="n",
                out="complex",
            )
        for type in ("complex", "short", "byte"):
            graph.add(
                "gpufft_power_spectrum_xf",
                type=type,
                fft_size="n",
                overlap="0.5",
                scaling="density",
                average="4",
                vlen_out="n",
            )
        for detector, hold in (("max", "max"), ("min", "min"), ("kurtosis", "none")):
            graph.add(
                "gpufft_power_spectrum_xf",
                type="complex",
                fft_size="n",
                average="100",
                detector=detector,
                hold=hold,
                vlen_out="n",
            )
        for type in ("complex", "float"):
            graph.add(
                "gpufft_logpwrfft_x",
                type=type,
                fft_size="n",
                vlen_out="n",
                win="window.hann",
            )
        self.add_bursts(graph)
        self.add_transforms(graph)
        self.add_channelizers(graph)
        self.add_synthesizers(graph)
        self.add_packed(graph)
        for type, io in (("ccc", "complex"), ("ccf", "complex"), ("fff", "float")):
            taps = "[1, 1j]" if type == "ccc" else "firdes.low_pass(1, 10, 1, 1)"
            ends = {"source": io, "out": io}
            graph.add("gpufft_fft_filter_xxx", type=type, taps=taps, decim="3", **ends)
        for type, taps in (("ccc", "[1, 1j]"), ("ccf", "[1, 2]")):
            graph.add(
                "gpufft_freq_xlating_fft_filter_ccc",
                type=type,
                source="complex",
                out="complex",
                taps=taps,
                decim="2",
                center_freq="0.1",
                samp_rate="1",
            )
        bank = {"type": "complex", "out": "complex", "taps": "[1, 1j]", "samp_rate": "9"}
        graph.add("gpufft_channel_bank_cc", centers="[1, -2.5, 3]", **bank)
        for peaks, sizes, floats in (
            ("templates", {}, "10"),
            ("best", {"noncoherent": "3", "hop": "50"}, "5"),
            ("grid", {}, "2 * 3 * 4"),
            ("grid", {"delays": "3"}, "2 * 3 * 3"),
            ("grid", {"fft_size": "10"}, "2 * 3 * 7"),
        ):
            graph.add(
                "gpufft_correlator_bank",
                templates="[[1, -1, 1, 1j], [1, 1, 1, 1]]",
                shifts="[-0.1, 0, 0.1]",
                samp_rate="1",
                peaks=peaks,
                type="complex",
                out="float",
                vlen_out=floats,
                **sizes,
            )
        output, program = self.compile(graph)
        self.assertTrue(program.exists(), output)
        done = run_python(program)
        self.assertEqual(done.returncode, 0, done.stdout)

    def add_bursts(self, graph):
        """Stream -> bursts of 64 samples -> FFT of each -> messages."""
        for size, output in ((0, "complex"), (100, "power"), (32, "db")):
            name = f"bursts{size}"
            graph.append(
                name + "_source",
                "blocks_vector_source_x",
                type="complex",
                repeat="False",
                vector="[1] * 6400",
            )
            graph.append(
                name + "_tagged",
                "blocks_stream_to_tagged_stream",
                type="complex",
                packet_len="n",
                len_tag_key='"len"',
            )
            graph.append(
                name + "_pdu", "pdu_tagged_stream_to_pdu", type="complex", tag="len"
            )
            graph.append(
                name, "gpufft_fft_pdu", engine=ENGINE, fft_size=size, output=output
            )
            graph.append(name + "_sink", "blocks_message_debug")
            graph.connect(name + "_source", name + "_tagged")
            graph.connect(name + "_tagged", name + "_pdu")
            graph.connect(name + "_pdu", name, "pdus", "pdu_in")
            graph.connect(name, name + "_sink", "pdu_out", "store")

    def add_transforms(self, graph):
        """The blocks whose input has one type, with both kinds of ports."""
        for ports in ("vectors", "samples"):

            def ends(vlen_in, vlen_out, **more):
                has_vectors = ports == "vectors"
                return {
                    "vlen_in": vlen_in if has_vectors else "1",
                    "vlen_out": vlen_out if has_vectors else "1",
                    "ports": ports,
                    **more,
                }

            real = ends("n", "n // 2 + 1", type="float", out="complex", fft_size="n")
            graph.add("gpufft_rfft_vfc", **real)
            graph.add("gpufft_rfft_vfc", window="window.hann(n)", **real)
            bins = ends("n // 2 + 1", "n", type="complex", fft_size="n")
            graph.add("gpufft_irfft_vcf", **bins)
            graph.add("gpufft_irfft_vcf", window="[1] * 33", **bins)
            for kind, norm in itertools.product((1, 2, 3, 4), ("none", "ortho")):
                same = ends("n", "n", type="float", size="n", norm=norm)
                graph.add("gpufft_dct_vff", dct_type=kind, **same)
                graph.add("gpufft_dst_vff", dst_type=kind, inverse="True", **same)
            matrix = ends("n", "n", type="complex", out="complex", rows="4", cols="16")
            for taps in ("'hann'", "[1] * 64", "[]"):
                graph.add("gpufft_fft2d_vcc", window=taps, **matrix)
            band = ends("n", "33", type="complex", out="complex", fft_size="n", bins="33")
            graph.add("gpufft_zoom_fft_vcc", f_start="-0.1", f_stop="0.25", **band)
            graph.add("gpufft_zoom_fft_vcc", center_freq="4e3", span="1e3", **band)

    def add_channelizers(self, graph):
        """Streams to the first channels of a map, and vectors."""
        for type in ("complex", "short", "byte"):
            bank = {"type": type, "out": "complex", "nchans": "n", "osr": "n / 48"}
            graph.add("gpufft_pfb_channelizer_ccf", ch_map="[5, 3]", **bank)
            graph.add(
                "gpufft_pfb_channelizer_ccf",
                taps="firdes.low_pass(1, n, 0.4, 0.2)",
                ports="vectors",
                vlen_out="n",
                **bank,
            )
            some = {"outchans": "n // 32", **bank}
            graph.add("gpufft_pfb_channelizer_ccf", ch_map="[63, 0]", **some)
            graph.add("gpufft_pfb_channelizer_ccf", ports="vectors", vlen_out="2", **some)
            graph.add(
                "gpufft_pfb_channelizer_ccf",
                ch_map="[63, 63]",
                ports="vectors",
                vlen_out="2",
                **some,
            )

    def add_packed(self, graph):
        """Packed samples are bytes: complex ones of 12 bits, real ones of 10 and 12."""
        taps = {"taps": "[1, 2]", "decim": "4"}
        for name, items in (("cs12", "3"), ("s12", "3"), ("s10", "5")):
            of_real = name != "cs12"
            ends = {"source": "byte", "vlen_in": items, "in_format": name}
            own = {**ends, "in_format": "cs12"} if name == "s12" else ends
            graph.add(
                "gpufft_fft_filter_xxx",
                type="fff" if of_real else "ccf",
                out="float" if of_real else "complex",
                **taps,
                **own,
            )
            ends |= {"out": "complex"}
            graph.add("gpufft_freq_xlating_fft_filter_ccc", type="ccf", **taps, **ends)
            graph.add(
                "gpufft_channel_bank_cc", type="complex", centers="[0, 1]", **taps, **ends
            )
            bands = "n // 2 + 1" if of_real else "n"
            ends |= {"type": "complex", "vlen_out": bands}
            graph.add("gpufft_pfb_channelizer_ccf", nchans="n", ports="vectors", **ends)
            ends["out"] = "float"
            graph.add("gpufft_power_spectrum_xf", fft_size="n", **ends)

    def add_synthesizers(self, graph):
        """Streams to some channels, and vectors."""
        bank = {"type": "complex", "out": "complex"}
        graph.add(
            "gpufft_pfb_synthesizer_ccf",
            numchans="n",
            ch_map="[5]",
            connections=1,
            **bank,
        )
        graph.add(
            "gpufft_pfb_synthesizer_ccf",
            numchans="n // 2",
            twox="True",
            taps="firdes.low_pass(n, n, 0.4, 0.2)",
            ports="vectors",
            vlen_in="n",
            **bank,
        )

    def test_bad_parameters_are_told_in_plain_words(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        ccc = {"type": "ccc", "taps": "[1]"}
        for kind, parameters, words in [
            ("gpufft_fft_vxx", {"fft_size": 0}, "FFT Size must be 1"),
            ("gpufft_fft_vxx", {"fft_size": 8, "window": "[1.0] * 3"}, "FFT Size taps"),
            ("gpufft_fft_vxx", {"fft_size": 8, "nthreads": 0}, "Num. Threads must be"),
            ("gpufft_power_spectrum_xf", {"fft_size": 8, "hop": 0}, "Hop must be"),
            ("gpufft_power_spectrum_xf", {"overlap": 1}, "Overlap must be"),
            ("gpufft_power_spectrum_xf", {"overlap": 0.5, "hop": 8}, "Hop or Overlap"),
            ("gpufft_power_spectrum_xf", {"fft_size": 8, "alpha": 2}, "Alpha must be"),
            ("gpufft_power_spectrum_xf", {"detector": "median"}, "Detector must be"),
            ("gpufft_power_spectrum_xf", {"mode": "watt"}, "Output Unit must be"),
            ("gpufft_fft_pdu", {"output": "phase"}, "Output Type must be"),
            ("gpufft_dct_vff", {"dct_type": 5}, "Type must be 1 ... 4"),
            (
                "gpufft_power_spectrum_xf",
                {"fft_size": 8, "average": 1, "detector": "kurtosis"},
                "Average of at least 2",
            ),
            (
                "gpufft_logpwrfft_x",
                {"fft_size": 8, "frame_rate": 0},
                "Frame Rate must be",
            ),
            ("gpufft_spectrum_sink", {"fft_size": 15}, "FFT Size must be 16"),
            ("gpufft_spectrum_sink", {"samp_rate": 0}, "Sample Rate must be"),
            ("gpufft_spectrum_sink", {"overlap": 1}, "Overlap must be"),
            ("gpufft_spectrum_sink", {"fft_size": 64, "hop": 65}, "Hop must be"),
            ("gpufft_spectrum_sink", {"overlap": 0.5, "hop": 8}, "Hop or Overlap"),
            ("gpufft_spectrum_sink", {"average": 0}, "Frames a Row must be"),
            ("gpufft_spectrum_sink", {"average": "8 / 2"}, "Frames a Row must be"),
            ("gpufft_spectrum_sink", {"hop": "8 / 2"}, "Hop must be"),
            ("gpufft_spectrum_sink", {"levels": "(0, -1)"}, "Levels must be"),
            ("gpufft_spectrum_sink", {"window": "[1.0]"}, "Window must be"),
            ("gpufft_fft_pdu", {"fft_size": -1}, "FFT Size must be 0"),
            ("gpufft_rfft_vfc", {"fft_size": 0}, "FFT Size must be 1"),
            ("gpufft_rfft_vfc", {"fft_size": 8, "window": "[1] * 5"}, "FFT Size taps"),
            (
                "gpufft_irfft_vcf",
                {"fft_size": 8, "window": "[1] * 8"},
                "// 2 + 1 numbers",
            ),
            ("gpufft_dct_vff", {"size": 1, "dct_type": 1}, "at least 2 for type 1"),
            ("gpufft_dst_vff", {"size": 0}, "Size must be 1"),
            ("gpufft_fft2d_vcc", {"rows": 0}, "Rows and Columns must be"),
            ("gpufft_zoom_fft_vcc", {"bins": 0}, "FFT Size and Bins must be"),
            ("gpufft_zoom_fft_vcc", {"f_start": 0, "f_stop": 1.5}, "Stop Frequency must"),
            ("gpufft_zoom_fft_vcc", {"f_stop": 0.5}, "must both be None"),
            ("gpufft_zoom_fft_vcc", {"span": "samp_rate * 2"}, "Span must be at most"),
            ("gpufft_zoom_fft_vcc", {"samp_rate": 0}, "Sample Rate must be"),
            ("gpufft_correlator_bank", {"templates": "[[1], []]"}, "Templates must be"),
            ("gpufft_correlator_bank", {"shifts": "[]"}, "Frequency Shifts must be"),
            ("gpufft_correlator_bank", {"fft_size": 3}, "FFT Size must be"),
            ("gpufft_correlator_bank", {"delays": 0}, "Delays must be"),
            ("gpufft_correlator_bank", {"coherent": 0}, "Coherent Periods and"),
            ("gpufft_fft_filter_xxx", {**ccc, "decim": 0}, "Decimation must be"),
            ("gpufft_fft_filter_xxx", {**ccc, "taps": "[]"}, "Taps must be"),
            ("gpufft_fft_filter_xxx", {**ccc, "in_format": "s10"}, "must not be packed"),
            (
                "gpufft_fft_filter_xxx",
                {"type": "fff", "taps": "[1]", "decim": 3, "in_format": "cs12"},
                "Decimation must be a multiple of 2 with packed",
            ),
            (
                "gpufft_channel_bank_cc",
                {"taps": "[1]", "decim": 6, "in_format": "s10"},
                "Decimation must be a multiple of 2 with packed",
            ),
            (
                "gpufft_freq_xlating_fft_filter_ccc",
                {**ccc, "decim": 1, "in_format": "s12"},
                "Decimation must be a multiple of 2 with packed",
            ),
            (
                "gpufft_pfb_channelizer_ccf",
                {"nchans": 6, "in_format": "s10"},
                "Oversampling Ratio must be a multiple of 2 with packed",
            ),
            (
                "gpufft_power_spectrum_xf",
                {"fft_size": 8, "hop": 3, "in_format": "s12"},
                "Hop must be a multiple of 2 with packed",
            ),
            (
                "gpufft_freq_xlating_fft_filter_ccc",
                {**ccc, "samp_rate": 0},
                "Sample Rate must be",
            ),
            (
                "gpufft_channel_bank_cc",
                {"taps": "[1]", "samp_rate": 1, "centers": "[0, 0.6]"},
                "Center Frequencies must be at most",
            ),
            ("gpufft_pfb_channelizer_ccf", {"nchans": 0}, "Channels must be"),
            ("gpufft_pfb_channelizer_ccf", {"nchans": 2**27}, "Streams must be at most"),
            (
                "gpufft_pfb_channelizer_hier_ccf",
                {"nchans": 2**27},
                "must be at most 2**16",
            ),
            ("gpufft_pfb_channelizer_hier_ccf", {"atten": 19}, "Attenuation must be"),
            ("gpufft_pfb_channelizer_hier_ccf", {"ripple": 101}, "Passband Ripple at"),
            ("gpufft_pfb_channelizer_hier_ccf", {"nchans": 2}, "together be at most"),
            ("gpufft_power_spectrum_xf", {"hop": "samp_rate / 4"}, "Hop must be"),
            ("gpufft_power_spectrum_xf", {"density_bins": "8 / 2"}, "Density Bins must"),
            ("gpufft_correlator_bank", {"fft_size": "n / 1"}, "FFT Size must be"),
            ("gpufft_correlator_bank", {"delays": "n / 2"}, "Delays must be"),
            ("gpufft_correlator_bank", {"hop": "n / 2"}, "Hop must be"),
            ("gpufft_pfb_channelizer_ccf", {"nchans": 7, "osr": 2}, "Ratio must be"),
            ("gpufft_pfb_channelizer_ccf", {"nchans": 2, "ch_map": "[2]"}, "Channel Map"),
            (
                "gpufft_pfb_channelizer_ccf",
                {"nchans": 2, "outchans": 3},
                "Channels Out must be",
            ),
            (
                "gpufft_pfb_channelizer_ccf",
                {"nchans": 2, "outchans": 2, "ch_map": "[1]"},
                "Channel Map must have as many",
            ),
            ("gpufft_pfb_synthesizer_ccf", {"numchans": 0}, "Channels must be"),
            (
                "gpufft_pfb_synthesizer_ccf",
                {"numchans": 2**26, "connections": 2**26},
                "Streams are for at most",
            ),
            ("gpufft_array_block", {"num_inputs": 2**30}, "Num. Inputs and Num."),
            ("gpufft_pfb_synthesizer_ccf", {"numchans": 7, "osr": 2}, "Ratio must be"),
            ("gpufft_pfb_synthesizer_ccf", {"ch_map": "[2]"}, "Channel Map"),
            ("gpufft_pfb_synthesizer_ccf", {"connections": 3}, "Connections must"),
            ("gpufft_fft2d_vcc", {"rows": 4, "cols": 2, "window": "[1]"}, "Columns taps"),
            (
                "gpufft_zoom_fft_vcc",
                {"f_start": "1e300", "f_stop": 0},
                "Start Frequency must be",
            ),
            (
                "gpufft_freq_xlating_fft_filter_ccc",
                {**ccc, "samp_rate": "1e-308", "center_freq": "1e308"},
                "Center Frequency must be",
            ),
        ]:
            graph = flowgraph()
            graph.append("block", kind, **{"type": "complex", **parameters})
            texts = [text for _, text in errors_of(opened(graph.write(folder.name)))]
            self.assertTrue(any(words in text for text in texts), texts)


if __name__ == "__main__":
    gr_unittest.run(qa_grc)
