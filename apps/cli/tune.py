# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft tune`: measures problems on this card and keeps what is fastest as wisdom.

Problems that are done are listed in a file of the cache, so that a run that was stopped
goes on where it was.
"""

import contextlib
import math
import subprocess
from pathlib import Path

from gnuradio import gpufft

from . import experiment
from .errors import CommandError, InputError
from .problem_lists import problems_of, read_lists
from .progress import progress_bar
from .quantities import parse_integer, parse_range

CANDIDATES = 24  # recipes that are timed for each problem
DONE_FILE = "tuned.txt"  # a line for each problem: card | version | problem


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "tune",
        help="measure problems on this card, keep the fastest recipes",
        description="Times the ways to compute each problem on this card, and stores the "
        "fastest as wisdom, which every plan for this card then uses.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("problems", nargs="*", metavar="PROBLEM", help="e.g. c2c_forward_n65536_b100")
    add("--board", action="store_true", help="the problems of gpufft bench --board")
    names = ", ".join(read_lists())
    add("--family", metavar="NAME", help=f"a list, or several: NAME,NAME of {names}")
    add("--lengths", metavar="A-B", help="c2c_forward of every length from A to B")
    add("--random", metavar="SEED", help="the problems of gpufft bench --random SEED")
    add("--rows", metavar="R", help="of --random (default 150)")
    again = "also measure problems that an earlier run has measured on this card"
    add("--again", action="store_true", help=again)
    add(
        "--elements", metavar="E", help="N times batch of these lists (default 134217728)"
    )
    add("--device", default="0", help="index of the GPU (default 0)")
    add(
        "--candidates",
        metavar="K",
        help=f"time K recipes for each problem (default {CANDIDATES}), and show all times",
    )
    add("--print", action="store_true", help="also print the lines of wisdom")
    progress = "show the progress bar at once, even if stderr is not a terminal"
    add("--progress", action="store_true", help=progress)


def run(arguments):
    """Runs the subcommand."""
    device = parse_integer(arguments.device, "--device", 0, 1023)
    candidates = integer_or(CANDIDATES, arguments.candidates, "--candidates", 1000)
    problems = choose_problems(arguments)
    cuda = gpufft.query_cuda()
    if not cuda["usable"]:
        raise CommandError(f"engine cuda cannot be used here: {cuda['reason']}")
    names = [each["name"] for each in cuda["devices"]]
    done = DoneList(names[device] if device < len(names) else "")
    left = [text for text in problems if arguments.again or text not in done]
    if len(left) < len(problems):
        print(f"{len(problems) - len(left)} problems were measured before (--again)")
    failed, wisdom, gains, stop = [], [], {}, None
    try:
        with progress_bar(len(left), "problems", arguments.progress) as bar:
            for text in left:
                bar.set_postfix_str(text)
                try:
                    timed = gpufft.tune(text, device=device, candidates=candidates)
                    wisdom.append(timed[0]["wisdom"])
                    gains[text] = gain_of(timed)
                    done.add(text)
                    for way in timed if arguments.candidates is not None else timed[:1]:
                        bar.write(
                            f"{text}  {way['milliseconds']:.5f} ms  {way['recipe']}"
                        )
                except (ValueError, RuntimeError, MemoryError) as error:
                    failed.append(f"{text}: {error or 'out of memory'}")
                bar.update(1)
    except KeyboardInterrupt as signal:
        stop = signal
        print(
            f"stopped; the same command goes on with the other {len(left) - len(gains)}"
        )
    if arguments.print:
        print("\n".join(wisdom))
    print(f"{len(wisdom)} problems measured; wisdom is in {gpufft.cache_directory()}")
    if gains:
        print(describe(gains))
    if stop is not None:
        raise stop
    if failed:
        raise CommandError(
            f"{len(failed)} of {len(left)} could not be measured, first {failed[0]}"
        )


def gain_of(timed):
    """By which factor the fastest recipe is faster than the one that plans took before."""
    before = [way["milliseconds"] for way in timed if way["was_used"]]
    return before[0] / timed[0]["milliseconds"] if before else 1.0


def describe(gains):
    """What was gained, in a line."""
    faster = [text for text, gain in gains.items() if gain > 1]
    if not faster:
        return "what plans took before was the fastest"
    mean = math.exp(sum(map(math.log, gains.values())) / len(gains))
    best = max(faster, key=gains.get)
    return (
        f"{len(faster)} of them got faster; {100 * (mean - 1):.1f} % in the geometric mean "
        f"of all, {100 * (gains[best] - 1):.0f} % at most ({best})"
    )


class DoneList:
    """The problems that were measured on a card by this version, kept in the cache."""

    def __init__(self, card):
        folder = gpufft.cache_directory()
        self._path = Path(folder, DONE_FILE) if folder else None
        self._head = f"{card} | {gpufft.version()} | "
        lines = ""
        if self._path and self._path.with_name("wisdom.txt").exists():
            with contextlib.suppress(OSError):
                lines = self._path.read_text(encoding="utf-8")
        self._lines = set(lines.splitlines())

    def __contains__(self, problem):
        return self._head + problem in self._lines

    def add(self, problem):
        """Keeps it, unless nothing can be kept."""
        self._lines.add(self._head + problem)
        if self._path:
            with (
                contextlib.suppress(OSError),
                open(self._path, "a", encoding="utf-8") as file,
            ):
                file.write(self._head + problem + "\n")


def lengths_from(text):
    """Those of "A-B"."""
    if "-" not in text:
        raise InputError(f"--lengths {text!r} is not two lengths, as in 100-200")
    return parse_range(text, 2**30)


def random_problems(seed, rows, elements):
    """What the benchmark program draws."""
    program = experiment.find_program(experiment.BENCH)
    command = [str(program), "--list", "--random", str(seed), "--rows", str(rows)]
    command += ["--elements", str(elements)]
    return subprocess.check_output(command, text=True).split()


def integer_or(default, text, option, most):
    """The number of an option from 1 on; the default where it was not given."""
    return default if text is None else parse_integer(text, option, 1, most)


def choose_problems(arguments):
    """The problems' strings, checked."""
    names = (arguments.family, arguments.lengths, arguments.random)
    has_list = arguments.board or any(name is not None for name in names)
    if arguments.rows is not None and arguments.random is None:
        raise InputError("--rows goes with --random SEED only")
    if arguments.elements is not None and not has_list:
        raise InputError("--elements goes with --board, --family, --lengths, --random")
    elements = integer_or(2**27, arguments.elements, "--elements", 2**36)
    problems = []
    if arguments.lengths is not None:
        problems += [
            f"c2c_forward_n{n}_b{max(elements // n, 1)}"
            for n in lengths_from(arguments.lengths)
        ]
    if arguments.random is not None:
        seed = parse_integer(arguments.random, "--random", 0, 2**36)
        rows = integer_or(150, arguments.rows, "--rows", 100000)
        problems += random_problems(seed, rows, elements)
    for name in ["board"] * arguments.board + (arguments.family or "").split(","):
        if name:
            problems += problems_of(name, elements)
    for text in arguments.problems:
        try:
            problems.append(str(gpufft.problem(text)))
        except ValueError as error:
            raise InputError(str(error)) from None
    if not problems:
        raise InputError(
            "no problem to measure: name one, e.g. c2c_forward_n65536_b100, or --board, "
            "or --family NAME, --lengths A-B, --random SEED"
        )
    return list(dict.fromkeys(problems))
