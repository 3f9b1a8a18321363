//! Operators that are linear maps: the answers of stored matrices, with the same criteria, reports and devices; and
//! what is refused.

use galerkit::cuda::testing;
use galerkit::linalg::engine::{Engine as _, Operator, Resident};
use galerkit::linalg::krylov::Outcome;
use galerkit::linalg::map::{Diagonal, LinearMap, diagonal_map, matrix_map};
use galerkit::linalg::sparse::Matrix;
use galerkit::prelude::*;
use galerkit::{Engine, Error, OpenMap, OpenPreconditioner, Rhs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering as Atomic};

fn matrix(name: &str) -> Csr<f64> {
    galerkit::load(name).unwrap().into_real().unwrap()
}

fn map_of(A: &Csr<f64>) -> OpenMap<f64> {
    OpenMap::new(matrix_map(Matrix::from_csr(A, Format::Csr).unwrap()))
}

fn rhs(rows: usize) -> Vec<f64> {
    Rhs::Random { seed: 5 }.entries(rows).unwrap()
}

/// CPU, reference, and the GPU where there is one.
fn devices() -> Vec<Device> {
    let gpu = testing::gpu().map(|_| Device::Cuda(0));
    [Device::Cpu, Device::Reference].into_iter().chain(gpu).collect()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    norm(&mut x.iter().zip(y).map(|(x, y)| x - y)) / norm(&mut y.iter().copied())
}

#[test]
fn every_method_gives_the_answer_of_the_matrix() {
    let A = matrix("gallery:poisson2d?n=12");
    let b = rhs(A.rows());
    let expected = Solver::new().method(Method::Cholesky).solve(&A, &b).unwrap().x;
    for device in devices() {
        let all = ["cg", "bicgstab", "minres", "gmres:20", "fgmres:20", "idr:2", "gcr:10", "fcg"];
        // On a GPU each is a program to compile; its own tests run them all.
        let some = if matches!(device, Device::Cuda(_)) { &all[..2] } else { &all[..] };
        for &name in some {
            for precond in ["none", "jacobi", "chebyshev:3"] {
                let map = map_of(&A).diagonal(A.diagonal()).eigenvalue_bound(2.0);
                let solver = Solver::new()
                    .method(name.parse::<Method>().unwrap())
                    .preconditioner(precond.parse::<Preconditioning>().unwrap())
                    .device(device)
                    .rtol(1e-10);
                let Solution { x, report } = solver.solve_map(map, &b).unwrap();
                let what = format!("{name} + {precond} on {device}");
                assert!(report.converged && report.true_residual <= 1e-10, "{what}: {report}");
                assert!(distance(&x, &expected) < 1e-8, "{what}");
                assert_eq!((report.method_name(), report.device), (format!("{name} + {precond}"), device));
                assert_eq!(report.history.len(), report.iterations + 1, "{what}");
                let found = (report.format.to_string(), report.rows, report.nnz);
                assert_eq!(found, ("csr".into(), 144, A.nnz()), "a matrix is one also as an operator");
            }
        }
    }
}

#[test]
fn cg_with_jacobi_has_the_iterates_of_the_matrix() {
    let A = matrix("gallery:poisson3d?n=7");
    let b = rhs(A.rows());
    let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Jacobi).format(Format::Csr);
    let stored = solver.ordering(Ordering::Natural).solve(&A, &b).unwrap();
    let solver = Solver::new().preconditioner(Preconditioner::Jacobi);
    let open = solver.solve_map(map_of(&A).positive_definite().diagonal(A.diagonal()), &b).unwrap();
    assert_eq!((open.report.iterations, open.x), (stored.report.iterations, stored.x));
    assert_eq!(open.report.bytes_moved, stored.report.bytes_moved);
    assert_eq!(open.report.backward_error, open.report.true_residual, "a bound where ||A|| is not known");
}

