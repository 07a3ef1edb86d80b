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
from .experiment_data import csv_path, read_results
from .experiment_lists import EXPERIMENTS
from .experiment_problems import MANY_ELEMENTS
from .experiment_sources import hash_of_kernels

BENCH = ("apps/bench/gpufft-bench", "libexec/gpufft/gpufft-bench")
FLOWGRAPH = (
    "apps/bench/flowgraph/gpufft-bench-flowgraph",
    "libexec/gpufft/gpufft-bench-flowgraph",
)
ARRAYS = (
    "apps/bench/arrays/gpufft-bench-arrays",
    "libexec/gpufft/gpufft-bench-arrays",
)
FOLDER = "tests/benchmark/experiments"
PROGRAMS = {
    "gpufft-bench": BENCH,
    "bench_cpu_ladder": (f"{FOLDER}/bench_cpu_ladder",),
    "bench_cpu_peers": (f"{FOLDER}/bench_cpu_peers",),
    "bench_codelets": (f"{FOLDER}/bench_codelets",),
    "bench_recipes": ("tests/benchmark/bench_recipes",),
}
LISTER = (f"{FOLDER}/list_tensor_recipes",)
RECIPE_RUNS = 15
CPU_PROGRAMS = ("bench_cpu_ladder", "bench_cpu_peers")


def names():
    """What --experiment takes."""
    return [*EXPERIMENTS, "gpu", "plots", "docs"]


def run(name, docs="docs", program=None, options=()):
    """Runs one experiment, or several at once: NAME,NAME; "gpu" runs all of gpufft-bench.

    "plots" draws again what docs/results holds, "docs" does so and writes
    docs/experiments.md. `options` are handed on to the benchmark program.
    """
    docs = Path(docs)
    results = docs / "results"
    chosen = choose(name)
    if not results.is_dir():
        raise InputError(f"there is no folder {results}: run it in the project's folder")
    if name in ("plots", "docs"):
        draw_all(docs)
        if name == "docs":
            page = docs / "experiments.md"
            experiment_docs.write(results, published_path(docs), page, docs.parent)
            print(f"written: {page}")
        return
    for each, path in time_experiments(chosen, results, program, options):
        draw(each, path, docs)


def choose(name):
    """The experiments that a name means; none for "plots" and "docs". Raises InputError
    for another name, and for several that one program does not run."""
    if name in ("plots", "docs"):
        return []
    if name == "gpu":
        return [
            name for name, each in EXPERIMENTS.items() if each.program == "gpufft-bench"
        ]
    chosen = name.split(",")
    for each in chosen:
        if each not in EXPERIMENTS:
            allowed = ", ".join(names())
            raise InputError(f"experiment is {each!r}, but must be one of {allowed}")
    if len({EXPERIMENTS[each].program for each in chosen}) > 1:
        raise InputError(f"experiments {name} are not run by the same program")
    return chosen


def published_path(docs):
    """The papers' figures."""
    return docs / "experiments" / "published.csv"


def time_experiments(names, results, program, options):
    """Times the problems of all in one run of the program; returns (name, path of the
    CSV) of each."""
    first = EXPERIMENTS[names[0]]
    problems = list(
        dict.fromkeys(text for name in names for text in EXPERIMENTS[name].problems)
    )
    if first.program == "round_trip":
        return time_round_trips(names, results, options)
    program = program or find_program(PROGRAMS[first.program])
    if first.program == "bench_recipes":
        return time_recipes(names, results, program, options)
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/host.csv"
        if first.program == "gpufft-bench":
            place, options = folder, ["--out-of-place", *options]
        command = [str(program), *first.options, *options, "--csv", place, *problems]
        status = subprocess.run(command, check=False).returncode
        if status != 0 and not has_rows(Path(folder)):
            raise CommandError(
                f"{Path(program).name} failed on experiment {', '.join(names)}"
            )
        return [(name, collect(name, Path(folder), results, command)) for name in names]


def has_rows(folder):
    """Whether a run that failed on some problems has written the others."""
    return any(
        line and not line.startswith("#")
        for path in folder.glob("*.csv")
        for line in path.read_text(encoding="utf-8").splitlines()[1:]
    )


def time_recipes(names, results, program, options):
    """The same of experiments whose recipes bench_recipes gets in a file."""
    commit = chosen_options(options, "--commit").get("--commit")
    made = []
    for name in names:
        recipes = EXPERIMENTS[name].recipes
        with tempfile.TemporaryDirectory() as folder:
            text = "\n".join(recipes) or output_of([find_program(LISTER)])
            path = Path(folder) / "recipes.txt"
            path.write_text(text + "\n", encoding="utf-8")
            command = [program, path, MANY_ELEMENTS, RECIPE_RUNS]
            text = output_of(command)
            if commit is not None:
                text = re.sub(r"(?m)^# commit: .*$", f"# commit: {commit}", text)
            (Path(folder) / "host.csv").write_text(text, encoding="utf-8")
            made.append((name, collect(name, Path(folder), results, command)))
    return made


