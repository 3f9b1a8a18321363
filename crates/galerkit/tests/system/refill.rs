//! What depends on values is made anew where it is: every preconditioner, plain and in hybrid precision. The solve
//! after an update has the bits of a fresh one, and what was prepared is what was prepared before: nothing is compiled
//! or loaded.

use super::new_values::{follows, other_values, with_values};
use super::{DEVICES, solver, told};
use galerkit::prelude::*;
use galerkit_testkit::problems::{hermitian, scattered};

const NAMES: [&str; 10] = [
    "none",
    "jacobi",
    "ssor:1.3",
    "ilu0",
    "ilu:1",
    "ic0",
    "ic0:0.05",
    "ilu0-blocks:3",
    "block-jacobi:4",
    "chebyshev:3",
];

/// Two updates: the first makes what updates need, the second and all later ones make nothing.
#[track_caller]
pub(super) fn keeps(solver: &Solver, A: &Csr<f64>, way: &str) {
    let b = scattered::<f64>(A.rows(), 3);
    let mut system = solver.prepare(A).unwrap();
    let prepared = {
        let _ = system.solve(&b).unwrap();
        system.counters()
    };
    let mut counted = Vec::new();
    for turn in 1..=4 {
        let values = other_values(A, turn);
        system.update(&values).unwrap();
        let updated = system.solve(&b).unwrap();
        let fresh = solver.solve(&with_values(A, &values), &b).unwrap();
        assert_eq!(told(&updated), told(&fresh), "{way}, update {turn}");
        counted.push(system.counters());
    }
    assert!(counted[0].programs > prepared.programs, "{way}: prepared anew: {prepared:?} {:?}", counted[0]);
    assert_eq!(counted[1..], [counted[0]; 3], "{way}: something new with every update");
}

#[test]
fn preconditioners_are_made_anew_in_place() {
    let A: Csr<f64> = hermitian(8);
    for device in DEVICES {
        for ordering in ["natural", "rcm"] {
            for preconditioner in NAMES {
                let solver = solver(["cg", preconditioner, "auto", ordering]).device(device);
                keeps(&solver, &A, &format!("{preconditioner} {ordering} {device}"));
            }
        }
    }
}

/// Formats that sort rows, and sweeps, whose maps are three.
#[test]
fn sorted_rows_and_sweeps_are_made_anew_in_place() {
    let A: Csr<f64> = hermitian(8);
    for device in DEVICES {
        for format in ["k1:8", "k1r:8", "k1rs:8", "k2:8:4", "k2r:8:4", "k2rs:8:4"] {
            let way = |preconditioner: &str| solver(["cg", preconditioner, format, "rcm"]).device(device);
            ["jacobi", "ilu0"].iter().for_each(|name| keeps(&way(name), &A, &format!("{name} {format} {device}")));
            keeps(&way("jacobi").precision(Precision::Hybrid), &A, &format!("hybrid {format} {device}"));
        }
        for preconditioner in ["ilu0", "ic0:0.05", "ilu0-blocks:3", "parilu0:3"] {
            let swept = solver(["cg", preconditioner, "auto", "rcm"]).triangular(TriangularSolve::Sweeps(3));
            let swept = swept.device(device);
            keeps(&swept, &A, &format!("{preconditioner} swept {device}"));
            keeps(&swept.precision(Precision::Hybrid), &A, &format!("hybrid {preconditioner} swept {device}"));
        }
        keeps(&solver(["cg", "ilu0-sweeps:2", "auto", "natural"]).device(device), &A, &format!("by name {device}"));
    }
}

/// The copy of matrix and preconditioner in single precision follows too; so does an inner solve in double precision.
#[test]
fn inner_solves_are_made_anew_in_place() {
    let A: Csr<f64> = hermitian(8);
    for device in DEVICES {
        for preconditioner in NAMES {
            let hybrid = solver(["cg", preconditioner, "auto", "rcm"]).precision(Precision::Hybrid).device(device);
            keeps(&hybrid, &A, &format!("hybrid {preconditioner} {device}"));
            let nested = format!("inner:cg,precond={preconditioner}");
            let nested = solver(["fgmres:10", &nested, "auto", "natural"]).device(device);
            keeps(&nested, &A, &format!("inner {preconditioner} {device}"));
        }
    }
}

