//! The inner solve of an arrangement: its matrix and preconditioner on the host, the operator that they become in an
//! engine, and what it has to tell at the end.

use super::hybrid::Arrangement;
use crate::error::{Error, Result};
use crate::family::character;
use crate::inner::InnerChoice;
use crate::layout::Layout;
use crate::preconditioning::Chosen;
use crate::report::InnerReport;
use crate::report::traffic::Inside as Bytes;
use galerkit_linalg::engine::record::{MapId, Program};
use galerkit_linalg::engine::{Engine, Operator, Resident};
use galerkit_linalg::krylov::{Inner, Krylov, Stop, Verified, inner_stop, verified, vpgcr};
use galerkit_linalg::precond::{Preconditioner, Prepared};
use galerkit_linalg::sparse::{Format, Matrix};
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;
use std::time::Instant;

/// Solves whose counts are listed.
const LISTED: usize = 16;
/// One inner solve may take this part of all inner iterations.
const SOLVES: usize = 4;
/// The last solve of several aims at this part of the outer tolerance.
const AIM: f64 = 0.7;

/// An inner solve in host memory.
pub(super) struct Inside<S: Scalar> {
    pub(super) choice: InnerChoice,
    /// Its preconditioner.
    pub(super) name: Preconditioner,
    /// Why this one.
    pub(super) reason: String,
    maps: Maps<S>,
    limit: usize,
    /// The most inner iterations in all, where the method that was asked for is the inner one.
    budget: usize,
    /// Whether the last solve ends when the outer tolerance is met.
    aims: bool,
    /// Bytes in the precision of the matrix.
    full: Bytes,
}

/// What is loaded for it.
enum Maps<S: Scalar> {
    /// The preconditioner; the matrix is that of the system.
    Same(Prepared<S>),
    /// Matrix and preconditioner in single precision.
    Lower(Arc<Linear<S::Low>>, Prepared<S::Low>),
}

/// What came of a solve with an inner solve.
pub(super) struct Told {
    pub(super) verified: Verified,
    /// But for the bytes.
    report: InnerReport,
    /// Seconds that it took to load what the inner solve needs.
    pub(super) load_seconds: f64,
    /// The matrix of the inner solve.
    matrix: MapId,
    bytes: [Bytes; 2],
}

impl Told {
    /// With the bytes of an inner iteration, which the program of the loop shows.
    pub(super) fn report(self, program: &Program) -> InnerReport {
        let [iteration_bytes, full_iteration_bytes] = self.bytes.map(|bytes| bytes.iteration(program, self.matrix));
        InnerReport { iteration_bytes, full_iteration_bytes, ..self.report }
    }
}

impl<S: Scalar> Inside<S> {
    /// Takes the preconditioner that was chosen for it and, in hybrid precision, rounds what the inner solve needs; none if
    /// there is no inner solve.
    /// Where a method became the inner one half of the iterations that are allowed are for it: the others are for double
    /// precision, if it fails.
    pub(super) fn prepare(
        arrangement: &Arrangement,
        layout: &Layout<'_, S>,
        chosen: Chosen<S>,
        allowed: usize,
    ) -> Result<Option<Self>> {
        let Some(choice) = arrangement.inner else { return Ok(None) };
        let full = Bytes::new::<S>(layout.matrix.bytes(), &chosen.prepared, layout.matrix.rows());
        let (name, reason) = (chosen.name, chosen.reason);
        let (mut limit, budget) = (choice.limit_for(layout.matrix.rows()), allowed.div_ceil(2));
        let maps = match arrangement.lowered {
            false => Maps::Same(chosen.prepared),
            true => {
                if arrangement.aims {
                    limit = limit.min(budget.div_ceil(SOLVES));
                }
                let refuse = || Error::PreconditionerBeyondSingle { preconditioner: name.to_string() };
                Maps::Lower(Arc::new(Linear::Matrix(lower(layout)?)), chosen.prepared.rounded().ok_or_else(refuse)?)
            }
        };
        Ok(Some(Self { choice, name, reason, maps, limit, budget, aims: arrangement.aims, full }))
    }

    /// Bytes of everything that is kept for it, with an outer method that speaks it so many times.
    pub(super) fn bytes(&self, vector: usize, outer: Krylov) -> usize {
        let is_single = size_of::<S>() == size_of::<S::Low>() || matches!(self.maps, Maps::Lower(..));
        let method = if is_single { self.choice.method.in_single() } else { self.choice.method };
        let vectors = Self::spoken(outer) * method.vectors() + 4;
        match &self.maps {
            Maps::Same(M) => M.map_bytes().iter().sum::<usize>() + (M.vectors() + vectors) * vector,
            Maps::Lower(A, M) => {
                A.bytes() + M.map_bytes().iter().sum::<usize>() + (M.vectors() + vectors) * vector / 2 + vector
            }
        }
    }

    /// How often a recording engine speaks the inner solve, each time with vectors of its own.
    fn spoken(outer: Krylov) -> usize {
        match outer {
            Krylov::Gcr { restart } | Krylov::Fgmres { restart } => restart,
            _ => 1,
        }
    }

