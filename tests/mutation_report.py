# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of tests/mutate_stream.py: which fault met which commit, and what saw it."""

import collections
import datetime
import re
import subprocess
from pathlib import Path

import gpu_suite

ROOT = Path(__file__).resolve().parent.parent


def read_report(path):
    """The lines of an earlier report, by the names of their faults."""
    lines = {}
    if path and path.exists():
        for line in path.read_text().splitlines():
            found = re.fullmatch(r".* at \w+\+?: \S+: (\w+)(: .*)?", line)
            if found:
                lines[found.group(1)] = line
    return lines


def report_of(lines, names):
    """The text of the report."""
    kept = sorted((lines[name] for name in names if name in lines), reverse=True)
    counts = collections.Counter(line.split(" at ")[0] for line in kept)
    missing = len(names) - len(kept)
    head = (
        "Faults that tests/mutate_stream.py planted in lib/stream and lib/blocks, each with the\n"
        "commit that it met, and the test of tests/blocks that saw it first.\n\n"
        f"{datetime.date.today()}, {len(names)} faults: "
        + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        + (f", {missing} not planted" if missing else "")
    )
    return "\n".join([head, "", *kept]) + "\n"


def commit():
    """HEAD, with a + if files differ from it."""
    described = subprocess.run(
        ["git", "-C", ROOT, "describe", "--always", "--dirty=+", "--abbrev=12"],
        check=False,
        capture_output=True,
        text=True,
    )
    return described.stdout.strip() or "unknown"


def complaints(path, names):
    """What a report does not show: faults that were not planted or that survived, and
    commits that HEAD does not come from."""
    lines = read_report(path)
    wrong = [f"{name} was not planted" for name in names if name not in lines]
    for name, line in sorted(lines.items()):
        verdict, _, rest = line.partition(" at ")
        planted_at = rest.split(":")[0]
        if name in names and verdict == "survived":
            wrong.append(f"{name} survived")
        if gpu_suite.is_ancestor(planted_at.rstrip("+")) is False:
            wrong.append(f"{name} met commit {planted_at}, which is no ancestor of HEAD")
    return wrong
