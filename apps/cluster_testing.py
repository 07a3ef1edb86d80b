# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of gpufft spectrum --cluster share: a cluster, runs with and without it, a
server of files."""

import os
import re
import shutil
import sys
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")

import distributed  # noqa: E402 (it reads the line above)

import cli_testing as cli
from gnuradio.gpufft.dask import cluster, crew
from spectrum_testing import SpectrumTest

sys.path.append(str(cli.PROJECT / "python" / "dask"))  # for qa_cluster_support

READ, SENT = "the workers read it themselves", "sent to the workers"


def small_cluster():
    """Two workers with one thread each, in processes of their own."""
    return distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    )


class ClusterRuns(SpectrumTest):
    """Runs the command with and without the cluster at `address`; an output "/" is a folder
    of that run."""

    address = None

    def setUp(self):
        """A busy machine takes longer than users wait for a worker that starts anew."""
        super().setUp()
        for module, limit in (crew, "WORKER_TIMEOUT"), (cluster, "SCHEDULER_TIMEOUT"):
            patient = mock.patch.object(module, limit, 1000.0)
            patient.start()
            self.addCleanup(patient.stop)

    def run_into(self, folder, names, options):
        """The bytes of all files that a run writes, by name."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        outputs = [f"{folder}/" if option == "/" else option for option in options]
        self.run_command(*names, "-o", f"{folder}/", *outputs)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}

    def run_here(self, names, *options):
        """Without a cluster."""
        return self.run_into("here", names, options)

    def run_there(self, expected, names, *options):
        """With the cluster: the files must be the expected ones."""
        found = self.run_into("there", names, (*options, "--cluster", self.address))
        self.assertEqual(sorted(found), sorted(expected))
        for name, content in expected.items():
            self.assertTrue(content == found[name], f"{name} differs")

    def compare(self, names, *options):
        """Both; returns the files."""
        expected = self.run_here(names, *options)
        self.run_there(expected, names, *options)
        return expected


class RangeHandler(SimpleHTTPRequestHandler):
    """Serves files, and parts of them, as real servers do."""

    def do_GET(self):
        data = Path(self.translate_path(urlsplit(self.path).path)).read_bytes()
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (part[1], part[2]) if part else (0, "")
        content = data[int(first) : int(last) + 1 if last else len(data)]
        self.send_response(206 if part else 200)
        if part:
            end = int(first) + len(content) - 1
            self.send_header("Content-Range", f"bytes {first}-{end}/{len(data)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self):
        if self.command == "HEAD":
            self.send_header("Accept-Ranges", "bytes")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def http_server(folder):
    """Serves a folder on this machine; gives the URL."""
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *request: RangeHandler(*request, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
