//! What boundaries send back, against theory: a wave that goes out and one that comes in are told apart by values at two
//! points.

use super::{real, solved, tensor};
use galerkit_fem::Space;
use galerkit_fem::acoustics::bessel::{derivative, hankel, spherical_hankel};
use galerkit_fem::acoustics::layer::{Begin, Layer};
use galerkit_fem::acoustics::{Condition, Data, Helmholtz, Medium, Wave};
use galerkit_fem::mesh::generate::{LAYER_REGION, Ring, annulus, rectangle, shell};
use galerkit_linalg::c64;
use std::f64::consts::PI;
use std::sync::Arc;

const I: c64 = c64::new(0.0, 1.0);
const CENTRE: [f64; 3] = [0.0; 3];

/// b / a, where u = a out + b back at two points.
fn ratio(u: [c64; 2], out: [c64; 2], back: [c64; 2]) -> c64 {
    (out[0] * u[1] - out[1] * u[0]) / (u[0] * back[1] - u[1] * back[0])
}

fn ring(radius: f64, layers: usize, region: i32) -> Ring {
    Ring { axes: [radius; 3], layers, region }
}

/// (cos t - beta) / (cos t + beta) for a plane wave at the angle t: a mode of a duct is two of them, cos t = kx / k.
#[test]
fn an_impedance_wall_reflects_plane_waves_by_their_angle() {
    let mesh = rectangle([0.0; 2], [1.0; 2], [4; 2]).unwrap();
    for (k, m, beta) in [(5.0, 0, 0.3), (5.0, 1, 1.0), (9.0, 2, 1.0), (9.0, 2, 0.5), (9.0, 1, 2.0)] {
        let kx = f64::sqrt(k * k - (f64::from(m) * PI).powi(2));
        let mode = Data::of(move |_, x, _| real((f64::from(m) * PI * x[1]).cos()));
        let wall = Condition::Impedance { admittance: real(beta), data: Data::Zero };
        let problem = Helmholtz::new(tensor(&mesh, 8, &[])).condition(1, Condition::Velocity(mode)).condition(2, wall);
        let u = solved(&problem.assemble().unwrap(), real(k));
        let at = [0.55, 0.8];
        let wave = |sign: f64| at.map(|x| (I * (sign * kx * (x - 1.0))).exp()); // 1 at the wall
        let found = ratio(at.map(|x| u.at(&[x, 0.0, 0.0]).unwrap()), wave(1.0), wave(-1.0));
        let cosine = kx / k;
        let theory = (cosine - beta) / (cosine + beta);
        assert!((found - theory).norm() < 1e-6, "k {k}, mode {m}, beta {beta}: {found} for {theory}");
    }
}

/// H_m + R conj(H_m) with u_r = B u at the truncation: R = -(H' - B H) / conj(H' - conj(B) H).
#[test]
fn bgt_conditions_reflect_cylindrical_modes_as_their_symbols_say() {
    let (k, a) = (4.0, 2.0);
    let space: Arc<Space> = tensor(&annulus(&[ring(1.0, 0, 1), ring(a, 2, 1)], 24, 4).unwrap(), 9, &[1]);
    let impedance = (Condition::sommerfeld(), Box::new(move |_: f64| I * k) as Box<dyn Fn(f64) -> c64>);
    let first = (Condition::Bgt1 { centre: CENTRE }, Box::new(move |_: f64| I * k - 0.5 / a) as _);
    let symbol =
        move |m: f64| (2.0 * k * k + 3.0 * I * k / a - 0.75 / (a * a) - m * m / (a * a)) / (2.0 * (1.0 / a - I * k));
    let second = (Condition::Bgt2 { radius: a }, Box::new(symbol) as _);
    for (condition, symbol) in [impedance, first, second] {
        for m in [1, 3, 5] {
            let inner = Condition::Soft(Data::pressure(2, Wave::Multipole { order: m, radius: 1.0 }, 1.0));
            let problem = Helmholtz::new(space.clone()).condition(1, inner).condition(2, condition.clone());
            let u = solved(&problem.assemble().unwrap(), real(k));
            let at = [1.25, 1.6];
            let out = at.map(|r| hankel(m, real(k * r))[m]);
            let found = ratio(at.map(|r| u.at(&[r, 0.0, 0.0]).unwrap()), out, out.map(|h| h.conj()));
            let h = hankel(m, real(k * a));
            let (h, slope, B) = (h[m], derivative(&h, m, real(k * a)) * k, symbol(m as f64));
            let theory = -(slope - B * h) / (slope.conj() - B * h.conj());
            let miss = (found - theory).norm();
            assert!(miss < 1e-6 + 5e-3 * theory.norm(), "{condition:?}, mode {m}: {found} for {theory}");
        }
    }
}

/// A spherical wave comes back from the end of a layer weakened by exp(-2 k sigma L / 3).
#[test]
fn a_spherical_layer_weakens_by_its_strength() {
    let (k, a, L) = (2.0, 1.5, 0.5);
    let rings = [ring(1.0, 0, 1), ring(a, 1, 1), ring(a + L, 1, LAYER_REGION)];
    let space = tensor(&shell(&rings, 1, 4).unwrap(), 5, &[1, 2]);
    for strength in [2.0, 5.0] {
        let layer = Layer::new(Begin::Radial { centre: CENTRE, radius: a }, L, strength).unwrap();
        let inner = Condition::Soft(Data::of(|_, _, _| real(1.0)));
        let problem = Helmholtz::new(space.clone())
            .medium(Medium { layer: Some(layer.within(LAYER_REGION)), ..Medium::uniform(3) })
            .condition(1, inner)
            .condition(2, Condition::Soft(Data::Zero));
        let u = solved(&problem.assemble().unwrap(), real(k));
        let at = [1.1, 1.4];
        let out = at.map(|r| spherical_hankel(1, real(k * r))[0]);
        let found = ratio(at.map(|r| u.at(&[r, 0.0, 0.0]).unwrap()), out, out.map(|h| h.conj())).norm();
        let theory = (-2.0 * k * strength * L / 3.0).exp();
        assert!((found / theory - 1.0).abs() < 0.02, "sigma {strength}: {found} for {theory}");
        assert!((layer.reflection(k) / theory - 1.0).abs() < 1e-14);
    }
}
