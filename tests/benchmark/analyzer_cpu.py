#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a core gpufft analyzer needs: its window with all plots, and its page.

    analyzer_cpu.py [--seconds 20] [--engine cpu] [--size 4096]

The samples are those of the built-in scene, 10 Msps in real time. A line of CSV for the window
(offscreen, 1366 x 860) and one for the server of the page with one viewer of 1100 columns:
processor seconds (user and system, of all threads) over seconds. That hardly depends on other
work on the machine, but for the pictures: a busy one draws fewer than 30 a second. The column
`cores at 30` therefore counts what drawing takes 30 / (pictures a second) times, but the texts,
which change twice a second, once."""

import argparse
import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "apps"))
TICKS = os.sysconf("SC_CLK_TCK")
COLUMNS = 1100
RATE = 1e7  # of the scene
SETTLING = 3  # s


def processor_seconds(process=None):
    """Of this process, or of another one by its number."""
    if process is None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Stopwatch:
    """Calls a function, and adds up its thread's processor seconds."""

    def __init__(self, function):
        self._function, self.seconds = function, 0.0

    def __call__(self):
        start = time.thread_time()
        self._function()
        self.seconds += time.thread_time() - start


def measure_window(options, seconds):
    """(cores, cores that drawing takes, samples a second, pictures a second)."""
    from PyQt5.QtTest import QTest

    from gnuradio.gpufft.cli.analyzer import command

    command.open_display(True)
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["analyzer", *options])
    graph = command.make_flowgraph(arguments)
    window = command.make_window(graph, arguments)
    window.resize(1366, 860)
    window.show()
    graph.start()
    QTest.qWait(1000 * SETTLING)
    texts = Stopwatch(window.update_texts)
    window.update_texts = texts
    counts = lambda: (
        processor_seconds(),
        time.thread_time() - texts.seconds,  # this thread draws
        graph.samples(),
        window.session.frames,
    )
    start, before = time.monotonic(), counts()
    QTest.qWait(round(1000 * seconds))
    passed, after = time.monotonic() - start, counts()
    graph.stop()
    graph.wait()
    window.close()
    return [(b - a) / passed for a, b in zip(before, after)]


async def measure_page(url, process, seconds):
    """The same of a server, as far as a viewer can know."""
    from serve_testing import Viewer

    async with Viewer(url, COLUMNS) as viewer:
        begin = time.monotonic()
        while time.monotonic() < begin + SETTLING:
            first = await viewer.next_picture()
        start, before = time.monotonic(), processor_seconds(process)
        last = first
        while time.monotonic() < start + seconds:
            last = await viewer.next_picture()
        passed = time.monotonic() - start
        used = processor_seconds(process) - before
        pictures = last["picture"] - first["picture"]
        rate = viewer.texts["state"]["status"][0]
    print(f"# the page's status: {rate}", file=sys.stderr)
    return used / passed, 0.0, RATE, pictures / passed


def serve(options, seconds):
    """Measures the command that serves the page."""
    command = [os.environ.get("GPUFFT_COMMAND", "gpufft"), "analyzer", "--serve", "0"]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            url = server.stdout.readline().strip()
            return asyncio.run(measure_page(url, server.pid, seconds))
        finally:
            server.send_signal(signal.SIGINT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--size", default="4096")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    options = ["--engine", arguments.engine, "--size", arguments.size]
    print("display,size,cores,cores at 30,samples/s,pictures/s")
    for display, measure in (("window", measure_window), ("page", serve)):
        cores, drawing, samples, pictures = measure(options, arguments.seconds)
        full = cores + drawing * (30 / pictures - 1)
        line = f"{cores:.2f},{full:.2f},{samples:.4g},{pictures:.1f}"
        print(f"{display},{arguments.size},{line}", flush=True)


if __name__ == "__main__":
    from gnuradio.gpufft.cli import ending

    ending.run(main)
