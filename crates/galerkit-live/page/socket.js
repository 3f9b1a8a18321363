// The connection: the token first, then frames, each asked for when the last was shown. It comes back by itself.
const KINDS = ["potential", "activation", "duration", "phase"];

export class Connection {
  constructor(handlers) {
    this.handlers = handlers;
    this.show = "potential";
    this.wait = 500;
    this.frames = 0;
    this.skipped = 0;
    this.opened = 0;
    this.open();
  }

  open() {
    const token = location.hash.slice(1);
    if (!token) return this.handlers.state("the address lacks its secret: open the one that was printed", true);
    this.handlers.state("connecting…");
    this.last = null;
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ hello: { token } }));
    socket.onmessage = (event) => (typeof event.data === "string" ? this.text(JSON.parse(event.data)) : this.bytes(event.data));
    socket.onclose = (event) => this.closed(event);
    this.socket = socket;
  }

  closed({ code, reason }) {
    if (code === 1008) return this.handlers.state(reason, true);
    this.handlers.state(`${reason || "the connection is lost"}; trying again…`, true);
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, 5000);
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
  command(name, given = {}) {
    this.send({ command: { [name]: given } });
  }
  // The last frame was shown.
  ready() {
    this.send({ ready: { show: this.show } });
  }
  // Shows another kind from now on.
  look(kind) {
    this.show = kind;
    this.ready();
  }

  text(message) {
    if (message.welcome) {
      this.wait = 500;
      this.opened++;
      this.handlers.welcome(message.welcome);
    }
    if (message.status) this.handlers.status(message.status);
    if (message.refused) this.handlers.note(message.refused.reason, true);
    if (message.note) this.handlers.note(message.note.text);
    if (message.journal) this.handlers.file("journal.jsonl", [message.journal.text], "application/jsonl");
  }

  bytes(buffer) {
    const kind = new Uint8Array(buffer, 0, 1)[0];
    if (kind === 0) {
      this.handlers.surface(surface(buffer));
      this.ready();
    } else if (kind === 1) {
      const shown = frame(buffer);
      if (this.last !== null && shown.sequence > this.last + 1) this.skipped += shown.sequence - this.last - 1;
      this.last = shown.sequence;
      this.frames++;
      this.handlers.frame(shown);
    } else if (kind === 2) {
      this.handlers.file("heart.state", [buffer.slice(4)], "application/octet-stream");
    } else if (kind === 3) {
      this.handlers.scars(new Uint8Array(buffer, 4));
    }
  }
}

function surface(buffer) {
  const [vertices, triangles] = new Uint32Array(buffer, 4, 2);
  const at = 16 + 12 * vertices;
  return {
    positions: new Float32Array(buffer, 16, 3 * vertices),
    triangles: new Uint32Array(buffer, at, 3 * triangles),
    nodes: new Uint32Array(buffer, at + 12 * triangles, vertices),
  };
}

function frame(buffer) {
  const view = new DataView(buffer), float = (at) => view.getFloat32(at, true), whole = (at) => view.getUint32(at, true);
  const [vertices, count, numbers] = [whole(44), whole(48), whole(52)];
  const all = new Float32Array(buffer, 56, count * numbers), samples = [];
  for (let k = 0; k < count; k++) samples.push(Array.from(all.subarray(k * numbers, (k + 1) * numbers)));
  const bytes = view.getUint8(2), at = 56 + 4 * count * numbers;
  return {
    kind: KINDS[view.getUint8(1)], bytes, playing: view.getUint8(3) === 1, sequence: whole(4),
    step: view.getFloat64(8, true), time: view.getFloat64(16, true),
    pace: float(24), iterations: float(28), excited: float(32), range: [float(36), float(40)], samples,
    values: bytes === 1 ? new Uint8Array(buffer, at, vertices) : new Uint16Array(buffer, at, vertices),
  };
}
