#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# From a recording to its spectrum, in one command:
#     run_demo.sh [RECORDING [OPTION of gpufft spectrum]...]
# Installs what is missing, builds, makes a wideband scene if no recording is given, and writes
# ./spectrum.png. Nothing needs to be installed: the command runs from the build folder.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../tests/setup.sh"

if (($#)) && [[ $1 == -* ]]; then
    fail "the first argument is the recording: run_demo.sh [RECORDING [OPTION]...]"
fi
install_packages
options=()
if [[ ! -f $build_dir/build.ninja ]]; then # where nothing was configured, or that failed
    options=(-DENABLE_TESTING=OFF) # the tests take most of the time, and packages of their own
fi
build "${options[@]}"

if (($# == 0)); then
    scene=$build_dir/wideband_scene
    if [[ ! -f $scene.sigmf-meta || $source_dir/examples/wideband_scene.py -nt $scene.sigmf-meta ]]
    then
        echo "Making a wideband scene: $scene" >&2
        run_logged "$build_dir/scene.log" "$python" "$source_dir/examples/wideband_scene.py" \
            "$scene"
    fi
    set -- "$scene"
fi
"$build_dir/apps/gpufft" spectrum "$@"
if [[ " $* " != *" -o "* && " $* " != *" --output"* ]]; then
    echo "Wrote $PWD/spectrum.png"
fi
