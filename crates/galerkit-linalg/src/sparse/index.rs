//! The index types of every format: `u32` columns, `u64` row starts; what does not fit is an error, never a wrap.

use crate::error::{Error, Result};

/// Rows and columns must be countable by `u32`.
pub fn check_shape(rows: usize, cols: usize) -> Result<()> {
    check_u32("the number of rows", rows)?;
    check_u32("the number of columns", cols)
}

/// A count that is stored as `u32`.
pub fn check_u32(what: &'static str, count: usize) -> Result<()> {
    if count as u128 <= u32::MAX as u128 {
        Ok(())
    } else {
        Err(Error::IndexOverflow { what, found: count as u128, limit: u32::MAX as u128 })
    }
}

/// A number of slots, product of two counts, that must be addressable.
pub fn slots(what: &'static str, width: usize, height: usize) -> Result<usize> {
    let found = width as u128 * height as u128;
    let limit = isize::MAX as u128 / 16; // the largest allocation, in the largest scalars
    if found <= limit { Ok(found as usize) } else { Err(Error::IndexOverflow { what, found, limit }) }
}
