#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same in Companion as in Python and in GNU Radio: defaults, ids, older ids."""

import ast
import functools
import inspect
import os
import pathlib
import re
import tempfile

import yaml
from gnuradio import gpufft, gr_unittest
from gnuradio.gpufft import keywords
from grc_support import (
    GRC_FOLDER,
    descriptions,
    errors_of,
    flowgraph,
    opened,
    platform,
    run_python,
)
from qa_support import GpufftTestCase

# Parameters whose default differs, and why.
EXCEPTIONS = {
    ("array_block", "function"): "Companion shows one to begin with",
    ("kernel_block", "name"): "an empty field is None",
    ("array_block", "in_sig"): "Companion has fields for type and length",
    ("array_block", "out_sig"): "Companion has fields for type, length and number",
    ("kernel_block", "in_sig"): "Companion has fields for type and length",
    ("kernel_block", "out_sig"): "Companion has fields for type and length",
    ("array_block", "parameters"): "Companion shows that it is a dictionary",
    ("kernel_block", "parameters"): "those of the expression that is there at first",
    ("fft_vcc", "shift"): "as in GNU Radio, whose fft_vcc and fft_vxx differ in it",
    ("correlator_bank", "samp_rate"): "Companion's flowgraphs have a variable for it",
    ("channel_bank_cc", "samp_rate"): "Companion's flowgraphs have a variable for it",
    ("power_spectrum_cf", "samp_rate"): "Companion's flowgraphs have a variable for it",
    ("spectrum_sink", "samp_rate"): "Companion's flowgraphs have a variable for it",
    ("zoom_fft_vcc", "samp_rate"): "Companion's flowgraphs have a variable for it",
    (
        "zoom_fft_vcc",
        "center_freq",
    ): "Python has two ways to give the band, and no default",
    ("zoom_fft_vcc", "span"): "Python has two ways to give the band, and no default",
}
# Values that say the same.
SAME = {"'none'": "None", "[]": "None", "'blackmanharris'": "None for logpwrfft_c"}

# The older ids of blocks, and what flowgraphs that were saved with them hold.
OLDER = {
    "gpufft_freq_xlating_fft_filter_xxx": {"type": "ccf", "decim": "3", "taps": "[1, 2]"},
    "gpufft_pfb_channelizer_xcf": {"nchans": "5", "ch_map": "[3]"},
}


@functools.lru_cache(maxsize=None)
def made_by(kind, **values):
    """The call that makes the block as it is dropped on the canvas, or with these texts in
    fields: name, positional arguments and keywords, as syntax trees."""
    canvas = platform().make_flow_graph(platform().config.default_flow_graph)
    dropped = canvas.new_block(kind)
    for name, text in {"id": "dropped", **values}.items():
        dropped.params[name].set_value(text)
    canvas.rewrite()
    program = ast.parse(dropped.templates.render("make"))
    call = next(node for node in ast.walk(program) if isinstance(node, ast.Call))
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.func.attr, call.args, named


def defaults_of(name):
    """The signature of a block with the defaults as Python shows them."""
    thing = getattr(gpufft, name)
    if not inspect.isclass(thing) or not thing.__init__.__doc__:  # no class of pybind11
        return inspect.signature(thing), None
    text = thing.__init__.__doc__.splitlines()[0]
    return (
        keywords.signature_of(thing.__init__),
        ast.parse(f"def f{text[text.index('(') :]}: pass").body[0].args,
    )


def shown_defaults(name):
    """The parameters of a block in order, and the defaults that it has, as text."""
    signature, tree = defaults_of(name)
    if tree is None:
        listed = signature.parameters.values()
        shown = {p.name: repr(p.default) for p in listed if p.default is not p.empty}
    else:
        plain = tree.args[len(tree.args) - len(tree.defaults) :]
        pairs = [*zip(plain, tree.defaults), *zip(tree.kwonlyargs, tree.kw_defaults)]
        shown = {each.arg: ast.unparse(value) for each, value in pairs if value}
    return [each for each in signature.parameters if each != "self"], shown


def normal(value, name):
    """A default as text, in one way."""
    same = SAME.get(value, value)
    value = "None" if same == f"None for {name}" else value if " for " in same else same
    try:
        number = ast.literal_eval(value)
    except ValueError:
        return value
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    return str(float(number)) if is_number else value


