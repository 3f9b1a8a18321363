//! Cubic Hermite functions on an element of length h, s from 0 to 1: values at both ends (H0, H2) and slopes there (H1,
//! H3).

/// 1 / sqrt 3
const ROOT: f64 = 0.577_350_269_189_625_8;
/// The two Gauss points of an element.
pub const GAUSS: [f64; 2] = [0.5 * (1.0 - ROOT), 0.5 * (1.0 + ROOT)];

/// H0, H1, H2, H3
pub fn values(s: f64, h: f64) -> [f64; 4] {
    let (s2, s3) = (s * s, s * s * s);
    [1.0 - 3.0 * s2 + 2.0 * s3, h * (s - 2.0 * s2 + s3), 3.0 * s2 - 2.0 * s3, h * (s3 - s2)]
}

/// Their first derivatives.
pub fn slopes(s: f64, h: f64) -> [f64; 4] {
    let bump = 6.0 * (s * s - s) / h;
    [bump, 1.0 - 4.0 * s + 3.0 * s * s, -bump, 3.0 * s * s - 2.0 * s]
}

/// Their second derivatives.
pub fn curvatures(s: f64, h: f64) -> [f64; 4] {
    [(12.0 * s - 6.0) / (h * h), (6.0 * s - 4.0) / h, (6.0 - 12.0 * s) / (h * h), (6.0 * s - 2.0) / h]
}
