//! A diagonal matrix. Kernel: `diagonal.cu`.

use super::{Interface, Layout};
use galerkit_linalg::Scalar;

pub(super) fn layout<S: Scalar>(d: &[S]) -> Layout<'_> {
    let source = include_str!("../../kernels/diagonal.cu").to_string();
    Layout::new(Interface::Entry, source, (d.len(), d.len())).values("the diagonal", d)
}
