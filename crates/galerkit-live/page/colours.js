// Cividis (Nuñez, Anderton and Renslow 2018): lightness rises steadily, and it looks nearly the same to the colour-blind.
const STOPS = [
  [0, 32, 76], [0, 42, 102], [0, 52, 110], [39, 63, 108], [60, 74, 107], [76, 85, 107], [91, 95, 109], [104, 106, 112], [117, 117, 117],
  [131, 129, 120], [146, 140, 120], [161, 152, 118], [176, 165, 114], [192, 177, 109], [209, 191, 102], [225, 204, 92], [243, 219, 79],
  [255, 233, 69],
];

// Round and back, for angles: light where it begins and ends, dark opposite, blue on one way and red on the other.
const ROUND = [
  [223, 224, 228], [162, 186, 214], [108, 143, 200], [86, 92, 176], [62, 38, 96], [38, 18, 44], [92, 26, 62], [158, 56, 70], [194, 112, 90],
  [208, 172, 150], [223, 224, 228],
];

// The colour of a number from 0 to 1.
export function colour(t, stops = STOPS) {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return stops[k].map((low, c) => Math.round(low + (at - k) * (stops[k + 1][c] - low)));
}

export const NEVER = [58, 66, 82]; // what has no value yet
export const SCAR = [226, 228, 232]; // what hardly conducts

// 256 texels.
export function table(isRound = false) {
  const texels = new Uint8Array(256 * 4);
  for (let k = 0; k < 256; k++) texels.set([...colour(k / 255, isRound ? ROUND : STOPS), 255], 4 * k);
  return texels;
}

// For a legend.
export function gradient(isRound = false) {
  return `linear-gradient(to right, ${(isRound ? ROUND : STOPS).map((stop) => `rgb(${stop.join(",")})`).join(", ")})`;
}
