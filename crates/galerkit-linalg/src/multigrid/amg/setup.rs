//! The set-up: level after level, until few rows are left. Every stage is a function from plain arrays to plain arrays,
//! so that a device may stand in for any of them, or bring all [`Levels`] by itself.

use super::aggregate::{Aggregates, aggregate};
use super::check::{check_lambda, check_matrix, check_vectors};
use super::choices::{Interpolation, Kind, Reuse, Scaling};
use super::direct::direct;
use super::extended::extended;
use super::filter::{filter, kept};
use super::galerkin::{galerkin, rest};
use super::inverse::inverse;
use super::lambda::{bound, bounds, divisors};
use super::levels::{Coarsening, Coarsest, Kept, Levels, Origin, Smoothing};
use super::nodes::{Nodes, block_norms, kept_blocks, smoothed_nodes};
use super::norms::{norms, norms_with, smoother_weights};
use super::pairs::pairs;
use super::pmis::{dependence, pmis};
use super::restrict::{Class, Stay, restrict};
use super::settings::Amg;
use super::smooth::{Step, smooth};
use super::strength::{coupling, strength};
use super::tentative::{dead, tentative};
use super::vectors::{at_usual_scale, tentative_of, unit_vectors};
use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::pieces::Pieces;
use crate::sparse::{Csr, Symmetry, symmetry};
use std::borrow::Cow;
use std::time::Instant;

/// A level that has more than this part of its rows as aggregates is the last: coarsening stagnates.
const STAGNATION: f64 = 0.8;

