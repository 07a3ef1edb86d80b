#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Follows docs/install.md word for word on a machine that has nothing yet: makes a root folder of
# a new Debian, makes the packages there, installs them beside Debian's GNU Radio, uses them as an
# ordinary user without any environment variable, removes them. As root:
#     run_in_clean_root.sh [-s SUITE] [-m MIRROR] [-d DEBS] ROOT
# ROOT is made by debootstrap unless it is there, and is kept; 4 GiB, about 1 GiB to download.
#   -s SUITE    Debian's release (default: bookworm)
#   -m MIRROR   where its packages come from (default: http://deb.debian.org/debian)
#   -d DEBS     a folder of packages made before: none are made in ROOT

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
suite=bookworm
mirror=http://deb.debian.org/debian
debs=

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

while getopts s:m:d: option; do
    case $option in
    s) suite=$OPTARG ;;
    m) mirror=$OPTARG ;;
    d) debs=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
(($# == 1)) || fail "say where the root is to be: run_in_clean_root.sh [OPTION]... ROOT"
((EUID == 0)) || fail "only root can make a root folder and enter it"
root=$(realpath -m "$1")

if [[ ! -e $root/etc/debian_version ]]; then
    command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
    echo "== debootstrap $suite" >&2
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.debootstrap.log" 2>&1 ||
        fail "debootstrap failed; its output is in $root.debootstrap.log"
fi

# The project's files as git knows them, and the guide's commands, one file a heading.
mkdir -p "$root/project" "$root/guide"
git -C "$project" ls-files -z --cached --others --exclude-standard |
    tar -C "$project" --null --files-from=- --create | tar -C "$root/project" --extract
while read -r name heading; do
    python3 "$here/guide_commands.py" "$project/docs/install.md" "$heading" >"$root/guide/$name"
done <<'HEADINGS'
make Make the packages
install Install the packages
look Look whether it works
remove Remove the packages
HEADINGS
if [[ -n $debs ]]; then
    mkdir -p "$root/project/build/debian"
    cp "$debs"/*.deb "$root/project/build/debian"
    : >"$root/guide/make"
fi

# No package starts or stops services of the machine.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"

# What is mounted inside ends with the process. Nothing of this environment goes along.
exec unshare --mount --pid --fork env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" &&
    exec chroot "$1" bash /project/tests/package/in_clean_root.sh' - "$root"
