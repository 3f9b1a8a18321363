//! Bessel functions against tables, Wronskians, addition theorems; waves against their equation.

use super::real;
use galerkit_fem::acoustics::Wave;
use galerkit_fem::acoustics::bessel::{bessel_j, bessel_y, hankel, legendre, spherical_hankel, spherical_j};
use galerkit_fem::acoustics::series::{Obstacle, scattered};
use galerkit_linalg::c64;
use std::f64::consts::PI;

#[test]
fn bessel_functions_are_those_of_the_tables() {
    let cases = [
        (0, 1.0, 0.765_197_686_557_966_6, 0.088_256_964_215_676_96),
        (1, 1.0, 0.440_050_585_744_933_5, -0.781_212_821_300_288_7),
        (0, 10.0, -0.245_935_764_451_348_3, 0.055_671_167_283_599_395),
        (5, 10.0, -0.234_061_528_186_793_6, 0.135_403_047_689_362_3),
        (10, 1.0, 2.630_615_123_687_453e-10, -1.216_180_142_786_891_6e8),
        (0, 100.0, 0.019_985_850_304_223_122, -0.077_244_313_365_083_15),
    ];
    for (n, x, j, y) in cases {
        let (found_j, found_y) = (bessel_j(n, real(x))[n].re, bessel_y(n, real(x))[n].re);
        assert!((found_j - j).abs() < 2e-14 * j.abs().max(1e-3), "J_{n}({x}) = {found_j}, not {j}");
        assert!((found_y - y).abs() < 2e-13 * y.abs().max(1e-2), "Y_{n}({x}) = {found_y}, not {y}");
    }
}

#[test]
fn wronskians_hold_also_for_complex_arguments() {
    for z in [real(0.3), real(7.7), real(41.0), c64::new(3.0, 0.8), c64::new(12.0, 2.0)] {
        let (j, y) = (bessel_j(9, z), bessel_y(9, z));
        for n in 0..8 {
            let wronskian = j[n + 1] * y[n] - j[n] * y[n + 1];
            assert!((wronskian * z * (PI / 2.0) - 1.0).norm() < 1e-11, "{n} at {z}: {wronskian}");
        }
        let (j, h) = (spherical_j(9, z), spherical_hankel(9, z));
        for l in 0..8 {
            let wronskian = j[l + 1] * h[l] - j[l] * h[l + 1]; // i (j_(l+1) y_l - j_l y_(l+1)) = i / z^2
            assert!((wronskian * z * z - c64::new(0.0, 1.0)).norm() < 1e-10, "{l} at {z}: {wronskian}");
        }
    }
    assert_eq!(bessel_j(2, real(0.0))[0].re, 1.0);
    let p = legendre(4, 0.3)[4];
    assert!((p.0 - (35.0 * 0.0081 - 30.0 * 0.09 + 3.0) / 8.0).abs() < 1e-15);
    assert!((p.1 - (140.0 * 0.027 - 60.0 * 0.3) / 8.0).abs() < 1e-14);
}

/// -Laplace u - k^2 u by differences, and gradients by differences.
#[test]
fn waves_satisfy_the_equation_and_have_their_gradients() {
    let h = 1e-3;
    for dim in [2, 3] {
        let waves = [
            super::plane(dim),
            Wave::Source { place: [-0.4, 0.3, 0.0] },
            Wave::Multipole { order: 0, radius: 1.0 },
            Wave::Multipole { order: 3, radius: 1.0 },
        ];
        for (wave, k) in waves.into_iter().flat_map(|wave| [(wave, real(2.0)), (wave, c64::new(2.0, 0.1))]) {
            let x = [0.9, 0.8, if dim == 3 { 0.7 } else { 0.0 }];
            let (u, gradient) = wave.at(dim, k, &x);
            let mut laplacian = c64::new(0.0, 0.0);
            for i in 0..dim {
                let moved = |step: f64| {
                    let mut there = x;
                    there[i] += step;
                    wave.at(dim, k, &there).0
                };
                laplacian += (moved(h) + moved(-h) - u * 2.0) / (h * h);
                let slope = (moved(h) - moved(-h)) / (2.0 * h);
                assert!((slope - gradient[i]).norm() < 2e-5 * gradient[i].norm().max(1.0), "{wave:?} {dim} {i}");
            }
            assert!((laplacian + k * k * u).norm() < 1e-4 * (k * k * u).norm(), "{wave:?} in {dim}");
        }
    }
}

#[test]
fn scattered_fields_cancel_the_incident_one_on_the_obstacle() {
    let k = real(3.0);
    for dim in [2, 3] {
        for angle in [0.1f64, 1.2, 2.9] {
            let at = |r: f64| match dim {
                2 => [r * angle.cos(), r * angle.sin(), 0.0],
                _ => [r * angle.sin(), 0.0, r * angle.cos()],
            };
            let total = |obstacle, r: f64| {
                let x = at(r);
                let along = if dim == 2 { x[0] } else { x[2] };
                (c64::new(0.0, 1.0) * k * along).exp() + scattered(dim, obstacle, k, 1.0, &x)
            };
            assert!(total(Obstacle::Soft, 1.0).norm() < 1e-12);
            let slope = (total(Obstacle::Hard, 1.0 + 1e-5) - total(Obstacle::Hard, 1.0 - 1e-5)) / 2e-5;
            assert!(slope.norm() < 1e-7, "{slope}");
        }
    }
    assert_eq!(hankel(1, k).len(), 2);
}