#[test]
fn what_is_left_to_the_program_follows_from_what_is_known() {
    let A = matrix("gallery:poisson2d?n=8");
    let b = rhs(64);
    let names = |map: OpenMap<f64>| Solver::new().solve_map(map, &b).unwrap().report;
    assert_eq!(names(map_of(&A)).method_name(), "gmres:30 + none");
    assert_eq!(names(map_of(&A).self_adjoint()).method_name(), "minres + none");
    assert_eq!(names(map_of(&A).positive_definite().diagonal(A.diagonal())).method_name(), "cg + jacobi");
    let report = names(map_of(&A).positive_definite().diagonal(vec![0.0; 64]));
    assert_eq!(report.method_name(), "cg + none");
    assert!(report.preconditioner_reason.contains("does not suit"), "{}", report.preconditioner_reason);
    let automatic = Solver::new().device(Choice::Auto).solve_map(map_of(&A), &b).unwrap().report;
    assert_eq!(automatic.device, Device::Cpu);
    assert!(automatic.device_reason.contains("64 unknowns are too few for a GPU"), "{}", automatic.device_reason);
}

#[test]
fn a_system_stays_prepared_and_starts_where_it_is_told() {
    let A = matrix("gallery:poisson2d?n=12");
    let b = rhs(A.rows());
    for device in devices() {
        let solver = Solver::new().device(device);
        let mut system = solver.prepare_map(map_of(&A).positive_definite().diagonal(A.diagonal())).unwrap();
        let cold = system.solve(&b).unwrap();
        assert!(cold.report.iterations > 5);
        assert_eq!(system.solve_from(&b, &cold.x).unwrap().report.iterations, 0);
        let before = system.counters();
        assert_eq!(system.solve(&b).unwrap().x, cold.x, "{device}");
        assert_eq!((system.counters(), before.programs > 0), (before, true), "nothing is compiled again on {device}");
        system.reset();
        assert_eq!(system.solve(&b).unwrap().x, cold.x, "{device}");
        let tiny: Vec<f64> = b.iter().map(|b| b * 2f64.powi(-700)).collect();
        let solved = system.solve(&tiny).unwrap();
        assert!(solved.report.converged && solved.report.rhs_norm < 1e-200, "squares would vanish");
        let back: Vec<f64> = solved.x.iter().map(|x| x * 2f64.powi(700)).collect();
        assert!(distance(&back, &cold.x) < 1e-7, "{device}");
    }
}

#[test]
fn observers_and_limits_end_it() {
    let A = matrix("gallery:poisson2d?n=20");
    let b = rhs(A.rows());
    let solver = Solver::new().max_iterations(3);
    let report = solver.solve_map(map_of(&A).positive_definite(), &b).unwrap().report;
    assert_eq!((report.outcome, report.iterations), (Outcome::IterationLimit, 3));
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let solver = Solver::new().observer(move |progress| {
        count.fetch_add(1, Atomic::Relaxed);
        if progress.iteration < 4 { Go::On } else { Go::Stop }
    });
    let report = solver.solve_map(map_of(&A).positive_definite(), &b).unwrap().report;
    assert!(report.outcome == Outcome::Interrupted && report.iterations < 20);
    assert!(seen.load(Atomic::Relaxed) >= 4);
}

/// 1, 2, 3, ... on the diagonal, and an error that a recurrence does not see: the first entry of y is moved by 1e-5.
#[derive(Clone, Debug)]
struct Coarse(usize);

impl LinearMap<f64> for Coarse {
    fn shape(&self) -> (usize, usize) {
        (self.0, self.0)
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[f64], x: &[f64], y: &mut [f64]) {
        y.iter_mut().zip(x).enumerate().for_each(|(i, (y, x))| *y = (1.0 + i as f64) * x);
        y[0] += 1e-5 * if x[0] < 0.5 { 1.0 } else { -1.0 };
    }
}

#[test]
fn converged_is_believed_only_when_the_true_residual_says_so() {
    let solver = Solver::new().method(Krylov::Cg).rtol(1e-10);
    let Solution { x, report } = solver.solve_map(OpenMap::new(Box::new(Coarse(8))), &[1.0; 8]).unwrap();
    let mut y = vec![0.0; 8];
    Coarse(8).apply(&[], &x, &mut y);
    let truth = distance(&y, &[1.0; 8]);
    assert!((report.true_residual - truth).abs() <= 1e-12 && report.converged == (truth <= 1e-10), "{report}");
}

/// Damped Jacobi, in the verbs of the engine and with the operator of the system.
struct Sweep {
    inverse: Vec<f64>,
}

struct LoadedSweep(Resident<Engine<f64>>, Resident<Engine<f64>>);

