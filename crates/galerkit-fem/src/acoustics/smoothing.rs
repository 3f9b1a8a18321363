//! What smooths levels of waves: incomplete factors, and the interval that a Chebyshev polynomial damps with them.

use crate::error::{Error, Result};
use galerkit_linalg::c64;
use galerkit_linalg::map::{Gather, LinearMap, gather_map};
use galerkit_linalg::multigrid::Interval;
use galerkit_linalg::parallel;
use galerkit_linalg::precond::{Class, Factors, Preconditioner, Prepared};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::{Csr, colouring};

/// Steps of the power method, and what its answer, which is too small, is multiplied with.
const STEPS: usize = 12;
const SAFETY: f64 = 1.1;
/// Eigenvalues below the largest by more are left to coarser spaces.
const RATIO: f64 = 4.0;
/// Degree up to which incomplete factors are those of the unknowns by colours.
const COLOURED: usize = 2;

/// Maps that are applied one after the other.
pub type Chain = Vec<Box<dyn LinearMap<c64>>>;

/// What smooths with a matrix of this degree: ILU(0). Up to degree 2 of the unknowns by colours, which solves in 38 steps
/// instead of 1,744 (the car in 3D with 76,650 unknowns) and takes 35 iterations instead of 43; at higher degrees functions
/// of one edge or face depend on each other more than on their neighbours, and colours take twice the iterations.
pub fn smoother(A: &Csr<c64>, degree: usize) -> Result<Chain> {
    if degree > COLOURED {
        return Ok(vec![factors(A)?]);
    }
    let (order, rows) = (colouring(A)?.order(), A.rows());
    let gather = |index: &[u32]| Ok::<_, Error>(gather_map(Gather::new(rows, index.to_vec())?));
    Ok(vec![gather(order.old())?, factors(&A.permute_symmetric(&order)?)?, gather(order.new_position())?])
}

/// ILU(0).
fn factors(A: &Csr<c64>) -> Result<Box<dyn LinearMap<c64>>> {
    match (Preconditioner::Ilu { fill: 0 }).prepare(A, Class::General)? {
        Prepared::Map(mut map) => {
            map.schedule();
            Ok(map)
        }
        _ => unreachable!("incomplete factors are one map"),
    }
}

/// Eigenvalues of L^-1 A that smoothing damps.
pub fn interval(A: &Csr<c64>, inverse: &Chain) -> Result<Interval> {
    let upper = SAFETY * radius(A, inverse);
    Ok(Interval::new(0, upper / RATIO, upper)?)
}

/// The largest eigenvalue of L^-1 A in modulus, by some steps of the power method. Matrix and factors, which can be
/// large, stay where they are.
fn radius(A: &Csr<c64>, inverse: &Chain) -> f64 {
    let mut random = Random::new(1);
    let mut v: Vec<c64> = (0..A.rows()).map(|_| c64::new(random.unit() - 0.5, random.unit() - 0.5)).collect();
    let norm = |v: &[c64]| v.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
    let mut growth = 1.0;
    for _ in 0..STEPS {
        let scale = 1.0 / norm(&v).max(f64::MIN_POSITIVE);
        v = parallel::collect(A.rows(), &|i| A.row(i).map(|(j, a)| a * (v[j] * scale)).sum());
        for map in inverse {
            let mut w = vec![c64::new(0.0, 0.0); v.len()];
            match map.known::<Factors<c64>>() {
                Some(factors) => factors.solve_on_threads(&v, &mut w),
                None => map.apply_on_threads(&[], &v, &mut w),
            }
            v = w;
        }
        growth = norm(&v);
    }
    growth
}
