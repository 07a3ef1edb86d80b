#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""help() explains every public class, method, property and function, and every
parameter."""

import inspect
import re
import unittest

from gnuradio import gpufft

# The functions of others: NumPy's.
FOREIGN = {"fftfreq", "rfftfreq", "fftshift", "ifftshift"}
# Parameters that need no words of their own.
OBVIOUS = {"self", "args", "kwargs"}


def own_members(thing):
    """Public methods and properties of a class, without those of GNU Radio's bases."""
    for name, member in vars(thing).items():
        if not name.startswith("_"):
            yield name, member


def signatures(text):
    """The parameter lists at the head of a docstring by pybind11, e.g. "f(a: int, b)"."""
    for line in text.splitlines():
        found = re.match(r"(?:\d+\. )?\w+\((.*)\) -> ", line)
        if found:
            yield found[1]


def parameters(callable_, text):
    """Names of the parameters, from Python's signature or from pybind11's."""
    try:
        names = list(inspect.signature(callable_).parameters)
    except (TypeError, ValueError):
        lists = ", ".join(signatures(text))
        names = re.findall(r"(?:^|, |\*)(\w+): ", lists)
    return [name for name in names if name not in OBVIOUS]


def words(text):
    """A docstring without the signatures that pybind11 writes."""
    lines = [line for line in text.splitlines() if not re.match(r".*\) -> ", line)]
    return "\n".join(lines).replace("Overloaded function.", "").strip()


def faults_of_callable(name, callable_, text):
    """What its docstring lacks."""
    text = text or ""
    if len(words(text)) < 5:
        return [f"{name} has no docstring"]
    return [
        f"{name}: {parameter} is not explained"
        for parameter in parameters(callable_, text)
        if not name.endswith(f".set_{parameter}")  # the whole text is about it
        and not re.search(rf"(?<!\w){parameter}(?!\w)", words(text))
    ]


def faults_of_class(name, thing):
    """The constructor's parameters may be explained by the class."""
    constructor = thing.__init__.__doc__ or ""
    text = f"{thing.__doc__ or ''}\n{words(constructor)}"
    faults = [] if len(words(text)) >= 5 else [f"{name} has no docstring"]
    lists = ", ".join(signatures(constructor))
    for parameter in re.findall(r"(?:^|, |\*)(\w+): ", lists):
        if parameter not in OBVIOUS and not re.search(rf"(?<!\w){parameter}(?!\w)", text):
            faults.append(f"{name}: {parameter} is not explained")
    for member_name, member in own_members(thing):
        full = f"{name}.{member_name}"
        if isinstance(member, property):
            if len((member.__doc__ or "").strip()) < 5:
                faults.append(f"{full} has no docstring")
        elif callable(member) or isinstance(member, staticmethod):
            function = getattr(thing, member_name)
            faults += faults_of_callable(full, function, function.__doc__)
    return faults


def faults(name):
    thing = getattr(gpufft, name)
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return [] if thing.__doc__ else [f"{name} has no docstring"]
    if inspect.isclass(thing):
        return faults_of_class(name, thing)
    if inspect.ismodule(thing):
        return [] if thing.__doc__ else [f"{name} has no docstring"]
    return faults_of_callable(name, thing, thing.__doc__)


class QaHelp(unittest.TestCase):
    def test_everything_public_is_explained(self):
        names = sorted(set(gpufft.__all__) - FOREIGN)
        self.assertGreater(len(names), 60)
        for name in names:
            with self.subTest(name=name):
                self.assertEqual(faults(name), [])

    def test_the_package_names_everything(self):
        listed = gpufft.__doc__ + " ".join(gpufft.__all__)
        public = [name for name in vars(gpufft) if not name.startswith("_")]
        modules = {name for name in public if inspect.ismodule(getattr(gpufft, name))}
        for name in set(public) - modules:
            with self.subTest(name=name):
                self.assertIn(name, listed)


if __name__ == "__main__":
    unittest.main()
