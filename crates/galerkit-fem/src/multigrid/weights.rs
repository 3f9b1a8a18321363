//! The matrix in another basis, T^T A T, as far as smoothers need it: its diagonal blocks by entity, and the diagonal that
//! it has if functions within entities are nodal at Gauss-Lobatto points. Cell by cell, so that A need not be assembled.

use super::blocks::{Block, block_of};
use crate::assemble::scatter::Scatter;
use crate::basis::dense::Dense;
use crate::basis::nodal::Nodal;
use crate::basis::tensor::Tensor;
use crate::error::Result;
use crate::problem::Problem;
use crate::space::row::Row;
use rayon::prelude::*;

/// The diagonal blocks of T^T A T; T has a row for each function, hanging ones included.
pub fn entity_blocks(problem: &Problem, T: &[Row], blocks: &[Block]) -> Result<Vec<Dense>> {
    let cells = (0..problem.space().cells()).into_par_iter();
    let found: Vec<_> = cells.map(|e| cell_blocks(problem, T, blocks, e)).collect::<Result<_>>()?;
    let mut sums: Vec<Dense> = blocks.iter().map(|block| Dense::zeros(block.len(), block.len())).collect();
    for (k, B) in found.into_iter().flatten() {
        add(&B.val, &mut sums[k].val);
    }
    Ok(sums)
}

/// The diagonal of N^T T^T A T N, where N leads from nodal functions of each entity to its hierarchical ones.
pub fn nodal_diagonal(problem: &Problem, T: &[Row], blocks: &[Block]) -> Result<Vec<f64>> {
    let of_cell = |e: usize| {
        let found = cell_blocks(problem, T, blocks, e)?.into_iter();
        Ok(found.map(|(k, B)| (k, nodal(&blocks[k], &B))).collect::<Vec<_>>())
    };
    let cells = (0..problem.space().cells()).into_par_iter();
    let found: Vec<_> = cells.map(of_cell).collect::<Result<_>>()?;
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
fn cell_blocks(problem: &Problem, T: &[Row], blocks: &[Block], e: usize) -> Result<Vec<(usize, Dense)>> {
    let space = problem.space();
    let row = |function: &crate::space::function::Function| match function.get() {
        Some((i, sign)) => T[i].iter().map(|&(j, value)| (j, sign * value)).collect(),
        None => Row::new(),
    };
    let scatter = Scatter::of_rows(space.functions(e).iter().map(row).collect(), space.unknowns());
    let unknowns = &scatter.unknowns;
    let mut whole = Dense::zeros(unknowns.len(), unknowns.len());
    scatter.matrix(&problem.cell_matrix(e)?, &mut whole.val);
    let mut found = Vec::new();
    let mut at = 0;
    while at < unknowns.len() {
        let k = block_of(blocks, unknowns[at]);
        let range = blocks[k].unknowns();
        let end = at + unknowns[at..].partition_point(|&i| (i as usize) < range.end);
        let own = |i: usize| unknowns[i] as usize - range.start;
        let mut B = Dense::zeros(range.len(), range.len());
        for i in at..end {
            (at..end).for_each(|j| B[(own(i), own(j))] = whole[(i, j)]);
        }
        found.push((k, B));
        at = end;
    }
    Ok(found)
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
