#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Follows the guide word for word on a machine that has nothing yet: makes a root folder of a new
# Debian or Ubuntu, and there, as an ordinary user, makes the packages, installs them, runs what
# the pages for beginners say, on a screen that nobody sees, and removes them. As root:
#     run_in_clean_root.sh [-t] [-s SUITE] [-m MIRROR] [-d DEBS] ROOT
# ROOT is made by debootstrap unless it is there, and is kept; 6 GiB, about 1 GiB to download. The
# pictures of what was on the screen are in ROOT/home/somebody/pictures.
#   -s SUITE    the release (default: bookworm)
#   -m MIRROR   where its packages come from (default: http://deb.debian.org/debian)
#   -t          only README's two commands, with the time that each takes
#   -d DEBS     a folder of packages made before: none are made in ROOT
# Ubuntu 24.04: -s noble -m http://archive.ubuntu.com/ubuntu

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
suite=bookworm
mirror=http://deb.debian.org/debian
debs=
script_inside=in_clean_root.sh

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

while getopts ts:m:d: option; do
    case $option in
    t) script_inside=try_it.sh ;;
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
[[ $root != / ]] || fail "the machine's own root folder is not a clean one"

# Ubuntu has GNU Radio in universe. debootstrap's script is the same for all of its releases, and
# need not know the newest by name.
components=main
script=()
if [[ $mirror == *ubuntu* ]]; then
    components=main,universe
    script=(gutsy)
fi
if [[ ! -e $root/etc/debian_version ]]; then
    command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
    echo "== debootstrap $suite"
    debootstrap --variant=minbase --components="$components" "$suite" "$root" "$mirror" \
        "${script[@]}" >"$root.debootstrap.log" 2>&1 ||
        fail "debootstrap failed; its output is in $root.debootstrap.log"
fi

# The project's files as git knows them.
rm -rf "$root/project"
mkdir "$root/project"
git -C "$project" ls-files -z --cached --others --exclude-standard --deduplicate |
    tar -C "$project" --null --files-from=- --create | tar -C "$root/project" --extract
if [[ -n $debs ]]; then
    mkdir -p "$root/project/build/debian"
    cp "$debs"/*.deb "$root/project/build/debian"
fi

# No package starts or stops services of the machine.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"

# What is mounted inside ends with the process. Nothing of this environment goes along.
exec unshare --mount --pid --fork env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" &&
    mkdir -p "$1/dev/pts" && mount -t devpts devpts "$1/dev/pts" &&
    exec chroot "$1" bash "/project/tests/package/$2"' - "$root" "$script_inside"
