# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sources an experiment's times come from: a hash, which its CSV names."""

import importlib.util
from pathlib import Path

UNKNOWN = "unknown"


def hash_of_kernels(project):
    """Of the kernels, problems, planner and engine in a project's folder; UNKNOWN where they
    are not there."""
    path = Path(project) / "tests" / "gpu_suite.py"
    if not path.is_file() or not (Path(project) / "kernels").is_dir():
        return UNKNOWN
    spec = importlib.util.spec_from_file_location("gpu_suite", path)
    suite = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(suite)
    return suite.hash_of_sources(Path(project), suite.KERNELS)
