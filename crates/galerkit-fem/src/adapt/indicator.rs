//! The error indicator: |u_{p+1} - u_p| in the energy of each cell, where both are solutions on the same forest, one
//! with all degrees raised by 1. Spaces are nested and errors orthogonal: the sum of the squares is |u - u_p|^2 - |u -
//! u_{p+1}|^2.

use crate::basis::MAX_DEGREE;
use crate::error::{Error, Result};
use crate::problem::{Problem, Solution};
use galerkit_linalg::parallel;

/// Degrees one higher; the highest stays.
pub fn raised(degrees: &[usize]) -> Vec<usize> {
    degrees.iter().map(|p| (p + 1).min(MAX_DEGREE)).collect()
}

/// The squares of the indicators. `fine` solves the problem on a space with degrees at least those of `coarse`.
pub fn indicators(problem: &Problem, fine: &Solution, coarse: &Solution) -> Result<Vec<f64>> {
    let of_cell = |e: usize| {
        let mut difference = fine.local(e);
        let (p, q) = (coarse.space().degree(e), fine.space().degree(e));
        let embedded = embed(coarse.space().dim(), p, q, &coarse.local(e));
        difference.iter_mut().zip(embedded).for_each(|(fine, coarse)| *fine -= coarse);
        let K = problem.cell_matrix(e)?;
        Ok(K.times(&difference).iter().zip(&difference).map(|(a, b)| a * b).sum::<f64>().max(0.0))
    };
    parallel::try_values(coarse.space().cells(), &of_cell)
}

/// l(u_h), boundary terms included.
pub fn load(problem: &Problem, solution: &Solution) -> Result<f64> {
    let of_cell = |e: usize| Ok(problem.cell_load(e)?.iter().zip(solution.local(e)).map(|(f, u)| f * u).sum());
    let loads: Vec<f64> = parallel::try_values::<_, Error>(solution.space().cells(), &of_cell)?;
    Ok(loads.iter().sum())
}

/// Coefficients of degree p as those of degree q: functions are the same, there are only more of them.
fn embed(dim: usize, p: usize, q: usize, local: &[f64]) -> Vec<f64> {
    let mut wide = vec![0.0; (q + 1).pow(dim as u32)];
    for (i, &c) in local.iter().enumerate() {
        let index = |a: u32| i / (p + 1).pow(a) % (p + 1);
        wide[(0..dim as u32).map(|a| index(a) * (q + 1).pow(a)).sum::<usize>()] = c;
    }
    wide
}
