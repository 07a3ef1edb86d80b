#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in GRC: each opens without a complaint and becomes a program, in Python and,
where GNU Radio's own blocks can, in C++. (That they compute what they should is tested
beside them.)"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from unittest import mock

import numpy as np
from gnuradio import gr_unittest
from grc_support import (
    GRC_FOLDER,
    build_cpp,
    errors_of,
    opened,
    platform,
    run,
    run_python,
)
from qa_support import GpufftTestCase

EXAMPLES = GRC_FOLDER.parent / "examples"
END_WITHOUT_QT = [sys.executable, "-m", "gnuradio.gpufft.cli.ending"]
FLOWGRAPHS = sorted(EXAMPLES.glob("**/*.grc"))

# Deprecated by a later GNU Radio, without a successor in 3.10.5.
OUTLIVED = {"blocks_throttle"}


def catches_sigterm(pid):
    """True once a process has a handler for it."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    caught = int(re.search(r"SigCgt:\s*(\w+)", status).group(1), 16)
    return caught >> (signal.SIGTERM - 1) & 1


def terminated(program):
    """Ends a program with a window; returns what it printed. A signal between its handler
    and its event loop only stops the flowgraph: then the signal is sent again."""
    for _ in range(10):  # 300 s in all
        program.send_signal(signal.SIGTERM)
        try:
            return program.communicate(timeout=30)[0]
        except subprocess.TimeoutExpired:
            pass
    raise AssertionError("SIGTERM does not end it")


class qa_grc_examples(GpufftTestCase):
    def setUp(self):
        GpufftTestCase.setUp(self)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_open_without_a_complaint(self):
        self.assertGreaterEqual(len(FLOWGRAPHS), 8)
        for file in FLOWGRAPHS:
            with self.subTest(flowgraph=file.name), self.assertNoLogs("gnuradio.grc"):
                flowgraph = opened(file)
                self.assertEqual(errors_of(flowgraph), [])
                deprecated = {b.key for b in flowgraph.blocks if b.deprecated}
                self.assertLessEqual(deprecated, OUTLIVED)

    def test_nothing_is_ignored(self):
        for file in FLOWGRAPHS:
            with self.subTest(flowgraph=file.name):
                flowgraph = opened(file)
                contents = platform().parse_flow_graph(str(file))
                self.assertEqual(len(flowgraph.connections), len(contents["connections"]))
                blocks = {block.name: block for block in flowgraph.blocks}
                for stored in contents["blocks"]:
                    known = set(blocks[stored["name"]].params)
                    self.assertLessEqual(set(stored["parameters"]), known)

    def test_python_output(self):
        for file in FLOWGRAPHS:
            with self.subTest(flowgraph=file.name):
                generator = platform().Generator(opened(file), str(self.folder))
                generator.write()
                compile(pathlib.Path(generator.file_path).read_text(), file, "exec")

    def test_cpp_output_is_not_limited_by_this_module(self):
        for file in FLOWGRAPHS:
            with self.subTest(flowgraph=file.name):
                flowgraph = opened(file)
                flowgraph.options_block.params["output_language"].set_value("cpp")
                flowgraph.validate()
                limits = {block.key for block, _ in errors_of(flowgraph)}
                ours = {key for key in limits if "gpufft" in key}
                self.assertLessEqual(ours, {"gpufft_spectrum_sink"})  # is in Python

    def test_drop_in_in_cpp(self):
        """Without GNU Radio's own FFT, whose C++ names a header that is not there."""
        # FFTW's wisdom of other tests comes and goes, and with it the last bit.
        cache = mock.patch.dict(os.environ, GPUFFT_CACHE_DIR=str(self.folder / "cache"))
        cache.start()
        self.addCleanup(cache.stop)
        results = []
        for language in ("python", "cpp"):
            folder = self.folder / language
            folder.mkdir()
            flowgraph = opened(EXAMPLES / "fft_vcc_dropin.grc")
            flowgraph.options_block.params["output_language"].set_value(language)
            flowgraph.options_block.params["gen_cmake"].set_value("On")
            for block in flowgraph.blocks:
                if block.name.startswith("stock"):
                    block.state = "disabled"
            flowgraph.rewrite()
            generator = platform().Generator(flowgraph, str(folder))
            generator.write()
            if language == "cpp":
                run(build_cpp(folder / "fft_vcc_dropin"), cwd=folder).check_returncode()
            else:
                run_python(generator.file_path, cwd=folder).check_returncode()
            results.append(np.fromfile(folder / "gpufft.cf32", np.complex64))
        self.assertEqual(len(results[0]), 100 * 1024)
        self.assertTrue(np.array_equal(*results))

    def test_spectrum_of_recording_runs(self):
        generator = platform().Generator(
            opened(EXAMPLES / "spectrum_of_recording.grc"), str(self.folder)
        )
        generator.write()
        recording = self.folder / "recording.cs16"
        self.random.integers(-99, 99, 2**20).astype(np.int16).tofile(recording)
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": str(self.folder),
        }
        with subprocess.Popen(
            [*END_WITHOUT_QT, generator.file_path, "--recording", recording],
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as program:
            try:
                told = any(
                    "power_spectrum :info: engine" in line for line in program.stdout
                )
                while program.poll() is None and not catches_sigterm(program.pid):
                    time.sleep(0.05)
                rest = terminated(program)
            finally:
                program.kill()
        self.assertTrue(told)
        self.assertEqual(program.returncode, 0, rest)


if __name__ == "__main__":
    gr_unittest.run(qa_grc_examples)
