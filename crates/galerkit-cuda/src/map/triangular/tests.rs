//! The kernel's index arithmetic, transcribed: slices in order, and no row may need one of its own slice or a later
//! one.

use super::slice::HEIGHT;
use super::*;
use galerkit_linalg::c64;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::precond::{ic0, ilu0, iluk};
use galerkit_linalg::sparse::{Coo, Csr, Levels};
use galerkit_testkit::strategies;
use proptest::prelude::*;

impl<S: Scalar> Sweep<S> {
    /// Calls `finish(p, i, sum)` for each position in the order of the slices; its result is what later rows see.
    fn emulate(&self, mut finish: impl FnMut(usize, usize, S) -> S) -> Vec<S> {
        let mut out: Vec<Option<S>> = vec![None; self.row.len()];
        for s in 0..self.slices() {
            let (first, height) = (self.first[s] as usize, (self.first[s + 1] - self.first[s]) as usize);
            assert!((1..=HEIGHT).contains(&height));
            let mut done = Vec::new();
            for lane in 0..height {
                let (mut k, mut sum) = (self.start[s] as usize + lane, S::zero());
                while k < self.start[s + 1] as usize {
                    if self.col[k] != NONE {
                        sum += self.val[k] * out[self.col[k] as usize].expect("a row of an earlier slice");
                    }
                    k += self.stride(height);
                }
                done.push(Some(finish(first + lane, self.row[first + lane] as usize, sum)));
            }
            out[first..first + height].copy_from_slice(&done);
        }
        out.into_iter().map(|value| value.expect("every row is in a slice")).collect()
    }
}

fn emulate<S: Scalar>(M: &impl Triangular<S>, x: &[S], one_block: bool) -> Vec<S> {
    let (forward, backward) = Sweep::both(M, Some(one_block));
    let position = backward.positions_in(&forward);
    let u = forward.emulate(|p, i, sum| M.forward(forward.scale[p], x[i], sum));
    let mut y = vec![S::zero(); x.len()];
    backward.emulate(|p, i, sum| {
        y[i] = M.backward(backward.scale[p], u[position[p] as usize], sum);
        y[i]
    });
    y
}

/// What a refill scatters by leads to where the values are, and nowhere else.
fn check_slots<S: Scalar>(T: &Csr<S>, sweep: &Sweep<S>) {
    let mut val = vec![S::zero(); sweep.val.len()];
    for (k, slot) in sweep.slots(T).into_iter().enumerate() {
        val[slot as usize] = T.val()[k];
    }
    assert_eq!(val, sweep.val);
}

fn check_solve<S: Scalar>(M: &impl Triangular<S>) {
    for one_block in [false, true] {
        let (forward, backward) = Sweep::both(M, Some(one_block));
        check_slots(M.lower(), &forward);
        check_slots(M.upper(), &backward);
    }
    let rows = M.scale().len();
    let x: Vec<S> = (0..rows).map(|i| S::from_parts((i % 7) as f64 - 3.0, (i % 3) as f64)).collect();
    let mut y = vec![S::zero(); rows];
    M.solve(&x, &mut y);
    for one_block in [false, true] {
        assert_eq!(emulate(M, &x, one_block), y); // same order in every row: same bits
    }
}

/// SSOR and the incomplete factors of a positive definite matrix, with fill and without.
fn check<S: Scalar>(A: &Csr<S>, omega: f64) {
    check_solve(&Ssor::from_csr(A, omega).unwrap());
    check_solve(&ilu0(A).unwrap());
    check_solve(&iluk(A, 1).unwrap());
    check_solve(&ic0(A).unwrap());
}

#[test]
fn the_drawing() {
    let L = Coo::from_triples(3, 3, &[(2, 0, 3.0), (2, 1, 5.0)]).unwrap().to_csr().0;
    let sweep = Sweep::new(&L, &Levels::lower(&L), &[1.0, 2.0, 4.0], false);
    assert_eq!((&sweep.first[..], &sweep.start[..]), (&[0u32, 2, 3][..], &[0u64, 0, 2][..]));
    assert_eq!((&sweep.row[..], &sweep.col[..], &sweep.val[..]), (&[0u32, 1, 2][..], &[0u32, 1][..], &[3.0, 5.0][..]));
    assert_eq!(sweep.widest, 1);
}

#[test]
fn grids_and_chains_as_the_reference() {
    check(&Csr::<f64>::identity(0), 1.0);
    check(&Csr::<f64>::identity(70), 1.0); // one level: slices of 32, 32 and 6
    check(&gallery::poisson1d(1000).unwrap(), 1.3); // as many levels as rows
    check(&gallery::poisson2d(40, Stencil::Points9).unwrap(), 1.5);
    check(&gallery::poisson3d(12, Stencil::Points27).unwrap(), 0.7);
}

/// A dense last row and a dense first column beside a diagonal.
fn arrow(n: usize) -> Csr<f64> {
    let ends = (0..n - 1).flat_map(|i| [(i, n - 1, 1.0), (n - 1, i, 1.0)]);
    let triples: Vec<_> = (0..n).map(|i| (i, i, n as f64)).chain(ends).collect();
    Coo::from_triples(n, n, &triples).unwrap().to_csr().0
}

#[test]
fn a_long_row_is_not_padded_around() {
    let A = arrow(500);
    check(&A, 1.2);
    let M = Ssor::from_csr(&A, 1.0).unwrap();
    let sweep = Sweep::both(&M, Some(false)).0;
    assert_eq!((sweep.col.len(), sweep.widest), (499, 16));
    // In one level with short rows: cut off from them.
    let long: Vec<_> = (0..40).map(|j| (60, j, 1.0)).chain((41..60).map(|i| (i, 3, 1.0))).collect();
    let L = Coo::from_triples(61, 61, &long).unwrap().to_csr().0;
    assert_eq!(Sweep::new(&L, &Levels::lower(&L), &[1.0; 61], false).col.len(), L.nnz());
}

proptest! {
    #![proptest_config(strategies::config(64))]
    #[test]
    fn any_positive_matrix_as_the_reference(A in strategies::positive_definite::<c64>(90)) {
        check(&A, 1.25);
    }

    #[test]
    fn any_pattern_as_the_reference(A in strategies::square::<f64>(90)) {
        // Not symmetric: the levels of the two sweeps differ. The diagonal is set to 2.
        let off = (0..A.rows()).flat_map(|i| A.row(i).filter(move |e| e.0 != i).map(move |(j, a)| (i, j, a)));
        let triples: Vec<_> = off.chain((0..A.rows()).map(|i| (i, i, 2.0))).collect();
        let A = Coo::from_triples(A.rows(), A.rows(), &triples).unwrap().to_csr().0;
        as_reference(&Ssor::from_csr(&A, 1.0).unwrap());
        if let Ok(M) = ilu0(&A) {
            as_reference(&M);
        }
    }
}

/// Overflow makes NaN in both.
fn as_reference(M: &impl Triangular<f64>) {
    let x = vec![1.0; M.scale().len()];
    let mut y = x.clone();
    M.solve(&x, &mut y);
    let found = emulate(M, &x, true);
    assert!(found.iter().zip(&y).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())));
}
