//! Operators with complex coefficients, such as those of waves: D = D' + i D'' of two problems on one space, reactions
//! times a complex number, and a sparse matrix beside the cells for what boundaries add. The matrix may have further
//! unknowns behind those of the space.

use super::cells::Cells;
use super::factors::Factors;
use super::kind::{Kind, Rule};
use super::numbers::Numbers;
use super::operator::MatrixFree;
use super::rows::Rows;
use super::trilinear;
use crate::error::{Error, Result};
use crate::problem::Problem;
use galerkit_linalg::c64;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::sparse::Csr;
use std::sync::Arc;

impl MatrixFree<c64> {
    /// The diffusion of `real` and i times that of `imaginary`, with `mass` times the same sum of their reactions, and
    /// a matrix beside them.
    ///
    /// # Errors
    /// If coefficients are not what they must be, or quadrature is graded, so that diffusion and reaction are not known
    /// apart.
    pub fn complex(real: &Problem, imaginary: Option<&Problem>, mass: c64, beside: &Csr<c64>) -> Result<Self> {
        let found = Factors::new(real)?;
        let loss = imaginary.map(Factors::new).transpose()?;
        let dim = real.space().dim();
        let alike = |other: &Factors| {
            found.kinds.iter().zip(&other.kinds).all(|(a, b)| (a.rule, a.is_trilinear) == (b.rule, b.is_trilinear))
        };
        if found.kinds.iter().any(|kind| kind.rule == Rule::Stored) || !loss.iter().all(alike) {
            let problem = "its cells have graded quadrature: assemble the matrix".into();
            return Err(Error::NotSolved { problem });
        }
        let values = |k: usize| joined(dim, k, &found, loss.as_ref(), mass);
        let values: Vec<Vec<c64>> = (0..found.kinds.len()).map(values).collect();
        let maps = found.maps.iter().map(|maps| with_mass(maps, mass)).collect();
        let (constraints, transposed) = Rows::of_constraints(real.space());
        let cells = Cells::new(real.space(), found.kinds)?;
        let rows = [constraints, transposed].map(|rows| rows.converted(|c| c64::new(c, 0.0)));
        let numbers = Numbers::new(&cells.kinds, [values, maps], rows).beside(Rows::of_matrix(beside));
        Ok(Self::of(Arc::new(cells), numbers, Default::default()))
    }

    /// As a map behind a trait object, compiled here.
    pub fn boxed(self) -> Box<dyn LinearMap<c64>> {
        Box::new(self)
    }
}

/// Factors of kind k: D' + i D'', then mass (r' + i r'').
fn joined(dim: usize, k: usize, real: &Factors, loss: Option<&Factors>, mass: c64) -> Vec<c64> {
    let kind = &real.kinds[k];
    let size = kind.factors(dim);
    let diffusion = if kind.reacts { size - size / (parts(dim, kind) + 1) } else { size };
    let own = loss.map_or(0, |loss| loss.kinds[k].factors(dim)); // fewer where no cell loses by reaction
    let at = |(i, &re): (usize, &f64)| {
        let (cell, j) = (i / size, i % size);
        let im = loss.filter(|_| j < own).map_or(0.0, |loss| loss.values[k][cell * own + j]);
        let both = c64::new(re, im);
        if j < diffusion { both } else { mass * both }
    };
    real.values[k].iter().enumerate().map(at).collect()
}

/// Entries of D that a kind has, each as often as r.
fn parts(dim: usize, kind: &Kind) -> usize {
    if kind.rule == Rule::Box { dim } else { dim * (dim + 1) / 2 }
}

/// Numbers of maps, of which the last is the reaction.
fn with_mass(maps: &[f64], mass: c64) -> Vec<c64> {
    let last = trilinear::NUMBERS - 1;
    let of = |(i, &value): (usize, &f64)| {
        let value = c64::new(value, 0.0);
        if i % trilinear::NUMBERS == last { mass * value } else { value }
    };
    maps.iter().enumerate().map(of).collect()
}
