#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft analyzer with pipes, UDP, TCP and rtl_tcp: it shows what comes, says when it waits,
and where a stream has ended."""

import os
import socket
import struct
import tempfile
import threading
import unittest
from contextlib import contextmanager
from pathlib import Path

import zmq
from gnuradio import blocks, gr, network

import cli_testing as cli
from analyzer_testing import AnalyzerWindowTestCase, wait_for
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import meter, sources
from gnuradio.gpufft.cli.analyzer.network import split_address
from gnuradio.gpufft.cli.errors import CommandError, InputError

RATE, CENTRE = 1e6, 100e6
TONE = 26214 / (1 << 18)  # cycles a sample
TONES = cli.tones(1 << 18, (TONE,), (0.1,))
LEVEL = -20  # dBFS
TURNS = cli.encode(TONES[: 1 << 17], "cs16")  # whole turns


@contextmanager
def repeated(send):
    """Context manager: calls send() 20 times a second, in a thread."""
    end = threading.Event()

    def run():
        while not end.wait(0.05):
            send()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


class Server:
    """Context manager: a TCP server that serve(connection) answers one client with."""

    def __init__(self, serve):
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run)
        self.end = threading.Event()

    def _run(self):
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # nobody came
        with connection:
            try:
                self._serve(connection, self.end)
            except OSError:
                pass  # the client has gone

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


class RtlTcp:
    """Serves like rtl_tcp: a carrier at a fixed frequency, as a receiver sees it."""

    def __init__(self, carrier):
        self.carrier = carrier
        self.commands = {}

    def serve(self, connection, end):
        """Reads commands and sends samples until `end`."""
        connection.sendall(struct.pack(">4sII", b"RTL0", 5, 29))
        connection.settimeout(0.001)
        received = b""
        while not end.is_set():
            try:
                received += connection.recv(1024)
            except TimeoutError:
                pass
            while len(received) >= 5:
                command, value = struct.unpack(">BI", received[:5])
                self.commands[command], received = value, received[5:]
            connection.settimeout(100)
            connection.sendall(self.samples())
            connection.settimeout(0.001)

    def samples(self):
        """20000 samples; the carrier makes whole turns in them."""
        offset = self.carrier - self.commands.get(1, self.carrier)
        turns = round(20000 * offset / RATE)
        return cli.encode(cli.tones(20000, (turns / 20000,), (0.1,)), "cu8")


class QaCliSources(AnalyzerWindowTestCase):
    def open_source(self, *source, wait=True):
        facts = ("--rate", RATE, "--freq", CENTRE)
        self.open(source=(*source, *facts), wait=wait)

    def expect_tone(self):
        """The window's strongest peak becomes the tone; rows of before may still be in the
        mean."""

        def is_there():
            self.window.update_texts()
            peaks = self.session.peaks
            return (
                peaks
                and abs(peaks[0].frequency - (CENTRE + TONE * RATE)) < 100
                and abs(peaks[0].level - LEVEL) < 0.5
            )

        wait_for(is_there)

    def status(self):
        self.window.update_texts()
        return self.session.status[0]

    def notice(self):
        """What stands over the spectrum."""
        label = self.window._notice._label
        return label.text if label.isVisible() else ""

    def fifo(self, name):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / name
        os.mkfifo(path)
        return path

    def test_fifo(self):
        """Waits, shows what comes, and says when it has ended."""
        path = self.fifo("x.cs16")
        self.open_source(path, "--format", "cs16", wait=False)
        self.assertIn("waiting for samples", self.status())
        self.assertEqual(self.notice(), "waiting for samples")
        with open(path, "wb", buffering=0) as pipe:
            with repeated(lambda: pipe.write(TURNS)):
                self.expect_tone()
                self.assertEqual(self.notice(), "")
            wait_for(lambda: "waiting for samples" in self.status())
            self.assertEqual(self.notice(), "waiting for samples")
        wait_for(lambda: "end of the stream" in self.status())
        self.assertEqual(self.notice(), "")
        self.assertNotIn("speed", self.window.controls.fields)
        self.enter("size", "1009")  # the stream is not there any more
        self.assertIn("end of the stream", self.status())

    def test_a_publisher_that_is_silent(self):
        """It waits for the first sample and after the last one."""
        with zmq.Context.instance().socket(zmq.PUB) as publisher:
            port = publisher.bind_to_random_port("tcp://127.0.0.1")
            address = f"tcp://127.0.0.1:{port}"
            self.open_source("--zmq", address, "--format", "cs16", wait=False)
            wait_for(lambda: self.notice() == "waiting for samples")
            self.assertIn("waiting for samples", self.status())
            with repeated(lambda: publisher.send(TURNS)):
                self.expect_tone()
                self.assertEqual(self.notice(), "")
            wait_for(lambda: self.notice() == "waiting for samples")
            self.assertIn("waiting for samples", self.status())

    def test_change_of_size_while_samples_come(self):
        path = self.fifo("x.cu8")
        self.open_source(path, wait=False)
        with open(path, "wb") as pipe:
            end = threading.Event()
            data = cli.encode(TONES, "cu8")

            def send():
                try:
                    while not end.is_set():
                        pipe.write(data)
                except OSError:
                    pass

            sender = threading.Thread(target=send)
            sender.start()
            try:
                self.next_picture()
                self.enter("size", "1009")
                self.next_picture()
                self.assertEqual(self.graph.settings.size, 1009)
                self.settle()
                self.expect_tone()
            finally:
                end.set()
                self.graph.stop()
                drain(path, sender)

    def test_udp(self):
        """From a plain socket and from GNU Radio's sink."""
        port = free_port()
        self.open_source("--udp", port, "--format", "cf32", wait=False)
        self.assertIn("waiting for samples", self.status())
        with socket.socket(type=socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.2", port))  # the port is free at other addresses
        graph = gr.top_block()
        source = blocks.vector_source_c(list(TONES), True)
        throttle = blocks.throttle(8, RATE / 10)  # no datagram is lost on a busy machine
        sink = network.udp_sink(8, 1, "127.0.0.1", port, 0, 1472, False)
        graph.connect(source, throttle, sink)
        graph.start()
        try:
            self.expect_tone()
        finally:
            graph.stop()
            graph.wait()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            before = self.graph.samples()
            for _ in range(20):
                sender.sendto(b"", ("127.0.0.1", port))  # no end
                sender.sendto(bytes(65504), ("127.0.0.1", port))
            wait_for(lambda: self.graph.samples() >= before + 8188)
        self.assertNotIn("end of the stream", self.status())

    def test_tcp(self):
        """The server sends, then closes."""

        def serve(connection, _):
            connection.sendall(cli.encode(TONES, "cs8"))

        with Server(serve) as server:
            address = f"127.0.0.1:{server.port}"
            self.open_source("--tcp", address, "--format", "cs8", wait=False)
            self.expect_tone()
            wait_for(lambda: "end of the stream" in self.status())
        self.assertGreater(self.graph.samples(), len(TONES) - 4096)

    def test_tcp_connection_that_breaks(self):
        def serve(connection, _):
            connection.sendall(cli.encode(TONES, "cs8"))
            linger = struct.pack("ii", 1, 0)  # closing sends RST
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

        with Server(serve) as server:
            address = f"127.0.0.1:{server.port}"
            self.open_source("--tcp", address, "--format", "cs8", wait=False)
            wait_for(lambda: "end of the stream" in self.status())
        self.assertIn("end of the stream: Connection reset by peer", self.status())

    def test_rtl_tcp(self):
        """It is told rate, frequency and gain, and can be tuned."""
        carrier = CENTRE + TONE * RATE
        receiver = RtlTcp(carrier)
        with Server(receiver.serve) as server:
            self.open_source("--rtl-tcp", f"127.0.0.1:{server.port}", "--gain", "19.7")
            wait_for(lambda: 4 in receiver.commands)
            self.assertEqual(receiver.commands, {1: CENTRE, 2: RATE, 3: 1, 4: 197})
            self.expect_tone()
            self.enter("tune", "100.2 MHz")
            wait_for(lambda: receiver.commands[1] == 100.2e6)
            self.assertEqual(self.graph.source.frequency, 100.2e6)
            self.settle()
            self.expect_tone()
            self.enter("tune", "5GHz")
            self.assertIn("the receiver refuses 5000 MHz", self.said())
            self.assertEqual(self.graph.source.frequency, 100.2e6)

    def test_servers_that_are_none(self):
        facts = ("--rate", "1M", "--freq", "1M")
        port = free_port()
        for option in ("--tcp", "--rtl-tcp"):
            with self.assertRaisesRegex(CommandError, "cannot be connected"):
                self.make(option, f"127.0.0.1:{port}", "--format", "cu8", *facts)
        for header, words in (
            (b"HTTP/1.1 400", "begins with b'HTTP'"),
            (b"RT", "closes"),
        ):
            with Server(lambda connection, _, h=header: connection.sendall(h)) as server:
                with self.assertRaisesRegex(CommandError, words):
                    self.make("--rtl-tcp", f"127.0.0.1:{server.port}", *facts)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{other.getsockname()[1]}"
            with self.assertRaisesRegex(CommandError, "Address already in use"):
                self.make("--udp", address, "--format", "cu8")

    def make(self, *words):
        """The source of a command line."""
        return sources.make_source(self.parse(*words))

    def test_real_samples_from_zero_to_half_the_rate(self):
        for name, size in (("x.rf32", 4096), ("x.rs16", 1009)):
            path = Path(self.enterContext(tempfile.TemporaryDirectory())) / name
            path.write_bytes(cli.encode(TONES, name[2:]))
            facts = ("--format", name[2:], "--rate", RATE, "--size", size)
            self.open(source=(path, *facts))
            axis = self.session.axis
            low, high = (edge * axis.divisor for edge in self.session.band)
            self.assertAlmostEqual(low, 0, delta=1)
            self.assertAlmostEqual(high, RATE / 2, delta=1)
            self.assertEqual(axis.label, "Frequency (kHz)")
            self.assertEqual(self.text("span"), "500 kHz")
            self.settle()
            self.window.update_texts()
            self.assertAlmostEqual(
                self.session.peaks[0].frequency, TONE * RATE, delta=100
            )
            picture = self.session.picture
            self.assertEqual(picture["first_bin"], size // 2)
            self.assertEqual(picture["first_bin"] + picture["bins"], size)
            self.assertTrue((picture["average_bin"] >= size // 2).all())
            self.enter("centre", "-100 kHz")
            self.assertAlmostEqual(self.session.band[0], 0, delta=1e-9)
            self.close()

    def test_addresses(self):
        for text, default, expected in (
            ("5000", "", ("", 5000)),
            ("127.0.0.1:1", "", ("127.0.0.1", 1)),
            ("host:65535", None, ("host", 65535)),
            ("[::1]:80", None, ("::1", 80)),
        ):
            self.assertEqual(split_address(text, "--udp", default), expected)
        for text, default in (
            ("5000", None),
            ("host:", ""),
            (":80", None),
            ("host:0", ""),
            ("host:65536", ""),
            ("host:x", ""),
            ("", ""),
        ):
            with self.subTest(text=text), self.assertRaises(InputError):
                split_address(text, "--udp", default)

    def test_silence(self):
        silence = meter.Silence()
        samples = ((0, 0), (1, 0), (2, 500), (3.9, 500), (4.1, 500), (5, 501))
        waits = [silence.update(now, count) for now, count in samples]
        self.assertEqual(waits, [True, True, False, False, True, False])


def free_port():
    """A port of UDP and TCP that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def drain(path, sender):
    """Reads a FIFO until its sender has ended."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    while sender.is_alive():
        try:
            os.read(descriptor, 1 << 20)
        except BlockingIOError:
            pass
        sender.join(0.01)
    os.close(descriptor)


if __name__ == "__main__":
    ending.run(unittest.main)
