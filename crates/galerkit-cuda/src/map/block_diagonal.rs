//! The block Jacobi preconditioner.

use super::Map;
use crate::error::{Error, Result};
use crate::launch::Gpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::BlockDiagonal;
use std::sync::Arc;

pub(super) fn load<S: Scalar>(_gpu: &Arc<Gpu>, _map: &BlockDiagonal<S>) -> Result<Map> {
    let reason = "it is not ported yet: use --precond jacobi or --device cpu".into();
    Err(Error::Unsupported { what: "block Jacobi".into(), reason })
}
