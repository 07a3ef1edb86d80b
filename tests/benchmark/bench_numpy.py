#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times gpufft's functions for numpy arrays beside those of scipy.fft, on the CPU.

    bench_numpy.py [--csv FILE] [--seconds S] [--workers K] [--commit NAME]

The sizes are those of SciPy's own benchmarks. A row for each case: microseconds of a
call (median, min and max over at least 30 rounds, which take both sides in turn) and how
much faster gpufft is, from the medians. With one thread they are the thread's CPU time,
so that other work on the machine does not count; with more, the clock's. Ends with the
geometric means.
"""

import argparse
import math
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy
import scipy.fft
from gnuradio import gpufft

LENGTHS = (100, 256, 313, 512, 1000, 1024, 2048, 4096, 8192)
SHAPES = ((100, 100), (313, 100), (1000, 100), (256, 256), (512, 512))
ROUNDS = 30
FIELDS = (
    "case,shape,dtype,ours_us,ours_us_min,ours_us_max,"
    "scipy_us,scipy_us_min,scipy_us_max,ratio"
)


def cases():
    """(function, array, further keywords), as SciPy's benchmarks have them."""
    random = np.random.default_rng(1)
    for shape in [(n,) for n in LENGTHS] + list(SHAPES):
        real = random.standard_normal(shape)
        both = real + 1j * random.standard_normal(shape)
        n = "n" if len(shape) > 1 else ""
        for x in (both, real, both.astype("F"), real.astype("f")):
            yield "fft" + n, x, {}
            yield "ifft" + n, x, {}
        for x in (real, real.astype("f")):
            yield "rfft" + n, x, {}
            yield "irfft" + n, getattr(scipy.fft, "rfft" + n)(x), {}
            for name in ("dct", "dst"):
                for kind in (1, 2, 3, 4):
                    yield name + n, x, {"type": kind}


def seconds_of(call, loops, clock):
    begin = clock()
    for _ in range(loops):
        call()
    return (clock() - begin) / loops


def time_case(name, x, keywords, seconds, clock):
    """Times of a call of ours and of SciPy's, a list of each."""
    calls = [
        lambda: getattr(gpufft, name)(x, **keywords),
        lambda: getattr(scipy.fft, name)(x, **keywords),
    ]
    expected = calls[1]()
    error = np.linalg.norm(calls[0]() - expected) / np.linalg.norm(expected)
    if not error < 1e-5:
        sys.exit(f"{name} of {x.shape} {x.dtype}: relative error {error}")
    share = seconds / ROUNDS / 2
    loops = [max(1, int(share / seconds_of(call, 3, clock))) for call in calls]
    times = [[], []]
    for _ in range(ROUNDS):
        for call, count, list_of_times in zip(calls, loops, times):
            list_of_times.append(1e6 * seconds_of(call, count, clock))
    return times


def cpu_name():
    """The model's name, and how many of its cores are here."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def commit_of_source():
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return "unknown"
    return done.stdout.strip()


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", default="", help='regular expression: "fft 100x100 "')
    parser.add_argument("--csv", help="where the rows go, too")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each case")
    parser.add_argument("--workers", type=int, default=1, help="threads of both sides")
    parser.add_argument("--commit", default=commit_of_source(), help="for the head")
    options = parser.parse_args()
    gpufft.set_engine("cpu")
    lines = [
        f"# cpu: {cpu_name()}",
        f"# gpufft {gpufft.version()}, commit {options.commit}, SciPy {scipy.__version__}, "
        f"NumPy {np.__version__}",
        f"# bench_numpy.py --seconds {options.seconds} --workers {options.workers}",
        FIELDS,
    ]
    print("\n".join(lines), flush=True)
    clock = time.thread_time if options.workers == 1 else time.perf_counter
    ratios = {}
    with scipy.fft.set_workers(options.workers):
        for name, x, keywords in cases():
            shape = "x".join(map(str, x.shape))
            case = name + "".join(f"_type{kind}" for kind in keywords.values())
            if not re.search(options.cases, f"{case} {shape} {x.dtype}"):
                continue
            ours, scipys = time_case(name, x, keywords, options.seconds, clock)
            ratio = statistics.median(scipys) / statistics.median(ours)
            family = name[:3] if name.startswith("d") else name.rstrip("n")
            ratios.setdefault(f"{family} {len(x.shape)}-D", []).append(ratio)
            figures = [
                f"{figure(times):.4g}"
                for times in (ours, scipys)
                for figure in (statistics.median, min, max)
            ]
            lines.append(",".join([case, shape, str(x.dtype), *figures, f"{ratio:.3f}"]))
            print(lines[-1], flush=True)
    every = [ratio for family in ratios.values() for ratio in family]
    for family, values in [*sorted(ratios.items()), ("all", every)]:
        lines.append(f"# geometric mean of {family}: {geometric_mean(values):.3f}")
        print(lines[-1])
    if options.csv:
        Path(options.csv).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
