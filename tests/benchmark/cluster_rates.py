#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a Dask cluster on this machine is beside one flowgraph, and its scheduler.

    cluster_rates.py [--workers 1 2] [--rows 32 128] [--sleepers 0.1 0.3 1]

Lines of CSV. `flowgraph` is power_spectrum alone, `stream_map` the same on workers that
get chunks of so many samples, `recording` on workers that read a file; all read int16
from /dev/shm. The processor time of a
million samples, in the client and in all workers, depends less than the rate on what else
the machine does. `tasks` are empty tasks, as many a second as the scheduler passes on;
`sleepers` are 200 workers whose tasks sleep for so many seconds, with what they would do
a second if the scheduler took no time."""

import argparse
import asyncio
import contextlib
import functools
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import distributed
import numpy as np
import psutil
from gnuradio import blocks, gpufft, gr
from gnuradio.gpufft import dask as gpufft_dask
from gnuradio.gpufft.dask import recordings

SPECTRUM = {"fft_size": 4096, "hop": 2048, "average": 16, "window": "hann"}
LOCAL = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
SLEEPERS = 200
RUNS = 3


def processor_seconds(processes):
    """What the processes have used so far."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def measure(file, samples, spectrum, workers=()):
    """The rate of a flowgraph."""

    def run():
        flowgraph = gr.top_block()
        source = blocks.file_source(2, file, True)
        head = blocks.head(2, 2 * samples)
        sink = blocks.null_sink(4 * SPECTRUM["fft_size"])
        flowgraph.connect(source, head, spectrum, sink)
        flowgraph.run()
        if spectrum.error():
            sys.exit(spectrum.error())

    return rates_of(run, samples, workers)


def rates_of(run, samples, workers):
    """Samples a second, the best of some runs after one that makes plans; processor
    seconds of a million samples in this process and in the workers, the mean."""
    run()
    groups, rates = ([psutil.Process()], workers), []
    used = [-processor_seconds(each) for each in groups]
    for _ in range(RUNS):
        begin = time.perf_counter()
        run()
        rates.append(samples / (time.perf_counter() - begin))
    used = [before + processor_seconds(each) for before, each in zip(used, groups)]
    return max(rates), *(1e6 * seconds / samples / RUNS for seconds in used)


def stream_map(client, rows, in_flight):
    """The block under test; rows of power in a chunk."""
    return gpufft_dask.stream_map(
        client,
        functools.partial(gpufft_dask.power_spectrum, **SPECTRUM),
        np.int16,
        (np.float32, SPECTRUM["fft_size"]),
        chunk=2 * rows * SPECTRUM["average"] * SPECTRUM["hop"],
        overlap=2 * (SPECTRUM["fft_size"] - SPECTRUM["hop"]),
        in_flight=in_flight,
    )


def recording(client, file):
    """Takes the rows of a recording that the workers read."""
    options = {
        "format": "cs16",
        "size": SPECTRUM["fft_size"],
        "overlap": 1 - SPECTRUM["hop"] / SPECTRUM["fft_size"],
        "average": SPECTRUM["average"],
        "window": SPECTRUM["window"],
    }
    for _ in recordings.power_rows(client, [file], **options):
        pass


def nothing(_):
    """An empty task."""


def tasks_a_second(client, function, arguments):
    """How many tasks a second are done."""
    begin = time.perf_counter()
    distributed.wait(client.map(function, arguments, pure=False))
    return len(arguments) / (time.perf_counter() - begin)


def host_workers(address, count):
    """Many workers in this process: they only sleep."""

    async def run():
        options = {"nthreads": 1, "host": LOCAL[1], "dashboard_address": LOCAL[3]}
        workers = [distributed.Worker(address, **options) for _ in range(count)]
        await asyncio.gather(*workers)
        await asyncio.gather(*(worker.finished() for worker in workers))

    asyncio.run(run())


