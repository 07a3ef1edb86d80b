# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward and inverse of random numbers through plans: the experiment that gives the root mean
square errors of Govindaraju et al., Figs. 6 and 17. Needs GNU Radio, for the plans."""

import math
import os

from gnuradio import gpufft

from . import accuracy, accuracy_csv
from .errors import CommandError
from .experiment_data import parse_problem


def measure(problems, engine="cuda", commit="unknown"):
    """The CSV's text: a line for each length and algorithm. Raises CommandError if none
    could be measured."""
    lines = []
    for problem in problems:
        lengths, _, algorithm = parse_problem(problem)
        n = math.prod(lengths)
        rmse = accuracy.round_trip_rmse(n, algorithm, engine=engine, device=0)
        if not math.isnan(rmse):
            lines.append(f"{problem},{accuracy.frames_of(n)},{rmse:.4g}")
    if not lines:
        raise CommandError(f"the {engine} engine has transformed none of the lengths")
    head = [
        machine(engine),
        f"# engine: {engine}, gpufft {gpufft.version()}",
        f"# commit: {commit}",
        "# command: gpufft",
        "# root mean square of inverse(forward(x)) / n - x, x uniform in -1 ... 1",
        "problem,frames,rmse",
    ]
    return "\n".join([*head, *lines]) + "\n"


def machine(engine):
    """The first line: what has computed."""
    if engine == "cuda":
        return f"# card: {gpufft.query_cuda()['devices'][0]['name']}"
    return f"# cpu: {accuracy_csv.cpu_model()}, {os.cpu_count()} cores"
