//! The inner solve of an strategy: its matrix and preconditioner on the host, the operator that they become in an
//! engine, and what it has to tell at the end.

use super::machine::Engine as Recorded;
use super::standing::Standing;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::family::method_properties;
use crate::inner::InnerSolve;
use crate::layout::{Layout, Stored};
use crate::preconditioning::{Chosen, release};
use crate::report::InnerReport;
use crate::report::traffic::InnerBytes as Bytes;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident, SlotRegister};
use galerkit_linalg::krylov::{Inner, Krylov, Stop, inner_stop, run_inner_any};
use galerkit_linalg::map::{matrix_map, single_map};
use galerkit_linalg::precond::{Preconditioner, Prepared, load_any};
use galerkit_linalg::program::{MapId, Precision, Program, Vector};
use galerkit_linalg::sparse::{Format, Matrix};

/// Solves whose counts are listed.
const LISTED: usize = 16;
/// One inner solve may take this part of all inner iterations.
const SOLVES: usize = 4;
/// The last solve of several aims at this part of the outer tolerance.
const AIM: f64 = 0.7;

/// An inner solve in host memory.
pub(super) struct PreparedInner<S: Scalar> {
    pub(super) choice: InnerSolve,
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
    loaded: Loaded<S>,
}

/// What is loaded for it and stays, because new values go there: the matrix in single precision, and its
/// preconditioner.
struct Loaded<S: Scalar> {
    matrix: Option<Resident<Recorded<S>>>,
    standing: Option<Standing<S>>,
}

/// What is loaded for it.
enum Maps<S: Scalar> {
    /// The preconditioner; the matrix is that of the system.
    Same(Prepared<S>),
    /// The matrix in single precision, and the preconditioner, which is rounded when it is loaded; bytes of the latter
    /// then, and of an iteration.
    Single(Rounded<S>, Prepared<S>, (usize, Bytes)),
}

/// A matrix in single precision; it goes where it is loaded.
struct Rounded<S: Scalar> {
    matrix: Option<Box<Matrix<S::Single>>>,
    bytes: usize,
    format: Format,
}

