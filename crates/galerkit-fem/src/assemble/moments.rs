//! Integrals over a patch by sum factorisation: one axis after the other, so that work grows with p^(d+1), not p^2d.

use crate::basis::dense::Dense;
use crate::basis::table::Table;
use crate::basis::tensor::Tensor;
use crate::quadrature::Patch;

/// The functions of degree p on a patch, axis by axis.
pub struct Tables {
    p: usize,
    shape: [usize; 3],
    axes: Vec<Table>,
}

impl Tables {
    /// The functions of degree p at the points of a patch.
    pub fn new(p: usize, patch: &Patch) -> Self {
        let axes: Vec<Table> = patch.axes.iter().map(|line| Table::new(p, &line.points)).collect();
        let shape = [0, 1, 2].map(|a| axes.get(a).map_or(1, |table| table.values.rows));
        Self { p, shape, axes }
    }

    fn dim(&self) -> usize {
        self.axes.len()
    }
    /// Values along an axis, or derivatives if it is the one along which is derived.
    fn table(&self, axis: usize, derived: Option<usize>) -> &Dense {
        let table = &self.axes[axis];
        if derived == Some(axis) { &table.derivatives } else { &table.values }
    }

    /// u at all points, or its derivative along a reference axis, from local coefficients.
    pub fn evaluate(&self, local: &[f64], derived: Option<usize>) -> Vec<f64> {
        let c = Tensor::cube(self.dim(), self.p + 1, local.to_vec());
        c.along_each((0..self.dim()).map(|a| self.table(a, derived))).val
    }

    /// sum_q w_q phi_i(q) for all local functions, or their derivatives along a reference axis.
    pub fn moments(&self, w: Vec<f64>, derived: Option<usize>) -> Vec<f64> {
        let transposed: Vec<Dense> = (0..self.dim()).map(|a| self.table(a, derived).transposed()).collect();
        Tensor { shape: self.shape, val: w }.along_each(&transposed).val
    }

    /// Adds sum_q w_q d_a phi_i(q) d_b phi_j(q) to entry (i, j), where d is a derivative along an axis or none.
    pub fn products(&self, w: Vec<f64>, [a, b]: [Option<usize>; 2], K: &mut Dense) {
        let n = self.p + 1;
        let pairs = |axis: usize| {
            let (left, right) = (self.table(axis, a), self.table(axis, b));
            Dense::new(n * n, left.rows, |ij, q| left[(q, ij / n)] * right[(q, ij % n)])
        };
        let pairs: Vec<Dense> = (0..self.dim()).map(pairs).collect();
        let sums = Tensor { shape: self.shape, val: w }.along_each(&pairs);
        // Entry (i, j) of K stands at the sum of what its pairs of functions along the axes contribute.
        let offset: Vec<usize> = (0..n * n).map(|ij| ij / n * K.cols + ij % n).collect();
        for (others, values) in sums.val.chunks_exact(n * n).enumerate() {
            let (mut first, mut rest, mut scale) = (0, others, n);
            for _ in 1..self.dim() {
                first += scale * offset[rest % (n * n)];
                (rest, scale) = (rest / (n * n), scale * n);
            }
            values.iter().zip(&offset).for_each(|(value, at)| K.val[first + at] += value);
        }
    }
}
