//! The sum of the squares of many numbers, on threads and by SIMD: parts of a fixed length with a fixed number of
//! running sums each, added in their order, so that it has the same bits on any number of threads.

use super::Scalar;
use crate::parallel;

/// Numbers that one thread sums.
const PART: usize = 1 << 16;
/// Running sums: as many as a processor can add to at once.
const SUMS: usize = 16;

/// The sum of |a|^2 in double precision. It overflows or underflows where squares do; finite, it says that every number
/// is.
pub(crate) fn sum_of_squares<S: Scalar>(values: &[S]) -> f64 {
    let sums: Vec<f64> = parallel::values(values.len().div_ceil(PART), &|k| {
        sum_of_part(&values[k * PART..values.len().min((k + 1) * PART)])
    });
    sums.iter().sum()
}

fn sum_of_part<S: Scalar>(values: &[S]) -> f64 {
    let square = |value: S| {
        let (re, im) = value.parts();
        re * re + im * im
    };
    let mut sums = [0.0; SUMS];
    let groups = values.chunks_exact(SUMS);
    let rest: f64 = groups.remainder().iter().map(|&value| square(value)).sum();
    for group in groups {
        for (sum, &value) in sums.iter_mut().zip(group) {
            *sum += square(value);
        }
    }
    sums.iter().sum::<f64>() + rest
}
