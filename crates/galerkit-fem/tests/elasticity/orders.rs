//! Observed orders in L2 with a solution that was made up, and beams against their theory.

use super::{boxes, curved, solved};
use galerkit_fem::elasticity::Solid;
use galerkit_fem::form::Elasticity;
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::{brick, brick_of_order};
use std::f64::consts::PI;

/// u = (s, 0, s) with s = sin(pi x) sin(pi y) sin(pi z), which vanishes on the boundary of the unit cube.
fn exact(x: &[f64; 3]) -> [f64; 3] {
    let s = x.iter().map(|x| (PI * x).sin()).product::<f64>();
    [s, 0.0, s]
}

/// -div sigma(u) = -mu Laplace(u) - (lambda + mu) grad div u, for lambda = mu = 1.
fn force(x: &[f64; 3]) -> [f64; 3] {
    let (s, c) = (x.map(|x| (PI * x).sin()), x.map(|x| (PI * x).cos()));
    let product = s[0] * s[1] * s[2];
    let squared = PI * PI;
    // div u = s_x + s_z; its derivatives along x, y, z
    let grad_div = [
        squared * (-product + c[0] * s[1] * c[2]),
        squared * (c[0] * c[1] * s[2] + s[0] * c[1] * c[2]),
        squared * (c[0] * s[1] * c[2] - product),
    ];
    let laplace = [-3.0 * squared * product, 0.0, -3.0 * squared * product];
    std::array::from_fn(|d| -laplace[d] - 2.0 * grad_div[d])
}

fn error(mesh: Mesh) -> f64 {
    // lambda = mu = 1: E = 5/2, nu = 1/4
    let solid = Solid::new(mesh, Elasticity::new(2.5, 0.25)).unwrap().force(force);
    let held = (1..=6).fold(solid, Solid::clamp);
    solved(&held).l2_error(&exact).unwrap()
}

#[test]
fn degree_one_has_order_two_on_hexahedra_and_tetrahedra() {
    for kind in 0..2 {
        let of = |n: usize| error(boxes([1.0; 3], [n; 3])[kind].clone());
        let rate = (of(4) / of(8)).log2();
        assert!((1.7..2.3).contains(&rate), "kind {kind}: {rate}");
    }
}

#[test]
fn degree_two_has_order_three_also_on_curved_cells() {
    let straight = |n: usize| error(brick_of_order([0.0; 3], [1.0; 3], [n; 3], 2).unwrap());
    for (name, rate) in
        [("straight", (straight(2) / straight(4)).log2()), ("curved", (error(curved(2)) / error(curved(4))).log2())]
    {
        assert!((2.6..3.5).contains(&rate), "{name}: {rate}");
    }
}

/// A cantilever of length L and a square section of side 1, with a shear force on its end: P L^3 / (3 E I) + P L /
/// (kappa G A).
fn deflection(E: f64, nu: f64, L: f64) -> f64 {
    let (I, shear, kappa) = (1.0 / 12.0, E / (2.0 * (1.0 + nu)), 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu));
    L.powi(3) / (3.0 * E * I) + L / (kappa * shear)
}

fn bent(mesh: Mesh, L: f64) -> f64 {
    let law = Elasticity::new(1e4, 0.3);
    let solid = Solid::new(mesh, law).unwrap().clamp(1).traction(2, |_| [0.0, 0.0, -1.0]);
    let u = solved(&solid);
    -u.values()[u.nearest(&[L, 0.5, 0.5])][2]
}

#[test]
fn a_slender_beam_bends_as_timoshenko_says() {
    let (L, high) = (10.0, [10.0, 1.0, 1.0]);
    let theory = deflection(1e4, 0.3, L);
    let quadratic = bent(brick_of_order([0.0; 3], high, [10, 1, 1], 2).unwrap(), L);
    assert!(
        (quadratic / theory - 1.0).abs() < 0.02,
        "{quadratic} and {theory}: the clamped end is stiffer than in theory"
    );
    // linear cells are too stiff in bending, and less so the finer they are: the error falls fourfold
    let miss = |n: usize| 1.0 - bent(brick([0.0; 3], high, [10 * n, n, n]).unwrap(), L) / quadratic;
    let [coarse, fine] = [miss(2), miss(4)];
    assert!(coarse > 0.0 && fine > 0.0 && (3.0..5.0).contains(&(coarse / fine)), "{coarse} {fine}");
}
