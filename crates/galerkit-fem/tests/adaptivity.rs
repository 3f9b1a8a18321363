//! Adaptivity: the estimate reaches its tolerance and bounds the error, hp beats h and p alone, smoothness is seen.

use galerkit_fem::adapt::smoothness::decay;
use galerkit_fem::adapt::{Adapted, Cycle, Refinement};
use galerkit_fem::form::{Field, Neumann};
use galerkit_fem::{Forest, Problem, Space, domain};
use std::f64::consts::PI;
use std::sync::Arc;

const ENERGY: f64 = 1.836226661875; // of r^(2/3) sin(2 theta/3) on the L-shape

fn lshape(cycle: Cycle) -> Adapted {
    let gradient = |x: &[f64; 3]| {
        let (r, angle) = (x[0].hypot(x[1]), x[1].atan2(x[0]).rem_euclid(2.0 * PI));
        let size = 2.0 / 3.0 * r.powf(-1.0 / 3.0);
        [-size * (angle / 3.0).sin(), size * (angle / 3.0).cos(), 0.0]
    };
    let problem = move |space: Arc<Space>| Problem::poisson(space, 0.0).neumann(Neumann::vector(2, gradient));
    cycle.run(Forest::new(&domain::lshape(1)).unwrap(), vec![1; 3], &[1], &problem).unwrap()
}

/// Unknowns and error of the last step.
fn end(adapted: &Adapted) -> (usize, f64) {
    let last = adapted.steps.last().unwrap();
    (last.unknowns, (ENERGY - last.energy).max(0.0).sqrt())
}

#[test]
fn the_loop_reaches_its_tolerance_at_a_corner() {
    let tolerance = 1e-3;
    let hp = lshape(Cycle { tolerance, ..Cycle::default() });
    assert!(hp.reached);
    for step in &hp.steps {
        let error = (ENERGY - step.energy).max(0.0).sqrt();
        println!(
            "{:4} cells {:5} unknowns, error {error:.3e}, estimate {:.3e}",
            step.cells, step.unknowns, step.estimate
        );
        assert!(step.estimate > error);
    }
    let (unknowns, error) = end(&hp);
    assert!(error <= tolerance * ENERGY.sqrt(), "{error:e}");
    // With as many unknowns cuts alone or degrees alone are far from it.
    let limited = Cycle { tolerance: 0.0, unknowns, ..Cycle::default() };
    for refinement in [Refinement::H, Refinement::P] {
        let (_, other) = end(&lshape(Cycle { refinement, ..limited }));
        println!("{refinement:?}: {other:.3e}");
        assert!(other > 3.0 * error, "{refinement:?}: {other:e} against {error:e}");
    }
}

#[test]
fn an_estimate_counts_what_passes_gain() {
    // Degrees alone converge slowly at a corner: what one more gains is less than what is left.
    let p = lshape(Cycle { tolerance: 3e-2, refinement: Refinement::P, share: 1.0, ..Cycle::default() });
    for step in &p.steps {
        let error = (ENERGY - step.energy).max(0.0).sqrt();
        println!("{} unknowns, error {error:.3e}, estimate {:.3e}", step.unknowns, step.estimate);
        assert!(step.estimate > error);
    }
    let last = p.steps.last().unwrap();
    assert_eq!(p.reached, last.estimate <= 3e-2 * last.energy.sqrt());
}

/// u = sin(pi x) sin(pi y) sin(pi z), from n^3 cubes of degree 2; the error of the last step.
fn sines(n: usize, tolerance: f64) -> (Adapted, f64) {
    let forest = Forest::new(&domain::cube(n)).unwrap();
    let f = Field::of(|x| 3.0 * PI * PI * x.iter().map(|x| (PI * x).sin()).product::<f64>());
    let problem = move |space: Arc<Space>| Problem::poisson(space, f.clone());
    let adapted = Cycle { tolerance, ..Cycle::default() }.run(forest, vec![2; n * n * n], &[1], &problem).unwrap();
    let error = (3.0 * PI * PI / 8.0 - adapted.steps.last().unwrap().energy).abs().sqrt();
    (adapted, error)
}

#[test]
fn smooth_solutions_raise_degrees_alone() {
    let (adapted, error) = sines(2, 1e-3);
    assert!(adapted.reached && error < 1.93e-3);
    assert!(adapted.steps.iter().all(|step| step.cells == 8));
    assert!(adapted.steps.windows(2).all(|pair| pair[1].estimate < pair[0].estimate));
}

#[test]
fn a_symmetric_solution_does_not_deceive_the_estimate() {
    // On one cell the solution is even: degree 3 adds nothing to degree 2, and the first estimate is 0.
    let (adapted, error) = sines(1, 1e-2);
    assert!(adapted.steps[0].estimate < 1e-6);
    assert!(adapted.reached && error < 1.93e-2, "{error:e}");
}

#[test]
fn decay_tells_smooth_functions_from_kinks() {
    // phi_j has the energy 1: coefficients that fall like 5^-j, and like j^-2, times a linear function; every second
    // may be missing.
    let p = 8;
    let line =
        |fall: &dyn Fn(i32) -> f64| [1.0, -1.0].into_iter().chain((2..=p).map(|j| fall(j as i32))).collect::<Vec<_>>();
    let product = |a: &[f64], b: &[f64]| a.iter().flat_map(|a| b.iter().map(move |b| a * b)).collect::<Vec<_>>();
    let (fast, slow) = (line(&|j| 5f64.powi(-j)), line(&|j| 1.0 / f64::from(j * j)));
    let even = line(&|j| if j % 2 == 0 { 5f64.powi(-j) } else { 1e-17 });
    let flat = line(&|_| 0.0);
    for (other, is_first) in [(&flat, true), (&flat, false), (&fast, true), (&fast, false)] {
        let rate = |line: &[f64]| decay(2, p, &if is_first { product(line, other) } else { product(other, line) });
        assert!((rate(&fast) - 5f64.ln()).abs() < 0.4, "{}", rate(&fast));
        assert!(rate(&even) > 1.2, "{}", rate(&even));
        assert!(rate(&slow) < 0.7, "{}", rate(&slow));
    }
    assert_eq!(decay(2, 1, &[1.0; 4]), f64::INFINITY);
}
