//! What it costs to bring a matrix from compressed rows into a form of ELL-WARP, on the host and on a GPU, and after
//! how many products that has paid: alpha = ceil(cost / (time of a CSR product - time of an ELL-WARP product)), source
//! 004 equation (14). The source reorders values only, for a pattern that stays; the whole conversion is reported as
//! well.

use super::gpu::{check, operand};
use super::{Product, median, product};
use crate::error::Result;
use galerkit::{Device, Ordering};
use galerkit_cuda::convert::{Costs, DeviceCsr, convert};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::timing::Product as DeviceProduct;
use galerkit_linalg::sparse::{Csr, Format, Matrix, Variant};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;
use std::time::Instant;

/// Lanes of a warp and most entries of a lane.
const WARP: usize = 32;
const THRESHOLD: usize = 16;

/// Seconds of the parts of a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// Sorting rows, laying out warps and, on the host, everything else that a first conversion does.
    pub analysis: f64,
    /// Columns and the slot of every entry; on the host only the slots.
    pub structure: f64,
    /// Values alone, for the same pattern.
    pub refill: f64,
}

impl Conversion {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.analysis + self.structure + self.refill
    }
}

impl From<Costs> for Conversion {
    fn from(costs: Costs) -> Self {
        Self { analysis: costs.analysis, structure: costs.structure, refill: costs.refill }
    }
}

/// What came of one form.
#[derive(Clone, Copy, Debug)]
pub struct Reordered {
    /// The form.
    pub variant: Variant,
    /// On the host.
    pub host: Conversion,
    /// On the GPU, if there is one.
    pub device: Option<Conversion>,
    /// Seconds of a product with it.
    pub product: f64,
}

/// Products until a cost is won back; none if never.
pub fn break_even(cost: f64, csr: f64, reordered: f64) -> Option<u64> {
    let gain = csr - reordered;
    (gain > 0.0).then(|| (cost / gain).ceil() as u64)
}

per_scalar! {
    /// Seconds of a product with compressed rows, in the order of the matrix.
    pub fn csr_product<S>(A: &Csr<S>, device: Device, repetitions: usize) -> Result<f64> = csr_product_of;
}

fn csr_product_of<S: Scalar>(A: &Csr<S>, device: Device, repetitions: usize) -> Result<f64> {
    let timing = product(A, Product { format: Format::Csr, ordering: Ordering::Natural.into(), device, repetitions })?;
    Ok(median(&timing.seconds))
}

per_scalar! {
    /// Converts and multiplies.
    pub fn reorder<S>(A: &Csr<S>, variant: Variant, device: Device, repetitions: usize) -> Result<Reordered> = reorder_of;
}

fn reorder_of<S: Scalar>(A: &Csr<S>, variant: Variant, device: Device, repetitions: usize) -> Result<Reordered> {
    let format = Format::EllWarp { variant, warp: WARP, threshold: THRESHOLD };
    let (host, matrix) = on_host(A, format)?;
    if let Device::Cuda(number) = device {
        let gpu = Gpu::open(number)?;
        let (costs, product) = on_gpu(&gpu, A, variant, &matrix, repetitions)?;
        return Ok(Reordered { variant, host, device: Some(costs.into()), product });
    }
    let timing = product(A, Product { format, ordering: Ordering::Natural.into(), device, repetitions })?;
    Ok(Reordered { variant, host, device: None, product: median(&timing.seconds) })
}

fn on_host<S: Scalar>(A: &Csr<S>, format: Format) -> Result<(Conversion, Matrix<S>)> {
    let begun = Instant::now();
    let mut matrix = Matrix::from_csr(A, format)?;
    let analysis = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let slot_of = matrix.slot_of(A)?;
    let structure = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    matrix.refill(&slot_of, A.val())?;
    Ok((Conversion { analysis, structure, refill: begun.elapsed().as_secs_f64() }, matrix))
}

/// Costs of the second of two conversions, and seconds of a product with its result, which is held against the CPU.
fn on_gpu<S: Scalar>(
    gpu: &Arc<Gpu>,
    A: &Csr<S>,
    variant: Variant,
    host: &Matrix<S>,
    repetitions: usize,
) -> Result<(Costs, f64)> {
    let jit = Jit::new(gpu);
    let rows = DeviceCsr::upload(gpu, A)?;
    drop(convert(gpu, &jit, &rows, variant, WARP, THRESHOLD)?);
    let converted = convert(gpu, &jit, &rows, variant, WARP, THRESHOLD)?;
    let costs = converted.costs;
    let x: Vec<S> = operand(A)?;
    let inward = host.order().map_or(Ok(x.clone()), |order| order.gather(&x))?;
    let mut product = DeviceProduct::of_map(gpu, converted.map, &inward)?;
    let y = product.result()?;
    let y = host.order().map_or(Ok(y.clone()), |order| order.scatter(&y))?;
    check(A, &x, &y, &format!("{} converted on the GPU", variant.name()))?;
    Ok((costs, product.time(repetitions)?.median()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{self, Built};

    #[test]
    fn a_cost_is_won_back_after_whole_products_or_never() {
        assert_eq!(break_even(10.0, 3.0, 1.0), Some(5));
        assert_eq!(break_even(11.0, 3.0, 1.0), Some(6));
        assert_eq!(break_even(0.0, 3.0, 1.0), Some(0));
        assert_eq!(break_even(10.0, 1.0, 1.0), None);
        assert_eq!(break_even(10.0, 1.0, 2.0), None);
    }

    #[test]
    fn every_form_is_converted_and_timed_on_the_host() {
        let Built::Real(A) = gallery::build("gallery:tetra?n=4").unwrap() else { panic!("it is real") };
        for variant in Variant::ALL {
            let reordered = reorder(&A, variant, Device::Cpu, 2).unwrap();
            assert!(reordered.device.is_none() && reordered.host.total() > 0.0 && reordered.product > 0.0);
        }
    }
}
