# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a page from top to bottom, as a reader would: its shell commands and its Python, which
goes on with the names it has; files that it shows are written. Called as a program in the
page's sandbox: session.py [--below HEADING] [--with NEED]... PAGE"""

import argparse
import doctest
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import page

SHELL = ["bash", "-euo", "pipefail", "-c"]


def run_python(fence, names, path):
    """Its traceback names the page's own lines."""
    source = "\n" * (fence.line - 1) + fence.source
    exec(compile(source, str(path), "exec"), names)


def run_shell(fence, names, path):
    print(re.sub("^", "$ ", fence.source[:-1], flags=re.M), flush=True)
    subprocess.run([*SHELL, fence.source], check=True)


def run_console(fence, names, path):
    """Commands behind $, and what they print, where ... stands for anything."""
    for command, wanted in console(fence.source):
        done = subprocess.run(
            [*SHELL, command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        if not doctest.OutputChecker().check_output(wanted, done.stdout, flags):
            raise SystemExit(
                f"{command}\nshould print\n{wanted}\nbut prints\n{done.stdout}"
            )


def console(source):
    """Pairs of a command and its output."""
    pairs = []
    for line in source.replace("\\\n", " ").splitlines(keepends=True):
        if line.startswith("$ "):
            pairs.append([line[2:], ""])
        else:
            pairs[-1][1] += line
    return pairs


def save_file(fence, names, path):
    """What begins with a comment that is a file name becomes that file."""
    named = re.match(r"(?://|#) ([\w.]+)\n", fence.source)
    if named:
        Path(named[1]).write_text(fence.source, encoding="utf-8")


RUN = {
    "python": run_python,
    "sh": run_shell,
    "console": run_console,
    "cpp": save_file,
    "cmake": save_file,
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("page", type=Path)
    add("--below", metavar="HEADING", help="only what stands below this heading")
    add(
        "--with",
        dest="has",
        metavar="NEED",
        action="append",
        default=[],
        choices=sorted(page.REASONS),
        help="what there is here of that which fences need, e.g. 'root'; again for more",
    )
    return parser.parse_args()


def chosen(arguments):
    """The fences that are to be run, in order."""
    if arguments.below:
        fences = page.fences_below(arguments.page, arguments.below)
    else:
        fences = page.fences(arguments.page)
    for fence in fences:
        is_missing = fence.needs and fence.needs not in arguments.has
        if not (is_missing or fence.run_by or fence.part_of) and fence.language in RUN:
            yield fence


def main():
    arguments = parse_arguments()
    path = arguments.page
    names = {"__name__": "__main__"}
    for fence in chosen(arguments):
        print(f"{path.name}:{fence.line} {fence.language}", flush=True)
        begin = time.monotonic()
        try:
            RUN[fence.language](fence, names, path)
        except subprocess.CalledProcessError as error:
            command = shlex.join(error.cmd[-1:])
            sys.exit(f"{path}:{fence.line}: exit status {error.returncode}: {command}")
        print(f"  {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
