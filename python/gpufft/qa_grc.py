#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The GRC files: each block compiles with grcc, in every type, and the result runs."""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml
from gnuradio import gpufft, gr_unittest
from qa_support import ENGINE, GpufftTestCase

GRC_FOLDER = pathlib.Path(os.environ["GRC_BLOCKS_PATH"])
CLASSES = {
    "gpufft_fft_vxx": gpufft.fft_vcc_fwd,
    "gpufft_power_spectrum_xf": gpufft.power_spectrum_cf,
    "gpufft_logpwrfft_x": gpufft.logpwrfft_c,
    "gpufft_rfft_vfc": gpufft.rfft_vfc,
    "gpufft_irfft_vcf": gpufft.irfft_vcf,
    "gpufft_dct_vff": gpufft.dct_vff,
    "gpufft_dst_vff": gpufft.dst_vff,
    "gpufft_fft2d_vcc": gpufft.fft2d_vcc,
    "gpufft_fft_pdu": gpufft.fft_pdu,
    "gpufft_zoom_fft_vcc": gpufft.zoom_fft_vcc,
    "gpufft_fft_filter_xxx": gpufft.fft_filter_ccc,
    "gpufft_freq_xlating_fft_filter_xxx": gpufft.freq_xlating_fft_filter_ccf,
    "gpufft_channel_bank_cc": gpufft.channel_bank_cc,
    "gpufft_pfb_channelizer_xcf": gpufft.pfb_channelizer_ccf,
    "gpufft_pfb_synthesizer_ccf": gpufft.pfb_synthesizer_ccf,
}


def block(name, kind, **parameters):
    return {
        "name": name,
        "id": kind,
        "parameters": {k: str(v) for k, v in parameters.items()},
        "states": {"state": "enabled"},
    }


class flowgraph:
    """A .grc file: source -> block under test -> sink, for several blocks."""

    def __init__(self):
        self.blocks = [
            block("samp_rate", "variable", value="32000"),
            block("n", "variable", value="64"),
        ]
        self.connections = []

    def add(
        self,
        kind,
        *,
        type,
        source="",
        vlen_in="1",
        vlen_out="1",
        out="float",
        **parameters,
    ):
        """`source`: its type where that is not the block's."""
        name = f"block{len(self.blocks)}"
        self.blocks += [
            block(
                name + "_source",
                "blocks_vector_source_x",
                type=source or type,
                repeat="False",
                vector="[1] * 6336",  # 99 vectors of 64, 192 of 33
                vlen=vlen_in,
            ),
            block(name, kind, type=type, engine=ENGINE, **parameters),
            block(name + "_sink", "blocks_null_sink", type=out, vlen=vlen_out),
        ]
        self.connections += [
            [name + "_source", "0", name, "0"],
            [name, "0", name + "_sink", "0"],
        ]

    def text(self):
        options = {
            "id": "compiled",
            "generate_options": "no_gui",
            "run_options": "run",
            "output_language": "python",
            "title": "QA",
        }
        return yaml.safe_dump(
            {
                "options": {"parameters": options, "states": {"state": "enabled"}},
                "blocks": self.blocks,
                "connections": self.connections,
                "metadata": {"file_format": 1},
            }
        )


