# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sources an experiment's times come from: a hash, which its CSV names."""

import importlib.util
from pathlib import Path

FOLDERS = ("kernels", "lib/problem", "lib/planner", "lib/engine")
UNKNOWN = "unknown"


def hash_of_kernels(project):
    """Of the code in FOLDERS of a project's folder; UNKNOWN where it is not there."""
    path = Path(project) / "tests" / "gpu_suite.py"
    if not path.is_file() or not (Path(project) / FOLDERS[0]).is_dir():
        return UNKNOWN
    spec = importlib.util.spec_from_file_location("gpu_suite", path)
    suite = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(suite)
    return suite.hash_of_sources(Path(project), FOLDERS)
