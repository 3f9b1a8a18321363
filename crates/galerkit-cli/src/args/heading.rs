//! The headings of `--help`: what is common stands first, without one.

/// How the iteration runs and when it stops.
pub const METHOD: &str = "Method";
/// Single, double or both.
pub const PRECISION: &str = "Precision";
/// What computes, and how choices are made there.
pub const DEVICE: &str = "Device and tuning";
/// Formats and the order of rows.
pub const STORAGE: &str = "Storage and ordering";
/// Coefficients and boundary data.
pub const DATA: &str = "Data";
/// Where cells are cut and degrees raised.
pub const REFINEMENT: &str = "Refinement";
/// What is printed, written and drawn.
pub const OUTPUT: &str = "Output";
