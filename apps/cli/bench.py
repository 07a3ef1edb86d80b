# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft bench`: runs the benchmark program, draws what it measured."""

import subprocess
import tempfile

from . import experiment
from .errors import InputError
from .output import OutputFile

WRITTEN = "written: "  # before the name of the CSV, in what the program prints

# Handed on to the program as they are; it checks the values.
VALUES = {
    "--family": ("NAME", "a named list, or several: NAME,NAME (see --list)"),
    "--elements": ("E", "N times batch of the lists that fill the card (default 2^27)"),
    "--runs": ("R", "timed runs (default 30)"),
    "--effort": ("NAME", "estimate (default) or measure"),
    "--engine": ("NAME", "cuda (default) or cpu"),
    "--device": ("D", "index of the GPU (default 0)"),
    "--threads": ("T", "threads of the cpu engine (default 1; 0: one for each core)"),
    "--csv": ("PATH", "a file, or a folder for LIST_CARD.csv"),
    "--commit": ("TEXT", "what the head of the CSV says was measured"),
}
FLAGS = {
    "--board": "the five families of complex transforms; writes "
    "docs/results/board_CARD.csv",
    "--list": "print the lists and their problems",
    "--spread": "measure all twice, and show by how much that differs",
    "--plans": "also time the making of plans",
    "--no-cufft": "leave cuFFT out",
    "--no-vkfft": "leave VkFFT out",
}


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
    for option, words in FLAGS.items():
        add(option, action="store_true", help=words)
    for option, (name, words) in VALUES.items():
        add(option, metavar=name, help=words)
    add("--plot", metavar="PNG", help="draw eff over length")
    add("--from", metavar="CSV", dest="source", help="draw this CSV, measure nothing")
    names = ", ".join(experiment.names())
    add("--experiment", metavar="NAME", help=f"a published experiment: {names}")


def run(arguments):
    """Runs the subcommand."""
    options = program_options(arguments)
    if arguments.source is not None:
        if arguments.plot is None or options or arguments.problems:
            raise InputError("--from CSV goes with --plot PNG and nothing else")
    elif arguments.experiment is not None:
        if arguments.plot is not None or arguments.problems or arguments.csv:
            raise InputError(
                "--experiment takes no problems, --csv or --plot: they are its own"
            )
        experiment.run(arguments.experiment, options=options)
        return
    with OutputFile(
        arguments.plot, ".png"
    ) as png, tempfile.TemporaryDirectory() as folder:
        source = arguments.source or measure(arguments, options, folder)
        if arguments.plot is not None:
            draw(source, png)


def program_options(arguments):
    """The options that are the program's, as a command line."""
    options = []
    for option in (*FLAGS, *VALUES):
        value = getattr(arguments, option[2:].replace("-", "_"))
        if value is True:
            options.append(option)
        elif value not in (None, False):
            options += [option, value]
    return options


def measure(arguments, options, folder):
    """Runs the program, which says itself what is wrong. Returns the CSV it wrote."""
    program = experiment.find_program(experiment.BENCH)
    if arguments.plot is not None and not (arguments.csv or arguments.board):
        options = [*options, "--csv", folder]
    command = [str(program), *options, *arguments.problems]
    source = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith(WRITTEN):
                source = line[len(WRITTEN) :].rstrip("\n")
            if folder not in line:
                print(line, end="", flush=True)
    if process.returncode != 0:
        raise SystemExit(process.returncode)
    return source


def draw(source, png):
    """Draws a CSV of the program."""
    from . import bench_plot  # matplotlib takes half a second to import

    png.save(bench_plot.draw, bench_plot.read(source))
