//! Matrices whose rows sum to zero, such as those of pure Neumann problems and graph Laplacians: A x = 0 for constant
//! x, so they are singular, whatever rounding leaves of their last pivot. Each connected part has its own constant.

use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// Whether every row sums to zero, up to the rounding of its sum.
pub(super) fn annihilates_constants<S: Scalar>(A: &Csr<S>) -> bool {
    let vanishes = |i: usize| {
        let (mut re, mut im, mut size) = (0.0, 0.0, 0.0);
        for (_, a) in A.row(i) {
            let (x, y) = a.parts();
            (re, im, size) = (re + x, im + y, size + x.abs() + y.abs());
        }
        f64::hypot(re, im) <= A.row_length(i) as f64 * S::eps() * size
    };
    A.rows() > 0 && !parallel::any(A.rows(), &|i| !vanishes(i))
}

/// Connected parts of a matrix whose entries make edges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parts {
    /// The part of each row; empty where all rows are one.
    of: Vec<u32>,
    /// How many there are.
    pub(super) count: usize,
    /// Whether the null space is spanned by constants over each: no entry off the diagonal has the sign of the
    /// diagonal, or all have.
    pub(super) has_no_other_null_vectors: bool,
}

impl Parts {
    /// One that nobody has looked at.
    pub(super) fn whole() -> Self {
        Self { of: Vec::new(), count: 1, has_no_other_null_vectors: false }
    }

    /// Those of a self-adjoint matrix, by union and find with halved paths.
    pub(super) fn of<S: Scalar>(A: &Csr<S>) -> Self {
        let mut parent: Vec<u32> = (0..A.rows() as u32).collect();
        let mut root = |mut i: usize, join: Option<usize>| {
            while parent[i] as usize != i {
                parent[i] = parent[parent[i] as usize];
                i = parent[i] as usize;
            }
            if let Some(other) = join {
                parent[i.max(other)] = i.min(other) as u32;
            }
            i.min(join.unwrap_or(i))
        };
        let (mut is_negative, mut is_positive, mut is_complex) = (false, false, false);
        for i in 0..A.rows() {
            let mut mine = root(i, None);
            for (j, a) in A.row(i).filter(|&(j, a)| j < i && a != S::zero()) {
                let (re, im) = a.parts();
                (is_negative, is_positive) = (is_negative || re < 0.0, is_positive || re > 0.0);
                is_complex |= im != 0.0;
                mine = root(j, Some(mine));
            }
        }
        let roots: Vec<usize> = (0..A.rows()).map(|i| root(i, None)).collect();
        let (mut number, mut count) = (vec![0; A.rows()], 0);
        for (i, _) in roots.iter().enumerate().filter(|(i, root)| i == *root) {
            (number[i], count) = (count as u32, count + 1);
        }
        let of = if count > 1 { roots.into_iter().map(|root| number[root]).collect() } else { Vec::new() };
        Self { of, count, has_no_other_null_vectors: !(is_complex || is_negative && is_positive) }
    }

    /// For self-adjoint A whose rows sum to zero: an error if no x can meet the tolerance, because A x has mean zero over
    /// each part and b has not.
    pub(super) fn require_mean_zero<S: Scalar>(&self, b: &[S], tolerance: f64, rhs_norm: f64) -> Result<()> {
        let mut sums = vec![(0.0, 0.0, 0usize); self.count];
        for (i, value) in b.iter().enumerate() {
            let sum = &mut sums[self.of.get(i).map_or(0, |&part| part as usize)];
            let (re, im) = value.parts();
            *sum = (sum.0 + re, sum.1 + im, sum.2 + 1);
        }
        let squares = sums
            .iter()
            .map(|&(re, im, rows)| (re / rhs_norm).powi(2) / rows as f64 + (im / rhs_norm).powi(2) / rows as f64);
        let least = if rhs_norm > 0.0 { squares.sum::<f64>().sqrt() } else { 0.0 };
        match least * rhs_norm > tolerance {
            true => Err(Error::NotConsistent { parts: self.count, least }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three vertices, with a loop of this weight at the end.
    fn path(end: f64) -> Csr<f64> {
        let val = vec![0.1, -0.1, -0.1, 0.3, -0.2, -0.2, 0.2 + end];
        Csr::new(3, 3, vec![0, 2, 5, 7], vec![0, 1, 0, 1, 2, 1, 2], val).unwrap()
    }

    #[test]
    fn rows_that_sum_to_zero_are_seen_through_rounding() {
        assert!(annihilates_constants(&path(0.0)) && !annihilates_constants(&path(1e-9)));
        assert!(!annihilates_constants(&Csr::<f64>::identity(0)));
    }

    #[test]
    fn what_has_no_solution_is_said_with_the_least_residual() {
        let require = |b: &[f64], norm| Parts::whole().require_mean_zero(b, 1e-8, norm);
        assert!(require(&[1.0, -2.0, 1.0], 6f64.sqrt()).is_ok());
        let said = require(&[1.0; 4], 2.0).unwrap_err().to_string();
        assert!(said.contains("singular") && said.contains("1.0e0") && said.contains("mean"), "{said}");
    }

    #[test]
    fn parts_are_those_that_no_entry_connects() {
        let pairs = [0, 2, 4, 6, 8].to_vec();
        let A =
            Csr::new(4, 4, pairs, vec![0, 3, 1, 2, 1, 2, 0, 3], [1.0, -1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0].to_vec());
        let parts = Parts::of(&A.unwrap());
        assert_eq!(parts, Parts { of: vec![0, 1, 1, 0], count: 2, has_no_other_null_vectors: true });
        let said = parts.require_mean_zero(&[1.0, -1.0, -1.0, 1.0], 1e-8, 2.0).unwrap_err().to_string();
        assert!(said.contains("2 parts") && said.contains("over each part"), "{said}");
        assert!(parts.require_mean_zero(&[1.0, 2.0, -2.0, -1.0], 1e-8, 10f64.sqrt()).is_ok());
        assert_eq!(Parts::of(&path(0.0)), Parts { of: Vec::new(), count: 1, has_no_other_null_vectors: true });
    }
}
