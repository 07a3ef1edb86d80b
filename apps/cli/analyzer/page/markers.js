// SPDX-License-Identifier: GPL-3.0-or-later
//
// Markers and channel over the plots, as the analyzer reads them.

const FONT = "bold 13px sans-serif";
const DIAMOND = 6.5; // pixels of CSS, from the middle to a corner
const NAME_ROOM = 40; // at the right edge, where names stand on the left
const GRIP_REACH = 6; // pixels of CSS around a line that can be dragged

// Diamonds on the trace, the chosen one filled, and names.
export function drawMarkers(plot) {
    const {context, ratio, left, top, width, height, view} = plot, size = DIAMOND * ratio;
    context.strokeStyle = view.colours.marker;
    context.lineWidth = 1.5 * ratio;
    context.textAlign = "left";
    context.textBaseline = "middle";
    plot.font(FONT);
    for (const {name, frequency, level, is_chosen} of view.markers) {
        if (level === null) continue; // it is outside the stream's band
        const x = plot.x(frequency), y = Math.min(Math.max(plot.y(level), top), top + height);
        context.beginPath();
        context.moveTo(x - size, y);
        for (const [across, down] of [[0, -size], [size, 0], [0, size], [-size, 0]])
            context.lineTo(x + across, y + down);
        context.fillStyle = is_chosen ? view.colours.marker : view.colours.background;
        context.fill();
        context.stroke();
        const isLeft = x > left + width - NAME_ROOM * ratio;
        const room = context.measureText(name).width + 4 * ratio;
        const start = isLeft ? x - room - 1.5 * size : x + 1.5 * size;
        context.fillStyle = `${view.colours.background}aa`;
        context.fillRect(start, y - 8 * ratio, room, 16 * ratio);
        context.fillStyle = view.colours.marker;
        context.fillText(name, start + 2 * ratio, y);
    }
}

// The channel, its neighbours, and dashed lines at the occupied band.
export function drawChannel(plot) {
    const {context, top, height, view: {channel, colours}} = plot;
    if (!channel) return;
    context.fillStyle = colours.channel;
    for (const [bands, alpha] of [[channel.channel, 0.2], [channel.neighbours, 0.07]])
        for (const [low, high] of bands) {
            context.globalAlpha = alpha;
            context.fillRect(plot.x(low), top, plot.x(high) - plot.x(low), height);
        }
    context.globalAlpha = 1;
    plot.drawLines(channel.channel.flat(), colours.channel);
    plot.drawLines(channel.occupied.flat(), colours.channel, [4, 3]);
}

// What dragging at a frequency moves: a function from the mouse's frequency to the channel's
// limits, for one of its lines, or for both by what is between; null for nothing.
export function gripChannel(plot, frequency) {
    if (!plot.view.channel) return null;
    const [[low, high]] = plot.view.channel.channel, reach = GRIP_REACH * plot.pixel();
    const away = [low, high].map(edge => Math.abs(frequency - edge));
    if (Math.min(...away) <= reach)
        return away[0] < away[1] ? at => [at, high] : at => [low, at];
    if (frequency < low || frequency > high) return null;
    return at => [low + at - frequency, high + at - frequency];
}
