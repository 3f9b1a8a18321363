//! What is timed: one vector operation, one SpMV, one iteration.

use super::super::place::Place;
use super::Case;
use crate::Result;
use crate::timing::iteration::{Iteration, iteration};
use crate::timing::{Product, gpu, median, product};
use galerkit::{AnyMatrix, Choice, Device, Krylov, Ordering, dispatch};
use galerkit_cuda::Settings;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_linalg::engine::{Engine, Recorded, cpu_executor, reference_executor};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::{Csr, Format};
use galerkit_linalg::{Scalar, per_scalar};
use std::fmt;
use std::time::Instant;

/// Directions of ORTHODIR: a few tens, as in the source.
const DIRECTIONS: usize = 20;
/// Operations between two looks at the clock.
const BATCH: usize = 20;
/// A fixed launch: a warp a row.
const FIXED: Tuning =
    Tuning { lanes: Some(32), narrow: None, balanced: Some(false), unroll: Some(1), one_block: None, row_major: false };

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// y += a x.
    Axpy,
    /// (x, y).
    Dot,
    /// ||x||.
    Norm,
    /// A x.
    Spmv,
    /// A x with one launch for every matrix.
    FixedSpmv,
    /// An iteration of conjugate gradients.
    Cg,
    /// An iteration of ORTHODIR.
    Orthodir,
}

impl Operation {
    /// Those of a case in a place.
    pub fn of(case: Case, place: Place) -> Vec<Self> {
        let mut all = vec![Self::Axpy, Self::Dot, Self::Norm, Self::Spmv];
        all.extend(matches!(place.device, Device::Cuda(_)).then_some(Self::FixedSpmv));
        all.push(if case.kind.is_complex() { Self::Orthodir } else { Self::Cg });
        all
    }
    /// What it is related to on one core.
    pub fn base_name(self) -> String {
        if self == Self::FixedSpmv { Self::Spmv } else { self }.to_string()
    }
    /// The figure of the source that shows it.
    pub fn figure(self, case: Case) -> usize {
        let first = match (self, case.kind.is_complex()) {
            (Self::Cg, _) => 11,
            (Self::Orthodir, _) => 13,
            (_, false) => 7,
            (_, true) => 9,
        };
        first + usize::from(case.dimension == 3)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Axpy => "axpy",
            Self::Dot => "dot",
            Self::Norm => "norm",
            Self::Spmv => "spmv",
            Self::FixedSpmv => "spmv, fixed launch",
            Self::Cg => "cg iteration",
            Self::Orthodir => "orthodir iteration",
        })
    }
}

/// Seconds of one operation, the median of so many figures.
pub fn measured(A: &AnyMatrix, operation: Operation, device: Device, repetitions: usize) -> Result<f64> {
    dispatch!(A, A => of_scalar(A, operation, device, repetitions))
}

fn of_scalar<S: Scalar>(A: &Csr<S>, operation: Operation, device: Device, repetitions: usize) -> Result<f64> {
    let ordering = Choice::Given(Ordering::Natural); // the problem is in a good one
    match operation {
        Operation::Axpy | Operation::Dot | Operation::Norm => vector_operation(A, operation, device, repetitions),
        Operation::Spmv => {
            let how = Product { format: Format::Csr, ordering, device, repetitions: BATCH };
            Ok(median(&product(A, how)?.seconds))
        }
        Operation::FixedSpmv => {
            let Device::Cuda(number) = device else { return Ok(f64::NAN) };
            Ok(median(&gpu::product(&Gpu::open(number)?, A, Format::Csr, ordering, FIXED, BATCH)?.seconds))
        }
        Operation::Cg | Operation::Orthodir => {
            let method = if operation == Operation::Cg { Krylov::Cg } else { Krylov::Orthodir { restart: DIRECTIONS } };
            let how = Iteration {
                method,
                format: Choice::Auto,
                ordering,
                preconditioner: Preconditioner::None,
                device,
                iterations: (DIRECTIONS, 3 * DIRECTIONS),
                most: 3 * DIRECTIONS,
                repetitions,
            };
            Ok(median(&iteration(A, &vec![S::one(); A.rows()], &how)?))
        }
    }
}

per_scalar! {
    /// Seconds of a vector operation, queued one after the other and waited for at the end of a batch.
    pub fn vector_operation<S>(A: &Csr<S>, operation: Operation, device: Device, repetitions: usize) -> Result<f64> = vector_operation_of;
}

fn vector_operation_of<S: Scalar>(A: &Csr<S>, operation: Operation, device: Device, repetitions: usize) -> Result<f64> {
    let executor = match device {
        Device::Cpu => cpu_executor(),
        Device::Reference => reference_executor(),
        Device::Cuda(number) => galerkit_cuda::executor(&Gpu::open(number)?, Settings::default())?,
    };
    let e = &mut Recorded::over(executor);
    let (x, mut y) = (e.upload(&vec![S::from_f64(1e-3); A.rows()]), e.upload(&vec![S::one(); A.rows()]));
    let routine = e.compile(|e| match operation {
        Operation::Axpy => {
            let a = e.number(1e-6);
            e.axpy(a, &x, &mut y);
            Vec::new()
        }
        Operation::Dot => vec![e.dot(&x, &y)],
        _ => vec![e.norm(&x)],
    });
    let mut seconds = Vec::new();
    for round in 0..=repetitions.max(1) {
        let begun = Instant::now();
        for _ in 0..BATCH {
            let _ = e.run(&routine);
        }
        if let Some(&scalar) = routine.scalars.first() {
            std::hint::black_box(e.value(scalar));
        } else {
            let end = e.norm_inf(&y); // waits
            std::hint::black_box(e.value(end));
        }
        if round > 0 {
            seconds.push(begun.elapsed().as_secs_f64() / BATCH as f64);
        }
    }
    seconds.sort_by(f64::total_cmp);
    Ok(median(&seconds))
}
