#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the kernels of all transforms of several axes that tests/host_axes_cases.h lists on the
# CPU, part by part: each is some 1300 kernels, compiled and run in four minutes on two cores.
#   tests/axes_on_host.sh [FIRST [LAST [PARTS]]]    default: 1 60 60
#   GPUFFT_BUILD_DIR                                a build by Ninja (default: build)

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build_dir=$(realpath "${GPUFFT_BUILD_DIR:-build}")
first=${1-1} parts=${3-60}
last=${2-$parts}
sources=("$build_dir"/tests/axes_kernels_{1,2}.cc)

ninja -C "$build_dir" tests/generate_host_kernels >/dev/null
# The sample again, for the tests.
restore()
{
    unset GPUFFT_TEST_AXES
    "$build_dir/tests/generate_host_kernels" axes "${sources[@]}"
    ninja -C "$build_dir" tests/qa_axes >/dev/null
}
trap restore EXIT

for ((part = first; part <= last; ++part)); do
    export GPUFFT_TEST_AXES=$part/$parts
    "$build_dir/tests/generate_host_kernels" axes "${sources[@]}"
    ninja -C "$build_dir" tests/qa_axes >/dev/null
    result=$("$build_dir/tests/qa_axes") || {
        echo "$result"
        exit 1
    }
    echo "part $GPUFFT_TEST_AXES: $(grep recipes <<<"$result"), $(git rev-parse --short HEAD)"
done
