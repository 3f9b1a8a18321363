//! What elimination of A(k) would take, so that a program can decide between it and iterations: indefinite systems with
//! many wavelengths are where iterations are least to be trusted.

use galerkit_direct::Fill;
use galerkit_linalg::c64;
use galerkit_linalg::sparse::Csr;

/// Entries beyond which even the order takes too long to find.
const ORDERED: usize = 40_000_000;
/// Multiplications that are done in some thirty seconds on two cores.
const AFFORDABLE: f64 = 1e11;

/// Multiplications that are done in some seconds: beyond them a cycle over degrees in 3D is faster.
pub const QUICK: f64 = 1e10;

/// Multiplications of a sparse LU factorisation, where that is affordable in time and memory.
pub fn affordable(A: &Csr<c64>) -> Option<f64> {
    within(A, AFFORDABLE)
}

/// The same where the alternative is a second level of aggregates, whose further iterations cost more than ten times
/// the elimination.
pub fn affordable_once_aggregated(A: &Csr<c64>) -> Option<f64> {
    within(A, 10.0 * AFFORDABLE)
}

fn within(A: &Csr<c64>, most: f64) -> Option<f64> {
    let fill = Some(A).filter(|A| A.nnz() <= ORDERED).and_then(Fill::of_lu)?;
    (fill.multiplications <= most && fill.fits::<c64>()).then_some(fill.multiplications)
}
