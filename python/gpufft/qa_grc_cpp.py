#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GRC's C++ output: every block compiles and gives the same as in Python."""

import pathlib
import re
import sys
import tempfile

from gnuradio import gr_unittest
from gnuradio.fft import window as gr_window
from gnuradio.filter import firdes
from gnuradio.gpufft import grc_cpp
from grc_support import GRC_FOLDER, build_cpp, descriptions, flowgraph, run
from qa_support import GpufftTestCase

TYPES = {"complex": "complex64", "float": "float32", "short": "int16", "byte": "int8"}
SAMPLES = 99 * 64  # whole vectors of 64, and of 33

# Those of the blocks below whose results depend on variables while they run.
FOLLOW_VARIABLES = {
    "gpufft_channel_bank_cc",
    "gpufft_fft_filter_xxx",
    "gpufft_fft_vxx",
    "gpufft_freq_xlating_fft_filter_ccc",
    "gpufft_logpwrfft_x",
    "gpufft_pfb_channelizer_ccf",
    "gpufft_power_spectrum_xf",
    "gpufft_zoom_fft_vcc",
}

# What the variables become if a program has an argument, before it starts.
CHANGES = {
    "half": "16",
    "tap": "[1, -0.5, 2]",
    "taper": '"flattop"',
    "trace": '"max"',
    "samp_rate": "48000",
}


def with_changes(program, language):
    """The text of a generated program that obeys its argument."""
    if language == "python":
        setters = [f"        tb.set_{name}({value})\n" for name, value in CHANGES.items()]
        changes = "    if len(sys.argv) > 1:\n" + "".join(setters)
        return program.replace("    tb.start()\n", changes + "    tb.start()\n")
    lists = str.maketrans("[]", "{}")
    setters = [
        f"top_block->set_{name}({value.translate(lists)});"
        for name, value in CHANGES.items()
    ]
    start = "top_block->tb->start();"
    return program.replace(start, f"if (argc > 1) {{ {' '.join(setters)} }} {start}")


class programs(flowgraph):
    """File -> block under test -> file, for several blocks, in both languages."""

    def __init__(self, folder):
        flowgraph.__init__(self, gen_cmake="On")
        self.folder = pathlib.Path(folder)
        self.append("half", "variable", value="32")
        self.append("tap", "variable", value="[0.5, 0.25]")
        self.append("taper", "variable", value='"hann"')
        self.append("trace", "variable", value='"mean"')
        self.names = []
        self.kinds = {}

    def add(self, kind, type, out, vlen_in=1, vlen_out=1, **parameters):
        name = f"block{len(self.names)}"
        self.append(
            f"{name}_source",
            "blocks_file_source",
            type=type,
            vlen=vlen_in,
            repeat="False",
            file=f'"{self.folder / type}"',
        )
        self.append(name, kind, type=type, engine="cpu", **parameters)
        self.append(
            f"{name}_sink", "blocks_file_sink", type=out, vlen=vlen_out, file=f'"{name}"'
        )
        self.connect(f"{name}_source", name)
        self.connect(name, f"{name}_sink")
        self.names.append(name)
        self.kinds[name] = kind

    def generate(self, language):
        """Runs grcc; returns the folder, where the program also finds the input."""
        folder = self.folder / language
        folder.mkdir()
        self.options["output_language"] = language
        output = self.compile(folder)
        if "Error" in output:
            raise AssertionError(output)
        (program,) = [*folder.glob("compiled.py"), *folder.glob("compiled/compiled.cpp")]
        program.write_text(with_changes(program.read_text(), language))
        return folder


class typed(str):
    """A parameter as GRC gives it to templates: its text; called, its value."""

    def __call__(self):
        return eval(self, {"window": gr_window, "firdes": firdes, "rate": 8, "n": 4})


