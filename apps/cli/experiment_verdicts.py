# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on each claim of the papers: their figure beside the same ratio measured now.

A measure is a function of a claim (experiment_data.Published) and the results of one card
that returns what it found: a text, and whether the claim holds, or None where that cannot
be told.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass

from .experiment_data import LIBRARIES, find_results, geometric_mean

HOLDS, FAILS, UNTESTED = "holds", "**does not hold**", "cannot be tested"
CORES_THEN = 4  # of the CPU beside the paper's card: with fewer a ratio says nothing
BUSY = 0.25  # of the cores: with more other work on them times say nothing
SAME_ORDER = math.sqrt(10)
COPY_SHARE = 0.9  # of the copy rate: what counts as the time of the memory traffic

RULES = f"""A claim holds if

* a speed, as the geometric mean over the problems that the claim speaks of, reaches the
  lower end of the published range (of a best rate: the best over all problems);
* an error is at most √10 times the published order, or, of what is said to be inexact,
  reaches it by as much;
* registers or passes are no more than the published ones; the share of the copy rate is at
  least {COPY_SHARE};

on every card that was measured. Speeds are ratios of times in one run: rates of cards of
different years are never compared, nor a card with a CPU of fewer than {CORES_THEN} cores or
with other work on them.
"Now" is this project's transform and today's peer, not the authors' program and CUFFT of
2008; a claim that does not hold says so of these, not of what was measured then.
"""


@dataclass
class Finding:
    """What a measure found in one card's results."""

    text: str  # empty: a figure that would mislead
    holds: bool = None
    why: str = ""  # it cannot be told


@dataclass
class Verdict:
    """A claim, what was found on each card, and what follows."""

    claim: object
    findings: list  # of (experiment, experiment_data.Results, Finding)

    @property
    def word(self):
        """One of HOLDS, FAILS, UNTESTED."""
        known = [found.holds for *_, found in self.findings if found.holds is not None]
        return UNTESTED if not known else HOLDS if all(known) else FAILS

    @property
    def why(self):
        """Of one that cannot be tested."""
        reasons = [found.why for *_, found in self.findings if found.why]
        return self.claim.why or "; ".join(dict.fromkeys(reasons)) or "not measured yet"


def verdicts(claims, folder):
    """A Verdict for each claim, from the CSV files in a folder."""
    cpus = find_results(folder, "cpu_peers")
    made = []
    for claim in claims:
        findings = []
        if claim.measure:
            for name, results in results_of(claim, folder):
                found = MEASURES[claim.measure](claim, results, cpus)
                if found:
                    findings.append((name, results, found))
        made.append(Verdict(claim, findings))
    return made


def results_of(claim, folder):
    """(experiment, results of a card) of the first of the claim's experiments that has any."""
    for name in claim.experiment.split():
        if found := find_results(folder, name):
            return [(name, results) for results in found]
    return []


def table(made, link_of, age_of):
    """The lines of the page's table. link_of gives the text that links a result's CSV,
    age_of what is said of its commit."""
    count = Counter(verdict.word for verdict in made)
    yield (
        f"Of {len(made)} claims {count[HOLDS]} hold, {count[FAILS]} do not hold, and "
        f"{count[UNTESTED]} cannot be tested."
    )
    yield ""
    yield "| work | claim | then, on | now | verdict |"
    yield "| --- | --- | --- | --- | --- |"
    for verdict in made:
        claim = verdict.claim
        now = "; ".join(
            f"{found.text} ({link_of(name, results)}{age_of(results)})"
            for name, results, found in verdict.findings
            if found.text
        )
        word = verdict.word
        if word == UNTESTED:
            word += f": {verdict.why}"
        yield (
            f"| {claim.work}, {claim.where} | {claim.claim} | {claim.hardware} "
            f"| {now or '-'} | {word} |"
        )


# Measures


