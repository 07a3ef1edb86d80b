# SPDX-License-Identifier: GPL-3.0-or-later
"""A Markdown page as the tests read it: fences, links, code in the text, tables made by
commands."""

import re
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

# A fence that this test does not run has a line before it, which readers do not see, that says
# why, e.g. "<!-- needs a GPU -->", or which test does, "<!-- run by qa_prach -->"; such a fence
# is still read: its syntax, its options.
NEEDS = re.compile(r"<!-- needs ([^>]+) -->")
RUN_BY = re.compile(r"<!-- run by (\w+) -->")

# A fence below such a line is a part of that file, word for word.
PART_OF = re.compile(r"From `([^`]+)`:")
REASONS = {
    "a GPU",
    "two GPUs",
    "a few minutes",
    "a GPU and a few minutes",
    "root",
    "the network",
    "a screen",
    "a browser",
    "recordings of your own",
    "a receiver",
    "several machines",
    "the packages",
    "conda",
}

# The next lines are what a command of the project prints: "<!-- script argument... -->".
MADE_BY = re.compile(r"^<!-- (\S+\.py(?: [^>]+)?) -->\n", re.M)


@dataclass
class Fence:
    language: str
    line: int  # of its first line of text, from 1
    source: str
    needs: str  # "" if nothing that is not there
    run_by: str  # "" if no other test
    part_of: str  # "" if of no file


def pages():
    """All pages of the project."""
    return [
        PROJECT / "README.md",
        *sorted((PROJECT / "docs").glob("*.md")),
        *sorted((PROJECT / "examples").glob("*/README.md")),
    ]


def fences(path):
    """The fenced blocks of a page, in order."""
    lines = path.read_text(encoding="utf-8").split("\n")
    found, begin = [], None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if begin is None:
            begin = number
            continue
        above = next((text for text in reversed(lines[:begin]) if text), "")
        marks = [mark.fullmatch(above) for mark in (NEEDS, RUN_BY, PART_OF)]
        found.append(
            Fence(
                lines[begin][3:],
                begin + 2,
                "\n".join(lines[begin + 1 : number]) + "\n",
                *(mark[1] if mark else "" for mark in marks),
            )
        )
        begin = None
    if begin is not None:
        raise ValueError(f"{path}:{begin + 1}: this fence has no end")
    return found


def fences_below(path, heading):
    """Those between this heading and the next. Raises ValueError if there are none."""
    lines = path.read_text(encoding="utf-8").split("\n")
    headings = [n for n, line in enumerate(lines, 1) if re.match(r"##+ ", line)]
    begin = next((n for n in headings if lines[n - 1].lstrip("# ") == heading), 0)
    end = min((n for n in headings if n > begin), default=len(lines))
    found = [fence for fence in fences(path) if begin < fence.line < end]
    if not begin or not found:
        raise ValueError(f"{path} has no commands below {heading!r}")
    return found


def prose(path):
    """The page without its fences."""
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def code_spans(path):
    """What stands between backticks in the text, on one line or two."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(path))]


def links(path):
    """Targets of links and pictures that are not elsewhere on the network."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(path))
    return [target for target in targets if "://" not in target]


def anchors(path):
    """What a link may say behind #: the headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.M)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


def table(path, title):
    """Rows of the table whose first column has this title, as lists of cells."""
    text = path.read_text(encoding="utf-8")
    found = re.search(
        rf"^\| {re.escape(title)} \|.*\n\|[ :|-]+\n((?:\|.*\n)+)", text, re.M
    )
    if found is None:
        raise ValueError(f"{path.name} has no table of {title}")
    rows = found[1].splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
