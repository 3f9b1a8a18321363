//! Source 001 (Ikuno, Deki, Fujita 2010): VPGCR with Jacobi inside, wholly in double precision ("standard") or with the
//! inner iteration in single precision ("hybrid"), on the banded Toeplitz matrix with b = A 1. Its table 2 counts inner
//! and outer iterations; its figures 2 to 5 show times, speed-ups and how far the two solutions are apart.
//!
//! Inner sweeps stop by the increment (convention M of spec 01), which is what the published counts obey.

mod published;
mod study;

pub use super::place::Place;
pub use published::{GAMMAS, N, Published, TOLERANCES, Verdict, published};
pub use study::{Row, Study};

use galerkit::{Device, Result, on_threads};
use galerkit_cuda::Settings;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::reference;
use galerkit_linalg::engine::{AnyEngine, Engine, Held, Register, cpu_executor, reference_executor};
use galerkit_linalg::gallery::toeplitz;
use galerkit_linalg::krylov::{Inner, InnerMethod, Outcome, Run, Stop, inner_stop, run_inner_any, vpgcr_any};
use galerkit_linalg::map::{Diagonal, InSingle, matrix_map};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The precision of the inner iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Double.
    Standard,
    /// Single.
    Hybrid,
}

impl Form {
    /// Both.
    pub const ALL: [Form; 2] = [Form::Standard, Form::Hybrid];

    /// The letter in the table's head.
    pub fn letter(self) -> char {
        match self {
            Form::Standard => 'S',
            Form::Hybrid => 'H',
        }
    }
}

/// What is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Rows.
    pub n: usize,
    /// The entry below the diagonal; the larger, the slower.
    pub gamma: f64,
    /// The precision of the inner iteration.
    pub form: Form,
    /// The tolerance of the inner iteration.
    pub eps: f64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// How the outer iteration ended.
    pub outcome: Outcome,
    /// Updates of x; the paper counts one less.
    pub outer: usize,
    /// Sweeps, over all inner solves.
    pub inner: usize,
    /// Sweeps of each inner solve; of the last 16 if there were more.
    pub sweeps: Vec<usize>,
    /// Inner solves that were of no use and were replaced by the residual.
    pub failures: usize,
    /// The least time in the outer loop.
    pub seconds: f64,
    /// The solution.
    pub x: Vec<f64>,
}

/// The outer tolerance.
const EPS_OUT: f64 = 1e-12;
/// Directions kept. At least 8 for the published counts.
const RESTART: usize = 10;
/// Inner solves whose sweeps are listed: twice as many as any published case takes.
const LISTED: usize = 16;
/// Most outer iterations.
const LIMIT: usize = 1000;
/// After so much time with repetitions no other is begun.
const PATIENCE: Duration = Duration::from_secs(10);

/// Solves, `repetitions` times for the least time unless that takes too long.
pub fn solve(place: Place, case: Case, repetitions: usize) -> Result<Solved> {
    on_threads(place.threads, || {
        let system = System::new(case, place.device)?;
        let mut best = system.solve(place.device)?; // on a GPU perhaps with compiling
        let begun = Instant::now();
        for _ in 1..repetitions {
            if begun.elapsed() > PATIENCE {
                break;
            }
            let again = system.solve(place.device)?;
            best.seconds = best.seconds.min(again.seconds);
        }
        Ok(best)
    })
}

/// A x = b, ready to be loaded.
struct System {
    case: Case,
    A: Matrix<f64>,
    b: Vec<f64>,
    inside: Inside,
}

/// The matrix of the inner iteration and the inverse of its diagonal.
enum Inside {
    Double(Diagonal<f64>),
    Single(Matrix<f32>, Diagonal<f32>),
}

impl System {
    fn new(case: Case, device: Device) -> Result<Self> {
        let A = toeplitz(case.n, case.gamma)?;
        let mut b = vec![0.0; case.n];
        let plain = Matrix::Csr(A);
        reference::spmv(1.0, &plain, &vec![1.0; case.n], 0.0, &mut b);
        let Matrix::Csr(A) = plain else { unreachable!("it was made a line above") };
        let inside = match case.form {
            Form::Standard => Inside::Double(jacobi(&A)?),
            Form::Hybrid => {
                let low = A.map_values(f64::to_single);
                Inside::Single(stored(&low, device)?, jacobi(&low)?)
            }
        };
        Ok(Self { case, A: stored(&A, device)?, b, inside })
    }

    fn solve(&self, device: Device) -> Result<Solved> {
        Ok(match device {
            Device::Cpu => self.run(&mut AnyEngine::over(cpu_executor())),
            Device::Reference => self.run(&mut AnyEngine::over(reference_executor())),
            Device::Cuda(number) => {
                let gpu = Gpu::open(number)?;
                let vectors = 8 * self.case.n * (2 * RESTART + 14);
                gpu.require_memory("the matrix with the vectors of VPGCR", 2 * self.A.bytes() + vectors)?;
                let solved = self.run(&mut AnyEngine::over(galerkit_cuda::executor(&gpu, Settings::default())?));
                gpu.failure().map_or(Ok(solved), Err)?
            }
        })
    }

    fn run(&self, e: &mut AnyEngine<f64>) -> Solved {
        let A = e.load(matrix_map(self.A.clone()));
        let (low, D) = match &self.inside {
            Inside::Double(D) => (None, e.load(Box::new(D.clone()))),
            Inside::Single(A, D) => (
                Some(e.load(Box::new(InSingle::<f64>(matrix_map(A.clone()))))),
                e.load(Box::new(InSingle::<f64>(Box::new(D.clone())))),
            ),
        };
        let b = e.upload(&self.b);
        let mut x = e.zeros_like(&b);
        let precision = if low.is_some() { Precision::Single } else { Precision::Full };
        let A_in = low.as_ref().unwrap_or(&A);
        let stop = inner_stop(self.case.eps, 10 * self.case.n + 1000);
        let sweeps = |e: &mut AnyEngine<f64>, r: &Held<Vector>, z: &mut Held<Vector>| -> Run {
            run_inner_any(InnerMethod::Increments, e, A_in, &D, r, z, &stop)
        };
        let M = Inner::new(e, &b, precision, Box::new(sweeps)).listing(e, LISTED);
        let none = e.number(0.0);
        let failures = e.carry(none);
        let outer = Stop { rtol: EPS_OUT, limit: LIMIT, replacement: 0, ..Stop::default() };
        let run = vpgcr_any(e, (RESTART, &failures), &A, &M, &b, &mut x, &outer);
        let failures = failures.get();
        Solved {
            outcome: run.outcome,
            outer: run.iterations,
            inner: M.iterations(e),
            sweeps: M.latest(e),
            failures: e.value(failures) as usize,
            seconds: run.elapsed.as_secs_f64(),
            x: e.download(&x),
        }
    }
}

/// In the format that the device likes for rows of nearly equal length.
fn stored<S: Scalar>(A: &Csr<S>, device: Device) -> Result<Matrix<S>> {
    let format = match device {
        Device::Reference => Format::Csr,
        Device::Cpu => Format::Sell { height: 8, sigma: 1 },
        Device::Cuda(_) => Format::Sell { height: 32, sigma: 1 },
    };
    Ok(Matrix::from_csr(A, format)?)
}
