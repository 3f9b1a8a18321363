//! What problems demand of their parameters.

use crate::error::{Error, Result};

/// A size parameter that must be at least 1.
pub(super) fn check_positive(name: &'static str, value: usize) -> Result<()> {
    if value >= 1 {
        return Ok(());
    }
    Err(Error::InvalidParameter { name, value: value.to_string(), expected: "an integer of at least 1" })
}

/// A real parameter that must satisfy a condition; `holds` is evaluated by the caller.
pub(super) fn check_real(name: &'static str, value: f64, holds: bool, expected: &'static str) -> Result<()> {
    if holds && value.is_finite() {
        return Ok(());
    }
    Err(Error::InvalidParameter { name, value: value.to_string(), expected })
}
