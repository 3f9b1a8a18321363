//! Maps of white and grey matter: D by element, what stays continuous at their corners, mass, and the orders that are
//! observed.

use crate::collocation::{plain, product, two_layers};
use crate::evolution::{evolution, settings};
use galerkit_fem::collocation::hermite::{slopes, values};
use galerkit_fem::collocation::picture::Portrait;
use galerkit_fem::collocation::{Collocation, Eigenfunction, Layers, Line, Method, Scheme, Source, Start, Step};
use galerkit_linalg::random::Random;

fn graded(elements: usize) -> Line {
    Line::graded([0.0, 2.0], elements, &Layers::equal(&[1.0]).unwrap(), 2.5).unwrap()
}

fn random_rows(across: usize, down: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed);
    (0..down).map(|_| (0..across).map(|_| 10f64.powf(3.0 * random.unit() - 2.0)).collect()).collect()
}

fn random_coefficients(space: &Collocation) -> Vec<f64> {
    let mut random = Random::new(11);
    (0..space.unknowns()).map(|_| random.unit() - 0.5).collect()
}

#[test]
fn a_map_of_layers_is_layers() {
    let mapped = Collocation::with_map(&plain([0.0, 2.0], 6), &plain([0.0, 1.0], 4), &[vec![1.0, 0.2]]).unwrap();
    let layered = Collocation::rectangle(two_layers(6, [1.0, 0.2]), plain([0.0, 1.0], 4));
    for (one, other) in [(mapped.A0(), layered.A0()), (mapped.B(0.3), layered.B(0.3))] {
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!((one.start(), one.col()), (other.start(), other.col()));
        assert!(one.val().iter().zip(other.val()).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs())));
    }
    let a = random_coefficients(&mapped);
    for point in [[0.1, 0.9], [0.999, 0.3], [1.4, 0.0]] {
        assert!((mapped.at(&a, &point).unwrap() - layered.at(&a, &point).unwrap()).abs() < 1e-13);
    }
    assert!(mapped.mass().unwrap().iter().zip(layered.mass().unwrap()).all(|(a, b)| (a - b).abs() < 1e-14));
}

#[test]
fn rows_of_a_map_come_from_the_top() {
    let rows = [vec![1.0, 2.0], vec![3.0, 4.0]];
    let space = Collocation::with_map(&plain([0.0, 2.0], 4), &plain([0.0, 2.0], 4), &rows).unwrap();
    let corners = [[0, 3], [3, 3], [0, 0], [3, 0]].map(|element| space.diffusion(element));
    assert_eq!(corners, [1.0, 2.0, 3.0, 4.0]);
}

/// Whatever the map, the mesh and the coefficients.
#[test]
fn maps_keep_the_mass_and_constants() {
    let space = Collocation::with_map(&graded(6), &graded(4), &random_rows(3, 4, 5)).unwrap();
    let B = space.B(0.0).unwrap();
    let weights = |k: usize| {
        let across = space.y().unwrap().weights();
        space.x().weights()[k / across.len()] * across[k % across.len()]
    };
    let Ba = product(&B, &random_coefficients(&space));
    let sum = |f: &dyn Fn(f64) -> f64| Ba.iter().enumerate().map(|(k, b)| f(b * weights(k))).sum::<f64>();
    assert!(sum(&|b| b).abs() < 1e-13 * sum(&f64::abs), "{} of {}", sum(&|b| b), sum(&f64::abs));
    let mut one = vec![0.0; space.unknowns()];
    space.nodal().into_iter().for_each(|k| one[k] = 1.0);
    assert!(product(&B, &one).iter().all(|b| b.abs() < 1e-9));
    let area: f64 = space.mass().unwrap().iter().zip(&one).map(|(m, a)| m * a).sum();
    assert!((area - 4.0).abs() < 1e-13);
}

