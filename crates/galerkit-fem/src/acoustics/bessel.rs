//! Bessel and Hankel functions of whole order, spherical ones, and Legendre polynomials. J by Miller's backward
//! recurrence, Y from Neumann's series in J (Abramowitz and Stegun 9.1.87 to 9.1.89), then forward; both also for
//! complex arguments whose imaginary part is moderate: it costs |Im z| / ln 10 digits.

use galerkit_linalg::c64;
use std::f64::consts::{FRAC_2_PI, PI};

const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;
const I: c64 = c64::new(0.0, 1.0);
/// What backward recurrences begin with; its square and that of its inverse are numbers, which complex division needs.
const SEED: f64 = 1e-100;

/// Orders from which the backward recurrence starts, so that what it starts with has died out.
fn start(order: usize, z: c64) -> usize {
    let size = z.norm();
    let turning = size.max(order as f64);
    2 * ((turning + 6.0 * turning.cbrt() + 24.0) / 2.0).ceil() as usize
}

/// J_0(z), ..., J_n(z) and as many more as the recurrence begins with.
fn all_j(n: usize, z: c64) -> Vec<c64> {
    let top = start(n, z);
    let mut j = vec![c64::new(0.0, 0.0); top + 2];
    j[top] = c64::new(SEED, 0.0);
    for m in (1..=top).rev() {
        j[m - 1] = j[m] * (2.0 * m as f64) / z - j[m + 1];
        if j[m - 1].norm() > 1.0 / SEED {
            j[m - 1..].iter_mut().for_each(|value| *value *= SEED);
        }
    }
    let sum = j[0] + (1..=top / 2).map(|k| j[2 * k]).sum::<c64>() * 2.0; // J_0 + 2 sum J_2k = 1
    j.iter_mut().for_each(|value| *value /= sum);
    j
}

/// J_0(z), ..., J_n(z).
pub fn bessel_j(n: usize, z: c64) -> Vec<c64> {
    if z.norm() == 0.0 {
        return (0..=n).map(|m| c64::new(f64::from(m == 0), 0.0)).collect();
    }
    let mut j = all_j(n, z);
    j.truncate(n + 1);
    j
}

/// Y_0(z), ..., Y_n(z); z is not 0.
pub fn bessel_y(n: usize, z: c64) -> Vec<c64> {
    let j = all_j(n.max(1), z);
    let terms = (j.len() - 3) / 2;
    let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    let logarithm = (z / 2.0).ln() + EULER_GAMMA;
    let even: c64 = (1..=terms).map(|k| j[2 * k] * (sign(k) / k as f64)).sum();
    let odd: c64 =
        (1..=terms).map(|k| j[2 * k + 1] * (sign(k) * (2.0 * k as f64 + 1.0) / (k as f64 * (k as f64 + 1.0)))).sum();
    let mut y = vec![
        logarithm * j[0] * FRAC_2_PI - even * (2.0 * FRAC_2_PI),
        -j[0] * FRAC_2_PI / z + (logarithm - 1.0) * j[1] * FRAC_2_PI - odd * FRAC_2_PI,
    ];
    for m in 1..n {
        y.push(y[m] * (2.0 * m as f64) / z - y[m - 1]);
    }
    y.truncate(n + 1);
    y
}

/// H_0(z), ..., H_n(z) of the first kind: outgoing waves.
pub fn hankel(n: usize, z: c64) -> Vec<c64> {
    bessel_j(n, z).into_iter().zip(bessel_y(n, z)).map(|(j, y)| j + I * y).collect()
}

/// The derivative of order n of a family f with f_n' = f_(n-1) - (n / z) f_n, where f_(-1) = -f_1: J, Y and H; f up to
/// order max(n, 1).
pub fn derivative(f: &[c64], n: usize, z: c64) -> c64 {
    if n == 0 { -f[1] } else { f[n - 1] - f[n] * (n as f64) / z }
}

/// h_0(z), ..., h_n(z) of the first kind: outgoing spherical waves.
pub fn spherical_hankel(n: usize, z: c64) -> Vec<c64> {
    let wave = (I * z).exp();
    let mut h = vec![-I * wave / z, -wave * (z + I) / (z * z)];
    for l in 1..n {
        h.push(h[l] * (2.0 * l as f64 + 1.0) / z - h[l - 1]);
    }
    h.truncate(n + 1);
    h
}

/// j_0(z), ..., j_n(z), the spherical functions that are regular at 0; z is not 0.
pub fn spherical_j(n: usize, z: c64) -> Vec<c64> {
    let top = start(n, z);
    let mut j = vec![c64::new(0.0, 0.0); top + 2];
    j[top] = c64::new(SEED, 0.0);
    for l in (1..=top).rev() {
        j[l - 1] = j[l] * (2.0 * l as f64 + 1.0) / z - j[l + 1];
        if j[l - 1].norm() > 1.0 / SEED {
            j[l - 1..].iter_mut().for_each(|value| *value *= SEED);
        }
    }
    let (zeroth, first) = (z.sin() / z, z.sin() / (z * z) - z.cos() / z);
    let scale = if j[0].norm() >= j[1].norm() { zeroth / j[0] } else { first / j[1] };
    j.truncate(n + 1);
    j.into_iter().map(|value| value * scale).collect()
}

/// The derivative of order n of a spherical family: f_n' = f_(n-1) - ((n + 1) / z) f_n, f_0' = -f_1; f up to order
/// max(n, 1).
pub fn spherical_derivative(f: &[c64], n: usize, z: c64) -> c64 {
    if n == 0 { -f[1] } else { f[n - 1] - f[n] * (n as f64 + 1.0) / z }
}

/// P_0(x), ..., P_n(x) with their derivatives.
pub fn legendre(n: usize, x: f64) -> Vec<(f64, f64)> {
    let mut p = vec![(1.0, 0.0), (x, 1.0)];
    for l in 1..n {
        let next = ((2 * l + 1) as f64 * x * p[l].0 - l as f64 * p[l - 1].0) / (l + 1) as f64;
        let slope = p[l - 1].1 + (2 * l + 1) as f64 * p[l].0; // P_(l+1)' = P_(l-1)' + (2 l + 1) P_l
        p.push((next, slope));
    }
    p.truncate(n + 1);
    p
}

/// The free-space source (i/4) H_0(k r) in the plane, e^(ikr) / (4 pi r) in space, and its derivative by r.
pub fn free_space(dim: usize, k: c64, r: f64) -> (c64, c64) {
    if dim == 2 {
        let h = hankel(1, k * r);
        return (I * h[0] / 4.0, -I * k * h[1] / 4.0);
    }
    let value = (I * k * r).exp() / (4.0 * PI * r);
    (value, value * (I * k - 1.0 / r))
}
