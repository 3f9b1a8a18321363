//! The matrix in another basis, T^T A T, as far as smoothers need it: its diagonal blocks by entity, and the diagonal
//! that it has if functions within entities are nodal at Gauss-Lobatto points. Cell by cell, so that A need not be
//! assembled: with T = E T' in a cell, where E lets interiors take from their boundary and is the same in every cell of
//! a degree, E^T K E is made once for all cells that are alike.

use super::alike::Alike;
use super::blocks::{Block, block_of};
use super::interiors::{inner_lines, reduce};
use super::low_energy::Basis;
use crate::basis::dense::Dense;
use crate::basis::nodal::Nodal;
use crate::error::{Error, Result};
use crate::problem::Problem;
use galerkit_linalg::parallel;

/// The diagonal blocks of T^T A T.
pub fn entity_blocks(problem: &Problem, T: &Basis<'_>, blocks: &[Block]) -> Result<Vec<Dense>> {
    let of_cell =
        |e: usize| Ok::<_, Error>(cell_blocks(&energies(problem, T, e)?, T.coefficients(e).collect(), blocks));
    let found = parallel::try_values(problem.space().cells(), &of_cell)?;
    let mut sums: Vec<Dense> = blocks.iter().map(|block| Dense::zeros(block.len(), block.len())).collect();
    for (k, B) in found.into_iter().flatten() {
        sums[k].val.iter_mut().zip(&B.val).for_each(|(sum, b)| *sum += b);
    }
    Ok(sums)
}

/// The diagonal of N^T T^T A T N, where N leads from nodal functions of each entity to its hierarchical ones.
pub fn nodal_diagonal(problem: &Problem, T: &Basis<'_>, blocks: &[Block]) -> Result<Vec<f64>> {
    let alike = Alike::new(problem)?;
    let sample = |k: usize| Sample::new(problem, T, blocks, alike.first()[k] as usize);
    let samples = parallel::try_values(alike.first().len(), &sample)?;
    let of_cell = |e: usize| {
        Ok::<_, Error>(match alike.kind(e) {
            Some((k, factor)) => samples[k].diagonals(T, blocks, e, factor),
            None => Sample::new(problem, T, blocks, e)?.diagonals(T, blocks, e, 1.0),
        })
    };
    let found = parallel::try_values(problem.space().cells(), &of_cell)?;
    let mut sums = vec![0.0; problem.space().unknowns()];
    for (first, diagonal) in found.into_iter().flatten() {
        sums[first as usize..].iter_mut().zip(&diagonal).for_each(|(sum, d)| *sum += d);
    }
    Ok(sums)
}

/// What cells that are alike have in common.
struct Sample {
    energies: Dense,
    interior: Vec<f64>, // the diagonal of interior functions
}

impl Sample {
    fn new(problem: &Problem, T: &Basis<'_>, blocks: &[Block], e: usize) -> Result<Self> {
        let own = problem.space().numbering().of_interior[e];
        let energies = energies(problem, T, e)?;
        let found = cell_blocks(&energies, T.coefficients(e).filter(|(i, ..)| *i >= own).collect(), blocks);
        let of_interior = found.into_iter().find(|(k, _)| blocks[*k].first == own);
        Ok(Self { interior: of_interior.map_or(Vec::new(), |(k, B)| nodal(&blocks[k], &B)), energies })
    }

    /// What a cell contributes to the diagonal: the first unknown of an entity, and values.
    fn diagonals(&self, T: &Basis<'_>, blocks: &[Block], e: usize, factor: f64) -> Vec<(u32, Vec<f64>)> {
        let own = T.space().numbering().of_interior[e];
        let found = cell_blocks(&self.energies, T.coefficients(e).filter(|(i, ..)| *i < own).collect(), blocks);
        let of_boundary = found.into_iter().map(|(k, B)| (blocks[k].first, nodal(&blocks[k], &B)));
        let of_all = of_boundary.chain([(own, self.interior.clone())]);
        of_all.map(|(first, diagonal)| (first, diagonal.into_iter().map(|d| factor * d).collect())).collect()
    }
}

