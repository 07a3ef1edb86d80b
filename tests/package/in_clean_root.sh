#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What run_in_clean_root.sh runs inside: somebody, who may use sudo, follows the guide's pages in
# a copy of the project; checks after each step.

set -euo pipefail

step() {
    echo "== $* ($SECONDS s)"
}

fail() {
    echo "failed: $*"
    exit 1
}

as_user() {
    su - somebody -c "cd gr-gpufft && $1"
}

# follow PAGE OPTION...: its commands and snippets, by the program that also tests it.
follow() {
    as_user "python3 tests/docs/session.py docs/$1 ${*:2}"
}

# The same; of what apt and the compiler print nothing is shown, unless they fail.
follow_briefly() {
    if follow "$@" >/root/step.log 2>&1; then
        grep '^[$] ' /root/step.log
    else
        tail -n 60 /root/step.log
        fail "the guide's commands"
    fi
}

# The same on a screen, of which pictures are kept; what it prints is shown, and kept for expect.
follow_on_screen() {
    as_user "tests/package/desktop.sh ~/pictures python3 tests/docs/session.py docs/$1 ${*:2}" 2>&1 |
        tee /root/page.log
}

# Fails unless the commands of the last page printed this regular expression.
expect() {
    grep -qE -- "$1" /root/page.log || fail "$1 is not in what was printed"
}

packages=(libgnuradio-gpufft0.1 libgnuradio-gpufft-dev gr-gpufft gpufft-tools)

# What any but the barest Debian has: a user who may use sudo, python3, a screen with windows. apt's
# questions are answered with yes.
echo 'APT::Get::Assume-Yes "true";' >/etc/apt/apt.conf.d/yes
echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/unsafe-io # faster, and if power fails, it is made again
apt-get -qq update
apt-get -qq install --no-install-recommends man-db python3 sudo openbox scrot wmctrl xauth \
    xdotool xvfb >/root/step.log 2>&1 || fail "$(tail /root/step.log)"
getent passwd somebody >/dev/null || useradd --create-home --shell /bin/bash somebody
echo 'somebody ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/somebody
grep -qsw "$(hostname)" /etc/hosts || echo "127.0.0.1 localhost $(hostname)" >>/etc/hosts
rm -rf /home/somebody/gr-gpufft /home/somebody/pictures
cp -r /project /home/somebody/gr-gpufft && chown -R somebody: /home/somebody/gr-gpufft

step "$(. /etc/os-release && echo "$PRETTY_NAME"): make the packages"
compgen -G '/project/build/debian/*.deb' ||
    follow_briefly install.md --below "'Make the packages'" --with root --with "'the network'" \
        --with "'a few minutes'"
as_user 'ls -sh build/debian/*.deb'

step "install them"
follow_briefly install.md --below "'Install the packages'" --with root
dpkg-query -W gnuradio "${packages[@]}"
dpkg -L "${packages[@]}" >/root/files

step "check the installation; the environment has: $(as_user 'env | cut -d= -f1 | xargs')"
follow install.md --below "'Check the installation'" --with "'the packages'"

step "the first flowgraph in GNU Radio Companion"
follow_on_screen first_flowgraph_grc.md --with "'a screen'"
expect '^window: .*GNU Radio Companion'
expect '^window: First flowgraph: a spectrum'
as_user 'python3 tests/docs/qa_docs_first_flowgraph.py'

step "the first flowgraph in Python"
follow first_flowgraph_python.md

step "the analyzer: the built-in scene, and recordings of one's own"
as_user 'python3 tests/package/make_recordings.py'
follow_on_screen analyzer.md --with "'a screen'" --with "'recordings of your own'"
expect '^window: gpufft analyzer .*scene'
expect '^window: gpufft analyzer .*capture.sigmf'
expect '^window: gpufft analyzer .*capture.cu8'

step "spectra of one's own recordings"
follow spectrum.md --with "'recordings of your own'" 2>&1 | tee /root/page.log
as_user 'python3 tests/package/make_recordings.py --expected' | while read -r peak; do
    expect "$peak"
done

step "a program in C++"
follow install.md --below "'Programs in C++'" --with "'the packages'"
as_user 'cd tests/package/consumer && g++ consumer.cc -o consumer \
    $(pkg-config --cflags --libs gnuradio-gpufft gnuradio-blocks) && ./consumer'
as_user 'cd tests/package/consumer && cmake -B build >/dev/null && cmake --build build >/dev/null &&
    build/consumer'

step "remove the packages"
gpufft info >/dev/null # by root, too, who could write beside the modules
follow_briefly install.md --below "'Remove the packages'" --with root
left=$(find / -xdev -iname '*gpufft*' -not -path '/project/*' -not -path '/home/*' \
            -not -path '/root/*' -not -path '/tmp/*')
while read -r path; do
    [[ ! -e $path ]] || dpkg -S "$path" >/dev/null 2>&1 || left+=" $path"
done </root/files
[[ -z $left ]] || fail "left behind: $left"
step "nothing is left"
