// SPDX-License-Identifier: GPL-3.0-or-later
//
// Markers stand at frequencies and read the average there; the others' differences are from
// the first. And how numbers are written.

import {columnAt} from "./plots.js";

const MOST_MARKERS = 6;
const UNITS = [[1e6, "MHz"], [1e3, "kHz"]];
const MINUS = "\u2212";

export class Markers {
    constructor(view) {
        this.view = view;
        view.markers = [];
    }

    // Adds one, or removes the one that stands within `reach` of the frequency.
    toggle(frequency, reach) {
        const {markers} = this.view;
        const near = markers.findIndex(
            marker => Math.abs(marker.frequency - frequency) < reach);
        if (near >= 0) markers.splice(near, 1);
        else if (markers.length < MOST_MARKERS) markers.push({frequency, level: NaN});
        markers.forEach((marker, index) => marker.name = `M${index + 1}`);
        this.read();
    }

    clear() {
        this.view.markers.length = 0;
    }

    // Reads the levels from the picture.
    read() {
        const {picture, markers} = this.view;
        for (const marker of markers) {
            const column = picture ? columnAt(picture, marker.frequency) : -1;
            marker.level = column < 0 ? NaN : picture.traces.average_high[column];
        }
    }

    // Lines of the table: name, frequency, level.
    rows() {
        const {markers, axis, picture} = this.view;
        const resolution = picture ? (picture.high - picture.low) / picture.columns : 0;
        const [first] = markers;
        return markers.flatMap((marker, index) => {
            const frequency = frequencyText(axis, marker.frequency, resolution);
            const row = [marker.name, frequency, levelText(marker.level)];
            if (index === 0) return [row];
            const away = marker.frequency - first.frequency;
            const difference = frequencyText(axis, away, resolution);
            const level = levelText(marker.level - first.level).replace("dBFS", "dB");
            return [row, ["\u0394", difference, level]];
        });
    }
}

// A frequency in the unit that suits it, to a tenth of the resolution.
export function frequencyText(axis, frequency, resolution) {
    if (!axis.is_in_hertz) return frequency.toPrecision(6).replace("-", MINUS);
    const hertz = frequency * axis.divisor;
    const [divisor, unit] = UNITS.find(([least]) => Math.abs(hertz) >= least) ?? [1, "Hz"];
    const step = Math.max(resolution * axis.divisor / 10, 1e-6) / divisor;
    const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step))));
    return `${(hertz / divisor).toFixed(digits).replace("-", MINUS)} ${unit}`;
}

export function levelText(level) {
    if (!Number.isFinite(level)) return "\u2013";
    return `${level.toFixed(1).replace("-", MINUS)} dBFS`;
}
