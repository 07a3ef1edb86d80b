# SPDX-License-Identifier: GPL-3.0-or-later
"""A session of gpufft analyzer under test, without a window: with a file, or with a source
that gives samples when the test says so, so that nothing depends on the clock."""

import argparse
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np
from gnuradio import gr

import cli_testing as cli
from gnuradio.gpufft.cli.analyzer import command
from gnuradio.gpufft.cli.analyzer.flowgraph import AnalyzerFlowgraph
from gnuradio.gpufft.cli.analyzer.session import Session
from gnuradio.gpufft.cli.analyzer.settings import Settings
from gnuradio.gpufft.cli.analyzer.source import Source
from gnuradio.gpufft.cli.formats import item_bytes, sample_bytes

RATE = 480e3
CENTRE = 100e6


def wait_for(condition, seconds=100):
    """Waits until condition() holds, or fails: a busy machine needs a while."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s")
        time.sleep(0.01)


class GatedBlock(gr.sync_block):
    """Gives bytes after release(), whole items at a time."""

    def __init__(self, item):
        out = (np.uint8, item) if item > 1 else np.uint8
        gr.sync_block.__init__(self, "gated", in_sig=None, out_sig=[out])
        self._item = item
        self._data, self._lock = b"", threading.Lock()

    def release(self, data):
        with self._lock:
            self._data += data

    def is_empty(self):
        return not self._data

    def work(self, _input, output_items):
        out = output_items[0]
        with self._lock:
            count = min(len(out), len(self._data) // self._item)
            size = count * self._item
            chunk, self._data = self._data[:size], self._data[size:]
        if count == 0:
            time.sleep(0.002)
            return 0
        out.reshape(-1)[:size] = np.frombuffer(chunk, np.uint8)
        return count


class GatedSource(Source):
    """A receiver whose samples the test releases."""

    is_live = True

    def __init__(self, format, rate=RATE, frequency=CENTRE):
        self.gate = GatedBlock(item_bytes(format))
        super().__init__("gated", format, rate, frequency, (self.gate,))


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class SessionTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.graph = None
        self.addCleanup(self.stop)

    def stop(self):
        if self.graph is not None:
            self.graph.stop()
            self.graph.wait()

    def open_file(self, x, format, *options):
        """A session on a file of samples, not yet running."""
        file = self.folder / f"x.{format}"
        file.write_bytes(cli.encode(x, format))
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        words = ("analyzer", file, "--format", format, "--rate", RATE, "--freq", CENTRE)
        words += ("--engine", cli.ENGINE, "--record-to", self.folder, *options)
        arguments = parser.parse_args(list(map(str, words)))
        self.graph = command.make_flowgraph(arguments)
        self.session = command.make_session(self.graph, arguments)

    def open_gated(self, format, rate=RATE, **settings):
        """A running session on samples that the test releases."""
        self.source = GatedSource(format, rate)
        settings = Settings(**{"size": 1024, "average": 1, "averaging": 0.0, **settings})
        self.graph = AnalyzerFlowgraph(self.source, settings, cli.ENGINE, 0, True)
        self.session = Session(self.graph, self.folder)
        self.graph.start()

    def release(self, data):
        """Gives bytes to the stream, and waits until the spectrum has seen them."""
        goal = self.graph.samples() + len(data) // sample_bytes(self.source.format)
        self.source.gate.release(data)
        wait_for(lambda: self.graph.samples() >= goal - 2 * self.graph.settings.size)

    def set(self, **texts):
        """Applies fields' texts, in order."""
        for name, text in texts.items():
            self.session.actions.set(name, text)

    def draw(self):
        """What a display does, each time."""
        self.session.take(100)
        self.session.recordings._polled = 0.0
        self.session.update()
