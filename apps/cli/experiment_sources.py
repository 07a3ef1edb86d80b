# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sources an experiment's times come from: a hash, which its CSV names."""

import importlib
import sys
from pathlib import Path

UNKNOWN = "unknown"


def hash_of_kernels(project):
    """Of the kernels, problems, planner and engine in a project's folder; UNKNOWN where they
    are not there."""
    tests = Path(project).resolve() / "tests"
    if not (tests / "gpu_suite.py").is_file() or not (tests.parent / "kernels").is_dir():
        return UNKNOWN
    sys.path.insert(0, str(tests))
    try:
        suite = importlib.import_module("gpu_suite")
    finally:
        sys.path.remove(str(tests))
    return suite.hash_of_sources(tests.parent, suite.KERNELS)
