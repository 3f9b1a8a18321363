//! Scalars chosen at run time: the kind (real or complex) comes from the data, the precision from the user.
//! [`dispatch!`](crate::dispatch) is the one place where a value becomes a type.

use crate::choice::Choice;
use crate::error::{Error, Result};
use crate::precision::Precision;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::sparse::{Csr, Pattern};
use galerkit_linalg::{Scalar, ScalarKind, c32, c64};

/// A matrix whose scalar is known at run time only.
///
/// ```
/// use galerkit::{AnyMatrix, Precision, dispatch};
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.matrix;
/// assert_eq!((A.rows(), A.cols(), A.nnz(), A.scalar().name()), (100, 100, 460, "f64"));
/// let single = A.clone().with_precision(Precision::Single);
/// assert!(matches!(single, AnyMatrix::F32(_)));
/// assert_eq!(dispatch!(&single, A => A.bytes()), 4 * (460 + 460) + 8 * 101);
/// assert_eq!(A.clone().into_complex().rows(), A.into_real()?.rows());
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyMatrix {
    /// Real, single precision.
    F32(Csr<f32>),
    /// Real, double precision.
    F64(Csr<f64>),
    /// Complex, single precision.
    C32(Csr<c32>),
    /// Complex, double precision.
    C64(Csr<c64>),
}

/// A problem whose scalar is known at run time only; its rows are made where they are needed.
///
/// ```
/// use galerkit::{AnyProblem, Precision};
///
/// let Some(A) = galerkit::problem("gallery:shifted_laplace2d?n=50")? else { unreachable!() };
/// assert_eq!((A.rows(), A.nnz()), (2500, 12_300));
/// assert!(matches!(A.with_precision(Precision::Single), AnyProblem::C32(_)));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyProblem {
    /// Real, single precision.
    F32(GridMatrix<f32>),
    /// Real, double precision.
    F64(GridMatrix<f64>),
    /// Complex, single precision.
    C32(GridMatrix<c32>),
    /// Complex, double precision.
    C64(GridMatrix<c64>),
}

impl AnyProblem {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.pattern().rows()
    }
    /// Entries that its rows have.
    pub fn nnz(&self) -> usize {
        self.pattern().nnz()
    }
    fn pattern(&self) -> &dyn Pattern {
        match self {
            AnyProblem::F32(A) => A,
            AnyProblem::F64(A) => A,
            AnyProblem::C32(A) => A,
            AnyProblem::C64(A) => A,
        }
    }

    /// Rounds to single precision where that is asked for.
    pub fn with_precision(self, precision: impl Into<Choice<Precision>>) -> Self {
        match (self, precision.into() == Choice::Given(Precision::Single)) {
            (AnyProblem::F64(A), true) => AnyProblem::F32(A.map_values(|value| value.to_single())),
            (AnyProblem::C64(A), true) => AnyProblem::C32(A.map_values(|value| value.to_single())),
            (same, _) => same,
        }
    }
}

/// Evaluates an expression with the matrix inside an [`AnyMatrix`], once for each scalar.
///
/// ```
/// let A = galerkit::load("gallery:poisson2d?n=10")?.matrix;
/// let longest = galerkit::dispatch!(&A, A => (0..A.rows()).map(|i| A.row_length(i)).max());
/// assert_eq!(longest, Some(5));
/// # Ok::<(), galerkit::Error>(())
/// ```
#[macro_export]
macro_rules! dispatch {
    ($any:expr, $A:ident => $body:expr) => {
        match $any {
            $crate::AnyMatrix::F32($A) => $body,
            $crate::AnyMatrix::F64($A) => $body,
            $crate::AnyMatrix::C32($A) => $body,
            $crate::AnyMatrix::C64($A) => $body,
        }
    };
}

/// The same matrix with values rounded or widened to another scalar of the same kind.
fn convert<S: Scalar, T: Scalar>(A: &Csr<S>) -> Csr<T> {
    A.map_values(|value| {
        let (re, im) = value.parts();
        T::from_parts(re, im)
    })
}

impl AnyMatrix {
    /// Which scalar it holds.
    pub fn scalar(&self) -> ScalarKind {
        fn kind<S: Scalar>(_: &Csr<S>) -> ScalarKind {
            S::KIND
        }
        dispatch!(self, A => kind(A))
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        dispatch!(self, A => A.rows())
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        dispatch!(self, A => A.cols())
    }
    /// Stored entries.
    pub fn nnz(&self) -> usize {
        dispatch!(self, A => A.nnz())
    }

    /// Rounds to single precision, or widens to double, which all other precisions begin with; nothing is copied if it
    /// has that precision already.
    pub fn with_precision(self, precision: impl Into<Choice<Precision>>) -> Self {
        match (self, precision.into() == Choice::Given(Precision::Single)) {
            (AnyMatrix::F64(A), true) => AnyMatrix::F32(convert(&A)),
            (AnyMatrix::C64(A), true) => AnyMatrix::C32(convert(&A)),
            (same, true) => same,
            (AnyMatrix::F32(A), false) => AnyMatrix::F64(convert(&A)),
            (AnyMatrix::C32(A), false) => AnyMatrix::C64(convert(&A)),
            (same, false) => same,
        }
    }

    /// The real matrix in double precision; a complex one is refused.
    pub fn into_real(self) -> Result<Csr<f64>> {
        match self.with_precision(Precision::Double) {
            AnyMatrix::F64(A) => Ok(A),
            _ => Err(Error::ComplexForReal {
                what: "the matrix",
                needed: "what was asked for",
                advice: "use into_complex, or dispatch! on the scalar",
            }),
        }
    }

    /// The matrix as complex numbers in double precision.
    pub fn into_complex(self) -> Csr<c64> {
        match self {
            AnyMatrix::C64(A) => A,
            other => dispatch!(other, A => convert(&A)),
        }
    }
}
