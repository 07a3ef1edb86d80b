# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/experiments.md from the CSV files: nothing in it is written by hand."""

import math
import os
from functools import partial

from .experiment_data import LIBRARIES, Row, find_results, read_published
from .experiment_lists import EXPERIMENTS

HEAD = """# Published experiments, repeated

<!-- Written by `gpufft bench --experiment docs`; do not edit. -->

One command runs each experiment on a machine with a GPU and writes a CSV and a plot to
`docs/results`; `gpufft bench --experiment docs` writes this page from them. GFLOPS are
5 N log2 N for each transform over the time; errors are relative L2 against double
precision. N_x is the axis with the larger stride. [published.csv](experiments/published.csv)
has the numbers that the papers give, with their sources. The cards of the papers are from
2008 to 2010: compare the shape of the curves, not their height.
"""


def write(results_folder, published_path, page):
    """Writes the page; links are relative to its folder."""
    parts = [HEAD]
    for name, experiment in EXPERIMENTS.items():
        published = read_published(published_path, name)
        parts.append(
            section(name, experiment, find_results(results_folder, name), published)
        )
        for results in find_results(results_folder, name):
            folder = os.path.relpath(results_folder, page.parent)
            parts.append(results_text(name, experiment, results, published, folder))
    page.write_text("\n".join(parts), encoding="utf-8")


def section(name, experiment, found, published):
    """The heading, the paper's words and numbers, the command."""
    lines = [
        f"## {name}: {experiment.title}",
        "",
        f"{experiment.source}, {experiment.figure}. {experiment.claim}",
        "",
    ]
    if published:
        lines += ["| published | on | figure | source |", "| --- | --- | --- | --- |"]
        lines += [published_line(figure) for figure in published]
    else:
        lines.append("Published figure not available as numbers.")
    lines += ["", f"Made by `gpufft bench --experiment {name}`."]
    if not found:
        lines.append("There are no results in `docs/results` yet.")
    return "\n".join(lines) + "\n"


def published_line(figure):
    """One row of the table of published figures."""
    low, high = format_number(figure.low), format_number(figure.high)
    span = low if low == high else f"{low} … {high}"
    return (
        f"| {figure.series} | {figure.hardware} | {span} {figure.unit} "
        f"| {figure.source} |"
    )


def results_text(name, experiment, results, published, folder):
    """Plot, summary and table of one card's results."""
    stem = f"{folder}/experiment_{name}_{results.card}"
    lines = [
        f"### {results.card}",
        "",
        f"![{experiment.title}]({stem}.png)",
        "",
        f"{'; '.join(results.head[:2])} ([CSV]({stem}.csv)).",
        "",
        *summary(experiment, results, published),
        "",
        *table(results, experiment.quantity),
    ]
    return "\n".join(lines) + "\n"


def summary(experiment, results, published):
    """What the numbers say, in sentences made from them."""
    if experiment.quantity == "registers":
        return register_summary(results)
    rows = [row for row in results.rows if row.gflops("ours")]
    if not rows:
        return ["Nothing was timed."]
    if experiment.quantity == "error":
        return error_summary(results)
    if experiment.quantity == "bandwidth":
        return bandwidth_summary(results, rows)
    best = max(rows, key=lambda row: row.gflops("ours"))
    best_name = f" ({best.series})" if best.series else ""
    lines = [
        f"* Best: {format_number(best.gflops('ours'))} GFLOPS at N = {best.size}{best_name}."
    ]
    lines += fftw_lines(rows)
    for series in results.series():
        lines += ratio_lines([row for row in rows if row.series == series], series)
    for figure in published:
        if figure.quantity == "gflops":
            factor = best.gflops("ours") / figure.high
            lines.append(
                f"* {format_number(factor)} times the published "
                f"{format_number(figure.high)} {figure.unit} ({figure.series})."
            )
    return lines


def ratio_lines(rows, series):
    """Geometric means of the peers' times over ours."""
    parts = []
    for peer in ("cufft", "vkfft"):
        ratios = [row.ms[peer] / row.ms["ours"] for row in rows if row.ms.get(peer)]
        if ratios:
            parts.append(f"{geometric_mean(ratios):.2f} × {LIBRARIES[peer]}")
    if not parts:
        return []
    name = series if series else "the planner's choice"
    return [f"* Speed of {name}, geometric mean: {', '.join(parts)}."]


def fftw_lines(rows):
    """Geometric means of the CPU steps' times over FFTW's."""
    fftw = {row.n: row.ms["ours"] for row in rows if row.series == "fftw_measure"}
    lines = []
    for series in dict.fromkeys(row.series for row in rows):
        ratios = [
            row.ms["ours"] / fftw[row.n]
            for row in rows
            if row.series == series != "fftw_measure" and row.n in fftw
        ]
        if ratios:
            lines.append(
                f"* Time of {series} over FFTW's (measured plans): geometric mean "
                f"{format_number(geometric_mean(ratios))}, most "
                f"{format_number(max(ratios))}."
            )
    return lines


