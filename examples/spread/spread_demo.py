#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Source, workers and merger as processes on this machine; can kill a worker."""

import argparse
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
from gnuradio import blocks, gr
from spread_control import Client
from spread_protocol import SpreadError, run_program, say
from spread_source import add_source_options, file_chain, make_spec

TOLERANCE = 1e-6  # of a row: the mean of frames is added up in other parts
HERE = Path(__file__).resolve().parent


class Program:
    """One of the programs; its output appears under its name."""

    started = []

    def __init__(self, name, script, *words):
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, HERE / script, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        Program.started.append(self)

    def _read(self):
        for line in self._process.stdout:
            self._lines.append(line)
            say(f"{self.name}: {line.rstrip()}")

    def port(self):
        """The port that the program says it has."""
        while True:
            for line in list(self._lines):
                if " on port " in line:
                    return int(line.rpartition(" ")[2])
            if self._process.poll() is not None:
                raise SpreadError(f"{self.name} did not start")
            time.sleep(0.01)

    @staticmethod
    def end_all():
        """Ends those that still run."""
        for program in Program.started:
            if program._process.poll() is None:
                program._process.kill()

    def send_signal(self, number):
        self._process.send_signal(number)

    def has_said(self, words):
        """Whether they are in a line of its output."""
        return any(words in line for line in self._lines)

    def wait(self):
        """The exit status, when the program has ended and its output is shown."""
        status = self._process.wait()
        self._reader.join()
        return status


def disturb(arguments, worker, client, chunks):
    """Freezes a worker, so that it holds chunks, when half are done; then kills it, or lets
    it continue when others have done its work."""
    while client.ask()["acknowledged"] < chunks / 2:
        time.sleep(0.005)
    worker.send_signal(signal.SIGSTOP)
    time.sleep(0.3 if arguments.kill else 1.5 * arguments.timeout)
    worker.send_signal(signal.SIGKILL if arguments.kill else signal.SIGCONT)
    say(f"{worker.name} {'killed' if arguments.kill else 'returned'}")


def one_flowgraph(arguments, spec):
    """Rows of the same recording by a flowgraph on its own."""
    flowgraph = gr.top_block()
    spectrum = spec.make_spectrum(engine=arguments.engine)
    sink = blocks.vector_sink_f(spec.fft_size)
    flowgraph.connect(*file_chain(arguments.recording, spec, 0), spectrum, sink)
    flowgraph.run()
    return np.array(sink.data(), np.float32).reshape(-1, spec.fft_size)


def check(rows, expected):
    """Raises SpreadError unless the rows are the same, up to float rounding."""
    if rows.shape != expected.shape:
        raise SpreadError(f"{len(rows)} rows; one flowgraph makes {len(expected)}")
    differences = np.linalg.norm(rows - expected, axis=1)
    worst = np.max(differences / np.linalg.norm(expected, axis=1), initial=0)
    if not worst <= TOLERANCE:
        raise SpreadError(f"the rows differ from those of one flowgraph by {worst:g}")
    same = np.count_nonzero(differences == 0)
    say(
        f"{len(rows)} rows as of one flowgraph: {same} to the last bit, the others "
        f"within {worst:.1g}"
    )


def source_words(arguments):
    """The options for spread_source.py."""
    names = "fft_size hop window average rows rate chunks timeout give_up".split()
    if arguments.kind is not None:
        names.append("kind")
    for name in names:
        yield "--format" if name == "kind" else f"--{name.replace('_', '-')}"
        yield getattr(arguments, name)


def start_workers(arguments, *where):
    """Starts --workers workers, which take turns in the cards of --device."""
    return [
        Program(
            f"worker {number}",
            "spread_worker.py",
            *where,
            "--engine",
            arguments.engine,
            "--device",
            arguments.device[number % len(arguments.device)],
        )
        for number in range(arguments.workers)
    ]


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_source_options(parser)
    parser.add_argument("output", type=Path, help="file of rows of float32")
    parser.add_argument("--workers", type=int, default=3, help="default 3")
    parser.add_argument("--engine", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--device", type=int, nargs="+", default=[0], help="cards")
    parser.add_argument(
        "--late", type=float, default=0, help="seconds by which the workers start late"
    )
    harm = parser.add_mutually_exclusive_group()
    harm.add_argument("--kill", action="store_true", help="kill one in the middle")
    harm.add_argument(
        "--freeze", action="store_true", help="freeze one for longer than --timeout"
    )
    parser.add_argument(
        "--check", action="store_true", help="compare with one flowgraph's rows"
    )
    arguments = parser.parse_args()
    if arguments.workers < 1:
        parser.error(f"--workers {arguments.workers} must be 1 or greater")
    return arguments


def run_all(arguments, spec):
    """Starts all programs and waits for their ends."""
    source = Program(
        "source",
        "spread_source.py",
        *(arguments.recording, "--port", 0),
        *source_words(arguments),
    )
    address = f"127.0.0.1:{source.port()}"
    merger = Program(
        "merger",
        "spread_merge.py",
        *(arguments.output, "--port", 0, "--source", address),
    )
    merge = f"127.0.0.1:{merger.port()}"
    time.sleep(arguments.late)
    workers = start_workers(arguments, "--source", address, "--merge", merge)
    if arguments.kill or arguments.freeze:
        samples = arguments.recording.stat().st_size // spec.dtype.itemsize // spec.items
        host, port = address.split(":")
        disturb(
            arguments,
            workers[0],
            Client("observer", (host, int(port))),
            samples / (spec.rows * spec.step),
        )
    # Source, merger and the workers that are alive must end well, but for a worker that starts
    # when the source is done and finds nobody.
    programs = [source, merger, *workers[arguments.kill :]]
    failed = [each for each in programs if each.wait() != 0]
    late = [each for each in workers if each.has_said("no source at")]
    failed = [each.name for each in failed if each not in late]
    if failed:
        raise SpreadError(f"failed: {', '.join(failed)}")


def main():
    """The demo, and its check."""
    arguments = parse_arguments()
    spec = make_spec(arguments)
    try:
        run_all(arguments, spec)
    finally:
        Program.end_all()
    if arguments.check:
        check(
            np.fromfile(arguments.output, np.float32).reshape(-1, spec.fft_size),
            one_flowgraph(arguments, spec),
        )


if __name__ == "__main__":
    run_program(main)
