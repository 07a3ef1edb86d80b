// SPDX-License-Identifier: GPL-3.0-or-later
//
// Annotations on the plots: bars on the spectrum while their time is played, boxes on the
// waterfall; and the region that Shift and dragging mark.

import {make} from "./panel.js";

const BAR_SHARE = 0.08, MOST_BARS = 5; // of the plot's height, from bar to bar; above each other
const MOST_LABELS = 24, LONGEST_LABEL = 24; // letters
const LABEL_ROWS = 3; // that a box's label may stand in
const LINE = 16; // pixels of CSS
const FONT = "13px sans-serif";

// Those that cover a position in the recording.
const notesAt = ({notes}, position) => position === null ? [] : notes.filter(
    ({start, end}) => start <= position && (end === null || position < end));

// Bars stand above each other where they or their labels would overlap.
export function drawBars(plot) {
    const {view, context, height, ratio, top} = plot;
    if (!view.switches.show_notes || !view.picture) return;
    plot.font(FONT);
    const ends = new Array(MOST_BARS).fill(-Infinity), bars = [];
    const notes = notesAt(view, view.picture.position);
    for (const {label, span} of notes.sort((a, b) => a.span[0] - b.span[0])) {
        const [left, right] = span.map(frequency => plot.x(frequency));
        const free = ends.findIndex(end => end < left);
        const place = free < 0 ? MOST_BARS - 1 : free;
        const end = left + context.measureText(cut(label)).width + 4 * ratio;
        ends[place] = Math.max(ends[place], right, end);
        const y = top + (place + 0.4) * BAR_SHARE * height;
        bars.push({left, right, top: y, bottom: y, label});
    }
    drawBoxes(plot, bars, view.colours.channel);
}

// Boxes around the lines of the waterfall that each annotation covers.
export function drawNotes(plot) {
    const {view} = plot, boxes = [];
    if (!view.switches.show_notes || !view.notes.length) return;
    const positions = plot.seen.map(line => line.position).filter(each => each !== null);
    const [first, last] = [Math.min(...positions), Math.max(...positions)];
    const notes = view.notes.filter(
        ({start, end}) => start <= last && (end === null || first < end));
    let begun = new Map(); // annotation -> box that reaches the line before
    for (const line of plot.seen) {
        const bottom = plot.row(line.time - line.seconds), here = new Map();
        for (const note of notesAt({notes}, line.position)) {
            const box = begun.get(note) ?? makeBox(plot, note, line.time);
            here.set(note, Object.assign(box, {bottom}));
            if (!begun.has(note)) boxes.push(box);
        }
        begun = here;
    }
    drawBoxes(plot, boxes, view.colours.over_image, LABEL_ROWS);
}

function makeBox(plot, {label, span}, time) {
    const [left, right] = span.map(frequency => plot.x(frequency));
    return {left, right, top: plot.row(time), label};
}

// Boxes with labels, all of them inside the plot; of labels that overlap and find no other row
// the first one is drawn.
function drawBoxes(plot, boxes, colour, rows = 1) {
    const {context, ratio, left: edge} = plot;
    const named = rows > 1 ? [plot.captionBox()] : [];
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = ratio;
    plot.font(FONT);
    context.textAlign = "left";
    context.textBaseline = "top";
    for (const {left, right, top, bottom, label} of boxes) {
        const [x0, y0, x1, y1] = [left, top, right, bottom].map(Math.round);
        context.strokeRect(x0 + 0.5, y0 + 0.5, x1 - x0, y1 - y0); // sharp lines
        if (named.length > MOST_LABELS || right < edge || left > edge + plot.width) continue;
        const text = cut(label), width = context.measureText(text).width;
        const fitting = Math.min(left + 3 * ratio, edge + plot.width - width);
        const x = Math.max(fitting, edge + 3 * ratio), end = x + width + 6 * ratio;
        for (let row = 0; row < rows; row++) {
            const y = top + (2 + row * LINE) * ratio;
            const isFree = named.every(other => Math.abs(y - other.y) >= LINE * ratio
                || x >= other.end || end <= other.x);
            if (!isFree) continue;
            context.fillText(text, x, y);
            named.push({x, y, end});
            break;
        }
    }
}

const cut = label => label.length <= LONGEST_LABEL ? label
    : `${label.slice(0, LONGEST_LABEL - 1).replace(/[ ,.]+$/, "")}\u2026`;

// Asks for the label of a region, in a field at a place of the page; `done` gets it, or null.
export function askForLabel(parent, x, y, done) {
    const field = make("input", {
        type: "text", id: "label", placeholder: "label; Return writes the annotation",
    });
    const finish = label => {
        field.onblur = null;
        field.remove();
        done(label);
    };
    field.onblur = () => finish(null);
    field.onkeydown = ({key}) => {
        if (key === "Enter") finish(field.value);
        if (key === "Escape") finish(null);
    };
    parent.append(field);
    field.style.left = `${Math.min(x, parent.clientWidth - field.offsetWidth)}px`;
    field.style.top = `${y}px`;
    field.focus();
}
