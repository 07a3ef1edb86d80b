# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft advise`: CPU or GPU for a transform at a sample rate, as measured here."""

from gnuradio import gpufft

from .accuracy_csv import machine
from .errors import InputError
from .output import OutputFile
from .quantities import (
    format_rate,
    format_seconds,
    parse_integer,
    parse_rate,
    parse_size,
)

ENOUGH_SHARE = 0.5  # of a core, that the CPU may need where the GPU is there too
TITLES = ("vectors", "KiB", "fills in", "CPU rate", "GPU rate", "CPU delay", "GPU delay")
EXPLAINED = (
    "# seconds of a chunk from host memory to host memory; cuda_seconds: three at a time; "
    "cuda_delay: one by itself"
)
CSV_TITLES = "vectors,bytes,cpu_seconds,cuda_seconds,cuda_delay,cpu_sps,cuda_sps"


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "advise",
        help="whether CPU or GPU suits a transform at a sample rate",
        description="Measures a transform on the CPU and on the GPU, from host memory to "
        "host memory in chunks of several sizes, and says which engine suits a stream of "
        "this rate. Blocks with engine='auto' decide by the same figures, which are "
        "measured once on each machine.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "size",
        metavar="SIZE",
        help="FFT size, e.g. 1024, 64k, 1M (k is 1024), or a problem of any kind, e.g. "
        "c2c_forward_n1024_b1_cs16_hop512_window_power_avg100",
    )
    add("rate", metavar="RATE", help="samples a second, e.g. 2400000, 10e6, 2.4Msps")
    add(
        "--threads",
        default="1",
        help="threads of the CPU engine (default 1; 0: one a core)",
    )
    add("--device", default="0", help="index of the GPU (default 0)")
    add("--measure", action="store_true", help="measure again, keep the result")
    add("--csv", help="write the table")


def run(arguments):
    """Runs the subcommand."""
    problem = problem_of(arguments.size)
    rate = parse_rate(arguments.rate, "RATE")
    threads = parse_integer(arguments.threads, "--threads", 0, 1024)
    device = parse_integer(arguments.device, "--device", 0, 1023)
    with OutputFile(arguments.csv) as csv:
        try:
            table = gpufft.break_even(problem, device, threads, arguments.measure)
        except ValueError as error:
            raise InputError(str(error)) from None
        print("\n".join(lines(Advice(table, rate))))
        csv.save(write, table)


def problem_of(text):
    """The problem's string."""
    if not text[:1].isalpha():
        return f"c2c_forward_n{parse_size(text, 'SIZE', 1, 2**30)}_b1"
    try:
        return str(gpufft.problem(text))
    except ValueError as error:
        raise InputError(str(error)) from None


class Advice:
    """Judges a table of gpufft.break_even() for a stream of `rate` samples/s."""

    def __init__(self, table, rate):
        self.table, self.rate = table, rate
        self.hop = gpufft.problem(table["problem"]).hop
        self.rates = {"cpu": table["cpu_rate"], "cuda": table["cuda_rate"]}

    def rate_of(self, chunk, engine):
        """Samples a second in such chunks; 0 if not measured."""
        seconds = chunk[engine]
        return chunk["frames"] * self.hop / seconds if seconds > 0 else 0

    def keeps_up(self, engine):
        return self.rates[engine] >= self.rate

    def share(self):
        """Cores that the CPU engine is busy with."""
        return self.table["threads"] * self.rate / self.rates["cpu"]

    def break_even(self):
        """The smallest chunk from which on the GPU is faster, or None."""
        smallest = None
        for chunk in reversed(self.table["chunks"]):
            cpu, cuda = (self.rate_of(chunk, engine) for engine in ("cpu", "cuda"))
            if cpu and cuda <= cpu or not cuda:
                break
            smallest = chunk
        return smallest

    def smallest_chunk(self, engine):
        """The smallest chunk in which the engine keeps up, or None."""
        for chunk in self.table["chunks"]:
            if self.rate_of(chunk, engine) >= self.rate:
                return chunk
        return None

    def engine(self):
        """(the engine to take, why)."""
        cpu, cuda = self.keeps_up("cpu"), self.keeps_up("cuda")
        if self.table["obstacle"]:
            return "cpu", "there is no other" + ("" if cpu else ", but it is too slow")
        if cpu and self.share() <= ENOUGH_SHARE:
            return "cpu", f"it needs {self.share():.2g} of a core"
        if cpu and cuda:
            return "cuda", f"it spares {self.share():.2g} of a core"
        if cpu or cuda:
            return ("cpu" if cpu else "cuda"), "the other one is too slow"
        return self.table["engine"], "it is the faster one, but too slow"