@contextlib.contextmanager
def sleepers():
    """The client of a scheduler, a process of its own, with SLEEPERS workers."""
    with tempfile.TemporaryDirectory() as folder:
        about = Path(folder, "scheduler.json")
        words = ["scheduler", *LOCAL, "--port", "0", "--scheduler-file", about]
        with subprocess.Popen(
            [sys.executable, "-m", "dask", *map(str, words)], stderr=subprocess.DEVNULL
        ) as scheduler:
            while not about.exists() or not about.read_text("utf-8").strip().endswith(
                "}"
            ):
                time.sleep(0.1)
            address = json.loads(about.read_text("utf-8"))["address"]
            hosts = [
                multiprocessing.Process(
                    target=host_workers, args=(address, SLEEPERS // 4)
                )
                for _ in range(4)
            ]
            for host in hosts:
                host.start()
            try:
                with distributed.Client(address) as client:
                    client.wait_for_workers(SLEEPERS, 300)
                    yield client
            finally:
                for host in hosts:
                    host.kill()
                scheduler.kill()


def say(what, workers, size, *numbers):
    """One line of CSV."""
    texts = (f"{number:.4g}" for number in (size, *numbers))
    print(what, workers, *texts, sep=",", flush=True)


def measure_rates(arguments):
    """One flowgraph, and workers with chunks of several sizes."""
    noise = np.random.default_rng(1).normal(0, 3000, 1 << 25).astype(np.int16)
    samples = arguments.samples
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
        for first in range(0, 2 * samples, noise.size):
            file.write(noise[: 2 * samples - first])
        file.flush()
        for threads in (1, 2):
            spectrum = gpufft.power_spectrum_sf(**SPECTRUM, nthreads=threads)
            say(
                f"flowgraph with nthreads={threads}",
                0,
                0,
                *measure(file.name, samples, spectrum),
            )
        for workers in arguments.workers:
            with gpufft_dask.connect(f"local:{workers}") as client:
                processes = [
                    psutil.Process(pid) for pid in client.run(os.getpid).values()
                ]
                for rows in arguments.rows:
                    block = stream_map(client, rows, 4 * workers)
                    chunk = rows * SPECTRUM["average"] * SPECTRUM["hop"]
                    numbers = measure(file.name, samples, block, processes)
                    say("stream_map", workers, chunk, *numbers)
                run = functools.partial(recording, client, file.name)
                chunk = recordings.CHUNK_BYTES // 4
                numbers = rates_of(run, samples, processes)
                say("recording", workers, chunk, *numbers)
                rate = max(
                    tasks_a_second(client, nothing, range(2000)) for _ in range(RUNS)
                )
                say("tasks", workers, 0, rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--rows", type=int, nargs="+", default=[8, 32, 128, 256])
    parser.add_argument("--samples", type=int, default=200_000_000)
    parser.add_argument("--sleepers", type=float, nargs="*", default=[0.1, 0.3, 1.0])
    arguments = parser.parse_args()
    load = os.getloadavg()[1]
    cuda = gpufft.query_cuda()["reason"] or "CUDA"
    print(f"# {os.cpu_count()} cores, {cuda}; load before this: {load:.1f}")
    print("# flowgraph, stream_map, recording: samples a chunk, samples a second,")
    print("# processor seconds of a million samples in the client and in the workers.")
    print("# tasks: 0, tasks a second.")
    print("# sleepers: seconds a task, tasks a second, those without a scheduler's time")
    print("what,workers,size,rate,client or ideal,in workers")
    measure_rates(arguments)
    if arguments.sleepers:
        with sleepers() as client:
            for seconds in arguments.sleepers:
                wanted = SLEEPERS / seconds
                times = [seconds] * int(max(4 * SLEEPERS, 4 * wanted))
                rate = tasks_a_second(client, time.sleep, times)
                say("sleepers", SLEEPERS, seconds, rate, wanted)


if __name__ == "__main__":
    main()
