//! L^-1 of the smoother, Chebyshev's polynomial in L^-1 A: the diagonal in a basis whose functions are nodal at
//! Gauss-Lobatto points, L^-1 = T N D^-1 N^T T^T, with T from `low_energy.rs`, N and D from `scaling.rs`.
//!
//! In the hierarchical basis itself neither the diagonal nor blocks of entities smooth at high degree: on 2^3 cubes of
//! degree 8 a polynomial of degree 4 leaves 92 and 70 iterations, because the functions of entities reach far into
//! cells and couple. In this one a polynomial of degree 1 leaves 10.

use super::blocks::blocks;
use super::extension::extension_and_reduction;
use super::interiors::Interiors;
use super::low_energy::{Basis, low_energy_rows};
use super::scaling::NodalScaling;
use super::weights::nodal_diagonal;
use crate::error::Result;
use crate::problem::Problem;
use crate::space::row::Row;
use galerkit_linalg::LinearMap;
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::sparse::{Csr, Matrix};

/// From this degree on the interiors of cells are most of T, and it is applied to them cell by cell.
const CELL_BY_CELL: usize = 4;

/// L^-1 as a product of maps, the one that is applied first in front.
pub fn smoother(problem: &Problem) -> Result<Vec<Box<dyn LinearMap<f64>>>> {
    let (space, blocks) = (problem.space(), blocks(problem.space()));
    let basis = Basis::low_energy(space);
    let D = nodal_diagonal(problem, &basis, &blocks)?;
    let scaling = Box::new(NodalScaling::new(blocks, &D));
    match space.degrees().into_iter().max().unwrap_or(1) {
        1 => Ok(vec![scaling]),
        degree if degree < CELL_BY_CELL => {
            let T = matrix(&low_energy_rows(space)[..space.unknowns()], space.unknowns())?;
            Ok(vec![matrix_map(Matrix::Csr(T.transpose())), scaling, matrix_map(Matrix::Csr(T))])
        }
        _ => {
            let T = basis.matrix()?;
            let (extension, reduction) = extension_and_reduction(Interiors::new(space));
            let transposed = matrix_map(Matrix::Csr(T.transpose()));
            let T = matrix_map(Matrix::Csr(T));
            Ok(vec![Box::new(reduction), transposed, scaling, T, Box::new(extension)])
        }
    }
}

/// Rows as a sparse matrix.
fn matrix(rows: &[Row], cols: usize) -> Result<Csr<f64>> {
    let mut start = vec![0u64];
    rows.iter().for_each(|row| start.push(start[start.len() - 1] + row.len() as u64));
    let (col, val) = rows.iter().flatten().copied().unzip();
    Ok(Csr::new(rows.len(), cols, start, col, val)?)
}
