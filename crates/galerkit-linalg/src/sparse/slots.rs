//! What the padded formats share: arrays of slots are asked for politely before they are allocated, the map from an
//! entry of the CSR pattern to its slot, and the scatter of new values through it: `val[slot_of[k]] = csr_val[k]`.

use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::{Csr, memory};

/// An array of zeros, or an error when the machine refuses that much memory.
pub(super) fn zeroed<T: Copy + num_traits::Zero>(what: &'static str, count: usize) -> Result<Vec<T>> {
    memory::check(what, count as u128 * size_of::<T>() as u128)?;
    Ok(vec![T::zero(); count]) // zero pages come from the operating system: padding nobody reads costs nothing
}

/// The slot of every entry of `pattern`, where `slot(i, e)` is the slot of entry e of row i; `stored` is the matrix as
/// the format holds it.
pub(super) fn slot_of<S: Scalar>(
    stored: &Csr<S>,
    pattern: &Csr<S>,
    mut slot: impl FnMut(usize, usize) -> usize,
) -> Result<Vec<u64>> {
    require_same_pattern(stored, pattern)?;
    let mut map = Vec::with_capacity(pattern.nnz());
    for i in 0..pattern.rows() {
        map.extend((0..pattern.row_length(i)).map(|e| slot(i, e) as u64));
    }
    Ok(map)
}

/// A value map is only meaningful for the pattern the format was built from.
pub(super) fn require_same_pattern<S: Scalar>(stored: &Csr<S>, pattern: &Csr<S>) -> Result<()> {
    check_length("the pattern's row array", stored.rows(), pattern.rows())?;
    check_length("the pattern's number of columns", stored.cols(), pattern.cols())?;
    let same = |i: &usize| stored.col()[stored.range(*i)] == pattern.col()[pattern.range(*i)];
    match (0..stored.rows()).find(|i| !same(i)) {
        None => Ok(()),
        Some(i) => Err(Error::InvalidStructure {
            place: format!("row {}", i + 1),
            problem: "the pattern differs from the one this matrix was built from: convert anew".into(),
        }),
    }
}

/// val[slot_of[k]] = values[k]; the padding stays as it is.
pub(super) fn scatter<S: Scalar>(val: &mut [S], slot_of: &[u64], values: &[S]) -> Result<()> {
    check_length("the array of new values", slot_of.len(), values.len())?;
    let slots = val.len();
    for (k, (&slot, &value)) in slot_of.iter().zip(values).enumerate() {
        let Some(place) = val.get_mut(slot as usize) else {
            let problem = format!("slot {slot} is not below {slots}: the map belongs to another matrix");
            return Err(Error::InvalidStructure { place: format!("entry {k} of a value map"), problem });
        };
        *place = value;
    }
    Ok(())
}
