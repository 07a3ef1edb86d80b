# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/experiments.md from the CSV files: nothing in it is written by hand."""

import math
import os

from . import experiment_verdicts
from .experiment_data import LIBRARIES, find_results, geometric_mean, read_published
from .experiment_lists import EXPERIMENTS, REFERENCES
from .experiment_sources import UNKNOWN, hash_of_kernels

HEAD = """# Published experiments, repeated

<!-- Written by `gpufft bench --experiment docs`; do not edit. -->

"""

RULES_HEAD = """
[published.csv](experiments/published.csv) has every claim with its source, and says what
could not be had. """

SECTIONS_HEAD = """
## The experiments

One command runs each and writes a CSV to `docs/results`, whose head names card, driver,
commit and command. GFLOPS are 5 N log2 N for each transform over the time; errors are
relative L2 of the forward transform against double precision. N_x is the axis with the
larger stride. {older}

{references}
"""

PLANNER = "the planner's choice"
OLDER = "older kernels"
OLDER_TEXT = f"“{OLDER}”: kernels/ or lib/planner, problem, engine have changed since."


def write(results_folder, published_path, page, project):
    """Writes the page; links are relative to its folder. `project` has the sources, by
    which results are called older."""
    folder = os.path.relpath(results_folder, page.parent)
    now = hash_of_kernels(project)
    claims = read_published(published_path)

    def link_of(name, results):
        """The card, its commit and its CSV."""
        text = ", ".join(filter(None, (results.card, results.fact("commit"))))
        return f"[{text}]({folder}/experiment_{name}_{results.card}.csv)"

    def age_of(results):
        """That the kernels have changed since, if so."""
        if not depends_on_kernels(results):
            return ""
        is_now = results.fact("sources") == now != UNKNOWN
        return "" if is_now else f", {OLDER}"

    made = experiment_verdicts.verdicts(claims, results_folder)
    parts = [HEAD + "\n".join(experiment_verdicts.table(made, link_of, age_of))]
    parts.append(RULES_HEAD + experiment_verdicts.RULES)
    references = "\n".join(f"* {text}." for text in REFERENCES.values())
    parts.append(SECTIONS_HEAD.format(older=OLDER_TEXT, references=references))
    for name, experiment in EXPERIMENTS.items():
        parts.append(section(name, experiment))
        found = find_results(results_folder, name)
        if not found:
            parts.append("There are no results in `docs/results` yet.\n")
        for results in found:
            title = f"{link_of(name, results)}{age_of(results)}"
            parts.append(results_text(name, experiment, results, title, folder))
    page.write_text("\n".join(parts), encoding="utf-8")


def depends_on_kernels(results):
    """Of what runs on a CPU alone only the programs count."""
    return not results.fact("cpu")


def section(name, experiment):
    """The heading, where the work has it, the command."""
    return (
        f"### {name}: {experiment.title}\n\n"
        f"{experiment.source}, {experiment.figure}. {experiment.note}\n\n"
        f"Made by `gpufft bench --experiment {name}`.\n"
    )


def results_text(name, experiment, results, title, folder):
    """Plot and summary of one card's results."""
    load = results.fact("load")  # of a machine that others use, too
    facts = results.head[:1] + ([f"load: {load}"] if load else [])
    lines = [
        f"![{experiment.title}]({folder}/experiment_{name}_{results.card}.png)",
        "",
        f"{title}: {'; '.join(facts)}.{missing(experiment, results)}",
        "",
        *summary(experiment, results),
    ]
    return "\n".join(lines) + "\n"


def missing(experiment, results):
    """How many of the experiment's problems a CSV lacks."""
    done = {row.problem for row in results.rows}
    lacking = sum(problem not in done for problem in experiment.problems)
    if not results.rows or not lacking:
        return ""
    return (
        f" It is an older list's: {lacking} of {len(experiment.problems)} problems have not "
        "been run."
    )


def summary(experiment, results):
    """What the numbers say, in sentences made from them."""
    lines = SUMMARIES.get(experiment.quantity, gflops_summary)(results)
    return lines or ["Nothing was timed."]


def gflops_summary(results):
    """The best rate, and each series beside the better of its peers."""
    rows = [row for row in results.rows if row.gflops("ours")]
    if not rows:
        return []
    best = max(rows, key=lambda row: row.gflops("ours"))
    best_name = f" ({best.series})" if best.series else ""
    lines = [
        f"* Best: {format_number(best.gflops('ours'))} GFLOPS at N = {best.size}{best_name}."
    ]
    return lines + fftw_table(rows) + speed_table(rows)


def speed_table(rows):
    """A line for each series: the better peer's time over ours."""
    peers = [
        title
        for name, title in LIBRARIES.items()
        if name != "ours" and any(row.ms.get(name) for row in rows)
    ]
    if not peers:
        return []
    better = f"the better of {' and '.join(peers)}" if len(peers) > 1 else peers[0]
    lines = [
        "",
        f"| algorithm | speed, × {better} | problems | below 1 | lowest |",
        "| --- | --- | --- | --- | --- |",
    ]
    for series in dict.fromkeys(row.series for row in rows):
        ratios = []
        for row in rows:
            times = [ms for name, ms in row.ms.items() if name != "ours" and ms]
            if row.series == series and times:
                ratios.append((min(times) / row.ms["ours"], row))
        if not ratios:
            continue
        values = [ratio for ratio, _ in ratios]
        lowest, row = min(ratios, key=lambda each: each[0])
        lines.append(
            f"| {series or PLANNER} | {geometric_mean(values):.2f} | {len(values)} "
            f"| {sum(value < 1 for value in values)} | {lowest:.2f} at {row.size}, batch "
            f"{row.batch} |"
        )
    return lines


