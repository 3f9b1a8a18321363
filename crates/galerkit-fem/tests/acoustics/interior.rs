//! Bounded domains: the tables of plane waves, orders, pollution and stabilised elements, duct modes.

use super::{agrees, box_mesh, errors, plane, real, simplicial, solved, tensor, with_impedance};
use galerkit_fem::acoustics::{Condition, Data, Gls, Helmholtz, Medium, Wave};
use galerkit_fem::form::Field;
use galerkit_fem::mesh::generate;
use galerkit_linalg::c64;
use std::f64::consts::PI;

#[test]
fn plane_waves_on_the_square_have_the_errors_of_the_table() {
    for (p, l2, h1) in [(1, 6.516e-2, 1.662e-1), (2, 1.151e-3, 1.137e-2), (3, 3.647e-5, 5.517e-4)] {
        let found = errors(with_impedance(tensor(&box_mesh(2, 16), p, &[]), plane(2)), 10.0, plane(2));
        agrees(found.l2, l2, 4);
        agrees(found.h1, h1, 4);
    }
}

#[test]
fn plane_waves_in_the_cube_have_the_errors_of_the_table() {
    for (p, n, h1) in [(1, 8, 1.160e-1), (2, 4, 2.453e-2)] {
        let found = errors(with_impedance(tensor(&box_mesh(3, n), p, &[]), plane(3)), 5.0, plane(3));
        agrees(found.h1, h1, 4);
    }
}

#[test]
fn errors_fall_with_the_order_of_each_element() {
    let check = |name: &str, p: usize, coarse: [f64; 2], fine: [f64; 2], ratio: f64| {
        let order = |i: usize| (coarse[i] / fine[i]).ln() / ratio.ln();
        let (l2, h1) = (order(0), order(1));
        assert!((l2 - (p as f64 + 1.0)).abs() < 0.45 && (h1 - p as f64).abs() < 0.35, "{name}{p}: {l2} and {h1}");
    };
    let pair = |found: galerkit_fem::acoustics::pressure::WaveErrors| [found.l2, found.h1];
    for p in [1, 2, 3, 4, 6] {
        let n = [0, 24, 8, 6, 4, 0, 3][p];
        let of = |n| pair(errors(with_impedance(tensor(&box_mesh(2, n), p, &[]), plane(2)), 6.0, plane(2)));
        check("Q", p, of(n), of(2 * n), 2.0);
    }
    for p in 1..=4 {
        let n = [0, 24, 8, 6, 4][p];
        let of = |n| pair(errors(with_impedance(simplicial(&box_mesh(2, n), p), plane(2)), 6.0, plane(2)));
        check("P", p, of(n), of(2 * n), 2.0);
    }
    for (p, coarse, fine) in [(1, 6, 9), (2, 3, 5), (3, 2, 3)] {
        let ratio = fine as f64 / coarse as f64;
        let of = |n| pair(errors(with_impedance(simplicial(&box_mesh(3, n), p), plane(3)), 2.0, plane(3)));
        check("tetrahedra P", p, of(coarse), of(fine), ratio);
        let of = |n| pair(errors(with_impedance(tensor(&box_mesh(3, n), p, &[]), plane(3)), 2.0, plane(3)));
        check("hexahedra Q", p, of(coarse), of(fine), ratio);
    }
}

#[test]
fn point_sources_outside_are_reproduced() {
    let wave = Wave::Source { place: [-0.5, 0.3, 0.0] };
    let found = errors(with_impedance(tensor(&box_mesh(2, 8), 4, &[]), wave), 6.0, wave);
    assert!(found.l2 < 2e-5 && found.h1 < 4e-4, "{found:?}");
    let found = errors(with_impedance(simplicial(&box_mesh(3, 3), 3), wave), 3.0, wave);
    assert!(found.l2 < 2e-3 && found.h1 < 2e-2, "{found:?}");
}

#[test]
fn pollution_grows_with_k_and_stabilised_elements_have_none() {
    for (k, h1) in [(10.0, 0.166), (20.0, 0.199), (40.0, 0.299), (80.0, 0.529)] {
        let n = (k / 0.625f64).round() as usize;
        let space = tensor(&box_mesh(2, n), 1, &[]);
        agrees(errors(with_impedance(space.clone(), plane(2)), k, plane(2)).h1, h1, 3);
        let gls = Gls { h: 1.0 / n as f64, angle: Gls::ANGLE, on_walls: false };
        let found = errors(with_impedance(space, plane(2)).gls(gls), k, plane(2)).h1;
        assert!((0.1545..=0.1565).contains(&found), "k = {k}: {found}");
    }
    let found = errors(with_impedance(tensor(&box_mesh(2, 8), 2, &[]), plane(2)), 10.0, plane(2)).h1;
    agrees(found, 4.5e-2, 2);
}

