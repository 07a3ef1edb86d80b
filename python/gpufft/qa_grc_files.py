#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the GRC files say: documentation, defaults, callbacks, the tree."""

import pathlib
import re
import sys
import tempfile

import yaml
from gnuradio import gpufft, gr, gr_unittest
from grc_support import (
    GRC_FOLDER,
    descriptions,
    errors_of,
    flowgraph,
    opened,
    platform,
    run,
    run_python,
)
from qa_support import GpufftTestCase

CLASSES = {
    "gpufft_fft_vxx": gpufft.fft_vcc_fwd,
    "gpufft_power_spectrum_xf": gpufft.power_spectrum_cf,
    "gpufft_logpwrfft_x": gpufft.logpwrfft_c,
    "gpufft_spectrum_sink": gpufft.spectrum_sink,
    "gpufft_rfft_vfc": gpufft.rfft_vfc,
    "gpufft_irfft_vcf": gpufft.irfft_vcf,
    "gpufft_dct_vff": gpufft.dct_vff,
    "gpufft_dst_vff": gpufft.dst_vff,
    "gpufft_fft2d_vcc": gpufft.fft2d_vcc,
    "gpufft_fft_pdu": gpufft.fft_pdu,
    "gpufft_zoom_fft_vcc": gpufft.zoom_fft_vcc,
    "gpufft_correlator_bank": gpufft.correlator_bank,
    "gpufft_fft_filter_xxx": gpufft.fft_filter_ccc,
    "gpufft_freq_xlating_fft_filter_ccc": gpufft.freq_xlating_fft_filter_ccf,
    "gpufft_channel_bank_cc": gpufft.channel_bank_cc,
    "gpufft_pfb_channelizer_ccf": gpufft.pfb_channelizer_ccf,
    "gpufft_pfb_channelizer_hier_ccf": gpufft.pfb_channelizer_ccf,
    "gpufft_pfb_synthesizer_ccf": gpufft.pfb_synthesizer_ccf,
    "gpufft_array_block": gpufft.array_block,
    "gpufft_kernel_block": gpufft.array_block,
}
NUMBERS = ("int", "real", "float", "int_vector", "real_vector", "complex_vector")
UNITS = (
    "samples|rows|bins|frames|channels|threads|inputs|outputs|numbers|Hz|dB|cycles per sample|"
    "amplitude|seconds|weight of|without a unit|the formula|(in|out)put i"
)


