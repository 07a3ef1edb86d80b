// SPDX-License-Identifier: GPL-3.0-or-later
//
// The analyzer's page: draws the pictures that come, and passes on what its controls say.

import {PositionBar} from "./bar.js";
import {Stream} from "./stream.js";
import {DensityPlot, SpectrumPlot} from "./plots.js";
import {askForLabel} from "./notes.js";
import {WaterfallPlot} from "./waterfall.js";
import {listen, listenToKeys} from "./mouse.js";
import {Panel, fillTable, make} from "./panel.js";

const OWN_MS = 500; // for which what was moved here stands against the analyzer's
const LEVELS = [-400, 200], LEAST_SPAN = 1; // dB, of the level axes
const MESSAGE_MS = 10000;
const NOT_IN_CONTROL = "another viewer is in control: take control first";

const element = id => document.getElementById(id);

// What the plots draw.
const view = {
    axis: null, band: [0, 1], levels: [-120, 0], waterfallLevels: [-120, 0], switches: {},
    picture: null, peaks: [], markers: [], channel: null, mouse: null, notice: "",
    notes: [], region: null,
    colours: {}, palette: new Uint32Array(256), densityShades: 2, faintestShare: 1,
};
const spectrum = new SpectrumPlot(element("spectrum"), view, "Level (dBFS)");
const density = new DensityPlot(element("density"), view, "Level (dBFS)");
const waterfall = new WaterfallPlot(element("waterfall"), view, "Time (s ago)");
const plots = [spectrum, density, waterfall];
const bar = new PositionBar(element("bar"), seconds => toSend.set("seek", {seconds}));

const toSend = new Map(); // what to ask for at the next picture of the screen: members

let panel = null, isInControl = false, keys = [], waterfallKeys = {}, helpKeys = [];
let colourMaps = {}, colourMap = "";
let columns = 0; // that the analyzer knows of
let decoded = 0, confirmed = 0; // numbers of pictures
let movedAt = -Infinity; // when the band or the levels were moved here
let shown = 0; // pictures
let isDirty = true;
const traffic = {pictures: 0, bytes: 0, time: performance.now()};

const stream = new Stream({
    open() {
        columns = 0;
        decoded = confirmed = 0;
        asked = null;
        element("note").hidden = true;
    },
    lost(reason) {
        element("note").textContent = reason;
        element("note").hidden = false;
        allow(false);
    },
    text(kind, content) {
        ({hello, state, control, say, words, notes})[kind]?.(content);
    },
    picture(picture) {
        decoded = picture.picture;
        traffic.pictures++;
        isDirty = true;
        view.picture = picture;
        shown++;
        if (picture.density) {
            density.place = picture.density;
            density.paint();
        }
        waterfall.show(picture);
        view.markers = picture.markers;
        showPlayback(picture.playback);
        askForWords();
    },
});

function hello({name, panel: groups, colours, colour_maps, ...more}) {
    document.title = `gpufft analyzer \u2013 ${name}`;
    keys = more.keys;
    waterfallKeys = more.waterfall_keys;
    helpKeys = more.help_keys;
    fillTable(element("help"), more.help);
    for (const [colour, value] of Object.entries(colours))
        document.documentElement.style.setProperty(`--${colour}`, value);
    const isDark = parseInt(colours.background.slice(1), 16) < 0x800000;
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    view.colours = colours;
    view.faintestShare = more.faintest_share;
    view.densityShades = more.density_shades;
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
    allow(isInControl);
    showPlots();
}

function state({axis, band, levels, values, switches, status, peaks, channel, fault, ...more}) {
    view.axis = axis;
    if (performance.now() - movedAt > OWN_MS) Object.assign(view, {band, levels});
    view.waterfallLevels = more.waterfall_levels;
    view.peaks = peaks;
    view.markers = more.markers;
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
    fillTable(element("markers"), more.marker_table);
    view.markers.forEach(({is_chosen}, index) =>
        element("markers").rows[index + 1].classList.toggle("chosen", is_chosen));
    fillTable(element("channel"), channel?.table ?? []);
    element("marker_keys").hidden = !more.marker_table.length;
    element("results").hidden = !more.marker_table.length && !channel;
    element("play").textContent = switches.pause ? "Play" : "Pause";
    showPlayback(more.playback);
}

function notes(found) {
    view.notes = found;
    isDirty = true;
}

function showPlayback(playback) {
    element("playback").hidden = !playback;
    if (!playback) return;
    bar.show(playback);
    element("position").textContent = playback.words;
}

function showColours(name) {
    if (name === colourMap) return;
    colourMap = name;
    const map = colourMaps[name];
    view.palette = Uint32Array.from({length: 256}, (_, i) =>
        255 << 24 | map[3 * i + 2] << 16 | map[3 * i + 1] << 8 | map[3 * i]);
    density.paint();
}

