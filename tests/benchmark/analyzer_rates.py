#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast gpufft analyzer's flowgraph runs, with and without its window and its density.

    analyzer_rates.py [--engine cuda] [--seconds 3] [--sizes 4096 4194304] [--file cs16]

A line of CSV for each case. Without a file the samples are noise that lies in the source's
buffer for good, so that nothing but what follows it takes time; the window is left out
then, whose drawing would hold that source up. With a file (its path, of interleaved int16;
best in /dev/shm) the same, and the real window at full speed."""

import argparse
import os
import time

import numpy as np
from gnuradio import gpufft, gr
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import command, flowgraph, settings, sources

ITEMS_OF_NOISE = 1 << 26  # more than the buffer has


class LyingNoise(gr.sync_block):
    """Interleaved int16 noise that is written once."""

    def __init__(self):
        gr.sync_block.__init__(self, "lying noise", None, [np.int16])
        self._left = ITEMS_OF_NOISE
        noise = np.random.default_rng(1).normal(0, 300, 1 << 20)
        self._noise = noise.astype(np.int16)
        self.set_output_multiple(2)

    def work(self, _input_items, output_items):
        out = output_items[0]
        if self._left > 0:
            self._left -= len(out)
            out[:] = np.resize(self._noise, len(out))
        return len(out)


def make_source(path):
    """From the file, or noise."""
    if path is None:
        return sources.Source("noise", "cs16", None, None, (LyingNoise(),))
    parser = argparse.ArgumentParser()
    command.add_sources(parser)
    return sources.make_source(parser.parse_args([path, "--format", "cs16"]))


class Case:
    """A running flowgraph, with its window or with what fetches pictures in its place."""

    def __init__(self, arguments, size, counts, has_window):
        now = settings.Settings(size=size)
        source = make_source(arguments.file)
        self.graph = flowgraph.AnalyzerFlowgraph(source, now, arguments.engine, 0, False)
        self.graph.set_counting(counts)
        self.window = None
        if has_window:
            parser = argparse.ArgumentParser()
            command.add_parser(parser.add_subparsers())
            options = parser.parse_args(["analyzer", "--levels=-120,0"])
            self.window = command.make_window(self.graph, options)
            self.window.show()
            if not counts:
                self.window.controls.switches["show_density"].setChecked(False)
        self.pictures = 0

    def spend(self, seconds):
        """Draws, or fetches, for so long; follows the rate twice a second."""
        from PyQt5.QtTest import QTest

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.window is not None:
                QTest.qWait(100)
                continue
            time.sleep(1 / 30)
            self.pictures += self.graph.view.take()["rows"] > 0

    def drawn(self):
        """Pictures so far."""
        return self.pictures if self.window is None else self.window.session.frames

    def measure(self, seconds):
        """(samples, rows, pictures) a second, in the steady state."""
        self.graph.start()
        before = self.graph.samples()
        self.spend(2)
        self.graph.follow_rate((self.graph.samples() - before) / 2)
        self.spend(1)
        start, before = time.monotonic(), self.counts()
        self.spend(seconds)
        passed, after = time.monotonic() - start, self.counts()
        if self.window is not None:
            self.window.update_texts()
        return [(b - a) / passed for a, b in zip(before, after)]

    def counts(self):
        """samples, rows, pictures."""
        return self.graph.samples(), self.graph.view.rows(), self.drawn()

    def close(self):
        self.graph.stop()
        self.graph.wait()
        if self.window is not None:
            self.window.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4096, 1 << 22])
    parser.add_argument("--file")
    parser.add_argument("--pictures", help="folder for the windows as PNG")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = command.open_display(True)
    windows = []  # kept: Python would take them apart in any order
    print("engine,source,size,density,window,frames a row,samples/s,rows/s,pictures/s")
    for size in arguments.sizes:
        for counts in (True, False):
            for has_window in (False,) if arguments.file is None else (False, True):
                case = Case(arguments, size, counts, has_window)
                windows.append(case)
                rates = case.measure(arguments.seconds)
                spectrum = case.graph.spectrum
                words = [spectrum.engine(), "file" if arguments.file else "noise", size]
                words += [counts, has_window, spectrum.average()]
                print(*words, *(f"{rate:.4g}" for rate in rates), sep=",", flush=True)
                if has_window and arguments.pictures:
                    name = f"analyzer_{size}_{counts}.png"
                    case.window.grab().save(os.path.join(arguments.pictures, name))
                case.close()
    print(f"# {gpufft.query_cuda()['reason'] or spectrum.describe()}")
    application.processEvents()


if __name__ == "__main__":
    ending.run(main)
