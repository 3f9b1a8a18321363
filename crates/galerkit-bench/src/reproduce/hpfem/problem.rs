//! The systems: -Laplace u on the unit cube, u = 0 on its boundary, cubes of degree 1, 2 and 3 one third each, along x,
//! and the first cube cut in eight, so that degrees differ between neighbours and nodes hang. x is random, the same for
//! every solver, and b = A x.

use galerkit::fem::problem::Interior;
use galerkit::fem::{self, Forest, Space, domain};
use galerkit::{Result, Rhs};
use galerkit_linalg::sparse::Csr;
use rayon::prelude::*;

/// The smallest dimension, where a study begins.
const LEAST: usize = 1000;
/// Cuts of a cube to begin with when a dimension is looked for, and how many others are tried.
const FIRST: usize = 4;
const ATTEMPTS: usize = 3;
/// Degrees grow along x, from 1 to this.
const HIGHEST: usize = 3;

/// A system whose solution is known.
pub struct Problem {
    /// The stiffness matrix.
    pub A: Csr<f64>,
    /// The solution.
    pub x: Vec<f64>,
    /// A x.
    pub b: Vec<f64>,
}

impl Problem {
    /// A system of about so many unknowns.
    pub fn new(unknowns: usize) -> Result<Self> {
        let A = fem::Problem::poisson(nearest(unknowns)?.into(), 1.0).assemble(Interior::Kept)?.A;
        let x: Vec<f64> = Rhs::Random { seed: 1 }.entries(A.rows())?;
        let row = |i: usize| A.row(i).map(|(j, a)| a * x[j]).sum();
        let b = (0..A.rows()).into_par_iter().map(row).collect();
        Ok(Self { A, x, b })
    }

    /// max |x_i - y_i|
    pub fn error(&self, y: &[f64]) -> f64 {
        let apart = self.x.iter().zip(y).map(|(x, y)| (x - y).abs());
        apart.fold(0.0, |most, error| if error > most || error.is_nan() { error } else { most })
    }
}

/// The space whose dimension is nearest: N is nearly (p n - 1)^3 for n cuts and a mean degree p, which differs a little
/// with n.
fn nearest(unknowns: usize) -> Result<Space> {
    let root = |unknowns: usize| (unknowns as f64).cbrt() + 1.0;
    let apart = |space: &Space| (root(space.unknowns()) / root(unknowns)).ln().abs();
    let (mut best, mut cuts) = (space(FIRST)?, FIRST);
    let mut found = best.unknowns();
    for _ in 0..ATTEMPTS {
        let before = cuts;
        cuts = (root(unknowns) * cuts as f64 / root(found)).round().max(1.0) as usize;
        if cuts == before {
            break;
        }
        let next = space(cuts)?;
        found = next.unknowns();
        if apart(&next) < apart(&best) {
            best = next;
        }
    }
    Ok(best)
}

fn space(cuts: usize) -> Result<Space> {
    let mut forest = Forest::new(&domain::cube(cuts))?;
    forest.refine(&[0])?;
    let cells = forest.cells().len();
    let degrees: Vec<usize> = (0..cells).map(|e| 1 + HIGHEST * e / cells).collect(); // x is slow
    Ok(Space::new(forest, &degrees, &[1])?)
}

/// The dimensions of a study: from 1,000 on, about three times the one before, and the largest.
pub fn sizes(most: usize) -> Vec<usize> {
    let step = |k: i32| (LEAST as f64 * 10f64.powf(f64::from(k) / 2.0)).round() as usize;
    let mut sizes: Vec<usize> = (0..).map(step).take_while(|&size| 2 * size <= most).collect();
    sizes.push(most);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_grow_to_the_largest() {
        assert_eq!(sizes(40_000), [1000, 3162, 10_000, 40_000]);
        assert_eq!((sizes(1000), sizes(10), sizes(1999)), (vec![1000], vec![10], vec![1999]));
    }

    #[test]
    fn systems_have_about_the_dimension_and_a_known_solution() {
        for asked in [300, 1000, 4000] {
            let Problem { A, x, b } = Problem::new(asked).unwrap();
            assert!((asked / 2..=asked * 3 / 2).contains(&A.rows()), "{} for {asked}", A.rows());
            let residual = (0..A.rows()).map(|i| b[i] - A.row(i).map(|(j, a)| a * x[j]).sum::<f64>());
            assert_eq!(residual.fold(0.0, |most, r| f64::max(most, r.abs())), 0.0);
        }
        let problem = Problem::new(300).unwrap();
        let mut other = problem.x.clone();
        other[7] += 0.25;
        assert_eq!((problem.error(&problem.x), problem.error(&other)), (0.0, 0.25));
        other[3] = f64::NAN;
        assert!(problem.error(&other).is_nan());
    }
}
