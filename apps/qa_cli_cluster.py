#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft spectrum --cluster: the files are, byte by byte, those of one machine, whatever the
chunks and wherever the samples come from."""

import importlib.util
import os
import unittest
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import distributed
import fsspec
import numpy as np

import cli_testing as cli
from cluster_testing import READ, SENT, ClusterRuns, http_server, small_cluster
from gnuradio import gpufft  # functions of a module travel with its name
from gnuradio.gpufft.cli import picture
from gnuradio.gpufft.cli.flowgraph import make_spectrum
from gnuradio.gpufft.cli.formats import sample_bytes
from gnuradio.gpufft.dask import chunks, cluster, recordings, wisdom

RATE = 1e6
TONES = cli.tones(120_000, (0.1, -0.3), (0.5, 0.05))
HAS_HTTP = all(map(importlib.util.find_spec, ("aiohttp", "requests")))
NOT_DRAWN = mock.patch.object(picture, "draw", lambda content, file: None)


@contextmanager
def chunks_of(rows, average, hop, format):
    """Makes chunks of `rows` rows; gives a list that gets those submitted."""
    size = rows * average * hop * sample_bytes(format)
    submit, submitted = recordings.RowQueue._submit, []

    def watched(queue, *arguments):
        submit(queue, *arguments)
        submitted.append(queue._flight[-1])

    with mock.patch.object(recordings, "CHUNK_BYTES", size):
        with mock.patch.object(recordings.RowQueue, "_submit", watched):
            yield submitted


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliCluster(ClusterRuns):
    @classmethod
    def setUpClass(cls):
        cls.cluster = small_cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.address = cls.cluster.scheduler_address

    @NOT_DRAWN
    def test_formats_in_one_three_and_many_chunks(self):
        for format, size, average, overlap in (
            ("cf32", 1000, 7, 0.5),
            ("cs16", 512, 1, 0.75),
            ("cs8", 100, 30, 0),
            ("cu8", 1024, 10, 0.9),
            ("rf32", 1024, 5, 0.5),
            ("rs16", 600, 8, 0.25),
            ("cs24be", 256, 50, 0.5),
        ):
            hop = round(size * (1 - overlap))
            rows = ((len(TONES) - size) // hop + 1) // average
            Path("x").write_bytes(cli.encode(TONES, format))
            options = ("--format", format, "--rate", RATE, "--size", size)
            options += ("--average", average, "--overlap", overlap, "--waterfall", "/")
            expected = self.run_here(["x"], *options)
            self.assertEqual(len(np.load("here/x.npy")), rows)
            for number in (1, 3, 20):
                in_each = -(-rows // number)
                with self.subTest(format=format, chunks=number):
                    with chunks_of(in_each, average, hop, format) as submitted:
                        self.run_there(expected, ["x"], *options)
                    self.assertEqual(len(submitted), -(-rows // in_each))
                    self.assertIn(READ, self.stderr)

    @NOT_DRAWN
    def test_what_is_done_with_rows(self):
        """Parts, bands, detectors, holds across chunks, rows with NaN."""
        x = TONES * np.linspace(1, 2, len(TONES))
        x[50_000] = np.nan
        Path("x.cf32").write_bytes(cli.encode(x, "cf32"))
        facts = ("--rate", RATE, "--freq", "100M", "--size", 500, "--average", 4)
        for options in (
            ("--start", "5ms", "--duration", "0.08"),
            ("--centre", "100.1M", "--span", "50k"),
            ("--hold", "max"),
            ("--hold", "min", "--span", "300k"),
            ("--detector", "max"),
            ("--detector", "min", "--hold", "max"),
            ("--detector", "kurtosis"),
            ("--window", "kaiser:8"),
        ):
            with self.subTest(options=options):
                with chunks_of(7, 4, 250, "cf32"):
                    outputs = ("--waterfall", "/", "--csv", "/")
                    self.compare(["x.cf32"], *facts, *options, *outputs)

    def test_files_with_headers_and_their_pictures(self):
        data = cli.encode(TONES, "cs16")
        Path("a.wav").write_bytes(
            cli.wav(data, 1, 16, 2, int(RATE), cli.chunk(b"LIST", bytes(999)))
        )
        cli.write_sigmf("b", TONES, "cf32", "cf32_le", RATE, 433e6, header=40)
        real = cli.wav(cli.encode(TONES, "rs24"), 1, 24, 1, 48000)
        Path("c.wav").write_bytes(real)
        with mock.patch.object(recordings, "CHUNK_BYTES", 100_000):
            outputs = ("--csv", "/", "--waterfall", "/", "--annotate", "/")
            files = self.compare(["a.wav", "b"], *outputs)
            self.compare(["c.wav"], "--csv", "/")
        ends = ("csv", "npy", "png", "sigmf-meta")
        self.assertEqual(sorted(files), sorted(f"{n}.{e}" for n in "ab" for e in ends))

    def test_one_of_several_fails(self):
        """The others do not wait for it, nor for its chunks."""
        for name in "abc":
            Path(f"{name}.cs8").write_bytes(cli.encode(TONES, "cs8"))
        Path("short.cs8").write_bytes(b"12")
        os.makedirs("there/b.png")
        names = [f"{name}.cs8" for name in "abc"]
        with mock.patch.object(recordings, "CHUNK_BYTES", 50_000):
            self.run_command(
                *("short.cs8", *names, "-o", "there/", "--cluster", self.address),
                *("--csv", "there/"),
                status=1,
            )
        self.assertIn("2 of 4 recordings could not be drawn", self.stderr)
        written = [(Path("there") / f"{name}.csv").exists() for name in "abc"]
        self.assertEqual(written, [True, False, True])

    def test_one_of_several_cannot_be_planned(self):
        """The chunks of the next are not given up with it."""
        for name in "abc":
            Path(f"{name}.cs8").write_bytes(cli.encode(TONES, "cs8"))
        os.makedirs("there")
        make_job = recordings.make_job

        def no_memory_for_b(recording, arguments):
            if recording.path.name == "b.cs8":
                raise MemoryError
            return make_job(recording, arguments)

        with mock.patch.object(recordings, "make_job", no_memory_for_b), NOT_DRAWN:
            names = ("a.cs8", "b.cs8", "c.cs8", "-o", "there/", "--csv", "there/")
            self.run_command(*names, "--cluster", self.address, status=1)
        self.assertIn("gpufft: out of memory\n", self.stderr)
        self.assertIn("1 of 3 recordings could not be drawn", self.stderr)
        written = [(Path("there") / f"{name}.csv").exists() for name in "abc"]
        self.assertEqual(written, [True, False, True])

    def test_urls(self):
        """Workers read file:// and http://, of which they need a part only."""
        data = cli.encode(TONES, "cs16")
        Path("a.wav").write_bytes(cli.wav(data, 1, 16, 2, int(RATE)))
        cli.write_sigmf("b", TONES, "cf32", "cf32_le", RATE, 433e6)
        folder = Path.cwd()
        with (
            http_server(folder) as server,
            mock.patch.object(recordings, "CHUNK_BYTES", 200_000),
        ):
            for name in ("a.wav", "b.sigmf-meta"):
                expected = self.run_here([folder / name], "--csv", "/")
                urls = [f"file://{folder}/{name}"]
                if HAS_HTTP:
                    urls.append(f"{server}/{name}?token=1")
                for url in urls:
                    with self.subTest(url=url):
                        self.run_there(expected, [url], "--csv", "/")
                        self.assertIn(READ, self.stderr)

    def test_the_client_sends_what_workers_do_not_see(self):
        """Chunk after chunk: this process's memory, and a file that is another one there."""
        data = cli.encode(TONES, "cs16")
        Path("a.cs16").write_bytes(data)
        with fsspec.open("memory://a.cs16", "wb") as file:
            file.write(data)
        facts = ("--rate", RATE, "--size", 512, "--average", 4, "--csv", "/")
        expected = self.run_here(["a.cs16"], *facts)
        with mock.patch.object(recordings, "BYTES_SENT", 1):
            with chunks_of(10, 4, 256, "cs16") as submitted:
                self.run_there(expected, ["memory://a.cs16"], *facts)
        self.assertIn(SENT, self.stderr)
        self.assertGreater(len(submitted), 10)
        Path("b.cs16").write_bytes(data * 5)  # Dask warns of arguments above 1 MB
        expected = self.run_here(["b.cs16"], *facts)
        with mock.patch.object(chunks, "identity", lambda path: "another"):
            self.run_there(expected, ["b.cs16"], *facts)
        *lines, last = self.stderr.splitlines()
        reason = f"{Path.cwd()}/b.cs16 is another file there"
        self.assertEqual(last, f"gpufft: b.cs16: {SENT}, as {reason}")
        self.assertTrue(all("gpufft: worker tcp" in line for line in lines), lines)

    def test_a_bounded_number_is_in_flight(self):
        Path("a.cs8").write_bytes(cli.encode(TONES, "cs8"))
        lengths, keys = [], []
        fill = recordings.RowQueue._fill

        def watched(queue, progress):
            result = fill(queue, progress)
            lengths.append(len(queue._flight))
            keys.extend(flight.future.key for flight in queue._flight)
            return result

        with chunks_of(2, 1, 128, "cs8"), NOT_DRAWN:
            with mock.patch.object(recordings.RowQueue, "_fill", watched):
                options = ("--size", 256, "--average", 1, "--cluster", self.address)
                self.run_command("a.cs8", *options)
                first = set(keys)
                keys.clear()
                self.run_command("a.cs8", *options)
        self.assertEqual(max(lengths), 2 * recordings.IN_FLIGHT)  # of two threads
        self.assertGreater(len(first), 100)
        self.assertFalse(first & set(keys))  # nothing is taken from the run before

    def test_the_next_is_computed_while_one_is_drawn(self):
        for name in "ab":
            Path(f"{name}.cs8").write_bytes(cli.encode(TONES, "cs8"))
        done = []

        def draw(content, file):
            flight = self.submitted[-1]
            distributed.wait(flight.future)
            done.append((content[0].title, flight.job.recording.path.name))

        with mock.patch.object(picture, "draw", draw):
            with chunks_of(1000, 1, 128, "cs8") as self.submitted:
                self.run_command(
                    *("a.cs8", "b.cs8", "--size", 256, "--cluster", self.address),
                )
        self.assertEqual(done, [("a.cs8", "b.cs8"), ("b.cs8", "b.cs8")])

    def test_workers_and_progress_are_shown(self):
        Path("a.cs8").write_bytes(cli.encode(TONES, "cs8"))
        self.run_command("a.cs8", "--cluster", self.address, "--progress")
        engine = "(cpu|cuda.*)" if cli.ENGINE == "auto" else cli.ENGINE
        for worker in self.cluster.workers.values():
            line = f"gpufft: worker {worker.worker_address}: engine {engine}"
            self.assertRegex(self.stderr, line)
        self.assertRegex(self.stderr, r"\d+%.* samples")

    def test_rows_in_python(self):
        Path("a.cf32").write_bytes(cli.encode(TONES, "cf32"))
        facts = {"rate": RATE, "size": 1000, "average": 3, "span": "200k"}
        options = [f"--{key}={value}" for key, value in facts.items()]
        with chunks_of(5, 3, 500, "cf32"), cluster.connect(self.address) as client:
            found = list(recordings.power_rows(client, ["a.cf32"] * 2, **facts))
        self.run_here(["a.cf32"], *options, "--waterfall", "/")
        rows = np.concatenate([rows for _, rows in found])
        one = np.load("here/a.npy")
        levels = 10 * np.log10(rows)
        np.testing.assert_allclose(levels, np.concatenate((one, one)), atol=1e-4)
        self.assertEqual(rows.shape[1], found[0][0].band.bins)

    def test_workers_take_the_clients_plans(self):
        """Also for lengths that they had planned otherwise."""
        make_spectrum("cs8", fft_size=1000, engine="cpu")
        texts = gpufft.fftw_wisdom().splitlines()  # a problem, then FFTW's text
        start = next(i for i, line in enumerate(texts) if " 1000 x " in line)
        own = texts[start : texts.index(")", start) + 1]
        solvers = [" ".join(line.split(" ")[2:4]) for line in own[2:-1]]
        swapped = [
            line.replace(solver, other)
            for line, solver, other in zip(own[2:-1], solvers, solvers[1:] + solvers[:1])
        ]
        other_plans = "\n".join((*own[:2], *swapped, own[-1]))

        def has_own():
            return set(gpufft.fftw_wisdom().splitlines()) >= set(own)

        def plan_otherwise():
            wisdom._taken[0] = "another client's"
            gpufft.prefer_fftw_wisdom(other_plans)
            return has_own()

        def take(key):
            wisdom.use(key)
            return has_own()

        with cluster.connect(self.address) as client:
            for found in client.run(plan_otherwise).values():
                self.assertFalse(found)
            key = wisdom.publish(client)
            taken = [
                client.submit(take, key, workers=[each], pure=False)
                for each in client.nthreads()
            ]
            self.assertEqual(client.gather(taken), [True, True])


if __name__ == "__main__":
    unittest.main()
