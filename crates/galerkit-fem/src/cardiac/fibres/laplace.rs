//! Harmonic functions: given values at some nodes, K u = 0 at the others, no flux elsewhere. By conjugate gradients on
//! the nodes that are left.

use crate::error::{Error, Result};
use galerkit_linalg::engine::{Engine, Recorded, cpu_executor};
use galerkit_linalg::krylov::{Krylov, Stop, run_any};
use galerkit_linalg::map::{Diagonal, diagonal_map, matrix_map};
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// Of the residual, relative to that of zero: fibres need no more.
const RTOL: f64 = 1e-8;

/// The function with these values where they are given.
///
/// # Errors
/// If no value is given, or iterations do not converge.
pub fn harmonic(K: &Csr<f64>, given: &[Option<f64>]) -> Result<Vec<f64>> {
    let mut values: Vec<f64> = given.iter().map(|value| value.unwrap_or(0.0)).collect();
    let free: Vec<usize> = (0..values.len()).filter(|&i| given[i].is_none()).collect();
    let mut number = vec![u32::MAX; values.len()];
    free.iter().zip(0..).for_each(|(&i, new)| number[i] = new);
    if free.len() == values.len() {
        return Err(Error::NotSolved { problem: "no node has a value: harmonic functions need one".into() });
    }
    let (mut start, mut columns, mut entries, mut rhs) = (vec![0u64], Vec::new(), Vec::new(), Vec::new());
    for &i in &free {
        let fixed = K.row(i).filter(|(j, _)| given[*j].is_some());
        rhs.push(-fixed.map(|(j, k)| k * values[j]).sum::<f64>());
        for (j, k) in K.row(i).filter(|(j, _)| given[*j].is_none()) {
            columns.push(number[j]);
            entries.push(k);
        }
        start.push(columns.len() as u64);
    }
    if rhs.iter().any(|b| *b != 0.0) {
        let solved = solve(&Csr::new(free.len(), free.len(), start, columns, entries)?, &rhs)?;
        free.iter().zip(solved).for_each(|(&i, value)| values[i] = value);
    }
    Ok(values)
}

fn solve(A: &Csr<f64>, b: &[f64]) -> Result<Vec<f64>> {
    let mut e = Recorded::over(cpu_executor());
    let inverse = Diagonal::new(A.diagonal().iter().map(|a| 1.0 / a).collect());
    let (matrix, inverse) = (e.load(matrix_map(Matrix::from_csr(A, Format::Csr)?)), e.load(diagonal_map(inverse)));
    let (b, mut x) = (e.upload(b), e.upload(&vec![0.0; b.len()]));
    let run = run_any(Krylov::Cg, &mut e, &matrix, &inverse, &b, &mut x, &Stop { rtol: RTOL, ..Stop::default() });
    if run.outcome.converged() {
        return Ok(e.download(&x));
    }
    Err(Error::NotSolved {
        problem: format!("a harmonic function for fibres: {:?} after {} iterations", run.outcome, run.iterations),
    })
}
