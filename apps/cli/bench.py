# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft bench`: runs a benchmark program, draws what it measured."""

import subprocess
import tempfile

from . import experiment
from .errors import InputError
from .output import OutputFile

WRITTEN = "written: "  # before the name of the CSV, in what the program prints

# Passed to the program unchanged, which checks the values.
VALUES = {
    "--family": (
        "NAME",
        "a named list, or several: NAME,NAME (see --list); with --random only these families",
    ),
    "--random": ("SEED", "problems drawn at random; writes random_SEED_CARD.csv"),
    "--rows": ("R", "problems of --random (default 150)"),
    "--elements": ("E", "N times batch of the lists that fill the card (default 2^27)"),
    "--runs": ("R", "timed runs (default 30)"),
    "--effort": ("NAME", "estimate (default) or measure"),
    "--engine": (
        "NAME",
        "cuda (default) or cpu; with --flowgraph also auto (its default)",
    ),
    "--device": ("D", "index of the GPU (default 0)"),
    "--threads": ("T", "threads of the cpu engine (default 1; 0: one for each core)"),
    "--csv": (
        "PATH",
        "a file; or a folder for LIST_CARD.csv, but for --flowgraph and --host-arrays",
    ),
    "--commit": ("TEXT", "the commit that the head of the CSV names"),
}
FLAGS = {
    "--board": "all families of transforms; writes docs/results/board_CARD.csv",
    "--list": "print the lists and their problems",
    "--in-place": "only in place: the output overwrites the input (default: both ways)",
    "--out-of-place": "only out of place",
    "--no-wisdom": "take the recipes with the lowest estimates, not measured ones",
    "--spread": "measure everything twice, and show the difference",
    "--plans": "also time the making of plans",
    "--no-cufft": "leave cuFFT out",
    "--no-vkfft": "leave VkFFT out",
}

# The same for --flowgraph, and what both programs have.
FLOWGRAPH_VALUES = {
    "--only": ("NAME", "with --flowgraph: contests, NAME,NAME (see --flowgraph --list)"),
    "--devices": ("D", "with --flowgraph, --host-arrays or --on-cards: GPUs, e.g. 0,1"),
    "--repeats": ("R", "with --flowgraph: runs of each (default 3)"),
    "--seconds": ("S", "with --flowgraph: length of a run (default 0.3)"),
}
FLOWGRAPH_FLAGS = {"--quick": "with --flowgraph: few lengths, short runs"}
SHARED = ("--engine", "--csv", "--commit", "--list")

# The same for --host-arrays and --on-cards, which one program times.
ARRAY_VALUES = {
    "--device-memory": (
        "B",
        "with --host-arrays or --on-cards: bytes of a GPU's memory to count with",
    ),
}
ARRAY_FLAGS = {"--no-fftw": "with --host-arrays: leave FFTW out"}
CARD_FLAGS = {"--transposed": "with --on-cards: bins split along the second axis"}
OF_CARDS = ("--on-cards", "--no-cufft", *CARD_FLAGS)
ARRAYS = (
    "--engine",
    "--devices",
    "--in-place",
    "--runs",
    "--threads",
    "--csv",
    "--commit",
)


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "bench",
        help="time transforms beside cuFFT and VkFFT",
        description="Times problems on the GPU beside cuFFT and VkFFT in the same "
        "process, or on the CPU. eff is the share of the memory's copy rate.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("problems", nargs="*", metavar="PROBLEM", help="e.g. c2c_forward_n1024_b1000")
    flags = {**FLAGS, **FLOWGRAPH_FLAGS, **ARRAY_FLAGS, **CARD_FLAGS}
    for option, words in flags.items():
        add(option, action="store_true", help=words)
    values = {**VALUES, **FLOWGRAPH_VALUES, **ARRAY_VALUES}
    for option, (name, words) in values.items():
        add(option, metavar=name, help=words)
    words = "time blocks in flowgraphs instead, beside GNU Radio's blocks and raw copies"
    add("--flowgraph", action="store_true", help=words)
    words = (
        "time arrays in host memory, larger than a GPU or not, beside FFTW on all cores"
    )
    add("--host-arrays", action="store_true", help=words)
    words = "time arrays in parts on several GPUs, beside cuFFT on several GPUs"
    add("--on-cards", action="store_true", help=words)
    add("--plot", metavar="PNG", help="draw eff over length")
    add("--from", metavar="CSV", dest="source", help="draw this CSV, measure nothing")
    names = ", ".join(experiment.names())
    add("--experiment", metavar="NAME", help=f"published experiments, NAME,NAME: {names}")


