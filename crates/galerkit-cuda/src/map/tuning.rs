//! What may be chosen about a product beyond its format: the parameters that a tuner enumerates. Any choice gives the
//! right product; they differ in speed and in the order of sums.

use crate::error::{Error, Result};
use galerkit_linalg::{Scalar, ScalarKind};

/// Choices of a loader. `None` leaves one to the rule that is named with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// Threads that share a row of CSR or BSR: 1, 2, 4, 8, 16 or 32. Rule: the mean row length over 4, rounded up to
    /// such a number, so that a row is read in about one batch.
    pub lanes: Option<usize>,
    /// Columns of sliced formats (SELL and the ELL-WARP family) as 16-bit distances from a base for each slice and
    /// entry. Rule: wherever they fit and slices have at least 4 rows, which makes them smaller; none at all where the
    /// entries lie on few diagonals.
    pub narrow: Option<bool>,
    /// CSR with the same work for every block instead of rows for teams. Rule: when the longest row is more than 32
    /// times the mean (counted as at least 4), because its team would then need more than 32 rounds.
    pub balanced: Option<bool>,
    /// Slots whose loads a thread has in flight at once, 1 to 16. Rule: 32 bytes of values (8 `f32`, 4 `f64`, 2 `c64`);
    /// BSR at most 4; slices in `f64` 7, which was fastest on 27-point grids and leaves two blocks of 512 threads room;
    /// short rows of slices all at once.
    pub unroll: Option<usize>,
    /// Triangular solves by one block. Rule: where levels are many and narrow (`triangular/narrow.rs`); never where one
    /// has more than 1024 rows, complex ones 512.
    pub one_block: Option<bool>,
    /// ELL and ELL-R with the entries of a row side by side: uncoalesced, to show what coalescing gains.
    pub row_major: bool,
}

/// Entries that one lane of a team takes at a time.
const BATCH: usize = 4;
/// Bytes of values that a thread has in flight.
const IN_FLIGHT: usize = 32;

impl Tuning {
    /// Lanes for rows of this mean length.
    pub(super) fn lanes_for(&self, mean: f64) -> Result<usize> {
        let lanes = self.lanes.unwrap_or_else(|| (mean / BATCH as f64).ceil().clamp(1.0, 32.0) as usize);
        match self.lanes {
            Some(given) if !given.is_power_of_two() || given > 32 => {
                Err(out_of_range("lanes", given, "take 1, 2, 4, 8, 16 or 32 lanes a row"))
            }
            _ => Ok(lanes.next_power_of_two()),
        }
    }

    /// Slots in flight for this scalar.
    pub(super) fn unroll_for<S: Scalar>(&self) -> Result<usize> {
        let default = IN_FLIGHT / size_of::<S>();
        match self.unroll {
            Some(given) if !(1..=16).contains(&given) => Err(out_of_range("unroll", given, "take 1 to 16 slots")),
            given => Ok(given.unwrap_or(default)),
        }
    }
}

impl Tuning {
    /// Slots in flight for a thread that has a row of a slice to itself.
    pub(super) fn unroll_for_slices<S: Scalar>(&self) -> Result<usize> {
        let unroll = self.unroll_for::<S>()?;
        Ok(if self.unroll.is_none() && S::KIND == ScalarKind::F64 { 7 } else { unroll })
    }

    /// The usual choices for slices, slots in flight named: then rows are read in batches, however short they are, as
    /// by what a conversion on the GPU makes.
    pub fn in_batches<S: Scalar>() -> Self {
        Self { unroll: Self::default().unroll_for_slices::<S>().ok(), ..Self::default() }
    }
}

fn out_of_range(name: &str, value: usize, fix: &str) -> Error {
    Error::Unsupported { what: format!("{name} = {value}"), reason: fix.into() }
}
