# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults in tests/mutations/*.txt, for mutate_stream.py."""

import collections
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

Mutation = collections.namedtuple("Mutation", "name file old new reason")


def read_list(path):
    """The mutations of one list."""
    for stanza in re.split(r"\n\s*\n", path.read_text()):
        lines = [line for line in stanza.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        name, file = lines[0].split()
        parts = {mark: [] for mark in "-+="}
        for line in lines[1:]:
            parts[line[0]].append(line[2:])
        yield Mutation(name, file, *("\n".join(parts[mark]) for mark in "-+="))


def mutated(mutation):
    """The text of the file with the fault; ValueError if it does not fit any more."""
    text = (ROOT / mutation.file).read_text()
    pattern = r"\s+".join(re.escape(word) for word in mutation.old.split())
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        raise ValueError(
            f"{mutation.name}: '{mutation.old}' occurs {len(found)} times in "
            f"{mutation.file}, not once: adapt its list to the sources"
        )
    return text[: found[0].start()] + mutation.new + text[found[0].end() :]


def every_mutation():
    """All that are listed; SystemExit for one that does not fit."""
    paths = sorted((ROOT / "tests/mutations").glob("*.txt"))
    every = [each for path in paths for each in read_list(path)]
    misfits = []
    for each in every:
        try:
            mutated(each)
        except ValueError as error:
            misfits.append(str(error))
    if misfits:
        sys.exit("\n".join(misfits))
    if len({each.name for each in every}) != len(every):
        sys.exit("mutate_stream.py: two mutations have one name")
    return every


def chosen(every, only):
    """Those named, or all; SystemExit for one that does not exist."""
    names = only.split(",") if only else [each.name for each in every]
    unknown = set(names) - {each.name for each in every}
    if unknown:
        sys.exit(f"mutate_stream.py: no such mutation: {', '.join(sorted(unknown))}")
    return [each for each in every if each.name in names]
