//! A matrix on the GPU in the format that was decided on.

use super::DeviceCsr;
use super::ell_warp;
use super::slices::{LANES, MOST_ROWS, Slices, longest_row};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::Gpu;
use crate::map::{Map, Tuning, csr, made};
use galerkit_linalg::sparse::{Format, Variant};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

per_scalar! {
    /// The map that loading the matrix in this format from the host would give, made from compressed rows on the GPU;
    /// none for formats that only the host makes.
    pub fn stored<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &DeviceCsr<S>, format: Format, tuning: &Tuning) -> Result<Option<Map>> = stored_of;
}

/// Rows that slices of this kind sort, if they are made here.
pub(super) fn window(format: Format) -> Option<usize> {
    match format {
        Format::Sell { height: LANES, sigma } if sigma <= MOST_ROWS => Some(sigma),
        _ => None,
    }
}

fn stored_of<S: Scalar>(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    A: &DeviceCsr<S>,
    format: Format,
    tuning: &Tuning,
) -> Result<Option<Map>> {
    if format == Format::Csr {
        let is_balanced = match tuning.balanced {
            Some(asked) => asked,
            None => csr::is_uneven(longest_row(gpu, jit, A)?, A.nnz, A.rows),
        };
        return if is_balanced { Ok(None) } else { rows(gpu, A, tuning).map(Some) };
    }
    Ok(match (format, window(format)) {
        (_, Some(sigma)) => Some(Slices::new(gpu, jit, A, sigma, tuning)?.map(tuning)?),
        (Format::EllWarp { variant: Variant::K1, warp: LANES, .. }, _) => {
            let order = ell_warp::order(gpu, jit, A, LANES)?;
            Some(Slices::in_order(gpu, jit, A, Some(order), tuning)?.map(tuning)?)
        }
        (Format::EllWarp { variant: Variant::K2, warp: LANES, threshold }, _) if tuning.unroll.is_none() => {
            Some(ell_warp::k2(gpu, jit, A, (LANES, threshold), tuning.narrow != Some(false))?)
        }
        _ => None,
    })
}

/// Copies for teams of lanes.
fn rows<S: Scalar>(gpu: &Arc<Gpu>, A: &DeviceCsr<S>, tuning: &Tuning) -> Result<Map> {
    let copies = [
        A.start.duplicate("the row starts of CSR")?,
        A.col.duplicate("the columns of CSR")?,
        A.val.duplicate("the values of CSR")?,
    ];
    made::rows::<S>(gpu, (A.rows, A.cols), copies, tuning)
}
