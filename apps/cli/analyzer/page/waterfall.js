// SPDX-License-Identifier: GPL-3.0-or-later
//
// Levels over time, the newest line at the top; dark where no line came.

import {drawNotes} from "./notes.js";
import {BandPlot, columnAt} from "./plots.js";

const LINES = 300;
const LONG_GAP = 5; // times the lines' usual distance: then there is a gap

export class WaterfallPlot extends BandPlot {
    constructor(canvas, view, label) {
        super(canvas, view, label);
        this.lines = []; // the newest first; {time} alone in a gap
        this.image = document.createElement("canvas");
        this.drawn = ""; // what the image shows
        this.fresh = 0; // lines that it lacks
    }

    range() {
        return [Math.max(0.1, this.secondsAgo(this.lines.length)), 0];
    }

    // How long ago a line ended, by its number with its fraction.
    secondsAgo(number) {
        const {lines} = this;
        if (lines.length === 0) return 0;
        const [now, time, before] = [0, Math.floor(number), Math.floor(number) + 1].map(
            each => lines[Math.min(each, lines.length - 1)].time);
        return now - time + (number % 1) * (time - before);
    }

    value(share) {
        return this.secondsAgo(share * this.lines.length);
    }

    // The pixel of the upper end of a line.
    row(number) {
        return this.top + number / this.lines.length * this.height;
    }

    caption() {
        const [low, high] = this.view.waterfallLevels.map(level =>
            `${level}`.replace("-", "\u2212"));
        return `Mean level, ${low} (dark) to ${high} dBFS (bright)`;
    }

    // Takes a picture's line.
    show(picture) {
        if (picture.rows === 0) return;
        if (picture.time < this.lines[0]?.time) this.lines = []; // another server's clock
        this.leaveGap(picture.time);
        const {time, low, high, columns, floor, step, notes} = picture;
        this.add({time, low, high, columns, floor, step, notes, line: picture.line.slice()});
    }

    add(line) {
        this.lines.unshift(line);
        this.lines.length = Math.min(this.lines.length, LINES);
        this.fresh++;
    }

    leaveGap(now) {
        const {lines} = this;
        if (lines.length < 2) return;
        const usual = (lines[0].time - lines.at(-1).time) / (lines.length - 1);
        const gap = now - lines[0].time;
        if (gap <= Math.max(1, LONG_GAP * usual)) return;
        for (let age = Math.min(Math.round(gap / usual) - 1, LINES - 1); age > 0; age--)
            this.add({time: now - age * usual});
    }

    drawContent() {
        const count = this.lines.length;
        if (count === 0) return;
        this.update();
        const {context, image, left, top, width, height} = this;
        context.imageSmoothingEnabled = false;
        context.drawImage(image, 0, 0, image.width, count, left, top, width, height);
        drawNotes(this, this.lines);
        if (this.view.region) this.drawRegion(this.view.region);
    }

    // A corner of a region, at a place of the mouse.
    corner({frequency, value}) {
        return {frequency, time: this.lines[0].time - value};
    }

    rowAt(time) {
        const number = this.lines.findIndex(line => line.time <= time);
        return this.row(number < 0 ? this.lines.length : number);
    }

    // The region that the mouse marks.
    drawRegion([from, to]) {
        const {context, ratio, view} = this;
        context.strokeStyle = view.colours.over_image;
        context.lineWidth = ratio;
        context.setLineDash([4 * ratio, 3 * ratio]);
        const x = this.x(from.frequency), y = this.rowAt(from.time);
        context.strokeRect(x, y, this.x(to.frequency) - x, this.rowAt(to.time) - y);
        context.setLineDash([]);
    }

    // Brings the image up to date: all lines if it shows another band or range, else the
    // fresh ones.
    update() {
        const {image, view} = this, context = image.getContext("2d");
        const shown = [view.band, view.waterfallLevels, this.width, view.palette.at(128)];
        const wanted = shown.join();
        if (wanted !== this.drawn) {
            Object.assign(image, {width: this.width, height: LINES});
            this.fresh = this.lines.length;
            this.drawn = wanted;
        }
        const fresh = Math.min(this.fresh, this.lines.length);
        this.fresh = 0;
        if (fresh === 0) return;
        if (fresh < LINES) {
            context.globalCompositeOperation = "copy";
            context.drawImage(image, 0, fresh);
        }
        const {width} = this, data = context.createImageData(width, fresh);
        const pixels = new Uint32Array(data.data.buffer);
        for (let row = 0; row < fresh; row++)
            this.paint(this.lines[row], pixels.subarray(row * width, (row + 1) * width));
        context.putImageData(data, 0, 0);
    }

    paint(line, pixels) {
        const {palette, band: [low, high], waterfallLevels: [bottom, top]} = this.view;
        pixels.fill(palette[0]);
        if (!line.line) return;
        const colours = Uint32Array.from({length: 256}, (_, value) => {
            const shade = (line.floor + line.step * value - bottom) / (top - bottom) * 255;
            return palette[Math.min(255, Math.max(0, Math.floor(shade)))];
        });
        const scale = (high - low) / this.width;
        for (let x = 0; x < this.width; x++) {
            const column = columnAt(line, low + (x + 0.5) * scale);
            if (column >= 0) pixels[x] = colours[line.line[column]];
        }
    }
}
