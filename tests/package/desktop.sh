#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command on a screen that nobody sees, before somebody who looks at each window that opens
# for 15 seconds, longer while it is empty, pictures the screen and closes the window by its button:
#     desktop.sh FOLDER COMMAND...
# The pictures go into FOLDER, the windows' titles to standard output. Needs Xvfb, openbox, wmctrl,
# xdotool and scrot.

set -euo pipefail

if [[ -z ${DESKTOP_IS_UP-} ]]; then
    export DESKTOP_IS_UP=1
    exec xvfb-run -a -s '-screen 0 1600x1000x24 -noreset' "$0" "$@"
fi

folder=$1
shift
mkdir -p "$folder"

# Pictures the screen; fails if there is no more on it than a window's frame: the picture of an
# empty window has 29 KB, that of a small plot 48 KB.
picture() {
    scrot --overwrite "$1"
    (($(stat -c %s "$1") > 38000))
}

# Companion's question whether to save is answered by its button on the left, which does not; the
# one on the right has the focus.
close_window() {
    local id=$1 title=$2
    if [[ $title == "Unsaved Changes!" ]]; then
        xdotool windowactivate --sync "$id" key Left Left Return
    else
        wmctrl -i -c "$id"
    fi
}

look_at_windows() {
    local id title name
    local -A since
    while sleep 1; do
        while read -r id _ _ title; do
            if [[ -z ${since[$id]-} ]]; then
                since[$id]=$SECONDS
            elif ((SECONDS - since[$id] >= 15)); then
                name=$(tr -c '[:alnum:]\n' _ <<<"$title")
                if picture "$folder/$name.png"; then
                    echo "window: $title"
                elif ((SECONDS - since[$id] < 120)); then
                    continue
                else
                    echo "empty window: $title"
                fi
                close_window "$id" "$title"
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
