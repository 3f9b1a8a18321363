//! Block Jacobi by mesh entity: the inverses of the dense diagonal blocks that vertices, edges, faces and interiors
//! have in A. As a sparse matrix: on boxes functions of different parity do not couple, and most entries of a block are
//! 0.

use super::blocks::blocks;
use super::low_energy::Basis;
use super::weights::entity_blocks;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::problem::Problem;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Entries of an inverse relative to its largest that count as rounding.
const ROUNDING: f64 = 1e-14;

/// The inverses of all blocks, along the diagonal.
pub fn block_jacobi(problem: &Problem) -> Result<Csr<f64>> {
    let space = problem.space();
    let blocks = blocks(space);
    let found = entity_blocks(problem, &Basis::hierarchical(space), &blocks)?;
    let inverses = parallel::try_values(found.len(), &|k| inverse(&found[k]).ok_or(()))
        .map_err(|()| Error::NotSolved { problem: "a diagonal block of the matrix is not positive definite".into() })?;
    let (mut start, mut col, mut val) = (vec![0u64], Vec::new(), Vec::new());
    for (block, B) in blocks.iter().zip(&inverses) {
        let least = ROUNDING * B.val.iter().fold(0.0f64, |most, b| most.max(b.abs()));
        for i in 0..block.len() {
            for (j, &b) in B.row(i).iter().enumerate().filter(|(_, b)| b.abs() > least) {
                col.push(block.first + j as u32);
                val.push(b);
            }
            start.push(col.len() as u64);
        }
    }
    Ok(Csr::new(space.unknowns(), space.unknowns(), start, col, val)?)
}

fn inverse(B: &Dense) -> Option<Dense> {
    let L = B.cholesky()?;
    let unit = |k: usize| (0..B.rows).map(|i| f64::from(i == k)).collect::<Vec<_>>();
    let val = (0..B.rows).flat_map(|k| L.cholesky_solve(&unit(k))).collect();
    Some(Dense { rows: B.rows, cols: B.cols, val })
}
