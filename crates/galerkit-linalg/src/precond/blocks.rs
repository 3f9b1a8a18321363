//! Diagonal blocks of A: N contiguous ranges of rows of nearly equal size, and of each row only the entries inside its
//! range. ILU(0) of what is left is ILU(0) of each block alone: block Jacobi with incomplete solves (Saad, Iterative
//! methods, 2nd ed., section 12.2).
//!
//! ```text
//! [ 2 1 . ]                 [ 2 . . ]
//! [ 1 2 1 ]   blocks = 2:   [ . 2 1 ]     block k: rows k n/N to (k + 1) n/N, rounded down
//! [ . 1 2 ]                 [ . 1 2 ]
//! ```

use super::part::part;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::borrow::Cow;
use std::iter::repeat_n;

pub(super) fn invalid_blocks(value: &str) -> Error {
    let expected = "ilu0-blocks needs 1 block at least, and no more than the matrix has rows";
    Error::InvalidParameter { name: "blocks", value: value.into(), expected }
}

pub(super) fn check_blocks(blocks: usize) -> Result<()> {
    if blocks > 0 { Ok(()) } else { Err(invalid_blocks("0")) }
}

/// A without the couplings between blocks; one block is A itself. Refuses more blocks than rows.
pub fn diagonal_blocks<S: Scalar>(A: &Csr<S>, blocks: usize) -> Result<Cow<'_, Csr<S>>> {
    check_blocks(blocks)?;
    A.require_square("an incomplete factorisation")?;
    if blocks == 1 {
        return Ok(Cow::Borrowed(A));
    }
    let rows = A.rows();
    if blocks > rows {
        return Err(invalid_blocks(&format!("{blocks} for {rows} rows")));
    }
    let first = |k: usize| (k as u128 * rows as u128 / blocks as u128) as usize;
    let block_of: Vec<u32> = (0..blocks).flat_map(|k| repeat_n(k as u32, first(k + 1) - first(k))).collect();
    Ok(Cow::Owned(part(A, |i, j| block_of[i] == block_of[j])))
}
