//! The entries of a row in the order of their columns: one sort for each kind of value, and not one for each caller and
//! scalar, because the standard library's sort is two thousand lines of IR.

/// Sorts pairs by their columns; those of one column keep the order in which they came.
pub(crate) fn sort_by_column<T>(row: &mut [(u32, T)]) {
    row.sort_by_key(|entry| entry.0);
}
