#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a CSV of gpufft bench, gpufft verify or bench_c2c as a table, or writes the tables
of Markdown pages anew: each follows a comment that names its CSV.

    results_table.py CSV [PART]
    results_table.py PAGE.md...     in the project's folder

PART, of a CSV of gpufft bench --flowgraph with a GPU: rates (as if none is given), slow, link.
"""

import csv
import math
import re
import sys
from pathlib import Path

COMMENT = r"(<!-- tests/benchmark/results_table\.py (\S+)(?: (rates|slow|link))? -->\n)"


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
    for ours, other in zip(rows, rows[1:]):
        if not ours["ratio_to_other"] or other["ratio_to_other"] != "1":
            continue
        name = f"{ours['block']}, {ours['threads']} thread" + "s" * (ours["threads"] != "1")
        beside = f"{other['block']}, {other['threads']} thread"
        yield (f"| {name} | {ours['n']} | {float(ours['msps_median']):.0f} | {beside} "
               f"| {float(other['msps_median']):.0f} | {float(ours['ratio_to_other']):.2f} |")


def figure(text, digits):
    """A number of the CSV; - where it has none."""
    return f"{float(text):.{digits}f}" if text else "-"


def streams_table(rows):
    """Rates of flowgraphs on a GPU as a share of the limit, and beside GNU Radio's."""
    yield ("| flowgraph | N | chunk, KiB | Msps | GB/s up | GB/s down | link, Msps | kernels, "
           "Msps | of the limit | of the best link | beside GNU Radio's | cores |")
    yield "|" + " --- |" * 12
    for row in rows:
        if row["case"] in ("link", "slow") or "gpufft" not in row["block"]:
            continue
        chunk = float(row["chunk_bytes"]) / 1024
        yield (f"| {row['case']}, {row['block']} | {row['n']} | {chunk:.0f} "
               f"| {figure(row['msps_median'], 0)} | {figure(row['up_gbs'], 1)} "
               f"| {figure(row['down_gbs'], 1)} | {figure(row['link_msps'], 0)} "
               f"| {figure(row['kernel_msps'], 0)} | **{figure(row['of_limit'], 3)}** "
               f"| {figure(row['of_best_link'], 3)} | {figure(row['ratio_to_other'], 1)} | {figure(row['cores'], 2)} |")


def delays_table(rows):
    """Delays of vectors in slow streams."""
    yield "| block | N | Msps | median, µs | 90 % | 99 % | most | cores |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        if row["case"] == "slow":
            delays = " | ".join(
                figure(row[f"delay_us_{name}"], 0) for name in ("p50", "p90", "p99", "max")
            )
            rate = figure(row["msps_median"], 0)
            yield (f"| {row['block']} | {row['n']} | {rate} | {delays} "
                   f"| {figure(row['cores'], 2)} |")


def link_table(rows):
    """Raw copies: one way, and both at once."""
    yield "| copies | chunk, KiB | GB/s up | GB/s down |"
    yield "| --- | --- | --- | --- |"
    for row in rows:
        if row["case"] == "link":
            chunk = float(row["chunk_bytes"]) / 1024
            yield (f"| {row['block'].removeprefix('copies ')} | {chunk:.0f} "
                   f"| {figure(row['up_gbs'], 1)} | {figure(row['down_gbs'], 1)} |")


def in_place(row):
    """What follows the name of a problem that was timed in place."""
    return " in place" if row.get("placement") == "in" else ""


def board_line(name, rows):
    """One family; none if it was not timed beside a peer."""
    pairs = [
        (float(row["ours_eff"]), max(peers), f"`{row['problem']}`" + in_place(row))
        for row in rows
        if row["ours_eff"]
        and (peers := [float(row[f"{library}_eff"]) for library in ("cufft", "vkfft")
                       if row[f"{library}_eff"]])
    ]
    if pairs:
        ours, peer = (geometric_mean([pair[i] for pair in pairs]) for i in (0, 1))
        lowest, problem = min((ours / peer, problem) for ours, peer, problem in pairs)
        yield (f"| {name} | {len(pairs)} | {ours:.2f} | {peer:.2f} | **{ours / peer:.2f}** "
               f"| {lowest:.2f} ({problem}) |")