class qa_grc(GpufftTestCase):
    def compile(self, graph):
        """Runs grcc; returns its output and the Python file's path."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = pathlib.Path(folder.name) / "graph.grc"
        source.write_text(graph.text())
        done = subprocess.run(
            ["grcc", "-o", folder.name, str(source)],
            timeout=120,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.stdout, pathlib.Path(folder.name) / "compiled.py"

    def test_every_block_compiles_and_runs(self):
        graph = flowgraph()
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
                hop="n // 2",
                scaling="density",
                average="4",
                vlen_out="n",
            )
        for detector, hold in (("max", "max"), ("min", "min"), ("kurtosis", "none")):
            graph.add(
                "gpufft_power_spectrum_xf",
                type="complex",
                fft_size="n",
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
        for type, io in (("ccc", "complex"), ("ccf", "complex"), ("fff", "float")):
            taps = "[1, 1j]" if type == "ccc" else "firdes.low_pass(1, 10, 1, 1)"
            ends = {"source": io, "out": io}
            graph.add("gpufft_fft_filter_xxx", type=type, taps=taps, decim="3", **ends)
        for type, taps in (("ccc", "[1, 1j]"), ("ccf", "[1, 2]")):
            graph.add(
                "gpufft_freq_xlating_fft_filter_xxx",
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
        output, program = self.compile(graph)
        self.assertTrue(program.exists(), output)
        done = subprocess.run(
            [sys.executable, str(program)],
            timeout=60,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def add_bursts(self, graph):
        """Stream -> bursts of 64 samples -> FFT of each -> messages."""
        for size, output in ((0, "complex"), (100, "power"), (32, "db")):
            name = f"bursts{size}"
            graph.blocks += [
                block(
                    name + "_source",
                    "blocks_vector_source_x",
                    type="complex",
                    repeat="False",
                    vector="[1] * 6400",
                ),
                block(
                    name + "_tagged",
                    "blocks_stream_to_tagged_stream",
                    type="complex",
                    packet_len="n",
                    len_tag_key='"len"',
                ),
                block(
                    name + "_pdu", "pdu_tagged_stream_to_pdu", type="complex", tag="len"
                ),
                block(name, "gpufft_fft_pdu", engine=ENGINE, fft_size=size, output=output),
                block(name + "_sink", "blocks_message_debug"),
            ]
            graph.connections += [
                [name + "_source", "0", name + "_tagged", "0"],
                [name + "_tagged", "0", name + "_pdu", "0"],
                [name + "_pdu", "pdus", name, "pdu_in"],
                [name, "pdu_out", name + "_sink", "store"],
            ]

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

    def add_channelizers(self, graph):
        """Streams to the first channels of a map, and vectors."""
        for type in ("complex", "short", "byte"):
            bank = {"type": type, "out": "complex", "nchans": "n", "osr": "n / 48"}
            graph.add("gpufft_pfb_channelizer_xcf", ch_map="[5, 3]", **bank)
            graph.add(
                "gpufft_pfb_channelizer_xcf",
                taps="firdes.low_pass(1, n, 0.4, 0.2)",
                ports="vectors",
                vlen_out="n",
                **bank,
            )

    def add_synthesizers(self, graph):
        """Streams to some channels, and vectors."""
        bank = {"type": "complex", "out": "complex"}
        graph.add(
            "gpufft_pfb_synthesizer_ccf", numchans="n", ch_map="[5]", connections=1, **bank
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
        ccc = {"type": "ccc", "source": "complex", "taps": "[1]"}
        for kind, parameters, words in [
            ("gpufft_fft_vxx", {"fft_size": 0}, "FFT Size must be 1"),
            ("gpufft_fft_vxx", {"fft_size": 8, "window": "[1.0] * 3"}, "FFT Size taps"),
            ("gpufft_fft_vxx", {"fft_size": 8, "nthreads": 0}, "Num. Threads must be"),
            ("gpufft_power_spectrum_xf", {"fft_size": 8, "hop": 0}, "Hop must be"),
            ("gpufft_power_spectrum_xf", {"fft_size": 8, "alpha": 2}, "Alpha must be"),
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
            ("gpufft_fft_pdu", {"fft_size": -1}, "FFT Size must be 0"),
            ("gpufft_rfft_vfc", {"fft_size": 0}, "FFT Size must be 1"),
            ("gpufft_rfft_vfc", {"fft_size": 8, "window": "[1] * 5"}, "FFT Size taps"),
            ("gpufft_irfft_vcf", {"fft_size": 8, "window": "[1] * 8"}, "// 2 + 1 numbers"),
            ("gpufft_dct_vff", {"size": 1, "dct_type": 1}, "of type 1 at least 2"),
            ("gpufft_dst_vff", {"size": 0}, "Size must be 1"),
            ("gpufft_fft2d_vcc", {"rows": 0}, "Rows and Columns must be"),
            ("gpufft_zoom_fft_vcc", {"bins": 0}, "FFT Size and Bins must be"),
            ("gpufft_zoom_fft_vcc", {"f_stop": 1.5}, "Stop Frequency must be"),
            ("gpufft_fft_filter_xxx", {**ccc, "decim": 0}, "Decimation must be"),
            ("gpufft_fft_filter_xxx", {**ccc, "taps": "[]"}, "Taps must be"),
            (
                "gpufft_freq_xlating_fft_filter_xxx",
                {**ccc, "samp_rate": 0},
                "Sample Rate must be",
            ),
            (
                "gpufft_channel_bank_cc",
                {"taps": "[1]", "samp_rate": 1, "centers": "[0, 0.6]"},
                "Center Frequencies must be at most",
            ),
            ("gpufft_pfb_channelizer_xcf", {"nchans": 0}, "Channels must be"),
            ("gpufft_pfb_channelizer_xcf", {"nchans": 7, "osr": 2}, "Ratio must be"),
            ("gpufft_pfb_channelizer_xcf", {"nchans": 2, "ch_map": "[2]"}, "Channel Map"),
            ("gpufft_pfb_synthesizer_ccf", {"numchans": 0}, "Channels must be"),
            ("gpufft_pfb_synthesizer_ccf", {"numchans": 7, "osr": 2}, "Ratio must be"),
            ("gpufft_pfb_synthesizer_ccf", {"ch_map": "[2]"}, "Channel Map"),
            ("gpufft_pfb_synthesizer_ccf", {"connections": 3}, "Connections must"),
            ("gpufft_fft2d_vcc", {"rows": 4, "cols": 2, "window": "[1]"}, "Columns taps"),
        ]:
            graph = flowgraph()
            graph.add(kind, **{"type": "complex", **parameters})
            output, program = self.compile(graph)
            self.assertFalse(program.exists(), output)
            self.assertIn(words, output)

    def test_callbacks_are_setters(self):
        for kind, python_class in CLASSES.items():
            text = (GRC_FOLDER / f"{kind}.block.yml").read_text()
            description = yaml.safe_load(text)
            callbacks = description["templates"]["callbacks"]
            setters = {callback.split("(")[0] for callback in callbacks}
            offered = {name for name in dir(python_class) if name.startswith("set_")}
            own = offered - {name for name in dir(python_class.__mro__[1])}
            if "logpwrfft" in kind:  # whose decimation follows its rates
                own -= {"set_decimation"}
            if "channel_bank" in kind:  # set_centers() sets each of them
                own -= {"set_center"}
            self.assertEqual(setters, own, kind)
            self.assertTrue(description["documentation"])

    def test_tree_holds_every_block(self):
        tree = yaml.safe_load((GRC_FOLDER / "gpufft.tree.yml").read_text())
        files = {path.name.split(".")[0] for path in GRC_FOLDER.glob("*.block.yml")}
        self.assertEqual(set(tree["[GPU FFT]"]), files)
        self.assertEqual(files, set(CLASSES))


if __name__ == "__main__":
    gr_unittest.run(qa_grc)