per_scalar! {
    fn set_up<S>(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Levels<S>> = Levels::made;
}

impl<S: Scalar> Levels<S> {
    /// Sets up for A. `asks_hermitian`: the method demands a Hermitian preconditioner. Near-null vectors are of the
    /// finest level; none is the constant.
    pub fn new(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        set_up(A, asks_hermitian, amg, near_null)
    }

    fn made(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        A.require_finite()?;
        let class = class_of(A, asks_hermitian);
        let mut diagonal = check_matrix(A, class)?;
        check_vectors(A.rows(), amg, near_null)?;
        check_lambda(class, amg)?;
        let near_null: &[Vec<S>] = &near_null.iter().map(|b| at_usual_scale(b)).collect::<Vec<_>>();
        let (mut levels, mut own): (Vec<Coarsening<S>>, Option<Csr<S>>) = (Vec::new(), None);
        let mut nodes = nodes_of(A.rows(), amg, near_null);
        while levels.len() + 1 < amg.levels {
            let level = own.as_ref().unwrap_or(A);
            let b = if levels.is_empty() { near_null.first().map(|b| &b[..]) } else { None };
            let is_large = level.rows() > amg.coarse;
            let next = if is_large { coarsen((level, &diagonal), class, amg, (b, nodes.as_mut()))? } else { None };
            let Some((made, coarse)) = next else { break };
            levels.push(Coarsening { A: own.take(), ..made });
            diagonal = coarse.diagonal();
            own = Some(coarse);
        }
        let began = Instant::now();
        let last = own.as_ref().unwrap_or(A);
        let coarsest = match last.rows() <= amg.coarse {
            true => Coarsest::Inverse(inverse(last, class)),
            false => Coarsest::Smoother(smoother_weights(&diagonal, &bounds(last, &norms(last), amg.scaling()))),
        };
        let (size, seconds) = ((last.rows(), last.nnz()), began.elapsed().as_secs_f64());
        let (near_null, scaling) = (near_null.first().cloned(), amg.scaling());
        Ok(Self { levels, A: own, last: size, coarsest, class, near_null, scaling, seconds })
    }
}

fn class_of<S: Scalar>(A: &Csr<S>, asks_hermitian: bool) -> Class {
    if asks_hermitian {
        return Class::Hermitian;
    }
    match symmetry(A) {
        found if found.is_self_adjoint::<S>() => Class::Hermitian,
        Symmetry::Symmetric => Class::Symmetric,
        _ => Class::General,
    }
}

/// Nodes, where there are several rows or vectors of one.
fn nodes_of<S: Scalar>(rows: usize, amg: &Amg, near_null: &[Vec<S>]) -> Option<Nodes<S>> {
    let block = amg.block;
    let vectors = || if near_null.is_empty() { unit_vectors(rows, block) } else { near_null.to_vec() };
    (block > 1 || near_null.len() > 1).then(|| Nodes { block, vectors: vectors() })
}

/// Smoothed aggregation of nodes.
fn nodal<S: Scalar>(A: &Csr<S>, class: Class, amg: &Amg, nodes: &mut Nodes<S>) -> Result<Option<Transfer<S>>> {
    let norms_of_blocks = block_norms(A, nodes.block);
    let K = if class == Class::General { coupling(&norms_of_blocks) } else { norms_of_blocks.clone() };
    let known = norms(&K);
    let aggregates = aggregate(&K, &known, &strength(&K, &known, amg.theta), amg.second);
    let columns = aggregates.count * nodes.vectors.len();
    if stagnates(&aggregates) || columns as f64 > STAGNATION * A.rows() as f64 {
        return Ok(None);
    }
    let (T, vectors) = tentative_of(&aggregates, nodes.block, &nodes.vectors);
    let entries = kept_blocks(A, &norms_of_blocks, nodes.block, amg.theta_f);
    let mut stay = Smoothing { entries, adjoint: Vec::new() };
    let of_rows = norms(A);
    let lambda = bound(A, &of_rows, amg.scaling());
    let (mut P, mut capped) = smoothed_nodes(A, nodes, &stay.entries, (&T, lambda));
    let mut R = match class {
        Class::Hermitian => P.conjugate_transpose(),
        Class::Symmetric | Class::General => {
            let adjoint = A.conjugate_transpose();
            stay.adjoint = kept_blocks(&adjoint, &block_norms(&adjoint, nodes.block), nodes.block, amg.theta_f);
            smoothed_nodes(&adjoint, nodes, &stay.adjoint, (&T, lambda)).0.conjugate_transpose()
        }
    };
    let (mut coarse, mut AP) = galerkin(class, &R, A, &P)?;
    let is_smoothed = coarse.nnz() <= A.nnz();
    if !is_smoothed {
        (P, R, capped) = (T.clone(), T.conjugate_transpose(), 0);
        (coarse, AP) = galerkin(class, &R, A, &P)?;
    }
    let rows = 0..coarse.rows();
    rest(&mut coarse, rows);
    let next = Nodes { block: vectors.len(), vectors };
    let before = std::mem::replace(nodes, next);
    let kept = keep(amg, AP, || Origin::Nodal(T, before, stay));
    let divisors = Some(divisors(&of_rows, lambda));
    Ok(Some(Transfer { aggregates, P, R, coarse, is_smoothed, capped, kept, divisors }))
}

/// What leads from a level to the next.
struct Transfer<S: Scalar> {
    aggregates: Aggregates,
    P: Csr<S>,
    R: Csr<S>,
    coarse: Csr<S>,
    is_smoothed: bool,
    capped: usize,
    kept: Option<Kept<S>>,
    /// What the smoother divides by, where it is known.
    divisors: Option<Vec<S::Real>>,
}

/// What a level becomes, whose diagonal is known, and the next matrix; none where coarsening stagnates.
fn coarsen<S: Scalar>(
    (A, diagonal): (&Csr<S>, &[S]),
    class: Class,
    amg: &Amg,
    (b, nodes): (Option<&[S]>, Option<&mut Nodes<S>>),
) -> Result<Option<(Coarsening<S>, Csr<S>)>> {
    let began = Instant::now();
    let made = match (amg.kind, nodes) {
        (Kind::Smoothed, Some(nodes)) => nodal(A, class, amg, nodes)?,
        (Kind::Smoothed, None) => smoothed(A, class, amg, (b, diagonal))?,
        (Kind::Classical, _) => classical(A, class, amg)?,
        (Kind::Pairs, _) => paired(A, class, amg, b)?,
    };
    let Some(Transfer { aggregates, P, R, coarse, is_smoothed, capped, kept, divisors }) = made else {
        return Ok(None);
    };
    let divisors = divisors.unwrap_or_else(|| bounds(A, &norms_with(A, diagonal), amg.scaling()));
    let weights = smoother_weights(diagonal, &divisors);
    let (nnz, seconds) = (A.nnz(), began.elapsed().as_secs_f64());
    Ok(Some((Coarsening { A: None, nnz, weights, aggregates, P, R, is_smoothed, capped, kept, seconds }, coarse)))
}

/// What other values will need, where it is to be kept.
fn keep<S: Scalar>(amg: &Amg, AP: Pieces<S>, origin: impl FnOnce() -> Origin<S>) -> Option<Kept<S>> {
    (amg.reuse == Reuse::Aggregates).then(|| Kept { origin: origin(), AP: AP.joined() })
}

/// Whether there are no aggregates, or nearly as many as rows.
fn stagnates(aggregates: &Aggregates) -> bool {
    aggregates.count == 0 || aggregates.count as f64 > STAGNATION * aggregates.of.len() as f64
}

fn smoothed<S: Scalar>(
    A: &Csr<S>,
    class: Class,
    amg: &Amg,
    (b, diagonal): (Option<&[S]>, &[S]),
) -> Result<Option<Transfer<S>>> {
    let K = if class == Class::General { Cow::Owned(coupling(A)) } else { Cow::Borrowed(A) };
    let known = if class == Class::General { norms(&*K) } else { norms_with(A, diagonal) };
    let graph = strength(&*K, &known, amg.theta);
    let aggregates = aggregate(&*K, &known, &graph, amg.second);
    drop(graph);
    if stagnates(&aggregates) {
        return Ok(None);
    }
    let T = tentative(&aggregates, b);
    let filtered = filter(A, diagonal, b, kept(A, b, amg.theta_f));
    let (mut P, mut capped) = smooth(A, &filtered, &T, Step::default());
    let (mut R, adjoint) = restrict(class, A, (&P, &T), b, Stay::Fraction(amg.theta_f));
    let (mut coarse, mut AP) = galerkin(class, &R, A, &P)?;
    let is_smoothed = coarse.nnz() <= A.nnz();
    if !is_smoothed {
        (P, R, capped) = (T.clone(), T.conjugate_transpose(), 0);
        (coarse, AP) = galerkin(class, &R, A, &P)?;
    }
    rest(&mut coarse, dead(&aggregates, b));
    let kept = keep(amg, AP, || Origin::Smoothed(Smoothing { entries: filtered.kept, adjoint }));
    let divisors = (class != Class::General && amg.scaling() == Scaling::RowNorms).then_some(known.l1);
    Ok(Some(Transfer { aggregates, P, R, coarse, is_smoothed, capped, kept, divisors }))
}

fn classical<S: Scalar>(A: &Csr<S>, class: Class, amg: &Amg) -> Result<Option<Transfer<S>>> {
    let depends = dependence(A, amg.theta);
    let aggregates = pmis(&depends);
    if stagnates(&aggregates) {
        return Ok(None);
    }
    let P = match amg.interpolation {
        Interpolation::Extended => extended(A, &depends, &aggregates, None),
        Interpolation::Direct => direct(A, &depends, &aggregates),
    };
    let R = P.conjugate_transpose();
    let (coarse, AP) = galerkin(class, &R, A, &P)?;
    let kept = keep(amg, AP, || Origin::Points(depends, amg.interpolation));
    Ok(Some(Transfer { aggregates, P, R, coarse, is_smoothed: true, capped: 0, kept, divisors: None }))
}

fn paired<S: Scalar>(A: &Csr<S>, class: Class, amg: &Amg, b: Option<&[S]>) -> Result<Option<Transfer<S>>> {
    let aggregates = pairs(A, class, b)?;
    if stagnates(&aggregates) {
        return Ok(None);
    }
    let P = tentative(&aggregates, b);
    let R = P.conjugate_transpose();
    let (mut coarse, AP) = galerkin(class, &R, A, &P)?;
    rest(&mut coarse, dead(&aggregates, b));
    let kept = keep(amg, AP, || Origin::Fixed);
    Ok(Some(Transfer { aggregates, P, R, coarse, is_smoothed: false, capped: 0, kept, divisors: None }))
}
