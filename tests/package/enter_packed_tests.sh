#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Unpacks what pack_gpu_tests.py packed, on a machine with an NVIDIA GPU, lends the root folder the
# machine's devices, driver and CUDA, and runs a command inside, in the sources' folder. As root:
#     enter_packed_tests.sh FOLDER ROOT [COMMAND...]
# Pieces are deleted when they are unpacked: FOLDER may come in several parts, one call for each.

set -euo pipefail

folder=${1:?where the pieces are} root=${2:?where the root folder is to be}
shift 2
mkdir -p "$root"
root=$(realpath "$root")

for name in system tests; do
    pieces=("$folder/$name".[0-9][0-9][0-9])
    [[ -e ${pieces[0]} ]] || continue
    cat "${pieces[@]}" | tar -xJf - -C "$root"
    rm "${pieces[@]}"
done
(($#)) || exit 0

# The driver's libraries lie where they like; the loader knows.
libraries=$root/usr/lib/x86_64-linux-gnu
for name in libcuda libnvidia-ml libnvidia-ptxjitcompiler libnvidia-nvvm libcudadebugger; do
    while read -r path; do
        cp -L "$path" "$libraries/"
    done < <(ldconfig -p | awk -v name="$name.so" 'index($1, name) == 1 { print $NF }')
done
cp -L "$(command -v nvidia-smi)" "$root/usr/bin/"
cuda=$(realpath "${CUDA_HOME:-/usr/local/cuda}")
mkdir -p "$root/usr/local/cuda" "$root"/{dev,proc,sys,tmp}
echo /usr/local/cuda/lib64 >"$root/etc/ld.so.conf.d/cuda.conf"
chmod 1777 "$root/tmp"
exec unshare --mount bash -c '
    root=$1 cuda=$2
    shift 2
    mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
    mount -t proc proc "$root/proc" && mount --bind "$cuda" "$root/usr/local/cuda" || exit
    exec env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 USER=root QT_XCB_GL_INTEGRATION=none \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/cuda/bin \
        chroot "$root" sh -c "ldconfig && cd /gpu_tests && exec \"\$@\"" - "$@"
    ' - "$root" "$cuda" "$@"
