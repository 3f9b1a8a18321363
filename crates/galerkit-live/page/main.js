// The page: surface, frames and hands brought together. A frame is asked for when the last one was drawn.
import { Camera } from "./camera.js";
import { colour, gradient } from "./colours.js";
import { Connection } from "./socket.js";
import { Controls } from "./controls.js";
import { FlashGuard } from "./flash.js";
import { FlatView } from "./flat.js";
import { Strip } from "./strip.js";
import { SurfaceView } from "./surface.js";
import { listen } from "./gestures.js";

const at = (id) => document.getElementById(id);
const calmly = matchMedia("(prefers-reduced-motion: reduce)").matches;
const plain = new URLSearchParams(location.search).has("plain"); // without WebGL2, to try it
const view = (!plain && SurfaceView.on(at("view"))) || new FlatView(at("view"));
const camera = new Camera(), strip = new Strip(at("strip")), guard = new FlashGuard();
let surface = null, frame = null, fresh = false, dim = 0, stroke = new Set(), isCalmed = false, about = null;

function note(text, isBad = false) {
  at("note").textContent = text;
  at("note").classList.toggle("bad", isBad);
  clearTimeout(note.timer);
  note.timer = setTimeout(() => (at("note").textContent = ""), isBad ? 8000 : 3000);
}
function state(text, isBad = false) {
  at("connection").textContent = text;
  at("connection").classList.toggle("bad", isBad);
}
function file(name, parts, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Drawing once for however many reasons.
let isDue = false;
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    view.draw(camera, look());
    if (fresh) {
      fresh = false;
      strip.draw();
      connection.ready(); // the next one, when this is seen
    }
  });
}

// What of the values is shown, and how: the range in units of the values.
function look() {
  const whole = frame?.bytes === 2 ? 65535 : 255, [low, high] = frame?.range ?? [0, 1];
  const unit = (value) => ((value - low) / (high - low)) * whole;
  const [from, to] = shownRange();
  const lines = frame?.kind === "activation" ? unit(low + 10) : 0;
  return { range: [unit(from), unit(to)], lines, cut: cut(), light: at("light").checked, dim };
}

// The potential over all it can be; times up to the last there is.
function shownRange() {
  if (!frame || frame.bytes === 1) return frame?.range ?? [0, 1];
  const last = frame.values.reduce((most, value) => Math.max(most, value), 0) * about.quantum - about.quantum;
  if (frame.kind === "activation") return [0, Math.max(last, 10)];
  const first = frame.values.reduce((least, value) => (value ? Math.min(least, value) : least), 65535) * about.quantum;
  return [Math.min(first, last - 1), Math.max(last, 10)];
}

// Everything on the far side of a plane goes.
function cut() {
  const axis = at("cut-axis").value, share = Number(at("cut-at").value);
  if (axis === "none" || !surface) return [0, 0, 0, 1];
  const normal = axis === "eye" ? [2, 6, 10].map((k) => camera.rotation[k]) : [0, 1, 2].map((d) => (d === Number(axis) ? 1 : 0));
  const middle = normal.reduce((sum, n, d) => sum + n * camera.centre[d], 0);
  const half = axis === "eye" ? camera.radius : (camera.box[1][axis] - camera.box[0][axis]) / 2;
  return [...normal, middle + (2 * share - 1) * half];
}

function legend() {
  const [low, high] = shownRange(), unit = frame.kind === "phase" ? "°" : " ms";
  const number = (x) => (frame.kind === "potential" ? x.toFixed(1) : `${Math.round(x)}${unit}`);
  const names = { potential: "potential phi", activation: "activation since the map began, lines every 10 ms", duration: "duration of the action potential", phase: "phase: rest -135°, fronts -90°, tails 90°" };
  at("legend-bar").style.background = gradient(frame.kind === "phase");
  at("legend-name").textContent = names[frame.kind];
  [at("legend-low").textContent, at("legend-high").textContent] = [number(low), number(high)];
  at("legend-middle").textContent = number((low + high) / 2);
}

