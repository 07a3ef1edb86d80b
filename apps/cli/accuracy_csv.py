# SPDX-License-Identifier: GPL-3.0-or-later
"""The CSV files of `gpufft verify`: lines with # name what was measured, then rows."""

import csv
import math
import os
import platform

from gnuradio import gpufft

from .accuracy import DIRECTIONS, MAX_LENGTH, Accuracy
from .errors import InputError

EXPLAINED = "# error: relative L2; max_error: over the root mean square of the spectrum"
TITLES = "n,direction,engine,error,bound,max_error,recipe"
CHIRP_EXPLAINED = (
    "# root mean square error of forward + inverse / n, of numbers uniform in -1 ... 1"
)
CHIRP_COLUMNS = ("exact_index_rmse", "inexact_index_rmse")
CHIRP_TITLES = ",".join(("n", *CHIRP_COLUMNS))


def machine(commit=None):
    """Lines that say what is measured here."""
    cuda = gpufft.query_cuda()
    lines = [f"# gpufft {gpufft.version()}"]
    if commit is not None:
        lines.append(f"# commit: {commit}")
    for gpu in cuda["devices"]:
        lines.append(
            f"# card {gpu['index']}: {gpu['name']}, driver CUDA {cuda['driver']}, NVRTC "
            f"{cuda['nvrtc']}"
        )
    return [*lines, f"# cpu: {cpu_model()}, {os.cpu_count()} cores"]


def cpu_model():
    """The CPU's name, from Linux."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def write(content, file):
    """content: (head, results), see read(); ascending lengths."""
    head, results = content
    lines = [*head, EXPLAINED, TITLES]
    for each in sorted(results, key=lambda each: (each.n, each.direction)):
        recipe = each.recipe.replace('"', "'")
        lines.append(
            f"{each.n},{each.direction},{each.engine},{each.error:.6g},{each.bound:.6g},"
            f'{each.largest:.6g},"{recipe}"'
        )
    file.write(("\n".join(lines) + "\n").encode())


def write_chirp(content, file):
    """content: (head, rows), see read_chirp(); failures are empty cells."""
    head, rows = content
    lines = [*head, CHIRP_EXPLAINED, CHIRP_TITLES]
    for n, *values in rows:
        cells = ("" if math.isnan(value) else f"{value:.6g}" for value in values)
        lines.append(",".join((str(n), *cells)))
    file.write(("\n".join(lines) + "\n").encode())


def read(paths):
    """(head of the first file, an Accuracy for each row of all).

    Raises InputError if one is not such a file.
    """
    head, rows = read_rows(paths, EXPLAINED, TITLES)
    try:
        results = [accuracy_of(row) for row in rows]
    except ValueError as error:
        raise InputError(f"{' or '.join(paths)} is damaged: {error}") from None
    return head, results


def accuracy_of(row):
    """The Accuracy of a row; ValueError if it is none."""
    if row["direction"] not in DIRECTIONS:
        raise ValueError(f"direction is {row['direction']!r}")
    return Accuracy(
        length_of(row),
        row["direction"],
        row["engine"],
        error_of(row, "error"),
        error_of(row, "max_error"),
        row["recipe"],
    )


def length_of(row):
    """n of a row; ValueError if it is none."""
    n = int(row["n"])
    if not 1 <= n <= MAX_LENGTH:
        raise ValueError(f"n is {n}, but must be 1 ... {MAX_LENGTH}")
    return n


def error_of(row, column):
    """A number that is 0 or more, or NaN; ValueError for others."""
    value = float(row[column])
    if value < 0:
        raise ValueError(f"{column} is {value}, but must be 0 or more")
    return value


def read_chirp(paths):
    """(head of the first file, (n, rmse with the exact index, without) of all)."""
    head, rows = read_rows(paths, CHIRP_EXPLAINED, CHIRP_TITLES)
    try:
        results = [
            (length_of(row), *(rmse_of(row, column) for column in CHIRP_COLUMNS))
            for row in rows
        ]
    except ValueError as error:
        raise InputError(f"{' or '.join(paths)} is damaged: {error}") from None
    if all(math.isnan(value) for _, *values in results for value in values):
        raise InputError(f"{' or '.join(paths)} holds no results")
    return head, sorted(results)


def rmse_of(row, column):
    """NaN for an empty cell; ValueError unless it is a number above 0."""
    value = float(row[column] or "nan")
    if value <= 0 or math.isinf(value):
        raise ValueError(f"{column} is {value}, but must be finite and greater than 0")
    return value


def read_rows(paths, explained, titles):
    """(head of the first file without `explained`, rows of all as dictionaries)."""
    heads, rows = [], []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise InputError(f"{path} cannot be read: {reason}") from None
        heads.append([line for line in lines if line.startswith("#")])
        lines = [line for line in lines if not line.startswith("#")]
        if not lines or lines[0] != titles:
            raise InputError(f"{path} is not a CSV of this command: no line {titles}")
        rows += csv.DictReader(lines, restval="")
    if not rows:
        raise InputError(f"{paths[0]} holds no results")
    return [line for line in heads[0] if line != explained], rows
