//! `bench triangular` as meant.

use super::{BenchPlan, Place};
use crate::args::MeasureTriangular;
use anyhow::{Result, bail};
use galerkit::linalg::precond::Preconditioner;
use galerkit::{Choice, Krylov, Ordering};

/// Measured when no matrix is named.
const DEFAULT: &str = "gallery:poisson2d?n=300";
/// Compared when none is named: a yardstick, the exact solves, and both iterative variants.
const PRECONDITIONERS: [&str; 7] =
    ["jacobi", "ilu0", "parilu0:3", "parilu0:5", "ilu0-sweeps:2", "ilu0-sweeps:3", "ilu0-sweeps:5"];
const ORDERINGS: [Ordering; 3] = [Ordering::Natural, Ordering::Rcm, Ordering::Colours];

/// A comparison of factorisations, as meant.
#[derive(Debug)]
pub struct TriangularPlan {
    /// Matrices, precision, device, repetitions.
    pub bench: BenchPlan,
    /// The preconditioners.
    pub preconditioners: Vec<Preconditioner>,
    /// The orderings.
    pub orderings: Vec<Choice<Ordering>>,
    /// The method; none: one that suits each matrix.
    pub method: Option<Krylov>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

impl TriangularPlan {
    /// Makes sense of the arguments.
    pub fn new(arguments: &MeasureTriangular) -> Result<Self> {
        if arguments.repetitions == 0 {
            bail!("--repetitions 0 would measure nothing: ask for at least 1");
        }
        let names: Vec<&str> = match arguments.precond.is_empty() {
            true => PRECONDITIONERS.to_vec(),
            false => arguments.precond.iter().map(String::as_str).collect(),
        };
        let orderings = match arguments.orderings.is_empty() {
            true => ORDERINGS.map(Choice::Given).to_vec(),
            false => arguments.orderings.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
        };
        let method = match arguments.method.as_str() {
            "auto" => None,
            name => Some(name.parse()?),
        };
        let place = Place::new(&arguments.machine)?;
        let (device, device_reason) = place.of_benchmark();
        let matrices = if arguments.matrices.is_empty() { vec![DEFAULT.into()] } else { arguments.matrices.clone() };
        Ok(Self {
            bench: BenchPlan {
                matrices,
                formats: Vec::new(),
                ordering: Ordering::Natural.into(),
                precision: place.precision,
                device,
                device_reason,
                repetitions: arguments.repetitions,
            },
            preconditioners: names.into_iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            orderings,
            method,
            rtol: arguments.rtol,
            max_iterations: arguments.max_iterations,
        })
    }
}
