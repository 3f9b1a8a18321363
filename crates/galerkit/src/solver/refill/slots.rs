//! Which entry of the input each slot of a stored matrix holds: found by storing the numbers of entries in place of
//! values. So no format needs to tell, and none can be told wrongly.

use galerkit_cuda::map::{Layout, Tuning};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::sparse::{Csr, Format, Matrix, Permutation};

/// The pattern in the order of the iterations, and which entry of the input each of its entries is.
pub(super) struct Ordered {
    start: Vec<u64>,
    col: Vec<u32>,
    pub(super) index: Vec<u32>,
}

impl Ordered {
    /// None if 32 bits cannot number the entries.
    pub(super) fn new<S: Scalar>(A: &Csr<S>, order: Option<&Permutation>) -> Option<Self> {
        if A.nnz() >= NO_SOURCE as usize {
            return None;
        }
        let numbers = (0..A.nnz()).map(|k| k as f64).collect();
        let numbered = Csr::new(A.rows(), A.cols(), A.start().to_vec(), A.col().to_vec(), numbers).ok()?;
        let ordered = match order {
            Some(order) => numbered.permute_symmetric(order).ok()?,
            None => numbered,
        };
        let index = ordered.val().iter().map(|&k| k as u32).collect();
        Some(Self { start: ordered.start().to_vec(), col: ordered.col().to_vec(), index })
    }

    /// A pattern whose entries are numbered as they stand in it.
    pub(super) fn of_pattern<S: Scalar>(A: &Csr<S>) -> Option<Self> {
        let index = (0..u32::try_from(A.nnz()).ok()?).collect();
        Some(Self { start: A.start().to_vec(), col: A.col().to_vec(), index })
    }

    fn rows(&self) -> usize {
        self.start.len() - 1
    }
    /// The pattern with these values, in its own order.
    pub(super) fn with<S: Scalar>(&self, values: Vec<S>) -> Option<Csr<S>> {
        Csr::new(self.rows(), self.rows(), self.start.clone(), self.col.clone(), values).ok()
    }
    /// Column and entry of the input of each entry of a row.
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        (self.start[i] as usize..self.start[i + 1] as usize).map(|k| (self.col[k] as usize, self.index[k]))
    }
    /// The entries (i, j) that are asked for, as entries of the input.
    pub(super) fn entries(&self, keep: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        let all = (0..self.rows()).flat_map(|i| self.row(i).map(move |(j, entry)| (i, j, entry)));
        all.filter(|&(i, j, _)| keep(i, j)).map(|(_, _, entry)| entry).collect()
    }
    /// The diagonal; none where an entry is missing.
    pub(super) fn diagonal(&self) -> Option<Vec<u32>> {
        Some(self.entries(|i, j| i == j)).filter(|found| found.len() == self.rows())
    }

    /// For each slot of the matrix in a format, which entry of the input it holds. Formats that sort rows do it by
    /// their lengths, as when the matrix was stored.
    pub(super) fn slot_sources<T: Scalar>(&self, format: Format, tuning: &Tuning, on_gpu: bool) -> Option<Vec<u32>> {
        // Numbers that the scalar holds exactly, as two digits of them; one more than the digit, so that padding is
        // told by 0.
        let base = (0.25 / T::eps()) as usize;
        let digits = |digit: &dyn Fn(usize) -> usize| -> Option<Vec<T>> {
            let numbers = (0..self.index.len()).map(|k| T::from_f64((digit(k) + 1) as f64)).collect();
            let stored = Matrix::from_csr(&self.with(numbers)?, format).ok()?;
            Some(if on_gpu { Layout::of_matrix(&stored, tuning).ok()?.all_values() } else { stored.into_values() })
        };
        let value = |slots: &[T], slot: usize| slots[slot].parts().0 as usize;
        let low = digits(&|k| k % base)?;
        let high = if self.index.len() > base { Some(digits(&|k| k / base)?) } else { None };
        let source = |slot: usize| match value(&low, slot) {
            0 => NO_SOURCE,
            digit => {
                let above = high.as_ref().map_or(0, |high| value(high, slot) - 1);
                self.index[above * base + digit - 1]
            }
        };
        Some((0..low.len()).map(source).collect())
    }
}

/// The slots that hold some entries; none where there are no such entries, or one is in no slot.
pub(super) fn inverse(sources: &[u32], entries: &Option<Vec<u32>>) -> Option<Vec<u32>> {
    let entries = entries.as_ref()?;
    let mut slot_of = vec![NO_SOURCE; entries.iter().map(|&k| k as usize + 1).max().unwrap_or(0)];
    for (slot, &entry) in sources.iter().enumerate() {
        if let Some(known) = slot_of.get_mut(entry as usize) {
            *known = u32::try_from(slot).ok()?;
        }
    }
    let slots: Vec<u32> = entries.iter().map(|&k| slot_of[k as usize]).collect();
    (!slots.contains(&NO_SOURCE)).then_some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d};

    #[test]
    fn slots_know_their_entries() {
        let A = poisson2d(9, Stencil::Points5).unwrap();
        let order = Permutation::from_old((0..81).rev().collect()).unwrap();
        let ordered = Ordered::new(&A, Some(&order)).unwrap();
        let sources = ordered.slot_sources::<f32>(Format::Csr, &Tuning::default(), false).unwrap();
        let permuted = A.permute_symmetric(&order).unwrap();
        let found: Vec<f64> = sources.iter().map(|&k| A.val()[k as usize]).collect();
        assert_eq!(found, permuted.val());
        let padded = ordered.slot_sources::<f64>(Format::Ell, &Tuning::default(), false).unwrap();
        assert_eq!(padded.iter().filter(|&&k| k != NO_SOURCE).count(), A.nnz());
        assert_eq!(ordered.diagonal().unwrap().len(), 81);
    }
}
