#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Which lines of lib (but for lib/blocks) the C++ tests without a GPU run. Builds
# with gcc's --coverage in build/coverage, runs the tests (arguments go to ctest), writes
# build/coverage/coverage.txt and coverage.html, and fails under 90 % of the lines. What only
# a card can run (lib/engine/cuda) is left out, and what only tests in Python reach counts as
# not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build_dir=${GPUFFT_BUILD_DIR:-build/coverage}
jobs=${GPUFFT_JOBS:-$(nproc)}
least=90

command -v gcovr >/dev/null || {
    echo "coverage.sh: needs gcovr: apt-get install gcovr" >&2
    exit 2
}
cmake --preset coverage -B "$build_dir"
cmake --build "$build_dir" --parallel "$jobs"
ctest --test-dir "$build_dir" --parallel "$jobs" --label-exclude gpu --exclude-regex '^fuzz_' "$@"
gcovr -j "$jobs" --root . --object-directory "$build_dir" --filter 'lib/(problem|planner|stream|engine)/' \
    --exclude 'lib/engine/cuda/' --exclude-throw-branches --sort-percentage \
    --txt "$build_dir/coverage.txt" --html "$build_dir/coverage.html" \
    --print-summary --fail-under-line "$least" "$build_dir"
