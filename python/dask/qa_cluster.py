#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections to clusters: what is there, and who is refused."""

import asyncio
import os
import socket
import unittest
from unittest import mock

import psutil
from gnuradio import gpufft
from gnuradio.gpufft.dask import ClusterError, checked, cluster, connect, tls, workers
from qa_cluster_support import LOOPBACK, PATIENCE, ClusterTestCase, tls_options


class QaConnect(ClusterTestCase):
    def test_local_workers_say_what_they_are(self):
        with connect("local:2", timeout=PATIENCE) as client:
            known = workers(client, PATIENCE)
            self.assertEqual(len({worker["address"] for worker in known}), 2)
            card = gpufft.query_cuda()["usable"]
            for worker in known:
                self.assertEqual(worker["version"], gpufft.version())
                self.assertEqual(worker["engine"], "cuda" if card else "cpu")
                self.assertEqual(bool(worker["device"]), card)
                self.assertEqual(worker["resources"], {"GPU": 1} if card else {})
            self.assertEqual(client.submit(checked(pow), 3, 4).result(PATIENCE), 81)
            self.assert_all_on_loopback()

    def test_one_card_for_each_worker(self):
        cards = {"usable": True, "devices": [{"name": "a"}, {"name": "b"}]}
        for visible, expected in ((None, ["0", "1"]), ("3,GPU-5", ["3", "GPU-5"])):
            environment = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
            with (
                mock.patch.object(gpufft, "query_cuda", lambda: cards),
                mock.patch.dict(os.environ, environment),
                connect("local", timeout=PATIENCE) as client,
            ):
                seen = client.run(os.getenv, "CUDA_VISIBLE_DEVICES")
                self.assertEqual(sorted(seen.values()), expected)
                for worker in workers(client, PATIENCE):
                    self.assertEqual(worker["resources"], {"GPU": 1})

    def assert_all_on_loopback(self):
        """Every port of this process and its children."""
        this = psutil.Process()
        found = [
            connection.laddr.ip
            for process in (this, *this.children(recursive=True))
            for connection in process.connections("tcp")
            if connection.status == psutil.CONN_LISTEN
        ]
        self.assertGreater(len(found), 2)
        self.assertEqual(set(found), {LOOPBACK})

    def test_nobody_there(self):
        with socket.socket() as silent:
            silent.bind((LOOPBACK, 0))
            silent.listen()
            for port in (1, silent.getsockname()[1]):
                address = f"tcp://{LOOPBACK}:{port}"
                with self.assertRaisesRegex(ClusterError, f"answers at {address}: Timed"):
                    connect(address, timeout=1)

    def test_addresses_of_another_form(self):
        for address in (
            "local:0",
            "local:",
            "local:1025",
            f"local:{'9' * 5000}",
            "127.0.0.1:8786",
            "tcp://host",
            "udp://a:1",
            "",
        ):
            with self.assertRaisesRegex(
                ValueError, f"cluster '{address}' must be tcp://"
            ):
                connect(address)

    def test_a_frozen_worker_delays_nobody(self):
        address = self.start_scheduler().address
        worker = self.start_worker(address)
        with connect(address, timeout=PATIENCE) as client:
            client.wait_for_workers(1, PATIENCE)
            self.freeze(worker)
            with connect(address, timeout=10):
                (about,) = workers(client, 5)
                self.assertEqual((about["version"], about["engine"]), ("", ""))


class QaVersions(ClusterTestCase):
    def test_another_version_is_refused(self):
        address = self.start_scheduler().address
        line = (
            rf"worker tcp://.* has gr-gpufft 0\.0\.1, .* has {gpufft.version()}: install"
        )
        with connect(address, timeout=PATIENCE) as client:
            self.start_worker(address, "--preload", self.preload_of_version("0.0.1"))
            client.wait_for_workers(1, PATIENCE)
            with self.assertRaisesRegex(ClusterError, line):
                connect(address, timeout=PATIENCE)
            with self.assertRaisesRegex(ImportError, line):  # it came after the client
                client.submit(checked(pow), 3, 4).result(PATIENCE)

    def test_a_client_that_does_not_close(self):
        """Why it is refused is told all the same."""
        for error in (asyncio.TimeoutError, OSError("no end"), AssertionError):
            with self.subTest(error=error):
                self.assert_refused(mock.Mock(**{"close.side_effect": error}))

    def assert_refused(self, client):
        worker = {"address": "tcp://a:1", "version": "0.0.1"}
        with (
            mock.patch.object(cluster, "Client", lambda **_: client),
            mock.patch.object(cluster, "workers", lambda *_: [worker]),
            self.assertRaisesRegex(
                ClusterError, r"worker tcp://a:1 has gr-gpufft 0\.0\.1"
            ),
        ):
            connect("tcp://b:2")

    def test_no_module_at_all(self):
        address = self.start_scheduler().address
        path = self.folder / "preload.py"
        path.write_text("import sys\nsys.modules['gnuradio.gpufft'] = None\n")
        with connect(address, timeout=PATIENCE) as client:
            self.start_worker(address, "--preload", path)
            client.wait_for_workers(1, PATIENCE)
            with self.assertRaisesRegex(
                ClusterError, "worker tcp://.* has gr-gpufft not"
            ):
                connect(address, timeout=PATIENCE)
            with self.assertRaisesRegex(ImportError, "worker tcp://.* has gr-gpufft not"):
                client.submit(checked(pow), 3, 4).result(PATIENCE)


class QaTls(ClusterTestCase):
    def test_a_stranger_without_a_key(self):
        ca = self.certificate("ca")
        member = (ca[0], *self.certificate("member", ca))
        stranger = (ca[0], *self.certificate("stranger"))  # signed by itself
        scheduler = self.start_scheduler(*tls_options(*member), protocol="tls")
        self.start_worker(scheduler.address, *tls_options(*stranger))
        self.wait_until(lambda: "handshake failed" in scheduler.log.read_text())
        for security in (None, tls(*stranger), tls(stranger[1], *stranger[1:])):
            with self.assertRaisesRegex(
                ClusterError, f"answers at {scheduler.address}: "
            ):
                connect(scheduler.address, security, timeout=2)
        with self.assertRaisesRegex(ClusterError, "answers at tcp://"):
            connect(scheduler.address.replace("tls", "tcp"), timeout=2)
        with connect(scheduler.address, tls(*member), timeout=PATIENCE) as client:
            self.assertEqual(workers(client), [])
            self.start_worker(scheduler.address, *tls_options(*member))
            self.assertEqual(client.submit(checked(pow), 3, 4).result(PATIENCE), 81)

    def test_certificates_where_none_are_needed_and_none_where_they_are(self):
        ca = self.certificate("ca")
        files = tls(ca[0], *self.certificate("member", ca))
        with self.assertRaisesRegex(ValueError, "'local:1' takes no files of cert"):
            connect("local:1", files)
        line = f"answers at tls://{LOOPBACK}:1: TLS needs three PEM files"
        with self.assertRaisesRegex(ClusterError, line):
            connect(f"tls://{LOOPBACK}:1")

    def test_files_that_are_not_there(self):
        with self.assertRaisesRegex(ClusterError, "no.pem cannot be read: No such file"):
            tls("no.pem", "no.pem", "no.pem")


if __name__ == "__main__":
    unittest.main()