def board_table(rows, details):
    """For each family geometric means of eff and of the ratio to the better peer."""
    yield "| family | problems | ours | better peer | ratio | lowest ratio |"
    yield "| --- | --- | --- | --- | --- | --- |"
    families = list(dict.fromkeys(row["family"] for row in rows))
    for family in families:
        yield from board_line(family, [row for row in rows if row["family"] == family])
    if len(families) > 1:
        yield from board_line("all", rows)
    spreads = [
        100 * abs(float(row["ours_again_ms"]) / float(row["ours_ms"]) - 1)
        for row in details
        if row["ours_ms"] and row["ours_again_ms"]
    ]
    if spreads:
        median = sorted(spreads)[len(spreads) // 2]
        yield ""
        yield (f"Between two runs our times differ by {median:.1f} % in the median and by "
               f"at most {max(spreads):.1f} %.")


def chains_table(rows):
    """Filter banks and filters, a line each, beside chains of cuFFT."""
    yield ("| problem | ours, ms | 10^9 samples a second | share of the copy rate | chain of "
           "cuFFT, ms | share | ratio | error |")
    yield "|" + " --- |" * 8
    for row in rows:
        batch = int(re.search(r"_b(\d+)", row["problem"])[1])
        name = re.sub(r"_b\d+", "", row["problem"])
        hop = int(re.search(r"_hop(\d+)", row["problem"])[1]) if "_hop" in name else 1
        ours, chain = float(row["ours_ms"]), row["cufft_ms"]
        ratio = f"{float(chain) / ours:.2f}" if chain else "-"
        yield (f"| `{name}` | {ours:.3f} | {batch * hop / ours / 1e6:.0f} "
               f"| **{float(row['ours_eff']):.2f}** | {figure(chain, 3)} "
               f"| {figure(row['cufft_eff'], 2)} | {ratio} | {float(row['ours_error']):.1e} |")


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
    """For both kinds of lengths the median error, and the one nearest to its bound."""
    yield ("| lengths | transforms | bound, ε √log₂N | median | nearest to its bound | its "
           "error | of its bound | at |")
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


def table_of(path, part=None):
    """The lines of a CSV's table, or of one of its tables."""
    _, rows = read(path)
    if any(row.get("link_msps") for row in rows):
        tables = {"slow": delays_table, "link": link_table}
        return tables.get(part, streams_table)(rows)
    if "bound" in rows[0]:
        return accuracy_table(rows)
    if "exact_index_rmse" in rows[0]:
        return chirp_table(rows)
    if "vkfft_eff" in rows[0] and all(
        re.match("filter|.*taps", row["problem"]) for row in rows
    ):
        return chains_table(rows)
    if "vkfft_eff" in rows[0]:
        details = Path(path).with_name(f"{Path(path).stem}_details.csv")
        return board_table(rows, read(details)[1] if details.exists() else [])
    return (transforms_table if "ours_eff" in rows[0] else flowgraphs_table)(rows)


def with_tables(text, folder="."):
    """The text of a Markdown page, every table as its CSV has it now."""
    def write(match):
        return match[1] + "\n".join(table_of(Path(folder) / match[2], match[3])) + "\n"

    sentence = r"(?:\n.*two runs our times differ.*\n)?"
    return re.sub(COMMENT + r"(?:\|.*\n)*" + sentence, write, text)


def main():
    arguments = sys.argv[1:]
    pages = [Path(name) for name in arguments if name.endswith(".md")]
    if not arguments or len(arguments) > (len(pages) or 2):
        sys.exit(f"usage: {sys.argv[0]} CSV [rates|slow|link] | PAGE.md...")
    for page in pages:
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    if not pages:
        print("\n".join(table_of(*arguments)))


if __name__ == "__main__":
    main()
