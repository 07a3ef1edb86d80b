#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command on a screen that nobody sees, before somebody who looks at each window that opens
# for 15 seconds, longer while it is empty, pictures the screen and closes the window by its button:
#     desktop.sh FOLDER COMMAND...
# The pictures go into FOLDER, the windows' titles to standard output. Needs Xvfb, openbox, wmctrl,
# xdotool, scrot and Python's matplotlib.

set -euo pipefail

if [[ -z ${DESKTOP_IS_UP-} ]]; then
    export DESKTOP_IS_UP=1
    exec xvfb-run -a -s '-screen 0 1600x1000x24 -noreset' "$0" "$@"
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
shift
mkdir -p "$folder"

# Companion's question whether to save is answered by its button on the left, which does not; the
# one on the right has the focus.
close_window() {
    local id=$1 title=$2
    if [[ $title == "Unsaved Changes!" ]]; then
        timeout 20 xdotool windowactivate --sync "$id" key Left Left Return || true
    else
        wmctrl -i -c "$id" || true
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
                if scrot --overwrite "$folder/$name.png" &&
                   "$here/is_drawn.py" "$folder/$name.png"; then
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