def speed(claim, results, _):
    """A peer's time over ours, geometric mean."""
    rows = [row for row in chosen(claim, results) if row.ms.get(claim.peer)]
    ratios = [row.ms[claim.peer] / row.ms["ours"] for row in rows]
    if not ratios:
        return None
    mean = geometric_mean(ratios)
    peer = f"{LIBRARIES[claim.peer]}{version_of(claim.peer, results)}"
    return Finding(f"{spread(ratios)} × {peer}", mean >= claim.low)


def cpu_speed(claim, results, cpus):
    """The CPU library's time, with one thread or all, over ours, for the problems that both
    have run."""
    found = []
    for cpu in cpus:
        ms = {}
        for row in cpu.rows:
            if row.series == claim.peer:
                ms.setdefault((row.lengths, row.batch), []).append(row.ms["ours"])
        ratios = [
            min(ms[row.lengths, row.batch]) / row.ms["ours"]
            for row in chosen(claim, results)
            if (row.lengths, row.batch) in ms
        ]
        if ratios:
            found.append((max(row.threads for row in cpu.rows), cpu, ratios))
    if not found:
        return None
    cores, cpu, ratios = max(found, key=lambda each: each[0])
    if cores < CORES_THEN:
        return Finding("", None, f"MKL was run on {cores} cores only ({cpu.card})")
    if cpu.load() > BUSY * cores:
        return Finding("", None, f"MKL was run beside other work ({cpu.card})")
    text = f"{spread(ratios)} × MKL on {cores} cores ({cpu.card})"
    return Finding(text, geometric_mean(ratios) >= claim.low)


def best_rate(claim, results, _):
    """Our best GFLOPS over the best of a peer on the same card."""
    rows = chosen(claim, results)
    best = [max(row.gflops(name) or 0 for row in rows) for name in ("ours", claim.peer)]
    if not best[1]:
        return None
    peer = f"{LIBRARIES[claim.peer]}{version_of(claim.peer, results)}"
    return Finding(f"{best[0] / best[1]:.2f} × {peer}", best[0] / best[1] >= claim.low)


def best_series(claim, results, _):
    """The fastest of the named algorithms beside a peer."""
    speeds = {
        row.series: row.ms[claim.peer] / row.ms["ours"]
        for row in results.rows
        if row.series and row.ms.get("ours") and row.ms.get(claim.peer)
    }
    if not speeds:
        return None
    name = max(speeds, key=speeds.get)
    peer = f"{LIBRARIES[claim.peer]}{version_of(claim.peer, results)}"
    text = f"the fastest, {name}: {speeds[name]:.2f} × {peer}"
    return Finding(text, speeds[name] >= claim.low)


def ahead(claim, results, _):
    """A peer's time over ours at each size."""
    rows = [row for row in chosen(claim, results) if row.ms.get(claim.peer)]
    speeds = {row.n: row.ms[claim.peer] / row.ms["ours"] for row in rows}
    if not speeds:
        return None
    parts = [f"{value:.2f} at {n}" for n, value in speeds.items()]
    text = (
        f"{', '.join(parts)} × {LIBRARIES[claim.peer]}{version_of(claim.peer, results)}"
    )
    return Finding(text, all(value > claim.low for value in speeds.values()))


def error_gain(claim, results, _):
    """By how many per cent our error is below a peer's, geometric mean."""
    ratios = [
        row.error["ours"] / row.error[claim.peer]
        for row in chosen(claim, results, "error")
        if row.error.get(claim.peer)
    ]
    if not ratios:
        return None
    gain = 100 * (1 - geometric_mean(ratios))
    side = "below" if gain > 0 else "above"
    text = f"{abs(gain):.0f} % {side} {LIBRARIES[claim.peer]}'s ({len(ratios)} problems)"
    return Finding(text, gain > claim.low if claim.low == 0 else gain >= claim.low)


def largest_error(claim, results):
    """The row with the largest error of the claim's series; None without rows."""
    rows = chosen(claim, results, "error")
    return max(rows, key=lambda row: row.error["ours"], default=None)


def error_text(row):
    """Of the row with the largest error."""
    kind = "round trip's RMSE" if row.is_round_trip else "forward error, relative L2,"
    return f"largest {kind} {row.error['ours']:.1e}, at N = {row.size}"