    /// Runs the outer method with the inner solve as its preconditioner.
    pub(super) fn run<E: Engine<Scalar = S, Map = MapId>>(
        self,
        e: &mut E,
        (outer, stop): (Krylov, &Stop),
        A: &Resident<E>,
        b: &E::Vector,
        x: &mut E::Vector,
    ) -> Told {
        let Self { choice, name, maps, limit, budget, aims, full, .. } = self;
        let loading = Instant::now();
        let mut bytes = full;
        let (low, M) = match maps {
            Maps::Same(M) => (None, Either::Same(M)),
            Maps::Lower(matrix, M) => {
                bytes = Bytes::new::<S::Low>(matrix.bytes(), &M, matrix.shape().0);
                (Some(Resident(e.load_lower(matrix))), Either::Lower(M))
            }
        };
        let inner_A = low.as_ref().unwrap_or(A);
        let inner_M = match M {
            Either::Same(M) => M.load(e, inner_A),
            Either::Lower(M) => M.load_lower(e, inner_A, b),
        };
        let load_seconds = loading.elapsed().as_secs_f64();
        let aim = if aims { aim(stop) } else { None };
        let inner_stop = Stop { atol: aim.map_or(0.0, |(_, atol)| atol), ..inner_stop(choice.rtol, limit) };
        let solve =
            |e: &mut E, r: &E::Vector, z: &mut E::Vector| choice.method.run(e, inner_A, &*inner_M, r, z, &inner_stop);
        let mut M = Inner::new(e, b, low.is_some(), Box::new(solve));
        if low.is_some() {
            M = M.giving_up();
        }
        if aims {
            M = M.within(budget);
        }
        if let Some((unit, _)) = aim {
            M = M.in_units_of(unit);
        }
        if Self::spoken(outer) == 1 {
            M = M.listing(e, LISTED);
        }
        if !matches!(outer, Krylov::Vpgcr { .. }) {
            M = M.guarded();
        }
        let verified = outside(e, outer, A, &M, (b, x), stop);
        let precision = if low.is_some() { <S::Low as Scalar>::KIND } else { S::KIND };
        let is_single = precision == <S::Low as Scalar>::KIND;
        let method = if is_single { choice.method.in_single() } else { choice.method };
        let iterations = M.iterations(e);
        let report = InnerReport {
            method: choice.method.to_string(),
            preconditioner: name.to_string(),
            precision: precision.name().into(),
            rtol: choice.rtol,
            limit,
            solves: M.solves(e),
            iterations,
            products: iterations * choice.krylov().map_or(1, |krylov| character(krylov).products),
            discarded: M.discarded(e),
            per_solve: M.latest(e),
            vectors: method.vectors() + 2,
            iteration_bytes: None,
            full_iteration_bytes: None,
        };
        Told { verified, report, load_seconds, matrix: inner_A.0, bytes: [bytes, full] }
    }
}

/// A preconditioner in one of two precisions.
enum Either<S: Scalar> {
    Same(Prepared<S>),
    Lower(Prepared<S::Low>),
}

/// The outer method, verified. VPGCR counts what it discards where the inner solve does.
fn outside<E: Engine>(
    e: &mut E,
    outer: Krylov,
    A: &Resident<E>,
    M: &Inner<'_, E>,
    (b, x): (&E::Vector, &mut E::Vector),
    stop: &Stop,
) -> Verified {
    let method =
        |e: &mut E, A: &dyn Operator<E>, inner: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop| {
            match outer {
                Krylov::Vpgcr { restart } => vpgcr(e, (restart, M.failures()), A, inner, b, x, stop),
                other => other.run(e, A, inner, b, x, stop),
            }
        };
    verified(e, &method, A, M, b, x, stop)
}

/// The unit of residuals in single precision, a power of two half way between their first norm and the outer tolerance,
/// and the tolerance in that unit; none where they are no numbers to work with.
fn aim(stop: &Stop) -> Option<(f64, f64)> {
    let threshold = stop.threshold(0.0);
    let unit = (0.5 * (threshold.log2() + stop.reference_norm(0.0).log2())).round().exp2();
    let sane = unit.is_normal() && (1.0 / unit).is_normal() && stop.reference_norm(0.0) > threshold;
    sane.then_some((unit, AIM * threshold / unit))
}

/// The matrix of the iterations in single precision, in the same format.
fn lower<S: Scalar>(layout: &Layout<'_, S>) -> Result<Matrix<S::Low>> {
    let low = layout.ordered.map_values(S::lower);
    let matrix = Matrix::from_csr(&low, layout.format.value)?;
    // Rows that are in order already stay where they are; should a format sort them anew, their order would be another.
    let moved =
        matrix.order().is_some_and(|order| order.old().iter().enumerate().any(|(new, &old)| new != old as usize));
    Ok(if moved { Matrix::from_csr(&low, Format::Csr)? } else { matrix })
}
