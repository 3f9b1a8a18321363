//! CSR to slices of 32 rows on the GPU, under the rules by which the host stores them: on few diagonals without
//! columns, else with columns of 16 bits where they fit, as they come or aligned, and with one width for short rows.
//! The map is that of `map/sliced.rs`, array for array. Kernels: slices.cu.

use super::DeviceCsr;
use super::kernels::{Kernels, SLICES};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::map::{Map, Tuning, diagonals, made, short};
use galerkit_linalg::Scalar;
use std::sync::Arc;

/// Rows of a slice.
pub(super) const LANES: usize = 32;
/// Rows of a window that one block sorts.
pub(super) const MOST_ROWS: usize = 4096;
/// Diagonals that are looked for.
const MOST_DIAGONALS: usize = 8;
const WHAT: &str = "slices of a matrix";

/// How a matrix is to be stored.
pub(super) struct Slices<'a, S> {
    kernels: Kernels,
    A: &'a DeviceCsr<S>,
    count: usize,
    order: Option<Buffer>,
    form: Form,
}

enum Form {
    /// Column less row, ascending.
    Diagonals(Vec<i64>),
    Columns {
        /// Where slices begin.
        start: Buffer,
        slots: usize,
        /// The one width of all of them, if they have one.
        width: Option<usize>,
        columns: Columns,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum Columns {
    Wide,
    Narrow,
    Aligned,
}

impl<'a, S: Scalar> Slices<'a, S> {
    /// Looks at the pattern; rows are sorted by length in windows of `sigma`, 1 to [`MOST_ROWS`].
    pub(super) fn new(gpu: &Arc<Gpu>, jit: &Jit, A: &'a DeviceCsr<S>, sigma: usize, tuning: &Tuning) -> Result<Self> {
        let kernels = Kernels::new(gpu, jit, &SLICES, S::KIND)?;
        let order = (sigma > 1).then(|| window_order(&kernels, A, sigma)).transpose()?;
        Self::with(kernels, A, order, tuning)
    }

    /// The same with position p for row `order[p]`.
    pub(super) fn in_order(
        gpu: &Arc<Gpu>,
        jit: &Jit,
        A: &'a DeviceCsr<S>,
        order: Option<Buffer>,
        tuning: &Tuning,
    ) -> Result<Self> {
        Self::with(Kernels::new(gpu, jit, &SLICES, S::KIND)?, A, order, tuning)
    }

    fn with(kernels: Kernels, A: &'a DeviceCsr<S>, order: Option<Buffer>, tuning: &Tuning) -> Result<Self> {
        let count = A.rows.div_ceil(LANES);
        let mut slices = Self { kernels, A, count, order, form: Form::Diagonals(Vec::new()) };
        let is_free = tuning.narrow.is_none() && tuning.unroll.is_none();
        let (start, slots, widest) = slices.starts()?;
        let offsets = if is_free && slices.order.is_none() { slices.offsets()? } else { None };
        slices.form = match offsets.filter(|offsets| diagonals::pays::<S>(offsets.len(), A.rows, slots)) {
            Some(offsets) => Form::Diagonals(offsets),
            None => {
                let width = short::width_of(slots, count, LANES, widest).filter(|_| tuning.unroll.is_none());
                let columns = if tuning.narrow == Some(false) { Columns::Wide } else { slices.columns()? };
                let slots = width.map_or(slots, |width| width * LANES * count);
                Form::Columns { start, slots, width, columns }
            }
        };
        Ok(slices)
    }

    /// The words of `struct Rows`.
    fn rows(&self) -> Vec<u64> {
        let order = self.order.as_ref().map_or(0, Buffer::address);
        rows_words(self.A, order)
    }
    /// Queues a kernel with a warp a slice.
    fn launch(&self, name: &'static str, words: &[u64]) {
        self.kernels.launch(name, LANES * self.count, &[&self.rows()[..], words].concat());
    }
    fn room(&self, bytes: usize) -> Result<Buffer> {
        Buffer::new(self.kernels.gpu(), WHAT, bytes)
    }

    /// Where slices begin, how many slots they have together, and the width of the widest.
    fn starts(&self) -> Result<(Buffer, usize, usize)> {
        let start = self.room(8 * (self.count + 1))?;
        let widest = Buffer::zeroed(self.kernels.gpu(), WHAT, 4)?;
        self.launch("widths", &[self.count as u64, start.address(), widest.address()]);
        self.kernels.scan(&start, self.count);
        let slots = self.kernels.scan_total()?;
        Ok((start, slots, widest.download::<u32>(1)?[0] as usize))
    }

    /// The diagonals that have entries; none if there are none or too many.
    fn offsets(&self) -> Result<Option<Vec<i64>>> {
        let none = i64::MIN;
        let found = Buffer::from_slice(self.kernels.gpu(), WHAT, &[none; MOST_DIAGONALS])?;
        let too_many = Buffer::zeroed(self.kernels.gpu(), WHAT, 4)?;
        self.launch("find_diagonals", &[self.count as u64, found.address(), too_many.address()]);
        if too_many.download::<u32>(1)?[0] != 0 {
            return Ok(None);
        }
        let mut offsets = found.download::<i64>(MOST_DIAGONALS)?;
        offsets.retain(|&offset| offset != none);
        offsets.sort_unstable();
        Ok((!offsets.is_empty()).then_some(offsets))
    }

    /// The smallest columns that fit.
    fn columns(&self) -> Result<Columns> {
        let far = Buffer::zeroed(self.kernels.gpu(), WHAT, 8)?;
        self.launch("check_narrow", &[self.count as u64, far.address()]);
        Ok(match far.download::<u32>(2)?[..] {
            [0, _] => Columns::Narrow,
            [_, 0] => Columns::Aligned,
            _ => Columns::Wide,
        })
    }

    /// Stores it.
    pub(super) fn map(self, tuning: &Tuning) -> Result<Map> {
        let (shape, scalar) = ((self.A.rows, self.A.cols), size_of::<S>());
        let gpu = self.kernels.gpu().clone();
        match &self.form {
            Form::Diagonals(offset) => {
                let steps = offset.len() * self.count;
                let (val, present) = (self.room(steps * LANES * scalar)?, self.room(4 * steps)?);
                let missing = Buffer::zeroed(&gpu, WHAT, 4)?;
                let places = [val.address(), present.address(), missing.address(), 0, 0, 0];
                self.store_diagonals(offset, places)?;
                let present = (missing.download::<u32>(1)?[0] != 0).then_some(present);
                made::diagonals::<S>(&gpu, made::Diagonals { shape, offset: offset.clone(), val, present })
            }
            &Form::Columns { slots, width, columns, .. } => {
                let is_narrow = columns != Columns::Wide;
                let col = self.room(slots * if is_narrow { 2 } else { 4 })?;
                let base = is_narrow.then(|| self.room(slots / LANES * 4)).transpose()?;
                let val = self.room(slots * scalar)?;
                self.store([col.address(), base.as_ref().map_or(0, Buffer::address), val.address(), 0, 0, 0]);
                let Self { form: Form::Columns { start, .. }, order, .. } = self else { unreachable!("seen above") };
                let start = width.is_none().then_some(start);
                made::slices::<S>(&gpu, made::Slices { shape, start, width, col, base, val, order }, tuning)
            }
        }
    }

    /// Which entry each slot of the map holds, all ones for padding; which slot holds the diagonal entry of each row,
    /// for rows that have one; and how many those are.
    pub(super) fn sources(&self, diagonal: &mut Buffer) -> Result<(Buffer, usize)> {
        let (sources, found) = (self.room(4 * self.slots())?, Buffer::zeroed(self.kernels.gpu(), WHAT, 4)?);
        let places = [0, 0, 0, sources.address(), diagonal.address(), found.address()];
        match &self.form {
            Form::Diagonals(offset) => self.store_diagonals(offset, places)?,
            Form::Columns { .. } => self.store(places),
        }
        Ok((sources, found.download::<u32>(1)?[0] as usize))
    }

    /// Slots of the map.
    pub(super) fn slots(&self) -> usize {
        match &self.form {
            Form::Diagonals(offset) => offset.len() * self.count * LANES,
            Form::Columns { slots, .. } => *slots,
        }
    }

    /// First slot of each slice of the map; one more than there are slices.
    pub(super) fn slot_starts(&self) -> Result<Vec<u64>> {
        let of_width = |width: usize| (0..=self.count).map(|slice| (slice * width * LANES) as u64).collect();
        match &self.form {
            Form::Diagonals(offset) => Ok(of_width(offset.len())),
            Form::Columns { width: Some(width), .. } => Ok(of_width(*width)),
            Form::Columns { start, width: None, .. } => start.download(self.count + 1),
        }
    }

    pub(super) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    fn store_diagonals(&self, offset: &[i64], places: [u64; 6]) -> Result<()> {
        let offsets = Buffer::from_slice(self.kernels.gpu(), WHAT, offset)?;
        let sizes = [self.count as u64, offset.len() as u64, offsets.address()];
        self.launch("store_diagonals", &[&sizes[..], &places].concat());
        Ok(())
    }

    fn store(&self, places: [u64; 6]) {
        let Form::Columns { start, width, columns, .. } = &self.form else { return };
        let name = match columns {
            Columns::Wide => "store_wide",
            Columns::Narrow => "store_narrow",
            Columns::Aligned => "store_aligned",
        };
        let sizes = [self.count as u64, width.unwrap_or(0) as u64, start.address()];
        self.launch(name, &[&sizes[..], &places].concat());
    }
}

/// Entries of the longest row.
pub(super) fn longest_row<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>) -> Result<usize> {
    let kernels = Kernels::new(gpu, jit, &SLICES, S::KIND)?;
    let form = Form::Diagonals(Vec::new());
    Ok(Slices { kernels, A, count: A.rows.div_ceil(LANES), order: None, form }.starts()?.2)
}

/// The words of `struct Rows`.
fn rows_words<S>(A: &DeviceCsr<S>, order: u64) -> Vec<u64> {
    vec![A.rows as u64, A.cols as u64, A.start.address(), A.col.address(), A.val.address(), order]
}

/// The row at each position when windows of rows are sorted by falling length.
fn window_order<S>(kernels: &Kernels, A: &DeviceCsr<S>, sigma: usize) -> Result<Buffer> {
    let order = Buffer::new(kernels.gpu(), WHAT, 4 * A.rows)?;
    let words = [&rows_words(A, 0)[..], &[sigma as u64, order.address()]].concat();
    kernels.launch("sort_windows", A.rows.div_ceil(sigma) * 256, &words);
    Ok(order)
}