class qa_grc_cpp(GpufftTestCase):
    def setUp(self):
        GpufftTestCase.setUp(self)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, dtype in TYPES.items():
            values = self.random.integers(-100, 100, SAMPLES * (1 + (name != "float")))
            if name == "complex":
                values = values[::2] + 1j * values[1::2]
            values.astype(dtype).tofile(self.folder / name)

    def test_page_names_the_blocks_without_cpp(self):
        page = (GRC_FOLDER.parent / "docs" / "grc_cpp.md").read_text(encoding="utf-8")
        named = re.findall(r"\*([^*]+\(GPU\))\*", page)
        without = [
            block["label"]
            for block in descriptions().values()
            if "cpp" not in block["flags"]
        ]
        self.assertEqual(sorted(named), sorted(without))

    def test_python_becomes_cpp(self):
        for text, expected in [
            ("rate", "rate"),
            ("-rate / 2 + 1", "((1.0 * (-rate) / 2) + 1)"),
            ("n // 2", "static_cast<std::int64_t>(std::floor(1.0 * n / 2))"),
            ("-(-n)", "(-(-n))"),  # C++ reads --n as something else
            ("int(rate / 3)", "static_cast<std::int64_t>((1.0 * rate / 3))"),
            ("float(rate)", "double(rate)"),  # as wide as Python's
            ("len([n, rate])", "2"),
            ("max(n, rate)", "8"),
            ("n ** 2", "16"),  # has no operator in C++: the value
            ("2.5e6", "2500000.0"),
            ("True", "true"),
            ("None", "std::nullopt"),
            ("'hann'", '"hann"'),
        ]:
            self.assertEqual(grc_cpp.value(typed(text)), expected)
        for text, element, expected in [
            ("[1, rate / 2]", "float", "{float(1), float((1.0 * rate / 2))}"),
            ("[0.5j]", "gr_complex", "{gr_complex(gr_complex(0.0, 0.5))}"),
            ("[i + 1 for i in range(2)]", "int", "{int(1), int(2)}"),
            ("list(range(2))", "int", "{int(0), int(1)}"),
            ("n * (rate,)", "float", f"{{{', '.join(['float(8)'] * 4)}}}"),
        ]:
            vector = grc_cpp.vector(typed(text), element)
            self.assertEqual(vector, f"std::vector<{element}>{expected}")
        for text, expected in [
            ("window.WIN_HANN", "gr::fft::window::WIN_HANN"),
            ("('kaiser', 8.6)", '"kaiser", 8.6'),
            ("lambda n: [1]", "std::vector<float>{float(1)}"),
            ("None", ""),
        ]:
            window = grc_cpp.window(typed(text), typed("n"))
            self.assertEqual(window, f"gr::gpufft::window_spec({expected})")
        self.assertEqual(grc_cpp.devices(typed("1")), "1")
        self.assertEqual(grc_cpp.devices(typed("[0]")), "std::vector<int>{int(0)}")

    def succeed(self, *command, **keywords):
        done = run(*command, **keywords)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done

    def run_both(self, graph, *arguments):
        """Runs the programs; compares what they wrote, and returns it by block."""
        self.succeed(self.cpp_program, *arguments, cwd=self.folder / "cpp")
        self.succeed(
            sys.executable, "compiled.py", *arguments, cwd=self.folder / "python"
        )
        results = {}
        for name in graph.names:
            ours, expected = (
                (self.folder / language / name).read_bytes()
                for language in ("cpp", "python")
            )
            self.assertTrue(expected, name)
            self.assertEqual(ours, expected, name)
            results[name] = ours
        return results

    def test_same_output_as_in_python(self):
        graph = programs(self.folder)
        add_transforms(graph)
        add_spectra(graph)
        add_filters(graph)
        add_channels(graph)
        add_bursts(graph)
        kinds = {each["id"] for each in graph.blocks}
        flags = {kind: each["flags"] for kind, each in descriptions().items()}
        self.assertLessEqual({kind for kind in flags if "cpp" in flags[kind]}, kinds)
        graph.generate("python")
        self.cpp_program = build_cpp(graph.generate("cpp") / "compiled")
        at_first = self.run_both(graph)
        changed = self.run_both(graph, "other variables")
        names = {name for name in graph.names if at_first[name] != changed[name]}
        self.assertEqual({graph.kinds[name] for name in names}, FOLLOW_VARIABLES)


