//! A diagonal matrix. Kernel: `diagonal.cu`.

use super::{Layout, Protocol};
use galerkit_linalg::Scalar;

pub(super) fn layout<S: Scalar>(d: &[S]) -> Layout<'_> {
    let source = include_str!("../../kernels/diagonal.cu").to_string();
    Layout::new(Protocol::Entry, source, (d.len(), d.len())).values("the diagonal", d)
}
