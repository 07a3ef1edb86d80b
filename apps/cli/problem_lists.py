# SPDX-License-Identifier: GPL-3.0-or-later
"""The named lists of problems in problem_lists.txt, which also says its format."""

from pathlib import Path

from .errors import InputError

FILE = Path(__file__).with_name("problem_lists.txt")


def read_lists():
    """{name: {"lists": [...], "batch": [...], "lengths": [...]}}."""
    lists = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, words = line.partition(": ")
        parts = lists[name] = {"lists": [], "batch": [], "lengths": []}
        for word in words.split():
            if word in parts:
                part = parts[word]
            else:
                part.append(word)
    return lists


def problems_of(name, elements):
    """The problem strings of a list; "fill" is the batch that makes n * batch about
    `elements`. Raises InputError for a name that is none."""
    lists = read_lists()
    if name not in lists:
        raise InputError(f"there is no list {name!r}: use {', '.join(lists)}")
    parts = lists[name]
    problems = [text for part in parts["lists"] for text in problems_of(part, elements)]
    for length in parts["lengths"]:
        fill = max(elements // int(length), 1)
        for batch in parts["batch"]:
            count = fill if batch == "fill" else batch
            problems.append(f"c2c_forward_n{length}_b{count}")
    return problems
