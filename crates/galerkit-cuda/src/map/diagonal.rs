//! A diagonal matrix. Kernel: `diagonal.cu`.

use super::{Interface, Layout};
use galerkit_linalg::Scalar;

pub(super) fn source() -> String {
    include_str!("../../kernels/diagonal.cu").to_string()
}

pub(super) fn layout<S: Scalar>(d: &[S]) -> Layout<'_> {
    Layout::new(Interface::Entry, source(), (d.len(), d.len())).values("the diagonal", d)
}
