//! A slot for every entry, and the column in it. Sorted forms put an entry of a row behind all with smaller columns: in
//! rows of up to [`MOST`] entries these are counted, the entries of longer rows are sorted as pairs.

use super::DeviceCsr;
use super::analysis::Analysis;
use super::kernels::Kernels;
use super::sort::{Pairs, shifts};
use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Variant;

/// Entries of a row above which counting smaller columns, quadratic in the length, costs more than sorting.
const MOST: usize = 512;

pub(super) struct Structure {
    /// Column of each slot, all ones for padding; 16-bit distances after [`narrow`](Self::narrow), if they fit.
    pub col: Buffer,
    /// Slot of each entry of the CSR matrix.
    pub slot_of: Buffer,
    pub seconds: f64,
    slots: usize,
}

impl Structure {
    pub(super) fn new<S: Scalar>(
        kernels: &Kernels,
        A: &DeviceCsr<S>,
        analysis: &Analysis,
        variant: Variant,
        warp: usize,
    ) -> Result<Self> {
        let (gpu, slots) = (kernels.gpu(), analysis.slots);
        let col = Buffer::new(gpu, "the columns of ELL-WARP", 4 * slots)?;
        let slot_of = Buffer::new(gpu, "the slot of every entry", 8 * A.nnz)?;
        let renumbered = match variant.renumbers() {
            true => Some(Buffer::new(gpu, "renumbered columns", 4 * A.nnz)?),
            false => None,
        };
        let columns = renumbered.as_ref().unwrap_or(&A.col);
        let mut long = if variant.sorts() { LongRows::new(kernels, A, analysis)? } else { None };
        let most = if variant.sorts() { MOST as u64 } else { u64::MAX };
        let addresses = [
            &A.start,
            columns,
            &analysis.position,
            &analysis.warp_of,
            &analysis.row_start,
            &analysis.reduction,
            &analysis.offset,
            &col,
            &slot_of,
        ];
        let scatter = [&[A.rows as u64, warp as u64, most][..], &addresses.map(Buffer::address)].concat();
        let time = gpu.time(|| {
            kernels.launch("fill", slots, &[slots as u64, u32::MAX as u64, col.address()]);
            if let Some(out) = &renumbered {
                let words = [A.nnz as u64, A.col.address(), analysis.position.address(), out.address()];
                kernels.launch("renumber", A.nnz, &words);
            }
            let name = if variant.sorts() { "scatter_sorted" } else { "scatter_stored" };
            kernels.launch(name, 8 * A.rows, &scatter);
            if let Some(long) = &mut long {
                long.scatter(kernels, A, analysis, columns, &scatter);
            }
        })?;
        Ok(Self { col, slot_of, seconds: time.as_secs_f64(), slots })
    }

    /// Turns columns into 16-bit distances from a base for each step of `warp` slots, under the same rule as the loader
    /// of host matrices. The bases, if they fit, and the seconds it took.
    pub(super) fn narrow(&mut self, kernels: &Kernels, warp: usize) -> Result<(Option<Buffer>, f64)> {
        if warp < 4 {
            return Ok((None, 0.0));
        }
        let (gpu, steps) = (kernels.gpu(), self.slots / warp);
        let base = Buffer::new(gpu, "the column bases of ELL-WARP", 4 * steps)?;
        let distance = Buffer::new(gpu, "the column distances of ELL-WARP", 2 * self.slots)?;
        let far = Buffer::zeroed(gpu, "the column distances of ELL-WARP", 4)?;
        let addresses = [&self.col, &base, &distance, &far].map(Buffer::address);
        let words = [&[steps as u64, warp as u64][..], &addresses].concat();
        let seconds = gpu.time(|| kernels.launch("narrow", steps, &words))?.as_secs_f64();
        if far.download::<u32>(1)?[0] != 0 {
            return Ok((None, seconds));
        }
        self.col = distance;
        Ok((Some(base), seconds))
    }
}

/// The rows of more than [`MOST`] entries, which come first in the sorted order, and their entries as pairs.
struct LongRows {
    rows: usize,
    entries: usize,
    /// First pair of each row.
    first: Buffer,
    pairs: Pairs,
}

impl LongRows {
    fn new<S>(kernels: &Kernels, A: &DeviceCsr<S>, analysis: &Analysis) -> Result<Option<Self>> {
        if analysis.longest <= MOST {
            return Ok(None);
        }
        let candidates = analysis.length.download::<u32>(A.rows.min(A.nnz / MOST))?; // no more rows can be so long
        let first = first_pairs(&candidates);
        let (rows, entries) = (first.len() - 1, first[first.len() - 1] as usize);
        let first = Buffer::from_slice(kernels.gpu(), "sorting long rows", &first)?;
        Ok(Some(Self { rows, entries, first, pairs: Pairs::new(kernels, entries)? }))
    }

    fn scatter<S>(
        &mut self,
        kernels: &Kernels,
        A: &DeviceCsr<S>,
        analysis: &Analysis,
        columns: &Buffer,
        scatter: &[u64],
    ) {
        let addresses = [&analysis.order, &A.start, &self.first, columns, self.pairs.key(), self.pairs.item()];
        let words = [&[self.rows as u64][..], &addresses.map(Buffer::address)].concat();
        kernels.launch("long_rows", 256 * self.rows, &words); // a block a row
        let bits = shifts(0, A.cols as u64 - 1).chain(shifts(32, self.rows as u64 - 1));
        self.pairs.sort(kernels, bits);
        let sorted = [&self.first, self.pairs.key(), self.pairs.item()].map(Buffer::address);
        kernels.launch("scatter_long", self.entries, &[scatter, &[self.entries as u64], &sorted].concat());
    }
}

/// Where the pairs of each long row begin, from lengths that do not grow; one more than there are such rows.
fn first_pairs(lengths: &[u32]) -> Vec<u64> {
    let mut first = vec![0];
    for &length in lengths.iter().take_while(|&&length| length as usize > MOST) {
        first.push(first[first.len() - 1] + length as u64);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_those_above_the_limit() {
        assert_eq!(first_pairs(&[2000, 513, 512, 9]), [0, 2000, 2513]);
        assert_eq!(first_pairs(&[512]), [0]);
        assert_eq!(first_pairs(&[]), [0]);
    }
}
