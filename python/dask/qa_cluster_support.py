# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of gpufft.dask: schedulers, workers as processes, certificates."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PATIENCE = 120  # seconds until what does not come is an error
LOOPBACK = "127.0.0.1"
LOCAL = ("--host", LOOPBACK, "--dashboard-address", f"{LOOPBACK}:0")
# Of a scheduler that gives a frozen worker up; a busy machine starves sound workers, too.
SHORT_TTL = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "8s"}
os.environ["GPUFFT_LONGEST_MEASURED"] = "0"  # the same plans in all processes
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class ClusterTestCase(unittest.TestCase):
    """Starts schedulers and workers, which end with the test, in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self._count = 0

    def start_python(self, *words):
        """Starts Python; what it says is in the file `process.log`."""
        self._count += 1
        log = self.folder / f"process{self._count}.log"
        with log.open("w") as file:
            process = subprocess.Popen(
                [sys.executable, *map(str, words)],
                cwd=self.folder,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        process.log = log
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_scheduler(self, *options, protocol="tcp"):
        """Starts a scheduler; process.address is where."""
        about = self.folder / f"scheduler{self._count}.json"
        scheduler = self.start_python(
            *(
                "-m",
                "dask",
                "scheduler",
                "--protocol",
                protocol,
                "--scheduler-file",
                about,
            ),
            *LOCAL,
            *("--port", 0, *options),
        )
        self.wait_until(
            lambda: about.exists() and about.read_text().strip().endswith("}")
        )
        scheduler.address = json.loads(about.read_text())["address"]
        return scheduler

    def start_worker(self, address, *options):
        """Starts a worker with one thread and without a nanny."""
        return self.start_python(
            *("-m", "dask", "worker", address, "--no-nanny", "--nthreads", 1),
            *LOCAL,
            *options,
        )

    def wait_until(self, condition):
        """Waits for a condition that must come."""
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def freeze(self, process):
        """Stops a process; it goes on before it is killed."""
        process.send_signal(signal.SIGSTOP)
        self.addCleanup(process.send_signal, signal.SIGCONT)

    def preload_of_version(self, version):
        """A file for a worker's option --preload: its module then has this version."""
        path = self.folder / "preload.py"
        path.write_text(
            f"from gnuradio import gpufft\ngpufft.version = lambda: {version!r}\n"
        )
        return path

    def certificate(self, name, authority=None):
        """Makes name.pem and name-key.pem, signed by the authority or by itself."""
        cert, key = self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"
        words = ["-keyout", key, "-out", cert, "-subj", f"/CN={name}", *CURVE]
        if authority:
            words += ["-CA", authority[0], "-CAkey", authority[1]]
        subprocess.run(
            ["openssl", "req", "-x509", "-days", "2", *words],
            check=True,
            capture_output=True,
        )
        return cert, key


def tls_options(ca, cert, key):
    """Options of the commands dask scheduler and dask worker."""
    return "--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key
