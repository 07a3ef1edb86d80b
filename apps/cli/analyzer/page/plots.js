// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plots over one frequency axis: spectrum and density. `view` is what the page shows: band,
// levels, picture, switches, peaks, markers, mouse; see page.js.

import {drawBars} from "./notes.js";
import {drawChannel, drawMarkers, gripChannel} from "./markers.js";

const LEFT = 68, TOP = 6, BOTTOM = 24, LABEL = 20; // pixels of CSS around the plot
const FONT = "13px sans-serif", SMALL_FONT = "12px sans-serif";
const LEAST_GAP = 34; // pixels between two levels' ticks
const MINUS = "\u2212";

export class BandPlot {
    constructor(canvas, view, label) {
        this.canvas = canvas;
        this.view = view;
        this.label = label;
        this.context = canvas.getContext("2d");
        this.isLowest = false; // and has the label of the frequencies
    }

    // The plot's place inside the canvas, in pixels of the screen.
    measure() {
        const ratio = devicePixelRatio, {clientWidth, clientHeight} = this.canvas;
        const width = Math.round(clientWidth * ratio);
        const height = Math.round(clientHeight * ratio);
        if (this.canvas.width !== width || this.canvas.height !== height)
            Object.assign(this.canvas, {width, height});
        this.ratio = ratio;
        this.left = Math.round(LEFT * ratio);
        this.top = Math.round(TOP * ratio);
        this.width = Math.max(16, width - this.left);
        const below = BOTTOM + (this.isLowest ? LABEL : 0);
        this.height = Math.max(16, height - this.top - Math.round(below * ratio));
    }

    range() {
        return this.view.levels;
    }

    x(frequency) {
        const [low, high] = this.view.band;
        return this.left + (frequency - low) / (high - low) * this.width;
    }

    y(value) {
        const [low, high] = this.range();
        return this.top + (high - value) / (high - low) * this.height;
    }

    // The width of a pixel of CSS.
    pixel() {
        const [low, high] = this.view.band;
        return this.ratio / this.width * (high - low);
    }

    // The frequency at a pixel of CSS.
    frequency(x) {
        return this.view.band[0] + (x - this.left / this.ratio) * this.pixel();
    }

    // {frequency, value} at a place in pixels of CSS, or null outside the plot.
    at(x, y) {
        const [low, high] = this.view.band, frequency = this.frequency(x);
        const down = this.share(y);
        if (frequency < low || frequency > high || down < 0 || down > 1) return null;
        return {frequency, value: this.value(down)};
    }

    // The share of the height above a pixel of CSS.
    share(y) {
        return (y * this.ratio - this.top) / this.height;
    }

    // The value at a share of the height.
    value(share) {
        const [bottom, top] = this.range();
        return top + share * (bottom - top);
    }

    draw() {
        if (this.canvas.clientHeight === 0) return;
        this.measure();
        const {context, ratio, left, top, width, height} = this;
        context.fillStyle = this.view.colours.background;
        context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        context.save();
        context.beginPath();
        context.rect(left, top, width, height);
        context.clip();
        this.drawContent();
        this.drawMarks();
        if (this.view.mouse) this.drawLines([this.view.mouse.frequency], this.lineColour());
        context.restore();
        this.drawAxes(ratio);
        this.drawCaption();
    }

    drawAxes(ratio) {
        const {context, left, top, width, height, view} = this;
        const bottom = top + height;
        context.fillStyle = view.colours.text;
        context.strokeStyle = view.colours.text;
        context.lineWidth = ratio;
        context.beginPath();
        context.moveTo(left, top);
        context.lineTo(left, bottom);
        context.lineTo(left + width, bottom);
        context.stroke();
        this.font(FONT);
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (const {value, text} of this.levelTicks())
            context.fillText(text, left - 6 * ratio, this.y(value));
        context.textAlign = "center";
        context.textBaseline = "top";
        for (const {value, text} of this.frequencyTicks())
            if (this.x(value) < left + width - 16 * ratio)
                context.fillText(text, this.x(value), bottom + 6 * ratio);
        const middle = left + width / 2;
        if (this.isLowest)
            context.fillText(view.axis.label, middle, bottom + (BOTTOM + 1) * ratio);
        context.translate(13 * ratio, top + height / 2);
        context.rotate(-Math.PI / 2);
        context.textBaseline = "middle";
        context.fillText(this.label, 0, 0);
        context.setTransform(1, 0, 0, 1, 0, 0);
    }

