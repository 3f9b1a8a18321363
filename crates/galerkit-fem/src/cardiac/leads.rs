//! The twelve leads of an electrocardiogram: nine electrodes where they sit on a chest, in relation to the heart, and
//! what is taken between them (Einthoven, Goldberger, Wilson). The tissue's frame is that of the built-in ventricles:
//! the apex towards -z, the right ventricle towards +x. In an infinite homogeneous medium amplitudes are no millivolts;
//! shapes and polarities are what can be read.

/// Names of electrodes, three of limbs and six of the chest.
pub const ELECTRODES: [&str; 9] = ["RA", "LA", "LL", "V1", "V2", "V3", "V4", "V5", "V6"];
/// Names of leads.
pub const LEADS: [&str; 12] = ["I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6"];

/// Electrodes from the middle of the heart in mm: to the left, to the front and upwards.
const CHEST: [[f64; 3]; 9] = [
    [-180.0, 10.0, 170.0],
    [200.0, 10.0, 170.0],
    [60.0, 10.0, -330.0],
    [-55.0, 75.0, 20.0],
    [-10.0, 80.0, 20.0],
    [25.0, 80.0, 0.0],
    [60.0, 75.0, -15.0],
    [95.0, 50.0, -15.0],
    [115.0, 0.0, -15.0],
];
/// From base to apex, and from the left to the right ventricle, in the same directions.
const TO_APEX: [f64; 3] = [0.60, 0.52, -0.61];
const TO_RIGHT: [f64; 3] = [-0.62, 0.78, 0.06];

/// Where electrodes are around a heart with this middle.
pub fn electrodes(middle: [f64; 3]) -> [[f64; 3]; 9] {
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|d| a[d] * b[d]).sum::<f64>();
    let unit = |a: [f64; 3]| a.map(|x| x / dot(a, a).sqrt());
    let down = unit(TO_APEX);
    let part = dot(TO_RIGHT, down);
    let right = unit([0, 1, 2].map(|d| TO_RIGHT[d] - part * down[d]));
    // right x up completes the frame: the heart's y.
    let up = down.map(|x| -x);
    let third =
        [up[1] * right[2] - up[2] * right[1], up[2] * right[0] - up[0] * right[2], up[0] * right[1] - up[1] * right[0]];
    CHEST.map(|place| {
        let along = [dot(place, right), dot(place, third), dot(place, up)];
        [0, 1, 2].map(|d| middle[d] + along[d])
    })
}

/// Leads from the potentials at the electrodes.
pub fn twelve(potentials: &[f64]) -> [f64; 12] {
    let [ra, la, ll] = [potentials[0], potentials[1], potentials[2]];
    let central = (ra + la + ll) / 3.0;
    let chest = |k: usize| potentials[3 + k] - central;
    let limbs = [la - ra, ll - ra, ll - la, ra - 0.5 * (la + ll), la - 0.5 * (ra + ll), ll - 0.5 * (ra + la)];
    std::array::from_fn(|k| if k < 6 { limbs[k] } else { chest(k - 6) })
}
