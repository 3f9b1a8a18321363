//! The CPU backend: the conformance suite, every format against the reference, and the same bits whatever the number of
//! threads, fused or not.

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{Preconditioner, Ssor};
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::System;
use galerkit_testkit::conformance::{self, integers, thirds};
use galerkit_testkit::problems::{applied, from_triples, hermitian, laplacian};

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn passes_the_conformance_suite() {
    with_threads(1, || conformance::all::<f64, _>(&Cpu));
    with_threads(3, || {
        conformance::all::<f32, _>(&Cpu);
        conformance::all::<f64, _>(&Cpu);
        conformance::all::<c32, _>(&Cpu);
        conformance::all::<c64, _>(&Cpu);
    });
}

#[test]
fn columns_too_far_apart_for_16_bits_still_agree() {
    let n = 200_000;
    let triples: Vec<_> = (0..n).flat_map(|i| [(i, i, 2.0), (i, (i * 7919) % n, 1.0), (i, 0, 1.0)]).collect();
    let A = from_triples::<f64>(n, n, &triples);
    let x = integers::<f64>(n, 4);
    let sell = Box::new(Matrix::from_csr(&A, "sell:8:1".parse().unwrap()).unwrap());
    assert!(applied(&Cpu, sell.clone(), &x) == applied(&Reference, sell, &x));
}

#[test]
fn dot_products_have_the_same_bits_on_any_number_of_threads() {
    for n in [0, 1, 1023, 1024, 1025, 100_003, 1_000_000] {
        let (x, y) = (thirds::<f64>(n, 5), thirds::<f64>(n, 6));
        let one = with_threads(1, || Cpu.dot(&x, &y));
        for threads in [2, 3, 7] {
            assert_eq!(one.to_bits(), with_threads(threads, || Cpu.dot(&x, &y)).to_bits(), "length {n}");
        }
    }
}

/// Recorded and fused equals immediate, bit for bit, on every number of threads.
fn solves_alike<S: Scalar>(A: &Csr<S>, format: &str, preconditioner: Preconditioner) {
    let b = thirds::<S>(A.rows(), 7);
    let mut system = System::new(A, preconditioner, b);
    system.A = Matrix::from_csr(A, format.parse().unwrap()).unwrap();
    let stop = Stop { rtol: 1e-5, replacement: 7, ..Stop::default() };
    let one = with_threads(1, || system.solve_on(Cpu, &stop));
    assert_eq!(one.verified.run.outcome, Outcome::Converged);
    for threads in [2, 3] {
        let several = with_threads(threads, || system.solve_on(Cpu, &stop));
        assert!(one.x == several.x, "{threads} threads, {format}, {preconditioner}");
        assert_eq!(one.verified.run.history, several.verified.run.history);
    }
}

#[test]
fn cg_has_the_same_bits_fused_or_not_on_any_number_of_threads() {
    let A = laplacian::<f64>(32, 3);
    for format in ["csr", "coo", "sell:8:1", "ell", "k1"] {
        solves_alike(&A, format, Preconditioner::Jacobi);
    }
    for preconditioner in
        [Preconditioner::None, Preconditioner::BlockJacobi { block: 3 }, Preconditioner::Ssor { omega: 1.2 }]
    {
        solves_alike(&A, "sell:8:1", preconditioner);
    }
    solves_alike(&laplacian::<f32>(50, 2), "csr", Preconditioner::Jacobi);
    solves_alike(&hermitian::<c64>(70), "sell:8:1", Preconditioner::Jacobi);
    solves_alike(&hermitian::<c32>(70), "csr", Preconditioner::Ssor { omega: 1.0 });
}

#[test]
fn ssor_on_several_threads_has_the_bits_of_natural_order() {
    // Couplings at distances 9000 and 9001: chunks of 9000 rows follow each other closely.
    let n = 80_000;
    let mut triples: Vec<_> = (0..n).map(|i| (i, i, 6.0)).collect();
    for distance in [9000, 9001] {
        triples.extend((distance..n).flat_map(|i| [(i, i - distance, -1.0), (i - distance, i, -1.0)]));
    }
    let M = Ssor::from_csr(&from_triples::<f64>(n, n, &triples), 1.3).unwrap();
    let x = thirds::<f64>(n, 8);
    let mut natural = vec![0.0; n];
    M.solve(&x, &mut natural);
    for threads in [1, 2, 4] {
        let found = with_threads(threads, || applied(&Cpu, Box::new(M.clone()), &x));
        assert!(found == natural, "{threads} threads");
    }
}
