//! What acoustics asks of a space, whatever its cells: functions at quadrature points of cells and of their sides on
//! the boundary, matrices of cells, and how local functions are made of global ones.

use super::medium::{Medium, PartForm};
use crate::basis::dense::Dense;
use crate::error::Result;
use crate::forest::geometry::Point;
use crate::form::Form;
use crate::io::Contents;
use crate::matrix_free::MatrixFree;
use crate::space::row::Row;
use galerkit_linalg::c64;
use galerkit_linalg::sparse::Csr;
use std::sync::Arc;

/// A quadrature point with the local functions there.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Where it is.
    pub point: Point,
    /// Its weight, in the measure of the cell or side.
    pub weight: f64,
    /// The outer unit normal of a side; 0 in a cell.
    pub normal: Point,
    /// Values of the local functions.
    pub values: Vec<f64>,
    /// Their gradients.
    pub gradients: Vec<Point>,
}

/// A side of a cell on the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its tag.
    pub tag: i32,
    /// Which of the cell's sides.
    pub number: usize,
}

/// Real data on the boundary piece of a tag.
pub type RealData<'a> = &'a (dyn Fn(i32, &Point) -> f64 + Sync);

/// A space that waves are computed in. Functions that do not hang are numbered: unknowns first, then those that soft
/// walls fix.
pub trait WaveSpace: Send + Sync + Sized + 'static {
    /// 2 or 3.
    fn dim(&self) -> usize;
    /// How many cells it has.
    fn cells(&self) -> usize;
    /// How many unknowns it has.
    fn unknowns(&self) -> usize;
    /// Unknowns and fixed functions.
    fn masters(&self) -> usize;
    /// The degree of cell e.
    fn degree(&self, e: usize) -> usize;
    /// The region of cell e.
    fn region(&self, e: usize) -> i32;
    /// The tags of the boundary, each once.
    fn boundary_tags(&self) -> Vec<i32>;
    /// The sides of cell e on the boundary.
    fn sides(&self, e: usize) -> Vec<Side>;
    /// The local functions of cell e that do not vanish on a side.
    fn on_side(&self, e: usize, side: Side) -> Vec<usize>;
    /// Whether functions of lower degree are among those of a higher one, so that [`halved`](Self::halved) has a space.
    fn is_nested(&self) -> bool {
        false
    }
    /// The space with the degrees of all cells halved, rounded up, and for each function that does not hang its number
    /// here; none where all degrees are 1, or functions of lower degree are not among those of a higher one.
    ///
    /// # Errors
    /// If the space cannot be made.
    fn halved(&self) -> Result<Option<(Self, Vec<u32>)>> {
        Ok(None)
    }
    /// The diagonal of a form, without its matrix; nothing where cells are no products of intervals.
    ///
    /// # Errors
    /// If a coefficient is not allowed, or a cell is inverted.
    fn diagonal(self: &Arc<Self>, _form: &Arc<PartForm>) -> Result<Vec<f64>> {
        Ok(Vec::new())
    }
    /// The operator of a medium applied cell by cell, mass terms times a number, with a matrix beside cells; none where
    /// cells are no products of intervals.
    ///
    /// # Errors
    /// If a coefficient is not allowed, or a cell is inverted.
    fn product(
        self: &Arc<Self>,
        _medium: &Arc<Medium>,
        _mass: c64,
        _beside: &Csr<c64>,
    ) -> Result<Option<MatrixFree<c64>>> {
        Ok(None)
    }
    /// Each local function of cell e as a combination of numbered ones.
    fn rows(&self, e: usize) -> Vec<Row>;
    /// Local coefficients of cell e from those of all numbered functions.
    fn local(&self, e: usize, masters: &[f64]) -> Vec<f64> {
        let combined = |row: &Row| row.iter().map(|&(i, c)| c * masters[i as usize]).sum();
        self.rows(e).iter().map(combined).collect()
    }
    /// The matrix of cell e for the sum of forms.
    ///
    /// # Errors
    /// If a coefficient is not allowed, or the cell is inverted.
    fn matrix(&self, e: usize, form: &Arc<dyn Form>) -> Result<Dense>;
    /// The entries of such matrices that can differ from 0, as ones; none if that may be all of them.
    ///
    /// # Errors
    /// As [`matrix`](Self::matrix).
    fn coupling(&self, e: usize, forms: &[Arc<dyn Form>]) -> Result<Option<Dense>>;
    /// Quadrature points of cell e, `extra` more in each direction than products of its functions need.
    ///
    /// # Errors
    /// If the cell is inverted.
    fn samples(&self, e: usize, extra: usize) -> Result<Vec<Sample>>;
    /// Quadrature points of a side.
    ///
    /// # Errors
    /// If the cell is inverted.
    fn side_samples(&self, e: usize, side: Side, extra: usize) -> Result<Vec<Sample>>;
    /// Coefficients of all numbered functions: those of the data for fixed ones, 0 for unknowns.
    ///
    /// # Errors
    /// If data are not finite.
    fn lift(&self, data: RealData) -> Result<Vec<f64>>;
    /// A cell that contains a point, and its local functions there; none outside.
    fn locate(&self, point: &Point) -> Option<(usize, Vec<f64>)>;
    /// The function with given coefficients on straight pieces of cells.
    fn subdivided(self: &Arc<Self>, masters: Vec<f64>) -> Contents;
}
