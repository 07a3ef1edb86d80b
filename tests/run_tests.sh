#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and runs the tests; those that need a GPU where there is one.
#   tests/run_tests.sh [ARGUMENT...]          what a change is tested with: 12 minutes on two cores
#   tests/run_tests.sh --all [ARGUMENT...]    all tests: also the guide's commands, the examples, the
#                                             packages, the fuzzers, SciPy's tests: 40 minutes
#   tests/run_tests.sh --soak [MINUTES]       one flowgraph for 30 minutes or so many, 100 random
#                                             flowgraphs for each of them, faults at every call
# Other arguments go to ctest, e.g. -R qa_cli.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# What only the tests use: those in C++ and in Python, windows and pages without a screen, the
# kernels on the CPU (their threads are Boost's fibers), .deb packages, the fuzzers.
packages+=(libgtest-dev
           python3-distributed python3-hypothesis python3-pytest python3-zmq
           xvfb xauth
           libboost-context-dev
           dpkg-dev file openssl
           python3-aiohttp
           clang libclang-rt-dev)
# Ubuntu's Chromium is a snap: the tests that need it are skipped there.
grep -qs '^ID=ubuntu' /etc/os-release || packages+=(chromium)

# Without times of an earlier run ctest would begin with whatever comes first: the tests that take
# longest begin, so that all cores are busy until the end.
costs=$build_dir/Testing/Temporary/CTestCostData.txt

# Tests wait, too, for threads of their own: twice as many as there are cores.
run_ctest() {
    if [[ ! -e $costs ]]; then
        mkdir -p "$(dirname "$costs")"
        sed '/^#/d' "$source_dir/tests/costs.txt" >"$costs"
    fi
    ctest --test-dir "$build_dir" --output-on-failure --parallel $((2 * jobs)) "$@" |
        tee "$build_dir/ctest.log" || {
        local summary='/tests passed, .* failed out of/'
        echo # what failed, once more: its own output is far above
        sed "$summary,\$d" "$build_dir/ctest.log" |
            grep -E ': Failure|^(FAIL|ERROR): |Error: |^\[  FAILED  \]' -A 6 | head -n 100
        sed -n "$summary,\$p" "$build_dir/ctest.log"
        return 1
    }
}

kind=${1-}
[[ $kind == --all || $kind == --soak ]] && shift

install_packages
# gpufft bench has tests, too; a warning is an error here, not for those who only use it
build -DENABLE_TESTING=ON -DENABLE_BENCHMARKS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON

left_out=()
[[ $kind == --all ]] || left_out+=(long)
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    left_out+=(gpu)
fi
selection=()
((${#left_out[@]})) && selection=(--label-exclude "^($(IFS='|' && echo "${left_out[*]}"))\$")

case $kind in
--all)
    run_logged "$build_dir/build.log" \
        cmake --build "$build_dir" --target bench_programs --parallel "$jobs"
    export GPUFFT_TEST_FAULTS=${GPUFFT_TEST_FAULTS-30} # of a sweep; it has 64 calls on average
    run_ctest "${selection[@]}" "$@"
    ;;
--soak)
    export GPUFFT_TEST_SOAK_MINUTES=${1-30}
    export GPUFFT_TEST_GRAPHS=$((100 * GPUFFT_TEST_SOAK_MINUTES))
    run_ctest "${selection[@]}" --timeout $((600 * (GPUFFT_TEST_SOAK_MINUTES + 1))) \
        -R '^qa_(soak|random_flowgraphs|device_faults_every_call)'
    ;;
*)
    # Long FFTs on the CPU are estimated: to measure them takes minutes, once in each cache.
    GPUFFT_LONGEST_MEASURED=1024 run_ctest "${selection[@]}" "$@"
    ;;
esac