impl OpenPreconditioner<f64> for Sweep {
    fn load(&self, e: &mut Engine<f64>, A: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
        let D = e.load(Box::new(Diagonal::new(self.inverse.clone())));
        Box::new(LoadedSweep(Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise }, D))
    }
    fn describe(&self) -> String {
        "two sweeps".into()
    }
    fn bytes(&self) -> usize {
        size_of_val(&self.inverse[..])
    }
}

impl Operator<Engine<f64>> for LoadedSweep {
    fn apply(&self, e: &mut Engine<f64>, x: &galerkit::DeviceVector, y: &mut galerkit::DeviceVector) {
        let Self(A, D) = self;
        let (mut r, mut z) = (e.zeros_like(x), e.zeros_like(x));
        e.apply(D, x, y); // y = D^-1 x
        e.residual(A, x, y, &mut r); // r = x - A y
        e.apply(D, &r, &mut z);
        let one = e.number(1.0);
        e.axpy(one, &z, y); // y = y + D^-1 r
    }
}

#[test]
fn a_preconditioner_that_is_brought_along() {
    let A = matrix("gallery:poisson2d?n=16");
    let b = rhs(A.rows());
    for device in devices() {
        let open = || {
            let sweep = Sweep { inverse: A.diagonal().iter().map(|d| 0.5 / d).collect() };
            map_of(&A).positive_definite().diagonal(A.diagonal()).preconditioned_by(sweep)
        };
        let solver = Solver::new().rtol(1e-10).device(device);
        let brought = solver.solve_map(open(), &b).unwrap();
        let plain = solver.clone().preconditioner(Preconditioner::Jacobi).solve_map(open(), &b).unwrap();
        assert_eq!(plain.report.method_name(), "cg + jacobi", "what is named goes first");
        assert_eq!(brought.report.method_name(), "cg + two sweeps");
        assert_eq!(brought.report.preconditioner_reason, "brought along");
        assert!(brought.report.converged && brought.report.iterations < plain.report.iterations, "{device}");
        assert!(distance(&brought.x, &plain.x) < 1e-8, "{device}");
        if device == Device::Cpu {
            let [plain, brought] = [&plain, &brought].map(|solved| solved.report.iteration_bytes.unwrap());
            // once more A and D, and what the sweeps read and write of vectors of 256 numbers
            assert!(brought > plain + (A.bytes() + 256 * 8) as u64, "{plain} {brought}");
        }
    }
}

