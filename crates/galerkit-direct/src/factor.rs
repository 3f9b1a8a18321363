//! Factorisations: dense LU with partial pivoting, sparse Cholesky (AMD ordering) and sparse LU (COLAMD ordering) by
//! faer, sparse LU of nearly symmetric patterns by fronts of its own. A matrix in single precision is factorised in
//! double, and only its answers are rounded: twice the memory, all of the digits, and half as much of faer to compile.

use crate::fronts::{Fronts, Tree, is_symmetric, lower_triangle};
use crate::{Fill, Transposition};
use faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot;
use faer::linalg::solvers::{PartialPivLu, SolveCore};
use faer::sparse::linalg::{LltError, LuError};
use faer::sparse::{SparseColMat, SparseRowMatRef, SymbolicSparseRowMat};
use faer::traits::ComplexField;
use faer::{Conj, Mat, MatMut, Side, c64};
use galerkit_linalg::error::check_length;
use galerkit_linalg::sparse::{Csr, index};
use galerkit_linalg::{Error, Result};
use galerkit_linalg::{Scalar, c32, table_per_scalar};
use std::borrow::Cow;
use std::fmt;

const DENSE_LU: &str = "dense LU";
const SPARSE_LU: &str = "sparse LU";
const CHOLESKY: &str = "sparse Cholesky";

/// A factorised matrix: solves for as many right-hand sides as there are.
pub struct Factor<S> {
    rows: usize,
    solver: Box<dyn SolveInPlace<S>>,
}

impl<S> fmt::Debug for Factor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Factor of {} rows", self.rows)
    }
}

impl<S: Scalar> Factor<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The solution of A x = b.
    pub fn solve(&self, b: &[S]) -> Result<Vec<S>> {
        self.solve_with(Transposition::None, b)
    }

    /// The solution of A x = b, A^T x = b or A^H x = b, with the same factors.
    pub fn solve_with(&self, transposition: Transposition, b: &[S]) -> Result<Vec<S>> {
        check_length("the right-hand side", self.rows, b.len())?;
        let mut x = b.to_vec();
        if self.rows > 0 {
            self.solver.solve_in_place(transposition, &mut x);
        }
        Ok(x)
    }
}

table_per_scalar! {
    /// Factorises a small matrix as a dense one, P A = L U with partial pivoting.
    pub fn dense_lu<S>(A: &Csr<S>) -> Result<Factor<S>> = faer_dense_lu;
    /// Factorises a sparse matrix, P A Q = L U.
    pub fn sparse_lu<S>(A: &Csr<S>) -> Result<Factor<S>> = faer_sparse_lu;
    /// Factorises a sparse Hermitian positive definite matrix, P A P^H = L L^H; reads the lower triangle only.
    pub fn sparse_cholesky<S>(A: &Csr<S>) -> Result<Factor<S>> = faer_sparse_cholesky;
}

fn check<S: Scalar>(A: &Csr<S>, operation: &'static str) -> Result<()> {
    A.require_square(operation)?;
    A.require_finite()
}

/// The scalar that factors of a matrix have.
pub(crate) trait Eliminated: Scalar {
    type Double: Scalar + ComplexField;

    /// The matrix with that scalar.
    fn in_double(A: &Csr<Self>) -> Cow<'_, Csr<Self::Double>> {
        Cow::Owned(A.map_values(converted))
    }
}

impl Eliminated for f32 {
    type Double = f64;
}
impl Eliminated for f64 {
    type Double = f64;

    fn in_double(A: &Csr<f64>) -> Cow<'_, Csr<f64>> {
        Cow::Borrowed(A)
    }
}
impl Eliminated for c32 {
    type Double = c64;
}
impl Eliminated for c64 {
    type Double = c64;

    fn in_double(A: &Csr<c64>) -> Cow<'_, Csr<c64>> {
        Cow::Borrowed(A)
    }
}

/// The same number as another scalar.
pub(crate) fn converted<S: Scalar, T: Scalar>(value: S) -> T {
    let (re, im) = value.parts();
    T::from_parts(re, im)
}

/// Factors in double precision for right-hand sides in whatever precision.
struct InDouble<D>(Box<dyn SolveInPlace<D>>);

impl<S: Scalar, D: Scalar> SolveInPlace<S> for InDouble<D> {
    fn solve_in_place(&self, transposition: Transposition, x: &mut [S]) {
        let mut wide: Vec<D> = x.iter().map(|&value| converted(value)).collect();
        self.0.solve_in_place(transposition, &mut wide);
        x.iter_mut().zip(wide).for_each(|(x, wide)| *x = converted(wide));
    }
}

/// Overwrites a right-hand side by the solution.
trait SolveInPlace<S>: Send + Sync {
    fn solve_in_place(&self, transposition: Transposition, x: &mut [S]);
}

/// Any of faer's factorisations.
struct Faer<F>(F);

impl<S: ComplexField, F: SolveCore<S> + Send + Sync> SolveInPlace<S> for Faer<F> {
    fn solve_in_place(&self, transposition: Transposition, x: &mut [S]) {
        let rows = x.len();
        let x = MatMut::from_column_major_slice_mut(x, rows, 1);
        match transposition {
            Transposition::None => self.0.solve_in_place_with_conj(Conj::No, x),
            Transposition::Transposed => self.0.solve_transpose_in_place_with_conj(Conj::No, x),
            Transposition::Adjoint => self.0.solve_transpose_in_place_with_conj(Conj::Yes, x),
        }
    }
}

