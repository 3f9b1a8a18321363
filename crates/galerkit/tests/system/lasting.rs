//! Systems that move between threads, and systems that are solved thousands of times.

use super::new_values::other_values;
use super::{DEVICES, solver, told};
use crate::systems::real;
use galerkit::linalg::engine::Counters;
use galerkit::prelude::*;
use galerkit_testkit::problems::scattered;

/// One system goes to another thread and works there while a second one works here; then it comes back.
#[test]
fn systems_move_between_threads() {
    let (A, B) = (real("gallery:poisson2d?n=9"), real("gallery:convection_diffusion2d?n=9"));
    let b: Vec<f64> = scattered(A.rows(), 3);
    for device in DEVICES {
        let (cg, gmres) = (solver(["cg", "jacobi", "auto", "rcm"]), solver(["gmres:10", "ilu0", "auto", "auto"]));
        let (mut one, mut two) = (cg.device(device).prepare(&A).unwrap(), gmres.device(device).prepare(&B).unwrap());
        let expected = [told(&one.solve(&b).unwrap()), told(&two.solve(&b).unwrap())];
        let mut one = std::thread::scope(|scope| {
            let (b, expected) = (&b, &expected);
            let away = scope.spawn(move || {
                (0..20).for_each(|_| assert_eq!(told(&one.solve(b).unwrap()), expected[0]));
                one
            });
            (0..20).for_each(|_| assert_eq!(told(&two.solve(b).unwrap()), expected[1]));
            away.join().unwrap()
        });
        for _ in 0..3 {
            assert_eq!(told(&one.solve(&b).unwrap()), expected[0], "{device}: back");
            assert_eq!(told(&two.solve(&b).unwrap()), expected[1], "{device}: by turns");
        }
    }
}

/// Thousands of solves, with updates and solves in place among them, keep what exists constant.
#[test]
fn thousands_of_solves_keep_nothing() {
    let A = real("gallery:poisson2d?n=4");
    let mut system = solver(["cg", "jacobi", "csr", "natural"]).prepare(&A).unwrap();
    let mut step = |k: usize| {
        let b: Vec<f64> = scattered(A.rows(), (k % 17) as u64);
        if k.is_multiple_of(10) {
            system.update(&other_values(&A, k % 3)).unwrap();
        }
        if k.is_multiple_of(3) {
            system.write_rhs(&b).unwrap();
            assert!(system.solve_in_place(Start::Zero).unwrap().converged);
        } else {
            assert!(system.solve(&b).unwrap().report.converged);
        }
        let Counters { vectors, maps, codes, .. } = system.counters();
        [vectors, maps, codes]
    };
    let mut early = [0; 3];
    (0..20).for_each(|k| early = step(k));
    (20..3000).for_each(|k| assert_eq!(step(k), early, "solve {k}"));
}