/// What is done with an inner solve that is loaded.
pub(super) type Work<'a, S> = &'a mut dyn FnMut(&mut Recorded<S>, &Inner<'_, Recorded<S>>, Counted);

/// Where what the inner solves do is counted, and all else that there is to tell of them.
pub(super) struct Counted {
    count: SlotRegister,
    solves: SlotRegister,
    discarded: SlotRegister,
    latest: Vec<SlotRegister>,
    /// But for what is counted.
    report: InnerReport,
    /// Products with A in an inner iteration.
    products: usize,
    /// The matrix of the inner solve.
    matrix: MapId,
    bytes: [Bytes; 2],
    /// Whether the last solve ends when the outer tolerance is met.
    pub(super) aims: bool,
}

impl Counted {
    /// What the inner solves have done; `program` is the loop around them.
    pub(super) fn report<S: Scalar>(&self, e: &mut Recorded<S>, program: &Program) -> InnerReport {
        let [iteration_bytes, full_iteration_bytes] = self.bytes.map(|bytes| bytes.iteration(program, self.matrix));
        let mut read = |register: SlotRegister| e.read(register) as usize;
        let (iterations, solves) = (read(self.count), read(self.solves));
        let known = solves.min(self.latest.len());
        InnerReport {
            solves,
            iterations,
            products: iterations * self.products,
            discarded: read(self.discarded),
            per_solve: self.latest[..known].iter().rev().map(|&register| read(register)).collect(),
            iteration_bytes,
            full_iteration_bytes,
            ..self.report.clone()
        }
    }
}

impl<S: Scalar> PreparedInner<S> {
    /// Takes the preconditioner that was chosen for it and, in hybrid precision, rounds what the inner solve needs;
    /// none if there is no inner solve. Where a method became the inner one half of the iterations that are allowed are
    /// for it: the others are for double precision, if it fails.
    pub(super) fn prepare(
        strategy: &Strategy,
        layout: &Layout<'_, S>,
        chosen: Chosen<S>,
        allowed: usize,
    ) -> Result<Option<Self>> {
        let Some(choice) = strategy.inner else { return Ok(None) };
        let full = Bytes::new::<S>(layout.stored.bytes(), &chosen.prepared, layout.stored.rows());
        let (name, reason) = (chosen.name, chosen.reason);
        let (mut limit, budget) = (choice.limit_for(layout.stored.rows()), allowed.div_ceil(2));
        let maps = match strategy.inner_in_single {
            false => Maps::Same(chosen.prepared),
            true => {
                if strategy.aims {
                    limit = limit.min(budget.div_ceil(SOLVES));
                }
                let refuse = || Error::PreconditionerBeyondSingle { preconditioner: name.to_string() };
                let (A, M) = (in_single(layout)?, chosen.prepared.rounded().ok_or_else(refuse)?);
                let bytes = (M.map_bytes().iter().sum(), Bytes::new::<S::Single>(A.bytes(), &M, A.rows()));
                let rounded = Rounded { bytes: A.bytes(), format: A.format(), matrix: Some(Box::new(A)) };
                Maps::Single(rounded, chosen.prepared, bytes)
            }
        };
        let loaded = Loaded { matrix: None, standing: None };
        Ok(Some(Self { choice, name, reason, maps, limit, budget, aims: strategy.aims, full, loaded }))
    }

    /// Bytes of everything that is kept for it, with an outer method that speaks it so many times.
    pub(super) fn bytes(&self, vector: usize, outer: Krylov) -> usize {
        let is_single = size_of::<S>() == size_of::<S::Single>() || matches!(self.maps, Maps::Single(..));
        let method = if is_single { self.choice.method.in_single() } else { self.choice.method };
        let vectors = Self::spoken(outer) * method.vectors() + 4;
        match &self.maps {
            Maps::Same(M) => M.map_bytes().iter().sum::<usize>() + (M.vectors() + vectors) * vector,
            Maps::Single(A, M, (maps, _)) => A.bytes + maps + (M.vectors() + vectors) * vector / 2 + vector,
        }
    }

    /// How often a recording engine speaks the inner solve, each time with vectors of its own.
    fn spoken(outer: Krylov) -> usize {
        match outer {
            Krylov::Gcr { restart } | Krylov::Fgmres { restart } => restart,
            _ => 1,
        }
    }

    /// Whether the last solve ends when the outer tolerance is met.
    pub(super) fn aims(&self) -> bool {
        self.aims
    }

    /// Loads what stays, for the system's A.
    pub(super) fn load(&mut self, e: &mut Recorded<S>, A: &Resident<Recorded<S>>) {
        self.loaded = match &mut self.maps {
            Maps::Same(M) => Loaded { matrix: None, standing: Standing::load(e, A, M, Precision::Full) },
            Maps::Single(rounded, M, _) => {
                let matrix = rounded.matrix.take().map(|matrix| e.load(single_map(matrix_map(*matrix))));
                let standing = matrix.as_ref().and_then(|matrix| Standing::load(e, matrix, M, Precision::Single));
                Loaded { matrix, standing }
            }
        };
        let (Maps::Same(M) | Maps::Single(_, M, _)) = &mut self.maps;
        release(M);
    }

    /// The matrix in single precision, if there is one, and its format.
    pub(super) fn single_matrix(&mut self) -> Option<(&mut Resident<Recorded<S>>, Format)> {
        let Maps::Single(rounded, ..) = &self.maps else { return None };
        Some((self.loaded.matrix.as_mut()?, rounded.format))
    }

    /// The preconditioner, on the host and where it stays in the engine.
    pub(super) fn preconditioner(&mut self) -> (&mut Prepared<S>, Option<&mut Standing<S>>) {
        let (Maps::Same(M) | Maps::Single(_, M, _)) = &mut self.maps;
        (M, self.loaded.standing.as_mut())
    }

    /// Loads what the inner solve needs and hands it over as a preconditioner, with where it counts.
    pub(super) fn with(
        &self,
        e: &mut Recorded<S>,
        (outer, stop): (Krylov, &Stop),
        A: &Resident<Recorded<S>>,
        b: &Held<Vector>,
        work: Work<'_, S>,
    ) {
        let Self { choice, limit, .. } = self;
        let (precision, M, bytes) = match &self.maps {
            Maps::Same(M) => (Precision::Full, M, self.full),
            Maps::Single(_, M, (_, bytes)) => (Precision::Single, M, *bytes),
        };
        let inner_A = self.loaded.matrix.as_ref().unwrap_or(A);
        let standing = self.loaded.standing.as_ref();
        let spoken = if standing.is_none() { Some(load_any(M.clone(), e, inner_A, precision)) } else { None };
        let inner_M: &dyn Operator<Recorded<S>> = match (standing, &spoken) {
            (Some(standing), _) => standing,
            (None, Some(spoken)) => &**spoken,
            (None, None) => unreachable!("one of the two is there"),
        };
        let aim = if self.aims { aim(stop) } else { None };
        let inner_stop = Stop { atol: aim.map_or(0.0, |(_, atol)| atol), ..inner_stop(choice.rtol, *limit) };
        let solve = |e: &mut Recorded<S>, r: &Held<Vector>, z: &mut Held<Vector>| {
            run_inner_any(choice.method, e, inner_A, inner_M, r, z, &inner_stop)
        };
        let mut inner = Inner::new(e, b, precision, Box::new(solve));
        if precision == Precision::Single {
            inner = inner.giving_up();
        }
        if self.aims {
            inner = inner.within(self.budget);
        }
        if let Some((unit, _)) = aim {
            inner = inner.in_units_of(unit);
        }
        if Self::spoken(outer) == 1 {
            inner = inner.listing(e, LISTED);
        }
        if !matches!(outer, Krylov::Vpgcr { .. }) {
            inner = inner.guarded();
        }
        let matrix = MapId { id: inner_A.map.name().id, values: inner_A.values.name() };
        let counted = self.counted(&inner, precision, matrix, bytes);
        work(e, &inner, counted);
    }

    /// Where it counts, and what is known before it runs.
    fn counted(&self, inner: &Inner<'_, Recorded<S>>, precision: Precision, matrix: MapId, bytes: Bytes) -> Counted {
        let kind = if precision == Precision::Single { <S::Single as Scalar>::KIND } else { S::KIND };
        let is_single = kind == <S::Single as Scalar>::KIND;
        let method = if is_single { self.choice.method.in_single() } else { self.choice.method };
        let [&count, &solves, &discarded] = inner.counts();
        let report = InnerReport {
            method: self.choice.method,
            preconditioner: self.name,
            precision: kind,
            rtol: self.choice.rtol,
            limit: self.limit,
            solves: 0,
            iterations: 0,
            products: 0,
            discarded: 0,
            per_solve: Vec::new(),
            vectors: method.vectors() + 2,
            iteration_bytes: None,
            full_iteration_bytes: None,
        };
        let products = self.choice.krylov().map_or(1, |krylov| method_properties(krylov).products);
        let (bytes, latest) = ([bytes, self.full], inner.listed().to_vec());
        Counted { count, solves, discarded, latest, report, products, matrix, bytes, aims: self.aims }
    }
}

/// The unit of residuals in single precision, a power of two half way between their first norm and the outer tolerance,
/// and the tolerance in that unit; none where they are no numbers to work with.
pub(super) fn aim(stop: &Stop) -> Option<(f64, f64)> {
    let threshold = stop.threshold(0.0);
    let unit = (0.5 * (threshold.log2() + stop.reference_norm(0.0).log2())).round().exp2();
    let sane = unit.is_normal() && (1.0 / unit).is_normal() && stop.reference_norm(0.0) > threshold;
    sane.then_some((unit, AIM * threshold / unit))
}

/// The matrix of the iterations in single precision, in the same format.
fn in_single<S: Scalar>(layout: &Layout<'_, S>) -> Result<Matrix<S::Single>> {
    if let Stored::Host(A) = &layout.stored
        && let Matrix::Sell(A) = &**A
    {
        return Ok(Matrix::Sell(A.to_single())); // which sorts nothing across slices: what is stored where stays
    }
    let single = layout.ordered()?.map_values(S::to_single);
    let matrix = Matrix::from_csr(&single, layout.format.value)?;
    // Rows that are in order already stay where they are; should a format sort them anew, their order would be another.
    let moved =
        matrix.order().is_some_and(|order| order.old().iter().enumerate().any(|(new, &old)| new != old as usize));
    Ok(if moved { Matrix::from_csr(&single, Format::Csr)? } else { matrix })
}
