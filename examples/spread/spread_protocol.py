# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by source, workers and merger: the work, the chunks, addresses, errors.

A chunk is one message of `Spec.chunk_bytes` bytes: a header, then samples. Its rows come
back as a PDU: a dictionary (run, sequence, worker) and the rows as bytes.
"""

import argparse
import dataclasses
import os
import socket
import struct
import sys
import time

import numpy as np
import pmt
from gnuradio import gpufft

PAGE = 4096  # GNU Radio's buffers of items of whole pages are small
HEADER = struct.Struct("<8sQQQ32x")  # magic, run, sequence, samples; 64 bytes
MAGIC = b"gpuSPRD1"
BYTES_PMT = struct.Struct(">BBIBx")  # how pmt serialises a vector of bytes: see to_pmt()
LOOPBACK = "127.0.0.1"  # nobody else can ask: nothing is encrypted or authenticated
SILENCE = 5.0  # seconds without an answer after which a partner counts as gone
HEARTBEAT = 0.5  # seconds between two questions of a worker

KINDS = {
    "cf32": (np.dtype(np.complex64), 1, gpufft.power_spectrum_cf),
    "cs16": (np.dtype(np.int16), 2, gpufft.power_spectrum_sf),
    "cs8": (np.dtype(np.int8), 2, gpufft.power_spectrum_bf),
}


class SpreadError(Exception):
    """Ends a program with one line on stderr."""


@dataclasses.dataclass(frozen=True)
class Spec:
    """The work: a power spectrum of samples of `kind`, `rows` rows to a chunk.

    Row r is the mean power of `average` frames, `hop` samples apart, the first of which
    begins at sample r * step. Chunk c has rows c * rows and on, so it begins at sample
    c * rows * step and overlaps the next by what its last frame reaches into it.
    """

    kind: str = "cs16"
    fft_size: int = 4096
    hop: int = 2048
    window: str = "blackmanharris"
    average: int = 16
    rows: int = 8

    def __post_init__(self):
        if self.kind not in KINDS:
            raise SpreadError(
                f"sample format {self.kind!r} must be one of {', '.join(KINDS)}"
            )
        for name in ("fft_size", "hop", "average", "rows"):
            if getattr(self, name) < 1:
                raise SpreadError(
                    f"{name} is {getattr(self, name)}; it must be 1 or greater"
                )
        if self.chunk_bytes > 1 << 28:
            raise SpreadError(
                f"a chunk of {self.rows} rows has {self.chunk_bytes} bytes, more than "
                f"2^28: choose fewer rows to a chunk"
            )

    @property
    def dtype(self):
        """The type of an item; integers come as pairs of items."""
        return KINDS[self.kind][0]

    @property
    def items(self):
        """Items to a sample."""
        return KINDS[self.kind][1]

    @property
    def step(self):
        """Samples from row to row."""
        return self.hop * self.average

    @property
    def overlap(self):
        """Samples that a chunk shares with the next."""
        return max(0, self.fft_size - self.hop)

    @property
    def chunk_samples(self):
        """Samples of a whole chunk."""
        return self.rows * self.step + self.overlap

    @property
    def chunk_rows(self):
        """Rows that a worker's flowgraph makes of a chunk: the last ones are dropped.

        A chunk is filled up to whole steps there, so that the next begins with a row.
        """
        return self.rows + -(-self.overlap // self.step)

    @property
    def chunk_bytes(self):
        """Size of the message: header and samples, padded to whole pages."""
        size = HEADER.size + self.chunk_samples * self.items * self.dtype.itemsize
        return -(-size // PAGE) * PAGE

    def rows_in(self, samples):
        """Whole rows in a number of samples."""
        if samples < self.fft_size:
            return 0
        return ((samples - self.fft_size) // self.hop + 1) // self.average

    def make_spectrum(self, **engine):
        """The block that makes rows of samples. Its errors are one line each."""
        try:
            return KINDS[self.kind][2](
                self.fft_size,
                hop=self.hop,
                window=self.window,
                average=self.average,
                **engine,
            )
        except (ValueError, RuntimeError) as error:
            raise SpreadError(str(error)) from None


def pack(spec, message, run, sequence, samples):
    """Writes a chunk into `message`, an array of spec.chunk_bytes bytes."""
    size = HEADER.size + samples.nbytes
    message[: HEADER.size] = np.frombuffer(
        HEADER.pack(MAGIC, run, sequence, len(samples) // spec.items), np.uint8
    )
    message[HEADER.size : size] = samples.view(np.uint8)
    message[size:] = 0


def unpack(spec, message):
    """Run, sequence number and samples of a chunk; None if it is none of this work."""
    magic, run, sequence, samples = HEADER.unpack(message[: HEADER.size].tobytes())
    if magic != MAGIC or samples > spec.chunk_samples:
        return None
    size = samples * spec.items * spec.dtype.itemsize
    return run, sequence, message[HEADER.size : HEADER.size + size].view(spec.dtype)


def to_pmt(array):
    """A PMT of an array's bytes; pmt.init_u8vector would take them one by one."""
    vector = pmt.init_u8vector(0, [])
    kind = pmt.serialize_str(vector)[:2]
    return pmt.deserialize_str(BYTES_PMT.pack(*kind, array.nbytes, 1) + array.tobytes())


def from_pmt(vector, dtype):
    """The array of to_pmt()."""
    return np.frombuffer(pmt.serialize_str(vector), dtype, offset=BYTES_PMT.size)


def parse_address(text):
    """(host, port) of HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 1 <= int(port) <= 65535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not HOST:PORT with a port of 1 to 65535, as in 192.168.1.5:5550"
        )
    return host, int(port)


def url(host, port):
    """A ZeroMQ address; port 0: any."""
    return f"tcp://{host}:{port or '*'}"


def check_port(port):
    """Checks a port to listen at; 0 for any free one."""
    if not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"port {port!r} must be 0 (any) to 65535")
    return int(port)


def add_port_options(parser, port, what=""):
    """Options for where a program listens: by default on this host alone."""
    parser.add_argument(
        "--port", type=check_port, default=port, help=f"{what}default {port}"
    )
    parser.add_argument(
        "--bind",
        metavar="ADDRESS",
        default=LOOPBACK,
        help=f"address to listen at, 0.0.0.0 for all (default {LOOPBACK})",
    )


def port_in_use(bind, port):
    """The error where a port cannot be bound."""
    return SpreadError(
        f"port {port} is in use, or {bind} is no address of this host: end the program "
        f"that has the port, or choose with --port and --bind"
    )


def wait_for(who, host, port, seconds, is_over=lambda: False):
    """Waits until something listens there. (ZeroMQ would wait silently and forever.)

    False if it is_over() before."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, port), timeout=2).close()
            return True
        except OSError as error:
            reason = error.strerror or str(error)
        if is_over():
            return False
        if time.monotonic() >= deadline:
            raise SpreadError(
                f"no {who} at {host}:{port} for {seconds:g} s ({reason}): is the "
                f"address right, and is it running?"
            )
        time.sleep(0.2)


def say(text):
    """One line on stdout, at once."""
    print(text, flush=True)


def run_program(main):
    """Runs main() and ends the process; an error becomes one line and exit status 1.

    After an error the process ends at once, with its flowgraphs as they are: a block that
    waits for a partner who is gone would never end.
    """
    try:
        main()
        end_process(0)
    except SpreadError as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        end_process(1)
    except KeyboardInterrupt:
        end_process(130)


def end_process(status):
    """Ends without clearing up."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
