//! The shifted Laplacian: something that stands for the inverse of K - k^2 (1 + i S) M - i k B. The shift damps the
//! waves, so that incomplete factors exist and are good, coarser spaces correct, and what is missed of A has few
//! eigenvalues far from 1. Erlangga, Vuik, Oosterlee 2004.

use crate::plan::helmholtz::shifted::{Inverse, Shifted};
use anyhow::{Result, bail};
use galerkit::fem::acoustics::coarsening::{Coarser, coarser, cycle};
use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::engine::{Engine as _, Operator, Resident};
use galerkit::linalg::map::{LinearMap, matrix_map};
use galerkit::linalg::multigrid::Hierarchy;
use galerkit::linalg::precond::{Class, Preconditioner, Prepared};
use galerkit::linalg::program::Precision;
use galerkit::linalg::sparse::{Csr, Format, Matrix};
use galerkit::{Engine, OpenMap, OpenPreconditioner};

/// What preconditions for every k.
pub struct Family<V> {
    kind: Shifted,
    /// Equations with a matrix, where those that are solved have none.
    own: Option<Equations<V>>,
    /// Spaces of lower degree.
    below: Vec<Coarser<V>>,
}

impl<V: WaveSpace> Family<V> {
    /// For some equations.
    pub fn new(equations: &Equations<V>, kind: Shifted) -> Result<Self> {
        let own = match equations.is_assembled() {
            true => None,
            false => Some(equations.problem().on(equations.problem().space().clone()).assemble()?),
        };
        let below = match kind.inverse {
            Inverse::Named(_) => Vec::new(),
            Inverse::Multigrid { lowest } => coarser(own.as_ref().unwrap_or(equations), lowest)?,
        };
        Ok(Self { kind, own, below })
    }

    /// An operator with its preconditioner for k.
    pub fn conditioned(&self, equations: &Equations<V>, k: c64, A: Box<dyn LinearMap<c64>>) -> Result<OpenMap<c64>> {
        let (kind, shift) = (self.kind, c64::new(1.0, self.kind.shift));
        let equations = self.own.as_ref().unwrap_or(equations);
        let matrix = equations.shifted(k, shift)?;
        let inverse = match kind.inverse {
            Inverse::Named(name) => named(name, matrix)?,
            Inverse::Multigrid { .. } => Loadable::Cycle(cycle(equations, &self.below, k, shift)?, matrix),
        };
        Ok(OpenMap::new(A).preconditioned_by(ShiftedLaplacian { kind, inverse }))
    }
}

/// What stands for the inverse of the shifted matrix, before it is loaded.
#[derive(Clone)]
enum Loadable {
    Map(Box<dyn LinearMap<c64>>),
    /// A cycle, and its finest matrix.
    Cycle(Hierarchy<c64>, Csr<c64>),
}

fn named(name: Preconditioner, matrix: Csr<c64>) -> Result<Loadable> {
    Ok(match name.prepare(&matrix, Class::General)? {
        Prepared::Map(map) => Loadable::Map(map),
        Prepared::Identity => Loadable::Map(matrix_map(Matrix::Csr(Csr::identity(matrix.rows())))),
        Prepared::Amg(built) => Loadable::Cycle(built.hierarchy(&|_| Format::Csr), matrix),
        Prepared::Sweeps(_) | Prepared::Chebyshev(_) => {
            bail!(
                "--precond shifted cannot have {name}: take ilu0, ilu:FILL, amg, multigrid, jacobi, ssor:OMEGA or none"
            )
        }
    })
}

/// The preconditioner for one k.
struct ShiftedLaplacian {
    kind: Shifted,
    inverse: Loadable,
}

impl OpenPreconditioner<c64> for ShiftedLaplacian {
    fn load(&self, e: &mut Engine<c64>, _: &Resident<Engine<c64>>) -> Box<dyn Operator<Engine<c64>> + Send> {
        match self.inverse.clone() {
            Loadable::Map(map) => Box::new(e.load(map)),
            Loadable::Cycle(hierarchy, matrix) => {
                let finest = e.load(matrix_map(Matrix::Csr(matrix)));
                Box::new(hierarchy.load_whole(e, finest, Precision::Full))
            }
        }
    }
    fn describe(&self) -> String {
        format!("shifted:{}:{}", self.kind.shift, self.kind.inverse)
    }
    fn explain(&self) -> String {
        let levels = match &self.inverse {
            Loadable::Map(_) => String::new(),
            Loadable::Cycle(hierarchy, _) => format!("; unknowns of levels: {:?}", hierarchy.unknowns()),
        };
        format!("{} of A with k^2 (1 + {} i){levels}", self.kind.inverse, self.kind.shift)
    }
    fn bytes(&self) -> usize {
        match &self.inverse {
            Loadable::Map(map) => map.bytes(),
            Loadable::Cycle(hierarchy, matrix) => hierarchy.bytes(Precision::Full) + matrix.bytes(),
        }
    }
}
