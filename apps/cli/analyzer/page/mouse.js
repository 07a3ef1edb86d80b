// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mouse and keys: the wheel zooms, dragging moves the band, the channel or, over an axis, levels
// and times; a click sets a marker, a double click shows all, Shift and dragging mark a region
// of the waterfall.

const CLICK_WAIT = 250; // ms, in which a second click makes a double click
const CLICK_REACH = 4; // pixels that a click may move
const FINGER = 12; // pixels around a touch
const ZOOM = 1.0015; // for each pixel of the wheel
// Keys as the analyzer names them.
const KEYS = {
    ArrowLeft: "Left", ArrowRight: "Right", Delete: "Del", Escape: "Esc", " ": "Space",
    PageUp: "PgUp", PageDown: "PgDown",
};

// acts: point(place), showBand(low, high), click(low, high), moveChannel(low, high),
// mark(corner, corner), askForLabel(x, y), showRange(plot, range),
// showLive()
export function listen(plot, acts) {
    const {canvas, view} = plot;
    let pressed = null, held = null, clickTimer = 0; // in the plot; on its axis
    const place = event => plot.at(event.offsetX, event.offsetY);
    const isOnAxis = ({offsetX}) => offsetX * plot.ratio < plot.left; // of levels or times
    const grip = at => plot.grip?.(at.frequency);
    canvas.addEventListener("wheel", event => {
        event.preventDefault();
        const at = place(event), factor = ZOOM ** event.deltaY;
        const zoom = (range, centre) => range.map(end => centre + (end - centre) * factor);
        if (at) acts.showBand(...zoom(view.band, at.frequency));
        else if (isOnAxis(event))
            acts.showRange(plot, zoom(plot.range(), plot.value(plot.share(event.offsetY))));
    }, {passive: false});
    canvas.onpointerdown = event => {
        const at = place(event);
        if (event.button !== 0 || !at && !isOnAxis(event)) return;
        canvas.setPointerCapture(event.pointerId);
        if (!at) {
            held = {y: event.offsetY, range: plot.range()};
            return;
        }
        pressed = {x: event.offsetX, band: view.band, grip: grip(at), isDrag: false};
        if (event.shiftKey && plot.lines?.length) pressed.corner = plot.corner(at);
    };
    canvas.onpointermove = event => {
        const at = place(event);
        acts.point(at && {...at, plot});
        canvas.style.cursor = at && (pressed?.grip ?? grip(at)) ? "ew-resize" : "";
        if (held) {
            const [low, high] = held.range, height = plot.height / plot.ratio;
            const moved = (event.offsetY - held.y) / height * (high - low);
            acts.showRange(plot, [low + moved, high + moved]);
        }
        if (!pressed) return;
        const moved = event.offsetX - pressed.x;
        if (Math.abs(moved) > CLICK_REACH) pressed.isDrag = true;
        if (!pressed.isDrag) return;
        if (pressed.corner) at && acts.mark(pressed.corner, plot.corner(at));
        else if (pressed.grip) acts.moveChannel(...pressed.grip(plot.frequency(event.offsetX)));
        else acts.showBand(...pressed.band.map(edge => edge - moved * plot.pixel()));
    };
    canvas.onpointerup = event => {
        const isClick = pressed && !pressed.isDrag && !pressed.corner, at = place(event);
        if (pressed?.corner && pressed.isDrag) acts.askForLabel(event.pageX, event.pageY);
        pressed = held = null;
        clearTimeout(clickTimer);
        if (!isClick || !at || event.button !== 0) return;
        const half = (event.pointerType === "touch" ? FINGER : 0.5) * plot.pixel();
        const limits = [at.frequency - half, at.frequency + half];
        clickTimer = setTimeout(() => acts.click(...limits), CLICK_WAIT);
    };
    canvas.ondblclick = event => {
        clearTimeout(clickTimer);
        if (isOnAxis(event)) plot.lines && acts.showLive();
        else acts.showBand(view.axis.low, view.axis.high);
    };
    canvas.onpointerleave = () => acts.point(null);
}

// Calls press(name) for keys that no control takes; it returns whether the key has an act.
export function listenToKeys(press) {
    addEventListener("keydown", event => {
        const {key, ctrlKey, altKey, metaKey} = event;
        if (altKey || metaKey || event.target.closest("input, select, button")) return;
        const name = KEYS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
        if (press(ctrlKey ? `Ctrl+${name}` : name)) event.preventDefault();
    });
    const leave = () => {
        const {activeElement} = document;
        if (activeElement.matches("button, [type=checkbox]")) activeElement.blur();
    };
    addEventListener("pointerup", () => setTimeout(leave)); // a click takes no keys
}
