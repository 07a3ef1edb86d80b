#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What run_in_clean_root.sh -t runs inside: somebody, who may use sudo, has only the sources, and
# gives the two commands of README's "Try it". Prints how long each part took.

set -euo pipefail

fail() {
    echo "failed: $*"
    exit 1
}

# timed NAME COMMAND: runs a command of somebody's in the sources; its time and its processor time.
timed() {
    local TIMEFORMAT="== $1: %0R s; of the processors %0U s + %0S s in the system"
    time su - somebody -c "cd gr-gpufft && $2" || fail "$2"
}

cores=$(nproc)
echo "== $(. /etc/os-release && echo "$PRETTY_NAME"), $cores cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo 'APT::Get::Assume-Yes "true";' >/etc/apt/apt.conf.d/yes
apt-get -qq update
apt-get -qq install --no-install-recommends sudo >/root/step.log 2>&1 || fail "$(tail /root/step.log)"
getent passwd somebody >/dev/null || useradd --create-home --shell /bin/bash somebody
echo 'somebody ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/somebody
grep -qsw "$(hostname)" /etc/hosts || echo "127.0.0.1 localhost $(hostname)" >>/etc/hosts
rm -rf /home/somebody/gr-gpufft
cp -r /project /home/somebody/gr-gpufft && chown -R somebody: /home/somebody/gr-gpufft

# The demo installs what is missing first; apart, so that the network's share is known.
timed "packages" '. tests/setup.sh && install_packages </dev/null'
timed "examples/run_demo.sh" 'examples/run_demo.sh </dev/null'
timed "examples/run_demo.sh again" 'examples/run_demo.sh </dev/null'
timed "the analyzer's picture" \
    'QT_QPA_PLATFORM=offscreen build/apps/gpufft analyzer --screenshot analyzer.png'
timed "gpufft info" 'build/apps/gpufft info'
su - somebody -c 'cd gr-gpufft && ls -l spectrum.png analyzer.png'