/// What is left to do when there is nothing to solve.
struct Nothing;

impl<S> SolveInPlace<S> for Nothing {
    fn solve_in_place(&self, _transposition: Transposition, _x: &mut [S]) {}
}

/// Wraps a factorisation; matrices without rows never reach faer.
fn boxed<S: Eliminated>(rows: usize, solver: impl SolveCore<S::Double> + Send + Sync + 'static) -> Factor<S> {
    Factor { rows, solver: Box::new(InDouble::<S::Double>(Box::new(Faer(solver)))) }
}

fn faer_dense_lu<S: Eliminated>(A: &Csr<S>) -> Result<Factor<S>> {
    check(A, DENSE_LU)?;
    index::slots("the number of entries of the dense matrix", A.rows(), A.cols())?;
    let rows = A.rows();
    if rows == 0 {
        return Ok(Factor { rows, solver: Box::new(Nothing) });
    }
    let mut dense = Mat::<S::Double>::zeros(rows, rows);
    for i in 0..rows {
        A.row(i).for_each(|(j, a)| dense[(i, j)] = converted(a));
    }
    let lu = PartialPivLu::new(dense.as_ref());
    let useless = |&i: &usize| lu.U()[(i, i)] == S::Double::default() || !Scalar::finite(lu.U()[(i, i)]);
    match (0..rows).find(useless) {
        Some(pivot) => Err(Error::Factorisation { factorisation: DENSE_LU, pivot, diagnosis: "singular" }),
        None => Ok(boxed(rows, lu)),
    }
}

fn faer_sparse_lu<S: Eliminated>(A: &Csr<S>) -> Result<Factor<S>> {
    check(A, SPARSE_LU)?;
    let rows = A.rows();
    if rows == 0 {
        return Ok(Factor { rows, solver: Box::new(Nothing) });
    }
    if let Some(fronts) = by_fronts(A) {
        return Ok(Factor { rows, solver: Box::new(InDouble::<S::Double>(Box::new(fronts))) });
    }
    match by_columns(A).ok_or(Error::FactorTooLarge { factorisation: SPARSE_LU, rows })?.sp_lu() {
        Ok(lu) => require_regular(boxed(rows, lu)),
        Err(LuError::SymbolicSingular { index: pivot }) => {
            Err(Error::Factorisation { factorisation: SPARSE_LU, pivot, diagnosis: "singular by its pattern alone" })
        }
        Err(LuError::Generic(_)) => Err(Error::FactorTooLarge { factorisation: SPARSE_LU, rows }),
    }
}

/// By fronts, where the pattern is nearly symmetric, memory holds the factors and pivots turn out to be good.
fn by_fronts<S: Eliminated>(A: &Csr<S>) -> Option<Fronts<S::Double>> {
    let (groups, pattern) = lower_triangle(A)?;
    let tree = Tree::new(&groups, pattern.as_ref())?;
    let is_symmetric = is_symmetric(A);
    if !(Fill { entries: tree.entries(is_symmetric), multiplications: 0.0, is_bound: false }).fits::<S::Double>() {
        return None;
    }
    let A = S::in_double(A);
    Fronts::new(&A, tree, is_symmetric).filter(|fronts| fronts.answers(&A))
}

impl<S: Scalar + ComplexField> SolveInPlace<S> for Fronts<S> {
    fn solve_in_place(&self, transposition: Transposition, x: &mut [S]) {
        Fronts::solve_in_place(self, transposition, x);
    }
}

/// faer goes on after a zero pivot, which then fills every solution with NaN or infinity.
fn require_regular<S: Scalar>(factor: Factor<S>) -> Result<Factor<S>> {
    let probe = factor.solve(&vec![S::one(); factor.rows])?;
    let regular = probe.iter().all(|value| value.finite());
    if regular { Ok(factor) } else { Err(Error::Singular { factorisation: SPARSE_LU }) }
}

fn faer_sparse_cholesky<S: Eliminated>(A: &Csr<S>) -> Result<Factor<S>> {
    check(A, CHOLESKY)?;
    let rows = A.rows();
    if rows == 0 {
        return Ok(Factor { rows, solver: Box::new(Nothing) });
    }
    match by_columns(A).ok_or(Error::FactorTooLarge { factorisation: CHOLESKY, rows })?.sp_cholesky(Side::Lower) {
        Ok(llt) => Ok(boxed(rows, llt)),
        Err(LltError::Numeric(NonPositivePivot { index: pivot })) => {
            Err(Error::Factorisation { factorisation: CHOLESKY, pivot, diagnosis: "not positive definite" })
        }
        Err(LltError::Generic(_)) => Err(Error::FactorTooLarge { factorisation: CHOLESKY, rows }),
    }
}

/// A as faer wants it.
fn by_columns<S: Eliminated>(A: &Csr<S>) -> Option<SparseColMat<usize, S::Double>> {
    let values: Vec<S::Double> = A.val().iter().map(|&value| converted(value)).collect();
    SparseRowMatRef::new(sparse(A)?.as_ref(), &values[..]).to_col_major().ok()
}

/// The pattern of A with faer's indices; none if they do not fit its signed ones.
fn sparse<S: Scalar>(A: &Csr<S>) -> Option<SymbolicSparseRowMat<usize>> {
    let start = A.start().iter().map(|&s| s as usize).collect();
    let col = A.col().iter().map(|&j| j as usize).collect();
    (A.nnz() < isize::MAX as usize)
        .then(|| SymbolicSparseRowMat::<usize>::new_checked(A.rows(), A.cols(), start, None, col))
}
