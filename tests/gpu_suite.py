#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests that need a GPU and records what came of it in docs/results/gpu_suite_CARD.txt.

Needs a build folder, ctest, Python alone; without a repository also --commit. The record names
the commit and a hash of the sources that the card runs: tests/qa_gpu_record.py fails when they
have changed since, unless a line "open: ..." in the record says what is to be done.

    tests/gpu_suite.py --jobs 8
    tests/gpu_suite.py --append --sanitize memcheck racecheck synccheck initcheck
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

import gpu_sanitizer

PROJECT = Path(__file__).resolve().parents[1]
FOLDERS = ("kernels", "lib/problem", "lib/planner", "lib/engine", "lib/stream")
SUFFIXES = {".cc", ".cuh", ".h", ".txt"}
CODE = re.compile(r"""R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.S)


# The record


def code_of(text):
    """A source without comments and line breaks: they change nothing that a card runs."""
    text = CODE.sub(lambda found: "" if found[0].startswith("/") else found[0], text)
    return " ".join(text.split()).encode()


KERNELS = FOLDERS[:-1]  # what times and errors of plans come from


def hash_of_sources(project=PROJECT, folders=FOLDERS):
    """Of names and code of all sources in `folders`."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES:
                text = code_of(path.read_text())
                name = path.relative_to(project).as_posix()
                digest.update(f"{name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()[:16]


def facts_of(text):
    """The lines "NAME: VALUE" of a record; of a name that comes twice the first."""
    facts = {}
    for name, value in re.findall(r"^(\w+): *(.*)$", text, re.M):
        facts.setdefault(name, value.strip())
    return facts


def is_ancestor(commit, project=PROJECT):
    """Whether HEAD comes from a commit; None where the repository cannot tell."""

    def git(*words):
        command = ["git", "-C", str(project), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    if shutil.which("git") is None or not (project / ".git").exists():
        return None
    shallow = git("rev-parse", "--is-shallow-repository")
    if shallow.returncode or shallow.stdout.strip() != "false":
        return None
    return git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0


def complaints(text, project=PROJECT):
    """What is wrong with a record beside the sources as they are."""
    facts = facts_of(text)
    missing = {"commit", "sources", "tests", "failed"} - facts.keys()
    if missing:
        return [f"it does not say: {', '.join(sorted(missing))}"]
    wrong = []
    if is_ancestor(facts["commit"], project) is False:
        wrong.append(f"commit {facts['commit']} is no ancestor of HEAD")
    if facts.get("open"):
        return wrong
    now = hash_of_sources(project)
    if facts["sources"] != now:
        wrong.append(f"{', '.join(FOLDERS)}: {now} here, {facts['sources']} there")
    wrong += [
        f"{name} was skipped without a reason"
        for name in re.findall(rf"^ *skipped (\S+): {NO_REASON}$", text, re.M)
    ]
    if facts["failed"] != "0" or facts["tests"] == "0":
        wrong.append(f"{facts['failed']} of {facts['tests']} tests failed")
    return wrong


# The tests


def reason_of(output):
    """Why a test was skipped, as gtest and unittest print it."""
    found = re.findall(
        r"skipped ['\"](.*)['\"]$|\bskipped=\d+, reason: (.*)$|: Skipped\n(.+)$",
        output,
        re.M,
    )
    reasons = sorted({text for each in found for text in each if text})
    return "; ".join(reasons) or NO_REASON


NO_REASON = "no reason given"
# Runs a program of unittest, which prints reasons only if it is verbose.
WITH_REASONS = """
import os, runpy, sys, unittest
keep = unittest.TextTestResult.addSkip
def tell(result, test, reason):
    print(f"\\nskipped {reason!r}", flush=True)
    keep(result, test, reason)
unittest.TextTestResult.addSkip = tell
del sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def reason_of_program(command, environment):
    """Why a program skips all its tests, from its command: by running it again."""
    scripts = [place for place, word in enumerate(command) if word.endswith(".py")]
    if not scripts:
        return NO_REASON
    command = [*command[: scripts[0]], "-c", WITH_REASONS, *command[scripts[0] :]]
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return reason_of(done.stdout)


def with_reasons(results, build):
    """The results, where tests that gave no reason have been asked again."""
    silent = [name for name, kind, why in results if kind == "skipped" and why == NO_REASON]
    if not silent:
        return results
    listed = subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1"])
    reasons = {}
    for test in json.loads(listed)["tests"]:
        if test["name"] in silent:
            properties = {each["name"]: each["value"] for each in test["properties"]}
            environment = dict(
                line.split("=", 1) for line in properties.get("ENVIRONMENT", [])
            )
            reasons[test["name"]] = reason_of_program(test["command"], environment)
    return [(name, kind, reasons.get(name, why)) for name, kind, why in results]


def results_of(junit):
    """[(name, "passed" or "failed" or "skipped", reason)] of ctest's XML."""
    results = []
    for case in ElementTree.fromstring(junit).iter("testcase"):
        output = case.findtext("system-out") or ""
        if case.find("skipped") is not None:
            results.append((case.get("name"), "skipped", reason_of(output)))
        elif case.get("status") == "run":
            results.append((case.get("name"), "passed", ""))
        else:
            results.append((case.get("name"), "failed", ""))
    return results


def skipped_cases(junit):
    """["test: Suite.Case"] of the cases that were skipped in tests that passed."""
    return [
        f"{case.get('name')}: {name}"
        for case in ElementTree.fromstring(junit).iter("testcase")
        if case.find("skipped") is None
        for name in dict.fromkeys(
            name or f"{short} ({where})"
            for name, short, where in re.findall(
                r"^\[  SKIPPED \] ([\w/.]+)(?: \(|, where)|^(\w+) \(([\w.]+)\).*\.\.\. skipped",
                case.findtext("system-out") or "",
                re.M,
            )
        )
    ]


def run_suite(build, jobs, selection):
    """The results of ctest -L gpu, the cases skipped in tests that passed, and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        begin = time.monotonic()
        subprocess.run(
            [
                *("ctest", "--test-dir", build, "--label-regex", "^gpu$"),
                *("--parallel", str(jobs), "--output-on-failure"),
                *("--test-output-size-passed", "100000", "--output-junit", junit),
                *selection,
            ],
            check=False,
        )
        seconds = time.monotonic() - begin
        if not junit.exists():
            sys.exit("gpu_suite.py: ctest has written no results")
        results = with_reasons(results_of(junit.read_text()), build)
        return results, skipped_cases(junit.read_text()), seconds


# Where it runs


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""


def cuda_version():
    """Of the NVRTC that is found first, or of nvcc."""
    for folder in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"):
        for path in sorted(Path(folder or "/nowhere").glob("lib64/libnvrtc.so.*.*")):
            return path.name.partition(".so.")[2]
    try:
        text = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
    except OSError:
        text = ""
    found = re.search(r"release ([\d.]+)", text)
    return found[1] if found else "unknown"


def suite_lines(card, driver, commit, arguments):
    """The head of a record, from ctest, and 1 if a test failed."""
    results, cases, seconds = run_suite(arguments.build, arguments.jobs, arguments.selection)

    def count(kind):
        return sum(each[1] == kind for each in results)

    lines = [
        "The tests that need a GPU (tests/gpu_suite.py).",
        "",
        f"commit: {commit}",
        f"sources: {hash_of_sources()}",
        f"date: {datetime.date.today()}",
        f"card: {card}",
        f"driver: {driver}",
        f"cuda: {cuda_version()}",
        f"tests: {len(results)}",
        *(f"{kind}: {count(kind)}" for kind in ("passed", "failed", "skipped")),
        f"seconds: {seconds:.0f}",
    ]
    if arguments.open:
        lines.append(f"open: {arguments.open}")
    lines.append("")
    for kind in ("failed", "skipped"):
        lines += [
            f"    {kind} {name}" + (f": {reason}" if reason else "")
            for name, what, reason in results
            if what == kind
        ]
    lines += [f"    skipped in a test that passed, {case}" for case in cases]
    return lines, int(count("failed") > 0 or not results)


def record(arguments):
    card, _, driver = first_line(
        "nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"
    ).partition(", ")
    if not card:
        sys.exit("gpu_suite.py: nvidia-smi lists no card")
    commit = first_line("git", "-C", str(PROJECT), "rev-parse", "--short=12", "HEAD")
    commit = arguments.commit or commit
    if not commit:
        sys.exit("gpu_suite.py: no repository here: name the sources' commit with --commit")
    short = re.search(r"[A-Za-z]*\d+\w*", card)
    name = (short[0] if short else card.replace(" ", "_")).lower()
    path = arguments.folder / f"gpu_suite_{name}.txt"
    status = 0
    if arguments.append:
        lines = path.read_text().splitlines()
        if facts_of(path.read_text())["sources"] != hash_of_sources():
            sys.exit(f"gpu_suite.py: {path} is of other sources")
    else:
        lines, status = suite_lines(card, driver, commit, arguments)
    for tool in arguments.sanitize:
        lines += ["", *gpu_sanitizer.sanitize(tool, arguments)]
    path.write_text("\n".join(lines) + "\n")
    print(f"\n{path}:\n{path.read_text()}")
    return status


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=str(PROJECT / "build"), help="the build folder")
    parser.add_argument("--commit", help="of the sources, where there is no repository")
    parser.add_argument("--jobs", type=int, default=4, help="tests at a time")
    parser.add_argument("--open", default="", help="what the record says is to be done")
    parser.add_argument(
        "--append", action="store_true", help="to the record that is there, without ctest"
    )
    parser.add_argument(
        "--limit", type=float, default=600, help="seconds of a program in compute-sanitizer"
    )
    parser.add_argument(
        "--shares", type=int, default=1, help="processes for each program in compute-sanitizer"
    )
    parser.add_argument(
        "--verify", action="store_true", help="sanitize no tests but `gpufft verify` alone"
    )
    parser.add_argument("--sanitize", nargs="*", default=[], choices=gpu_sanitizer.TOOLS, metavar="TOOL")
    parser.add_argument(
        "--folder", type=Path, default=PROJECT / "docs/results", help="of the record"
    )
    parser.add_argument("--select", dest="selection", metavar="REGEX", default="")
    arguments = parser.parse_args()
    arguments.selection = ["-R", arguments.selection] if arguments.selection else []
    if arguments.sanitize and shutil.which("compute-sanitizer") is None:
        parser.error("no compute-sanitizer on PATH")
    return record(arguments)


if __name__ == "__main__":
    sys.exit(main())
