//! Right-hand sides and solutions that stay where they are: the same solves as with those of the caller.

use super::new_values::{other_values, with_values};
use super::{DEVICES, solver};
use crate::systems::real;
use galerkit::Error;
use galerkit::linalg::engine::Engine;
use galerkit::linalg::sparse::Csr;
use galerkit::prelude::*;
use galerkit_testkit::bits;
use galerkit_testkit::problems::scattered;

/// Fails unless a solve in place is the other one. ||b|| is summed where it is in place, so what is relative to it may
/// differ in the last bits; x and the iterations may not.
#[track_caller]
pub fn same_in_place(system: &mut System<'_, f64>, report: &Report, alone: &Solution<f64>, way: &str) {
    assert_eq!(bits(&system.solution().unwrap()), bits(&alone.x), "{way}");
    assert_eq!(report.history.len(), alone.report.history.len(), "{way}");
    assert_eq!((report.iterations, report.converged), (alone.report.iterations, alone.report.converged), "{way}");
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
    assert!(report.history.iter().zip(&alone.report.history).all(close), "{way}: {:?}", report.history);
}

#[test]
fn in_place_is_the_same_solve() {
    let A = real("gallery:poisson2d?n=9");
    let (b, other) = (scattered::<f64>(A.rows(), 3), scattered::<f64>(A.rows(), 8));
    for device in DEVICES {
        for ordering in ["natural", "rcm"] {
            let solver = solver(["cg", "jacobi", "auto", ordering]).device(device);
            let mut system = solver.prepare(&A).unwrap();
            for b in [&b, &other, &b] {
                let alone = solver.solve(&A, b).unwrap();
                system.write_rhs(b).unwrap();
                let report = system.solve_in_place(Start::Zero).unwrap();
                same_in_place(&mut system, &report, &alone, &format!("{device} {ordering}"));
                let last = system.solve_in_place(Start::Last).unwrap();
                assert_eq!((last.converged, last.iterations), (true, 0), "{device} {ordering}");
                assert_eq!(bits(&system.solution().unwrap()), bits(&alone.x), "{device} {ordering}");
            }
        }
    }
}

/// b whose squares overflow or vanish: in place as anywhere, in the same steps; the last answer is a start for b of any
/// size.
#[test]
fn tiny_and_huge_right_hand_sides_in_place() {
    let A = real("gallery:poisson2d?n=9");
    let solver = solver(["cg", "jacobi", "auto", "rcm"]);
    let b: Vec<f64> = scattered(A.rows(), 3);
    let times = |x: &[f64], power: i32| -> Vec<f64> {
        x.iter().map(|x| x * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)).collect()
    };
    let usual = solver.solve(&A, &b).unwrap();
    let mut system = solver.prepare(&A).unwrap();
    for power in [0, -900, 900, -300, 0, 1000] {
        let b = times(&b, power);
        system.write_rhs(&b).unwrap();
        let report = system.solve_in_place(Start::Zero).unwrap();
        assert!(report.converged && report.iterations == usual.report.iterations, "2^{power}: {report}");
        let alone = solver.solve(&A, &b).unwrap().report.rhs_norm;
        assert!((report.rhs_norm - alone).abs() <= 1e-14 * alone, "2^{power}: {} {alone}", report.rhs_norm);
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}");
        system.write_rhs(&times(&b, -power)).unwrap(); // x is another multiple of two in memory now
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}: the last answer");
        let _ = system.solve(&b).unwrap();
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}: solved");
    }
}

/// New values reach a b that is in place.
#[test]
fn in_place_with_new_values() {
    let A = real("gallery:poisson2d?n=9");
    let (b, values) = (scattered::<f64>(A.rows(), 3), other_values(&A, 1));
    let solver = solver(["cg", "jacobi", "auto", "rcm"]);
    let mut system = solver.prepare(&A).unwrap();
    system.write_rhs(&b).unwrap();
    system.update(&values).unwrap();
    let report = system.solve_in_place(Start::Zero).unwrap();
    let fresh = solver.solve(&with_values(&A, &values), &b).unwrap();
    same_in_place(&mut system, &report, &fresh, "new values");
}