    levelTicks() {
        const count = this.height / (LEAST_GAP * this.ratio);
        return ticks(Math.min(...this.range()), Math.max(...this.range()), count);
    }

    frequencyTicks() {
        const [low, high] = this.view.band;
        const digits = Math.max(...ticks(low, high, 8).map(({text}) => text.length));
        return ticks(low, high, this.width / ((8 * digits + 40) * this.ratio));
    }

    drawGrid() {
        const {context, ratio, left, top, width, height} = this;
        context.strokeStyle = this.view.colours.text;
        context.globalAlpha = 0.18;
        context.lineWidth = ratio;
        context.beginPath();
        for (const {value} of this.frequencyTicks()) {
            context.moveTo(this.x(value), top);
            context.lineTo(this.x(value), top + height);
        }
        for (const {value} of this.levelTicks()) {
            context.moveTo(left, this.y(value));
            context.lineTo(left + width, this.y(value));
        }
        context.stroke();
        context.globalAlpha = 1;
    }

    // Lines at frequencies.
    drawLines(frequencies, colour, dash = []) {
        const {context, ratio, top, height} = this;
        context.strokeStyle = colour;
        context.lineWidth = ratio;
        context.setLineDash(dash.map(length => length * ratio));
        context.beginPath();
        for (const frequency of frequencies) {
            context.moveTo(this.x(frequency), top);
            context.lineTo(this.x(frequency), top + height);
        }
        context.stroke();
        context.setLineDash([]);
    }

    // Over the content: the markers' lines.
    drawMarks() {
        const {markers, colours} = this.view;
        this.drawLines(markers.map(({frequency}) => frequency), colours.over_image, [4, 3]);
    }

    lineColour() {
        return this.view.colours.over_image;
    }

    // The meaning of the colours, in the corner.
    drawCaption() {
        const text = this.caption?.();
        if (!text) return;
        const {context, ratio, left, top, view} = this;
        this.font(SMALL_FONT);
        context.textAlign = "left";
        context.textBaseline = "top";
        context.fillStyle = view.colours.background + "d0";
        const width = context.measureText(text).width + 10 * ratio;
        context.fillRect(left + 8 * ratio, top + 3 * ratio, width, 18 * ratio);
        context.fillStyle = view.colours.text;
        context.fillText(text, left + 13 * ratio, top + 6 * ratio);
    }

    // Where the caption ends: no label may begin there.
    captionBox() {
        const {context, ratio, left, top} = this, font = context.font;
        this.font(SMALL_FONT);
        const width = context.measureText(this.caption()).width;
        context.font = font;
        return {x: left, y: top + 4 * ratio, end: left + 18 * ratio + width};
    }

    font(font) {
        this.context.font = font.replace(/\d+/, size => size * this.ratio);
    }
}

export class SpectrumPlot extends BandPlot {
    lineColour() {
        return this.view.colours.faint;
    }

    grip(frequency) {
        return gripChannel(this, frequency);
    }

    drawContent() {
        this.drawGrid();
        this.drawNotice(this.view.notice);
        drawChannel(this);
        const {view} = this, picture = view.picture;
        if (!picture) return;
        const {average_low, average_high} = picture.traces;
        const isCrowded = picture.columns < picture.bins;
        const traces = {
            min_hold: [picture.traces.min_hold],
            max_hold: [picture.traces.max_hold],
            average: isCrowded ? [average_low, average_high] : [average_high],
        };
        for (const [name, values] of Object.entries(traces))
            if (view.switches[`show_${name}`])
                this.drawTrace(values, picture, view.colours[name]);
        if (view.switches.show_peaks) this.drawPeaks();
        drawBars(this);
    }

