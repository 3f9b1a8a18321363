//! The product on a GPU.

use super::Numbers;
use super::cells::Cells;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::DeviceSource;

/// Kernel source and arrays.
pub(super) fn source<S: Scalar>(_: &Cells, _: &Numbers<S>) -> Option<DeviceSource> {
    None
}
