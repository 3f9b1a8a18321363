//! Where a tumour grows: an evolution on a device, with incomplete factors of new steps computed there.

use crate::choice::Device;
use crate::error::Result;
use crate::solver::machine::Machine;
use galerkit_cuda::Cuda;
use galerkit_cuda::factor::{Factoriser, Slots, factoriser};
use galerkit_cuda::jit::Jit;
use galerkit_fem::collocation::krylov::{StepEngine, StepVector};
use galerkit_fem::collocation::refactor::Refactor;
use galerkit_fem::collocation::{Collocation, Evolution, Settings};
use galerkit_linalg::engine::{AnyExecutor, Engine};
use galerkit_linalg::precond::Recipe;
use galerkit_linalg::sparse::Csr;

/// A tumour on a device.
///
/// ```
/// use galerkit::Device;
/// use galerkit::fem::collocation::{Collocation, Layers, Line, Method, Scheme, Settings, Source, Start, Step};
///
/// let space = Collocation::interval(Line::uniform([0.0, 8.0], 40, &Layers::equal(&[0.0065, 0.0013])?)?);
/// let start = space.sources(&[Source { centre: vec![3.0], eta: 0.4 }], Start::Interpolated)?;
/// let settings = Settings { rho: 0.012, method: Method::Ilu, rtol: 1e-10, threshold: None };
/// let mut evolution = galerkit::tumour::evolution(Device::Cpu, &space, settings, &start)?;
/// let measured = evolution.advance(Step { scheme: Scheme::Dirk, dt: 0.5 }, 4)?;
/// assert!(measured[3].mass > 1.02); // exp(0.012 * 2) = 1.024
/// # Ok::<(), galerkit::Error>(())
/// ```
///
/// # Errors
/// If there is no such GPU, or parameters do not suit.
pub fn evolution(device: Device, space: &Collocation, settings: Settings, coefficients: &[f64]) -> Result<Evolution> {
    evolution_on(device.executor()?, space, settings, coefficients)
}

/// The same on an executor that is there already.
///
/// # Errors
/// If parameters do not suit.
pub fn evolution_on(
    executor: AnyExecutor<f64>,
    space: &Collocation,
    settings: Settings,
    coefficients: &[f64],
) -> Result<Evolution> {
    Ok(Evolution::with(executor, refactoring, space, settings, coefficients)?)
}

/// Factors on the GPU, from the entries to the values of the loaded map.
struct OnGpu {
    factoriser: Factoriser<f64>,
    from: Slots,
    to: Slots,
}

/// None without a GPU, or if it has no room.
fn refactoring(e: &mut StepEngine, A: &Csr<f64>, values: &StepVector) -> Option<Box<dyn Refactor>> {
    let gpu = e.executor().cuda()?.gpu().clone();
    let factoriser = factoriser(&gpu, &Jit::new(&gpu), A, Recipe::Ilu { fill: 0 }).ok()?;
    let index: Vec<u32> = (0..u32::try_from(A.nnz()).ok()?).collect();
    let numbers = factoriser.solve_numbers().filter(|numbers| numbers.len() == e.length(values))?;
    let (from, to) = (factoriser.entry_slots(A, &index).ok()?, factoriser.number_slots(&numbers).ok()?);
    Some(Box::new(OnGpu { factoriser, from, to }))
}

impl Refactor for OnGpu {
    fn renew(&mut self, e: &mut StepEngine, entries: &StepVector, values: &mut StepVector) -> galerkit_fem::Result<()> {
        let cuda: Option<&Cuda<f64>> = e.executor().cuda();
        let buffers = cuda.and_then(|cuda| Some((cuda.buffer(entries.name())?, cuda.buffer(values.name())?)));
        let Some((entries, values)) = buffers else { return Ok(()) }; // the engine has failed, and says so itself
        match self.factoriser.compute_from(&self.from, entries) {
            Ok(_) => self.factoriser.hand_over(&self.to, values),
            Err(error) => return error.into_linalg().map_or(Ok(()), |error| Err(error.into())),
        }
        Ok(())
    }
}
