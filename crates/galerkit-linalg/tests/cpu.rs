//! The CPU backend: the conformance suite, every format against the reference, and the same bits whatever the number of
//! threads, fused or not.
#![allow(non_snake_case)]

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::precond::{Preconditioner, Ssor};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_linalg::{Linear, Scalar, c32, c64};
use galerkit_testkit::conformance::{self, integers, maps::scattered, thirds};
use galerkit_testkit::problems::{from_triples, hermitian, laplacian};
use galerkit_testkit::System;
use std::sync::Arc;

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// One of each format, and parameters that leave the fast paths: odd heights, narrow and wide warps, large blocks.
fn formats() -> Vec<Format> {
    let odd =
        ["sell:8:1", "sell:3:5", "sell:64:64", "k1:4", "k1rs:128", "k2:8:1", "k2r:16:3", "k2rs:2:1", "bsr:3", "bsr:20"];
    Format::all().into_iter().chain(odd.map(|name| name.parse().unwrap())).collect()
}

#[test]
fn passes_the_conformance_suite() {
    for threads in [1, 3] {
        with_threads(threads, || {
            conformance::all::<f32, _>(&Cpu);
            conformance::all::<f64, _>(&Cpu);
            conformance::all::<c32, _>(&Cpu);
            conformance::all::<c64, _>(&Cpu);
        });
    }
}

/// y = alpha A x + beta y on integers: exact, and beta = 0 overwrites NaN.
fn every_format_agrees<S: Scalar>() {
    for (rows, cols) in [(0, 0), (1, 1), (31, 31), (33, 65), (597, 597), (5000, 4999), (30_000, 30_000)] {
        let A: Csr<S> = scattered(rows, cols, rows < 10_000);
        for format in formats().into_iter().filter(|format| rows == cols || !renumbers(*format)) {
            let matrix = Arc::new(Linear::Matrix(Matrix::from_csr(&A, format).unwrap()));
            let (x, loaded) = (integers::<S>(cols, 1), Cpu.load(matrix.clone()));
            for (alpha, beta) in [(1.0, 0.0), (2.0, 0.0), (-1.0, 3.0)] {
                let (alpha, beta) = (S::from_f64(alpha), S::from_f64(beta));
                let before = if beta == S::zero() { vec![S::from_f64(f64::NAN); rows] } else { integers(rows, 2) };
                let (mut found, mut expected) = (before.clone(), before);
                Cpu.spmv(alpha, &loaded, &x, beta, &mut found);
                Reference.spmv(alpha, &matrix, &x, beta, &mut expected);
                assert!(found == expected, "{format} {rows} x {cols} {}", S::KIND.name());
            }
        }
    }
}

fn renumbers(format: Format) -> bool {
    let name = format.to_string();
    name.starts_with("k1r") || name.starts_with("k2r")
}

#[test]
fn every_format_agrees_with_the_reference() {
    with_threads(3, || {
        every_format_agrees::<f32>();
        every_format_agrees::<f64>();
        every_format_agrees::<c32>();
        every_format_agrees::<c64>();
    });
}

#[test]
fn nan_in_x_reaches_only_rows_that_store_its_column() {
    let A: Csr<f64> = scattered(597, 597, true);
    for format in formats() {
        let matrix = Matrix::from_csr(&A, format).unwrap();
        let order = matrix.order().cloned();
        let mut x = integers::<f64>(597, 3);
        x[0] = f64::NAN;
        let given = order.as_ref().map_or(x.clone(), |order| order.gather(&x).unwrap());
        let mut y = vec![0.0; 597];
        Cpu.apply(&Cpu.load(Arc::new(Linear::Matrix(matrix))), &given, &mut y);
        let y = order.as_ref().map_or(y.clone(), |order| order.scatter(&y).unwrap());
        for i in 0..597 {
            assert_eq!(y[i].is_nan(), A.get(i, 0).is_some(), "{format}, row {i}");
        }
    }
}

#[test]
fn columns_too_far_apart_for_16_bits_still_agree() {
    let n = 200_000;
    let triples: Vec<_> = (0..n).flat_map(|i| [(i, i, 2.0), (i, (i * 7919) % n, 1.0), (i, 0, 1.0)]).collect();
    let A = from_triples::<f64>(n, n, &triples);
    let x = integers::<f64>(n, 4);
    let sell = Arc::new(Linear::Matrix(Matrix::from_csr(&A, "sell:8:1".parse().unwrap()).unwrap()));
    let (mut found, mut expected) = (vec![0.0; n], vec![0.0; n]);
    Cpu.apply(&Cpu.load(sell.clone()), &x, &mut found);
    Reference.apply(&sell, &x, &mut expected);
    assert!(found == expected);
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
    let stop = Stop { rtol: 1e-5, exact: 7, ..Stop::default() };
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
    let A = laplacian::<f64>(44, 3);
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
fn ssor_by_levels_has_the_bits_of_natural_order() {
    // Couplings at distances 9000 and 9001 make levels of about 9000 rows.
    let n = 80_000;
    let mut triples: Vec<_> = (0..n).map(|i| (i, i, 6.0)).collect();
    for distance in [9000, 9001] {
        triples.extend((distance..n).flat_map(|i| [(i, i - distance, -1.0), (i - distance, i, -1.0)]));
    }
    let M = Ssor::from_csr(&from_triples::<f64>(n, n, &triples), 1.3).unwrap();
    let x = thirds::<f64>(n, 8);
    let mut natural = vec![0.0; n];
    M.apply(&x, &mut natural);
    let map = Arc::new(Linear::Ssor(M));
    for threads in [1, 2, 4] {
        let mut found = vec![0.0; n];
        with_threads(threads, || Cpu.apply(&Cpu.load(map.clone()), &x, &mut found));
        assert!(found == natural, "{threads} threads");
    }
}
