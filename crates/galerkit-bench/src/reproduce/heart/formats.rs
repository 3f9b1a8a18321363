//! Products with a matrix in every format of the source, as effective bandwidth (its definition: 20 bytes an entry),
//! and after how many products a reordering of values has paid.

use super::published::ALPHA;
use crate::Result;
use crate::timing::reorder::{break_even, csr_product, reorder};
use crate::timing::{Product, effective_bytes, median, product};
use galerkit::{Device, Ordering};
use galerkit_linalg::sparse::{Csr, Format, Variant};
use serde::Serialize;

/// A matrix in a format.
#[derive(Clone, Debug, Serialize)]
pub struct FormatRow {
    /// The matrix.
    pub matrix: String,
    /// Its rows.
    pub rows: usize,
    /// Its entries.
    pub nnz: usize,
    /// The format.
    pub format: String,
    /// Where the product was computed.
    pub device: String,
    /// Seconds of a product.
    pub seconds: f64,
    /// 20 bytes an entry over that, in GB/s.
    pub effective: f64,
}

/// A form of ELL-WARP.
#[derive(Clone, Debug, Serialize)]
pub struct ReorderRow {
    /// The matrix.
    pub matrix: String,
    /// The form.
    pub variant: String,
    /// Seconds to bring new values into place on the host.
    pub host_seconds: f64,
    /// The same on the GPU.
    pub device_seconds: Option<f64>,
    /// Products until the host's reordering has paid; none is never.
    pub alpha_host: Option<u64>,
    /// The same on the GPU.
    pub alpha_device: Option<u64>,
    /// The source's, on CPU and GPU; 0 is never.
    pub published: Option<[u64; 2]>,
}

const VARIANTS: [Variant; 6] = [Variant::K1, Variant::K1r, Variant::K1rs, Variant::K2, Variant::K2r, Variant::K2rs];

/// Times a matrix in every format.
///
/// # Errors
/// If there is no such device.
pub fn measure(name: &str, A: &Csr<f64>, device: Device, repetitions: usize) -> Result<Vec<FormatRow>> {
    let warps = VARIANTS.map(|variant| Format::EllWarp { variant, warp: 32, threshold: 16 });
    let others = [Format::Csr, Format::Hyb { width: None }, Format::Sell { height: 32, sigma: 1 }];
    let mut rows = Vec::new();
    for format in others.into_iter().chain(warps) {
        let timing = product(A, Product { format, ordering: Ordering::Natural.into(), device, repetitions })?;
        let seconds = median(&timing.seconds);
        rows.push(FormatRow {
            matrix: name.into(),
            rows: A.rows(),
            nnz: A.nnz(),
            format: format.to_string(),
            device: device.to_string(),
            seconds,
            effective: effective_bytes(A) as f64 / seconds / 1e9,
        });
    }
    Ok(rows)
}

/// What reordering costs, for K1 and K2, beside table 4.
///
/// # Errors
/// If there is no such device.
pub fn reordering(name: &str, A: &Csr<f64>, device: Device, repetitions: usize) -> Result<Vec<ReorderRow>> {
    let csr = csr_product(A, device, repetitions)?;
    let published = ALPHA.iter().find(|(known, _)| *known == name).map(|(_, alpha)| *alpha);
    let mut rows = Vec::new();
    for (k, variant) in [Variant::K1, Variant::K2].into_iter().enumerate() {
        let found = reorder(A, variant, device, repetitions)?;
        rows.push(ReorderRow {
            matrix: name.into(),
            variant: format!("{variant:?}"),
            host_seconds: found.host.refill,
            device_seconds: found.device.map(|costs| costs.refill),
            alpha_host: break_even(found.host.refill, csr, found.product),
            alpha_device: found.device.and_then(|costs| break_even(costs.refill, csr, found.product)),
            published: published.map(|alpha| [alpha[2 * k + 1], alpha[2 * k]]),
        });
    }
    Ok(rows)
}