/// c from both sides of every edge for any map; D c_x too where D is a product.
#[test]
fn what_is_continuous_at_edges() {
    let (x, y) = (graded(4), graded(4));
    let product_rows: Vec<Vec<f64>> =
        [1.0, 0.3, 5.0, 0.7].iter().map(|a| [1.0, 0.2, 0.2, 3.0].iter().map(|b| a * b).collect()).collect();
    for (rows, has_flux) in [(random_rows(4, 4, 3), false), (product_rows, true)] {
        let space = Collocation::with_map(&x, &y, &rows).unwrap();
        let a = random_coefficients(&space);
        for (i, j, s) in (1..4).flat_map(|i| (0..4).flat_map(move |j| [0.0, 0.3, 0.9].map(|s| (i, j, s)))) {
            let along = |e: usize, end: f64, f: fn(f64, f64) -> [f64; 4]| (e, x.local(e, f(end, x.length(e))));
            let across = (j, y.local(j, values(s, y.length(j))));
            let at = |f, e, end| space.value(&a, &along(e, end, f), &across);
            assert!((at(values, i - 1, 1.0) - at(values, i, 0.0)).abs() < 1e-13, "c jumps at {i}, {j}, {s}");
            // across edges along x: the same with both axes exchanged
            let below = (j, x.local(j, values(s, x.length(j))));
            let upright = |e: usize, end: f64| space.value(&a, &below, &(e, y.local(e, values(end, y.length(e)))));
            assert!((upright(i - 1, 1.0) - upright(i, 0.0)).abs() < 1e-13, "c jumps at {j}, {i}, {s}");
            let flux = |e: usize, end| space.diffusion([e, j]) * at(slopes, e, end);
            assert!(!has_flux || (flux(i - 1, 1.0) - flux(i, 0.0)).abs() < 1e-12, "the flux jumps at {i}, {j}, {s}");
        }
    }
}

/// Values at the nodes of 8 x 8 elements after some steps on n x n, and by how much the mass has changed.
fn grown(n: usize, rows: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let space = Collocation::with_map(&plain([0.0, 2.0], n), &plain([0.0, 2.0], n), rows).unwrap();
    let source = Source { centre: vec![0.6, 0.7], eta: 0.3 };
    let a = space.sources(&[source], Start::Collocated).unwrap();
    let mut evolution = evolution(&space, settings(0.0, Method::Direct), &a);
    let mass = evolution.measure().mass;
    let step = |scheme| Step { scheme, dt: 0.02 };
    evolution.advance(step(Scheme::BackwardEuler), 2).unwrap();
    let last = evolution.advance(step(Scheme::Dirk), 6).unwrap()[5].mass;
    let (a, nodal, every) = (evolution.coefficients(), space.nodal(), n / 8);
    let coarse = (0..81).map(|k| a[nodal[(k / 9) * every * (n + 1) + (k % 9) * every]]).collect();
    (coarse, last / mass - 1.0)
}

/// Order four where D is a product; about two in the mean at the corner of a tissue inside of another.
#[test]
fn orders_are_those_that_the_documentation_has() {
    let corner = vec![vec![1.0, 0.2], vec![1.0, 1.0]];
    let crossing = vec![vec![0.5, 0.1], vec![1.0, 0.2]];
    let orders = [&crossing, &corner].map(|rows| {
        let (fine, drift) = grown(32, rows);
        assert!(drift.abs() < 1e-12, "mass drifts by {drift:e}");
        let errors = [8, 16].map(|n| {
            let (coarse, _) = grown(n, rows);
            coarse.iter().zip(&fine).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        });
        (errors[0] / errors[1]).log2()
    });
    assert!((3.8..4.6).contains(&orders[0]) && (1.8..3.0).contains(&orders[1]), "a product, a corner: {orders:?}");
}

