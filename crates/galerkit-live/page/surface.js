// The surface by WebGL2: one byte or two a vertex, a table of 256 colours, a cut, light. Vertices are picked by drawing triangles in the
// colours of their numbers and reading one pixel.
import { NEVER, SCAR, table } from "./colours.js";
import { project } from "./camera.js";

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in float scar;
uniform mat4 view, eye;
out vec3 place, seen, smoothed;
out float shown, unknown, scarred;
flat out float whole;
void main() {
  place = position;
  seen = (eye * vec4(position, 1.0)).xyz;
  smoothed = mat3(eye) * normal;
  shown = value;
  whole = value;
  unknown = value == 0.0 ? 1.0 : 0.0;
  scarred = scar;
  gl_Position = view * vec4(position, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 place, seen, smoothed;
in float shown, unknown, scarred;
flat in float whole;
uniform sampler2D colours;
uniform vec4 cut;
uniform vec2 range;   // what t = 0 and t = 1 are, in units of the values
uniform float lines;  // distance of isochrones in the same units, 0 for none
uniform float knows;  // whether 0 is never
uniform float turns;  // whether values are angles: between the greatest and the least nothing is in between
uniform float light, dim;
uniform vec3 never, scar;
out vec4 colour;
void main() {
  if (dot(cut.xyz, place) > cut.w) discard;
  float t = (mix(shown, whole, turns) - range.x) / (range.y - range.x);
  vec3 base = texture(colours, vec2((clamp(t, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (lines > 0.0) {
    float band = shown / lines, width = fwidth(band);
    float line = 1.0 - smoothstep(0.6, 1.6, abs(fract(band + 0.5) - 0.5) / max(width, 1e-6));
    base = mix(base, base * 0.35, line * step(width, 0.4));
  }
  base = mix(base, never, knows * smoothstep(0.0, 0.02, unknown));
  float stripes = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 7.0));
  base = mix(base, mix(scar, scar * 0.72, stripes), step(0.5, scarred) * 0.9);
  base = mix(base, vec3(0.36), dim);
  vec3 face = normalize(cross(dFdx(seen), dFdy(seen)));
  vec3 away = normalize(smoothed);
  if (dot(face, away) < 0.0) away = -away;
  vec3 normal = dot(face, away) > 0.55 ? away : face;
  vec3 toward = normalize(-seen);
  if (dot(normal, toward) < 0.0) normal = -normal;
  float headlight = max(dot(normal, normalize(toward + vec3(0.25, 0.45, 0.1))), 0.0);
  float rim = pow(1.0 - max(dot(normal, toward), 0.0), 3.0);
  float gloss = pow(max(dot(reflect(-toward, normal), normalize(toward + vec3(0.3, 0.6, 0.0))), 0.0), 24.0);
  vec3 lit = base * (0.38 + 0.68 * headlight) + vec3(0.10, 0.13, 0.18) * rim + vec3(0.14) * gloss * (1.0 - dim);
  if (!gl_FrontFacing) lit *= 0.82;
  colour = vec4(mix(base, lit, light), 1.0);
}`;

const PICK_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 view;
flat out uint number;
out vec3 place;
void main() {
  number = uint(gl_VertexID) / 3u + 1u;
  place = position;
  gl_Position = view * vec4(position, 1.0);
}`;

const PICK_FRAGMENT = `#version 300 es
precision highp float;
flat in uint number;
in vec3 place;
uniform vec4 cut;
out vec4 colour;
void main() {
  if (dot(cut.xyz, place) > cut.w) discard;
  colour = vec4(uvec4(number, number >> 8, number >> 16, number >> 24) & 255u) / 255.0;
}`;

export class SurfaceView {
  // None if there is no WebGL2.
  static on(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
    return gl ? new SurfaceView(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.name = "WebGL2";
    this.losses = 0;
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // else it is never restored
      this.isLost = true;
      this.losses++;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.isLost = false;
      this.prepare();
      if (this.surface) this.setSurface(this.surface);
      if (this.frame) this.setValues(this.frame);
      if (this.scars) this.setScars(this.scars);
      this.onrestored?.();
    });
    this.prepare();
  }

  prepare() {
    const gl = this.gl;
    this.drawing = program(gl, VERTEX, FRAGMENT);
    this.picking = program(gl, PICK_VERTEX, PICK_FRAGMENT);
    this.colours = [false, true].map((isRound) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table(isRound));
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
      return texture;
    });
    gl.enable(gl.DEPTH_TEST);
    this.target = null;
  }

  setSurface(surface) {
    const gl = this.gl;
    this.surface = surface;
    this.mesh = gl.createVertexArray();
    gl.bindVertexArray(this.mesh);
    attribute(gl, 0, 3, surface.positions);
    attribute(gl, 1, 3, normals(surface));
    this.values = gl.createBuffer();
    this.size = 0;
    this.scarBuffer = attribute(gl, 3, 1, new Uint8Array(surface.nodes.length), gl.UNSIGNED_BYTE);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, surface.triangles, gl.STATIC_DRAW);
    this.soup = gl.createVertexArray();
    gl.bindVertexArray(this.soup);
    const corners = new Float32Array(3 * surface.triangles.length);
    surface.triangles.forEach((vertex, k) => corners.set(surface.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
    attribute(gl, 0, 3, corners);
    gl.bindVertexArray(null);
  }

  setValues(frame) {
    const gl = this.gl;
    this.frame = frame;
    if (this.isLost || !this.values) return;
    gl.bindVertexArray(this.mesh);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.values);
    if (this.size !== frame.values.byteLength) {
      this.size = frame.values.byteLength;
      gl.bufferData(gl.ARRAY_BUFFER, frame.values, gl.DYNAMIC_DRAW);
      const type = frame.bytes === 1 ? gl.UNSIGNED_BYTE : gl.UNSIGNED_SHORT;
      gl.enableVertexAttribArray(2);
      gl.vertexAttribPointer(2, 1, type, false, 0, 0);
    } else {
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, frame.values);
    }
    gl.bindVertexArray(null);
  }

  // One byte a vertex: 255 conducts as it did.
  setScars(scars) {
    const gl = this.gl;
    this.scars = scars;
    if (this.isLost || !this.scarBuffer) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.scarBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, scars.map((byte) => (byte < 250 ? 1 : 0)));
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), canvas = this.canvas;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(Math.round(side * ratio), 1));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    return width / height;
  }

  draw(camera, look) {
    const gl = this.gl, aspect = this.resize();
    if (this.isLost || !this.surface || !this.size) return;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0.043, 0.071, 0.125, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.drawing.program);
    const at = this.drawing.at;
    gl.uniformMatrix4fv(at("view"), false, camera.matrix(aspect));
    gl.uniformMatrix4fv(at("eye"), false, camera.eye());
    gl.uniform4fv(at("cut"), look.cut);
    gl.uniform2f(at("range"), look.range[0], look.range[1]);
    gl.uniform1f(at("lines"), look.lines);
    gl.uniform1f(at("knows"), this.frame.bytes === 2 ? 1 : 0);
    gl.uniform1f(at("light"), look.light ? 1 : 0);
    gl.uniform1f(at("dim"), look.dim);
    gl.uniform3fv(at("never"), NEVER.map((c) => c / 255));
    gl.uniform3fv(at("scar"), SCAR.map((c) => c / 255));
    const isRound = this.frame.kind === "phase";
    gl.uniform1f(at("turns"), isRound ? 1 : 0);
    gl.bindTexture(gl.TEXTURE_2D, this.colours[isRound ? 1 : 0]);
    gl.bindVertexArray(this.mesh);
    gl.drawElements(gl.TRIANGLES, this.surface.triangles.length, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }

  // The vertex under a place of the canvas, in CSS pixels; -1 for none.
  pick(x, y, camera, look) {
    const gl = this.gl, canvas = this.canvas, aspect = this.resize();
    if (this.isLost || !this.surface) return -1;
    const ratio = canvas.width / canvas.clientWidth;
    const [column, row] = [Math.floor(x * ratio), canvas.height - 1 - Math.floor(y * ratio)];
    this.bindTarget(canvas.width, canvas.height);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(column, row, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.picking.program);
    const matrix = camera.matrix(aspect);
    gl.uniformMatrix4fv(this.picking.at("view"), false, matrix);
    gl.uniform4fv(this.picking.at("cut"), look.cut);
    gl.bindVertexArray(this.soup);
    gl.drawArrays(gl.TRIANGLES, 0, this.surface.triangles.length);
    gl.bindVertexArray(null);
    const pixel = new Uint8Array(4);
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const triangle = (pixel[0] | (pixel[1] << 8) | (pixel[2] << 16)) + pixel[3] * 2 ** 24 - 1;
    return triangle < 0 ? -1 : nearest(this.surface, triangle, matrix, canvas, x, y);
  }

  bindTarget(width, height) {
    const gl = this.gl;
    if (!this.target || this.target.width !== width || this.target.height !== height) {
      const frame = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
      for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
        const buffer = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
        gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
      }
      this.target = { frame, width, height };
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.frame);
  }
}

