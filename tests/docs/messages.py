# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages that the sources can raise or log, with … for what is put in at run time."""

import re

import page

CPP = ("lib/blocks", "lib/stream", "lib/engine", "lib/planner", "lib/problem")
CPP += ("python/gpufft/bindings",)
PYTHON = ("python/gpufft", "python/dask", "apps/cli")
ANYTHING = "…"

# Faults of the module itself, and of tests' own engine: nothing that a user could change.
INTERNAL = ("logic_error", "out_of_range")
SKIPPED = ("/qa_", "/axes/tensor_steps", "/planner/recipe_text.cc", "/real/real_mirrored")
SKIPPED += ("/cluster/cluster.cc", "/axes/row_column.cc")

THROWN = re.compile(
    r"(?:throw (?:std::|py::)?(?P<kind>\w+)\(|(?P<log>(?:d_\w*logger|logger)->(?:warn|info|"
    r"error|fatal)\()|raise (?P<error>\w+)\()(?P<rest>.*?)\)(?:;|\n| from )",
    re.S,
)


def files():
    """Sources that talk to users."""
    for folders, suffixes in ((CPP, (".cc", ".h")), (PYTHON, (".py",))):
        for folder in folders:
            for path in sorted((page.PROJECT / folder).rglob("*")):
                name = str(path.relative_to(page.PROJECT))
                if path.suffix in suffixes and not any(skip in name for skip in SKIPPED):
                    yield path


def joined(text):
    """Neighbouring string literals as one, and what is added between two as …"""
    text = re.sub(r"(?m)^\s*(//|#).*$", "", text)  # comments
    text = re.sub(r'(?<!\\)"\s*f?"', "", text)
    return re.sub(r'(?<!\\)"\)?\s*\+[^";]*?\+\s*"', ANYTHING, text)


def literal(rest):
    """The text of the first string in an expression, with … for its values."""
    found = re.search(r"""(["'])((?:\\.|(?!\1)[^\\])*)\1""", rest)
    if found is None:
        return ""
    text = re.sub(r"\{[^{}]*\}", ANYTHING, found[2]).replace('\\"', '"')
    if "+" in rest[: found.start()]:
        text = ANYTHING + text
    if re.match(r"\s*\)?\s*\+", rest[found.end() :]):
        text += ANYTHING
    return re.sub(f"{ANYTHING}+", ANYTHING, text)


def raised():
    """Every message, by the file that it is in."""
    found = {}
    for path in files():
        text = joined(path.read_text(encoding="utf-8"))
        for match in THROWN.finditer(text):
            if match["kind"] in INTERNAL:
                continue
            message = literal(match["rest"])
            if " " in message.strip(f" {ANYTHING}"):
                found[message] = path
    return found


def pattern(message):
    """What matches a message with … for anything."""
    parts = [re.escape(part) for part in message.split(ANYTHING)]
    return re.compile(".*?".join(parts), re.S)
