# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the tests of the examples: the engine under test, and running the commands
and the flowgraphs without a screen.

GPUFFT_TEST_ENGINE names the engine, "cpu" if unset. With "cuda" a machine without a
usable GPU skips all (ctest label `gpu`).
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import yaml
from gnuradio import gpufft

ENGINE = os.environ.get("GPUFFT_TEST_ENGINE", "cpu")


class ExampleTestCase(unittest.TestCase):
    """Has a folder of its own, `self.folder`; skips without the engine."""

    @classmethod
    def setUpClass(cls):
        if ENGINE == "cuda" and not gpufft.query_cuda()["usable"]:
            raise unittest.SkipTest(gpufft.query_cuda()["reason"])

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_example(self, script, *arguments):
        """Runs an example with a picture; returns what it printed."""
        picture = self.folder / "picture.png"
        words = ["--engine", ENGINE, "--plot", picture, *arguments]
        done = subprocess.run(
            [sys.executable, str(script), *(str(word) for word in words)],
            text=True,
            capture_output=True,
            timeout=1200,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        return done.stdout


def grc_variables(grc):
    """The values of a flowgraph's variables and sliders, by name."""
    blocks = yaml.safe_load(Path(grc).read_text())["blocks"]
    values = {}
    for block in blocks:
        if block["id"] == "import":
            exec(block["parameters"]["imports"], values)
    waiting = {
        block["name"]: block["parameters"]["value"]
        for block in blocks
        if block["id"].startswith("variable")
    }
    while waiting:  # one that needs another waits for it
        known = len(waiting)
        for name, text in list(waiting.items()):
            try:
                values[name] = eval(str(text), values)
                del waiting[name]
            except NameError:
                pass
        if len(waiting) == known:
            raise ValueError(f"{grc}: no value for {', '.join(waiting)}")
    return values


# What the interpreter says when it frees objects of PyQt5 at its end, after the flowgraph's,
# and one of them is gone: once in 50 ends of a program that GNU Radio generates.
QT_AT_EXIT = "Garbage-collecting\n  <no Python frame>"


def run_grc(grc, folder, sizes, timeout=600):
    """Compiles `grc` into `folder` and runs it until each file sink has its size.

    sizes: bytes by the name of the flowgraph's parameter that takes the file's name.
    Returns the bytes by that name; the flowgraph must have ended in good order.
    """
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)}
    environment["PYTHONFAULTHANDLER"] = "1"  # a crash says where
    done = subprocess.run(
        ["grcc", "-o", str(folder), str(grc)],
        env=environment,
        text=True,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)
    identity = yaml.safe_load(Path(grc).read_text())["options"]["parameters"]["id"]
    files = {name: Path(folder) / name for name in sizes}
    command = [sys.executable, str(Path(folder) / f"{identity}.py")]
    for name, file in files.items():
        command += [f"--{name.replace('_', '-')}", str(file)]
    log = Path(folder) / "log"
    with log.open("w") as output:
        flowgraph = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=output, stderr=output
        )
        try:
            wait_for_sizes(flowgraph, files, sizes, timeout)
            flowgraph.send_signal(signal.SIGTERM)
            flowgraph.wait(timeout)
        finally:
            flowgraph.kill()
            flowgraph.wait()
    said = log.read_text()
    is_of_qt = flowgraph.returncode == -signal.SIGSEGV and QT_AT_EXIT in said
    if flowgraph.returncode != 0 and not is_of_qt:
        raise RuntimeError(f"status {flowgraph.returncode}\n{said}")
    return {name: file.read_bytes()[: sizes[name]] for name, file in files.items()}


def wait_for_sizes(flowgraph, files, sizes, timeout):
    """Waits until each file has its length, or the flowgraph has ended."""
    end = time.monotonic() + timeout

    def size(file):
        return file.stat().st_size if file.exists() else 0

    while any(size(file) < sizes[name] for name, file in files.items()):
        if flowgraph.poll() is not None or time.monotonic() > end:
            lengths = {name: size(file) for name, file in files.items()}
            log = (files[next(iter(files))].parent / "log").read_text()
            raise RuntimeError(f"{lengths} bytes instead of {sizes}\n{log}")
        time.sleep(0.05)
