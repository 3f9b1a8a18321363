//! The operator of a problem without its matrix: y = P^T (sum_e G_e^T B^T D B G_e) P x. P completes the unknowns by hanging
//! functions (0 where Dirichlet data fix a function), G_e gathers the local functions of cell e, B is their gradient and value at
//! quadrature points, by sum factorisation, D the integrand in reference coordinates, the same that assembly takes.
//!
//! | file | what |
//! |---|---|
//! | [`cells`] | the cells: what their local functions gather, and which kind of product each has |
//! | [`kind`] | boxes, cells with stored factors, cells with a stored matrix |
//! | [`factors`] | D of every cell |
//! | [`contraction`] | matrices along one axis, for several cells side by side |
//! | [`tables`] | the matrices of the interval that products of a kind use |
//! | [`rows`] | sparse rows: the constraints C and their transpose |
//! | [`sums`] | which local results a function sums, in a fixed order |
//! | [`batch`] | the product of several cells of one kind |
//! | [`threads`] | the product on threads |
//! | [`reference`] | the product in obvious loops |
//! | [`diagonal`] | the diagonal, for Jacobi |
//! | [`load`] | the right-hand side, without a matrix |
//! | [`device`] | the product on a GPU |

mod batch;
mod cells;
mod contraction;
mod device;
mod diagonal;
mod factors;
mod kind;
mod load;
mod reference;
mod rows;
mod sums;
mod tables;
mod threads;

use crate::error::Result;
use crate::problem::Problem;
use cells::Cells;
use factors::Factors;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{DeviceSource, LinearMap};
use rows::Rows;
use std::sync::{Arc, Mutex};
use tables::Tables;

/// The operator of a problem, applied cell by cell. On a domain without Dirichlet, reaction and Robin terms it is singular: constants
/// are not pinned as they are in an assembled system.
#[derive(Debug)]
pub struct MatrixFree<S: Scalar> {
    cells: Arc<Cells>,
    numbers: Arc<Numbers<S>>,
    local: Mutex<Vec<S>>, // results of cells, before they are summed; kept from product to product
}

/// The numbers of the operator in one precision.
#[derive(Debug)]
struct Numbers<S> {
    tables: Vec<Tables<S>>, // of each kind
    factors: Vec<Vec<S>>,   // of each kind, one cell after the other
    constraints: Rows<S>,
    transposed: Rows<S>,
}

impl MatrixFree<f64> {
    /// The operator of a problem, with the quadrature that its assembly has.
    pub fn new(problem: &Problem) -> Result<Self> {
        let found = Factors::new(problem)?;
        let cells = Cells::new(problem.space(), found.kinds)?;
        let (constraints, transposed) = Rows::of_constraints(problem.space());
        let tables = cells.kinds.iter().map(Tables::new).collect();
        let numbers = Numbers { tables, factors: found.values, constraints, transposed };
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
        threads::apply(self, x, y);
    }
    fn device_source(&self) -> Option<DeviceSource> {
        device::source(&self.cells, &self.numbers)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.converted(Scalar::to_single)))
    }
}