/// On a GPU, where the factors of new values never leave it. Exact solves, because what sweeps would gain depends on
/// values.
#[test]
fn preconditioners_are_made_anew_on_a_gpu() {
    if let Err(error) = galerkit_cuda::launch::Gpu::open(0) {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A: Csr<f64> = hermitian(8);
    let made = |preconditioner: &str, ordering: &str| {
        let solver =
            solver(["cg", preconditioner, "csr", ordering]).device(Device::Cuda(0)).autotuning(Autotuning::Modelled);
        if preconditioner.starts_with('i') { solver.triangular(TriangularSolve::Exact) } else { solver }
    };
    for preconditioner in ["jacobi", "ssor:1.3", "ilu0", "ic0:0.05", "ilu0-blocks:3", "block-jacobi:4", "chebyshev:2"] {
        keeps(&made(preconditioner, "rcm"), &A, &format!("{preconditioner} on a GPU"));
    }
    for preconditioner in ["ilu0", "ilu:1", "ic0", "parilu0:3"] {
        let (b, there) =
            (scattered::<f64>(A.rows(), 3), made(preconditioner, "rcm").triangular(TriangularSolve::Exact));
        let counts = [there.clone(), there.device(Device::Cpu)].map(|way| way.solve(&A, &b).unwrap().report.iterations);
        assert_eq!(counts[0], counts[1], "{preconditioner}: factors that never left the GPU, and the host's");
    }
    for preconditioner in ["ilu0-sweeps:2", "ic0"] {
        let swept = solver(["cg", preconditioner, "k2r:32:4", "natural"]).device(Device::Cuda(0));
        let swept = if preconditioner == "ic0" { swept.triangular(TriangularSolve::Sweeps(2)) } else { swept };
        keeps(&swept, &A, &format!("{preconditioner} swept on a GPU"));
    }
    for preconditioner in ["ssor:1.3", "ilu0", "block-jacobi:4", "chebyshev:2"] {
        let hybrid = made(preconditioner, "natural").precision(Precision::Hybrid);
        keeps(&hybrid, &A, &format!("hybrid {preconditioner} on a GPU"));
    }
}

#[test]
fn sweeps_and_every_scalar_follow() {
    for preconditioner in
        ["ssor:0.8", "ilu0-fixed:3", "ilu0-sweeps:2", "ic0", "block-jacobi:3", "ilu0-blocks:2", "chebyshev:2"]
    {
        let way = solver(["bicgstab", preconditioner, "auto", "rcm"]).rtol(1e-4);
        follows(&way, &hermitian::<c64>(6), &format!("c64 {preconditioner}"));
        follows(&way, &hermitian::<c32>(6), &format!("c32 {preconditioner}"));
        follows(&way, &hermitian::<f32>(6), &format!("f32 {preconditioner}"));
    }
}

/// Values for which the preconditioner does not exist: what a fresh solve says; and good values make it good again.
#[test]
fn a_preconditioner_that_vanishes_is_what_it_is_for_a_fresh_solve() {
    let A: Csr<f64> = hermitian(5);
    let b = scattered::<f64>(A.rows(), 3);
    let mut holed = A.clone();
    let first = A.range(3).find(|&k| A.col()[k] == 3).unwrap();
    holed.val_mut()[first] = -A.val()[first]; // ILU has a negative pivot, IC none, SSOR no root
    for preconditioner in ["ssor:1.1", "ilu0", "ic0", "jacobi", "chebyshev:2"] {
        for precision in [Precision::Double, Precision::Hybrid] {
            let solver = solver(["minres", preconditioner, "auto", "natural"]).precision(precision);
            let Ok(mut system) = solver.prepare(&A) else { continue };
            let Ok(before) = system.solve(&b) else { continue };
            system.update(holed.val()).unwrap();
            let (found, fresh) = (system.solve(&b), solver.solve(&holed, &b));
            match (found, fresh) {
                (Ok(found), Ok(fresh)) => assert_eq!(told(&found), told(&fresh), "{preconditioner} {precision}"),
                (Err(found), Err(fresh)) => assert_eq!(found.to_string(), fresh.to_string(), "{preconditioner}"),
                (found, fresh) => panic!("{preconditioner} {precision}: {:?}, fresh {:?}", found.err(), fresh.err()),
            }
            system.update(A.val()).unwrap();
            assert_eq!(told(&system.solve(&b).unwrap()), told(&before), "{preconditioner} {precision}: good again");
        }
    }
}

/// A block without an inverse: the error of a fresh solve; and good values make it good again.
#[test]
fn a_singular_block_is_what_it_is_for_a_fresh_solve() {
    let A: Csr<f64> = hermitian(5);
    let b = scattered::<f64>(A.rows(), 3);
    let mut holed = A.clone();
    (0..2).flat_map(|i| A.range(i)).filter(|&k| A.col()[k] < 2).for_each(|k| holed.val_mut()[k] = 1.0);
    for (device, precision) in DEVICES.into_iter().flat_map(|d| [Precision::Double, Precision::Hybrid].map(|p| (d, p)))
    {
        let solver = solver(["gmres:10", "block-jacobi:2", "auto", "natural"]).device(device).precision(precision);
        let mut system = solver.prepare(&A).unwrap();
        let before = system.solve(&b).unwrap();
        system.update(holed.val()).unwrap();
        let said = [system.solve(&b), solver.solve(&holed, &b)].map(|found| found.unwrap_err().to_string());
        assert!(said[0] == said[1] && said[0].contains("singular"), "{device} {precision}: {said:?}");
        system.update(A.val()).unwrap();
        assert_eq!(told(&system.solve(&b).unwrap()), told(&before), "{device} {precision}: good again");
    }
}
