//! The shifted Laplacian: an incomplete factorisation of K - k^2 (1 + i S) M - i k B. The shift damps the waves, so that factors exist and
//! are good, and what they miss of A has few eigenvalues far from 1. Erlangga, Vuik, Oosterlee 2004.

use crate::plan::helmholtz::Shifted;
use anyhow::{Result, bail};
use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::engine::{Engine as _, Operator, Resident};
use galerkit::linalg::map::{LinearMap, matrix_map};
use galerkit::linalg::precond::{Class, Prepared};
use galerkit::linalg::sparse::{Csr, Matrix};
use galerkit::{Engine, OpenMap, OpenPreconditioner};
use std::sync::Mutex;

/// The preconditioner: factors that wait to be loaded, and what to make them of again.
struct ShiftedLaplacian {
    matrix: Csr<c64>,
    kind: Shifted,
    ready: Mutex<Option<Box<dyn LinearMap<c64>>>>,
}

impl ShiftedLaplacian {
    fn new(matrix: Csr<c64>, kind: Shifted) -> Result<Self> {
        let ready = Mutex::new(Some(inverse(&matrix, kind)?));
        Ok(Self { matrix, kind, ready })
    }
}

/// What stands for the inverse of the shifted matrix.
fn inverse(matrix: &Csr<c64>, kind: Shifted) -> Result<Box<dyn LinearMap<c64>>> {
    match kind.inverse.prepare(matrix, Class::General)? {
        Prepared::Map(map) => Ok(map),
        Prepared::Identity => Ok(matrix_map(Matrix::Csr(Csr::identity(matrix.rows())))),
        _ => bail!("--precond shifted cannot have {}: take ilu0, ilu:FILL, jacobi, ssor:OMEGA or none", kind.inverse),
    }
}

impl OpenPreconditioner<c64> for ShiftedLaplacian {
    fn load(&self, e: &mut Engine<c64>, _: &Resident<Engine<c64>>) -> Box<dyn Operator<Engine<c64>> + Send> {
        let ready = self.ready.lock().ok().and_then(|mut ready| ready.take());
        let map = ready.unwrap_or_else(|| inverse(&self.matrix, self.kind).expect("it could be made before"));
        Box::new(e.load(map))
    }
    fn describe(&self) -> String {
        format!("shifted:{}:{}", self.kind.shift, self.kind.inverse)
    }
    fn explain(&self) -> String {
        format!("{} of A with k^2 (1 + {} i)", self.kind.inverse, self.kind.shift)
    }
}

/// A(k) with its preconditioner.
pub fn conditioned<V: WaveSpace>(equations: &Equations<V>, k: c64, A: Csr<c64>, kind: Shifted) -> Result<OpenMap<c64>> {
    let preconditioner = ShiftedLaplacian::new(equations.shifted(k, c64::new(1.0, kind.shift))?, kind)?;
    Ok(OpenMap::new(matrix_map(Matrix::Csr(A))).preconditioned_by(preconditioner))
}
