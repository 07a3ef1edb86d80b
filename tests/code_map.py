#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the code map: what every source file is for, from the comment at its head.

    tests/code_map.py > docs/code_map.md        the map
    tests/code_map.py --check docs/code_map.md  fails if it is not what would be written
    tests/code_map.py --includes                which folder includes which, with counts
"""

import argparse
import collections
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (".cc", ".h", ".cuh", ".py", ".sh", ".js")
FOLDERS = {
    "include/gnuradio/gpufft": "Public headers: plans, problems, blocks",
    "kernels": "The GPU kernels: what NVRTC compiles, and g++ for the tests",
    "kernels/stockham": "Kernels: one pass: the transform in one block's shared memory",
    "kernels/levels": "Kernels: several passes over memory",
    "kernels/cluster": "Kernels: one pass by a cluster of blocks",
    "kernels/convolution": "Kernels: prime factors and bands, by convolution: Rader, Bluestein, zoom",
    "kernels/real": "Kernels: real samples or real bins: DCT, DST",
    "kernels/axes": "Kernels: several axes, and strides",
    "kernels/filters": "Kernels: FIR filters, channels, synthesis",
    "kernels/powers": "Kernels: averages, detectors, densities",
    "kernels/textbook": "Kernels: what the literature begins with, to compare",
    "kernels/on_host": "What the kernels take from CUDA, for g++",
    "lib/problem": "Problems: what is to be computed, in which range, as text",
    "lib/planner": "Recipes, programs and the planner: no CUDA, no GNU Radio",
    "lib/planner/stockham": "Algorithms: one pass: the transform in one block's shared memory",
    "lib/planner/levels": "Algorithms: several passes over memory",
    "lib/planner/cluster": "Algorithms: one pass by a cluster of blocks",
    "lib/planner/convolution": "Algorithms: prime factors and bands, by convolution: Rader, Bluestein, zoom",
    "lib/planner/real": "Algorithms: real samples or real bins: DCT, DST",
    "lib/planner/axes": "Algorithms: several axes, and strides",
    "lib/planner/filters": "Algorithms: FIR filters, channels, synthesis",
    "lib/planner/textbook": "Algorithms: what the literature begins with, to compare",
    "lib/engine": "Plans on an engine: caches, wisdom, break-even",
    "lib/engine/cpu": "The cpu engine, on FFTW and VOLK",
    "lib/engine/cuda": "The cuda engine: driver, NVRTC, launches, transfers",
    "lib/stream": "From a flowgraph's buffers to plans and back",
    "lib/blocks": "The blocks",
    "python/gpufft": "The Python package and its tests",
    "python/gpufft/bindings": "pybind11",
    "python/dask": "The Python package gpufft.dask and its tests",
    "apps": "Tests of the command line",
    "apps/cli": "The gpufft command",
    "apps/cli/analyzer/page": "What gpufft analyzer --serve shows in browsers",
    "apps/bench": "gpufft bench: beside cuFFT and VkFFT",
    "apps/bench/flowgraph": "gpufft bench --flowgraph",
    "examples": "Examples",
    "tests": "Tests of plans, kernels and engines",
    "tests/blocks": "Tests of blocks and streaming, with simulated cards",
    "tests/host": "The kernels executed on the CPU, for the tests",
    "tests/benchmark": "Benchmarks and tables of results",
    "tests/fuzz": "Fuzzers",
}


def tracked():
    """The source files that git knows; without git, those that are there."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"],
        check=False,
        capture_output=True,
        text=True,
    )
    if listed.returncode == 0:
        names = listed.stdout.split("\n")
    else:
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [str(path) for path in paths if not path.parts[0].startswith(("build", "."))]
    return sorted(Path(name) for name in names if name.endswith(SOURCES))


def job(path):
    """The first sentence of the file's head: after the SPDX line, or of the docstring."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = re.search(r'^"""(.*?)(?:"""|\n\n)', text, re.MULTILINE | re.DOTALL)
        head = found.group(1) if found else ""
    else:
        mark = "#" if path.suffix == ".sh" else "//"
        lines = []
        for line in text.split("\n"):
            if not line.startswith(mark):
                break
            lines.append(line[len(mark) :].strip())
        paragraphs = "\n".join(
            "" if "SPDX" in line or line.startswith("!") else line for line in lines
        )
        head = next((part for part in paragraphs.split("\n\n") if part.strip()), "")
    head = " ".join(head.split())
    return re.split(r"(?<=[.:;])\s", head)[0].rstrip(".:;")


def write_map(files):
    """The map as Markdown."""
    folders = collections.defaultdict(list)
    for path in files:
        folders[str(path.parent)].append(path)
    lines = ["# Code map", "", "Made by `tests/code_map.py > docs/code_map.md`.", ""]
    for folder in sorted(folders, key=lambda name: order(name)):
        lines += [f"## {folder}", ""]
        if folder in FOLDERS:
            lines += [FOLDERS[folder] + ".", ""]
        lines += ["| file | job |", "| --- | --- |"]
        for stem, paths in stems(folders[folder]):
            names = ", ".join(
                f"[{path.name}](../{path})" if index == 0 else f"[{path.suffix}](../{path})"
                for index, path in enumerate(paths)
            )
            lines.append(f"| {names} | {next(filter(None, map(job, paths)), '')} |")
        lines.append("")
    return "\n".join(lines)


def order(folder):
    """Known folders first, in the order in which one reads them."""
    known = list(FOLDERS)
    return (known.index(folder) if folder in known else len(known), folder)


def stems(paths):
    """Pairs (stem, files): header and source together, the header first."""
    groups = collections.OrderedDict()
    for path in sorted(paths, key=lambda path: (path.stem, path.suffix != ".h")):
        groups.setdefault((path.stem, path.suffix in (".h", ".cc") or path.suffix), []).append(
            path
        )
    return [(stem, files) for (stem, _), files in groups.items()]


def write_includes(files):
    """Which folder's files include which folder's, as a table."""
    counts = collections.Counter()
    homes = {path.name: str(path.parent) for path in files if path.suffix in (".h", ".cuh")}
    for path in files:
        if path.suffix not in (".h", ".cc", ".cuh"):
            continue
        for name in re.findall(r'#include ["<]([^">]+)', (ROOT / path).read_text()):
            home = homes.get(Path(name).name)
            if home and home != str(path.parent):
                counts[str(path.parent), home] += 1
    lines = ["| from | to | includes |", "| --- | --- | --- |"]
    lines += [f"| {a} | {b} | {n} |" for (a, b), n in sorted(counts.items())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", metavar="FILE", help="compare with FILE")
    parser.add_argument("--includes", action="store_true", help="the folders' includes")
    arguments = parser.parse_args()
    files = tracked()
    if arguments.includes:
        sys.stdout.write(write_includes(files))
        return 0
    text = write_map(files)
    if not arguments.check:
        sys.stdout.write(text)
        return 0
    silent = [
        str(paths[0])
        for folder in {path.parent for path in files}
        for _, paths in stems([path for path in files if path.parent == folder])
        if not any(map(job, paths))
    ]
    if silent:
        print("no comment at the head that says the job:", ", ".join(silent))
    old = Path(arguments.check).read_text(encoding="utf-8") != text
    if old:
        print(f"{arguments.check} is old: tests/code_map.py > docs/code_map.md")
    return 1 if silent or old else 0


if __name__ == "__main__":
    sys.exit(main())
