//! The operator of a problem as a linear map, which any solver takes.

use super::cells::Cells;
use super::factors::Factors;
use super::numbers::Numbers;
use super::rows::Rows;
use super::tables::Tables;
use super::{device, reference, threads};
use crate::error::Result;
use crate::problem::Problem;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{DeviceSource, LinearMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The operator of a problem, applied cell by cell. On a domain without Dirichlet, reaction and Robin terms it is
/// singular: constants are not pinned as they are in an assembled system.
#[derive(Debug)]
pub struct MatrixFree<S: Scalar> {
    pub(super) cells: Arc<Cells>,
    pub(super) numbers: Arc<Numbers<S>>,
    local: Mutex<Vec<S>>, // results of cells, before they are summed; kept from product to product
}

impl MatrixFree<f64> {
    /// The operator of a problem, with the quadrature that its assembly has.
    pub fn new(problem: &Problem) -> Result<Self> {
        let found = Factors::new(problem)?;
        let cells = Cells::new(problem.space(), found.kinds)?;
        let (constraints, transposed) = Rows::of_constraints(problem.space());
        let tables = cells.kinds.iter().map(Tables::new).collect();
        let numbers = Numbers { tables, factors: found.values, maps: found.maps, constraints, transposed };
        Ok(Self::of(Arc::new(cells), numbers))
    }
}

impl<S: Scalar> MatrixFree<S> {
    fn of(cells: Arc<Cells>, numbers: Numbers<S>) -> Self {
        Self { cells, numbers: Arc::new(numbers), local: Mutex::default() }
    }
    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.cells.unknowns
    }
    /// Degree, points in each direction (0 where none are used) and number of the cells of each kind.
    pub fn kinds(&self) -> Vec<[usize; 3]> {
        self.cells.kinds.iter().map(|kind| [kind.p, kind.points(), kind.cells.len()]).collect()
    }
    /// The same operator with numbers of another precision.
    fn converted<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> MatrixFree<T> {
        let all = |values: &Vec<S>| values.iter().map(|&value| convert(value)).collect();
        let numbers = Numbers {
            tables: self.cells.kinds.iter().map(Tables::new).collect(),
            factors: self.numbers.factors.iter().map(all).collect(),
            maps: self.numbers.maps.iter().map(all).collect(),
            constraints: self.numbers.constraints.converted(convert),
            transposed: self.numbers.transposed.converted(convert),
        };
        MatrixFree::of(self.cells.clone(), numbers)
    }
}

impl<S: Scalar> Clone for MatrixFree<S> {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), numbers: self.numbers.clone(), local: Mutex::default() }
    }
}

impl<S: Scalar> LinearMap<S> for MatrixFree<S> {
    fn shape(&self) -> (usize, usize) {
        (self.unknowns(), self.unknowns())
    }
    fn name(&self) -> &'static str {
        "a matrix-free operator"
    }
    fn bytes(&self) -> usize {
        let numbers = &self.numbers;
        let factors: usize = numbers.factors.iter().map(|factors| size_of_val(&factors[..])).sum();
        self.cells.bytes() + factors + numbers.constraints.bytes() + numbers.transposed.bytes()
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        reference::apply(&self.cells, &self.numbers, x, y);
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        let mut local = std::mem::take(&mut *self.local.lock().unwrap_or_else(PoisonError::into_inner));
        threads::apply(&self.cells, &self.numbers, &mut local, (x, y));
        *self.local.lock().unwrap_or_else(PoisonError::into_inner) = local;
    }
    fn device_source(&self) -> Option<DeviceSource> {
        device::source(&self.cells, &self.numbers)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.converted(Scalar::to_single)))
    }
}
