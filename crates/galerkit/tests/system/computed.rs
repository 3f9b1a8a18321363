//! Entries that are computed where the system is solved: what follows has the bits of the same values from the host,
//! nothing is recorded twice, and what is not finite is refused.

use super::in_place::same_in_place;
use super::new_values::{other_values, with_values};
use super::{DEVICES, solver, told};
use galerkit::linalg::engine::Engine as _;
use galerkit::prelude::*;
use galerkit::{Assembly, DeviceVector, Engine};
use galerkit_testkit::problems::{hermitian, scattered};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Each entry times a factor.
fn scale<S: Scalar>(e: &mut Engine<S>, factors: &DeviceVector, entries: &mut DeviceVector) {
    e.pointwise([entries], [factors], |[a], [factor]| [a * factor]);
}

fn factors<S: Scalar>(A: &Csr<S>, turn: usize) -> Vec<S> {
    other_values(A, turn).iter().zip(A.val()).map(|(&new, &old)| new / old).collect()
}

fn times<S: Scalar>(values: &[S], factors: &[S]) -> Vec<S> {
    values.iter().zip(factors).map(|(&a, &factor)| a * factor).collect()
}

/// Twice computed from what was there, plainly and in place: as a system that is told the same values, and as a fresh
/// one.
#[track_caller]
fn computes<S: Scalar>(solver: &Solver, A: &Csr<S>, way: &str) {
    let b = scattered::<S>(A.rows(), 3);
    let [mut computed, mut told_of] = [(); 2].map(|()| solver.prepare(A).unwrap());
    let _ = (computed.solve(&b).unwrap(), told_of.solve(&b).unwrap());
    let mut values = A.val().to_vec();
    for turn in 1..=2 {
        let factors = factors(A, turn);
        values = times(&values, &factors);
        let compute = |e: &mut Engine<S>, entries: &mut DeviceVector| {
            let factors = e.upload(&factors);
            scale(e, &factors, entries);
        };
        computed.update_with(compute).unwrap();
        told_of.update(&values).unwrap();
        let fresh = solver.solve(&with_values(A, &values), &b).unwrap();
        let found = computed.solve(&b).unwrap();
        assert_eq!(told(&found), told(&told_of.solve(&b).unwrap()), "{way}, turn {turn}");
        assert_eq!(told(&found), told(&fresh), "{way}, turn {turn}: fresh");
        let (one, other) = (found.report.backward_error, fresh.report.backward_error);
        assert_eq!(one.to_bits(), other.to_bits(), "{way}, turn {turn}: the backward error");
        assert_eq!(computed.matrix().unwrap().val(), values, "{way}, turn {turn}");
    }
}

const WAYS: [[&str; 4]; 12] = [
    ["cg", "none", "csr", "natural"],
    ["cg", "jacobi", "auto", "rcm"],
    ["cg", "ssor:1.3", "ell", "natural"],
    ["minres", "ilu0", "auto", "rcm"],
    ["cg", "ic0:0.05", "auto", "natural"],
    ["cg", "block-jacobi:4", "auto", "rcm"],
    ["cg", "chebyshev:3", "auto", "natural"],
    ["gmres:10", "ilu0-sweeps:2", "auto", "natural"],
    ["cg", "jacobi", "k2r:32:4", "natural"],
    ["fgmres:10", "inner:cg,precond=jacobi", "auto", "rcm"],
    ["auto", "auto", "auto", "auto"],
    ["lu", "auto", "auto", "auto"],
];

#[test]
fn computed_entries_have_the_bits_of_given_ones() {
    let A: Csr<f64> = hermitian(7);
    for device in DEVICES {
        WAYS.iter().for_each(|way| computes(&solver(*way).device(device), &A, &format!("{way:?} {device}")));
        let hybrid = solver(["cg", "jacobi", "auto", "rcm"]).precision(Precision::Hybrid).device(device);
        computes(&hybrid, &A, &format!("hybrid {device}"));
    }
    computes(&solver(["cg", "ssor:1.1", "auto", "rcm"]), &hermitian::<c64>(6), "c64");
    computes(&solver(["cg", "jacobi", "auto", "rcm"]).rtol(1e-4), &hermitian::<f32>(6), "f32");
}

/// An assembly is recorded once: the entries of three steps, solved for where they are, with nothing new from step to
/// step.
#[track_caller]
fn assembles(solver: &Solver, A: &Csr<f64>, way: &str) {
    let b = scattered::<f64>(A.rows(), 3);
    let mut system = solver.prepare(A).unwrap();
    let old = A.val().to_vec();
    let mut assembly = Assembly::new(move |e: &mut Engine<f64>, inputs, entries| {
        let old = e.upload(&old);
        e.copy(&old, entries);
        scale(e, &inputs[0], entries);
    });
    system.write_rhs(&b).unwrap();
    let mut counted = Vec::new();
    for turn in 1..=4 {
        let factors = factors(A, turn);
        system.assemble(&mut assembly, &[&factors]).unwrap();
        let report = system.solve_in_place(Start::Zero).unwrap();
        let fresh = solver.solve(&with_values(A, &times(A.val(), &factors)), &b).unwrap();
        same_in_place(&mut system, &report, &fresh, &format!("{way}, turn {turn}"));
        counted.push(system.counters());
    }
    assert_eq!(counted[1..], [counted[0]; 3], "{way}: something new with every step");
    system.reset();
    system.write_rhs(&b).unwrap();
    system.assemble(&mut assembly, &[&factors(A, 2)]).unwrap();
    assert_eq!(system.matrix().unwrap().val(), times(A.val(), &factors(A, 2)), "{way}: another engine");
}

