// SPDX-License-Identifier: GPL-3.0-or-later
//
// The connection to the analyzer: requests, texts and pictures. It reconnects by itself.
// The pictures' bytes are described in wire.py.

const TRACES = ["average_high", "average_low", "max_hold", "min_hold"];
const FIRST_WAIT = 500, LONGEST_WAIT = 5000; // ms, between attempts to connect

export class Stream {
    // handlers: open(), lost(reason), text(kind, content), picture(picture)
    constructor(handlers) {
        this.handlers = handlers;
        this.bytes = 0; // received
        this.wait = FIRST_WAIT;
        this.connect();
    }

    connect() {
        const address = new URL("stream", location.href);
        address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
        const socket = new WebSocket(address);
        socket.binaryType = "arraybuffer";
        let decoded = Promise.resolve(); // messages are decoded one after the other
        socket.onopen = () => {
            this.socket = socket;
            this.last = {}; // planes of the previous picture
            this.wait = FIRST_WAIT;
            this.handlers.open();
        };
        socket.onmessage = ({data}) => {
            this.bytes += data.byteLength ?? data.length;
            decoded = decoded.then(() => this.receive(socket, data));
        };
        socket.onclose = () => this.reconnect(socket);
    }

    async reconnect(socket) {
        if (this.socket === socket) this.socket = null;
        this.handlers.lost("The analyzer does not answer: connecting again");
        try {
            const answer = await fetch(location.href, {cache: "no-store"});
            if (answer.status === 403)
                this.handlers.lost("This address is no longer valid: its token has changed");
        } catch (error) {
            // It is not there yet.
        }
        setTimeout(() => this.connect(), this.wait);
        this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }

    ask(what, members = {}) {
        if (this.socket) this.socket.send(JSON.stringify({do: what, ...members}));
    }

    async receive(socket, data) {
        if (typeof data === "string") {
            for (const [kind, content] of Object.entries(JSON.parse(data))) {
                if (kind === "hello") this.hello = content;
                this.handlers.text(kind, content);
            }
            return;
        }
        const bytes = await inflate(data);
        if (this.socket === socket) this.handlers.picture(this.decode(bytes));
    }

    // The header, with `traces` in dB, the waterfall's `line` and the density's `shades`.
    decode(bytes) {
        const length = new DataView(bytes.buffer).getUint32(0, true);
        const header = new TextDecoder().decode(bytes.subarray(4, 4 + length));
        const picture = JSON.parse(header);
        let place = 4 + length;
        const take = count => bytes.subarray(place, place += count);
        picture.traces = {};
        for (const name of TRACES)
            picture.traces[name] = this.trace(name, take(2 * picture.columns));
        picture.line = take(picture.rows > 0 ? picture.columns : 0);
        const density = picture.density;
        if (density)
            density.shades = this.change("density", take(density.columns * density.levels));
        return picture;
    }

    trace(name, bytes) {
        const count = bytes.length / 2, values = new Uint16Array(count);
        for (let i = 0; i < count; i++) values[i] = bytes[i] | bytes[count + i] << 8;
        const {lowest, step} = this.hello;
        return Float32Array.from(this.change(name, values), value => lowest + step * value);
    }

    // Adds the previous plane of this name, modulo the type.
    change(name, plane) {
        const last = this.last[name];
        if (last && last.length === plane.length)
            for (let i = 0; i < plane.length; i++) plane[i] += last[i];
        this.last[name] = plane;
        return plane;
    }
}

async function inflate(data) {
    const inflater = new DecompressionStream("deflate");
    const stream = new Blob([data]).stream().pipeThrough(inflater);
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