#[test]
fn nothing_in_place_is_said() {
    let A = real("gallery:poisson2d?n=5");
    let b = vec![1.0; A.rows()];
    let mut system = Solver::new().method(Krylov::Cg).prepare(&A).unwrap();
    assert!(matches!(system.solve_in_place(Start::Zero), Err(Error::NotIterative)));
    assert!(matches!(system.solution(), Err(Error::NotIterative)));
    assert!(system.write_rhs(&b[1..]).is_err());
    system.write_rhs(&b).unwrap();
    assert!(system.solve_in_place(Start::Zero).unwrap().converged);
    system.reset();
    assert!(matches!(system.solve_in_place(Start::Zero), Err(Error::NotIterative)));
    assert!(system.solve(&b).unwrap().report.converged);
    let mut eliminated = Solver::new().method(Method::Lu).prepare(&A).unwrap();
    assert!(matches!(eliminated.write_rhs(&b), Err(Error::NotIterative)));
}

/// A time step after the other, b computed from the last answer where it is: x as with b from the host, bit for bit.
fn steps_as_from_the_host(solver: &Solver, A: &Csr<f64>, way: &str) {
    let field: Vec<f64> = scattered(A.rows(), 5);
    let (mut here, mut there) = (solver.prepare(A).unwrap(), solver.prepare(A).unwrap());
    let mut b: Vec<f64> = scattered(A.rows(), 3);
    here.write_rhs(&b).unwrap();
    for step in 0..4 {
        let _ = here.solve_in_place(Start::Zero).unwrap();
        there.write_rhs(&b).unwrap();
        let _ = there.solve_in_place(Start::Zero).unwrap();
        let x = there.solution().unwrap();
        assert_eq!(bits(&here.solution().unwrap()), bits(&x), "{way}, step {step}");
        b = b.iter().zip(&x).zip(&field).map(|((b, x), f)| b + x - f).collect();
        here.write_rhs_with(|e, b, x| {
            let field = e.upload(&field);
            e.pointwise([b], [x, &field], |[b], [x, f]| [b + x - f]);
        })
        .unwrap();
    }
}

#[test]
fn right_hand_sides_are_computed_in_place() {
    let A = real("gallery:poisson2d?n=9");
    for device in DEVICES {
        for (format, ordering) in [("auto", "natural"), ("csr", "rcm"), ("k1r:32", "rcm")] {
            let solver = solver(["cg", "jacobi", format, ordering]).device(device);
            steps_as_from_the_host(&solver, &A, &format!("{device} {format} {ordering}"));
        }
    }
}

#[test]
fn right_hand_sides_are_computed_anew_on_a_gpu() {
    if let Err(error) = galerkit_cuda::launch::Gpu::open(0) {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A = real("gallery:poisson2d?n=9");
    for (format, ordering) in [("csr", "rcm"), ("sell:32:1", "natural")] {
        let solver = solver(["cg", "jacobi", format, ordering]).device(Device::Cuda(0));
        steps_as_from_the_host(&solver.autotuning(Autotuning::Modelled), &A, &format!("a GPU {format} {ordering}"));
    }
}

/// Before the first solve, of any size, and what is not finite: refused, and the b before stays.
#[test]
fn computed_right_hand_sides_of_any_size() {
    let A = real("gallery:poisson2d?n=9");
    let solver = solver(["cg", "jacobi", "auto", "rcm"]);
    let b: Vec<f64> = scattered(A.rows(), 3);
    let usual = solver.solve(&A, &b).unwrap();
    let mut system = solver.prepare(&A).unwrap();
    system
        .write_rhs_with(|e, rhs, _| {
            let b = e.upload(&b);
            e.copy(&b, rhs);
        })
        .unwrap();
    for power in [0, 900, -900, 0] {
        let _ = system.solve_in_place(Start::Zero).unwrap();
        system.write_rhs(&b).unwrap();
        system
            .write_rhs_with(|e, b, _| {
                let (one, other) = (e.number(2f64.powi(power / 2)), e.number(2f64.powi(power - power / 2)));
                e.scale(one, b);
                e.scale(other, b);
            })
            .unwrap();
        let report = system.solve_in_place(Start::Zero).unwrap();
        assert_eq!(report.iterations, usual.report.iterations, "2^{power}");
        let x: Vec<f64> = system.solution().unwrap();
        let back: Vec<f64> = x.iter().map(|x| x * 2f64.powi(-power / 2) * 2f64.powi(power / 2 - power)).collect();
        assert_eq!(bits(&back), bits(&usual.x), "2^{power}");
    }
    let refused = system.write_rhs_with(|e, b, _| {
        let nan = e.number(f64::NAN);
        e.scale(nan, b);
    });
    assert!(refused.unwrap_err().to_string().contains("row 1"));
    assert!(system.solve_in_place(Start::Zero).unwrap().converged, "the b before it");
    let mut eliminated = Solver::new().method(Method::Lu).prepare(&A).unwrap();
    assert!(matches!(eliminated.write_rhs_with(|_, _, _| ()), Err(Error::NotIterative)));
}
