//! The ratios CPU / GPU that section 5 of the source states in words; its curves are pictures. One core of its time
//! against its GPU.

use super::Case;
use super::operation::Operation;

/// The largest ratio that is stated for a curve; none where the text is silent.
pub fn ratio(operation: Operation, case: Case) -> Option<f64> {
    let (is_single, is_plane) = (case.kind.is_single(), case.dimension == 2);
    let ratio = match operation {
        Operation::Axpy | Operation::Dot | Operation::Norm => match (is_single, is_plane) {
            (true, true) => 12.0,
            (true, false) => 9.0,
            (false, _) => 6.0,
        },
        Operation::Spmv => match (is_single, is_plane) {
            (true, true) => 7.0,
            (false, true) => 4.0,
            (_, false) => 5.0,
        },
        Operation::FixedSpmv => return None,
        Operation::Cg => match (is_single, is_plane) {
            (true, true) => 9.0,
            (true, false) => 7.0,
            (false, _) => 5.0,
        },
        Operation::Orthodir => match (is_single, is_plane) {
            (true, false) => 9.0,
            (false, false) => 7.0,
            (_, true) => 10.0, // the conclusion, of both
        },
    };
    Some(ratio)
}
