//! Solves with the transpose and the adjoint, held against the system with the transposed matrix.

use galerkit::prelude::*;
use galerkit::{Error, Rhs};

use crate::systems::{matrix, real, residual};

/// A random matrix with a heavy diagonal and scattered entries; Hermitian if it is to be.
fn random<S: Scalar>(rows: usize, is_hermitian: bool) -> Csr<S> {
    let numbers: Vec<S> = Rhs::Random { seed: 5 }.entries(4 * rows).unwrap();
    let mut entries = Vec::new();
    for i in 0..rows {
        entries.push((i, i, S::from_f64(8.0)));
        for k in 0..3 {
            let (j, value) = ((i * 7 + 13 * k + 1) % rows, numbers[4 * i + k]);
            if i != j {
                entries.push((i, j, value));
                entries.extend(is_hermitian.then_some((j, i, value.conj())));
            }
        }
    }
    matrix(rows, &entries)
}

/// Solves by a method with A, A^T and A^H and looks at the residuals of the explicitly transposed systems.
fn transposes<S: Scalar>(method: Method) {
    let A = random::<S>(150, method == Method::Cholesky);
    let b: Vec<S> = Rhs::Random { seed: 8 }.entries(A.rows()).unwrap();
    let mut system = Solver::new().method(method).rtol(64.0 * S::eps()).prepare(&A).unwrap();
    let solutions =
        [system.solve_transposed(&b).unwrap(), system.solve_adjoint(&b).unwrap(), system.solve(&b).unwrap()];
    for (solution, M) in solutions.iter().zip([A.transpose(), A.conjugate_transpose(), A.clone()]) {
        let report = &solution.report;
        assert!(report.converged && report.method == method && report.setup_seconds >= 0.0, "{report}");
        assert!(residual(&M, &b, &solution.x) <= 256.0 * S::eps(), "{method}, {}", S::KIND.name());
    }
    let [transposed, adjoint, plain] = solutions.map(|solution| solution.x);
    if S::KIND.is_complex() {
        assert_ne!(transposed, adjoint);
    } else {
        assert_eq!(transposed, adjoint);
    }
    let same =
        |x: &[S], y: &[S]| x.iter().zip(y).all(|(&x, &y)| (x - y).modulus_squared().parts().0.sqrt() <= 1e3 * S::eps());
    if method == Method::Cholesky {
        assert!(same(&adjoint, &plain), "A is Hermitian");
        let conjugated: Vec<S> = b.iter().map(|value| value.conj()).collect();
        let turned: Vec<S> = system.solve(&conjugated).unwrap().x.into_iter().map(|value| value.conj()).collect();
        assert!(same(&transposed, &turned), "the transpose is the conjugate");
    }
}

#[test]
fn factors_serve_the_transpose_and_the_adjoint() {
    for method in [Method::Lu, Method::Cholesky, Method::Dense] {
        transposes::<f32>(method);
        transposes::<f64>(method);
        transposes::<c32>(method);
        transposes::<c64>(method);
    }
}

#[test]
fn without_a_method_it_is_lu_and_the_factors_stay() {
    let A = random::<f64>(80, false);
    let b = vec![1.0; A.rows()];
    let mut system = Solver::new().prepare(&A).unwrap();
    let first = system.solve_transposed(&b).unwrap();
    assert_eq!((first.report.method, first.report.converged), (Method::Lu, true));
    assert_eq!(system.solve_transposed(&b).unwrap().report.setup_seconds, 0.0);
    // New values have factors of their own.
    let doubled: Vec<f64> = A.val().iter().map(|a| 2.0 * a).collect();
    system.update(&doubled).unwrap();
    let halved = system.solve_transposed(&b).unwrap().x;
    assert!(halved.iter().zip(&first.x).all(|(x, y)| (2.0 * x - y).abs() <= 1e-12));
    // What elimination has factorised already is taken.
    let mut dense = Solver::new().prepare(&A).unwrap();
    assert_eq!(dense.solve(&b).unwrap().report.method, Method::Dense);
    assert_eq!(dense.solve_adjoint(&b).unwrap().report.method, Method::Dense);
}

#[test]
fn single_precision_and_tiny_right_hand_sides() {
    let A = random::<f64>(80, false);
    let tiny = vec![1e-300; A.rows()];
    let x = Solver::new().method(Method::Lu).prepare(&A).unwrap().solve_transposed(&tiny).unwrap();
    assert!(x.report.converged && residual(&A.transpose(), &vec![1.0; A.rows()], &times(&x.x, 1e300)) <= 1e-12);
    let b = vec![1.0; A.rows()];
    let rounded = Solver::new().method(Method::Lu).precision(Precision::Single).rtol(1e-4);
    let solution = rounded.prepare(&A).unwrap().solve_transposed(&b).unwrap();
    assert!(solution.report.converged && residual(&A.transpose(), &b, &solution.x) <= 1e-4);
}

fn times(x: &[f64], factor: f64) -> Vec<f64> {
    x.iter().map(|value| value * factor).collect()
}

#[test]
fn iterations_have_no_factors_and_say_what_has() {
    let A = real("gallery:poisson2d?n=10");
    let b = vec![1.0; A.rows()];
    let mut system = Solver::new().method(Krylov::Cg).prepare(&A).unwrap();
    let error = system.solve_transposed(&b).unwrap_err();
    assert!(matches!(error, Error::NoFactorsToTranspose { .. }));
    assert!(error.to_string().contains("cg cannot") && error.to_string().contains("choose the method lu"), "{error}");
    let hybrid = Solver::new().method(Method::Lu).precision(Precision::Hybrid);
    assert!(matches!(hybrid.prepare(&A).unwrap().solve_adjoint(&b), Err(Error::NoIterations { .. })));
    assert!(system.solve_adjoint(&b[1..]).is_err());
}
