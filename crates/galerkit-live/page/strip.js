// Electrograms on a strip that runs as the run does, and below them the potential of a node. Traces differ in dashes and names, not in
// colour alone.
const SPAN = 1200; // ms that are seen
const LOOKS = [["#ffe945", []], ["#7fd1ff", [6, 3]], ["#f5f7fa", [2, 3]], ["#c3b369", [8, 3, 2, 3]]];

export class Strip {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.samples = [];
    this.leads = 0;
    this.node = null; // whose potential is shown
  }

  // Shows another node from now on.
  probe(node) {
    if (node === this.node) return;
    this.node = node;
    for (const sample of this.samples) sample[this.leads + 1] = NaN;
  }

  // Samples of a frame, some of which are known; a run that went back begins anew.
  add(samples) {
    const last = this.samples.length ? this.samples[this.samples.length - 1][0] : -Infinity;
    const end = samples.length ? samples[samples.length - 1][0] : last;
    if (end < last) this.samples = [];
    const known = this.samples.length ? this.samples[this.samples.length - 1][0] : -Infinity;
    for (const sample of samples) if (sample[0] > known) this.samples.push(sample);
    while (this.samples.length && this.samples[0][0] < end - 1.5 * SPAN) this.samples.shift();
  }

  draw() {
    const { canvas, context } = this, ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [Math.max(width * ratio, 1), Math.max(height * ratio, 1)];
    context.scale(ratio, ratio);
    const end = this.samples.length ? this.samples[this.samples.length - 1][0] : 0;
    const start = Math.max(end - SPAN, 0), x = (time) => 8 + ((time - start) / SPAN) * (width - 16);
    this.grid(start, x, width, height);
    const shown = this.samples.filter((sample) => sample[0] >= start);
    const { leads } = this, rows = leads + (this.node === null ? 0 : 1), row = (height - 18) / Math.max(rows, 1);
    const largest = shown.reduce((most, sample) => Math.max(most, ...sample.slice(1, leads + 1).map(Math.abs)), 1e-9);
    for (let lead = 0; lead < rows; lead++) {
      const isProbe = lead === leads, middle = (lead + 0.5) * row;
      const y = (value) => middle - (isProbe ? 0.76 * (value - 0.5) : (0.46 * value) / largest) * row;
      const look = LOOKS[lead % LOOKS.length], points = shown.map((sample) => [x(sample[0]), y(sample[lead + 1])]);
      this.trace(points.filter(([, height]) => Number.isFinite(height)), look);
      context.textAlign = "right";
      context.fillText(isProbe ? `phi at node ${this.node}` : `lead ${lead + 1}`, width - 10, middle - 6);
      context.textAlign = "left";
    }
  }

  trace(points, [stroke, dashes]) {
    const { context } = this;
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [stroke, stroke, 1.5];
    context.setLineDash(dashes);
    context.beginPath();
    points.forEach((at, k) => (k ? context.lineTo(...at) : context.moveTo(...at)));
    context.stroke();
    context.setLineDash([]);
  }

  grid(start, x, width, height) {
    const context = this.context;
    context.fillStyle = "#0e1728";
    context.fillRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = "#93a1b8";
    context.strokeStyle = "#1d2a41";
    context.lineWidth = 1;
    for (let time = Math.ceil(start / 100) * 100; time <= start + SPAN; time += 100) {
      const at = Math.round(x(time)) + 0.5;
      context.beginPath();
      context.moveTo(at, 0);
      context.lineTo(at, height - 15);
      context.stroke();
      if (time % 200 === 0) context.fillText(`${time} ms`, Math.min(Math.max(at - 14, 4), width - 50), height - 4);
    }
  }
}
