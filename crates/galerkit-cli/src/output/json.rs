//! JSON for machines: stable keys, two spaces, numbers that read back to the same bits; NaN becomes null.

use anyhow::{Context, Result};
use serde::Serialize;

/// The value as indented text.
pub fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value).context("the report cannot be written as JSON")
}
