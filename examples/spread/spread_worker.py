#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker: takes chunks from the source, makes rows of power for the merger."""

import argparse
import collections
import time

import numpy as np
import pmt
from gnuradio import gr, zeromq
from spread_control import Client
from spread_protocol import (
    HEARTBEAT,
    Spec,
    parse_address,
    run_program,
    say,
    to_pmt,
    unpack,
    url,
    wait_for,
)


class OpenChunk(gr.interp_block):
    """Chunks to samples; each is padded with zeros to spec.chunk_rows steps."""

    def __init__(self, spec, opened):
        """opened: takes (run, sequence, rows) of each chunk for CloseChunk."""
        self._items = spec.chunk_rows * spec.step * spec.items
        gr.interp_block.__init__(
            self,
            "open_chunk",
            in_sig=[(np.uint8, spec.chunk_bytes)],
            out_sig=[spec.dtype],
            interp=self._items,
        )
        self._spec, self._opened = spec, opened

    def work(self, input_items, output_items):
        chunks = len(output_items[0]) // self._items
        for message, samples in zip(
            input_items[0][:chunks], output_items[0].reshape(-1, self._items)
        ):
            run, sequence, data = unpack(self._spec, message) or (0, 0, samples[:0])
            samples[: len(data)] = data
            samples[len(data) :] = 0
            rows = min(self._spec.rows, self._spec.rows_in(len(data) // self._spec.items))
            self._opened.append((run, sequence, rows))
        return chunks * self._items


class CloseChunk(gr.sync_block):
    """Rows to PDUs, one for each chunk; rows that extend into the next are dropped."""

    def __init__(self, spec, opened, name):
        gr.sync_block.__init__(
            self, "close_chunk", in_sig=[(np.float32, spec.fft_size)], out_sig=None
        )
        self._spec, self._opened, self._name = spec, opened, name
        self._rows = np.empty((spec.rows, spec.fft_size), np.float32)
        self._at = 0  # row of the chunk
        self.message_port_register_out(pmt.intern("rows"))

    def work(self, input_items, output_items):
        wanted = self._opened[0][2]
        count = min(len(input_items[0]), self._spec.chunk_rows - self._at)
        if self._at < wanted:
            count = min(count, wanted - self._at)
            self._rows[self._at : self._at + count] = input_items[0][:count]
        self._at += count
        if self._at == wanted and count:
            self._publish(*self._opened[0])
        if self._at == self._spec.chunk_rows:
            self._opened.popleft()
            self._at = 0
        return count

    def _publish(self, run, sequence, rows):
        about = {"run": run, "sequence": sequence, "worker": self._name}
        pdu = pmt.cons(pmt.to_pmt(about), to_pmt(self._rows[:rows]))
        self.message_port_pub(pmt.intern("rows"), pdu)


class Worker(gr.top_block):
    """PULL -> samples -> power spectrum -> rows -> PUSH."""

    def __init__(self, spec, source, merge, name, engine):
        gr.top_block.__init__(self, "spread worker")
        opened = collections.deque()
        pull = zeromq.pull_source(1, spec.chunk_bytes, url(*source), 100, False, 1)
        self.spectrum = spec.make_spectrum(**engine)
        push = zeromq.push_msg_sink(url(*merge), 100, False)
        self._open = OpenChunk(spec, opened)  # Python must keep its blocks
        self._close = CloseChunk(spec, opened, name)
        self.connect(pull, self._open, self.spectrum, self._close)
        self.msg_connect(self._close, "rows", push, "in")


def work(arguments):
    """Works for one run of the source, to its end."""
    wait_for("source", *arguments.source, arguments.wait)
    client = Client("worker", arguments.source)
    answer = client.ask()
    data = arguments.source[0], answer["data_port"]

    def is_over():
        return client.ask()["state"] != "running"

    for who, address in (("merger", arguments.merge), ("source's data", data)):
        if not wait_for(who, *address, arguments.wait, is_over):
            say("the source was done before this worker began")
            return
    engine = {"engine": arguments.engine, "device": arguments.device}
    worker = Worker(
        Spec(**answer["spec"]), data, arguments.merge, client.name, engine
    )
    say(f"working on engine {worker.spectrum.engine()}")
    worker.start()
    while answer["state"] == "running":
        time.sleep(HEARTBEAT)
        answer = client.ask()
    worker.stop()
    worker.wait()
    say("the source is done")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=parse_address, default=("127.0.0.1", 5550))
    parser.add_argument("--merge", type=parse_address, default=("127.0.0.1", 5552))
    parser.add_argument("--engine", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--device", type=int, default=0, help="index of the card")
    parser.add_argument(
        "--wait", type=float, default=30, help="seconds to wait for source and merger (default 30)"
    )
    work(parser.parse_args())


if __name__ == "__main__":
    run_program(main)