function received(next) {
  if (next.values.length !== surface.nodes.length) return;
  [frame, fresh] = [next, true];
  view.setValues(frame);
  strip.add(frame.samples);
  const mean = frame.kind === "potential" ? frame.values.reduce((sum, value) => sum + value, 0) / frame.values.length / 255 : 0;
  const flashes = guard.step(mean, performance.now());
  if (flashes && !dim && at("calm").checked) note("the picture flashes: it is dimmed");
  dim = at("calm").checked ? flashes : 0;
  at("time").value = `${frame.time.toLocaleString("en")} ms`;
  const factor = frame.pace > 0 ? 1 / frame.pace : 0;
  at("pace").textContent = factor ? `it could run at ${factor.toPrecision(2)} of real time` : "";
  at("numbers").textContent =
    `step ${frame.step.toLocaleString("en")} · ${frame.iterations.toFixed(1)} CG a step · ${connection.skipped} skipped`;
  legend();
  redraw();
}

// For those who do not see it, once a second at most.
setInterval(() => {
  if (!frame) return;
  const text = `${frame.time} milliseconds, ${Math.round(100 * frame.excited)} percent excited, ${frame.playing ? "running" : "paused"}`;
  if (at("summary").textContent !== text) at("summary").textContent = text;
}, 1000);

const nodeAt = (x, y) => {
  const vertex = view.pick(x, y, camera, look());
  return vertex < 0 ? -1 : surface.nodes[vertex];
};

const act = {
  tool: () => controls.tool(),
  rotate: (dx, dy) => (camera.rotate(dx, dy), redraw()),
  approach: (factor) => (camera.approach(factor), redraw()),
  home: () => (camera.home(), redraw()),
  toggle: () => controls.toggle(),
  look: (kind) => connection.look(kind),
  redraw, state, note,
  touch(x, y) {
    const node = surface ? nodeAt(x, y) : -1, tool = controls.tool();
    if (node < 0) return;
    if (tool === "s1" || tool === "s2") return controls.place(tool, node);
    if (tool === "probe") return connection.command("probe", { node });
    if (tool === "stimulate") connection.command("stimulate", { node, radius: controls.radius(), potential: controls.strength() });
  },
  probe(x, y) {
    const node = surface ? nodeAt(x, y) : -1;
    if (node >= 0) connection.command("probe", { node });
  },
  stroke(x, y) {
    const node = surface ? nodeAt(x, y) : -1;
    if (node >= 0 && stroke.size < 4096) stroke.add(node);
  },
  ablate() {
    if (stroke.size) connection.command("ablate", { nodes: [...stroke], radius: controls.radius(), factor: controls.factor() });
    stroke = new Set();
  },
  snapshot() {
    view.draw(camera, look()); // what is drawn is there until the browser shows it
    at("view").toBlob((blob) => file(`heart-${frame ? frame.time : 0}-ms.png`, [blob], "image/png"));
  },
};

const connection = new Connection({
  state, note, file,
  welcome(told) {
    about = told;
    strip.leads = told.leads.length;
    controls.welcome(told);
  },
  status(status) {
    if (calmly && !isCalmed && status.controls) {
      isCalmed = true; // who wants little motion begins with none, and slowly
      connection.command("pause");
      connection.command("speed", { factor: 0.025 });
    }
    controls.show(status);
    strip.probe(status.run.probe);
  },
  surface(told) {
    const isSame = surface && surface.nodes.length === told.nodes.length;
    surface = told;
    view.setSurface(told);
    if (!isSame) camera.fit(told.positions);
    if (!isSame) for (const [site, k] of [["s1", 0], ["s2", told.nodes.length >> 1]]) controls.place(site, told.nodes[k]);
  },
  scars(told) {
    view.setScars(told);
    redraw();
  },
  frame: received,
});
const controls = new Controls(connection, act);

listen(at("view"), act);
view.onrestored = redraw;
addEventListener("resize", () => {
  strip.draw();
  redraw();
});
if (view instanceof FlatView) note(view.name, true);

// For tests and for the curious.
window.galerkit = { camera, colour, connection, view, nodeAt, look, strip, get frame() { return frame; }, get surface() { return surface; } };
