#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The merger: rows of all workers in the order of the samples, each once, to a file."""

import argparse
import collections
import time
from pathlib import Path

import numpy as np
import pmt
from gnuradio import blocks, gr, zeromq
from spread_control import Client
from spread_protocol import (
    SILENCE,
    Spec,
    SpreadError,
    add_port_options,
    from_pmt,
    parse_address,
    port_in_use,
    run_program,
    say,
    url,
    wait_for,
)


class Merge(gr.sync_block):
    """PDUs of rows in any order, some twice, to one stream of rows in order.

    Rows that came early wait here: never more than the source's window of chunks.
    """

    def __init__(self, spec, run):
        gr.sync_block.__init__(
            self, "merge", in_sig=None, out_sig=[(np.float32, spec.fft_size)]
        )
        self._spec, self._run = spec, run
        self._early = {}  # sequence -> rows
        self._next = 0  # sequence number
        self._rows = np.empty((0, spec.fft_size), np.float32)  # to be written now
        self._received = collections.deque()
        self.total = None  # chunks, once the source knows it
        self.ended = False
        self.rows = 0  # handed on
        self.duplicates = 0
        self.by_worker = collections.Counter()
        self.message_port_register_in(pmt.intern("rows"))
        self.set_msg_handler(pmt.intern("rows"), self._take)

    def _take(self, pdu):
        """Called between two calls of work()."""
        about = pmt.to_python(pmt.car(pdu)) if pmt.is_pair(pdu) else None
        if not isinstance(about, dict) or about.get("run") != self._run:
            return  # of a worker that still works for an earlier run
        sequence = about["sequence"]
        if sequence < self._next or sequence in self._early:
            self.duplicates += 1
        else:
            rows = from_pmt(pmt.cdr(pdu), np.float32)
            self._early[sequence] = rows.reshape(-1, self._spec.fft_size)
            self.by_worker[about["worker"]] += 1
        self._received.append(sequence)

    def received(self):
        """Sequence numbers that have arrived since the last call."""
        return [self._received.popleft() for _ in range(len(self._received))]

    def work(self, input_items, output_items):
        if not len(self._rows):
            if self._next == self.total:
                self.ended = True
                return -1
            if self._next not in self._early:
                time.sleep(0.002)  # messages come between calls only
                return 0
            self._rows = self._early.pop(self._next)
            self._next += 1
        count = min(len(self._rows), len(output_items[0]))
        output_items[0][:count] = self._rows[:count]
        self._rows = self._rows[count:]
        self.rows += count
        return count


class Merger(gr.top_block):
    """PULL -> Merge -> file."""

    def __init__(self, spec, run, bind, port, path):
        gr.top_block.__init__(self, "spread merge")
        try:
            pull = zeromq.pull_msg_source(url(bind, port), 100, True)
        except RuntimeError:
            raise port_in_use(bind, port) from None
        self.port = int(pull.last_endpoint().rpartition(":")[2].rstrip("\0"))
        self.merge = Merge(spec, run)
        self._sink = blocks.file_sink(4 * spec.fft_size, str(path), False)
        self.connect(self.merge, self._sink)
        self.msg_connect(pull, "out", self.merge, "rows")


    def finish(self, chunks):
        """Writes what is left. A flowgraph with a message source ends by stop() only."""
        self.merge.total = chunks
        written, last = -1, time.monotonic()
        while not (self.merge.ended and written == self.merge.rows):
            time.sleep(0.01)
            now = self._sink.nitems_read(0)
            if now > written:
                written, last = now, time.monotonic()
            elif time.monotonic() - last > SILENCE:
                raise SpreadError("the output could not be written to its end")
        self.stop()
        self.wait()


def merge_all(merger, client):
    """Acknowledges chunks as they arrive, until the source has all acknowledgements."""
    merger.start()
    answer = {"state": "running"}
    while answer["state"] == "running":
        time.sleep(0.01)
        answer = client.ask(received=merger.merge.received())
    merger.finish(answer["chunks"])


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, help="file of rows of float32")
    parser.add_argument("--source", type=parse_address, default=("127.0.0.1", 5550))
    add_port_options(parser, 5552)
    parser.add_argument(
        "--wait", type=float, default=30, help="seconds to wait for the source (default 30)"
    )
    arguments = parser.parse_args()
    wait_for("source", *arguments.source, arguments.wait)
    client = Client("merge", arguments.source)
    answer = client.ask(received=[])
    try:
        arguments.output.open("wb").close()
    except OSError as error:
        raise SpreadError(
            f"{arguments.output} cannot be written: {error.strerror}"
        ) from None
    spec = Spec(**answer["spec"])
    merger = Merger(spec, client.run, arguments.bind, arguments.port, arguments.output)
    say(f"merging on port {merger.port}")
    merge_all(merger, client)
    merge = merger.merge
    shares = ", ".join(f"{name} {count}" for name, count in merge.by_worker.items())
    say(f"{merge.rows} rows; {merge.duplicates} duplicates dropped; chunks by {shares}")


if __name__ == "__main__":
    run_program(main)
