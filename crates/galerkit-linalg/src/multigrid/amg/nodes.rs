//! Systems of several unknowns a node: nodes are aggregated by the Frobenius norms of blocks, and small blocks are dropped whole, into the
//! diagonal block, column by column.

use super::filter::{Filter, by_rows};
use super::modulus::modulus;
use super::smooth::smooth;
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

/// Which entries stay: those of the diagonal block, and of blocks whose norm is at least a fraction of the largest beside it.
pub fn kept_blocks<S: Scalar>(A: &Csr<S>, norms: &Csr<S>, block: usize, fraction: f64) -> Vec<bool> {
    let fraction = <S::Real as Scalar>::from_f64(fraction);
    let mut kept = vec![false; A.nnz()];
    by_rows(A, &mut kept, &|i, kept| {
        let I = i / block;
        let beside = || norms.row(I).filter(|(J, _)| *J != I).map(|(_, v)| v.re());
        let least = fraction * beside().fold(S::Real::zero(), Float::max);
        let is_large = |J: usize| norms.get(I, J).is_some_and(|v| v.re() > S::Real::zero() && v.re() >= least);
        for (kept, (j, _)) in kept.iter_mut().zip(A.row(i)) {
            *kept = j / block == I || is_large(j / block);
        }
    });
    kept
}

/// A^F: entries that do not stay are added to the diagonal block, column by column; a row whose diagonal entry would lose half of itself that
/// way keeps its own. With the filter of this matrix, which drops nothing more.
pub fn filter_blocks<S: Scalar>(A: &Csr<S>, block: usize, kept: &[bool]) -> (Csr<S>, Filter<S>) {
    let diagonal = A.diagonal();
    let filtered = build::append_rows(A.cols(), A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            let mut own = Some(diagonal_row(A, block, kept, (i, diagonal[i])));
            let mut put_own = |made: &mut build::Made<S>| {
                for (c, a) in own.take().into_iter().flatten().enumerate() {
                    made.col.push((i / block * block + c) as u32);
                    made.val.push(a);
                }
            };
            for (k, (j, a)) in A.range(i).zip(A.row(i)) {
                if j / block >= i / block {
                    put_own(made);
                }
                if j / block != i / block && kept[k] {
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

/// Row i of its diagonal block in A^F.
fn diagonal_row<S: Scalar>(A: &Csr<S>, block: usize, kept: &[bool], (i, diagonal): (usize, S)) -> Vec<S> {
    let I = i / block;
    let mut own = vec![S::zero(); block];
    let entries = || A.range(i).zip(A.row(i));
    entries().filter(|(k, (j, _))| j / block == I || !kept[*k]).for_each(|(_, (j, a))| own[j % block] += a);
    let half = <S::Real as Scalar>::from_f64(0.5) * modulus(diagonal);
    let lumped = own[i % block];
    let is_sound = modulus(lumped) >= half && (lumped * diagonal.conj()).re() > S::Real::zero();
    if !is_sound {
        own.fill(S::zero());
        A.row(i).filter(|(j, _)| j / block == I).for_each(|(j, a)| own[j % block] = a);
    }
    own
}

/// P = T - G A^F T for nodes, with the entries that stay; and how many rows were too long to be smoothed.
pub fn smoothed_nodes<S: Scalar>(A: &Csr<S>, block: usize, kept: &[bool], T: &Csr<S>) -> (Csr<S>, usize) {
    let (filtered, filter) = filter_blocks(A, block, kept);
    smooth(&filtered, &filter, T)
}
