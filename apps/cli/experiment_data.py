# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of experiments as read from their CSV files."""

import csv
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

LIBRARIES = {"ours": "ours", "cufft": "cuFFT", "vkfft": "VkFFT"}


QUANTITIES = {
    "gflops": "GFLOPS (5 N log2 N / time)",
    "error": "Relative L2 error",
    "bandwidth": "GB/s of all passes over memory (peers: of one)",
    "registers": "Registers of a thread",
}


@dataclass
class Row:
    """One problem (or step of the CPU ladder, or codelet). None is unknown."""

    lengths: tuple  # of the axes
    batch: int
    series: str  # algorithm that the problem names, "" for the planner's choice
    ms: dict = field(default_factory=dict)  # by library
    error: dict = field(default_factory=dict)
    recipe: str = ""
    registers: int = None
    local_bytes: int = None  # of registers that had to go to memory
    threads: int = 0  # of a CPU library
    is_round_trip: bool = (
        False  # errors are the RMSE of forward and inverse, not relative L2
    )
    problem: str = ""  # its string, where there is one

    @property
    def n(self):
        """Points of one transform."""
        return math.prod(self.lengths)

    @property
    def size(self):
        """The lengths, e.g. 2048×512."""
        return "×".join(map(str, self.lengths))

    @property
    def shape(self):
        """What a plot joins by a line, e.g. N×N."""
        is_cube = len(set(self.lengths)) == 1
        names = ["N"] * len(self.lengths) if is_cube else ["Nx", "Ny", "Nz"]
        return "×".join(names[: len(self.lengths)])

    @property
    def label(self):
        """What names the row's line in a plot."""
        if self.recipe.startswith("ladder"):
            return f"{self.recipe.split()[0]}, {self.series}"
        return (
            f"{self.series}, {self.threads} threads"
            if self.is_round_trip
            else self.series
        )

    def kernels(self):
        """(threads, registers) of each of our kernels, as the recipe says; strings."""
        return re.findall(r"\[(\d+) threads, (\d+) registers", self.recipe)

    def gflops(self, library):
        """5 N log2 N for each transform, over the time; None if it was not timed."""
        ms = self.ms.get(library)
        if not ms:
            return None
        return 5e-6 * self.n * math.log2(self.n) * self.batch / ms

    def passes(self):
        """Our passes over memory, as the recipe says; None if it does not."""
        found = re.search(r"(\d+) pass(?:es)? over memory", self.recipe)
        return int(found[1]) if found else None

    def bandwidth(self, library):
        """GB/s of complex64 read and written: by all our passes, or by one pass of a peer."""
        ms = self.ms.get(library)
        passes = self.passes() if library == "ours" else 1
        return 16e-6 * self.n * self.batch * passes / ms if ms and passes else None

    def value(self, library, quantity):
        """One of QUANTITIES."""
        if quantity == "error":
            return self.error.get(library)
        if quantity == "registers":
            return self.registers if library == "ours" else None
        return getattr(self, quantity)(library)


@dataclass
class Results:
    """A CSV file: its head without the #, its rows, the card in its name."""

    card: str
    head: list
    rows: list

    def series(self):
        """The names of the series, in the order of the file."""
        return list(dict.fromkeys(row.series for row in self.rows))

    def copy_rate(self):
        """The copy rate in GB/s from the head; None if missing."""
        found = re.search(r"copy rate: ([\d.]+) GB/s", "\n".join(self.head))
        return float(found[1]) if found else None

    def load(self):
        """How many processes ran on the machine before; 0 if the head does not say."""
        return float((self.fact("load") or "0").split()[0])

    def fact(self, name):
        """What the head says after "name: "; empty if it does not."""
        found = re.search(rf"(?m)^{name}: (.*)$", "\n".join(self.head))
        return found[1].strip() if found else ""


def csv_path(folder, name, card):
    """Where an experiment's results are."""
    return Path(folder) / f"experiment_{name}_{card}.csv"


def find_results(folder, name):
    """All cards' results of an experiment, by card."""
    found = sorted(Path(folder).glob(f"experiment_{name}_*.csv"))
    return [
        read_results(path, path.stem[len(f"experiment_{name}_") :])
        for path in found
        if not path.stem.endswith("_details")
    ]