def fftw_table(rows):
    """The CPU steps' times over FFTW's: geometric mean and most."""
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
                f"| {series} | {format_number(geometric_mean(ratios))} "
                f"| {format_number(max(ratios))} |"
            )
    head = [
        "",
        "| time over FFTW's measured plans | mean | most |",
        "| --- | --- | --- |",
    ]
    return head + lines if lines else []


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


def bandwidth_summary(results):
    """How many passes, and at what share of the copy rate."""
    rows = [row for row in results.rows if row.gflops("ours") and row.passes()]
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


def kernel_summary(results):
    """Besides the speeds, threads and registers of each kernel, as the recipes print them."""
    lines = gflops_summary(results)
    kernels = {}
    for row in results.rows:
        if row.kernels():
            kernels.setdefault(row.n, {})[row.series or PLANNER] = ", ".join(
                "/".join(each) for each in row.kernels()
            )
    names = list(dict.fromkeys(name for texts in kernels.values() for name in texts))
    if names:
        lines += ["", "Threads/registers of each kernel:", ""]
        lines.append(f"| N | {' | '.join(names)} |")
        lines.append("| --- " * (len(names) + 1) + "|")
    for n, texts in kernels.items():
        lines.append(f"| {n} | {' | '.join(texts.get(name, '-') for name in names)} |")
    return lines


def recipe_summary(results):
    """The best time of each kind of recipe, and which is fastest."""
    times = {}
    for row in results.rows:
        name = "" if row.recipe.startswith("tensor") else f", {row.recipe.split()[0]}"
        best = times.setdefault(row.size + name, {})
        best[row.series] = min(row.ms["ours"], best.get(row.series, math.inf))
    if not times:
        return []
    names = sorted(results.series(), key=lambda name: int(name.split()[0]))
    lines = [f"| N | {', ms | '.join(names)}, ms | fastest |"]
    lines.append("| --- " * (len(names) + 2) + "|")
    for size, best in times.items():
        cells = [format_number(best.get(name)) for name in names]
        lines.append(f"| {size} | {' | '.join(cells)} | {min(best, key=best.get)} |")
    if all(row.recipe.startswith("tensor") for row in results.rows):
        fewest = sum(
            min(best, key=best.get) == min(best, key=lambda name: int(name.split()[0]))
            for best in times.values()
        )
        lines += [
            "",
            f"The fewest kernels are fastest for {fewest} of {len(times)} sizes.",
        ]
    return lines


def thread_summary(results):
    """How much faster a CPU library is with more threads."""
    lines = []
    for library in results.series():
        rows = [row for row in results.rows if row.series == library]
        one = {row.problem: row.ms["ours"] for row in rows if row.threads == 1}
        for threads in sorted({row.threads for row in rows} - {1}):
            ratios = {
                row.n: one[row.problem] / row.ms["ours"]
                for row in rows
                if row.threads == threads and row.problem in one
            }
            if ratios:
                best = max(ratios, key=ratios.get)
                lines.append(
                    f"* {library}, {threads} threads over one: geometric mean "
                    f"{geometric_mean(list(ratios.values())):.2f}, most {ratios[best]:.2f} "
                    f"at N = {best}."
                )
    if lines and results.load() > 1:
        lines.append("* Other work ran on these cores meanwhile: the times say little.")
    return lines or library_summary(results)


def library_summary(results):
    """CPU libraries beside each other, and their largest error."""
    lines = []
    names = results.series()
    ms = {(row.series, row.problem): row.ms["ours"] for row in results.rows}
    for name in names[1:]:
        ratios = [
            ms[names[0], problem] / time
            for (library, problem), time in ms.items()
            if library == name and (names[0], problem) in ms
        ]
        if ratios:
            lines.append(
                f"* Speed of {name}: {geometric_mean(ratios):.2f} × {names[0]} (geometric "
                f"mean of {len(ratios)}), both with {results.rows[0].threads} threads."
            )
    return lines + round_trip_summary(results)


def round_trip_summary(results):
    """The largest error of each series."""
    lines = []
    for name in results.series():
        rows = [row for row in results.rows if row.series == name]
        worst = max(rows, key=lambda row: row.error["ours"])
        lines.append(
            f"* Largest RMSE of {name or PLANNER}, forward and inverse: "
            f"{worst.error['ours']:.1e} at N = {worst.size}."
        )
    return lines


SUMMARIES = {
    "error": error_summary,
    "bandwidth": bandwidth_summary,
    "registers": register_summary,
    "kernels": kernel_summary,
    "recipes": recipe_summary,
    "threads": thread_summary,
    "libraries": library_summary,
    "round trip": round_trip_summary,
}


def in_units(row, library):
    """An error over 2^-24 sqrt(log2 N)."""
    return row.error[library] * 2**24 / math.sqrt(math.log2(row.n))


def format_number(value):
    """Three significant digits; "-" if unknown."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