// Lets the controls act, or not.
function allow(isAllowed) {
    isInControl = isAllowed;
    panel?.allow(isAllowed);
    for (const button of document.querySelectorAll("[data-key]")) button.disabled = !isAllowed;
}

function control({whose, viewers}) {
    const holder = {you: "You are", nobody: "Nobody is", other: "Another viewer is"}[whose];
    element("whose").textContent = `${holder} in control`;
    element("whose").title = viewers === 1 ? "1 viewer" : `${viewers} viewers`;
    element("take").hidden = whose === "you";
    allow(whose === "you");
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
    for (const [what, members] of toSend) stream.ask(what, members);
    toSend.clear();
    if (isDirty && view.axis) {
        isDirty = false;
        for (const plot of plots) plot.draw();
        document.body.dataset.pictures = shown; // for who looks at the page from outside
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

let asked = null; // the mouse's place whose words are awaited

// Asks for the words of what is at the mouse.
function askForWords() {
    const {mouse} = view;
    if (!mouse || asked) return;
    asked = mouse;
    stream.ask("point", {plot: mouse.plot.canvas.id, x: mouse.frequency, y: mouse.value});
}

// Shows them in the corner of the plot.
function words(text) {
    const {mouse} = view, isOld = asked !== mouse, readout = element("readout");
    asked = null;
    if (isOld) askForWords();
    readout.hidden = !mouse || !text;
    if (readout.hidden) return;
    readout.textContent = text;
    const {canvas, top, height, ratio} = mouse.plot;
    readout.style.bottom =
        `${canvas.offsetParent.clientHeight - canvas.offsetTop - (top + height) / ratio}px`;
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
        say(NOT_IN_CONTROL);
        return;
    }
    const {axis} = view, least = 2 * (axis.high - axis.low) / axis.size;
    view.band = fit(low, high, least, axis.low, axis.high);
    toSend.set("band", {low: view.band[0], high: view.band[1]});
    movedAt = performance.now();
    isDirty = true;
}

// A range of at least a span, moved or cut to lie within limits.
function fit(low, high, least, lowest, highest) {
    const span = Math.min(Math.max(high - low, least), highest - lowest);
    const start = Math.min(Math.max((low + high - span) / 2, lowest), highest - span);
    return [start, start + span];
}

function point(mouse) {
    view.mouse = mouse;
    if (mouse) askForWords();
    else element("readout").hidden = true;
    isDirty = true;
}

const waterfallActs = {
    scroll(pages) {
        waterfall.scroll(pages);
        isDirty = true;
    },
    show_live() {
        waterfall.showLive();
        isDirty = true;
    },
};

// Changes the range of an axis: the times of the waterfall, or the levels of all.
function showRange(plot, [bottom, top]) {
    isDirty = true;
    if (plot === waterfall) waterfall.showTimes(top, bottom);
    else if (isInControl) showLevels(bottom, top);
    else say(NOT_IN_CONTROL);
}

function showLevels(low, high) {
    view.levels = fit(low, high, LEAST_SPAN, ...LEVELS);
    movedAt = performance.now();
    toSend.set("set", {name: "levels", text: view.levels.map(end => end.toFixed(2)).join()});
}

function mark(from, to) {
    view.region = [from, to];
    isDirty = true;
}

// Makes the marked region an annotation.
function annotate(label) {
    const [from, to] = view.region;
    view.region = null;
    isDirty = true;
    if (label === null) return;
    const [oldest, newest] = [from.time, to.time].sort((a, b) => a - b);
    const [low, high] = [from.frequency, to.frequency];
    stream.ask("annotate", {newest, oldest, low, high, label});
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

for (const plot of plots)
    listen(plot, {
        point,
        showBand,
        moveChannel: (low, high) => toSend.set("channel", {low, high}),
        click: (low, high) => stream.ask("click", {low, high}),
        mark,
        showRange,
        showLive: waterfallActs.show_live,
        askForLabel: (x, y) => askForLabel(document.body, x, y, annotate),
    });
listenToKeys(key => {
    const help = element("help");
    if (helpKeys.includes(key) || key === "Esc" && !help.hidden) {
        help.hidden = !help.hidden;
    } else if (key in waterfallKeys) {
        const [act, ...values] = waterfallKeys[key];
        waterfallActs[act](...values);
    } else if (keys.includes(key)) stream.ask("key", {key});
    else return false;
    return true;
});
element("take").onclick = () => stream.ask("control");
for (const button of document.querySelectorAll("[data-key]"))
    button.onclick = () => stream.ask("key", {key: button.dataset.key});
element("markers").onclick = ({target}) => { // a row chooses its marker
    const number = target.closest("tr")?.cells[0].textContent.at(-1);
    if (number) stream.ask("key", {key: number});
};
new ResizeObserver(() => isDirty = true).observe(element("plots"));
setInterval(showTraffic, 1000);
requestAnimationFrame(draw);