def lines(advice):
    """The lines that are printed."""
    table = advice.table
    yield f"{table['problem']} at {format_rate(advice.rate)}"
    yield f"CPU: {table['cpu']}, {count(table['threads'], 'thread')}"
    yield f"GPU: {table['card'] or 'none'}"
    if table["obstacle"]:
        yield f"the GPU cannot be used: {table['obstacle']}"
    yield ""
    if table["chunks"]:
        yield from table_lines(advice)
        yield ""
        yield from verdict(advice)
    else:
        yield "vectors of more than 16 MiB are not measured"
    yield f'engine="auto" takes {table["engine"]} ({table["reason"]})'


def count(number, what):
    """E.g. "1 thread", "2 threads"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def table_lines(advice):
    """One line a chunk."""
    yield " ".join(f"{title:>11}" for title in TITLES)
    for chunk in advice.table["chunks"]:
        cells = (
            chunk["frames"],
            format_kib(chunk["bytes"]),
            format_seconds(chunk["frames"] * advice.hop / advice.rate),
            format_rate(advice.rate_of(chunk, "cpu")),
            format_rate(advice.rate_of(chunk, "cuda")),
            format_seconds(chunk["cpu"]),
            format_seconds(chunk["cuda_delay"]),
        )
        yield " ".join(f"{cell:>11}" for cell in cells)


def format_kib(size):
    """Bytes as KiB, without exponent."""
    return f"{size / 1024:.4g}" if size < 2**20 else f"{size / 1024:.0f}"


def verdict(advice):
    """Where the engines meet, whether they keep up, and which one to take."""
    if not advice.table["obstacle"]:
        yield break_even_line(advice)
    for name, engine in (("CPU", "cpu"), ("GPU", "cuda")):
        if engine == "cpu" or not advice.table["obstacle"]:
            yield f"the {name} {ability(advice, engine)}"
    engine, why = advice.engine()
    yield f'take engine="{engine}": {why}'


def break_even_line(advice):
    """From which chunk on the GPU is faster."""
    smallest = advice.break_even()
    if smallest is None:
        return "break-even: the CPU is faster, however large the chunks"
    if smallest is advice.table["chunks"][0]:
        return "break-even: the GPU is faster, even with one vector at a time"
    return (
        f"break-even: the GPU is faster in chunks of {format_kib(smallest['bytes'])} KiB "
        f"({smallest['frames']} vectors) and more"
    )


def ability(advice, engine):
    """Whether the engine keeps up, and how."""
    most = format_rate(advice.rates[engine])
    if not advice.keeps_up(engine):
        return f"does not keep up: it reaches {most}"
    chunk = advice.smallest_chunk(engine)
    share = f" with {advice.share():.2g} of a core" if engine == "cpu" else ""
    text = f"keeps up{share}: it reaches {most}"
    if chunk is None:
        return text
    vectors = count(chunk["frames"], "vector")
    delay = chunk["cpu" if engine == "cpu" else "cuda_delay"]
    fill = chunk["frames"] * advice.hop / advice.rate
    return (
        f"{text}; a chunk of {vectors} fills in {format_seconds(fill)} and takes "
        f"{format_seconds(delay)}"
    )


def write(table, file):
    """The CSV."""
    hop = gpufft.problem(table["problem"]).hop
    threads = count(table["threads"], "CPU thread")
    head = [*machine(), f"# problem: {table['problem']}, {threads}"]
    if table["obstacle"]:
        head.append(f"# the GPU cannot be used: {table['obstacle']}")
    rows = []
    for chunk in table["chunks"]:
        times = [chunk[name] for name in ("cpu", "cuda", "cuda_delay")]
        rates = [chunk["frames"] * hop / time if time else 0 for time in times[:2]]
        cells = (f"{value:.6g}" if value else "" for value in (*times, *rates))
        rows.append(",".join((str(chunk["frames"]), str(chunk["bytes"]), *cells)))
    file.write("\n".join((*head, EXPLAINED, CSV_TITLES, *rows, "")).encode())