def run(arguments):
    """Runs the subcommand."""
    options = program_options(arguments)
    if arguments.on_cards:
        reject(arguments, ("--host-arrays", *ARRAY_FLAGS), "not for --on-cards")
        run_arrays(arguments, "--on-cards", (*OF_CARDS, *ARRAY_VALUES, *ARRAYS))
        return
    reject(arguments, CARD_FLAGS, "for --on-cards only")
    if arguments.host_arrays:
        names = (*ARRAY_FLAGS, *ARRAY_VALUES, *ARRAYS)
        run_arrays(arguments, "--host-arrays", names)
        return
    reject(arguments, ARRAY_FLAGS, "for --host-arrays only")
    reject(arguments, ARRAY_VALUES, "for --host-arrays and --on-cards only")
    if arguments.flowgraph:
        run_flowgraphs(arguments)
        return
    reject(arguments, (*FLOWGRAPH_FLAGS, *FLOWGRAPH_VALUES), "for --flowgraph only")
    if arguments.source is not None:
        if arguments.plot is None or options or arguments.problems:
            raise InputError("--from CSV goes with --plot PNG and nothing else")
    elif arguments.experiment is not None:
        if arguments.plot is not None or arguments.problems or arguments.csv:
            raise InputError(
                "--experiment takes no problems, --csv or --plot: it has its own"
            )
        experiment.run(arguments.experiment, options=options)
        return
    with (
        OutputFile(
            arguments.plot, ".png", apart_from=(arguments.source, arguments.csv)
        ) as png,
        tempfile.TemporaryDirectory() as folder,
    ):
        source, status = arguments.source, 0
        if source is None:
            source, status = measure(arguments, options, folder)
        if source is None and status != 0:
            raise SystemExit(status)  # without a PNG
        if arguments.plot is not None and source is not None:
            draw(source, png)
    if status != 0:
        raise SystemExit(status)


def run_arrays(arguments, mode, names):
    """Runs the program for single arrays, which reports its own errors."""
    every = {*FLAGS, *VALUES, *FLOWGRAPH_FLAGS, *FLOWGRAPH_VALUES}
    others = {*every, "--flowgraph", "--plot", "--from", "--experiment"} - {*names}
    reject(arguments, sorted(others), f"not for {mode}")
    program = experiment.find_program(experiment.ARRAYS)
    command = [str(program), *program_options(arguments, names), *arguments.problems]
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        raise SystemExit(status)


def run_flowgraphs(arguments):
    """Runs the program that needs GNU Radio, which reports its own errors."""
    names = (*FLOWGRAPH_FLAGS, *FLOWGRAPH_VALUES, *SHARED)
    others = {*FLAGS, *VALUES, "--plot", "--experiment"} - {*names}
    reject(arguments, sorted(others), "not for --flowgraph")
    if arguments.problems or arguments.source is not None:
        raise InputError("--flowgraph takes no problems and no --from")
    program = experiment.find_program(experiment.FLOWGRAPH)
    command = [str(program), *program_options(arguments, names)]
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        raise SystemExit(status)


def reject(arguments, options, words):
    """Raises InputError if one of the options is given."""
    for option in options:
        if value_of(arguments, option) not in (None, False):
            raise InputError(f"{option} is {words}")


def value_of(arguments, option):
    """What was given for an option."""
    name = "source" if option == "--from" else option[2:].replace("-", "_")
    return getattr(arguments, name)


def program_options(arguments, names=(*FLAGS, *VALUES)):
    """The options that are the program's, as a command line."""
    options = []
    for option in names:
        value = value_of(arguments, option)
        if value is True:
            options.append(option)
        elif value not in (None, False):
            options += [option, value]
    return options


def measure(arguments, options, folder):
    """Runs the program, which reports its own errors, and measures the other problems if
    one fails. Returns the CSV that it wrote, if any, and its exit status."""
    program = experiment.find_program(experiment.BENCH)
    has_csv = arguments.csv or arguments.board or arguments.random
    if arguments.plot is not None and not has_csv:
        options = [*options, "--csv", folder]
    command = [str(program), *options, *arguments.problems]
    source = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout:
                if line.startswith(WRITTEN):
                    source = line[len(WRITTEN) :].rstrip("\n")
                if folder not in line:
                    print(line, end="", flush=True)
        except BaseException:
            process.terminate()
            raise
    return source, process.returncode


def draw(source, png):
    """Draws a CSV of the program."""
    from . import bench_plot  # matplotlib takes half a second to import

    png.save(bench_plot.draw, bench_plot.read(source))
