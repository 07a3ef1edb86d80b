# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft verify`: the accuracy certificate of an engine."""

import math
import os

import numpy as np
from gnuradio import gpufft

from . import accuracy, accuracy_csv, axes
from .errors import CommandError, InputError
from .jobs import run_in_processes
from .output import OutputFile
from .quantities import parse_integer, parse_range

ENGINES = ("auto", "cuda", "cpu")
# Options of what is measured, and their values where nobody gave them.
MEASURING = {
    "engine": "auto",
    "device": "0",
    "algorithm": "",
    **dict.fromkeys(("lengths", "sample", "jobs", "shapes", "recipes", "part", "commit")),
}
CHIRPS = ("bluestein", "bluestein-inexact")  # with the exact index, and without


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "verify",
        help="check the error of every length against its bound",
        description="Transforms random numbers of every length from 1 to 4096 and of "
        "large and prime lengths to 2^24, both ways, and compares them with double "
        "precision. The relative L2 error must not exceed C eps sqrt(log2 N), eps = "
        "2^-24, C = 1.0 for lengths with the prime factors 2 to 13, else 1.6 (log2 N is at "
        "least 1). The exit status is 1 if an error does.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("--engine", default="auto", help="auto, cuda or cpu (default auto)")
    add("--device", default="0", help="index of the GPU (default 0)")
    add(
        "--algorithm",
        default="",
        help="of the cuda engine; lengths that it cannot compute are left out",
    )
    add("--lengths", help="only these, e.g. 1-64,1009,65536")
    add("--sample", metavar="K", help="only K of the lengths, always the same ones")
    add(
        "--jobs",
        help="processes (default: one for each core); 0: none but this one, as tools need "
        "that watch a process",
    )
    add(
        "--chirp",
        action="store_true",
        help="instead: forward + inverse of primes to 2^20 by Bluestein, with and "
        "without the exact index of the chirp",
    )
    add(
        "--axes",
        action="store_true",
        help="instead: several axes, complex, real and DCT: all shapes to 40x40 and 300 "
        "more, batches of 1, 2, 3, 17 and many, by every recipe that a plan may get",
    )
    add("--shapes", help="with --axes: only these, e.g. 16x8,4x5x6")
    add(
        "--recipes",
        metavar="R",
        help="with --axes: candidates of the planner for each problem (default 1, the one "
        "it chooses; gpufft tune takes 24)",
    )
    add("--part", metavar="I/N", help="only the I-th of N parts, 1/N ... N/N")
    add(
        "--from",
        metavar="CSV",
        dest="source",
        help="measure nothing: check and draw earlier results, CSV,CSV together",
    )
    add("--csv", help="write every result")
    add("--commit", help="the commit that the head of the CSV names")
    add("--plot", metavar="PNG", help="draw the errors and their bounds")
    progress = "show the progress bar at once, even if stderr is not a terminal"
    add("--progress", action="store_true", help=progress)


def run(arguments):
    """Runs the subcommand."""
    earlier = arguments.source.split(",") if arguments.source is not None else ()
    with (
        OutputFile(arguments.plot, ".png", earlier) as png,
        OutputFile(arguments.csv, apart_from=(*earlier, arguments.plot)) as csv,
    ):
        if arguments.axes:
            finish_axes(arguments, csv)
            return
        if arguments.chirp:
            finish_chirp(*chirp_results(arguments), csv, png)
            return
        head, results = accuracy_results(arguments)
        csv.save(accuracy_csv.write, (head, results))
        if png.file is not None:
            from . import accuracy_plot  # matplotlib takes half a second to import

            png.save(accuracy_plot.draw, results)
    judge(results)


def accuracy_results(arguments):
    """(head, an accuracy.Accuracy for each transform), measured or read."""
    if arguments.source is not None:
        return accuracy_csv.read(earlier_files(arguments))
    return measure(*settings(arguments), arguments)