#[test]
fn what_an_operator_does_not_show_is_said_with_what_to_do() {
    let A = matrix("gallery:poisson2d?n=4");
    let open = || map_of(&A).diagonal(A.diagonal());
    let refused = |solver: Solver, map: OpenMap<f64>| solver.solve_map(map, &[1.0; 16]).unwrap_err().to_string();
    let precond = |name: &str| Solver::new().preconditioner(name.parse::<Preconditioning>().unwrap());
    for (said, words) in [
        (refused(precond("ilu0"), open()), ["ilu0 needs the entries of a matrix", "none, jacobi or chebyshev"]),
        (refused(precond("ssor:1"), open()), ["ssor:1 needs the entries of a matrix", "bring one along"]),
        (refused(precond("inner"), open()), ["needs the entries of a matrix", "none or jacobi"]),
        (refused(precond("jacobi"), map_of(&A)), ["jacobi needs the diagonal", "OpenMap::diagonal"]),
        (refused(precond("chebyshev:4"), open()), ["bound of the eigenvalues", "OpenMap::eigenvalue_bound"]),
        (refused(Solver::new().method(Method::Lu), open()), ["lu needs the entries", "cg, minres or gmres"]),
        (refused(Solver::new().method(Krylov::Vpgcr { restart: 4 }), open()), ["vpgcr needs the entries", "fgmres"]),
        (refused(Solver::new().format(Format::Csr), open()), ["the format csr", "leave it to the program"]),
        (refused(Solver::new().ordering(Ordering::Rcm), open()), ["the ordering rcm", "leave it to the program"]),
        (refused(Solver::new().precision(Precision::Hybrid), open()), ["hybrid precision", "double precision"]),
        (refused(Solver::new().precision(Precision::Single), open()), ["single precision", "double precision"]),
        (refused(Solver::new().rtol(-1.0), open()), ["rtol", "not negative"]),
        (refused(Solver::new(), map_of(&A).diagonal(vec![1.0; 3])), ["the diagonal", "16"]),
        (refused(precond("jacobi").method(Krylov::Cg), map_of(&A).diagonal(vec![-1.0; 16])), ["Jacobi", "-1"]),
    ] {
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
    let said = Solver::new().solve_map(open(), &[1.0; 3]).unwrap_err().to_string();
    assert!(said.contains("the right-hand side") && said.contains("16"), "{said}");
    let said = Solver::new().solve_map(open(), &[f64::NAN; 16]).unwrap_err().to_string();
    assert!(said.contains("NaN") && said.contains("row 1"), "{said}");
    let rectangular = galerkit::linalg::sparse::Csr::new(1, 2, vec![0, 1], vec![0], vec![1.0]).unwrap();
    let said = Solver::new().solve_map(map_of(&rectangular), &[1.0]).unwrap_err();
    assert!(matches!(said, Error::Linalg(_)) && said.to_string().contains("1 x 2"), "{said}");
}

#[test]
fn no_unknowns_are_solved() {
    let nothing = OpenMap::new(diagonal_map(Diagonal::new(Vec::<f64>::new())));
    let Solution { x, report } = Solver::new().solve_map(nothing, &[]).unwrap();
    assert!(x.is_empty() && report.converged && report.method_reason.contains("no unknowns"));
}

/// Takes the inverse of a diagonal.
struct Inverse(Vec<f64>);

impl OpenPreconditioner<f64> for Inverse {
    fn load(&self, e: &mut Engine<f64>, _: &Resident<Engine<f64>>) -> Box<dyn Operator<Engine<f64>> + Send> {
        Box::new(e.load(diagonal_map(Diagonal::new(self.0.iter().map(|d| 1.0 / d).collect()))))
    }
    fn describe(&self) -> String {
        format!("of {}", self.0[0])
    }
}

/// What was loaded stays: another operator is other values, computed where they are, and another preconditioner.
#[test]
fn operators_take_new_values_where_they_are() {
    let A = matrix("gallery:poisson2d?n=12");
    let b = rhs(A.rows());
    let terms = [A.val().to_vec(), A.val().iter().map(|&a| if a > 0.0 { 1.0 } else { 0.0 }).collect()];
    let of = |c: f64| {
        let values = terms[0].iter().zip(&terms[1]).map(|(a, m)| a + c * m).collect::<Vec<_>>();
        Csr::new(A.rows(), A.cols(), A.start().to_vec(), A.col().to_vec(), values).unwrap()
    };
    for device in devices() {
        let solver = Solver::new().method(Krylov::Cg).device(device).rtol(1e-11);
        let map = map_of(&A).positive_definite().preconditioned_by(Inverse(A.diagonal()));
        let mut system = solver.prepare_map(map).unwrap();
        let uploaded = terms.clone();
        let mut assembly = galerkit::Assembly::new(move |e, inputs, values| {
            let [a, m] = [&uploaded[0], &uploaded[1]].map(|term| e.upload(term));
            let one = e.upload(&[1.0]);
            let (c, unit, none) = (e.dot(&one, &inputs[0]), e.number(1.0), e.number(0.0));
            e.axpby(unit, &a, none, values);
            e.axpby(c, &m, unit, values);
        });
        let mut maps = None;
        for c in [1.0, 8.0, 64.0] {
            let A = of(c);
            system.assemble(&mut assembly, &[&[c]]).unwrap();
            system.precondition_by(Inverse(A.diagonal())).unwrap();
            let Solution { x, report } = system.solve(&b).unwrap();
            let expected = Solver::new().method(Method::Cholesky).solve(&A, &b).unwrap().x;
            assert!(report.converged && distance(&x, &expected) < 1e-9, "{device} {c}: {report}");
            assert_eq!(report.preconditioner.to_string(), format!("of {}", 4.0 + c), "{device}");
            let there = system.counters().maps;
            assert_eq!(*maps.get_or_insert(there), there, "{device}: the old preconditioner goes");
        }
        let mut cells = solver.prepare_map(OpenMap::new(diagonal_map(Diagonal::new(vec![1.0, 2.0])))).unwrap();
        let refused = cells.update_with(|_, _| ()).unwrap_err().to_string();
        assert!(refused.contains("compressed rows"), "{refused}");
    }
}
