#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Layout and lint of the sources.
#   tests/check_style.sh               clang-format: prints what it would change
#   tests/check_style.sh --tidy [FILE...]  clang-tidy of what is compiled of lib and apps/bench,
#                                      or of FILES; takes minutes, and a build folder with
#                                      compile_commands.json
#   GPUFFT_BUILD_DIR                   that folder (default: build)

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build_dir=${GPUFFT_BUILD_DIR:-build}

# Of the files that standard input names: what stands for a missing library, and what needs
# a missing one, has no command.
compiled()
{
    while read -r file; do
        if grep -q "\"file\": \"$PWD/$file\"" "$build_dir/compile_commands.json"; then
            echo "$file"
        fi
    done
}

if [[ ${1-} == --tidy ]]; then
    shift
    [[ -f $build_dir/compile_commands.json ]] || {
        echo "check_style.sh: no $build_dir/compile_commands.json: build first" >&2
        exit 2
    }
    if grep -q /Unity/unity_ "$build_dir/compile_commands.json"; then
        echo "check_style.sh: $build_dir compiles several sources at once: configure it with" \
             "-DENABLE_UNITY_BUILD=OFF" >&2
        exit 2
    fi
    files=("$@")
    (($#)) || mapfile -t files < <(git ls-files 'lib/*.cc' 'apps/bench/*.cc' | compiled)
    commands=$(mktemp -d) # without g++'s precompiled headers, which clang cannot read
    trap 'rm -r "$commands"' EXIT
    sed -E 's/-Winvalid-pch +-include [^ ]+//' "$build_dir/compile_commands.json" \
        >"$commands/compile_commands.json"
    printf "%s\0" "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy --quiet -p "$commands"
else
    git ls-files '*.cc' '*.h' '*.cuh' | xargs clang-format --dry-run -Werror
fi
