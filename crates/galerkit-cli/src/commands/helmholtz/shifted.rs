//! The shifted Laplacian: something that stands for the inverse of K - k^2 (1 + i S) M - i k B. The shift damps the
//! waves, so that incomplete factors exist and are good, coarser spaces correct, and what is missed of A has few
//! eigenvalues far from 1. Erlangga, Vuik, Oosterlee 2004.

use crate::plan::helmholtz::shifted::{Inverse, Shifted};
use anyhow::{Result, bail};
use galerkit::fem::acoustics::coarsening::{Coarser, coarser, cycle};
use galerkit::fem::acoustics::{Equations, WaveSpace, price};
use galerkit::linalg::engine::{Engine as _, Operator, Resident};
use galerkit::linalg::map::{LinearMap, matrix_map};
use galerkit::linalg::multigrid::{Bottom, Hierarchy, Shape};
use galerkit::linalg::precond::{Class, Preconditioner, Prepared};
use galerkit::linalg::program::Precision;
use galerkit::linalg::sparse::{Csr, Format, Matrix};
use galerkit::linalg::{Scalar, c32, c64};
use galerkit::{DeviceVector, Engine, OpenPreconditioner};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

    /// What preconditions A(k), from the shifted matrix.
    pub fn preconditioner(
        &self,
        equations: &Equations<V>,
        k: c64,
        precision: Precision,
    ) -> Result<ShiftedLaplacian<c64>> {
        let equations = self.own.as_ref().unwrap_or(equations);
        let matrix = equations.shifted(k, self.shift())?;
        self.of_matrix(equations, matrix, k, (precision, Standing::empty()))
    }

    /// Whether its last space can be eliminated, so that no aggregates continue the cycle.
    pub fn ends_in_elimination(&self, k: c64) -> Result<bool> {
        let Some(Coarser { equations, .. }) = self.below.last() else { return Ok(true) };
        let A = equations.shifted(k, self.shift())?;
        Ok(price::affordable(&A, equations.problem().space().dim()).is_some())
    }

    /// k^2 times this.
    pub fn shift(&self) -> c64 {
        c64::new(1.0, self.kind.shift)
    }

    /// The same from a shifted matrix that is there, and what stays loaded of it.
    pub fn of_matrix(
        &self,
        equations: &Equations<V>,
        matrix: Csr<c64>,
        k: c64,
        (precision, standing): (Precision, Standing),
    ) -> Result<ShiftedLaplacian<c64>> {
        let kind = self.kind;
        let (hierarchy, matrix) = match kind.inverse {
            Inverse::Named(name) => named(name, matrix)?,
            Inverse::Multigrid { .. } => (cycle((equations, &matrix), &self.below, k, self.shift())?, Some(matrix)),
        };
        let finest = matrix.map(|matrix| matrix_map(Matrix::Csr(matrix)));
        Ok(ShiftedLaplacian { kind, hierarchy, finest, precision, standing })
    }
}

/// A cycle, and its finest matrix; of what is one map a cycle of that alone.
fn named(name: Preconditioner, matrix: Csr<c64>) -> Result<(Hierarchy<c64>, Option<Csr<c64>>)> {
    Ok(match name.prepare(&matrix, Class::General)? {
        Prepared::Map(map) => (alone(map), None),
        Prepared::Identity => (alone(matrix_map(Matrix::Csr(Csr::identity(matrix.rows())))), None),
        Prepared::Amg(built) => (built.hierarchy(&|_| Format::Csr), Some(matrix)),
        Prepared::Sweeps(_) | Prepared::Chebyshev(_) => {
            bail!(
                "--precond shifted cannot have {name}: take ilu0, ilu:FILL, amg, multigrid, jacobi, ssor:OMEGA or none"
            )
        }
    })
}

fn alone(map: Box<dyn LinearMap<c64>>) -> Hierarchy<c64> {
    Hierarchy { levels: Vec::new(), bottom: Bottom::Inverse(map), shape: Shape::V, is_hermitian: false, scale: 1.0 }
}

/// The preconditioner for one k, before it is loaded.
pub struct ShiftedLaplacian<S: Scalar> {
    kind: Shifted,
    hierarchy: Hierarchy<S>,
    finest: Option<Box<dyn LinearMap<S>>>,
    /// Single: rounded when it is loaded, for vectors that are not.
    precision: Precision,
    /// Where the finest matrix is once it is loaded.
    standing: Standing<S>,
}

/// A matrix that stays loaded while what is made of it changes: of every k the same pattern, and values that are
/// computed where it is.
#[derive(Clone)]
pub struct Standing<S: Scalar = c64>(Arc<Mutex<Option<Resident<Engine<S>>>>>);

impl<S: Scalar> Standing<S> {
    /// Nothing is loaded yet.
    pub fn empty() -> Self {
        Self(Arc::default())
    }
    /// Its values, if it is loaded.
    pub fn values(&self) -> Option<DeviceVector> {
        self.lock().as_ref().map(|A| A.values.clone())
    }
    /// Its handles; it is loaded the first time.
    fn loaded(&self, e: &mut Engine<S>, A: Box<dyn LinearMap<S>>) -> Resident<Engine<S>> {
        handles(self.lock().get_or_insert_with(|| e.load(A)))
    }
    fn lock(&self) -> MutexGuard<'_, Option<Resident<Engine<S>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn handles<S: Scalar>(A: &Resident<Engine<S>>) -> Resident<Engine<S>> {
    Resident { map: A.map.clone(), values: A.values.clone(), elementwise: A.elementwise }
}

impl ShiftedLaplacian<c64> {
    /// The same for a system in single precision.
    pub fn rounded(&self) -> ShiftedLaplacian<c32> {
        let Self { kind, hierarchy, finest, .. } = self;
        let finest = finest.as_ref().and_then(|A| A.to_single());
        let (precision, standing) = (Precision::Full, Standing::empty());
        ShiftedLaplacian { kind: *kind, hierarchy: hierarchy.rounded(), finest, precision, standing }
    }
}

impl<S: Scalar> OpenPreconditioner<S> for ShiftedLaplacian<S> {
    fn load(&self, e: &mut Engine<S>, A: &Resident<Engine<S>>) -> Box<dyn Operator<Engine<S>> + Send> {
        let (mut hierarchy, mut finest) = (self.hierarchy.clone(), self.finest.clone());
        if let (Precision::Single, Some(level)) = (self.precision, hierarchy.levels.first_mut()) {
            level.A = finest.take(); // it is rounded with the others
        }
        let finest = match finest {
            Some(finest) => self.standing.loaded(e, finest),
            None => handles(A), // not used
        };
        Box::new(hierarchy.load_whole(e, finest, self.precision))
    }
    fn describe(&self) -> String {
        format!("shifted:{}:{}", self.kind.shift, self.kind.inverse)
    }
    fn explain(&self) -> String {
        let levels = match &self.hierarchy.levels[..] {
            [] => String::new(),
            _ => format!("; unknowns of levels: {:?}", self.hierarchy.unknowns()),
        };
        format!("{} of A with k^2 (1 + {} i){levels}", self.kind.inverse, self.kind.shift)
    }
    fn bytes(&self) -> usize {
        self.hierarchy.bytes(self.precision) + self.finest.as_ref().map_or(0, |A| A.bytes())
    }
}
