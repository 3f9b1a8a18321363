//! Systems of several unknowns a node: nodes are aggregated by the Frobenius norms of blocks, and small blocks are
//! dropped whole, into the diagonal block, so that A^F B = A B for as many near-null vectors as a node has rows. For
//! unit vectors that is column by column; on coarser levels, whose vectors are factors of Gram-Schmidt's, it is not,
//! and the count of bodies would grow with their levels.

use super::filter::Filter;
use super::modulus::modulus;
use super::smooth::{Step, smooth};
use crate::scalar::Scalar;
use crate::sparse::by_column::sort_by_column;
use crate::sparse::pieces::Made;
use crate::sparse::{Csr, build};
use num_traits::{Float, Zero};

/// What is left of the largest entry where a vector depends on others.
const LEAST: f64 = 1e-8;

/// Rows of a node, and near-null vectors.
#[derive(Clone, Debug)]
pub struct Nodes<S> {
    /// Rows.
    pub block: usize,
    /// Near-null vectors of the level.
    pub vectors: Vec<Vec<S>>,
}

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

/// Which entries stay: those of the diagonal block, and of blocks whose norm is at least a fraction of the largest
/// beside it.
pub fn kept_blocks<S: Scalar>(A: &Csr<S>, norms: &Csr<S>, block: usize, fraction: f64) -> Vec<bool> {
    let fraction = <S::Real as Scalar>::from_f64(fraction);
    build::flags(A, &|i, kept| {
        let I = i / block;
        let beside = || norms.row(I).filter(|(J, _)| *J != I).map(|(_, v)| v.re());
        let least = fraction * beside().fold(S::Real::zero(), Float::max);
        let is_large = |J: usize| norms.get(I, J).is_some_and(|v| v.re() > S::Real::zero() && v.re() >= least);
        for (kept, (j, _)) in kept.iter_mut().zip(A.row(i)) {
            *kept = j / block == I || is_large(j / block);
        }
    })
}

/// A^F: entries that do not stay are added to the diagonal block; a row whose diagonal entry would lose half of itself
/// that way keeps its own. With the filter of this matrix, which drops nothing more.
pub fn filter_blocks<S: Scalar>(A: &Csr<S>, nodes: &Nodes<S>, kept: &[bool]) -> (Csr<S>, Filter<S>) {
    let (diagonal, block) = (A.diagonal(), nodes.block);
    let filtered = build::append_rows(A.cols(), A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            let mut own = Some(diagonal_row(A, nodes, kept, (i, diagonal[i])));
            let mut put_own = |made: &mut Made<S>| {
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
fn diagonal_row<S: Scalar>(A: &Csr<S>, nodes: &Nodes<S>, kept: &[bool], (i, diagonal): (usize, S)) -> Vec<S> {
    let (block, I) = (nodes.block, i / nodes.block);
    let mut own = vec![S::zero(); block];
    A.row(i).filter(|(j, _)| j / block == I).for_each(|(j, a)| own[j % block] = a);
    if kept[A.range(i)].iter().all(|kept| *kept) {
        return own;
    }
    let lumped = lumped(A, nodes, kept, i);
    let half = <S::Real as Scalar>::from_f64(0.5) * modulus(diagonal);
    let whole = diagonal + lumped[i % block];
    if modulus(whole) >= half && (whole * diagonal.conj()).re() > S::Real::zero() {
        own.iter_mut().zip(lumped).for_each(|(own, x)| *own += x);
    }
    own
}

/// What the dropped entries of row i become in its diagonal block: x with x B_I = sum a_ij b_j, B_I the near-null
/// vectors at its node; without vectors enough their sums, column by column.
fn lumped<S: Scalar>(A: &Csr<S>, nodes: &Nodes<S>, kept: &[bool], i: usize) -> Vec<S> {
    let (block, vectors) = (nodes.block, &nodes.vectors);
    let dropped = || A.range(i).zip(A.row(i)).filter(|(k, _)| !kept[*k]).map(|(_, entry)| entry);
    let mut sums = vec![S::zero(); block];
    if vectors.len() < block {
        dropped().for_each(|(j, a)| sums[j % block] += a);
        return sums;
    }
    for (sum, b) in sums.iter_mut().zip(vectors) {
        *sum = dropped().fold(S::zero(), |sum, (j, a)| sum + a * b[j]);
    }
    let first = i / block * block;
    let rows = vectors.iter().take(block).zip(sums).map(|(b, sum)| [&b[first..first + block], &[sum]].concat());
    eliminated(rows.collect())
}

/// x by Gauss' elimination with pivots; each row is that of the matrix and the right-hand side. Where a column has no
/// pivot x is 0.
fn eliminated<S: Scalar>(mut rows: Vec<Vec<S>>) -> Vec<S> {
    let size = rows.len();
    let most = rows.iter().flat_map(|row| &row[..size]).map(|&a| modulus(a)).fold(S::Real::zero(), Float::max);
    let least = <S::Real as Scalar>::from_f64(LEAST) * most;
    let mut x = vec![S::zero(); size];
    let mut pivots = Vec::with_capacity(size);
    for c in 0..size {
        let done = pivots.len();
        let Some(best) = (done..size).reduce(|p, r| if modulus(rows[r][c]) > modulus(rows[p][c]) { r } else { p })
        else {
            break;
        };
        if modulus(rows[best][c]) <= least {
            continue;
        }
        rows.swap(done, best);
        for r in done + 1..size {
            let factor = rows[r][c] / rows[done][c];
            (c..=size).for_each(|k| rows[r][k] = rows[r][k] - factor * rows[done][k]);
        }
        pivots.push(c);
    }
    for (row, &c) in rows.iter().zip(&pivots).rev() {
        let known = (c + 1..size).fold(row[size], |rest, k| rest - row[k] * x[k]);
        x[c] = known / row[c];
    }
    x
}

/// P = T - G A^F T for nodes, with the entries that stay; and how many rows were too long to be smoothed.
pub fn smoothed_nodes<S: Scalar>(
    A: &Csr<S>,
    nodes: &Nodes<S>,
    kept: &[bool],
    (T, lambda): (&Csr<S>, Option<S::Real>),
) -> (Csr<S>, usize) {
    let (filtered, filter) = filter_blocks(A, nodes, kept);
    let longest = nodes.block * Step::<S::Real>::default().longest;
    smooth(&filtered, &filter, T, Step { longest, lambda })
}
