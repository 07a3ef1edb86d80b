// SPDX-License-Identifier: GPL-3.0-or-later
//
// Levels over time, live or scrolled back through all lines that came, in bounded memory; dark
// where no line came.

import {drawNotes} from "./notes.js";
import {BandPlot} from "./plots.js";

const FIRST_LINES = 300; // shown at first, when there are so many
const SHORTEST = 0.05; // s, shown
const MEMORY = 64 << 20, LINE_MEMORY = 200; // bytes: of all lines; of one, beside its levels
const LONG_GAP = 5; // times the lines' usual duration: then there is a gap
const SMOOTHING = 0.1; // share of a line in the usual duration

export class WaterfallPlot extends BandPlot {
    constructor(canvas, view, label) {
        super(canvas, view, label);
        this.image = document.createElement("canvas");
        this.colours = new Uint32Array(256); // of a line's values
        this.clear();
    }

    clear() {
        this.lines = []; // the newest first; a line lasts `seconds`, until its `time`
        this.bytes = 0;
        this.usual = null; // duration of a line
        this.held = this.span = null; // time at the upper end, null: now; s, null: of FIRST_LINES
        this.drawn = ""; // what the image shows
    }

    get now() {
        return this.lines[0]?.time ?? 0;
    }

    // Seconds since the oldest line began.
    get age() {
        const oldest = this.lines.at(-1);
        return oldest ? this.now - oldest.time + oldest.seconds : 0;
    }

    // Seconds ago of the lower and the upper end.
    range() {
        const first = this.held === null ? 0 : this.now - this.held;
        const usual = Math.min(FIRST_LINES * this.usual, this.age);
        return [first + (this.span ?? Math.max(0.1, usual)), first];
    }

    caption() {
        const [low, high] = this.view.waterfallLevels.map(level =>
            `${level}`.replace("-", "\u2212"));
        const words = `Mean level, ${low} (dark) to ${high} dBFS (bright)`;
        return this.held === null ? words
            : `${words} \u00b7 scrolled back; End: to the newest line`;
    }

    // Takes a picture's line.
    show({rows, time, position, low, high, columns, floor, step, line: levels}) {
        if (rows === 0) return;
        if (time < this.now) this.clear(); // another server's clock
        const seconds = this.follow(time);
        const line = {time, seconds, position, low, high, columns, floor, step};
        this.lines.unshift({...line, levels: levels.slice()});
        this.bytes += LINE_MEMORY + columns;
        while (this.bytes > MEMORY) this.bytes -= LINE_MEMORY + this.lines.pop().columns;
    }

    // How long a line lasts that ends at a time: since the one before, but for a long gap.
    follow(time) {
        if (this.lines.length === 0) return 0;
        const seconds = time - this.now;
        this.usual ??= seconds;
        if (seconds > Math.max(1, LONG_GAP * this.usual)) return this.usual;
        this.usual += SMOOTHING * (seconds - this.usual);
        return seconds;
    }

    // Shows from `first` to `last` seconds ago; from 0 on, goes on with the newest.
    showTimes(first, last) {
        const {age} = this;
        this.span = Math.max(SHORTEST, Math.min(last - first, age));
        const start = Math.min(first, age - this.span);
        this.held = start > 0 ? this.now - start : null;
    }

    // Goes back to the newest lines, as at first.
    showLive() {
        this.held = this.span = null;
    }

    // Scrolls back by parts of what is shown; forward if negative.
    scroll(pages) {
        const [last, first] = this.range(), step = Math.max(pages * (last - first), -first);
        this.showTimes(first + step, last + step);
    }

    drawContent() {
        if (this.lines.length === 0) return;
        this.update();
        this.context.drawImage(this.image, this.left, this.top);
        drawNotes(this);
        if (this.view.region) this.drawRegion(this.view.region);
    }

    drawMarks() {
        super.drawMarks();
        const {context, left, width, view: {mouse}} = this;
        if (mouse?.plot !== this) return;
        context.fillStyle = this.lineColour();
        context.fillRect(left, Math.round(this.y(mouse.value)), width, this.ratio);
    }

    // A corner of a region, at a place of the mouse.
    corner({frequency, value}) {
        return {frequency, time: this.now - value};
    }

    // The pixel of a time.
    row(time) {
        return this.y(this.now - time);
    }

    // The region that the mouse marks.
    drawRegion([from, to]) {
        const {context, ratio, view} = this;
        context.strokeStyle = view.colours.over_image;
        context.lineWidth = ratio;
        context.setLineDash([4 * ratio, 3 * ratio]);
        const x = this.x(from.frequency), y = this.row(from.time);
        context.strokeRect(x, y, this.x(to.frequency) - x, this.row(to.time) - y);
        context.setLineDash([]);
    }

    // Paints the image again if it shall show anything else.
    update() {
        const {image, view, width, height} = this, [last, first] = this.range();
        const shown = [
            this.now - first, this.now - last, width, height,
            view.band, view.waterfallLevels, view.palette.at(128),
        ].join();
        if (shown === this.drawn) return;
        this.drawn = shown;
        Object.assign(image, {width, height});
        const context = image.getContext("2d"), data = context.createImageData(width, height);
        const pixels = new Uint32Array(data.data.buffer);
        let number = 0, painted = null, start = 0;
        this.seen = []; // lines
        for (let row = 0; row < height; row++) {
            const time = this.now - first - (row + 0.5) / height * (last - first);
            while (this.lines[number]?.time - this.lines[number]?.seconds > time) number++;
            const line = this.lines[number], isThere = line?.time >= time;
            const place = row * width;
            if (isThere && line === painted) {
                pixels.copyWithin(place, start, start + width);
            } else {
                this.paint(isThere ? line : null, pixels.subarray(place, place + width));
                [painted, start] = [isThere ? line : null, place];
                if (isThere) this.seen.push(line);
            }
        }
        context.putImageData(data, 0, 0);
    }

    paint(line, pixels) {
        const {palette, band: [low, high], waterfallLevels: [bottom, top]} = this.view;
        pixels.fill(palette[0]);
        if (!line) return;
        const {floor, step, columns, levels} = line, {colours} = this;
        for (let value = 0; value < 256; value++) {
            const shade = (floor + step * value - bottom) / (top - bottom) * 255;
            colours[value] = palette[Math.min(255, Math.max(0, Math.floor(shade)))];
        }
        const width = (line.high - line.low) / columns;
        const pixel = (high - low) / this.width / width; // columns in a pixel
        let column = (low - line.low) / width + pixel / 2;
        for (let x = 0; x < pixels.length; x++, column += pixel)
            if (column >= 0 && column < columns) pixels[x] = colours[levels[column | 0]];
    }
}