// The corner of a triangle that is nearest on the screen.
function nearest(surface, triangle, matrix, canvas, x, y) {
  const corners = Array.from(surface.triangles.subarray(3 * triangle, 3 * triangle + 3));
  const apart = (vertex) => {
    const [u, v] = project(matrix, ...surface.positions.subarray(3 * vertex, 3 * vertex + 3));
    return Math.hypot(((u + 1) / 2) * canvas.clientWidth - x, ((1 - v) / 2) * canvas.clientHeight - y);
  };
  return corners.reduce((best, vertex) => (apart(vertex) < apart(best) ? vertex : best));
}

function program(gl, ...sources) {
  const linked = gl.createProgram();
  sources.forEach((source, k) => {
    const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(linked, shader);
  });
  gl.linkProgram(linked);
  if (!gl.getProgramParameter(linked, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(linked));
  const known = new Map();
  const at = (name) => {
    if (!known.has(name)) known.set(name, gl.getUniformLocation(linked, name));
    return known.get(name);
  };
  return { program: linked, at };
}

function attribute(gl, place, size, data, type = gl.FLOAT) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, size, type, false, 0, 0);
  return buffer;
}

// Of vertices, by the areas around them.
function normals({ positions, triangles }) {
  const sums = new Float32Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    const u = [0, 1, 2].map((d) => positions[b + d] - positions[a + d]);
    const v = [0, 1, 2].map((d) => positions[c + d] - positions[a + d]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const corner of [a, b, c]) for (let d = 0; d < 3; d++) sums[corner + d] += n[d];
  }
  return sums;
}
