# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by examples/run_demo.sh and tests/run_tests.sh: installs the missing ones of `packages`
# (asks before it takes sudo, if there is a terminal), configures and builds. Quiet when there is
# nothing to do.
#   GPUFFT_BUILD_DIR   the build folder (default: build in the source folder)
#   GPUFFT_JOBS        parallel jobs (default: one for each core)
#   GPUFFT_PREFIX      where it would be installed (default: /usr/local)

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${GPUFFT_BUILD_DIR:-$source_dir/build}
jobs=${GPUFFT_JOBS:-$(nproc)}
python=/usr/bin/python3 # Debian's: GNU Radio's modules belong to it

# What it takes to build the module and to run it, its command and Companion; GNU Radio brings
# VOLK. Companion's window is GTK's, which GNU Radio's package does not bring.
packages=(cmake g++ ninja-build pkg-config
          gnuradio gnuradio-dev libspdlog-dev libfftw3-dev libboost-dev
          pybind11-dev python3-dev python3-numpy python3-matplotlib python3-scipy python3-tqdm
          python3-pyqt5 python3-pyqtgraph gir1.2-gtk-3.0)

# Where CUDA's headers may be.
cuda_folders=("${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /opt/cuda /usr)

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Runs a command with its output in the file $1; shows the end of that on failure.
run_logged() {
    local log=$1
    shift
    if ! "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        fail "'$1 ${2-}' failed; the whole output is in $log"
    fi
}

is_installed() {
    dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

install_packages() {
    if (($(driver_cuda) + 0 >= 12)) && ! has_cuda && ! command -v pip3 >/dev/null; then
        packages+=(python3-pip)
    fi
    if ! command -v apt-get >/dev/null; then
        if [[ ! -d $build_dir ]]; then
            echo "$(basename "$0"): no apt-get here; the build needs what Debian calls:" \
                 "${packages[*]}" >&2
        fi
        return
    fi
    local missing=() package
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "packages are missing and there is no sudo; as" \
            "root: apt-get install --no-install-recommends ${missing[*]}"
        root=(sudo)
        if [[ -t 0 ]]; then # else, as in CI, nobody can answer
            local answer
            read -r -p "Install ${missing[*]} by sudo apt-get? [y/N] " answer
            [[ $answer == [yY]* ]] || fail "packages are missing, and are not to be installed"
        fi
    fi
    echo "Installing ${missing[*]}" >&2
    local log
    log=$(mktemp)
    run_logged "$log" "${root[@]}" apt-get update -q
    run_logged "$log" "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
    rm "$log"
}

# The major version of CUDA that the driver of this machine's NVIDIA GPU has; nothing without one.
driver_cuda() {
    nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9]*\).*/\1/p' || true
}

# Whether CUDA's headers are here, of 12.4 or later.
has_cuda() {
    local folder version
    for folder in "${cuda_folders[@]}" "$build_dir"/nvidia/cu[0-9]* \
                  "$build_dir"/nvidia/cuda_runtime; do
        version=$(sed -n 's/^#define CUDA_VERSION *\([0-9]*\).*/\1/p' \
                      "$folder/include/cuda.h" 2>/dev/null) || continue
        ((${version:-0} < 12040)) || return 0
    done
    return 1
}

# For a GPU where CUDA is missing: takes its compiler library (NVRTC) and headers, without root,
# from NVIDIA's packages on PyPI into the build folder, where CMake and the module find them.
get_cuda() {
    local major suffix=
    major=$(driver_cuda)
    if ((${major:-0} < 12)) || has_cuda; then
        return
    fi
    command -v pip3 >/dev/null || fail "there is a GPU, but neither CUDA's headers nor pip3 to" \
        "get them: install python3-pip, or CUDA (docs/install.md)"
    ((major > 12)) || suffix=-cu12
    echo "Getting CUDA's compiler library (NVRTC) from PyPI, up to 90 MB" >&2
    mkdir -p "$build_dir"
    run_logged "$build_dir/cuda.log" pip3 install --no-deps --only-binary :all: \
        --target "$build_dir" "nvidia-cuda-nvrtc$suffix==$major.*" \
        "nvidia-cuda-runtime$suffix==$major.*"
}

# Configures (with the options given) and builds.
build() {
    mkdir -p "$build_dir"
    get_cuda
    run_logged "$build_dir/configure.log" cmake -S "$source_dir" -B "$build_dir" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release \
        ${GPUFFT_PREFIX:+-DCMAKE_INSTALL_PREFIX="$GPUFFT_PREFIX"} "$@"
    [[ -e $build_dir/lib/libgnuradio-gpufft.so ]] || echo "Building in $build_dir" >&2
    run_logged "$build_dir/build.log" cmake --build "$build_dir" --parallel "$jobs"
}