class qa_grc_files(GpufftTestCase):
    def test_sample_formats_are_as_their_script_writes_them(self):
        script = GRC_FOLDER / "sample_formats.py"
        done = run(sys.executable, script, "--check")
        self.assertEqual(done.returncode, 0, done.stdout)
        with_formats = {kind for kind, block in CLASSES.items() if is_formatted(block)}
        written = {
            kind for kind, text in descriptions().items() if "in_format" in str(text)
        }
        hier = {"gpufft_pfb_channelizer_hier_ccf"}
        spectra = {"gpufft_power_spectrum_xf", "gpufft_logpwrfft_x"}
        self.assertEqual(with_formats - hier | spectra, written)

    def test_every_class_has_a_file(self):
        self.assertEqual(set(descriptions()), set(CLASSES))

    def test_documentation_begins_with_what_the_block_does(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                first, second = text.splitlines()[:2]
                self.assertRegex(first, r"^[A-Z].*\.$")
                self.assertEqual(second, "")

    def test_documentation_has_a_formula(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                formulas = [
                    line for line in text.splitlines() if re.match(r" {4}.* = ", line)
                ]
                self.assertTrue(
                    any("sum" in line or "|X|^2" in line for line in formulas)
                )
                for line in formulas:  # as wide as the tab
                    self.assertLessEqual(len(line), 90)

    def test_documentation_has_every_port(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                for side, word in (("inputs", "Input"), ("outputs", "Output")):
                    for port in description[side]:
                        is_message = port["domain"] == "message"
                        name = f" {port['id']} (message)" if is_message else ""
                        self.assertRegex(text, rf"(?m)^{word}{re.escape(name)}: \S")

    def test_documentation_has_every_parameter(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                places = [
                    text.find(f"\n{p['label']}: ") for p in description["parameters"]
                ]
                self.assertEqual(places, sorted(places))  # as in the dialog
                for parameter in description["parameters"]:
                    line = line_of(text, parameter["label"])
                    self.assertTrue(line, parameter["label"])
                    if parameter["dtype"] in NUMBERS:
                        self.assertRegex(line, rf"\b({UNITS})")

    def test_documentation_has_the_bounds_of_the_asserts(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                for check in description["asserts"]:
                    message = check.split('"')[1]
                    for bound in re.findall(r"(?:\.\.\.|at most) (\d[\d*]*)", message):
                        self.assertRegex(text, rf"(\.\.\.|at most) {re.escape(bound)}\b")

    def test_documentation_ends_with_an_example_and_the_cost(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                text = description["documentation"]
                example, cost = text.split("\n\n")[-2:]
                self.assertTrue(example.startswith("Example: "))
                self.assertIn("->", example)
                self.assertIn(description["label"], example)
                self.assertTrue(cost.startswith("Cost: "))
                of_samples = (None, "${ in_format.items }")
                if any(
                    port.get("vlen") not in of_samples
                    for port in description["inputs"] + description["outputs"]
                ):
                    self.assertIn("buffers hold whole vectors", cost)

    def test_windows_follow_the_size_by_default(self):
        defaults = {
            parameter["default"]
            for description in descriptions().values()
            for parameter in description["parameters"]
            if parameter["id"] in ("window", "win")
        }
        self.assertEqual(defaults, {"'blackmanharris'", "'hann'", "'none'"})

    def test_callbacks_are_setters(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                python_class = CLASSES[kind]
                callbacks = description["templates"]["callbacks"]
                setters = {callback.split("(")[0] for callback in callbacks}
                offered = {name for name in dir(python_class) if name.startswith("set_")}
                own = offered - {*dir(python_class.__mro__[1]), *dir(gr.block)}
                if "logpwrfft" in kind:  # whose decimation follows its rates
                    own -= {"set_decimation"}
                if "channel_bank" in kind:  # set_centers() sets each of them
                    own -= {"set_center"}
                if "zoom" in kind:  # set_band() sets all at once
                    own -= {"set_center_freq", "set_span"}
                if "fft_vxx" in kind:  # not in Companion
                    own -= {"set_expressions", "set_parameters"}
                if "correlator" in kind:  # set_parameters() sets each
                    own -= {"set_parameter"}
                if CLASSES[kind] is gpufft.array_block:  # set_parameters() sets each
                    own -= {"set_parameter"}
                if "hier" in kind:  # gr-filter's has none of them
                    own -= {"set_taps", "set_channel_map", "set_output_scale"}
                own -= {"set_sample_rate"} if "power" in kind else set()  # older name
                self.assertEqual(setters, own)

    def test_parameters_with_callbacks_take_variables(self):
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                callbacks = " ".join(description["templates"]["callbacks"])
                types = {p["id"]: p["dtype"] for p in description["parameters"]}
                used = set(re.findall(r"\$\{(\w+)\}", callbacks))
                self.assertEqual({p for p in used if types[p] == "enum"}, set())

    def complaints(self, kind, **parameters):
        """What GRC says against a block with these parameters, without its connections."""
        graph = flowgraph()
        graph.append("tested", kind, **parameters)
        with tempfile.TemporaryDirectory() as folder:
            errors = errors_of(opened(graph.write(folder)))
        return [
            text
            for element, text in errors
            if element.name == "tested" and "not connected" not in text
        ]

    def test_values_that_no_list_has(self):
        """GRC itself puts the default in their place, so no block gets them."""
        for kind, description in descriptions().items():
            for parameter in description["parameters"]:
                if parameter["dtype"] == "enum":
                    graph = flowgraph()
                    graph.append("tested", kind, **{parameter["id"]: "nosuch"})
                    with tempfile.TemporaryDirectory() as folder:
                        tested = opened(graph.write(folder)).get_block("tested")
                    value = tested.params[parameter["id"]].get_value()
                    default = parameter.get("default", parameter["options"][0])
                    self.assertEqual(value, str(default), f"{kind} {parameter['id']}")

    def test_devices_timeouts_and_windows(self):
        for kind, description in descriptions().items():
            bad = {"device": ("[0, 0]", "[]", "-1", "1024", "[0, -1]", "0.5", "'0'")}
            good = {"device": ("0", "[0]", "[3, 1]", "(0, 1)", "1023")}
            bad["device_timeout"] = ("-1", "float('nan')", "float('inf')")
            good["device_timeout"] = ("0", "0.5", "1e9")
            names = {parameter["id"] for parameter in description["parameters"]}
            for name in {"window", "win"} & names:
                bad[name] = ("99", "-2", "3.5", "('kaiser',)", "('kaiser', 1, 2)")
                good[name] = ("5", "window.WIN_HANN", "None", "('kaiser', 8.6)", "[]")
                good[name] += ("(window.WIN_KAISER, 8.6)", "'hann'", "(4, 8.6)")
            for name, values in bad.items():
                for value in values:
                    with self.subTest(block=kind, value=value):
                        told = self.complaints(kind, **{name: value})
                        self.assertTrue(any(" must " in text for text in told), told)
            without = self.complaints(kind)
            for name, values in good.items():
                for value in values:
                    with self.subTest(block=kind, value=value):
                        self.assertEqual(self.complaints(kind, **{name: value}), without)

    def test_tree_holds_every_block_once(self):
        tree = yaml.safe_load((GRC_FOLDER / "gpufft.tree.yml").read_text())
        ((root, groups),) = tree.items()
        self.assertEqual(root, "[GPU FFT]")
        listed = [kind for group in groups for kinds in group.values() for kind in kinds]
        self.assertEqual(sorted(listed), sorted(CLASSES))

    def test_grc_shows_the_groups(self):
        groups = {}
        for kind in CLASSES:
            module, group = platform().blocks[kind].category
            self.assertEqual(module, "GPU FFT")
            groups.setdefault(group, []).append(kind)
        self.assertEqual(
            set(groups), {"Transforms", "Spectra", "Filters", "Channels", "Own Code"}
        )

    def test_every_block_runs_with_its_defaults(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        graph = flowgraph()
        for kind, description in descriptions().items():
            if "need_qt_gui" not in description["flags"]:  # that is in qa_spectrum_sink
                add_with_defaults(graph, kind, folder.name)
        output = graph.compile(folder.name)
        program = pathlib.Path(folder.name) / "compiled.py"
        self.assertTrue(program.exists(), output)
        done = run_python(program)
        self.assertEqual(done.returncode, 0, done.stdout)
        for file in files_of(graph):
            self.assertGreater(pathlib.Path(file).stat().st_size, 0, file)


def is_formatted(python_class):
    return hasattr(python_class, "set_output_scale")


def line_of(text, label):
    """The line of a documentation that begins with a label."""
    found = re.search(rf"(?m)^{re.escape(label)}: .*$", text)
    return found and found.group()


def add_with_defaults(graph, kind, folder):
    """The block as it is dropped on the canvas; a source at each input, a file at each
    output."""
    graph.append(kind, kind)
    canvas = platform().make_flow_graph(platform().config.default_flow_graph)
    dropped = canvas.new_block(kind)
    canvas.rewrite()
    for port in dropped.active_sinks:
        if port.domain == "stream":
            add_source(graph, kind, port)
        elif not port.optional:
            add_bursts(graph, kind, port)
    for port in dropped.active_sources:
        if port.domain == "stream":
            add_file(graph, kind, port, folder)


def add_source(graph, kind, port):
    """2^18 items, in vectors where the port takes them."""
    name = f"{kind}_source{port.key}"
    graph.append(
        name,
        "blocks_vector_source_x",
        type=port.dtype,
        vlen=port.vlen,
        repeat="False",
        vector=f"[1] * {2**18 // port.vlen * port.vlen}",
    )
    graph.connect(name, kind, 0, port.key)


def add_bursts(graph, kind, port):
    """Ten messages of 64 samples."""
    stages = [
        ("source", "blocks_vector_source_x", {"repeat": "False", "vector": "[1] * 640"}),
        ("tagged", "blocks_stream_to_tagged_stream", {"packet_len": "n"}),
        ("pdus", "pdu_tagged_stream_to_pdu", {"tag": "packet_len"}),
    ]
    for name, stage, parameters in stages:
        graph.append(f"{kind}_{name}", stage, type="complex", **parameters)
    graph.connect(f"{kind}_source", f"{kind}_tagged")
    graph.connect(f"{kind}_tagged", f"{kind}_pdus")
    graph.connect(f"{kind}_pdus", kind, "pdus", port.key)


def add_file(graph, kind, port, folder):
    name = f"{kind}_file{port.key}"
    graph.append(
        name, "blocks_file_sink", type=port.dtype, vlen=port.vlen, file=f"{folder}/{name}"
    )
    graph.connect(kind, name, port.key, 0)


def files_of(graph):
    return [
        each["parameters"]["file"]
        for each in graph.blocks
        if each["id"] == "blocks_file_sink"
    ]


if __name__ == "__main__":
    gr_unittest.run(qa_grc_files)
