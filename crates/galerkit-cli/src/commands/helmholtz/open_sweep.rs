//! A(k) as an operator that stays loaded, with the shifted Laplacian: for another k its values, and those of the shifted
//! matrix where a cycle has that on its finest level, are sums of terms that are computed where they are. What is
//! factorised, the host factorises.

use super::shifted::{Family, ShiftedLaplacian, Standing};
use super::sweep::{assembly, each};
use anyhow::{Result, bail};
use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::linalg::c64;
use galerkit::linalg::engine::Engine as _;
use galerkit::linalg::map::matrix_map;
use galerkit::linalg::program::Precision;
use galerkit::linalg::sparse::{Csr, Matrix};
use galerkit::{Assembly, OpenMap, OpenSystem, Solver};

/// The operator for one k after the other.
pub struct OpenSweep {
    /// With the values of the first k, until it is prepared.
    first: Option<OpenMap<c64>>,
    system: Option<OpenSystem<c64>>,
    assembly: Option<Assembly<c64>>,
    precision: Precision,
    /// The shifted matrix of the finest level.
    shifted: Standing,
}

impl OpenSweep {
    /// For the first k; the preconditioner in this precision.
    pub fn new<V: WaveSpace>(
        of @ (equations, _, k): (&Equations<V>, &Family<V>, c64),
        precision: Precision,
    ) -> Result<Self> {
        let shifted = Standing::empty();
        let M = from_host(of, (precision, shifted.clone()))?;
        let A = matrix_map(Matrix::Csr(equations.matrix(k)?));
        let first = Some(OpenMap::new(A).preconditioned_by(M));
        Ok(Self { first, system: None, assembly: None, precision, shifted })
    }

    /// The operator, prepared by a solver the first time.
    pub fn system(&mut self, solver: &Solver) -> galerkit::Result<&mut OpenSystem<c64>> {
        if let Some(map) = self.first.take() {
            self.system = Some(solver.prepare_map(map)?);
        }
        Ok(self.system.as_mut().expect("it was prepared from the first values"))
    }

    /// Goes on with another k.
    pub fn renew<V: WaveSpace>(&mut self, of @ (equations, family, k): (&Equations<V>, &Family<V>, c64)) -> Result<()> {
        let shifted = self.shifted.values();
        let mut factors = equations.factors(k);
        if shifted.is_some() {
            factors.extend(equations.shifted_factors(k, family.shift()));
        }
        let Some(system) = &mut self.system else { bail!("the first system was not prepared") };
        let assembly = self.assembly.get_or_insert_with(|| assembly(equations, shifted.clone()));
        system.assemble(assembly, &each(&factors))?;
        let how = (self.precision, self.shifted.clone());
        let M = match shifted {
            None => from_host(of, how)?,
            Some(values) => {
                let mut computed = Vec::new();
                system.update_with(|e, _| computed = e.download(&values))?;
                family.of_matrix(equations, equations.with_values(computed)?, k, how)?
            }
        };
        Ok(system.precondition_by(M)?)
    }
}

/// From a shifted matrix that the host sums up.
fn from_host<V: WaveSpace>(
    (equations, family, k): (&Equations<V>, &Family<V>, c64),
    how: (Precision, Standing),
) -> Result<ShiftedLaplacian<c64>> {
    let matrix: Csr<c64> = equations.shifted(k, family.shift())?;
    family.of_matrix(equations, matrix, k, how)
}
