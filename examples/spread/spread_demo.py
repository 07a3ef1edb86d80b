#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Power spectra of a recording or a live stream, by the workers of a Dask cluster."""

import argparse
import contextlib
import functools
import logging
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from gnuradio import blocks, gpufft, gr
from gnuradio.gpufft import dask as gpufft_dask

KINDS = {  # items of a sample, and the block that takes them
    "cf32": (np.complex64, 1, gpufft.power_spectrum_cf),
    "cs16": (np.int16, 2, gpufft.power_spectrum_sf),
    "cs8": (np.int8, 2, gpufft.power_spectrum_bf),
}
TOLERANCE = 1e-6  # of a row: engines add up the mean of frames in other parts


class SpreadError(RuntimeError):
    """Ends the program with one line on stderr."""


def open_samples(arguments):
    """A block with the samples of the file or pipe. That of a receiver may stand here."""
    item, _, _ = KINDS[arguments.format]
    descriptor = os.open(arguments.samples, os.O_RDONLY)
    return blocks.file_descriptor_source(np.dtype(item).itemsize, descriptor)


def spectrum_parameters(arguments):
    """The parameters of power_spectrum."""
    names = "fft_size", "hop", "window", "average", "engine"
    return {name: getattr(arguments, name) for name in names}


def make_map(client, arguments):
    """The block from samples to rows. The last frame of a chunk ends fft_size - hop
    samples behind the beginning of the next."""
    item, items, _ = KINDS[arguments.format]
    return gpufft_dask.stream_map(
        client,
        functools.partial(gpufft_dask.power_spectrum, **spectrum_parameters(arguments)),
        in_sig=item,
        out_sig=(np.float32, arguments.fft_size),
        chunk=items * arguments.rows * arguments.average * arguments.hop,
        overlap=items * max(0, arguments.fft_size - arguments.hop),
        in_flight=arguments.in_flight,
        patience=arguments.patience,
    )


def run_flowgraph(arguments, spectrum, output):
    """Writes the rows to a file. Returns the seconds that it took."""
    flowgraph = gr.top_block()
    rows = blocks.file_sink(4 * arguments.fft_size, str(output))
    rows.set_unbuffered(True)
    flowgraph.connect(open_samples(arguments), spectrum, rows)
    start = time.perf_counter()
    flowgraph.start()
    waiting = threading.Thread(target=flowgraph.wait, daemon=True)
    waiting.start()
    while waiting.is_alive() and not spectrum.error():  # a pipe may be silent for long
        waiting.join(0.1)
    if spectrum.error():
        raise SpreadError(spectrum.error())
    return time.perf_counter() - start


def check(arguments):
    """Compares with the rows of one flowgraph without a cluster, and says how alike."""
    with tempfile.NamedTemporaryFile() as file:
        spectrum = KINDS[arguments.format][2](**spectrum_parameters(arguments))
        seconds = run_flowgraph(arguments, spectrum, file.name)
        expected = np.fromfile(file.name, np.float32).reshape(-1, arguments.fft_size)
    rows = np.fromfile(arguments.output, np.float32).reshape(-1, arguments.fft_size)
    if rows.shape != expected.shape:
        raise SpreadError(f"{len(rows)} rows; one flowgraph makes {len(expected)}")
    differences = np.linalg.norm(rows - expected, axis=1)
    alike = differences <= TOLERANCE * np.linalg.norm(expected, axis=1)
    if not alike.all():
        wrong = np.count_nonzero(~alike)
        raise SpreadError(f"{wrong} of {len(rows)} rows differ from one flowgraph's")
    same = np.count_nonzero(differences == 0)
    return f"{same} of {len(rows)} rows are as in one flowgraph ({seconds:.2f} s)"


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("samples", type=Path, help="file of raw I/Q samples, or a pipe as /dev/stdin")
    add("output", type=Path, help="file or pipe for the rows of float32")
    addresses = "tcp://HOST:PORT, tls://HOST:PORT, local:N or local (default)"
    add("--cluster", default="local", help=addresses)
    add("--tls", nargs=3, metavar=("CA", "CERT", "KEY"), help="PEM files for tls://")
    add("--format", choices=KINDS, default="cs16", help="default cs16")
    for name, value, what in (
        ("fft-size", 4096, "bins"),
        ("hop", 2048, "samples from frame to frame"),
        ("average", 16, "frames in a row"),
        ("rows", 32, "rows of a chunk"),
        ("in-flight", 16, "the most chunks on their way"),
    ):
        add(f"--{name}", type=positive, default=value, help=f"{what} (default {value})")
    add("--window", default="blackmanharris", help="default blackmanharris")
    add("--engine", choices=("auto", "cpu", "cuda"), default="auto")
    add("--patience", type=float, default=60, help="seconds without result (default 60)")
    add("--check", action="store_true", help="compare with the rows of one flowgraph")
    return parser.parse_args()


def positive(text):
    """A number of 1 or greater."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be an integer of 1 or greater")
    return int(text)


def say(text):
    """One line on stdout, at once."""
    print(text, flush=True)


@contextlib.contextmanager
def connected(address, security):
    """A client. An error while it is closed would hide the one before."""
    client = gpufft_dask.connect(address, security)
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):
            client.close()


def spread(arguments):
    """All of it."""
    if arguments.check and (arguments.samples.is_fifo() or arguments.output.is_fifo()):
        raise SpreadError("--check reads files, no pipes")
    security = gpufft_dask.tls(*arguments.tls) if arguments.tls else None
    with connected(arguments.cluster, security) as client:
        for worker in gpufft_dask.workers(client):
            say("worker {address}: {engine} {device}".format_map(worker))
        seconds = run_flowgraph(arguments, make_map(client, arguments), arguments.output)
    say(f"all rows written in {seconds:.2f} s")
    if arguments.check:
        say(check(arguments))


def main():
    """An error is one line, and status 1: then the rows are not complete."""
    # The block says what matters.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    arguments = parse_arguments()
    try:
        spread(arguments)
    except KeyboardInterrupt:
        os._exit(130)
    except (RuntimeError, ValueError, OSError) as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr, flush=True)
        os._exit(1)  # a flowgraph that reads a pipe does not end before the pipe


if __name__ == "__main__":
    main()