class qa_grc_names(GpufftTestCase):
    def test_lists_without_brackets_and_empty_fields(self):
        numbers = ("device", "taps", "centers", "shifts", "outchans", "decimation")
        texts = dict.fromkeys(("window", "win"), "'kaiser', 8.6")
        texts |= dict.fromkeys(numbers, "0, 1")
        for kind, description in descriptions().items():
            with self.subTest(block=kind):
                typed, none = {}, []
                for field in description["parameters"]:
                    is_list = re.search("raw|vector|type.taps", field["dtype"])
                    if is_list and field["id"] in texts:
                        typed[field["id"]] = texts[field["id"]]
                    elif is_list and field.get("default") == "None":
                        none.append(field["id"])
                _, *given = made_by(kind, **typed, **dict.fromkeys(none, ""))
                _, *default = made_by(kind)
                self.assertEqual(len(given[0]), len(default[0]))
                values = [ast.unparse(each) for each in (*given[0], *given[1].values())]
                for text in typed.values():
                    self.assertIn(f"({text})", values)
                self.assertGreaterEqual(values.count("None"), len(none))

    def test_defaults_are_those_of_python(self):
        excepted = set()
        for kind in descriptions():
            name, arguments, named = made_by(kind)
            parameters, defaults = shown_defaults(name)
            given = dict(zip(parameters, arguments)) | named
            self.assertLessEqual(set(given), set(parameters), kind)
            for parameter in given.keys() & defaults.keys():
                ours = normal(ast.unparse(given[parameter]), name)
                if ours == normal(defaults[parameter], name):
                    continue
                with self.subTest(block=kind, parameter=parameter, companion=ours):
                    self.assertIn((name, parameter), EXCEPTIONS)
                    excepted.add((name, parameter))
        self.assertEqual(excepted, set(EXCEPTIONS))

    def test_every_parameter_of_python_is_there(self):
        for kind in descriptions():
            name, arguments, named = made_by(kind)
            parameters, _ = shown_defaults(name)
            given = {*parameters[: len(arguments)], *named}
            left = set(parameters) - given
            if "power_spectrum" in kind or "fft_pdu" in kind or "logpwr" in kind:
                self.assertEqual(left, set(), kind)
            if "correlator" in kind:
                self.assertEqual(left, set(), kind)
            python_only = {"vlen", "outchans", "oversample_rate", "parent"}
            if kind in ("gpufft_array_block", "gpufft_kernel_block"):
                python_only |= {"name", "cpu", "cuda_buffers"}
            self.assertLessEqual(left, python_only, kind)

    def test_ids_are_those_of_gnu_radio_with_a_prefix(self):
        """Blocks whose names GNU Radio has, too."""
        stock = set(platform().blocks)
        same = {kind for kind in descriptions() if kind.removeprefix("gpufft_") in stock}
        self.assertEqual(
            same,
            {
                "gpufft_fft_vxx",
                "gpufft_logpwrfft_x",
                "gpufft_fft_filter_xxx",
                "gpufft_freq_xlating_fft_filter_ccc",
                "gpufft_pfb_channelizer_ccf",
                "gpufft_pfb_channelizer_hier_ccf",
                "gpufft_pfb_synthesizer_ccf",
            },
        )

    def test_parameters_of_gnu_radio_are_taken(self):
        """A changed id is enough, in saved flowgraphs."""
        for kind, description in descriptions().items():
            stock = platform().blocks.get(kind.removeprefix("gpufft_"))
            if stock is not None:
                ours = {parameter["id"] for parameter in description["parameters"]}
                theirs = {p["id"] for p in stock.parameters_data}
                general = {"id", "alias", "affinity", "comment", "minoutbuf", "maxoutbuf"}
                self.assertLessEqual(theirs - general, ours, kind)

    def test_older_ids_are_deprecated_copies(self):
        folder = pathlib.Path(os.environ["GRC_BLOCKS_PATH"].split(os.pathsep)[-1])
        self.assertNotEqual(folder, GRC_FOLDER)
        for older in OLDER:
            text = (folder / f"{older}.block.yml").read_text()
            self.assertIn("deprecated", yaml.safe_load(text)["flags"])
            block = platform().blocks[older]
            self.assertFalse(block.category, "is in the list of blocks")

    def test_older_ids_open_and_run(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        graph = flowgraph()
        for older, parameters in OLDER.items():
            source = {"type": "complex", "repeat": "False", "vector": "[1] * 1000"}
            graph.append(f"{older}_source", "blocks_vector_source_x", **source)
            graph.append(older, older, engine="cpu", **parameters)
            graph.append(f"{older}_sink", "blocks_null_sink", type="complex")
            graph.connect(f"{older}_source", older)
            graph.connect(older, f"{older}_sink")
        saved = opened(graph.write(folder.name))
        self.assertEqual(errors_of(saved), [])
        for older, parameters in OLDER.items():
            block = saved.get_block(older)
            self.assertTrue(block.flags.deprecated)
            values = {key: block.params[key].get_value() for key in parameters}
            self.assertEqual(values, parameters)
        output = graph.compile(folder.name)
        program = pathlib.Path(folder.name) / "compiled.py"
        self.assertTrue(program.exists(), output)
        done = run_python(program)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_older_bands_of_zoom(self):
        """Flowgraphs saved without a sample rate have f_start and f_stop in cycles per
        sample."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for band, call in (
            ({"f_start": "0.1", "f_stop": "0.2"}, "0.1, 0.2, ('none'), 1"),
            (
                {"center_freq": "5", "span": "2"},
                "samp_rate=samp_rate, center_freq=5, span=2",
            ),
        ):
            graph = flowgraph()
            graph.append("band", "gpufft_zoom_fft_vcc", **band)
            block = opened(graph.write(folder.name)).get_block("band")
            made = block.templates.render("make")
            self.assertIn(call, made)
            self.assertEqual("samp_rate" in made, "span" in band)


if __name__ == "__main__":
    gr_unittest.run(qa_grc_names)
