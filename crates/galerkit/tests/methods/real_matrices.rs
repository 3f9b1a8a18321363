//! What the program does by itself on real matrices: those that iterations or elimination alone would take minutes for,
//! or fail at.

use galerkit::AnyMatrix;
use galerkit::prelude::*;
use galerkit_testkit::data_file;

/// The methods that were tried, for b of ones, the last of which converges.
fn tried(name: &str) -> Option<String> {
    let A = galerkit::load(&data_file(&format!("{name}.mtx.gz"))?.to_string_lossy()).unwrap().matrix;
    let report = match A {
        AnyMatrix::C64(A) => Solver::new().solve(&A, &vec![c64::new(1.0, 0.0); A.rows()]).unwrap().report,
        other => {
            let A = other.into_real().unwrap();
            Solver::new().solve(&A, &vec![1.0; A.rows()]).unwrap().report
        }
    };
    assert!(report.converged, "{name}: {report}");
    Some(report.tried.iter().map(|attempt| attempt.name()).collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn takes(name: &str, methods: &str) {
    if let Some(tried) = tried(name) {
        assert_eq!(tried, methods, "{name}");
    }
}

/// CG took 8566 iterations.
#[test]
fn beam_is_eliminated() {
    takes("fem_systems/beam", "cholesky");
}

/// Restarted GMRES stagnates.
#[test]
fn vardofpernode_is_eliminated() {
    takes("fem_systems/vardofpernode", "lu");
}

#[test]
fn little_fill_is_seen_whatever_the_pattern() {
    takes("fem_systems/nsjac", "lu");
    takes("irregular/gemat12", "lu");
    takes("irregular/west0497", "lu");
    takes("complex/helmholtz_2D_dg", "lu");
}

/// Its factors have 50 times the entries of the matrix, and BiCGSTAB needs 18 products.
#[test]
fn cage10_is_iterated() {
    takes("suitesparse/cage10", "bicgstab");
}

#[test]
fn what_converges_quickly_is_iterated() {
    takes("complex/maxwell_M1_complex", "cg");
    takes("suitesparse/bcsstk16", "cg");
}