#[test]
fn an_assembly_is_recorded_once() {
    let A: Csr<f64> = hermitian(7);
    for device in DEVICES {
        for preconditioner in ["none", "jacobi", "ssor:1.3", "ilu0", "chebyshev:3"] {
            let solver = solver(["cg", preconditioner, "auto", "rcm"]).device(device);
            assembles(&solver, &A, &format!("{preconditioner} {device}"));
        }
    }
}

/// What is refused, in the words of an update from the host, and changes nothing; nor does a closure that panics.
#[track_caller]
fn refuses(solver: &Solver, A: &Csr<f64>, way: &str) {
    let b = scattered::<f64>(A.rows(), 3);
    let mut system = solver.prepare(A).unwrap();
    let _ = system.solve(&b).unwrap();
    let spoil = |e: &mut Engine<f64>, entries: &mut DeviceVector| {
        let mut factors = vec![1.0; A.nnz()];
        factors[A.range(4).start + 1] = f64::INFINITY;
        let factors = e.upload(&factors);
        scale(e, &factors, entries);
    };
    for computed_before in [false, true] {
        if computed_before {
            system.update_with(|e, entries| e.pointwise([entries], [], |[a], []| [a + a])).unwrap();
        }
        let error = system.update_with(spoil).unwrap_err().to_string();
        let column = A.col()[A.range(4).start + 1] + 1;
        assert!(error.contains(&format!("inf at row 5, column {column}")), "{way}: {error}");
        let panics = |e: &mut Engine<f64>, entries: &mut DeviceVector| {
            spoil(e, entries);
            panic!("as a closure may");
        };
        assert!(catch_unwind(AssertUnwindSafe(|| system.update_with(panics))).is_err());
        let now = if computed_before { A.map_values(|a| a + a) } else { A.clone() };
        assert_eq!(system.matrix().unwrap(), now, "{way}");
        assert_eq!(told(&system.solve(&b).unwrap()), told(&solver.solve(&now, &b).unwrap()), "{way}");
    }
}

#[test]
fn entries_that_are_not_finite_are_refused() {
    let A: Csr<f64> = hermitian(7);
    for device in DEVICES {
        for format in ["csr", "sell:8:256", "k2r:32:4"] {
            refuses(&solver(["cg", "jacobi", format, "rcm"]).device(device), &A, &format!("{format} {device}"));
        }
    }
    refuses(&solver(["lu", "auto", "auto", "auto"]), &A, "lu");
}

/// A pivot that does not suit any more: prepared anew, as from the host.
#[test]
fn computed_entries_without_a_preconditioner() {
    let A: Csr<f64> = hermitian(5);
    let b = scattered::<f64>(A.rows(), 3);
    let mut values = A.val().to_vec();
    values[A.range(3).find(|&k| A.col()[k] == 3).unwrap()] = -1.0;
    for preconditioner in ["jacobi", "ssor:1.1", "chebyshev:2", "auto"] {
        let solver = solver(["minres", preconditioner, "auto", "natural"]);
        let mut system = solver.prepare(&A).unwrap();
        let before = system.solve(&b).unwrap();
        let put = |values: &[f64]| {
            let values = values.to_vec();
            move |e: &mut Engine<f64>, entries: &mut DeviceVector| e.write(entries, &values)
        };
        system.update_with(put(&values)).unwrap();
        let said = |found: galerkit::Result<Solution<f64>>| found.map(|found| told(&found)).map_err(|e| e.to_string());
        assert_eq!(said(system.solve(&b)), said(solver.solve(&with_values(&A, &values), &b)), "{preconditioner}");
        system.update_with(put(A.val())).unwrap();
        let again = system.solve(&b).unwrap();
        assert!(again.report.converged, "{preconditioner}");
        if preconditioner != "auto" {
            assert_eq!(told(&again), told(&before), "{preconditioner}: good again");
        }
    }
}

/// On a GPU, where the values stay, and factors and the copy in single precision follow.
#[test]
fn computed_entries_are_made_anew_on_a_gpu() {
    if let Err(error) = galerkit_cuda::launch::Gpu::open(0) {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A: Csr<f64> = hermitian(7);
    let made = |preconditioner: &str, format: &str| {
        let solver = solver(["cg", preconditioner, format, "rcm"]).device(Device::Cuda(0));
        solver.autotuning(Autotuning::Modelled).triangular(match preconditioner {
            "ilu0" => Choice::Given(TriangularSolve::Exact),
            _ => Choice::Auto,
        })
    };
    for (preconditioner, format) in
        [("jacobi", "sell:32:1"), ("ilu0", "csr"), ("block-jacobi:4", "csr"), ("chebyshev:2", "csr")]
    {
        computes(&made(preconditioner, format), &A, &format!("{preconditioner} on a GPU"));
        assembles(&made(preconditioner, format), &A, &format!("{preconditioner} assembled on a GPU"));
    }
    computes(&made("jacobi", "csr").precision(Precision::Hybrid), &A, "hybrid on a GPU");
    refuses(&made("jacobi", "csr"), &A, "a GPU");
}
