//! The operator of a problem as a linear map, which any solver takes.

use super::cells::Cells;
use super::factors::Factors;
use super::numbers::Numbers;
use super::rows::Rows;
use super::variant::KernelVariant;
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
    variant: KernelVariant,
    local: Mutex<Vec<S>>, // results of cells, before they are summed; kept from product to product
}

impl MatrixFree<f64> {
    /// The operator of a problem, with the quadrature that its assembly has.
    pub fn new(problem: &Problem) -> Result<Self> {
        let found = Factors::new(problem)?;
        let cells = Cells::new(problem.space(), found.kinds)?;
        let (constraints, transposed) = Rows::of_constraints(problem.space());
        let numbers = Numbers::new(&cells.kinds, [found.values, found.maps], [constraints, transposed]);
        Ok(Self::of(Arc::new(cells), numbers, KernelVariant::default()))
    }

    /// As a map behind a trait object, compiled here.
    pub fn boxed(self) -> Box<dyn LinearMap<f64>> {
        Box::new(self)
    }
}

impl<S: Scalar> MatrixFree<S> {
    pub(super) fn of(cells: Arc<Cells>, numbers: Numbers<S>, variant: KernelVariant) -> Self {
        Self { cells, numbers: Arc::new(numbers), variant, local: Mutex::default() }
    }
    /// The same operator with other kernels on a GPU.
    pub fn with_variant(&self, variant: KernelVariant) -> Self {
        Self { variant, ..self.clone() }
    }
    /// How many unknowns there are: those of the space, and of a matrix beside cells.
    pub fn unknowns(&self) -> usize {
        self.cells.unknowns.max(self.numbers.beside.len())
    }
    /// Degree, points in each direction (0 where none are used) and number of the cells of each kind.
    pub fn kinds(&self) -> Vec<[usize; 3]> {
        self.cells.kinds.iter().map(|kind| [kind.p, kind.points(), kind.cells.len()]).collect()
    }
    /// The same operator with numbers of another precision.
    fn converted<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> MatrixFree<T> {
        MatrixFree::of(self.cells.clone(), self.numbers.converted(&self.cells.kinds, convert), self.variant)
    }
}

impl<S: Scalar> Clone for MatrixFree<S> {
    fn clone(&self) -> Self {
        let Self { cells, numbers, variant, .. } = self;
        Self { cells: cells.clone(), numbers: numbers.clone(), variant: *variant, local: Mutex::default() }
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
        self.cells.bytes() + self.numbers.bytes()
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        let (of_cells, further) = y.split_at_mut(self.cells.unknowns);
        reference::apply(&self.cells, &self.numbers, &x[..of_cells.len()], of_cells);
        further.fill(S::zero());
        let beside = &self.numbers.beside;
        (0..beside.len()).for_each(|i| y[i] += beside.times(i, x));
    }
    fn apply_on_threads(&self, _: &[S], x: &[S], y: &mut [S]) {
        let mut local = std::mem::take(&mut *self.local.lock().unwrap_or_else(PoisonError::into_inner));
        let (of_cells, further) = y.split_at_mut(self.cells.unknowns);
        threads::apply(&self.cells, &self.numbers, &mut local, (&x[..of_cells.len()], of_cells));
        further.fill(S::zero());
        threads::add_beside(&self.numbers.beside, x, y);
        *self.local.lock().unwrap_or_else(PoisonError::into_inner) = local;
    }
    fn device_source(&self) -> Option<DeviceSource> {
        device::source(&self.cells, &self.numbers, self.variant)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.converted(Scalar::to_single)))
    }
}
