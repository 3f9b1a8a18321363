//! Sum factorisation: a matrix applied along one axis of an array. The first axis is the slowest; axes beyond the
//! dimension have length 1.

use super::dense::Dense;

/// An array of up to three axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Lengths of the axes.
    pub shape: [usize; 3],
    /// Entries; the last axis is the fastest.
    pub val: Vec<f64>,
}

impl Tensor {
    /// A cube of n entries in each of `dim` axes.
    pub fn cube(dim: usize, n: usize, val: Vec<f64>) -> Self {
        let shape = [0, 1, 2].map(|a| if a < dim { n } else { 1 });
        debug_assert_eq!(shape.iter().product::<usize>(), val.len());
        Self { shape, val }
    }

    /// y_{..i..} = sum_j A_ij x_{..j..} along an axis.
    pub fn along(&self, axis: usize, A: &Dense) -> Self {
        let before: usize = self.shape[..axis].iter().product();
        let after: usize = self.shape[axis + 1..].iter().product();
        let mut shape = self.shape;
        shape[axis] = A.rows;
        let mut val = vec![0.0; before * A.rows * after];
        for b in 0..before {
            let from = &self.val[b * A.cols * after..(b + 1) * A.cols * after];
            let into = &mut val[b * A.rows * after..(b + 1) * A.rows * after];
            for i in 0..A.rows {
                let row = &mut into[i * after..(i + 1) * after];
                for j in 0..A.cols {
                    let a = A[(i, j)];
                    row.iter_mut().zip(&from[j * after..(j + 1) * after]).for_each(|(y, x)| *y += a * x);
                }
            }
        }
        Self { shape, val }
    }

    /// A matrix for each axis, one after the other.
    pub fn along_each<'a>(&self, A: impl IntoIterator<Item = &'a Dense>) -> Self {
        A.into_iter().enumerate().fold(self.clone(), |x, (axis, A)| x.along(axis, A))
    }
}
