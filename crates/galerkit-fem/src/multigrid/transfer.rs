//! Prolongation P and restriction P^T between two spaces of the sequence. Between degrees on one forest every function
//! of the smaller space is one of the larger: both are gathers. Between forests they are sparse matrices.

use crate::error::Result;
use crate::space::Space;
use crate::space::embed::embedding;
use crate::space::prolong::prolongation;
use galerkit_linalg::LinearMap;
use galerkit_linalg::map::{Gather, NO_SOURCE, gather_map, matrix_map};
use galerkit_linalg::sparse::Matrix;

/// P and P^T from the smaller space to the larger and back.
pub struct Transfer {
    /// P.
    pub prolongation: Box<dyn LinearMap<f64>>,
    /// P^T.
    pub restriction: Box<dyn LinearMap<f64>>,
}

impl Transfer {
    /// Between a space and one that contains it.
    pub fn new(smaller: &Space, larger: &Space) -> Result<Self> {
        if smaller.forest().cells() != larger.forest().cells() {
            let P = prolongation(smaller, larger)?;
            let R = P.transpose();
            return Ok(Self { prolongation: matrix_map(Matrix::Csr(P)), restriction: matrix_map(Matrix::Csr(R)) });
        }
        let mut numbers = embedding(smaller, larger)?;
        numbers.truncate(smaller.unknowns());
        let mut sources = vec![NO_SOURCE; larger.unknowns()];
        numbers.iter().enumerate().for_each(|(i, &number)| sources[number as usize] = i as u32);
        Ok(Self {
            prolongation: gather_map(Gather::new(smaller.unknowns(), sources)?),
            restriction: gather_map(Gather::new(larger.unknowns(), numbers)?),
        })
    }
}
