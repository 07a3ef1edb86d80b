#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command on a screen that nobody sees, before somebody who looks at each window that opens
# for 15 seconds, pictures the screen and closes the window by its button:
#     desktop.sh FOLDER COMMAND...
# The pictures go into FOLDER, the windows' titles to standard output. Needs Xvfb, openbox, wmctrl
# and scrot.

set -euo pipefail

if [[ -z ${DESKTOP_IS_UP-} ]]; then
    export DESKTOP_IS_UP=1
    exec xvfb-run -a -s '-screen 0 1600x1000x24' "$0" "$@"
fi

folder=$1
shift
mkdir -p "$folder"

look_at_windows() {
    local id title name
    local -A since
    while sleep 1; do
        while read -r id _ _ title; do
            if [[ -z ${since[$id]-} ]]; then
                since[$id]=$SECONDS
            elif ((SECONDS - since[$id] >= 15)); then
                echo "window: $title"
                name=$(tr -c '[:alnum:]\n' _ <<<"$title")
                scrot --overwrite "$folder/$name.png"
                wmctrl -i -c "$id"
                since[$id]=$SECONDS
            fi
        done < <(wmctrl -l)
    done
}

openbox &
openbox=$!
look_at_windows &
trap 'kill "$openbox" $!' EXIT
"$@"
