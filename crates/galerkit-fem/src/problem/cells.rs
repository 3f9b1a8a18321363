//! What cells of an hp space contribute to a problem.

use super::data::Problem;
use crate::assemble::element::{Pulled, cell_matrix, constant_integrand, coupling};
use crate::assemble::lift::lift;
use crate::assemble::load::{add_neumann, add_robin, cell_load};
use crate::basis::dense::Dense;
use crate::error::Result;
use crate::forest::Part;

impl Problem {
    /// Coefficients of the functions that do not hang: Dirichlet data, and 0 for unknowns.
    pub fn lift(&self) -> Result<Vec<f64>> {
        lift(&self.space, &|tag, point| self.boundary_value(tag, point))
    }
    /// The matrix of cell e, boundary terms included.
    pub fn cell_matrix(&self, e: usize) -> Result<Dense> {
        let mut K = cell_matrix(&self.space, e, &self.forms, &self.rules)?;
        add_robin(&self.space, e, &self.robin, &self.rules, &mut K)?;
        Ok(K)
    }
    /// The entries of that matrix that can differ from 0, as ones; none if that may be all of them.
    pub fn coupling(&self, e: usize) -> Result<Option<Dense>> {
        if self.has_robin_term(e) { Ok(None) } else { coupling(&self.space, e, &self.forms) }
    }
    /// What that matrix is made of where it is one integrand, the same in all of the cell, in reference coordinates.
    pub fn constant_integrand(&self, e: usize) -> Result<Option<Pulled>> {
        if self.has_robin_term(e) { Ok(None) } else { constant_integrand(&self.space, e, &self.forms) }
    }
    /// Whether a face of the cell adds to its matrix.
    fn has_robin_term(&self, e: usize) -> bool {
        let forest = self.space.forest();
        let has_term =
            |facet| forest.boundary_tag(e, facet).is_some_and(|tag| self.robin.iter().any(|term| term.tag == tag));
        !self.robin.is_empty() && Part::facets(forest.dim()).any(has_term)
    }
    /// The right-hand side of cell e, boundary terms included.
    pub fn cell_load(&self, e: usize) -> Result<Vec<f64>> {
        let mut load = match &self.source {
            Some(source) => cell_load(&self.space, e, source, &self.rules)?,
            None => vec![0.0; self.space.functions(e).len()],
        };
        add_neumann(&self.space, e, &self.neumann, &self.rules, &mut load)?;
        Ok(load)
    }
    /// K_e and f_e - K_e g_e, with g_e the local coefficients of the Dirichlet data.
    pub fn cell_system(&self, e: usize, known: &[f64]) -> Result<(Dense, Vec<f64>)> {
        let (K, mut load) = (self.cell_matrix(e)?, self.cell_load(e)?);
        let given = self.space().local(e, known);
        if given.iter().any(|g| *g != 0.0) {
            load.iter_mut().zip(K.times(&given)).for_each(|(load, Kg)| *load -= Kg);
        }
        Ok((K, load))
    }
}
