#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a CSV of gpufft bench, bench_c2c or bench_flowgraph as README.md shows it."""

import csv
import math
import sys


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


def board_table(rows):
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


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} CSV")
    head, rows = read(sys.argv[1])
    if "vkfft_eff" in rows[0]:
        table = board_table
    else:
        table = transforms_table if "ours_eff" in rows[0] else flowgraphs_table
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
