# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft bench --experiment NAME`: runs a published experiment, writes its CSV and plot.

Also a command of its own where GNU Radio is not installed, from the folder apps:
python3 -m cli.experiment NAME
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from . import experiment_docs
from .errors import CommandError, InputError
from .experiment_data import csv_path, read_published, read_results
from .experiment_lists import EXPERIMENTS

BENCH = ("apps/bench/gpufft-bench", "libexec/gpufft/gpufft-bench")
CPU_LADDER = ("tests/benchmark/experiments/bench_cpu_ladder",)


def names():
    """What --experiment takes."""
    return [*EXPERIMENTS, "gpu", "plots", "docs"]


def run(name, docs="docs", program=None, options=()):
    """Runs one experiment; "gpu" runs all of them but those of the CPU.

    "plots" draws again what docs/results holds, "docs" does so and writes
    docs/experiments.md. `options` are handed on to the benchmark program.
    """
    docs = Path(docs)
    results = docs / "results"
    if name not in names():
        allowed = ", ".join(names())
        raise InputError(f"experiment is {name!r}, but must be one of {allowed}")
    if not results.is_dir():
        raise InputError(f"there is no folder {results}: run it in the project's folder")
    if name in ("plots", "docs"):
        draw_all(docs)
        if name == "docs":
            page = docs / "experiments.md"
            experiment_docs.write(results, published_path(docs), page)
            print(f"written: {page}")
        return
    chosen = [each for each in EXPERIMENTS if EXPERIMENTS[each].problems]
    for each in chosen if name == "gpu" else [name]:
        path = time_experiment(each, results, program, options)
        draw(each, path, docs)


def published_path(docs):
    """The papers' figures."""
    return docs / "experiments" / "published.csv"


def time_experiment(name, results, program, options):
    """Times it; returns the path of its CSV."""
    problems = EXPERIMENTS[name].problems
    program = program or find_program(BENCH if problems else CPU_LADDER)
    with tempfile.TemporaryDirectory() as folder:
        place = folder if problems else f"{folder}/cpu.csv"
        command = [str(program), *options, "--csv", place, *problems]
        if subprocess.run(command, check=False).returncode != 0:
            raise CommandError(f"{Path(program).name} failed on experiment {name}")
        return collect(name, Path(folder), results, command)


def collect(name, folder, results, command):
    """Moves the CSV files of a run to docs/results under the experiment's name."""
    written = [path for path in folder.glob("*.csv") if "_details" not in path.stem]
    if len(written) != 1:
        raise CommandError(f"{Path(command[0]).name} wrote no CSV")
    text = written[0].read_text(encoding="utf-8")
    stem = written[0].stem  # "cpu", or "bench_CARD"
    card = cpu_card(text) if stem == "cpu" else stem.split("_", 1)[1]
    target = csv_path(results, name, card)
    made_by = f"# command: gpufft bench --experiment {name}"
    details = written[0].with_name(f"{stem}_details.csv")
    for source, path in (
        (written[0], target),
        (details, target.with_name(f"{target.stem}_details.csv")),
    ):
        if source.exists():
            text = source.read_text(encoding="utf-8")
            path.write_text(
                re.sub(r"(?m)^# command: .*$", made_by, text), encoding="utf-8"
            )
            print(f"written: {path}")
    return target


def cpu_card(text):
    """A short name of the CPU in a CSV's head, e.g. "epyc2" for an EPYC with 2 cores."""
    head = re.search(r"(?m)^# cpu: (.*), (\d+) cores", text)
    if head is None:
        return "cpu"
    known = re.search(r"epyc|xeon|ryzen|core|neoverse|apple", head[1].lower())
    return (known[0] if known else "cpu") + head[2]


def find_program(places):
    """The benchmark program in the build tree or installation that this file is in."""
    for folder in Path(__file__).resolve().parents:
        for place in places:
            for candidate in (folder / place, folder / "build" / place):
                if candidate.is_file():
                    return candidate
    raise CommandError(
        f"{Path(places[0]).name} is not built: configure with -DENABLE_BENCHMARKS=ON, or "
        "name it by --program"
    )


def draw(name, path, docs):
    """Draws the plot beside the CSV."""
    try:
        from . import experiment_plot
    except ModuleNotFoundError as missing:  # a machine for timing may lack matplotlib
        print(f"no plot, {missing}: draw it elsewhere by --experiment plots")
        return
    card = path.stem[len(f"experiment_{name}_") :]
    picture = path.with_suffix(".png")
    experiment_plot.draw(
        EXPERIMENTS[name],
        read_results(path, card),
        read_published(published_path(docs), name),
        picture,
    )
    print(f"written: {picture}")


def draw_all(docs):
    """Every plot again."""
    for name in EXPERIMENTS:
        for path in sorted((docs / "results").glob(f"experiment_{name}_*.csv")):
            if not path.stem.endswith("_details"):
                draw(name, path, docs)


def main():
    """The command without GNU Radio."""
    parser = argparse.ArgumentParser(prog="experiment", description=__doc__)
    parser.add_argument("name", choices=names())
    parser.add_argument("--docs", default="docs", help="the project's folder docs")
    parser.add_argument("--program", help="gpufft-bench or bench_cpu_ladder")
    arguments, options = parser.parse_known_args()
    try:
        run(arguments.name, arguments.docs, arguments.program, options)
    except CommandError as error:
        print(f"experiment: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
