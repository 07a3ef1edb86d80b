#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and runs every test; those that need a GPU where there is one.
# Arguments go to ctest, e.g. -R qa_cli.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages
build -DENABLE_TESTING=ON -DENABLE_BENCHMARKS=ON # gpufft bench has tests, too

selection=(--label-exclude gpu)
if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    selection=()
fi
ctest --test-dir "$build_dir" --output-on-failure --parallel "$jobs" "${selection[@]}" "$@"