#[test]
fn maps_are_solved_by_factors_and_not_by_modes() {
    let space = Collocation::with_map(&plain([0.0, 2.0], 6), &plain([0.0, 2.0], 6), &random_rows(3, 3, 8)).unwrap();
    let a = space.sources(&[Source { centre: vec![0.8, 1.1], eta: 0.4 }], Start::Interpolated).unwrap();
    let step = Step { scheme: Scheme::Dirk, dt: 0.02 };
    let [by_ilu, by_elimination] = [Method::Ilu, Method::Direct].map(|method| {
        let mut evolution = evolution(&space, settings(0.5, method), &a);
        evolution.advance(step, 3).unwrap();
        evolution.coefficients()
    });
    assert!(by_ilu.iter().zip(&by_elimination).all(|(a, b)| (a - b).abs() < 1e-9));
    let executor = galerkit_linalg::engine::cpu_executor();
    let refused = galerkit_fem::collocation::Evolution::new(executor, &space, settings(0.5, Method::Modal), &a);
    assert!(refused.err().unwrap().to_string().contains("choose ilu or direct"));
}

#[test]
fn maps_that_do_not_suit_are_refused_by_name() {
    let line = plain([0.0, 2.0], 6);
    let refused = |rows: &[Vec<f64>]| Collocation::with_map(&line, &line, rows).unwrap_err().to_string();
    assert!(refused(&[vec![1.0; 4]]).contains("4 x 1 pixels on 6 x 6 elements"));
    assert!(refused(&[vec![1.0; 2], vec![1.0; 3]]).contains("rows have one length"));
    assert!(refused(&[]).contains("rows have one length"));
    assert!(refused(&[vec![1.0, 0.0]]).contains("above 0"));
}

/// Concentrations that are zero but for rounding of either sign have no contour; where c is twice the threshold on one
/// half, there is one.
#[test]
fn rounding_has_no_contour() {
    let space = Collocation::rectangle(plain([0.0, 2.0], 8), plain([0.0, 2.0], 8));
    let portrait = Portrait { threshold: 0.08, most: 1.0, size: [540, 520], has_units: true };
    let white = |a: &[f64]| {
        let image = portrait.draw(&space, a, "day 1");
        (60..300).flat_map(|x| (60..300).map(move |y| (x, y))).filter(|&(x, y)| image.pixel(x, y) == [255; 3]).count()
    };
    let noise: Vec<f64> = random_coefficients(&space).iter().map(|a| 1e-19 * a).collect();
    assert_eq!(white(&noise), 0);
    let half = space.interpolated(|[x, _]| [if x < 1.0 { 0.16 } else { 0.0 }, 0.0, 0.0, 0.0]);
    assert!((240..2000).contains(&white(&half)), "{}", white(&half));
}

/// The eigenvalues of the spec, and of another box.
#[test]
fn eigenfunctions_are_those_of_the_spec() {
    let interval = Collocation::interval(two_layers(8, [1.0, 0.2]));
    assert!((Eigenfunction::of(&interval).unwrap().lambda() - 0.748_663_008_145).abs() < 1e-11);
    let rectangle = Collocation::rectangle(two_layers(8, [1.0, 0.2]), plain([0.0, 1.0], 8));
    assert!((Eigenfunction::of(&rectangle).unwrap().lambda() - 2.402_119_302_169).abs() < 1e-11);
    let wide = Line::uniform([-3.0, 1.0], 8, &Layers::equal(&[1.0, 0.2]).unwrap()).unwrap();
    let wide = Eigenfunction::of(&Collocation::interval(wide)).unwrap();
    assert!((4.0 * wide.lambda() - 0.748_663_008_145).abs() < 1e-11, "twice the length");
    let [left, right] = [-1.0 - 1e-7, -1.0 + 1e-7].map(|x| wide.phi(x));
    assert!((left[0] - right[0]).abs() < 1e-6 && (left[1] - 0.2 * right[1]).abs() < 1e-6, "{left:?} {right:?}");
    assert!(Eigenfunction::of(&Collocation::interval(plain([0.0, 1.0], 1))).is_err());
    let three = Line::uniform([0.0, 3.0], 12, &Layers::equal(&[1.0, 0.2, 1.0]).unwrap()).unwrap();
    assert!(Eigenfunction::of(&Collocation::interval(three)).is_err());
}
