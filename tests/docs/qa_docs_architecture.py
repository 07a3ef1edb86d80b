#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers use those below them only, as docs/architecture.md says, and few files must be
understood together: no more than MOST_UNITS include each other around a circle."""

import re
import unittest

import page

# The lowest first. A file includes another of its own folder by its name, one of another
# folder by the path from lib or kernels.
LAYERS = (
    "kernels",
    "lib/problem",
    "lib/planner",
    "lib/engine",
    "lib/stream",
    "lib/blocks",
)
CORE = ("kernels", "lib/problem", "lib/planner", "lib/engine")
SUFFIXES = (".cc", ".h", ".cuh")
MOST_UNITS = 7


def sources():
    """{path: [what it includes]} of the layers and the public headers."""
    found = {}
    for folder in (*LAYERS, "include"):
        for path in sorted((page.PROJECT / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                text = path.read_text(encoding="utf-8")
                name = path.relative_to(page.PROJECT).as_posix()
                found[name] = re.findall(r'^\s*#\s*include ["<]([^">]+)[">]', text, re.M)
    return found


def resolved(path, name, every):
    """The project's file that `path` includes as `name`, or None."""
    own = path.rsplit("/", 1)[0]
    for folder in (own, "lib", "kernels", "include"):
        if f"{folder}/{name}" in every:
            return f"{folder}/{name}"
    return None


def layer_of(path):
    """Its number in LAYERS; None for a public header."""
    return next((i for i, each in enumerate(LAYERS) if path.startswith(f"{each}/")), None)


def unit_of(path):
    """A source and its header are one unit."""
    return path.rsplit(".", 1)[0]


def reached_from(unit, graph):
    """All units that it includes, and those that they include."""
    found, left = set(), [unit]
    while left:
        for each in graph[left.pop()] - found:
            found.add(each)
            left.append(each)
    return found


def knots(graph):
    """Sets of units each of which includes all others, directly or not."""
    reached = {unit: reached_from(unit, graph) for unit in graph}
    return {
        frozenset({other for other in reached[unit] if unit in reached[other]} | {unit})
        for unit in graph
    }


class QaArchitecture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources = sources()
        cls.arrows = [
            (path, to)
            for path, names in cls.sources.items()
            for to in (resolved(path, name, cls.sources) for name in names)
            if to
        ]

    def test_no_layer_includes_one_above_it(self):
        up = [
            f"{path} includes {to}"
            for path, to in self.arrows
            if None not in (layer_of(path), layer_of(to))
            and layer_of(path) < layer_of(to)
        ]
        self.assertEqual(up, [])

    def test_few_units_include_each_other_around_a_circle(self):
        graph = {unit_of(path): set() for path in self.sources}
        for path, to in self.arrows:
            if unit_of(path) != unit_of(to):
                graph[unit_of(path)].add(unit_of(to))
        large = [sorted(knot) for knot in knots(graph) if len(knot) > MOST_UNITS]
        self.assertEqual(large, [])

    def test_the_core_knows_no_gnu_radio(self):
        for path, names in self.sources.items():
            for name in names if path.startswith(CORE) else ():
                with self.subTest(file=path):
                    if name.startswith("gnuradio/"):
                        self.assertTrue(name.startswith("gnuradio/gpufft/"), name)

    def test_every_include_between_quotes_is_found(self):
        for path in self.sources:
            text = (page.PROJECT / path).read_text(encoding="utf-8")
            for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
                with self.subTest(file=path):
                    self.assertIsNotNone(resolved(path, name, self.sources), name)

    def test_every_folder_of_lib_is_a_layer(self):
        folders = {
            f"lib/{path.name}"
            for path in (page.PROJECT / "lib").iterdir()
            if path.is_dir()
        }
        self.assertEqual(folders | {"kernels"}, set(LAYERS))


if __name__ == "__main__":
    unittest.main()
