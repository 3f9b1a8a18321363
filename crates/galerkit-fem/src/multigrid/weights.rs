//! The matrix in another basis, T^T A T, as far as smoothers need it: its diagonal blocks by entity, and the diagonal
//! that it has if functions within entities are nodal at Gauss-Lobatto points. Cell by cell, so that A need not be
//! assembled.

use super::blocks::{Block, block_of};
use super::low_energy::Basis;
use crate::basis::dense::Dense;
use crate::basis::nodal::Nodal;
use crate::basis::tensor::Tensor;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::space::row::Row;
use galerkit_linalg::parallel;

/// Relative distance of two matrices that counts as rounding.
const NEAR: f64 = 1e-12;

/// The diagonal blocks of T^T A T.
pub fn entity_blocks(problem: &Problem, T: &Basis<'_>, blocks: &[Block]) -> Result<Vec<Dense>> {
    let found = parallel::try_values(problem.space().cells(), &|e| cell_blocks(problem, T, blocks, e))?;
    let mut sums: Vec<Dense> = blocks.iter().map(|block| Dense::zeros(block.len(), block.len())).collect();
    for (k, B) in found.into_iter().flatten() {
        add(&B.val, &mut sums[k].val);
    }
    Ok(sums)
}

/// The diagonal of N^T T^T A T N, where N leads from nodal functions of each entity to its hierarchical ones.
pub fn nodal_diagonal(problem: &Problem, T: &Basis<'_>, blocks: &[Block]) -> Result<Vec<f64>> {
    let samples = Sample::of_degrees(problem, T, blocks)?;
    let of_cell = |e: usize| {
        let found = cell_blocks(problem, T, blocks, e)?.into_iter();
        Ok(found.map(|(k, B)| (k, Sample::diagonal(&samples, &blocks[k], &B))).collect::<Vec<_>>())
    };
    let found = parallel::try_values::<_, Error>(problem.space().cells(), &of_cell)?;
    let mut sums = vec![0.0; problem.space().unknowns()];
    for (k, diagonal) in found.into_iter().flatten() {
        add(&diagonal, &mut sums[blocks[k].unknowns()]);
    }
    Ok(sums)
}

fn add(values: &[f64], sums: &mut [f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// What cell e contributes to the blocks.
fn cell_blocks(problem: &Problem, T: &Basis<'_>, blocks: &[Block], e: usize) -> Result<Vec<(usize, Dense)>> {
    let K = problem.cell_matrix(e)?;
    let couplings: Vec<Row> = (0..K.rows).map(|i| nonzeros(K.row(i))).collect();
    let columns = columns(T.of_cell(e));
    let of_block = |columns: &[(u32, Row)]| {
        let k = block_of(blocks, columns[0].0);
        (k, quadratic(&blocks[k], columns, &couplings))
    };
    let same = |one: &(u32, Row), other: &(u32, Row)| block_of(blocks, one.0) == block_of(blocks, other.0);
    Ok(columns.chunk_by(same).map(of_block).collect())
}

fn nonzeros(row: &[f64]) -> Row {
    let entries = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
    entries.map(|(j, &value)| (j as u32, value)).collect()
}

/// The columns of T in one cell, each with its unknown: local functions and coefficients.
fn columns(rows: Vec<Row>) -> Vec<(u32, Row)> {
    let entries = rows
        .into_iter()
        .enumerate()
        .flat_map(|(local, row)| row.into_iter().map(move |(unknown, value)| (unknown, local as u32, value)));
    let mut entries: Vec<(u32, u32, f64)> = entries.collect();
    entries.sort_unstable_by_key(|&(unknown, local, _)| (unknown, local));
    let column = |entries: &[(u32, u32, f64)]| (entries[0].0, entries.iter().map(|&(_, i, v)| (i, v)).collect());
    entries.chunk_by(|one, other| one.0 == other.0).map(column).collect()
}

/// X^T K X for columns X of one block.
fn quadratic(block: &Block, columns: &[(u32, Row)], couplings: &[Row]) -> Dense {
    let own = |unknown: u32| (unknown - block.first) as usize;
    let mut B = Dense::zeros(block.len(), block.len());
    let mut Kx = vec![0.0; couplings.len()];
    for (unknown, x) in columns {
        Kx.fill(0.0);
        for &(i, value) in x {
            couplings[i as usize].iter().for_each(|&(j, k)| Kx[j as usize] += value * k);
        }
        for (other, y) in columns {
            B[(own(*unknown), own(*other))] = y.iter().map(|&(i, value)| value * Kx[i as usize]).sum();
        }
    }
    B
}

/// The interior block of the first cell of a degree, and its diagonal in nodal functions. Most cells have a multiple of
/// it, which is found faster than the diagonal is computed.
struct Sample {
    block: Block,
    B: Dense,
    diagonal: Vec<f64>,
}

impl Sample {
    fn of_degrees(problem: &Problem, T: &Basis<'_>, blocks: &[Block]) -> Result<Vec<Self>> {
        let space = problem.space();
        let first = |p: usize| (0..space.cells()).find(|&e| space.degree(e) == p);
        let mut samples = Vec::new();
        for e in (2..=crate::basis::MAX_DEGREE).filter_map(first) {
            let found = cell_blocks(problem, T, blocks, e)?;
            let interior = found.into_iter().find(|(k, _)| blocks[*k].first == space.numbering().of_interior[e]);
            let (k, B) = interior.expect("an interior has unknowns from degree 2 on");
            samples.push(Self { block: blocks[k], diagonal: nodal(&blocks[k], &B), B });
        }
        Ok(samples)
    }

    /// The diagonal of N^T B N.
    fn diagonal(samples: &[Self], block: &Block, B: &Dense) -> Vec<f64> {
        let is_alike = |sample: &&Self| (sample.block.degree, sample.block.dim) == (block.degree, block.dim);
        match samples.iter().find(is_alike).and_then(|sample| Some((sample, sample.factor(B)?))) {
            Some((sample, factor)) => sample.diagonal.iter().map(|d| factor * d).collect(),
            None => nodal(block, B),
        }
    }

    /// B as a multiple of the sample's, if it is one.
    fn factor(&self, B: &Dense) -> Option<f64> {
        let factor = B.val[0] / self.B.val[0];
        let size = self.B.val.iter().fold(0.0f64, |most, b| most.max(b.abs()));
        let is_near = |(b, s): (&f64, &f64)| (b - factor * s).abs() <= NEAR * factor * size;
        B.val.iter().zip(&self.B.val).all(is_near).then_some(factor)
    }
}

/// The diagonal of N^T B N for the functions of one entity.
fn nodal(block: &Block, B: &Dense) -> Vec<f64> {
    let (dim, n) = (block.dim as usize, block.bubbles());
    if dim == 0 {
        return B.val.clone();
    }
    let N = Nodal::of(block.degree as usize).inner.transposed();
    let to_nodal = |row: &[f64]| Tensor::cube(dim, n, row.to_vec()).along_each((0..dim).map(|_| &N)).val;
    let rows: Vec<Vec<f64>> = (0..B.rows).map(|i| to_nodal(B.row(i))).collect(); // B N
    (0..B.rows).map(|k| to_nodal(&rows.iter().map(|row| row[k]).collect::<Vec<_>>())[k]).collect()
}