/// E^T K E, or K itself where T does not let interiors take from others.
fn energies(problem: &Problem, T: &Basis<'_>, e: usize) -> Result<Dense> {
    let (dim, p) = (problem.space().dim(), problem.space().degree(e));
    let K = problem.cell_matrix(e)?;
    Ok(if T.extends() && p > 1 { extended(dim, p, extended(dim, p, K).transposed()) } else { K })
}

/// K E, row by row: u_boundary -= P^T u_interior, with the P of `interiors.rs`.
fn extended(dim: usize, p: usize, mut K: Dense) -> Dense {
    let (ends, mut u) = (&Nodal::of(p).ends, vec![0.0; K.cols]);
    for row in K.val.chunks_exact_mut(K.cols) {
        u.fill(0.0);
        let inner = |at: usize| at..at + p - 1;
        inner_lines(dim, p).for_each(|at| u[inner(at)].copy_from_slice(&row[inner(at)]));
        reduce(dim, ends, &mut u);
        inner_lines(dim, p).for_each(|at| u[inner(at)].fill(0.0));
        row.iter_mut().zip(&u).for_each(|(k, u)| *k -= u);
    }
    K
}

/// X^T K X for the columns X of T in a cell, as far as they are of one block: block by block. Coefficients are unknown,
/// local function, value.
fn cell_blocks(K: &Dense, mut coefficients: Vec<(u32, u32, f64)>, blocks: &[Block]) -> Vec<(usize, Dense)> {
    coefficients.sort_unstable_by_key(|&(unknown, local, _)| (unknown, local));
    let (mut found, mut rest) = (Vec::new(), &coefficients[..]);
    while let Some(first) = rest.first() {
        let k = block_of(blocks, first.0);
        let (X, others) = rest.split_at(rest.partition_point(|x| (x.0 as usize) < blocks[k].unknowns().end));
        found.push((k, quadratic(&blocks[k], X, K)));
        rest = others;
    }
    found
}

/// X^T K X.
fn quadratic(block: &Block, X: &[(u32, u32, f64)], K: &Dense) -> Dense {
    let columns = || X.chunk_by(|one, other| one.0 == other.0);
    let own = |column: &[(u32, u32, f64)]| (column[0].0 - block.first) as usize;
    let mut support: Vec<usize> = X.iter().map(|x| x.1 as usize).collect();
    support.sort_unstable();
    support.dedup();
    let (mut B, mut Kx) = (Dense::zeros(block.len(), block.len()), vec![0.0; K.rows]);
    for x in columns() {
        support.iter().for_each(|&i| Kx[i] = 0.0);
        for &(_, j, value) in x {
            let row = K.row(j as usize);
            support.iter().for_each(|&i| Kx[i] += value * row[i]);
        }
        for y in columns() {
            B[(own(x), own(y))] = y.iter().map(|&(_, i, value)| value * Kx[i as usize]).sum();
        }
    }
    B
}

/// The diagonal of N^T B N for the functions of one entity.
fn nodal(block: &Block, B: &Dense) -> Vec<f64> {
    if block.dim == 0 {
        return B.val.clone();
    }
    nodal_diagonal_along(&Nodal::of(block.degree as usize).inner, u32::from(block.dim), &B.val)
}

/// The same axis by axis, the first one first: for each of its nodal functions a matrix by those along the others.
fn nodal_diagonal_along(N: &Dense, dim: u32, B: &[f64]) -> Vec<f64> {
    if dim == 0 {
        return B.to_vec();
    }
    let (n, others) = (N.rows, N.rows.pow(dim - 1));
    let of_function = |k: usize| {
        let mut C = vec![0.0; others * others];
        for (row, B) in B.chunks_exact(n * others).enumerate() {
            let into = &mut C[row % others * others..][..others];
            for (j, B) in B.chunks_exact(others).enumerate() {
                let factor = N[(row / others, k)] * N[(j, k)];
                into.iter_mut().zip(B).for_each(|(c, b)| *c += factor * b);
            }
        }
        nodal_diagonal_along(N, dim - 1, &C)
    };
    (0..n).flat_map(of_function).collect()
}
