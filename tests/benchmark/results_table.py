#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a CSV of gpufft bench, gpufft verify, bench_c2c or bench_flowgraph as a table, or
writes the tables of Markdown pages anew: each follows a comment that names its CSV.

    results_table.py CSV
    results_table.py PAGE.md...     in the project's folder
"""

import csv
import math
import re
import sys
from pathlib import Path

COMMENT = r"(<!-- tests/benchmark/results_table\.py (\S+) -->\n)"


def read(path):
    """Comment lines without '# ', and the rows as dictionaries."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line[2:] for line in lines if line.startswith("#")]
    return head, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def transforms_table(rows):
    """Share of the card's copy rate, ours and cuFFT's, and errors, for each length."""
    yield "| N | ours | cuFFT | error, ours | error, cuFFT | recipe |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        n = row["problem"].split("_n")[1].split("_")[0]
        recipe = row["recipe"].split(")")[0] + ")"
        yield (f"| {n} | {float(row['ours_eff']):.2f} | {float(row['cufft_eff']):.2f} "
               f"| {float(row['ours_error']):.1e} | {float(row['cufft_error']):.1e} "
               f"| {recipe} |")
    ours = [float(row["ours_eff"]) for row in rows]
    peer = [float(row["cufft_eff"]) for row in rows]
    yield (f"| geometric mean | **{geometric_mean(ours):.2f}** "
           f"| {geometric_mean(peer):.2f} | | | |")


def flowgraphs_table(rows):
    """Rates of neighbouring rows: ours and what it is timed beside."""
    yield "| flowgraph | N | ours, Msps | beside | Msps | ratio |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for ours, other in zip(rows[::2], rows[1::2]):
        name = f"{ours['block']}, {ours['threads']} thread" + "s" * (ours["threads"] != "1")
        beside = f"{other['block']}, {other['threads']} thread"
        yield (f"| {name} | {ours['n']} | {float(ours['msps_median']):.0f} | {beside} "
               f"| {float(other['msps_median']):.0f} | {float(ours['ratio_to_other']):.2f} |")


def board_table(rows, details):
    """For each family geometric means of eff and of the ratio to the better peer."""
    yield "| family | problems | ours | better peer | ratio | lowest ratio |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for family in dict.fromkeys(row["family"] for row in rows):
        pairs = [
            (float(row["ours_eff"]), max(peers), row["problem"])
            for row in rows
            if row["family"] == family and row["ours_eff"]
            and (peers := [float(row[f"{name}_eff"]) for name in ("cufft", "vkfft")
                           if row[f"{name}_eff"]])
        ]
        if not pairs:
            continue
        ours, peer = (geometric_mean([pair[i] for pair in pairs]) for i in (0, 1))
        lowest, problem = min((ours / peer, problem) for ours, peer, problem in pairs)
        yield (f"| {family} | {len(pairs)} | {ours:.2f} | {peer:.2f} | **{ours / peer:.2f}** "
               f"| {lowest:.2f} (`{problem}`) |")
    spreads = [
        100 * abs(float(row["ours_again_ms"]) / float(row["ours_ms"]) - 1)
        for row in details
        if row["ours_ms"] and row["ours_again_ms"]
    ]
    if spreads:
        median = sorted(spreads)[len(spreads) // 2]
        yield ""
        yield (f"Our times of two runs differ by {median:.1f} % in the median, by "
               f"{max(spreads):.1f} % at most.")


def is_smooth(n):
    """True if it has no prime factor above 13."""
    for factor in (2, 3, 5, 7, 11, 13):
        while n % factor == 0:
            n //= factor
    return n == 1


def in_units(row):
    """An error over 2^-24 sqrt(log2 N)."""
    return float(row["error"]) * 2**24 / math.sqrt(max(1, math.log2(int(row["n"]))))


def accuracy_table(rows):
    """For both kinds of lengths the worst and the median error."""
    yield ("| lengths | transforms | bound, ε √log₂N | median | worst | worst error | of "
           "its bound | at |")
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    kinds = {"factors 2 ... 13": [], "others": []}
    for row in rows:
        kinds["factors 2 ... 13" if is_smooth(int(row["n"])) else "others"].append(row)
    for name, group in kinds.items():
        if not group:
            continue
        worst = max(group, key=lambda row: float(row["error"]) / float(row["bound"]))
        median = sorted(map(in_units, group))[len(group) // 2]
        share = float(worst["error"]) / float(worst["bound"])
        yield (f"| {name} | {len(group)} | {in_units(worst) / share:.1f} | {median:.2f} "
               f"| {in_units(worst):.2f} | {float(worst['error']):.1e} | {share:.2f} "
               f"| `c2c_{worst['direction']}_n{worst['n']}` |")


def chirp_table(rows):
    """About ten of the primes."""
    yield "| N | exact index | index in float |"
    yield "| --- | --- | --- |"
    every = -(-len(rows) // 10)
    for row in rows[(len(rows) - 1) % every :: every]:
        exact, inexact = (
            f"{float(row[name]):.1e}" if row[name] else "-"
            for name in ("exact_index_rmse", "inexact_index_rmse")
        )
        yield f"| {row['n']} | {exact} | {inexact} |"


def table_of(path):
    """The lines of a CSV's table."""
    _, rows = read(path)
    if "bound" in rows[0]:
        return accuracy_table(rows)
    if "exact_index_rmse" in rows[0]:
        return chirp_table(rows)
    if "vkfft_eff" in rows[0]:
        details = Path(path).with_name(f"{Path(path).stem}_details.csv")
        return board_table(rows, read(details)[1] if details.exists() else [])
    return (transforms_table if "ours_eff" in rows[0] else flowgraphs_table)(rows)


def with_tables(text, folder="."):
    """The text of a Markdown page, every table as its CSV has it now."""
    def write(match):
        return match[1] + "\n".join(table_of(Path(folder) / match[2])) + "\n"

    sentence = r"(?:\n.*two runs differ.*\n)?"
    return re.sub(COMMENT + r"(?:\|.*\n)*" + sentence, write, text)


def main():
    pages = [Path(name) for name in sys.argv[1:] if name.endswith(".md")]
    if len(sys.argv) < 2 or (len(sys.argv) != 2 and len(pages) != len(sys.argv) - 1):
        sys.exit(f"usage: {sys.argv[0]} CSV | PAGE.md...")
    for page in pages:
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    if not pages:
        print("\n".join(table_of(sys.argv[1])))


if __name__ == "__main__":
    main()