def chirp_results(arguments):
    """(head, (n, rmse with the exact index, without) for each prime), likewise."""
    if arguments.source is not None:
        return accuracy_csv.read_chirp(earlier_files(arguments))
    return measure_chirp(*settings(arguments), arguments)


def finish_axes(arguments, csv):
    """Transforms of several axes: measured, written, judged."""
    for option in ("lengths", "source", "plot"):
        if getattr(arguments, option) is not None:
            name = "from" if option == "source" else option
            raise InputError(f"--{name} does not go with --axes")
    if arguments.chirp or arguments.algorithm:
        raise InputError("--chirp and --algorithm do not go with --axes")
    device = parse_integer(arguments.device, "--device", 0, 1023)
    tasks = axes.tasks(arguments, check_engine(arguments), device)
    jobs = parse_jobs(arguments)
    found = run_in_processes(axes.check, tasks, jobs, "shapes", arguments.progress)
    results = [each for some in found for each in some]
    csv.save(axes.write, (accuracy_csv.machine(arguments.commit), results))
    axes.judge(results)


def parse_jobs(arguments):
    """How many processes."""
    if arguments.jobs is None:
        return os.cpu_count() or 1
    return parse_integer(arguments.jobs, "--jobs", 0, 1024)


def earlier_files(arguments):
    """The names in --from, each once. Raises InputError if an option asks to measure, too."""
    for option, unsaid in MEASURING.items():
        if getattr(arguments, option) != unsaid:
            raise InputError(
                f"--{option} does not go with --from, which measures nothing"
            )
    return dict.fromkeys(arguments.source.split(","))


def settings(arguments):
    """(lengths, jobs, options of gpufft.plan), checked."""
    device = parse_integer(arguments.device, "--device", 0, 1023)
    for option in ("shapes", "recipes"):
        if getattr(arguments, option) is not None:
            raise InputError(f"--{option} goes with --axes only")
    lengths = choose_lengths(arguments)
    return (
        lengths,
        parse_jobs(arguments),
        {"engine": check_engine(arguments), "device": device},
    )


def choose_lengths(arguments):
    """The lengths to go through, ascending."""
    if arguments.lengths is not None:
        lengths = parse_lengths(arguments.lengths)
        if arguments.chirp:
            lengths = [n for n in lengths if accuracy.is_prime(n)]
            if not lengths:
                raise InputError(f"--lengths {arguments.lengths!r} holds no prime")
    elif arguments.chirp:
        lengths = accuracy.chirp_primes()
    else:
        lengths = [*range(1, accuracy.LARGEST_OF_ALL + 1), *accuracy.large_lengths()]
    if arguments.sample is not None:
        count = parse_integer(arguments.sample, "--sample", 1)
        random = np.random.default_rng(1)
        chosen = random.choice(lengths, min(count, len(lengths)), replace=False)
        lengths = sorted(int(n) for n in chosen)
    return axes.part_of(lengths, arguments.part)


def parse_lengths(text):
    """[1, 2, 3, 64] of "1-3,64"."""
    lengths = set()
    for part in text.split(","):
        lengths.update(parse_range(part, accuracy.MAX_LENGTH))
    return sorted(lengths)


def check_engine(arguments):
    """The engine to verify. Raises CommandError if it cannot be used."""
    if arguments.engine not in ENGINES:
        raise InputError(
            f"--engine {arguments.engine!r} is unknown: use {', '.join(ENGINES)}"
        )
    of_cards = {
        "--chirp": arguments.chirp,
        "--algorithm": arguments.algorithm,
        "--recipes": arguments.recipes is not None,
    }
    given = [option for option, value in of_cards.items() if value]
    if given and arguments.engine == "cpu":
        raise InputError(f"{given[0]} tests the GPU's kernels: it has no --engine cpu")
    names = gpufft.algorithm_names()
    if arguments.algorithm and arguments.algorithm not in names:
        raise InputError(
            f"--algorithm {arguments.algorithm!r} is unknown: use {', '.join(names)}"
        )
    if arguments.engine != "cuda" and not given:
        return arguments.engine
    cuda = run_in_processes(cuda_status, [()], 1, "look")[0]
    if not cuda["usable"]:
        raise CommandError(f"engine cuda cannot be used here: {cuda['reason']}")
    return "cuda"