def read_lines(path):
    """(head lines, list of dicts)."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    head = [line[1:].strip() for line in lines if line.startswith("#")]
    return head, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def read_results(path, card):
    """The results in a file of one of the programs."""
    head, lines = read_lines(path)
    if lines and "step" in lines[0]:
        return Results(card, head, [cpu_row(line) for line in lines])
    if lines and "local_bytes" in lines[0]:
        return Results(card, head, [codelet_row(line) for line in lines])
    if lines and "spills" in lines[0]:
        return Results(card, head, [recipe_row(line) for line in lines])
    if lines and "frames" in lines[0]:
        return Results(card, head, [round_trip_row(line) for line in lines])
    if lines and "library" in lines[0]:
        return Results(card, head, [cpu_peer_row(line) for line in lines])
    details = Path(path).with_name(Path(path).stem + "_details.csv")
    more = {}
    if details.exists():
        more = {line["problem"]: line for line in read_lines(details)[1]}
    rows = [gpu_row({**more.get(line["problem"], {}), **line}) for line in lines]
    return Results(card, head, rows)


def cpu_row(line):
    """A line of bench_cpu_ladder: the shortest time, which other work disturbs least."""
    return Row(
        (int(line["n"]),),
        1,
        line["step"],
        {"ours": number(line["min_ms"])},
        {"ours": number(line["error"])},
    )


def cpu_peer_row(line):
    """A line of bench_cpu_peers."""
    lengths, batch, _ = parse_problem(line["problem"])
    return Row(
        lengths,
        batch,
        line["library"],
        {"ours": number(line["ms"])},
        {"ours": number(line["rmse"])},
        threads=int(line["threads"]),
        is_round_trip=True,
        problem=line["problem"],
    )


def round_trip_row(line):
    """A line of round_trip."""
    lengths, batch, series = parse_problem(line["problem"])
    error = {"ours": number(line["rmse"])}
    return Row(
        lengths, batch, series, {}, error, problem=line["problem"], is_round_trip=True
    )


def recipe_row(line):
    """A line of bench_recipes: tensor recipes are told by their number of kernels, others by
    their threads."""
    lengths, batch, _ = parse_problem(line["problem"])
    name, *words = line["recipe"].split()
    if name == "tensor":
        count = len(words) - 5  # after the points, three numbers and the lengths
        series = f"{count} kernel{'s' if count > 1 else ''}"
    else:
        series = f"{words[-1].split('/')[1]} threads"
    return Row(
        lengths,
        batch,
        series,
        {"ours": number(line["ms"])},
        {"ours": number(line["error"])},
        line["recipe"],
        registers=int(line["registers"]),
        local_bytes=int(line["spills"]),
        problem=line["problem"],
    )


def codelet_row(line):
    """A line of bench_codelets."""
    return Row(
        (int(line["points"]),),
        1,
        line["precision"],
        registers=int(line["registers"]),
        local_bytes=int(line["local_bytes"]),
    )


def gpu_row(line):
    """A line of gpufft-bench, with its details if there are any."""
    lengths, batch, series = parse_problem(line["problem"])
    return Row(
        lengths,
        batch,
        series,
        {name: number(line.get(f"{name}_ms")) for name in LIBRARIES},
        {name: number(line.get(f"{name}_error")) for name in LIBRARIES},
        line.get("recipe", ""),
        problem=line["problem"],
    )


def parse_problem(text):
    """(lengths, batch, algorithm) of a problem string."""
    size = re.search(r"_n([\dx]+)_b(\d+)", text)
    algorithm = re.search(r"_algorithm=(.*)", text)
    lengths = tuple(map(int, size[1].split("x")))
    return lengths, int(size[2]), algorithm[1] if algorithm else ""


def number(text):
    """A float, or None for an empty cell."""
    return float(text) if text else None


@dataclass
class Published:
    """A claim, or a figure, that a work gives as a number: a line of published.csv."""

    work: str
    experiment: str
    where: str
    claim: str
    hardware: str
    low: float
    high: float
    unit: str
    measure: str  # one of experiment_verdicts.MEASURES; empty: `why` none can be made
    peer: str
    series: str  # algorithms, separated by spaces; empty: the planner's choice
    sizes: str  # points of one transform: "N N", or "N-" for N and above; empty: all
    why: str
    source: str


def read_published(path):
    """All lines."""
    lines = read_lines(path)[1]
    for line in lines:
        line["low"], line["high"] = float(line["low"]), float(line["high"])
    return [Published(**line) for line in lines]


def geometric_mean(values):
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))
