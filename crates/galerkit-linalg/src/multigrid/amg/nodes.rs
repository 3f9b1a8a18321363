//! Systems of several unknowns a node: nodes are aggregated by the Frobenius norms of blocks, and small blocks are dropped whole, into the
//! diagonal block, column by column.

use super::filter::Filter;
use super::modulus::modulus;
use crate::scalar::Scalar;
use crate::sparse::by_column::sort_by_column;
use crate::sparse::{Csr, build};
use num_traits::{Float, Zero};

/// The matrix of Frobenius norms of blocks of so many rows and columns.
pub fn block_norms<S: Scalar>(A: &Csr<S>, block: usize) -> Csr<S> {
    let nodes = A.rows() / block;
    let work: Vec<u64> = (0..=nodes).map(|I| A.start()[I * block]).collect();
    build::append_rows(nodes, &work, &|range, made| {
        for I in range {
            let before = made.col.len();
            for (J, square) in squares(A, block, I) {
                made.col.push(J);
                made.val.push(S::from_real(Float::sqrt(square)));
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    })
}

/// The blocks of a row of nodes with the sums of their squares, columns ascending.
fn squares<S: Scalar>(A: &Csr<S>, block: usize, I: usize) -> Vec<(u32, S::Real)> {
    let mut entries: Vec<(u32, S::Real)> = Vec::new();
    for i in I * block..(I + 1) * block {
        entries.extend(A.row(i).map(|(j, a)| {
            let size = modulus(a);
            ((j / block) as u32, size * size)
        }));
    }
    sort_by_column(&mut entries); // sums are in the order of rows
    let mut sums: Vec<(u32, S::Real)> = Vec::new();
    for (J, square) in entries {
        match sums.last_mut() {
            Some((last, sum)) if *last == J => *sum += square,
            _ => sums.push((J, square)),
        }
    }
    sums
}

/// A^F: blocks whose norm is below a fraction of the largest beside the diagonal are added to the diagonal block; a row whose diagonal entry would lose
/// half of itself that way keeps its own. With the filter of this matrix, which drops nothing more.
pub fn filter_blocks<S: Scalar>(A: &Csr<S>, norms: &Csr<S>, block: usize, fraction: f64) -> (Csr<S>, Filter<S>) {
    let fraction = <S::Real as Scalar>::from_f64(fraction);
    let diagonal = A.diagonal();
    let filtered = build::append_rows(A.cols(), A.start(), &|rows, made| {
        for i in rows {
            let (before, I) = (made.col.len(), i / block);
            let beside = || norms.row(I).filter(|(J, _)| *J != I).map(|(_, v)| v.re());
            let least = fraction * beside().fold(S::Real::zero(), Float::max);
            let stays =
                |J: usize| J == I || norms.get(I, J).is_some_and(|v| v.re() > S::Real::zero() && v.re() >= least);
            let mut own = vec![S::zero(); block]; // the row of the diagonal block
            A.row(i).filter(|(j, _)| j / block == I || !stays(j / block)).for_each(|(j, a)| own[j % block] += a);
            let half = <S::Real as Scalar>::from_f64(0.5) * modulus(diagonal[i]);
            let lumped = own[i % block];
            let is_sound = modulus(lumped) >= half && (lumped * diagonal[i].conj()).re() > S::Real::zero();
            if !is_sound {
                own.fill(S::zero());
                A.row(i).filter(|(j, _)| j / block == I).for_each(|(j, a)| own[j % block] = a);
            }
            let mut own = Some(own);
            let mut put_own = |made: &mut build::Made<S>| {
                for (c, a) in own.take().into_iter().flatten().enumerate() {
                    made.col.push((I * block + c) as u32);
                    made.val.push(a);
                }
            };
            for (j, a) in A.row(i) {
                if j / block >= I {
                    put_own(made);
                }
                if j / block != I && stays(j / block) {
                    made.col.push(j as u32);
                    made.val.push(a);
                }
            }
            put_own(made);
            made.lengths.push((made.col.len() - before) as u32);
        }
    });
    let (kept, diagonal) = (vec![true; filtered.nnz()], filtered.diagonal());
    (filtered, Filter { kept, diagonal })
}
