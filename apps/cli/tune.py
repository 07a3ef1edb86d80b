# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft tune`: measures problems on this card and keeps what is fastest as wisdom."""

from gnuradio import gpufft

from .errors import CommandError, InputError
from .problem_lists import problems_of, read_lists
from .progress import progress_bar
from .quantities import parse_integer

CANDIDATES = 24  # recipes that are timed for each problem


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
    add("--elements", default=str(2**27), help="N times batch for these lists")
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
    candidates = CANDIDATES
    if arguments.candidates is not None:
        candidates = parse_integer(arguments.candidates, "--candidates", 1, 1000)
    problems = choose_problems(arguments)
    cuda = gpufft.query_cuda()
    if not cuda["usable"]:
        raise CommandError(f"engine cuda cannot be used here: {cuda['reason']}")
    failed, wisdom = [], []
    with progress_bar(len(problems), "problems", arguments.progress) as bar:
        for text in problems:
            bar.set_postfix_str(text)
            try:
                timed = gpufft.tune(text, device=device, candidates=candidates)
                wisdom.append(timed[0]["wisdom"])
                for way in timed if arguments.candidates is not None else timed[:1]:
                    bar.write(f"{text}  {way['milliseconds']:.5f} ms  {way['recipe']}")
            except (ValueError, RuntimeError, MemoryError) as error:
                failed.append(f"{text}: {error or 'out of memory'}")
            bar.update(1)
    if arguments.print:
        print("\n".join(wisdom))
    print(f"{len(wisdom)} problems measured; wisdom is in {gpufft.cache_directory()}")
    if failed:
        raise CommandError(
            f"{len(failed)} of {len(problems)} could not be measured, first {failed[0]}"
        )


def choose_problems(arguments):
    """The problems' strings, checked."""
    elements = parse_integer(arguments.elements, "--elements", 1, 2**36)
    problems = []
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
            "or --family NAME"
        )
    return list(dict.fromkeys(problems))

