//! What elimination of A(k) would take, so that a program can decide between it and iterations: indefinite systems with
//! many wavelengths are where iterations are least to be trusted.

use galerkit_direct::Fill;
use galerkit_linalg::c64;
use galerkit_linalg::sparse::Csr;

/// Entries beyond which even the order takes too long to find.
const ORDERED: usize = 40_000_000;
/// Multiplications that are done in some thirty seconds on two cores.
const AFFORDABLE: f64 = 1e11;

/// Bounds of what minimum degree takes in the plane: n log2 n entries, counted for degrees 1 to 8 at most 6 times, and
/// n^(3/2) multiplications, at most 33 times.
const ENTRIES: f64 = 10.0;
const WORK: f64 = 60.0;

/// Multiplications that are done in some seconds: beyond them a cycle over degrees in 3D is faster.
pub const QUICK: f64 = 1e10;

/// Multiplications of a sparse LU factorisation, where that is affordable in time and memory, or a bound of them. In the
/// plane that bound mostly does: to count takes an order, a tenth of the time of the factorisation.
pub fn affordable(A: &Csr<c64>, dim: usize) -> Option<f64> {
    let bounded = Some(in_the_plane(A.rows())).filter(|_| dim == 2);
    bounded.and_then(|fill| within(fill, AFFORDABLE)).or_else(|| within(counted(A)?, AFFORDABLE))
}

/// The same in space where the alternative is a second level of aggregates, whose further iterations cost more than ten
/// times the elimination.
pub fn affordable_once_aggregated(A: &Csr<c64>) -> Option<f64> {
    within(counted(A)?, 10.0 * AFFORDABLE)
}

fn counted(A: &Csr<c64>) -> Option<Fill> {
    Some(A).filter(|A| A.nnz() <= ORDERED).and_then(Fill::of_lu)
}

fn within(fill: Fill, most: f64) -> Option<f64> {
    (fill.multiplications <= most && fill.fits::<c64>()).then_some(fill.multiplications)
}

/// A bound for meshes in the plane of any degree: they are separated by curves, and nested dissection takes n log n
/// entries and n^(3/2) multiplications (George 1973).
pub fn in_the_plane(rows: usize) -> Fill {
    let n = rows as f64;
    Fill { entries: ENTRIES * n * n.max(2.0).log2(), multiplications: WORK * n.powf(1.5), is_bound: true }
}