def error_at_most(claim, results, _):
    """Errors of a series stay within the published order."""
    row = largest_error(claim, results)
    if row is None:
        return None
    return Finding(error_text(row), row.error["ours"] <= SAME_ORDER * claim.high)


def error_reaches(claim, results, _):
    """Errors of a series reach the published order."""
    row = largest_error(claim, results)
    if row is None:
        return None
    return Finding(error_text(row), row.error["ours"] >= claim.low / SAME_ORDER)


def registers(claim, results, _):
    """Registers of the codelet of a length."""
    rows = [row for row in results.rows if is_meant(claim, row) and row.registers]
    if not rows:
        return None
    most = max(row.registers for row in rows)
    return Finding(f"{most} registers", most <= claim.high)


def passes(claim, results, _):
    """Passes over memory."""
    counts = [row.passes() for row in results.rows if row.passes()]
    if not counts:
        return None
    text = f"{min(counts)} to {max(counts)} passes ({len(counts)} problems)"
    return Finding(text, max(counts) <= claim.high)


def copy_share(claim, results, _):
    """What all passes of a ladder read and write over the time, beside the copy rate."""
    for row in chosen(claim, results):
        radices = re.search(r"ladder\w*\(\d+: ([\d·]+)\)", row.recipe)
        rate = results.copy_rate()
        if radices and rate:
            count = radices[1].count("·") + 1
            share = 16e-6 * row.n * row.batch * count / row.ms["ours"] / rate
            text = f"{count} passes at {share:.2f} of the copy rate"
            return Finding(text, share >= COPY_SHARE * claim.low)
    return None


def share_of_fftw(claim, results, _):
    """The fastest of some steps beside FFTW's plans, in per cent. Measured and estimated plans
    may decide differently, and the report is not known to say which it has."""
    rows = chosen(claim, results)
    shares = {}
    for effort in ("measure", "estimate"):
        fftw = {
            row.n: row.ms["ours"]
            for row in results.rows
            if row.series == f"fftw_{effort}"
        }
        ratios = [100 * fftw[row.n] / row.ms["ours"] for row in rows if row.n in fftw]
        if not ratios:
            return None
        shares[effort] = max(ratios)
    best = min(rows, key=lambda row: row.ms["ours"]).series
    text = (
        f"{best}: {shares['measure']:.0f} % of FFTW's with a measured plan, "
        f"{shares['estimate']:.0f} % with an estimated one"
    )
    above = {share >= claim.low for share in shares.values()}
    if len(above) == 1:
        return Finding(text, above.pop())
    return Finding(text, None, "it depends on FFTW's planning, which is not known")


MEASURES = {
    each.__name__: each
    for each in (
        speed,
        cpu_speed,
        best_rate,
        best_series,
        ahead,
        error_gain,
        error_at_most,
        error_reaches,
        registers,
        passes,
        copy_share,
        share_of_fftw,
    )
}


# What they share


def chosen(claim, results, quantity="ms"):
    """The rows that a claim speaks of and that have our time, or error."""
    return [
        row
        for row in results.rows
        if is_meant(claim, row) and getattr(row, quantity).get("ours")
    ]


def is_meant(claim, row):
    """Whether a claim speaks of a row: by its series, and "N-" or "N N" in `sizes`."""
    if row.series not in (claim.series.split() or [""]):
        return False
    if claim.sizes.endswith("-"):
        return row.n >= int(claim.sizes[:-1])
    return not claim.sizes or str(row.n) in claim.sizes.split()


def spread(ratios):
    """e.g. 1.21 (0.95 … 1.46, 10 problems)"""
    mean, low, high = geometric_mean(ratios), min(ratios), max(ratios)
    if len(ratios) == 1:
        return f"{mean:.2f} (1 problem)"
    return f"{mean:.2f} ({low:.2f} … {high:.2f}, {len(ratios)} problems)"


def version_of(library, results):
    """E.g. 12.0.0 after a space, from the head of a CSV."""
    found = re.search(rf"{LIBRARIES[library]} ([\d.]+)", "\n".join(results.head))
    return f" {found[1]}" if found else ""
