# SPDX-License-Identifier: GPL-3.0-or-later
"""The named lists of problems in problem_lists.txt, which also says its format."""

import math
import re
from pathlib import Path

from .errors import InputError

FILE = Path(__file__).with_name("problem_lists.txt")


PARTS = ("lists", "kinds", "batch", "lengths", "options", "problems")


def read_lists():
    """{name: {part: [words]}}, the parts as PARTS."""
    lists = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, words = line.partition(": ")
        parts = lists[name] = {part: [] for part in PARTS}
        for word in words.split():
            if word in parts:
                part = parts[word]
            else:
                part.append(word)
    return lists


def problems_of(name, elements):
    """The problem strings of a list; "fill" is the batch that makes n * batch about
    `elements`. Raises InputError for an unknown name."""
    lists = read_lists()
    if name not in lists:
        raise InputError(f"there is no list {name!r}: use {', '.join(lists)}")
    parts = lists[name]
    problems = [text for part in parts["lists"] for text in problems_of(part, elements)]
    options = "".join(f"_{option}" for option in parts["options"])
    lengths = lengths_of(name, lists)
    texts = [
        f"{kind}_n{length}{options}"
        for kind in parts["kinds"] or ["c2c_forward"]
        for length in lengths
    ]
    for text in texts + parts["problems"]:
        kind, length, rest = re.fullmatch(r"(.*?)_n([\dx]+)(.*)", text).groups()
        points = 1 if kind == "filter" else math.prod(map(int, length.split("x")))
        for batch in parts["batch"]:
            count = max(elements // points, 1) if batch == "fill" else batch
            problems.append(f"{kind}_n{length}_b{count}{rest}")
    return problems


def lengths_of(name, lists):
    """The lengths of a list, e.g. "16x16", those of lists that it names included."""
    lengths = []
    for word in lists[name]["lengths"]:
        lengths += lengths_of(word, lists) if word in lists else [word]
    return lengths
