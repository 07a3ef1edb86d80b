# SPDX-License-Identifier: GPL-3.0-or-later
"""compute-sanitizer over the tests in C++ that need a GPU and over `gpufft verify`, for
gpu_suite.py."""

import concurrent.futures
import json
import os
import re
import subprocess
import time
from pathlib import Path

TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
VERIFIED = {
    "lengths": ("--lengths", "1-4096", "--sample", "1024"),
    "axes": ("--axes", "--sample", "64"),
}
FOUND = 99  # status of a program in which compute-sanitizer found something


def cases_of(command):
    """The number of cases that a program of GoogleTest runs."""
    listed = subprocess.run(
        [*command, "--gtest_list_tests"], capture_output=True, text=True, check=False
    ).stdout
    return sum(line.startswith("  ") for line in listed.splitlines())


def programs(build, selection, shares):
    """(name, command, environment, whether it runs alone) of the tests in C++ that need a GPU,
    each in `shares` shares of its cases."""
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "^gpu$", *selection],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        if not command or not Path(command[0]).name.startswith("qa_"):
            continue
        properties = {each["name"]: each["value"] for each in test["properties"]}
        variables = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        alone = bool(properties.get("RUN_SERIAL"))
        is_whole = alone or "GTEST_TOTAL_SHARDS" in variables
        count = 1 if is_whole else min(shares, cases_of(command))
        for share in range(count):
            split = {"GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(share)}
            name = test["name"] + (f" {share + 1}/{count}" if count > 1 else "")
            yield name, command, variables | (split if count > 1 else {}), alone


def verifications(build, parts):
    """The same of `gpufft verify`: some lengths and shapes by the kernels that their plans take,
    in `parts` parts."""
    command = [f"{build}/apps/gpufft", "verify", "--engine", "cuda", "--jobs", "0"]
    for what, words in VERIFIED.items():
        for part in range(1, parts + 1):
            name = f"gpufft verify {what} {part}/{parts}"
            yield name, [*command, *words, "--part", f"{part}/{parts}"], {}, False


def findings_of(output):
    """{"what at which kernel": how often} of compute-sanitizer's output; "what" alone of the
    host's copies, of calls that failed and of its own errors."""
    found = {}
    kind = None
    for line in output.splitlines():
        line = line.removeprefix("=========").strip()
        place = re.match(r"at (?:void )?(?:[\w:]*::)?(\w+)", line)
        if place and kind:
            text = f"{kind} at {place[1]}"
            found[text] = found.get(text, 0) + 1
            kind = None
        elif alone := re.match(
            r"Host API memory access error|Internal Sanitizer Error|Program hit CUDA_ERROR_\w+",
            line,
        ):
            found[alone[0]] = found.get(alone[0], 0) + 1
        elif re.match(
            r"(Invalid|Uninitialized|Misaligned|Barrier|(Error|Warning): )", line
        ):
            kind = re.sub(r" (of size|between) .*", "", line)
    return found


def run_sanitized(tool, command, variables, limit):
    """(output, what is wrong or "") of a program; few random flowgraphs and a short soak."""
    words = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(FOUND)]
    try:
        done = subprocess.run(
            [*words, "--target-processes", "all", *command],
            env={
                **os.environ,
                **variables,
                "GPUFFT_TEST_GRAPHS": "8",
                "GPUFFT_TEST_SOAK_MINUTES": "0.2",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace"), f"not done in {limit} s"
    return done.stdout, f"status {done.returncode}" if done.returncode else ""


def sanitize(tool, arguments):
    """The lines of a record on one tool, which runs everything; last, one by one, the tests
    that take all of a card."""
    tests = []
    if not arguments.verify:
        tests += programs(arguments.build, arguments.selection, arguments.shares)
    if not arguments.selection:
        tests += verifications(arguments.build, arguments.jobs)
    found, wrong, transforms, begin = {}, [], 0, time.monotonic()

    def run(test):
        name, command, variables, _ = test
        output, fault = run_sanitized(tool, command, variables, arguments.limit)
        print(f"{tool}: {name}: {fault or 'nothing'}", flush=True)
        return name, output, fault

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(run, [test for test in tests if not test[3]]))
    results += [run(test) for test in tests if test[3]]
    for name, output, fault in results:
        for text, times in findings_of(output).items():
            found[text] = found.get(text, 0) + times
        transforms += sum(
            map(int, re.findall(r"^all (\d+) transforms keep", output, re.M))
        )
        if fault:
            wrong.append(f"{name}: {fault}")
    lines = [
        f"{tool}: {len(results)} programs, {len(wrong)} with findings or failures, "
        f"{transforms} transforms of `gpufft verify`, {time.monotonic() - begin:.0f} s"
    ]
    lines += [f"    {text}: {times} times" for text, times in sorted(found.items())]
    return lines + [f"    {text}" for text in wrong]
