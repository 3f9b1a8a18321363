//! CSR to ELL-WARP on the GPU, with what each part costs by its own clock.

use super::DeviceCsr;
use super::analysis::Analysis;
use super::kernels::{ELL_WARP, Kernels};
use super::structure::Structure;
use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::map::{Map, converted};
use galerkit_linalg::sparse::{Format, Variant};
use galerkit_linalg::{Scalar, per_scalar};
use std::marker::PhantomData;
use std::sync::Arc;

/// Seconds that the parts of a conversion took on the GPU; allocations are not in them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Sorting the rows, cutting them into warps, adding up offsets.
    pub analysis: f64,
    /// Columns, and the slot of every entry.
    pub structure: f64,
    /// Values alone: the cost of a new matrix with the same pattern.
    pub refill: f64,
}

impl Costs {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.analysis + self.structure + self.refill
    }
}

/// A converted matrix, ready for products and for new values.
pub struct Converted<S> {
    /// What products are made with.
    pub map: Map,
    /// What it cost.
    pub costs: Costs,
    kernels: Kernels,
    slot_of: Buffer,
    nnz: usize,
    scalar: PhantomData<S>,
}

per_scalar! {
    /// Converts on the GPU. `threshold` is the most entries one lane should process, for K2 and its kin. For the r
    /// forms x and y are in the sorted numbering: see [`Converted::gather`].
    pub fn convert<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, variant: Variant, warp: usize, threshold: usize) -> Result<Converted<S>> = convert_of;
}

fn convert_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    variant: Variant,
    warp: usize,
    threshold: usize,
) -> Result<Converted<S>> {
    check(A, variant, warp, threshold)?;
    convert_as(gpu, jit, A, (variant, warp, threshold), true)
}

/// The map of K2, as the host would have made it; with 32-bit columns unless `narrow`.
pub(super) fn k2<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    (warp, threshold): (usize, usize),
    narrow: bool,
) -> Result<Map> {
    check(A, Variant::K2, warp, threshold)?;
    Ok(convert_as(gpu, jit, A, (Variant::K2, warp, threshold), narrow)?.map)
}

/// The row at each position when all are sorted by falling length, as K1 has them.
pub(super) fn order<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, warp: usize) -> Result<Buffer> {
    let kernels = Kernels::new(gpu, jit, &ELL_WARP, S::KIND)?;
    Ok(Analysis::new(&kernels, A, warp, u32::MAX as usize)?.order)
}

fn convert_as<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    (variant, warp, threshold): (Variant, usize, usize),
    narrow: bool,
) -> Result<Converted<S>> {
    let kernels = Kernels::new(gpu, jit, &ELL_WARP, S::KIND)?;
    let threshold = if variant.splits() { threshold.min(u32::MAX as usize) } else { u32::MAX as usize };
    let analysis = Analysis::new(&kernels, A, warp, threshold)?;
    let mut structure = Structure::new(&kernels, A, &analysis, variant, warp)?;
    let (base, narrowed) = if narrow { structure.narrow(&kernels, warp)? } else { (None, 0.0) };
    let val = Buffer::zeroed(gpu, "the values of ELL-WARP", analysis.slots * size_of::<S>())?;
    let words = [A.nnz as u64, structure.slot_of.address(), A.val.address(), val.address()];
    let refill = gpu.time(|| kernels.launch("refill", A.nnz, &words))?.as_secs_f64();
    let costs = Costs { analysis: analysis.seconds, structure: structure.seconds + narrowed, refill };
    let arrays = converted::Arrays {
        shape: (A.rows, A.cols),
        variant,
        warp,
        warps: analysis.warps,
        warp_offset: analysis.offset,
        row_start: analysis.row_start,
        reduction: analysis.reduction,
        col: structure.col,
        base,
        val,
        order: analysis.order,
    };
    let map = converted::map::<S>(arrays)?;
    Ok(Converted { map, costs, kernels, slot_of: structure.slot_of, nnz: A.nnz, scalar: PhantomData })
}

fn check<S: Scalar>(A: &DeviceCsr<S>, variant: Variant, warp: usize, threshold: usize) -> Result<()> {
    let format = Format::EllWarp { variant, warp, threshold };
    let refuse = |reason: String| Err(Error::Unsupported { what: format.to_string(), reason });
    if let Err(error) = format.check() {
        return refuse(error.to_string());
    }
    if variant.renumbers() && A.rows != A.cols {
        return refuse(format!(
            "the matrix is {} x {} and renumbering needs a square one: use k1 or k2",
            A.rows, A.cols
        ));
    }
    converted::check_warp(variant, warp)
}

impl<S: Scalar> Converted<S> {
    /// New values for the same pattern: val\[slot_of\[k\]\] = values\[k\], in stream order; `values` are those of all
    /// entries in CSR order.
    pub fn refill(&self, values: &Buffer) {
        assert!(values.bytes() >= self.nnz * size_of::<S>(), "a refill of {} entries from fewer", self.nnz);
        let words = [self.nnz as u64, self.slot_of.address(), values.address(), converted::val(&self.map).address()];
        self.kernels.launch("refill", self.nnz, &words);
    }

    /// The slot of every entry, in CSR order.
    pub fn slot_of(&self) -> &Buffer {
        &self.slot_of
    }
    /// P: the original row at each sorted position.
    pub fn order(&self) -> &Buffer {
        converted::order(&self.map)
    }

    /// Into the sorted numbering: y\[s\] = x\[order\[s\]\], in stream order.
    pub fn gather(&self, x: &Buffer, y: &mut Buffer) {
        self.permute("permute_gather", x, y);
    }
    /// Back to the original numbering: y\[order\[s\]\] = x\[s\], in stream order.
    pub fn scatter(&self, x: &Buffer, y: &mut Buffer) {
        self.permute("permute_scatter", x, y);
    }

    fn permute(&self, kernel: &'static str, x: &Buffer, y: &mut Buffer) {
        let rows = self.map.shape.0;
        assert!(x.bytes().min(y.bytes()) >= rows * size_of::<S>(), "vectors shorter than {rows} rows");
        self.kernels.launch(kernel, rows, &[rows as u64, self.order().address(), x.address(), y.address()]);
    }
}
