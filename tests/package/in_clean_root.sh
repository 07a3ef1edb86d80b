#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What run_in_clean_root.sh runs as root inside: the guide's commands, and checks after each.

set -euo pipefail
cd /project

step() {
    echo "== $* ($SECONDS s)"
}

# Runs a file of the guide; the answer to apt's question is yes.
follow() {
    bash -euc 'sudo() { "$@"; }; apt-get() { command apt-get -qq -y "$@"; }
        source "/guide/$1"' - "$1" >"/guide/$1.log" 2>&1 || {
        tail -n 40 "/guide/$1.log"
        echo "failed: the guide's commands to $1"
        exit 1
    }
}

as_user() {
    su - somebody -c "$1"
}

packages=(libgnuradio-gpufft0.1 libgnuradio-gpufft-dev gr-gpufft gpufft-tools)
getent passwd somebody >/dev/null || useradd --create-home --shell /bin/bash somebody
apt-get -qq update
# What any but the barest Debian has, and what a programmer has.
apt-get -qq -y install --no-install-recommends man-db cmake g++ make pkg-config >/dev/null 2>&1

step "make the packages: $(. /etc/os-release && echo "$PRETTY_NAME")"
follow make
ls -sh build/debian/*.deb

step "install them"
follow install
dpkg-query -W gnuradio "${packages[@]}"
dpkg -L "${packages[@]}" >/guide/files

step "use them as $(as_user 'id -un'), whose environment is: $(as_user 'env | cut -d= -f1 | xargs')"
as_user "set -e; $(cat /guide/look)"

step "compile a program in C++"
cp -r tests/package/consumer /home/somebody && chown -R somebody /home/somebody/consumer
as_user 'cd consumer && g++ consumer.cc -o consumer \
    $(pkg-config --cflags --libs gnuradio-gpufft gnuradio-blocks) && ./consumer'
as_user 'cd consumer && cmake -B build >/dev/null && cmake --build build >/dev/null &&
    build/consumer'

step "remove them"
gpufft info >/dev/null # by root, too, who could write beside the modules
follow remove
left=$(find / -xdev -iname '*gpufft*' -not -path '/project/*' -not -path '/home/*' \
            -not -path '/root/*' -not -path '/tmp/*')
while read -r path; do
    [[ ! -e $path ]] || dpkg -S "$path" >/dev/null 2>&1 || left+=" $path"
done </guide/files
if [[ -n $left ]]; then
    echo "left behind: $left"
    exit 1
fi
step "nothing is left"
