#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants the faults that tests/mutations/*.txt list, one at a time, and runs the blocks'
tests: which faults does no test see? Needs a build by Ninja with -DENABLE_UNITY_BUILD=OFF,
which has a command for each source; leaves it and the sources as they are (a fault lives in
build/mutations).

    tests/mutate_stream.py --report docs/results/mutations.txt
    tests/mutate_stream.py --only ring_keeps_what_failed,edges_stay
    tests/mutate_stream.py --check          does each still fit the sources?
    tests/mutate_stream.py --check --report docs/results/mutations.txt
                                            and does the report show that each was seen?
"""

import argparse
import collections
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import mutation_report
from mutation_lists import ROOT, chosen, every_mutation, mutated

OBJECTS = "lib/CMakeFiles/gpufft-block-objects.dir"
CORE_OBJECTS = "lib/CMakeFiles/gpufft-objects.dir"  # which the tests take from an archive
PATIENCE = 10  # times what a test takes without a fault, for a busy machine
LEAST_PATIENCE = 60  # seconds
MOST_PATIENCE = 1200
LONGER = 3  # times that, for a test that did not end and runs once more, with nothing beside it
TOO_LONG = "runs for more than"
USUAL = 30  # seconds, of a test that was not measured

# Tests of tests/blocks, those first that are fast and find much. What survives all of
# them meets the last ones.
QUICK = {"GPUFFT_TEST_FAULTS": "40", "GPUFFT_TEST_GRAPHS": "64"}
THOROUGH = {"GPUFFT_TEST_FAULTS": "300", "GPUFFT_TEST_GRAPHS": "400"}
TESTS = (
    ("qa_device_errors", QUICK),
    ("qa_framer", QUICK),
    ("qa_poll_rhythm", QUICK),
    ("qa_chunk_waits", QUICK),
    ("qa_few_items", QUICK),
    ("qa_live_values", QUICK),
    ("qa_shadow_ring", QUICK),
    ("qa_kernel_function", QUICK),
    ("qa_simulated_device", QUICK),
    ("qa_transform_edges", QUICK),
    ("qa_device_edges", QUICK),
    ("qa_custom_buffers", QUICK),
    ("qa_device_ports", QUICK),
    ("qa_device_functions", QUICK),
    ("qa_cuda_buffers", QUICK),
    ("qa_format_edges", QUICK),
    ("qa_channel_edges", QUICK),
    ("qa_channelizer_edges", QUICK),
    ("qa_channel_streams", QUICK),
    ("qa_synthesis_streams", QUICK),
    ("qa_endings", QUICK),
    ("qa_device_faults", QUICK),
    ("qa_random_flowgraphs", QUICK),
    ("qa_restarts", QUICK),
    ("qa_live_setters", QUICK),
    ("qa_live_plan", QUICK),
    ("qa_holds", QUICK),
    ("qa_filter_edges", QUICK),
    ("qa_history", QUICK),
    ("qa_soak", QUICK),
    ("qa_setters_between_runs", QUICK),
    ("qa_device_hangs", QUICK),
    ("qa_same_bits", QUICK),
    ("qa_random_flowgraphs", THOROUGH),
    ("qa_device_faults", THOROUGH),
)

# Those that most likely see a fault of a file.
FIRST = {
    "lib/blocks/channel_core.cc": "qa_channel_edges",
    "lib/blocks/channelizer_settings.cc": "qa_channelizer_edges",
    "lib/blocks/fft2d_vcc_impl.cc": "qa_few_items",
    "lib/blocks/fft_pdu_impl.cc": "qa_few_items",
    "lib/blocks/filter_block.cc": "qa_channel_edges",
    "lib/blocks/filter_block_tags.cc": "qa_channel_edges",
    "lib/blocks/device_block_impl.cc": "qa_device_functions",
    "lib/blocks/filter_settings.cc": "qa_filter_edges",
    "lib/blocks/item_format.cc": "qa_format_edges",
    "lib/blocks/kernel_function.cc": "qa_kernel_function",
    "lib/blocks/ports_block.cc": "qa_device_ports",
    "lib/blocks/logpwrfft_impl.cc": "qa_random_flowgraphs",
    "lib/blocks/power_spectrum_impl.cc": "qa_holds",
    "lib/blocks/stream_history.cc": "qa_history",
    "lib/blocks/synthesizer_settings.cc": "qa_channelizer_edges",
    "lib/engine/chunk_pipeline.cc": "qa_device_edges",
    "lib/engine/device_watch.cc": "qa_poll_rhythm",
    "lib/engine/poll_rhythm.cc": "qa_poll_rhythm",
    "lib/stream/port_sizes.cc": "qa_device_ports",
    "lib/stream/ports_input.cc": "qa_device_ports",
    "lib/stream/ports_output.cc": "qa_device_ports",
    "lib/stream/row_maps.cc": "qa_synthesis_streams",
    "lib/stream/row_streams.cc": "qa_channel_streams",
    "lib/stream/streams_input.cc": "qa_synthesis_streams",
    "lib/stream/streams_output.cc": "qa_channel_streams",
    "lib/stream/chunk_input.cc": "qa_device_edges",
    "lib/stream/chunk_transfer.cc": "qa_device_edges",
    "lib/stream/cuda_buffers.cc": "qa_cuda_buffers",
    "lib/stream/framer.cc": "qa_framer",
    "lib/stream/function_plan.cc": "qa_device_functions",
    "lib/stream/last_reader.cc": "qa_endings",
    "lib/stream/live_plan.cc": "qa_live_values",
    "lib/stream/live_plan_engine.cc": "qa_live_values",
    "lib/stream/live_values.cc": "qa_live_values",
    "lib/stream/ring_log.cc": "qa_shadow_ring",
    "lib/stream/stream_edge.cc": "qa_device_edges",
}

Outcome = collections.namedtuple("Outcome", "mutation verdict detail")


def command_of(build, target):
    """How Ninja makes a target: its last command; SystemExit if it does not."""
    listed = subprocess.run(
        ["ninja", "-C", build, "-t", "commands", target],
        check=False,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        sys.exit(
            f"{build} does not make {target}: configure it with -DENABLE_UNITY_BUILD=OFF"
        )
    return listed.stdout.strip().split("\n")[-1]


def object_of(file):
    """What the build makes of a source of the library."""
    objects = CORE_OBJECTS if file.startswith("lib/engine/") else OBJECTS
    return f"{objects}/{Path(file).relative_to('lib')}.o"


def failed_test(output):
    """What Google Test names first."""
    found = re.search(r"^\[  FAILED  \] ([^\s,]+)", output, re.MULTILINE)
    return found.group(1) if found else ""


def filter_of(name):
    """What Google Test calls the tests of a source file."""
    text = (ROOT / f"tests/blocks/{name}.cc").read_text()
    suites = sorted(set(re.findall(r"^TEST(?:_F|_P)?\((\w+),", text, re.MULTILINE)))
    return ":".join(f"{suite}.*:*/{suite}.*" for suite in suites)


class Laboratory:
    """A build whose tests, all in one program, meet faults."""

    def __init__(self, build, tests):
        self.build = build
        self.tests = tests
        self.folder = build / "mutations"
        self.folder.mkdir(exist_ok=True)
        self.seconds = {}
        names = list(dict.fromkeys(name for name, _ in tests))
        self.filters = {name: filter_of(name) for name in names}
        targets = [f"tests/blocks/{name}" for name in names]
        subprocess.run(
            ["ninja", "-C", build, *targets], check=True, stdout=subprocess.DEVNULL
        )
        own = {name: f"tests/blocks/CMakeFiles/{name}.dir/{name}.cc.o" for name in names}
        self.command = command_of(build, targets[0])
        self.command = self.command.replace(own[names[0]], " ".join(own.values()))
        self.command = self.command.replace(f"-o {targets[0]} ", "-o PROGRAM ")

    def measure(self):
        """Runs the quick tests without a fault; SystemExit if one fails."""
        program = self.link(None, self.folder)
        for number, (name, settings) in enumerate(self.tests):
            if settings is THOROUGH:
                continue
            begin = time.monotonic()
            trouble = self.run(program, name, settings, MOST_PATIENCE)
            if trouble:
                sys.exit(f"without any fault: {name}: {trouble}")
            self.seconds[number] = time.monotonic() - begin

    def run(self, program, name, settings, patience):
        """What went wrong, or ''."""
        cache = self.folder / "cache"  # FFTW's wisdom
        environment = {**os.environ, "GPUFFT_CACHE_DIR": str(cache), **settings}
        command = [program, "--gtest_fail_fast", f"--gtest_filter={self.filters[name]}"]
        try:
            done = subprocess.run(
                command,
                check=False,
                cwd=self.build,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=patience,
            )
        except subprocess.TimeoutExpired:
            return f"{TOO_LONG} {patience:.0f} s"
        if done.returncode == 0:
            return ""
        output = done.stdout.decode(errors="replace")
        return failed_test(output) or f"ends with {done.returncode}"

    def compile(self, file, mutations):
        """Compiles the faults of one file by one command, each to NAME/NAME.o; the error
        texts of those that do not compile, by their names."""
        source = ROOT / file
        paths = []
        for mutation in mutations:
            folder = self.folder / mutation.name
            folder.mkdir(exist_ok=True)
            paths.append(folder / f"{mutation.name}.cc")
            paths[-1].write_text(mutated(mutation))
        command = command_of(self.build, object_of(file))
        command = re.sub(r" -M(D|[TF] \S+)", "", command).replace(
            f" -o {object_of(file)}", ""
        )
        # a fault may leave something unused: -w
        command = command.replace(f"-c {source}", f"-w -iquote {source.parent} -c ")
        command += " ".join(shlex.quote(str(path)) for path in paths)
        done = subprocess.run(
            command,
            check=False,
            shell=True,
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        troubles = {}
        for mutation, path in zip(mutations, paths):
            made = self.folder / f"{mutation.name}.o"
            if made.exists():
                made.rename(path.with_suffix(".o"))
            else:
                errors = [line for line in done.stderr.splitlines() if "error" in line]
                troubles[mutation.name] = next(
                    (line for line in errors if mutation.name in line), done.stderr
                )
        return troubles

    def link(self, mutation, folder):
        """The program, with the faulty object in the place of the whole one."""
        program = folder / "tests"
        command = self.command.replace("-o PROGRAM ", f"-o {shlex.quote(str(program))} ")
        if mutation:
            faulty = folder / f"{mutation.name}.o"
            whole = object_of(mutation.file)
            if whole.startswith(CORE_OBJECTS):  # then the archive's is not taken
                command = command.replace(" -o ", f" {faulty} -o ", 1)
            else:
                command = command.replace(f" {whole} ", f" {faulty} ")
        subprocess.run(
            command, check=True, shell=True, cwd=self.build, stdout=subprocess.DEVNULL
        )
        return program

    def judge(self, mutation, trouble, begin=0, alone=False):
        """Runs the tests, from the one in place `begin` on, until one of them sees the fault,
        unless it did not compile. A test that does not end may only have met a busy machine:
        its verdict is "again", and the detail its place, until it runs alone."""
        folder = self.folder / mutation.name
        keeps = False
        try:
            if trouble:
                return Outcome(mutation, "does not compile", trouble)
            program = self.link(mutation, folder)
            first = FIRST.get(mutation.file)
            tests = sorted(enumerate(self.tests), key=lambda test: test[1][0] != first)
            for place, (number, (name, settings)) in list(enumerate(tests))[begin:]:
                usual = self.seconds.get(
                    number, USUAL if settings is QUICK else MOST_PATIENCE
                )
                patience = min(max(LEAST_PATIENCE, PATIENCE * usual), MOST_PATIENCE)
                patience *= LONGER if alone else 1
                trouble = self.run(program, name, settings, patience)
                if trouble.startswith(TOO_LONG) and not alone:
                    keeps = True
                    return Outcome(mutation, "again", place)
                if trouble:
                    return Outcome(mutation, "seen", f"{name}: {trouble}")
            return Outcome(mutation, "equivalent" if mutation.reason else "survived", "")
        finally:
            if not keeps:
                shutil.rmtree(folder, ignore_errors=True)

    def judge_all(self, mutations, jobs):
        """The outcomes, as they come. Compiles ahead of the tests, file after file. What did
        not end runs once more at the end, alone."""
        outcomes = []
        files = list(dict.fromkeys(mutation.file for mutation in mutations))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            running = []
            for file in files:
                own = [mutation for mutation in mutations if mutation.file == file]
                troubles = self.compile(file, own)
                running += [pool.submit(self.judge, m, troubles.get(m.name)) for m in own]
                for each in [each for each in running if each.done()]:
                    running.remove(each)
                    outcomes.append(each.result())
                yield from self.settled(outcomes)
            for each in concurrent.futures.as_completed(running):
                outcomes.append(each.result())
                yield from self.settled(outcomes)
        for mutation, _, place in outcomes:
            yield self.judge(mutation, "", place, alone=True)

    @staticmethod
    def settled(outcomes):
        """Takes those out that need no second run."""
        for each in [each for each in outcomes if each.verdict != "again"]:
            outcomes.remove(each)
            yield each


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time")
    parser.add_argument("--report", type=Path, help="where the result is written")
    parser.add_argument("--quick", action="store_true", help="without the longest tests")
    parser.add_argument(
        "--no-baseline",
        action="store_true",
        help="believe that all tests pass without a fault",
    )
    parser.add_argument("--check", action="store_true", help="builds and runs nothing")
    return parser.parse_args()


def main():
    """Returns the exit status: 1 if a fault survived that is no listed equivalent."""
    options = arguments()
    every = every_mutation()
    names = [each.name for each in every]
    mutations = chosen(every, options.only)
    if options.check:
        wrong = (
            mutation_report.complaints(options.report, names) if options.report else []
        )
        print(*wrong, sep="\n", end="\n" * bool(wrong))
        return int(bool(wrong))
    laboratory = Laboratory(
        options.build.resolve(),
        [test for test in TESTS if test[1] is QUICK or not options.quick],
    )
    if not options.no_baseline:
        laboratory.measure()
    lines, now, fine = (
        mutation_report.read_report(options.report),
        mutation_report.commit(),
        True,
    )
    for outcome in laboratory.judge_all(mutations, options.jobs):
        name, file = outcome.mutation.name, outcome.mutation.file
        detail = outcome.mutation.reason or outcome.detail.split("\n")[0]
        line = f"{outcome.verdict} at {now}: {file}: {name}"
        lines[name] = line + (f": {detail}" if detail else "")
        print(lines[name], flush=True)
        fine = fine and outcome.verdict in ("seen", "equivalent")
        if options.report:
            options.report.write_text(mutation_report.report_of(lines, names))
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
