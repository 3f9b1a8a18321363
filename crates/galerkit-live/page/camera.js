// A trackball around the middle of what is shown. Matrices are columns after columns, as WebGL has them.
const FIELD = 0.5; // radians, from the middle to the upper edge times two

function multiply(a, b) {
  const c = new Float32Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return c;
}

// A turn about an axis of the screen: 0 is x, 1 is y, 2 is z.
function turn(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const m = new Float32Array(16);
  m[15] = 1;
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  m[5 * axis] = 1;
  m[5 * i] = c;
  m[5 * j] = c;
  m[4 * i + j] = s;
  m[4 * j + i] = -s;
  return m;
}

export class Camera {
  constructor() {
    this.centre = [0, 0, 0];
    this.radius = 1;
    this.home();
  }

  home() {
    this.rotation = this.isFlat ? turn(0, 0) : multiply(turn(0, -1.15), turn(2, -0.6));
    this.zoom = 1;
  }

  // Puts everything into view; what is flat is seen from above.
  fit(positions) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < positions.length; k++) {
      low[k % 3] = Math.min(low[k % 3], positions[k]);
      high[k % 3] = Math.max(high[k % 3], positions[k]);
    }
    this.centre = low.map((x, d) => (x + high[d]) / 2);
    this.radius = 1e-3;
    for (let k = 0; k < positions.length; k += 3)
      this.radius = Math.max(this.radius, Math.hypot(...this.centre.map((x, d) => positions[k + d] - x)));
    this.isFlat = high[2] - low[2] < 0.02 * this.radius;
    this.box = [low, high];
    this.home();
  }

  rotate(dx, dy) {
    this.rotation = multiply(multiply(turn(0, dy), turn(1, dx)), this.rotation);
  }

  approach(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.3), 20);
  }

  // From the tissue to the eye.
  eye() {
    const move = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...this.centre.map((x) => -x), 1]);
    const turned = multiply(this.rotation, move);
    turned[14] -= this.distance();
    return turned;
  }

  distance() {
    return (1.02 * this.radius) / Math.sin(FIELD / 2) / this.zoom;
  }

  // From the tissue to the screen.
  matrix(aspect) {
    const far = this.distance() + 4 * this.radius, near = Math.max(this.distance() - 2 * this.radius, 0.02 * this.radius);
    const scale = Math.min(aspect, 1) / Math.tan(FIELD / 2);
    const depth = [-(far + near) / (far - near), (-2 * far * near) / (far - near)];
    const lens = new Float32Array([scale / aspect, 0, 0, 0, 0, scale, 0, 0, 0, 0, depth[0], -1, 0, 0, depth[1], 0]);
    return multiply(lens, this.eye());
  }
}

// Where a point is on the screen, from -1 to 1, and how deep.
export function project(m, x, y, z) {
  const at = (row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
  const w = at(3);
  return [at(0) / w, at(1) / w, at(2) / w];
}