def add_transforms(graph):
    for type, window in (("complex", "taper"), ("float", "window.hamming(n)")):
        graph.add(
            "gpufft_fft_vxx", type, "complex", "n", "n", fft_size="n", window=window
        )
    for window in (
        "('kaiser', 8.6)",
        "window.WIN_FLATTOP",
        "[i for i in range(64)]",
        "[]",
    ):
        graph.add(
            "gpufft_fft_vxx",
            "complex",
            "complex",
            fft_size="half * 2",
            forward="False",
            window=window,
            ports="samples",
        )
    graph.add("gpufft_rfft_vfc", "float", "complex", "n", "half + 1", fft_size="n")
    graph.add("gpufft_irfft_vcf", "complex", "float", "half + 1", "n", fft_size="n")
    graph.add("gpufft_dct_vff", "float", "float", "n", "n", size="n", dct_type="3")
    graph.add("gpufft_dst_vff", "float", "float", "n", "n", size="n", norm="ortho")
    graph.add("gpufft_fft2d_vcc", "complex", "complex", "n", "n", rows="half", cols="2")
    graph.add(
        "gpufft_zoom_fft_vcc",
        "complex",
        "complex",
        "n",
        "33",
        fft_size="n",
        bins="33",
        f_start="0.0",
        f_stop="1 / half",
    )
    graph.add(
        "gpufft_zoom_fft_vcc",
        "complex",
        "complex",
        "n",
        "33",
        fft_size="n",
        bins="33",
        center_freq="samp_rate / 8 - 100",
        span="-1000 + 5",
    )


def add_spectra(graph):
    for type, hop, overlap in (
        ("complex", "None", "None"),
        ("short", "n // 2", "None"),
        ("byte", "half", "None"),
        ("complex", "None", "1 - half / 64"),
    ):
        graph.add(
            "gpufft_power_spectrum_xf",
            type,
            "float",
            vlen_out="n",
            fft_size="n",
            hop=hop,
            overlap=overlap,
            average="3",
            scaling="density",
            detector="trace",
        )
    for type, window in (("complex", "window.hann"), ("float", "'hann'")):
        graph.add(
            "gpufft_logpwrfft_x",
            type,
            "float",
            vlen_out="n",
            fft_size="n",
            win=window,
            average="True",
            avg_alpha="half / 100",
        )


def add_filters(graph):
    low = "firdes.low_pass(1, samp_rate, 2000, 1000)"
    for type, io, taps in (
        ("ccc", "complex", "[1, 1j]"),
        ("ccf", "complex", low),
        ("fff", "float", "tap"),
    ):
        graph.add("gpufft_fft_filter_xxx", io, io, taps=taps, decim="3")
        graph.blocks[-2]["parameters"]["type"] = type
    for type, taps in (("ccc", low), ("ccf", "[half / 100, 0.5]")):
        graph.add(
            "gpufft_freq_xlating_fft_filter_ccc",
            "complex",
            "complex",
            taps=taps,
            center_freq="samp_rate / 7",
        )
        graph.blocks[-2]["parameters"]["type"] = type


def add_channels(graph):
    graph.add(
        "gpufft_channel_bank_cc",
        "complex",
        "complex",
        taps="tap",
        centers="[-samp_rate / 4, 1000]",
        decim="2",
    )
    for type in ("complex", "short", "byte"):
        graph.add(
            "gpufft_pfb_channelizer_ccf",
            type,
            "complex",
            nchans="5",
            taps="tap",
            ch_map="[3, 1]",
        )
    graph.add(
        "gpufft_pfb_channelizer_ccf",
        "complex",
        "complex",
        vlen_out="2",
        nchans="n",
        taps="tap",
        ch_map="[60, 3]",
        outchans="2",
        ports="vectors",
    )
    graph.add(
        "gpufft_pfb_channelizer_ccf",
        "complex",
        "complex",
        vlen_out="n",
        nchans="n",
        osr="n / half",
        taps="firdes.low_pass(1, n, 0.4, 0.2)",
        ports="vectors",
    )
    graph.add(
        "gpufft_pfb_synthesizer_ccf",
        "complex",
        "complex",
        vlen_in="n",
        numchans="half",
        twox="True",
        ports="vectors",
    )
    graph.add("gpufft_pfb_synthesizer_ccf", "complex", "complex", connections="1")


def add_bursts(graph):
    """Messages that are not bursts: no file, but the program must compile and run."""
    graph.append("bursts", "gpufft_fft_pdu", engine="cpu", fft_size="half")
    graph.connect(graph.names[0], "bursts", "status", "pdu_in")


if __name__ == "__main__":
    gr_unittest.run(qa_grc_cpp)
