// SPDX-License-Identifier: GPL-3.0-or-later
//
// The analyzer's page: draws the pictures that come, and passes on what its controls say.

import {Stream} from "./stream.js";
import {DensityPlot, SpectrumPlot} from "./plots.js";
import {WaterfallPlot} from "./waterfall.js";
import {Markers, frequencyText, levelText} from "./markers.js";
import {Panel, fillTable, make} from "./panel.js";

const CLICK_WAIT = 250; // ms, in which a second click makes a double click
const CLICK_REACH = 4; // pixels that a click may move
const MARKER_REACH = 8; // pixels
const OWN_BAND_MS = 500; // for which a band that was moved here stands against the analyzer's
const MESSAGE_MS = 10000;
const ZOOM = 1.0015; // for each pixel of the wheel

const element = id => document.getElementById(id);

// What the plots draw.
const view = {
    axis: null, band: [0, 1], levels: [-120, 0], waterfallLevels: [-120, 0], switches: {},
    picture: null, peaks: [], channel: null, mouse: null, notice: "",
    colours: {}, palette: new Uint32Array(256), densityShades: 2, faintestShare: 1,
};
const markers = new Markers(view);
const spectrum = new SpectrumPlot(element("spectrum"), view, "Level (dBFS)");
const density = new DensityPlot(element("density"), view, "Level (dBFS)");
const waterfall = new WaterfallPlot(element("waterfall"), view, "Time (s ago)");
const plots = [spectrum, density, waterfall];

let panel = null, isInControl = false;
let colourMaps = {}, colourMap = "";
let columns = 0; // that the analyzer knows of
let decoded = 0, confirmed = 0; // numbers of pictures
let movedAt = -Infinity, bandToSend = null;
let shown = 0; // pictures
let isDirty = true;
const traffic = {pictures: 0, bytes: 0, time: performance.now()};

const stream = new Stream({
    open() {
        columns = 0;
        decoded = confirmed = 0;
        element("note").hidden = true;
    },
    lost(reason) {
        element("note").textContent = reason;
        element("note").hidden = false;
        isInControl = false;
        panel?.allow(false);
    },
    text(kind, content) {
        ({hello, state, control, say})[kind]?.(content);
        isDirty = true;
    },
    picture(picture) {
        decoded = picture.picture;
        traffic.pictures++;
        isDirty = true;
        if (view.switches.pause) return;
        view.picture = picture;
        shown++;
        if (picture.density) {
            density.place = picture.density;
            density.paint();
        }
        waterfall.show(picture);
        markers.read();
    },
});

function hello({name, panel: groups, colours, colour_maps, faintest_share, density_shades}) {
    document.title = `gpufft analyzer \u2013 ${name}`;
    for (const [colour, value] of Object.entries(colours))
        document.documentElement.style.setProperty(`--${colour}`, value);
    const isDark = parseInt(colours.background.slice(1), 16) < 0x800000;
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    view.colours = colours;
    view.faintestShare = faintest_share;
    view.densityShades = density_shades;
    colourMaps = colour_maps;
    colourMap = "";
    for (const control of groups.flatMap(group => group.controls))
        if (control.kind === "switch")
            control.is_on = view.switches[control.name] ??= control.is_on;
    panel = new Panel(element("panel"), groups, {
        set: (name, text) => stream.ask("set", {name, text}),
        turn,
        press: (name, isShared) => isShared ? stream.ask("press", {name}) : savePicture(),
    });
    panel.allow(isInControl);
    showPlots();
}

function state({axis, band, levels, values, switches, status, peaks, channel, fault, ...more}) {
    view.axis = axis;
    if (performance.now() - movedAt > OWN_BAND_MS) view.band = band;
    view.levels = levels;
    view.waterfallLevels = more.waterfall_levels;
    view.peaks = peaks;
    view.channel = channel;
    view.notice = more.notice;
    showColours(more.colour_map);
    Object.assign(view.switches, switches);
    panel.show(values, switches);
    showPlots();
    if (!messageTimer) [element("status").innerHTML, element("status").title] = status;
    if (fault) say(fault);
    const rows = peaks.map(([, , ...texts], index) => [index + 1, ...texts]);
    fillTable(panel.peaks, rows.length ? rows : [["none above the noise"]]);
    fillTable(element("channel"), inPairs(channel?.rows ?? []));
}

// Lines of two cells, two of them beside each other.
function inPairs(rows) {
    const half = Math.ceil(rows.length / 2);
    return rows.slice(0, half).map((row, index) => [...row, ...rows[half + index] ?? []]);
}

function showColours(name) {
    if (name === colourMap) return;
    colourMap = name;
    const map = colourMaps[name];
    view.palette = Uint32Array.from({length: 256}, (_, i) =>
        255 << 24 | map[3 * i + 2] << 16 | map[3 * i + 1] << 8 | map[3 * i]);
    density.paint();
}

function control({whose, viewers}) {
    isInControl = whose === "you";
    const holder = {you: "You are", nobody: "Nobody is", other: "Another viewer is"}[whose];
    element("whose").textContent = `${holder} in control`;
    element("whose").title = viewers === 1 ? "1 viewer" : `${viewers} viewers`;
    element("take").hidden = isInControl;
    panel.allow(isInControl);
}

let messageTimer = 0;

// Shows a line in place of the status for a while.
function say(message) {
    const status = element("status");
    status.textContent = message;
    status.className = "message";
    clearTimeout(messageTimer);
    messageTimer = setTimeout(() => {
        messageTimer = 0;
        status.className = "";
    }, MESSAGE_MS);
}

