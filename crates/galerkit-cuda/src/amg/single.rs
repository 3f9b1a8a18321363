//! A matrix in single precision inside of double, times a power of four (spec 08, section 4). Kernels: amg_single.cu.

use super::kernels::SINGLE;
use crate::convert::DeviceCsr;
use crate::convert::kernels::Kernels;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use std::sync::Arc;

/// A times a power of four that brings its largest diagonal entry into [1, 4), rounded; and the power. The pattern is
/// shared.
pub(super) fn rounded<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<(DeviceCsr<S::Single>, f64)> {
    let kernels = Kernels::new(gpu, jit, &SINGLE, S::KIND)?;
    let largest = Buffer::zeroed(gpu, "the largest diagonal entry", 8)?;
    let [start, col, val] = A.addresses();
    kernels.launch("single_largest", A.rows, &[A.rows as u64, start, col, val, largest.address()]);
    let scale = power_of_four(f64::from_bits(largest.download::<u64>(1)?[0]));
    let values = Buffer::new(gpu, "a matrix in single precision", A.nnz * size_of::<S::Single>())?;
    kernels.launch("single_round", A.nnz, &[A.nnz as u64, val, scale.to_bits(), values.address()]);
    Ok((A.with_values(values), scale))
}

/// 4^-k for a number from 4^k up to 4^(k + 1).
fn power_of_four(largest: f64) -> f64 {
    let is_usual = largest > 0.0 && largest.is_finite();
    let power = if is_usual { (largest.log2() / 2.0).floor() as i32 } else { 0 };
    2.0f64.powi(-2 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_entry_comes_between_one_and_four() {
        for largest in [1.0, 3.99, 4.0, 6.0, 26.0, 1e-30, 1e30] {
            let scaled = largest * power_of_four(largest);
            assert!((1.0..4.0).contains(&scaled), "{largest}");
        }
        assert_eq!([6.0, 26.0, 0.0, f64::INFINITY].map(power_of_four), [0.25, 0.0625, 1.0, 1.0]);
    }
}
