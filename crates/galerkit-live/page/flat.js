// The surface without WebGL2: triangles from back to front on a plain canvas. Slow, but it shows the same numbers and can be touched.
import { NEVER, SCAR, colour } from "./colours.js";
import { project } from "./camera.js";

export class FlatView {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.name = "2D canvas, because this browser has no WebGL2";
    this.losses = 0;
    this.faces = [];
  }

  setSurface(surface) {
    this.surface = surface;
  }
  setValues(frame) {
    this.frame = frame;
  }
  setScars(scars) {
    this.scars = scars;
  }

  draw(camera, look) {
    const { canvas, context } = this;
    [canvas.width, canvas.height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
    context.fillStyle = "#0b1220";
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (!this.surface || !this.frame) return;
    this.faces = this.sorted(camera, look);
    for (const { corners, at } of this.faces) {
      context.fillStyle = context.strokeStyle = this.shade(corners, at, look);
      context.beginPath();
      at.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      context.fill();
      context.stroke(); // closes the seams
    }
  }

  // Triangles on the screen, from back to front.
  sorted(camera, look) {
    const { canvas, surface } = this, { positions, triangles } = surface, faces = [];
    const matrix = camera.matrix(canvas.width / canvas.height), [a, b, c, limit] = look.cut;
    const places = Array.from(surface.nodes, (_, vertex) => {
      const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
      if (a * x + b * y + c * z > limit) return null;
      const [u, v, depth] = project(matrix, x, y, z);
      return [((u + 1) / 2) * canvas.width, ((1 - v) / 2) * canvas.height, depth];
    });
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [triangles[t], triangles[t + 1], triangles[t + 2]], at = corners.map((vertex) => places[vertex]);
      if (at.every(Boolean)) faces.push({ corners, at, depth: at[0][2] + at[1][2] + at[2][2] });
    }
    return faces.sort((p, q) => q.depth - p.depth);
  }

  shade(corners, [p, q, r], look) {
    const { frame, scars } = this, values = corners.map((vertex) => frame.values[vertex]);
    const mean = (values[0] + values[1] + values[2]) / 3;
    let shade = colour((mean - look.range[0]) / (look.range[1] - look.range[0]));
    if (frame.bytes === 2 && values.includes(0)) shade = NEVER;
    if (scars && corners.some((vertex) => scars[vertex] < 250)) shade = SCAR;
    // What is seen edge-on is darker: the area on the screen over the longest side squared.
    const area = Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
    const side = Math.max(Math.hypot(q[0] - p[0], q[1] - p[1]), Math.hypot(r[0] - p[0], r[1] - p[1]), 1e-6);
    const light = look.light ? 0.6 + 0.4 * Math.min(area / (side * side), 1) : 1;
    return `rgb(${shade.map((channel) => Math.round(light * (channel + look.dim * (92 - channel)))).join(",")})`;
  }

  // The nearest corner of the foremost triangle at a place; -1 for none.
  pick(x, y) {
    for (let k = this.faces.length - 1; k >= 0; k--) {
      const { corners, at } = this.faces[k];
      const sides = at.map(([u, v], i) => {
        const [s, t] = at[(i + 1) % 3];
        return (s - u) * (y - v) - (t - v) * (x - u);
      });
      if (sides.some((side) => side < 0) && sides.some((side) => side > 0)) continue;
      const apart = at.map(([u, v]) => Math.hypot(u - x, v - y));
      return corners[apart.indexOf(Math.min(...apart))];
    }
    return -1;
  }
}
