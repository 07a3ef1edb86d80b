#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds and tests this module against another GNU Radio 3.10, of which there is a source tree:
#     newer_gnuradio.sh TREE [OPTION of ctest]...
# What is used of it is built and installed into newer_gnuradio/prefix in the build folder, a
# virtual environment of Python, so that it goes before the installed GNU Radio; then the module
# in newer_gnuradio/module. Both are made again only where something changed. An hour on two cores.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

(($#)) && [[ -f $1/gnuradio-runtime/CMakeLists.txt ]] ||
    fail "the first argument is the source tree of a GNU Radio: newer_gnuradio.sh TREE"
tree=$(realpath "$1")
shift

folder=$build_dir/newer_gnuradio
prefix=$folder/prefix
mkdir -p "$folder"
[[ -x $prefix/bin/python3 ]] ||
    "$python" -m venv --without-pip --system-site-packages "$prefix"
site_packages=$("$prefix/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
export PATH=$prefix/bin:$PATH LD_LIBRARY_PATH=$prefix/lib

# Configures and builds the source folder $1 in the folder $2, with the options given.
make_in() {
    local source=$1 name=$2
    shift 2
    run_logged "$folder/$name.configure.log" cmake -S "$source" -B "$folder/$name" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib "$@"
    run_logged "$folder/$name.build.log" cmake --build "$folder/$name" --parallel "$jobs"
}

# Unoptimized: half the time to build, and the tests wait for the module, not for GNU Radio.
options=(-DENABLE_DEFAULT=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O0)
for component in GNURADIO_RUNTIME PYTHON GRC GR_ANALOG GR_BLOCKS GR_FFT GR_FILTER GR_PDU COMMON_PCH
do
    options+=("-DENABLE_$component=ON")
done
echo "Building the GNU Radio of $tree in $folder" >&2
make_in "$tree" gnuradio "${options[@]}" \
    -DPYTHON_EXECUTABLE="$prefix/bin/python3" -DGR_PYTHON_DIR="$site_packages"
run_logged "$folder/install.log" cmake --install "$folder/gnuradio"

echo "Building the module" >&2
make_in "$source_dir" module -DGnuradio_DIR="$prefix/lib/cmake/gnuradio" \
    -DPython3_EXECUTABLE="$prefix/bin/python3" -DENABLE_TESTING=ON

# Not those that need more of GNU Radio, ZeroMQ's and Qt's blocks; the examples' flowgraphs do.
excluded=(spread examples grc docs page packages recording spectrometer
          bluetooth_band prach range_doppler fm_band)
"$prefix/bin/python3" -c 'from gnuradio import gr; print("GNU Radio", gr.version(), gr.__file__)'
ctest --test-dir "$folder/module" --output-on-failure --parallel "$jobs" --label-exclude gpu \
    --exclude-regex "qa_($(IFS='|'; echo "${excluded[*]}"))" "$@"
