// The surface without WebGL2: a rasteriser of our own, with a depth for each pixel, on a plain canvas. Coarser and slower, but it shows the
// same numbers in the same colours, is cut and can be touched.
import { NEVER, SCAR, table } from "./colours.js";
import { project } from "./camera.js";

const WIDEST = 720; // pixels that are computed side by side; the browser scales them up

export class FlatView {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.name = "2D canvas, because this browser has no WebGL2";
    this.losses = 0;
    this.colours = [table(), table(true)];
  }

  setSurface(surface) {
    this.surface = surface;
    this.places = new Float32Array(3 * surface.nodes.length);
    this.normals = faces(surface);
  }
  setValues(frame) {
    this.frame = frame;
  }
  setScars(scars) {
    this.scars = scars;
  }

  resize() {
    const { canvas } = this, scale = Math.min(1, WIDEST / Math.max(canvas.clientWidth, 1));
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(Math.round(side * scale), 1));
    if (canvas.width !== width || canvas.height !== height || !this.image) {
      [canvas.width, canvas.height] = [width, height];
      this.image = this.context.createImageData(width, height);
      this.depth = new Float32Array(width * height);
      this.owner = new Int32Array(width * height);
    }
  }

  draw(camera, look) {
    this.resize();
    if (!this.surface || !this.frame) return;
    const pixels = new Uint32Array(this.image.data.buffer), { triangles } = this.surface;
    pixels.fill(0xff20120b); // the ground, from the last channel to the first
    this.depth.fill(Infinity);
    this.owner.fill(-1);
    this.place(camera, look);
    const toward = [2, 6, 10].map((k) => camera.rotation[k]);
    for (let t = 0; t < triangles.length; t += 3) this.fill(t, look, toward, pixels);
    this.context.putImageData(this.image, 0, 0);
  }

  // Where vertices are on the screen; NaN for what is cut away.
  place(camera, { cut: [a, b, c, limit] }) {
    const { canvas, places } = this, { positions } = this.surface, matrix = camera.matrix(canvas.width / canvas.height);
    for (let k = 0; k < places.length; k += 3) {
      const [x, y, z] = [positions[k], positions[k + 1], positions[k + 2]];
      const [u, v, depth] = project(matrix, x, y, z);
      places[k] = a * x + b * y + c * z > limit ? NaN : ((u + 1) / 2) * canvas.width;
      [places[k + 1], places[k + 2]] = [((1 - v) / 2) * canvas.height, depth];
    }
  }

  // One triangle, pixel by pixel where it is in front.
  fill(t, look, toward, pixels) {
    const { places, depth, owner, canvas } = this, { triangles } = this.surface;
    const [i, j, k] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [ax, ay, az, bx, by, bz] = [places[3 * i], places[3 * i + 1], places[3 * i + 2], places[3 * j], places[3 * j + 1], places[3 * j + 2]];
    const [cx, cy, cz] = [places[3 * k], places[3 * k + 1], places[3 * k + 2]];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!(Math.abs(area) > 1e-6)) return; // edge-on, or cut away
    const facing = Math.abs(toward.reduce((sum, x, d) => sum + x * this.normals[t + d], 0));
    const shade = this.shade([i, j, k], look.light ? 0.42 + 0.58 * facing : 1, look);
    const [left, right] = [Math.max(Math.ceil(Math.min(ax, bx, cx) - 0.5), 0), Math.min(Math.max(ax, bx, cx), canvas.width - 1)];
    const [top, bottom] = [Math.max(Math.ceil(Math.min(ay, by, cy) - 0.5), 0), Math.min(Math.max(ay, by, cy), canvas.height - 1)];
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const p = ((bx - x - 0.5) * (cy - y - 0.5) - (by - y - 0.5) * (cx - x - 0.5)) / area;
        const q = ((cx - x - 0.5) * (ay - y - 0.5) - (cy - y - 0.5) * (ax - x - 0.5)) / area, r = 1 - p - q;
        if (p < -1e-6 || q < -1e-6 || r < -1e-6) continue;
        const at = y * canvas.width + x, near = p * az + q * bz + r * cz;
        if (near >= depth[at]) continue;
        [depth[at], owner[at], pixels[at]] = [near, t, shade(p, q, r)];
      }
  }

  // The colour of a triangle's points, as a number.
  shade([i, j, k], light, look) {
    const { frame: { values, bytes, kind }, scars } = this, [low, high] = look.range, isRound = kind === "phase";
    const colours = this.colours[isRound ? 1 : 0];
    const number = (shown) => {
      const [r, g, b] = [0, 1, 2].map((c) => Math.round(light * (shown[c] + look.dim * (92 - shown[c]))));
      return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    };
    const isScar = scars && Math.min(scars[i], scars[j], scars[k]) < 250;
    if (isScar || (bytes === 2 && !(values[i] && values[j] && values[k]))) {
      const one = number(isScar ? SCAR : NEVER);
      return () => one;
    }
    return (p, q, r) => {
      // Between angles at the ends of a turn nothing is in between: one colour a triangle.
      const t = isRound ? values[i] / 255 : (p * values[i] + q * values[j] + r * values[k] - low) / (high - low);
      return number(colours.subarray(4 * Math.round(255 * Math.min(Math.max(t, 0), 1))));
    };
  }

  // The vertex under a place of the canvas, in CSS pixels: the nearest corner of the foremost triangle; -1 for none.
  pick(x, y) {
    const { canvas, owner, places } = this, scale = canvas.width / canvas.clientWidth;
    const [column, row] = [Math.floor(x * scale), Math.floor(y * scale)];
    const t = owner?.[row * canvas.width + column] ?? -1;
    if (t < 0) return -1;
    const corners = Array.from(this.surface.triangles.subarray(t, t + 3));
    const apart = (vertex) => Math.hypot(places[3 * vertex] - column, places[3 * vertex + 1] - row);
    return corners.reduce((best, vertex) => (apart(vertex) < apart(best) ? vertex : best));
  }
}

// Unit normals of triangles.
function faces({ positions, triangles }) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    const [u, v] = [b, c].map((at) => [0, 1, 2].map((d) => positions[at + d] - positions[a + d]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], length = Math.hypot(...n) || 1;
    normals.set(n.map((x) => x / length), t);
  }
  return normals;
}
