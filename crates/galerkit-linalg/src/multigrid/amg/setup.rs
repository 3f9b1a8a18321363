//! The set-up: level after level, until few rows are left. Every stage is a function from plain arrays to plain arrays, so that a device
//! may stand in for any of them, or bring all [`Levels`] by itself.

use super::aggregate::aggregate;
use super::check::{check_matrix, check_vectors};
use super::filter::{filter, kept};
use super::galerkin::galerkin;
use super::inverse::inverse;
use super::levels::{Coarsening, Coarsest, Kept, Levels};
use super::norms::{norms, smoother_weights};
use super::restrict::{Class, Stay, restrict};
use super::settings::{Amg, Reuse};
use super::smooth::smooth;
use super::strength::{coupling, strength};
use super::tentative::tentative;
use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, Symmetry, symmetry};
use std::borrow::Cow;
use std::time::Instant;

/// A level that has more than this part of its rows as aggregates is the last: coarsening stagnates.
const STAGNATION: f64 = 0.8;

per_scalar! {
    fn set_up<S>(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Levels<S>> = Levels::made;
}

impl<S: Scalar> Levels<S> {
    /// Sets up for A. `asks_hermitian`: the method demands a Hermitian preconditioner. Near-null vectors are of the finest level; none is
    /// the constant.
    pub fn new(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        set_up(A, asks_hermitian, amg, near_null)
    }

    fn made(A: &Csr<S>, asks_hermitian: bool, amg: &Amg, near_null: &[Vec<S>]) -> Result<Self> {
        A.require_finite()?;
        let class = class_of(A, asks_hermitian);
        check_matrix(A, class)?;
        check_vectors(A.rows(), amg, near_null)?;
        let (mut levels, mut own): (Vec<Coarsening<S>>, Option<Csr<S>>) = (Vec::new(), None);
        while levels.len() + 1 < amg.levels {
            let level = own.as_ref().unwrap_or(A);
            let b = if levels.is_empty() { near_null.first().map(|b| &b[..]) } else { None };
            let is_large = level.rows() > amg.coarse;
            let next = if is_large { coarsen(level, class, amg, b)? } else { None };
            let Some((made, coarse)) = next else { break };
            levels.push(Coarsening { A: own.take(), ..made });
            own = Some(coarse);
        }
        let began = Instant::now();
        let last = own.as_ref().unwrap_or(A);
        let coarsest = match last.rows() <= amg.coarse {
            true => Coarsest::Inverse(inverse(last, class)),
            false => Coarsest::Smoother(smoother_weights(last, &norms(last).l1)),
        };
        let (size, seconds) = ((last.rows(), last.nnz()), began.elapsed().as_secs_f64());
        let near_null = near_null.first().cloned();
        Ok(Self { levels, A: own, last: size, coarsest, class, near_null, seconds })
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

/// What a level becomes, and the next matrix; none where coarsening stagnates.
fn coarsen<S: Scalar>(A: &Csr<S>, class: Class, amg: &Amg, b: Option<&[S]>) -> Result<Option<(Coarsening<S>, Csr<S>)>> {
    let began = Instant::now();
    let K = if class == Class::General { Cow::Owned(coupling(A)) } else { Cow::Borrowed(A) };
    let known = norms(&*K);
    let graph = strength(&*K, &known, amg.theta);
    let aggregates = aggregate(&*K, &known, &graph, amg.second);
    drop(graph);
    if aggregates.count == 0 || aggregates.count as f64 > STAGNATION * A.rows() as f64 {
        return Ok(None);
    }
    let l1 = if class == Class::General { norms(A).l1 } else { known.l1 };
    let weights = smoother_weights(A, &l1);
    let T = tentative(&aggregates, b);
    let entries = kept(A, b, amg.theta_f);
    let filtered = filter(A, b, entries);
    let (mut P, mut capped) = smooth(A, &filtered, &T);
    let (mut R, adjoint) = restrict(class, A, (&P, &T), b, Stay::Fraction(amg.theta_f));
    let (mut coarse, mut AP) = galerkin(class, &R, A, &P)?;
    let is_smoothed = coarse.nnz() <= A.nnz();
    if !is_smoothed {
        (P, R, capped) = (T.clone(), T.conjugate_transpose(), 0);
        (coarse, AP) = galerkin(class, &R, A, &P)?;
    }
    let kept = (amg.reuse == Reuse::Aggregates).then(|| Kept { entries: filtered.kept, adjoint, AP });
    let (nnz, seconds) = (A.nnz(), began.elapsed().as_secs_f64());
    Ok(Some((Coarsening { A: None, nnz, weights, aggregates, P, R, is_smoothed, capped, kept, seconds }, coarse)))
}