    drawMarks() {
        drawMarkers(this);
    }

    // Words in the middle, e.g. that samples are waited for.
    drawNotice(words) {
        const {context, left, top, width, height} = this;
        this.font("18px sans-serif");
        context.fillStyle = this.view.colours.text;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(words, left + width / 2, top + height / 2);
    }

    // A line through all values of each column.
    drawTrace(traces, picture, colour) {
        const {context, ratio} = this;
        context.strokeStyle = colour;
        context.lineWidth = ratio;
        context.beginPath();
        for (let column = 0; column < picture.columns; column++) {
            const x = this.x((edge(picture, column) + edge(picture, column + 1)) / 2);
            for (const trace of traces) context.lineTo(x, this.y(trace[column]));
        }
        context.stroke();
    }

    drawPeaks() {
        const {context, ratio, view} = this;
        context.fillStyle = view.colours.peak;
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        this.font(FONT);
        view.peaks.forEach(([frequency], index) => {
            const y = Math.max(this.top + 20 * ratio, this.traceAt(frequency) - 3 * ratio);
            const x = this.x(frequency);
            context.fillText(index + 1, x, y - 8 * ratio);
            context.beginPath();
            context.moveTo(x, y);
            context.lineTo(x - 3.5 * ratio, y - 6 * ratio);
            context.lineTo(x + 3.5 * ratio, y - 6 * ratio);
            context.fill();
        });
    }

    // Where the average is drawn highest around a frequency.
    traceAt(frequency) {
        const {picture} = this.view, column = columnAt(picture, frequency);
        const near = picture.traces.average_high.subarray(Math.max(0, column - 1), column + 2);
        return this.y(Math.max(...near));
    }
}

export class DensityPlot extends BandPlot {
    constructor(canvas, view, label) {
        super(canvas, view, label);
        this.image = document.createElement("canvas");
        this.place = null; // a picture's density
    }

    caption() {
        const faintest = (100 * this.view.faintestShare).toFixed(2);
        return `Density: share of time, ${faintest}% (dark) to 100% (bright)`;
    }

    // Makes the image of the density in `place`.
    paint() {
        if (!this.place) return;
        const {image, view} = this, {columns, levels, shades} = this.place;
        Object.assign(image, {width: columns, height: levels});
        const context = image.getContext("2d");
        const data = context.createImageData(columns, levels);
        const pixels = new Uint32Array(data.data.buffer);
        const colours = Uint32Array.from({length: view.densityShades}, (_, shade) =>
            view.palette[Math.round(shade * 255 / (view.densityShades - 1))]);
        for (let column = 0; column < columns; column++)
            for (let level = 0; level < levels; level++)
                pixels[(levels - 1 - level) * columns + column] =
                    colours[shades[column * levels + level]];
        context.putImageData(data, 0, 0);
    }

    drawContent() {
        const {context, place} = this;
        if (!place) return;
        const x = this.x(place.low), y = this.y(place.top);
        context.imageSmoothingEnabled = false;
        const width = this.x(place.high) - x, height = this.y(place.bottom) - y;
        context.drawImage(this.image, x, y, width, height);
    }
}

// The frequency of a column's lower edge; columns hold whole bins.
function edge({low, high, bins, columns}, column) {
    return low + (high - low) * Math.floor(column * bins / columns) / bins;
}

// The column of a picture that holds a frequency; -1 if none does.
function columnAt(picture, frequency) {
    const {low, high, columns} = picture;
    const column = Math.floor((frequency - low) / (high - low) * columns);
    return column >= 0 && column < columns ? column : -1;
}

// At most about `count` round values from low to high, with their texts.
function ticks(low, high, count) {
    const rough = (high - low) / Math.max(1, count);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999);
    const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
    const found = [];
    for (let n = Math.ceil(low / step - 1e-9); n <= high / step + 1e-9; n++) {
        const value = n * step + 0; // never -0
        found.push({value, text: value.toFixed(digits).replace("-", MINUS)});
    }
    return found;
}
