#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""SciPy's own tests of scipy.fft, computed by gpufft on the CPU.

Two runs of pytest over the tests that the installed SciPy brings:

    backend  scipy/fft/tests, with gpufft.scipy_backend as the only backend of scipy.fft
    direct   scipy/fft/_pocketfft/tests, with gpufft's functions in place of those that
             they import from scipy.fft._pocketfft

What is left out, and why, is in scipy_suite_skips.txt; a line there that names no test
fails. GPUFFT_SCIPY_TESTS says where the tests are if SciPy was installed without them: a
folder that holds scipy/fft/tests and so on, or "fetch", which takes them from the wheel of
the same version on PyPI.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import pytest
import scipy
import scipy.fft
from gnuradio import gpufft

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = {"backend": "fft/tests", "direct": "fft/_pocketfft/tests"}
FEWEST_CALLS = 1000  # that reach gpufft in a run


def functions():
    """gpufft's functions that scipy.fft has too, by name."""
    names = [name for name in dir(scipy.fft) if hasattr(gpufft, name)]
    return {
        name: getattr(gpufft, name)
        for name in names
        if "fft" in name[:5] or name.rstrip("n") in ("dct", "idct", "dst", "idst")
    }


def read_skips():
    """[(beginning of a test's id, as the list writes it, reason)]"""
    skips = []
    with open(os.path.join(HERE, "scipy_suite_skips.txt"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                test, reason = line.split("|")
                skips.append((test.strip(), reason.strip()))
    return skips


def compile_start(start):
    """What the beginning of an id means: * is any text, {a,b} is a or b."""
    pattern = re.escape(start).replace(r"\*", ".*")
    choices = re.compile(r"\\{(.*?)\\}")
    return re.compile(
        choices.sub(lambda found: f"({found[1].replace(',', '|')})", pattern)
    )


class GpufftPlugin:
    """Brings gpufft to the tests of one run, and skips those of the list."""

    def __init__(self, run):
        self.folder = FOLDERS[run]
        self.calls = 0
        self.missing = []
        gpufft.set_engine("cpu")
        (self.serve_backend if run == "backend" else self.serve_directly)()

    def counted(self, function):
        def call(*arguments, **keywords):
            self.calls += 1
            return function(*arguments, **keywords)

        return call

    def serve_backend(self):
        backend = gpufft.scipy_backend
        backend.__ua_function__ = self.counted(backend.__ua_function__)
        scipy.fft.set_global_backend(backend, only=True)
        scipy.fft._helper.next_fast_len = gpufft.next_fast_len

    def serve_directly(self):
        modules = (scipy.fft._pocketfft, scipy.fft._pocketfft.realtransforms)
        for name, function in functions().items():
            for module in modules:
                if hasattr(module, name):
                    setattr(module, name, self.counted(function))

    def pytest_collection_modifyitems(self, items):
        ids = {}
        for item in items:
            place = str(item.path).replace(os.sep, "/")
            file = place[place.index("/" + self.folder) + 1 :]
            ids[item] = file + "::" + item.nodeid.split("::", 1)[1]
        for start, reason in read_skips():
            if not start.startswith(self.folder + "/"):
                continue
            pattern = compile_start(start)
            skipped = [item for item, name in ids.items() if pattern.match(name)]
            for item in skipped:
                item.add_marker(pytest.mark.skip(reason=reason))
            if not skipped:
                self.missing.append(start)

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.write_line(f"{self.calls} calls reached gpufft")


def fetch(folder):
    """Puts the tests of the installed version into a folder, from PyPI."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        + ["--only-binary=:all:", "--dest", folder, f"scipy=={scipy.__version__}"],
        check=True,
        timeout=1200,
    )
    wheel = glob.glob(os.path.join(folder, "scipy-*.whl"))[0]
    starts = [f"scipy/{tests}/" for tests in FOLDERS.values()]
    starts += ["scipy/fftpack/tests/", "scipy/conftest.py"]
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(
            folder,
            [name for name in archive.namelist() if name.startswith(tuple(starts))],
        )


def find_tests(scratch):
    """The folder scipy/ that holds the tests."""
    wanted = os.environ.get("GPUFFT_SCIPY_TESTS", "")
    if wanted == "fetch":
        fetch(scratch)
        wanted = scratch
    folder = os.path.join(wanted, "scipy") if wanted else os.path.dirname(scipy.__file__)
    if not os.path.isdir(os.path.join(folder, FOLDERS["direct"])):
        raise FileNotFoundError(
            f"{folder} has no {FOLDERS['direct']}: SciPy is installed without its tests; "
            'set GPUFFT_SCIPY_TESTS to a folder that has scipy/fft/tests, or to "fetch"'
        )
    return folder


def run_pytest(run, folder):
    """One run, in a process of its own; returns its exit status."""
    tests = os.path.join(folder, FOLDERS[run])
    # The tests import scipy.fft.tests, wherever they are.
    scipy.fft.__path__.append(os.path.join(folder, "fft"))
    plugin = GpufftPlugin(run)
    status = pytest.main(
        [
            "-q",
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore",
            "-rsf",
            "--tb=short",
            "--no-header",
        ]
        + ["--confcutdir", folder, tests],  # SciPy's fixtures are beside its fft
        plugins=[plugin],
    )
    for start in plugin.missing:
        print(f'scipy_suite_skips.txt: no test begins with "{start}"', file=sys.stderr)
    if plugin.calls < FEWEST_CALLS:
        print(f"only {plugin.calls} calls reached gpufft", file=sys.stderr)
    return int(status) or int(bool(plugin.missing) or plugin.calls < FEWEST_CALLS)


class qa_scipy_suite(unittest.TestCase):
    def check(self, run):
        with tempfile.TemporaryDirectory() as scratch:
            folder = find_tests(scratch)
            done = subprocess.run(
                [sys.executable, os.path.abspath(__file__), run, folder],
                env={**os.environ, "GPUFFT_CACHE_DIR": scratch},  # no FFTW wisdom
                capture_output=True,
                text=True,
                timeout=1400,
                check=False,
            )
        print(done.stdout[-6000:] + done.stderr[-2000:])
        self.assertEqual(done.returncode, 0)

    def test_backend(self):
        self.check("backend")

    def test_direct(self):
        self.check("direct")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in FOLDERS:
        sys.exit(run_pytest(sys.argv[1], sys.argv[2]))
    unittest.main()
