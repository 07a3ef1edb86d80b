#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spreads a recording or a live stream over workers: numbered chunks on a PUSH socket."""

import argparse
import os
import random
import signal
import threading
import time
from pathlib import Path

import numpy as np
from gnuradio import blocks, gr, zeromq
from spread_control import Server
from spread_protocol import (
    KINDS,
    LOOPBACK,
    Spec,
    SpreadError,
    add_port_options,
    pack,
    port_in_use,
    run_program,
    say,
    url,
)
from spread_window import Window


class Chunker(gr.sync_block):
    """Cuts a stream into overlapping chunks and puts them into the window."""

    def __init__(self, spec, window):
        gr.sync_block.__init__(self, "chunker", in_sig=[spec.dtype], out_sig=None)
        self._spec = spec
        self._window = window
        self._chunk = self._empty()
        self._filled = 0

    def _empty(self):
        return np.empty(self._spec.chunk_samples * self._spec.items, self._spec.dtype)

    def work(self, input_items, output_items):
        if not self._window.wait_for_room(0.1):
            return 0  # all wait, up to the file or the receiver
        count = min(len(input_items[0]), len(self._chunk) - self._filled)
        self._chunk[self._filled : self._filled + count] = input_items[0][:count]
        self._filled += count
        if self._filled == len(self._chunk):
            full, self._chunk = self._chunk, self._empty()
            self._filled = self._spec.overlap * self._spec.items
            self._chunk[: self._filled] = full[len(full) - self._filled :]
            self._window.put(full)
        return count

    def finish(self):
        """Ends the stream: the remaining samples, if they have a row, are the last chunk."""
        if self._spec.rows_in(self._filled // self._spec.items):
            while not self._window.wait_for_room(1):
                pass
            whole = self._filled - self._filled % self._spec.items
            self._window.put(self._chunk[:whole])
        self._window.close()


class Sender(gr.sync_block):
    """A stream of the chunks that the window has to send, for the PUSH socket."""

    def __init__(self, spec, window, run):
        gr.sync_block.__init__(
            self, "sender", in_sig=None, out_sig=[(np.uint8, spec.chunk_bytes)]
        )
        self._spec, self._window, self._run = spec, window, run

    def work(self, input_items, output_items):
        taken = self._window.take(0.1)
        if taken is None:
            return 0
        pack(self._spec, output_items[0][0], self._run, *taken)
        return 1


class SpreadSource:
    """Reads a chain of blocks to its end and delivers every chunk to the merger."""

    def __init__(
        self,
        spec,
        chain,
        *,
        bind=LOOPBACK,
        port=5550,
        window=32,
        timeout=2.0,
        give_up=60.0,
    ):
        """chain: blocks that end in items of spec.dtype, e.g. [receiver].
        bind: address to listen at, "0.0.0.0" for all of this host.
        port: for questions; samples leave by the next one (0: any two).
        window: chunks in memory. timeout: seconds until a chunk is sent again.
        give_up: seconds without any result after which the run ends."""
        self._give_up = give_up
        self._chunk_step = spec.rows * spec.step
        self._window = Window(window, timeout)
        run = random.getrandbits(63)
        self._sending = gr.top_block("spread source: sending")
        self._sender = Sender(spec, self._window, run)  # Python must keep its blocks
        try:
            # One chunk waits for each worker: the rest goes to whoever is ready.
            push = zeromq.push_sink(
                1, spec.chunk_bytes, url(bind, port and port + 1), 100, False, 1
            )
        except RuntimeError:
            raise port_in_use(bind, port + 1) from None
        push.set_max_noutput_items(1)  # a message is one chunk
        self._sending.connect(self._sender, push)
        self._reading = gr.top_block("spread source: reading")
        self._chunker = Chunker(spec, self._window)
        self._reading.connect(*chain, self._chunker)
        data_port = int(push.last_endpoint().rpartition(":")[2].rstrip("\0"))
        description = {"run": run, "spec": vars(spec), "data_port": data_port}
        self._server = Server(bind, port, description, self._window)
        self.port = self._server.port

    def _read(self):
        self._reading.start()
        self._reading.wait()
        self._chunker.finish()

    def run(self):
        """Returns when the merger has everything. Raises SpreadError if it cannot.

        Returns how many chunks there were, how often one was sent again, and how many
        samples a second were processed from the first acknowledgement to the last.
        """
        self._server.start()
        self._sending.start()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            while not self._window.finished:
                time.sleep(0.02)
                self._server.check_merger()
                self._check_progress()
            self._server.finish("done")
        except SpreadError as error:
            self._server.finish("failed", str(error))
            raise
        finally:
            self._reading.stop()
            self._sending.stop()
            self._sending.wait()
        rate = self._window.chunk_rate * self._chunk_step
        return self._window.total, self._window.sent_again, rate

    def stop(self):
        """Ends a live stream: the samples read so far are still processed."""
        self._reading.stop()

    def _check_progress(self):
        waiting = self._window.total - self._window.acknowledged
        if waiting and time.monotonic() - self._window.last_progress > self._give_up:
            raise SpreadError(
                f"no result for {self._give_up:g} s ({waiting} chunks wait): are there "
                f"workers and a merger, and what do they say?"
            )


def file_chain(path, spec, rate):
    """Blocks that read a raw recording, at `rate` samples a second if that is not 0."""
    try:
        size = os.stat(path).st_size
        with open(path, "rb"):
            pass
    except OSError as error:
        raise SpreadError(f"{path} cannot be read: {error.strerror}") from None
    samples = size // (spec.dtype.itemsize * spec.items)
    if not spec.rows_in(samples):
        row = spec.hop * (spec.average - 1) + spec.fft_size
        raise SpreadError(f"{path} holds {samples} samples; a row takes {row}")
    chain = [blocks.file_source(spec.dtype.itemsize, str(path), False)]
    if rate:
        chain.append(blocks.throttle(spec.dtype.itemsize, rate * spec.items, True))
    return chain


def add_spec_options(parser):
    """Options for the fields of Spec."""
    kinds = ", ".join(KINDS)
    parser.add_argument("--format", dest="kind", help=f"{kinds} (default: by extension)")
    for name, what in (
        ("fft-size", "bins"),
        ("hop", "samples from frame to frame"),
        ("average", "frames to a row"),
        ("rows", "rows to a chunk"),
    ):
        default = getattr(Spec, name.replace("-", "_"))
        parser.add_argument(
            f"--{name}", type=int, default=default, help=f"{what} (default {default})"
        )
    parser.add_argument("--window", default=Spec.window, help="default blackmanharris")


def add_source_options(parser):
    """Options for how chunks are sent."""
    parser.add_argument("recording", type=Path, help="raw file of I/Q samples")
    add_spec_options(parser)
    parser.add_argument(
        "--rate", type=float, default=0, help="samples a second (default: as many as possible)"
    )
    parser.add_argument(
        "--chunks", type=int, default=32, help="the most chunks in flight (default 32)"
    )
    parser.add_argument(
        "--timeout", type=float, default=2, help="seconds until a chunk is sent again (default 2)"
    )
    parser.add_argument(
        "--give-up", type=float, default=60, help="seconds without any result (default 60)"
    )


def make_spec(arguments):
    """The Spec of the options."""
    for name in ("timeout", "give_up", "chunks"):
        if not getattr(arguments, name) > 0:
            option = name.replace("_", "-")
            raise SpreadError(
                f"--{option} is {getattr(arguments, name):g}; it must be above 0"
            )
    if not arguments.rate >= 0:
        raise SpreadError(f"--rate is {arguments.rate:g}; it must be 0 or greater")
    kind = arguments.kind or arguments.recording.suffix[1:]
    if kind == "sigmf-data":
        raise SpreadError(f"{arguments.recording}: name the sample format by --format")
    names = ("fft_size", "hop", "window", "average", "rows")
    return Spec(kind, *(getattr(arguments, name) for name in names))


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_source_options(parser)
    add_port_options(parser, 5550, "for questions; samples leave by the next; ")
    arguments = parser.parse_args()
    spec = make_spec(arguments)
    spec.make_spectrum(engine="cpu")  # refuses here what every worker would
    source = SpreadSource(
        spec,
        file_chain(arguments.recording, spec, arguments.rate),
        bind=arguments.bind,
        port=arguments.port,
        window=arguments.chunks,
        timeout=arguments.timeout,
        give_up=arguments.give_up,
    )
    signal.signal(signal.SIGINT, lambda *_: source.stop())
    say(f"source on port {source.port}")
    start = time.perf_counter()
    chunks, again, rate = source.run()
    seconds = time.perf_counter() - start
    say(
        f"{chunks} chunks in {seconds:.2f} s, {again} of them sent again; "
        f"{rate / 1e6:.1f} Msps from the first result to the last"
    )


if __name__ == "__main__":
    run_program(main)