function turn(name, isOn, isShared) {
    view.switches[name] = isOn;
    if (isShared) stream.ask("switch", {name, on: isOn});
    showPlots();
}

// Hides the plots that are switched off; the lowest has the label.
function showPlots() {
    density.canvas.hidden = !view.switches.show_density;
    waterfall.canvas.hidden = !view.switches.show_waterfall;
    const lowest = plots.findLast(plot => !plot.canvas.hidden);
    for (const plot of plots) plot.isLowest = plot === lowest;
    isDirty = true;
}

// Once for each picture of the screen.
function draw() {
    requestAnimationFrame(draw);
    if (bandToSend) {
        stream.ask("band", {low: bandToSend[0], high: bandToSend[1]});
        bandToSend = null;
    }
    if (isDirty && view.axis) {
        isDirty = false;
        for (const plot of plots) plot.draw();
        document.body.dataset.pictures = shown; // for who looks at the page from outside
        fillTable(element("markers"), markers.rows());
        element("clear").hidden = view.markers.length === 0;
        element("results").hidden = !view.markers.length && !view.channel;
        showReadout();
    }
    if (stream.socket && panel && spectrum.width !== columns && spectrum.width) {
        columns = spectrum.width;
        stream.ask("columns", {columns});
    }
    if (decoded > confirmed) {
        confirmed = decoded;
        stream.ask("seen", {picture: decoded});
    }
}

function showReadout() {
    const {mouse, axis} = view, readout = element("readout");
    if (!mouse) {
        readout.textContent = "";
        return;
    }
    const resolution = (view.band[1] - view.band[0]) / spectrum.width;
    const texts = [frequencyText(axis, mouse.frequency, resolution)];
    if (mouse.plot === waterfall) {
        texts.push(levelText(waterfall.read(mouse.frequency, mouse.value)));
        texts.push(`${mouse.value.toFixed(2)} s ago`);
    } else texts.push(levelText(mouse.value));
    readout.textContent = texts.join("   ");
}

function showTraffic() {
    const now = performance.now(), seconds = (now - traffic.time) / 1000;
    const rate = (traffic.pictures / seconds).toFixed(0);
    const megabits = (8e-6 * (stream.bytes - traffic.bytes) / seconds).toFixed(1);
    element("traffic").textContent = `${rate} pictures/s here, ${megabits} Mbit/s`;
    Object.assign(traffic, {pictures: 0, bytes: stream.bytes, time: now});
}

// Moves the band, within the stream's.
function showBand(low, high) {
    if (!isInControl) {
        say("another viewer is in control: take control first");
        return;
    }
    const {axis} = view, whole = axis.high - axis.low;
    const span = Math.min(Math.max(high - low, 2 * whole / axis.size), whole);
    const start = Math.min(Math.max((low + high - span) / 2, axis.low), axis.high - span);
    view.band = bandToSend = [start, start + span];
    movedAt = performance.now();
    isDirty = true;
}

function listen(plot) {
    const {canvas} = plot;
    let pressed = null, clickTimer = 0;
    const place = event => plot.at(event.offsetX, event.offsetY);
    canvas.addEventListener("wheel", event => {
        event.preventDefault();
        const at = place(event);
        if (!at) return;
        const factor = ZOOM ** event.deltaY, centre = at.frequency;
        showBand(...view.band.map(edge => centre + (edge - centre) * factor));
    }, {passive: false});
    canvas.onpointerdown = event => {
        if (event.button !== 0 || !place(event)) return;
        canvas.setPointerCapture(event.pointerId);
        pressed = {x: event.offsetX, band: view.band, isDrag: false};
    };
    canvas.onpointermove = event => {
        const at = place(event);
        view.mouse = at && {...at, plot};
        isDirty = true;
        if (!pressed) return;
        const moved = event.offsetX - pressed.x, [low, high] = pressed.band;
        if (Math.abs(moved) > CLICK_REACH) pressed.isDrag = true;
        if (!pressed.isDrag) return;
        const shift = moved * plot.ratio / plot.width * (high - low);
        showBand(low - shift, high - shift);
    };
    canvas.onpointerup = event => {
        const isClick = pressed && !pressed.isDrag, at = place(event);
        pressed = null;
        clearTimeout(clickTimer);
        if (!isClick || !at || event.button !== 0) return;
        const [low, high] = view.band;
        const reach = MARKER_REACH * plot.ratio / plot.width * (high - low);
        clickTimer = setTimeout(() => {
            markers.toggle(at.frequency, reach);
            isDirty = true;
        }, CLICK_WAIT);
    };
    canvas.ondblclick = () => {
        clearTimeout(clickTimer);
        showBand(view.axis.low, view.axis.high);
    };
    canvas.onpointerleave = () => {
        view.mouse = null;
        isDirty = true;
    };
}

// The plots and the status as PNG.
function savePicture() {
    const shown = plots.map(plot => plot.canvas).filter(canvas => !canvas.hidden);
    const picture = make("canvas", {width: shown[0].width});
    picture.height = shown.reduce((sum, canvas) => sum + canvas.height, 0);
    const context = picture.getContext("2d");
    let y = 0;
    for (const canvas of shown) {
        context.drawImage(canvas, 0, y);
        y += canvas.height;
    }
    picture.toBlob(blob => {
        const link = make("a", {href: URL.createObjectURL(blob), download: "spectrum.png"});
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), MESSAGE_MS);
    });
}

plots.forEach(listen);
element("take").onclick = () => stream.ask("control");
element("clear").onclick = () => {
    markers.clear();
    isDirty = true;
};
new ResizeObserver(() => isDirty = true).observe(element("plots"));
setInterval(showTraffic, 1000);
requestAnimationFrame(draw);
