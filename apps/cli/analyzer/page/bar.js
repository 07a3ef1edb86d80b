// SPDX-License-Identifier: GPL-3.0-or-later
//
// The position in a recording as a bar; a click or dragging moves it.

import {make} from "./panel.js";

export class PositionBar {
    // seek(seconds): goes there
    constructor(place, seek) {
        this.place = place;
        this.loop = make("div", {id: "loop"});
        this.knob = make("div", {id: "knob"});
        this.marks = ["A", "B"].map(name =>
            make("span", {className: "mark", textContent: name}));
        place.append(this.loop, this.knob, ...this.marks);
        place.onpointerdown = event => {
            if (event.button !== 0) return;
            place.setPointerCapture(event.pointerId);
            this.seek(event, seek);
        };
        place.onpointermove = event => event.buttons & 1 && this.seek(event, seek);
    }

    seek(event, seek) {
        const {left, width} = this.place.getBoundingClientRect();
        const share = (event.clientX - left) / width;
        seek(Math.min(Math.max(share, 0), 1) * this.duration);
    }

    // Shows where a recording is, and A and B, which may be null.
    show({position, duration, marks}) {
        const share = seconds => `${100 * Math.min(seconds / duration, 1)}%`;
        this.duration = duration;
        this.knob.style.left = share(position);
        const [start, end] = marks;
        this.loop.hidden = end === null;
        this.loop.style.left = share(start);
        this.loop.style.width = share(end - start);
        this.marks.forEach((mark, index) => {
            mark.hidden = marks[index] === null;
            mark.style.left = share(marks[index]);
        });
    }
}
