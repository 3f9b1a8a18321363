//! The matrix of a system, as set-up sees it: compressed rows in memory of the host, or a problem that says what its
//! rows are. Of that the host makes the rows when somebody needs them there, once; a GPU makes its own.

use crate::error::Result;
use crate::stages::{Stage, Stages};
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::sparse::{Csr, Pattern};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A stencil on a grid, with its rows once the host has needed them.
#[derive(Clone, Debug)]
pub(crate) struct Problem<S: Scalar> {
    pub(crate) grid: GridMatrix<S>,
    rows: OnceLock<Csr<S>>,
}

impl<S: Scalar> Problem<S> {
    fn rows(&self) -> Result<&Csr<S>> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let made = self.grid.to_csr()?;
        Ok(self.rows.get_or_init(|| made))
    }
}

/// A matrix as it was given.
#[derive(Clone, Debug)]
pub(crate) enum Input<'a, S: Scalar> {
    Rows(Cow<'a, Csr<S>>),
    Problem(Problem<S>),
}

impl<S: Scalar> Input<'_, S> {
    /// A problem whose rows nobody has needed yet.
    pub(crate) fn problem(grid: GridMatrix<S>) -> Self {
        Input::Problem(Problem { grid, rows: OnceLock::new() })
    }

    pub(crate) fn view(&self) -> MatrixRef<'_, S> {
        match self {
            Input::Rows(A) => MatrixRef::Rows(A),
            Input::Problem(problem) => MatrixRef::Problem(problem),
        }
    }

    /// The same pattern with other values, in rows.
    pub(crate) fn with_values(self, values: &[S]) -> Result<Self> {
        let mut A = match self {
            Input::Rows(Cow::Borrowed(A)) => return Ok(Input::Rows(Cow::Owned(A.with_values(values)))),
            Input::Rows(Cow::Owned(A)) => A,
            Input::Problem(problem) => match problem.rows.into_inner() {
                Some(rows) => rows,
                None => problem.grid.to_csr()?,
            },
        };
        A.set_values(values);
        Ok(Input::Rows(Cow::Owned(A)))
    }
}

/// A matrix as it was given, borrowed.
#[derive(Debug)]
pub(crate) enum MatrixRef<'a, S: Scalar> {
    Rows(&'a Csr<S>),
    Problem(&'a Problem<S>),
}

impl<S: Scalar> Clone for MatrixRef<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Scalar> Copy for MatrixRef<'_, S> {}

impl<'a, S: Scalar> MatrixRef<'a, S> {
    /// Where it has entries.
    pub(crate) fn pattern(self) -> &'a dyn Pattern {
        match self {
            MatrixRef::Rows(A) => A,
            MatrixRef::Problem(problem) => &problem.grid,
        }
    }
    pub(crate) fn rows(self) -> usize {
        self.pattern().rows()
    }
    pub(crate) fn nnz(self) -> usize {
        self.pattern().nnz()
    }
    /// Bytes of its rows.
    pub(crate) fn bytes(self) -> usize {
        match self {
            MatrixRef::Rows(A) => A.bytes(),
            MatrixRef::Problem(problem) => problem.grid.bytes(),
        }
    }
    /// The stencil, if that is what was given.
    pub(crate) fn grid(self) -> Option<&'a GridMatrix<S>> {
        match self {
            MatrixRef::Rows(_) => None,
            MatrixRef::Problem(problem) => Some(&problem.grid),
        }
    }

    /// Whether its rows are in memory of the host.
    pub(crate) fn is_on_host(self) -> bool {
        match self {
            MatrixRef::Rows(_) => true,
            MatrixRef::Problem(problem) => problem.rows.get().is_some(),
        }
    }
    /// Its rows on the host, made now if they were not; an error if there is no memory for them.
    pub(crate) fn host(self) -> Result<&'a Csr<S>> {
        match self {
            MatrixRef::Rows(A) => Ok(A),
            MatrixRef::Problem(problem) => problem.rows(),
        }
    }
    /// The same, with what making them is spent on.
    pub(crate) fn host_in(self, stages: &mut Stages) -> Result<&'a Csr<S>> {
        if self.is_on_host() { self.host() } else { stages.time(Stage::Generation, || self.host()) }
    }
}