def chosen_options(options, *known):
    """{option: value}. Raises InputError for others than those known."""
    chosen = dict(zip(options[::2], options[1::2]))
    if unknown := set(chosen) - set(known):
        raise InputError(f"{min(unknown)} is not for this experiment")
    return chosen


def time_round_trips(names, results, options):
    """The same of experiments that take plans; options are --engine and --commit."""
    chosen = chosen_options(options, "--engine", "--commit")
    from . import round_trip  # which needs GNU Radio

    made = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            text = round_trip.measure(
                EXPERIMENTS[name].problems,
                chosen.get("--engine", "cuda"),
                chosen.get("--commit") or commit_of(results.parent.parent),
            )
            (Path(folder) / "host.csv").write_text(text, encoding="utf-8")
            made.append((name, collect(name, Path(folder), results, ["round_trip"])))
    return made


def commit_of(project):
    """The project's commit; "unknown" without a repository."""
    command = ["git", "-C", str(project), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def output_of(command):
    """What a program prints. Raises CommandError if it fails."""
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise CommandError(f"{Path(command[0]).name} failed: {done.stdout[-200:]}")
    return done.stdout


def collect(name, folder, results, command):
    """Writes the experiment's rows of a run's CSV files to docs/results."""
    written = [path for path in folder.glob("*.csv") if "_details" not in path.stem]
    if len(written) != 1:
        raise CommandError(f"{Path(command[0]).name} wrote no CSV")
    text = written[0].read_text(encoding="utf-8")
    stem = written[0].stem  # "host", or "bench_CARD"
    card = host_card(text) if stem == "host" else stem.split("_", 1)[1]
    target = csv_path(results, name, card)
    details = written[0].with_name(f"{stem}_details.csv")
    for source, path in (
        (written[0], target),
        (details, target.with_name(f"{target.stem}_details.csv")),
    ):
        if source.exists():
            text = rows_of(name, source.read_text(encoding="utf-8"))
            text = with_facts(name, text, results.parent.parent)
            path.write_text(text, encoding="utf-8")
            print(f"written: {path}")
    return target


def rows_of(name, text):
    """A CSV with the rows of one experiment only, and its command in the head."""
    made_by = f"# command: gpufft bench --experiment {name}"
    text = re.sub(r"(?m)^# command: .*$", made_by, text)
    problems = EXPERIMENTS[name].problems
    if EXPERIMENTS[name].program != "gpufft-bench":
        return text
    lines = text.splitlines()
    head = [line for line in lines if line.startswith("#")]
    titles, *rows = (line for line in lines if not line.startswith("#"))
    column = titles.split(",").index("problem")
    row_of = {row.split(",")[column]: row for row in rows}
    chosen = [row_of[problem] for problem in problems if problem in row_of]
    return "\n".join([*head, titles, *chosen]) + "\n"


def with_facts(name, text, project):
    """A CSV whose head also says which sources the card ran, and at which clocks."""
    if EXPERIMENTS[name].program in CPU_PROGRAMS:
        return text
    facts = f"# sources: {hash_of_kernels(project)}\n"
    if EXPERIMENTS[name].program in ("gpufft-bench", "bench_recipes"):
        facts += f"# clocks: {clocks()}\n"
    head, command, rest = text.partition("# command: ")
    return head + facts + command + rest


def clocks():
    """The card's core and memory clocks as nvidia-smi reads them."""
    query = "clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem"
    command = ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        core, most_core, memory, most_memory = done.stdout.splitlines()[0].split(", ")
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return "unknown"
    return (
        f"core {core} MHz of {most_core}, memory {memory} MHz of {most_memory}, read "
        "after the last run"
    )


def host_card(text):
    """What a CSV's head says it is about: of a CPU a short name, e.g. "epyc2" for an EPYC
    with 2 cores; of a card "h200"; "sm90" if kernels were compiled for that."""
    compiled = re.search(r"(?m)^# architecture: sm_(\d+)", text)
    if compiled:
        return f"sm{compiled[1]}"
    device = re.search(r"(?m)^# card: [^,]*?([A-Za-z]*\d+\w*)", text)
    if device:
        return device[1].lower()
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
        f"{Path(places[0]).name} is not built: configure with -DENABLE_BENCHMARKS=ON and "
        "build bench_programs, or name it by --program"
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
    parser.add_argument("name", help=f"NAME or NAME,NAME: {', '.join(names())}")
    parser.add_argument("--docs", default="docs", help="the project's folder docs")
    parser.add_argument("--program", help="the program to run instead of the one built")
    arguments, options = parser.parse_known_args()
    try:
        run(arguments.name, arguments.docs, arguments.program, options)
    except CommandError as error:
        print(f"experiment: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