/// exp(ikx) in a strip of squares is a problem of one dimension.
#[test]
fn stabilised_elements_with_the_walls_of_the_grid_are_exact_in_one_dimension() {
    let (k, n) = (30.0, 20);
    let h = 1.0 / n as f64;
    let mesh = generate::rectangle([0.0; 2], [1.0, h], [n, 1]).unwrap();
    let miss = |gls: Option<Gls>| {
        let one = Data::of(|_, _, _| real(1.0));
        let problem = Helmholtz::new(tensor(&mesh, 1, &[1])).condition(1, Condition::Soft(one));
        let problem = problem.condition(2, Condition::sommerfeld());
        let u = solved(&gls.into_iter().fold(problem, Helmholtz::gls).assemble().unwrap(), real(k));
        let nodes = (0..=n).map(|i| i as f64 * h);
        let miss = |x: f64| (u.at(&[x, 0.0, 0.0]).unwrap() - c64::new(0.0, k * x).exp()).norm();
        nodes.map(miss).fold(0.0, f64::max)
    };
    let gls = |on_walls| Some(Gls { h, angle: 0.0, on_walls });
    agrees(miss(None), 1.85, 3);
    agrees(miss(gls(false)), 3.7e-2, 2);
    assert!(miss(gls(true)) < 1e-13, "{:e}", miss(gls(true)));
}

#[test]
fn a_duct_carries_the_modes_of_a_vibrating_panel() {
    let mesh = generate::rectangle([0.0; 2], [2.0, 1.0], [8, 4]).unwrap();
    for (k, m) in [(5.0, 0), (5.0, 1), (9.0, 2), (2.0, 1)] {
        let kx = c64::new(k * k - (m as f64 * PI).powi(2), 0.0).sqrt();
        let i = c64::new(0.0, 1.0);
        // i kx (a - b) = 1, (kx - k) a e^(2 i kx) = (kx + k) b e^(-2 i kx)
        let b_over_a = (kx - k) / (kx + k) * (i * kx * 4.0).exp();
        let a = 1.0 / (i * kx * (1.0 - b_over_a));
        let b = a * b_over_a;
        let exact = move |x: &[f64; 3]| {
            let (forth, back) = (a * (i * kx * x[0]).exp(), b * (-i * kx * x[0]).exp());
            let (c, s) = ((m as f64 * PI * x[1]).cos(), m as f64 * PI * (m as f64 * PI * x[1]).sin());
            ((forth + back) * c, [i * kx * (forth - back) * c, -(forth + back) * s, c64::new(0.0, 0.0)])
        };
        // the outer normal is -x: du/dn = -u_x
        let panel = Data::of(move |_, x, _| real(-(m as f64 * PI * x[1]).cos()));
        let problem = Helmholtz::new(tensor(&mesh, 6, &[]))
            .condition(1, Condition::Velocity(panel))
            .condition(2, Condition::sommerfeld());
        let found = solved(&problem.assemble().unwrap(), real(k)).errors(&exact, &|_| true).unwrap();
        assert!(found.l2 < 2e-6 && found.h1 < 5e-5, "k = {k}, m = {m}: {found:?}");
    }
}

/// Two media in a tube: reflection (Z2 - Z1) / (Z2 + Z1) at their interface, Z = rho c.
#[test]
fn a_change_of_medium_reflects_by_the_impedances() {
    let (k, c2, rho2) = (4.0, 1.5, 2.0);
    let mesh = generate::rectangle([0.0; 2], [2.0, 0.25], [16, 2]).unwrap();
    let medium = Medium {
        speed: Field::of(move |x| if x[0] > 1.0 { c2 } else { 1.0 }),
        density: Field::of(move |x| if x[0] > 1.0 { rho2 } else { 1.0 }),
        ..Medium::uniform(2)
    };
    // exp(ikx) comes in from the left: du/dn - iku = -2ik there
    let incoming = Data::of(|k: c64, _, _| c64::new(0.0, -2.0) * k);
    let problem = Helmholtz::new(tensor(&mesh, 5, &[]))
        .medium(medium)
        .condition(1, Condition::Impedance { admittance: real(1.0), data: incoming })
        .condition(2, Condition::sommerfeld());
    let u = solved(&problem.assemble().unwrap(), real(k));
    let (z, i) = (rho2 * c2, c64::new(0.0, 1.0));
    let reflected = real((z - 1.0) / (z + 1.0)) * (i * k).exp() * (i * k).exp(); // from x = 1 back to 0
    let at_left = u.at(&[0.0, 0.1, 0.0]).unwrap();
    assert!((at_left - (1.0 + reflected)).norm() < 1e-5, "{at_left} for {}", 1.0 + reflected);
    let refused = Medium { density: (-1.0).into(), ..Medium::uniform(2) };
    let error = Helmholtz::new(tensor(&mesh, 1, &[])).medium(refused).assemble().err().unwrap().to_string();
    assert!(error.contains("density") && error.contains("positive"), "{error}");
}
