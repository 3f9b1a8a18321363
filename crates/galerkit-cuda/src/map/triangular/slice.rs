//! Slices of a triangle: rows of one level, for a warp.

/// Rows of a slice at most.
pub(super) const HEIGHT: usize = 32;
/// Column of padding.
pub(super) const NONE: u32 = u32::MAX;