def error_summary(results):
    """The largest error of each series and library, in units of 2^-24 sqrt(log2 N)."""
    lines = []
    for series in results.series():
        for library, title in LIBRARIES.items():
            if library != "ours" and series:
                continue
            rows = [
                row
                for row in results.rows
                if row.series == series and row.error.get(library) is not None
            ]
            if rows:
                worst = max(rows, key=lambda row: row.error[library])
                lines.append(
                    f"* Largest error of {series if series else title}: "
                    f"{worst.error[library]:.1e} at N = {worst.size} "
                    f"({in_units(worst, library):.2f} · 2⁻²⁴ √log₂N)."
                )
    return lines


def bandwidth_summary(results, rows):
    """How many passes, and at what share of the copy rate."""
    rows = [row for row in rows if row.passes()]
    rate = results.copy_rate()
    lines = []
    for passes in sorted({row.passes() for row in rows}):
        group = [row for row in rows if row.passes() == passes]
        sizes = ", ".join(row.size for row in group)
        share = geometric_mean([row.bandwidth("ours") / rate for row in group])
        word = "pass" if passes == 1 else "passes"
        lines.append(
            f"* {passes} {word} over memory: {sizes}. Their bandwidth over the "
            f"copy rate of {format_number(rate)} GB/s: geometric mean {share:.2f}."
        )
    return lines or ["No recipe gives its passes over memory."]


def register_summary(results):
    """The largest codelet of each precision, and what left the registers."""
    lines = []
    for series in results.series():
        rows = [row for row in results.rows if row.series == series]
        largest = max(rows, key=lambda row: row.n)
        inside = max((row.n for row in rows if not row.local_bytes), default=0)
        lines.append(
            f"* In {series} precision {largest.n} points take {largest.registers} registers "
            f"and {largest.local_bytes} bytes of memory; up to {inside} points use none."
        )
    return lines


def in_units(row, library):
    """An error over 2^-24 sqrt(log2 N)."""
    return row.error[library] * 2**24 / math.sqrt(math.log2(row.n))


def table(results, quantity):
    """All rows."""
    columns = [
        *first_columns(results),
        *QUANTITY_COLUMNS.get(quantity, gflops_columns)(results),
        *last_columns(results),
    ]
    yield line([title for title, _ in columns])
    yield line(["---"] * len(columns))
    for row in results.rows:
        yield line([text(row) for _, text in columns])


def first_columns(results):
    """(title, text of a row): the problem."""
    yield "N", lambda row: row.size
    if any(row.ms for row in results.rows):
        yield "batch", lambda row: str(row.batch)
    if results.series() != [""]:
        is_timed = any(row.ms for row in results.rows)
        yield "algorithm" if is_timed else "precision", lambda row: row.series


def gflops_columns(results):
    """Time, and GFLOPS of every library."""
    yield "ms", lambda row: format_number(row.ms.get("ours"))
    yield from library_columns(results, "GFLOPS", "gflops", results.libraries())


def bandwidth_columns(results):
    """Time, passes, and GB/s of every library."""
    yield "ms", lambda row: format_number(row.ms.get("ours"))
    yield "passes", lambda row: str(row.passes() or "-")
    yield from library_columns(results, "GB/s", "bandwidth", results.libraries())


def register_columns(_):
    """Registers, and what did not fit them."""
    yield "registers", lambda row: str(row.registers)
    yield "bytes in memory", lambda row: str(row.local_bytes)


QUANTITY_COLUMNS = {"bandwidth": bandwidth_columns, "registers": register_columns}


def library_columns(results, title, quantity, libraries):
    """A column for each library that has a value."""
    has_peers = results.libraries() != ["ours"]
    form = format_error if quantity == "error" else format_number
    for name in libraries:
        value = partial(Row.value, library=name, quantity=quantity)
        yield (
            f"{title}{of_library(name, has_peers)}",
            lambda row, value=value: form(value(row)),
        )


def last_columns(results):
    """Errors and recipes, if there are any."""
    rows = results.rows
    named = [name for name in LIBRARIES if any(row.error.get(name) for row in rows)]
    yield from library_columns(results, "error", "error", named)
    if any(row.recipe for row in rows):
        yield "recipe", lambda row: row.recipe.split(", [")[0]


def of_library(name, has_peers):
    """The end of a column's title."""
    return f", {LIBRARIES[name]}" if has_peers else ""


def line(cells):
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def geometric_mean(values):
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def format_number(value):
    """Three significant digits; "-" if unknown."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def format_error(value):
    """e.g. 1.2e-07"""
    return "-" if value is None else f"{value:.1e}"
