# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources from which samples come one after the other: pipes, UDP, TCP, rtl_tcp, ZeroMQ."""

import socket
import struct

from gnuradio import blocks

from ..errors import CommandError, InputError
from ..formats import item_bytes, sample_bytes
from ..streams import StreamSource, stream_chain
from .source import Source, Tunable, import_part, told

CONNECT_SECONDS = 10
RECEIVE_BYTES = 1 << 23  # of datagrams that wait, as many as the system allows
ZMQ_TIMEOUT_MS = 100
ZMQ_CHECKED_MESSAGES, ZMQ_CHECK_MS = 10, 300
RTL_HEADER = struct.Struct(">4sII")  # "RTL0", type of the tuner, number of its gains
RTL_COMMAND = struct.Struct(">BI")
RTL_FREQUENCY, RTL_RATE, RTL_GAIN_MODE, RTL_GAIN = 1, 2, 3, 4


class StreamInput(Source):
    """Bytes from a descriptor, raw samples."""

    is_live = True

    def __init__(self, name, facts, descriptor, is_datagrams=False):
        """facts: (format, rate, frequency)."""
        self._stream = StreamSource(facts[0], descriptor, is_datagrams)
        super().__init__(name, *facts, stream_chain(self._stream, facts[0]))

    @property
    def end(self):
        """What the status line says at the end."""
        why = f": {self._stream.error}" if self._stream.error else ""
        return f"end of the stream{why}"

    def is_read(self):
        return self._stream.has_ended


class PipeSource(StreamInput):
    """Standard input, a pipe or a device."""

    def __init__(self, recording):
        facts = recording.format, recording.rate, recording.frequency
        super().__init__(recording.path.name, facts, recording.descriptor)


class UdpSource(StreamInput):
    """The datagrams that come to a port, as GNU Radio's UDP Sink sends them without headers."""

    can_lose = True

    def __init__(self, address, *facts):
        host, port = split_address(address, "--udp", "127.0.0.1")
        with told(f"--udp {address!r} cannot be used"):
            family, kind, protocol, _, place = socket.getaddrinfo(
                host, port, type=socket.SOCK_DGRAM
            )[0]
            self._socket = socket.socket(family, kind, protocol)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
            self._socket.bind(place)
        super().__init__(f"UDP {address}", facts, self._socket.fileno(), True)


class TcpSource(StreamInput):
    """The bytes that a TCP server sends."""

    def __init__(self, address, *facts):
        self._socket = connect(address, "--tcp")
        super().__init__(f"TCP {address}", facts, self._socket.fileno())


class RtlTcpSource(Tunable, StreamInput):
    """A receiver of an rtl_tcp server, or of one that speaks its protocol."""

    can_lose = True

    def __init__(self, address, rate, frequency, gain):
        """gain: in dB; None is automatic."""
        self._socket = connect(address, "--rtl-tcp")
        check_rtl_header(self._socket, address)
        with told(f"--rtl-tcp {address!r} refuses --rate, --freq or --gain"):
            self._send(RTL_RATE, rate)
            self._set_frequency(frequency)
            self._send(RTL_GAIN_MODE, 0 if gain is None else 1)
            if gain is not None:
                self._send(RTL_GAIN, 10 * gain)
        facts = "cu8", rate, frequency
        super().__init__(f"rtl_tcp {address}", facts, self._socket.fileno())

    def _set_frequency(self, frequency):
        self._send(RTL_FREQUENCY, frequency)

    def _send(self, command, value):
        if not 0 <= round(value) < 2**32:
            raise ValueError(f"{value:g} is not in the range 0 ... {2**32 - 1}")
        self._socket.sendall(RTL_COMMAND.pack(command, round(value)))


class ZmqSource(Source):
    """The samples of a ZeroMQ PUB socket, e.g. GNU Radio's PUB Sink. They are read as bytes:
    GNU Radio's source of items ends at a message with a part of an item."""

    is_live = True
    can_lose = True

    def __init__(self, address, format, rate, frequency):
        zeromq = import_part("zeromq", "ZeroMQ", "gnuradio")
        try:
            source = zeromq.sub_source(1, 1, address, ZMQ_TIMEOUT_MS, False)
        except RuntimeError as error:
            raise InputError(
                f"--zmq {address!r} cannot be used: {error} (write it like "
                f"tcp://host:5555)"
            ) from None
        check_messages(address, format)
        item, sample = item_bytes(format), sample_bytes(format)
        chain = (
            source,
            blocks.stream_to_vector(1, sample),
            blocks.vector_to_stream(item, sample // item),
        )
        super().__init__(f"ZeroMQ {address}", format, rate, frequency, chain)


def split_address(text, option, default_host):
    """(host, port) of "HOST:PORT" or, with a default host, of "PORT"."""
    host, colon, port = text.rpartition(":")
    is_port = (
        port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536
    )
    if not is_port or not (host or (default_host is not None and not colon)):
        example = "host:1234" if default_host is None else "5000 or 127.0.0.1:5000"
        raise InputError(
            f"{option} {text!r} is not an address: write it like {example} (ports are "
            f"1 to 65535)"
        )
    return host.strip("[]") or default_host, int(port)


def connect(address, option):
    """A socket that is connected to a server."""
    place = split_address(address, option, None)
    with told(f"{option} {address!r} cannot be connected"):
        connection = socket.create_connection(place, CONNECT_SECONDS)
    connection.settimeout(None)
    return connection


def check_rtl_header(connection, address):
    """Reads what an rtl_tcp server says first. Raises CommandError if it is something else."""
    connection.settimeout(CONNECT_SECONDS)
    header = b""
    with told(f"--rtl-tcp {address!r} is no rtl_tcp server"):
        while len(header) < RTL_HEADER.size:
            piece = connection.recv(RTL_HEADER.size - len(header))
            if not piece:
                raise ValueError("it closes the connection")
            header += piece
    if header[:4] != b"RTL0":
        raise CommandError(
            f"--rtl-tcp {address!r} is no rtl_tcp server: it begins with {header[:4]!r}, "
            f"not b'RTL0'"
        )
    connection.settimeout(None)


def check_messages(address, format):
    """Raises InputError if a message ends within a sample: a subscriber that joins after
    it takes second halves of samples for first ones. Checks the messages that come soon."""
    try:
        import zmq
    except ImportError:
        return
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SUBSCRIBE, b"")
        socket.connect(address)
        for _ in range(ZMQ_CHECKED_MESSAGES):
            if not socket.poll(ZMQ_CHECK_MS):
                return
            length = len(socket.recv())
            if length % sample_bytes(format):
                raise InputError(
                    f"--zmq {address!r}: a message has {length} bytes, no whole number "
                    f"of {format} samples ({sample_bytes(format)} bytes); let the "
                    f"publisher send whole ones (in GNU Radio: Stream to Vector before "
                    f"the PUB Sink)"
                )
