# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of the GRC files: the files, flowgraphs as .grc text, grcc, GRC's own
platform."""

import functools
import os
import pathlib
import subprocess
import sys

import yaml
from gnuradio import gr
from gnuradio.grc.core.platform import Platform
from qa_support import ENGINE

# The blocks' files; the second folder has those of older ids.
GRC_FOLDER = pathlib.Path(os.environ["GRC_BLOCKS_PATH"].split(os.pathsep)[0])


def descriptions():
    """The contents of the blocks' files, by id."""
    files = sorted(GRC_FOLDER.glob("*.block.yml"))
    return {file.name.split(".")[0]: yaml.safe_load(file.read_text()) for file in files}


@functools.lru_cache(maxsize=1)
def platform():
    """GRC without its window: the blocks of GNU Radio, and of GRC_BLOCKS_PATH."""
    grc = Platform(
        version=gr.version(),
        version_parts=(gr.major_version(), gr.api_version(), gr.minor_version()),
        prefs=gr.prefs(),
    )
    grc.build_library()
    return grc


def opened(file):
    """The flowgraph as GRC's window opens it."""
    flowgraph = platform().make_flow_graph()
    flowgraph.grc_file_path = str(file)
    flowgraph.import_data(platform().parse_flow_graph(str(file)))
    flowgraph.rewrite()
    flowgraph.validate()
    return flowgraph


def errors_of(flowgraph):
    """GRC's complaints: blocks and texts."""
    return [
        (element.parent_block or element, text)
        for element, text in flowgraph.iter_error_messages()
    ]


def block(name, kind, **parameters):
    return {
        "name": name,
        "id": kind,
        "parameters": {k: str(v) for k, v in parameters.items()},
        "states": {"state": "enabled"},
    }


class flowgraph:
    """A .grc file: blocks, connections, options."""

    def __init__(self, **options):
        self.options = {
            "id": "compiled",
            "generate_options": "no_gui",
            "run_options": "run",
            "output_language": "python",
            "title": "QA",
            **options,
        }
        self.blocks = [
            block("samp_rate", "variable", value="32000"),
            block("n", "variable", value="64"),
        ]
        self.connections = []

    def append(self, name, kind, **parameters):
        self.blocks.append(block(name, kind, **parameters))

    def connect(self, source, sink, output="0", input="0"):
        self.connections.append([source, str(output), sink, str(input)])

    def text(self):
        return yaml.safe_dump(
            {
                "options": {
                    "parameters": self.options,
                    "states": {"state": "enabled"},
                },
                "blocks": self.blocks,
                "connections": self.connections,
                "metadata": {"file_format": 1},
            }
        )

    def compile(self, folder):
        """Runs grcc; returns what it printed. The result is `folder`/compiled.py, or, in
        C++, the folder `folder`/compiled."""
        return run("grcc", "-o", folder, self.write(folder)).stdout

    def write(self, folder):
        """Returns the file."""
        file = pathlib.Path(folder) / "graph.grc"
        file.write_text(self.text())
        return file


class chains(flowgraph):
    """Source -> block under test -> sink, for several blocks."""

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
        self.append(
            name + "_source",
            "blocks_vector_source_x",
            type=source or type,
            repeat="False",
            vector=f"[1] * (6336 // ({vlen_in}) * ({vlen_in}))",  # 99 vectors of 64
            vlen=vlen_in,
        )
        self.append(name, kind, type=type, engine=ENGINE, **parameters)
        self.append(name + "_sink", "blocks_null_sink", type=out, vlen=vlen_out)
        self.connect(name + "_source", name)
        self.connect(name, name + "_sink")


def run(*command, **keywords):
    """Runs a command; returns the finished process with all its text in stdout."""
    return subprocess.run(
        [str(word) for word in command],
        timeout=120,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **keywords,
    )


def run_python(program, **keywords):
    return run(sys.executable, program, **keywords)


def build_cpp(project):
    """Builds a project that GRC has generated in C++, with this build of gr-gpufft;
    returns the program."""
    this_build = os.environ["GPUFFT_BUILD_DIR"]
    for command in (
        ["-S", project, "-B", project / "build", f"-Dgnuradio-gpufft_DIR={this_build}"],
        ["--build", project / "build"],
    ):
        done = run("cmake", *command)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)
    return project / "build" / project.name