def cuda_status():
    """Runs in another process: this one must not have used CUDA when it forks."""
    return gpufft.query_cuda()


def measure(lengths, jobs, options, arguments):
    """Transforms every length both ways, the longest first."""
    tasks = [(n, arguments.algorithm, options) for n in reversed(lengths)]
    pairs = run_in_processes(measure_one, tasks, jobs, "lengths", arguments.progress)
    results = [each for pair in pairs for each in pair]
    if arguments.algorithm:
        reasons = [each.recipe for each in results if math.isnan(each.error)]
        results = [each for each in results if not math.isnan(each.error)]
        if not results:
            raise CommandError(reasons[0])
    return accuracy_csv.machine(arguments.commit), results


def measure_one(n, algorithm, options):
    """Work of a process: both directions, which may share compiled kernels."""
    return [
        accuracy.measure(n, direction, algorithm, **options)
        for direction in accuracy.DIRECTIONS
    ]


def judge(results):
    """Prints the worst of each kind of length; raises CommandError above a bound."""
    for smooth, kind in ((True, "factors 2 ... 13"), (False, "other lengths")):
        group = [
            each
            for each in results
            if accuracy.is_smooth(each.n) == smooth and not math.isnan(each.error)
        ]
        if group:
            worst = max(group, key=lambda each: each.error / each.bound)
            print(
                f"{kind}: {len(group)} transforms, worst {name(worst)} on "
                f"{worst.engine}: {worst.error:.2e}, {worst.error / worst.bound:.2f} of "
                f"its bound {worst.bound:.2e}"
            )
    broken = [each for each in results if each.broken]
    if broken:
        worst = max(
            broken, key=lambda each: (math.isnan(each.error), each.error / each.bound)
        )
        text = worst.recipe if math.isnan(worst.error) else f"{worst.error:.2e}"
        raise CommandError(
            f"{len(broken)} of {len(results)} transforms exceed their bound, the worst is "
            f"{name(worst)}, bound {worst.bound:.2e}: {text}"
        )
    print(f"all {len(results)} transforms keep their bound")


def name(result):
    """The problem's name without its batch."""
    return f"c2c_{result.direction}_n{result.n}"


def measure_chirp(primes, jobs, options, arguments):
    """Forward and inverse of every prime, with the exact index and without."""
    tasks = [(n, algorithm, options) for n in reversed(primes) for algorithm in CHIRPS]
    found = run_in_processes(chirp_one, tasks, jobs, "round trips", arguments.progress)
    rmse = {(n, algorithm): value for (n, algorithm, _), value in zip(tasks, found)}
    rows = [(n, *(rmse[n, algorithm] for algorithm in CHIRPS)) for n in primes]
    if all(math.isnan(value) for row in rows for value in row[1:]):
        raise CommandError(
            accuracy.measure(primes[0], "forward", CHIRPS[0], **options).recipe
        )
    return accuracy_csv.machine(arguments.commit), rows


def chirp_one(n, algorithm, options):
    """Work of a process."""
    return accuracy.round_trip_rmse(n, algorithm, **options)


def finish_chirp(head, rows, csv, png):
    """CSV, plot, and the largest errors on stdout."""
    csv.save(accuracy_csv.write_chirp, (head, rows))
    if png.file is not None:
        from . import accuracy_plot

        png.save(accuracy_plot.draw_chirp, rows)
    for index, algorithm in enumerate(CHIRPS, 1):
        n, value = max(
            ((row[0], row[index]) for row in rows if not math.isnan(row[index])),
            key=lambda pair: pair[1],
            default=(0, math.nan),
        )
        print(f"{algorithm}: RMSE of forward + inverse at most {value:.2e} (n = {n})")
