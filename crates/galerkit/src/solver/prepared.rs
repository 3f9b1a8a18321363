//! What was prepared for a matrix, kept between solves: methods with everything they need where they run, and factors.
//! A solve finds here what an earlier one has prepared in the same way, and adds what it prepares itself.

mod factors;
mod variants;

use super::elimination::{Elimination, Price};
use super::facts::Facts;
use super::iterative::Iterative;
use super::many::Many;
use super::matching::Matched;
use super::selection::Chosen;
use super::strategy::Strategy;
use super::{Solution, Solver};
use crate::choice::{Choice, Device, Method};
use crate::device::threads_used;
use crate::error::Result;
use crate::matrix::{Input, MatrixRef};
use crate::stages::{Stage, Stages};
use crate::triangular::TriangularSolve;
use crate::uploaded::{Uploaded, destination};
use galerkit_direct::Factor;
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::sparse::Csr;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

/// A matrix and what was prepared for it.
pub(crate) struct PreparedMatrix<'a, S: Scalar> {
    A: Arc<Input<'a, S>>,
    methods: Vec<(Key, Hidden<Iterative<S>>)>,
    /// The last of them for several right-hand sides at once.
    many: Option<Hidden<Many<S>>>,
    factors: Vec<Factorised<S>>,
    /// The same in single precision, where every number is to be rounded; such a system has no methods of its own.
    rounded: Option<Hidden<PreparedMatrix<'static, S::Single>>>,
    /// The same after a matching, for factorisations that it has not without.
    matched: Option<(Matched, Hidden<PreparedMatrix<'static, S>>)>,
    /// Times a power of two, where the norm of the matrix is out of range; such a system has no methods of its own.
    scaled: Option<Hidden<PreparedMatrix<'static, S>>>,
    /// That power, once it was looked for.
    power: OnceCell<Option<i32>>,
    /// What was found out about the values, which need not be looked at again before they change.
    facts: Facts,
    checked: bool,
    suitable: Vec<Method>,
    /// With elimination, and where iterations are wanted.
    chosen: [Option<Chosen>; 2],
    /// Of the pattern, whatever the values.
    elimination: Elimination,
    /// The matrix as it is on the GPU, from when it is looked at until a method has taken it.
    uploaded: Option<Uploaded<S>>,
    /// What the next report must account for.
    stages: Stages,
    /// Whether the last method has values that were computed where it runs, and A has not.
    pub(super) is_behind: bool,
}

/// Factors of the matrix.
struct Factorised<S> {
    method: Method,
    factor: Factor<S>,
    /// Whether they say that it is singular, once somebody has asked.
    is_nearly_singular: Option<bool>,
}

/// Something that whoever drops it need not know: a program that drops a system would compile engines for it, see
/// shell.rs.
pub(super) trait Opaque<T>: Send {
    fn get(&self) -> &T;
    fn get_mut(&mut self) -> &mut T;
}

impl<T: Send> Opaque<T> for T {
    fn get(&self) -> &T {
        self
    }
    fn get_mut(&mut self) -> &mut T {
        self
    }
}

pub(super) type Hidden<T> = Box<dyn Opaque<T>>;

/// What decides about a prepared method, beside what a solver does not change between solves.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    strategy: Strategy,
    triangular: Choice<TriangularSolve>,
    device: Device,
}

impl<'a, S: Scalar> PreparedMatrix<'a, S> {
    /// Nothing prepared yet.
    pub(crate) fn new(A: &'a Csr<S>) -> Self {
        Self::of(Input::Rows(Cow::Borrowed(A)))
    }
    /// The same, with a matrix of its own.
    pub(crate) fn owned(A: Csr<S>) -> Self {
        Self::of(Input::Rows(Cow::Owned(A)))
    }
    /// The same for a problem, whose rows are made where they are needed.
    pub(crate) fn problem(grid: GridMatrix<S>) -> Self {
        Self::of(Input::problem(grid))
    }
    fn of(A: Input<'a, S>) -> Self {
        let (methods, factors, suitable) = (Vec::new(), Vec::new(), Vec::new());
        let (many, rounded, matched, checked, is_behind) = (None, None, None, false, false);
        let (scaled, power) = (None, OnceCell::new());
        let (chosen, elimination) = ([None, None], Elimination::default());
        let (facts, uploaded, stages) = (Facts::default(), None, Stages::default());
        Self {
            A: Arc::new(A),
            methods,
            many,
            factors,
            rounded,
            matched,
            scaled,
            power,
            facts,
            checked,
            suitable,
            chosen,
            elimination,
            uploaded,
            stages,
            is_behind,
        }
    }

    /// The matrix; its values as the host last knew them, see [`fetch`](Self::fetch).
    pub(crate) fn A(&self) -> Arc<Input<'a, S>> {
        self.A.clone()
    }
    /// Its order.
    pub(crate) fn rows(&self) -> usize {
        self.A.view().rows()
    }
    /// Stored entries.
    pub(crate) fn nnz(&self) -> usize {
        self.A.view().nnz()
    }
    /// The rows of a problem on the host, where somebody needs them there.
    fn make_rows(&mut self) -> Result<()> {
        self.A.view().host_in(&mut self.stages).map(drop)
    }

    /// Checks the matrix, unless that was done: on the GPU where a solver will solve there.
    pub(super) fn check(&mut self, solver: &Solver) -> Result<()> {
        if !self.checked {
            let A = self.A();
            solver.check_settings(A.view())?;
            self.upload(solver);
            self.facts = self.stages.time(Stage::Checks, || match (A.view().grid(), &self.uploaded) {
                (Some(grid), _) => Facts::of_grid(grid),
                (None, Some(uploaded)) => uploaded.facts().map(Facts::of_gpu).unwrap_or_default(),
                (None, None) => Facts::default(),
            });
            self.stages.time(Stage::Checks, || self.facts.require_finite(A.view()))?;
            self.checked = true;
        }
        Ok(())
    }
    /// Brings the matrix to the GPU that a solver will solve on.
    fn upload(&mut self, solver: &Solver) {
        if self.uploaded.is_none()
            && let Some(device) = destination(solver.choice, self.nnz(), solver.device_setup)
        {
            self.uploaded = Uploaded::new(device, self.A.view(), &mut self.stages);
        }
    }
    /// What is known of its values.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }
    /// Whether a method suits the matrix, unless that is known.
    pub(super) fn check_method(
        &mut self,
        method: Method,
        check: impl FnOnce((MatrixRef<'_, S>, &Facts)) -> Result<()>,
    ) -> Result<()> {
        if !self.suitable.contains(&method) {
            self.stages.time(Stage::Checks, || check((self.A.view(), &self.facts)))?;
            self.suitable.push(method);
        }
        Ok(())
    }
    /// The method that suits the matrix, with elimination or where iterations are wanted; chosen once for its values.
    pub(super) fn choose(
        &mut self,
        iterations: bool,
        choose: impl FnOnce((MatrixRef<'_, S>, &Facts), Option<&Elimination>) -> Result<Chosen>,
    ) -> Result<Chosen> {
        let at = usize::from(iterations);
        if self.chosen[at].is_none() && !iterations && Elimination::looks_at(self.nnz()) {
            self.make_rows()?;
        }
        let known = &mut self.chosen[at];
        let chosen = match known.take() {
            Some(chosen) => chosen,
            None => {
                let elimination = Some(&self.elimination).filter(|_| !iterations);
                self.stages.time(Stage::Checks, || choose((self.A.view(), &self.facts), elimination))?
            }
        };
        Ok(known.insert(chosen).clone())
    }
    /// What a factorisation would cost.
    pub(super) fn price(&self, method: Method) -> Price {
        self.elimination.price(method, self.A.view())
    }

    /// Looks at the matrix; what it takes counts as a check.
    pub(super) fn looked_at<R>(&mut self, look: impl FnOnce() -> R) -> R {
        self.stages.time(Stage::Checks, look)
    }
    /// What was spent on checks since this was asked the last time.
    pub(super) fn take_stages(&mut self) -> Stages {
        std::mem::take(&mut self.stages)
    }

    /// Products with the matrix that multiply as often as a factorisation, where that is affordable.
    pub(super) fn products_of(&self, method: Method) -> Option<usize> {
        self.elimination.products(method, self.A.view())
    }

    /// Forgets everything that was prepared.
    pub(crate) fn clear(&mut self) {
        self.methods.clear();
        self.many = None;
        self.factors.clear();
        (self.rounded, self.matched, self.scaled) = (None, None, None);
        self.is_behind = false;
    }

    /// New values of the matrix; what was prepared is told by `tell`, or forgotten if that refuses.
    pub(crate) fn update(
        &mut self,
        values: &[S],
        mut tell: impl FnMut(usize, &mut Iterative<S>, &Csr<S>) -> bool,
    ) -> Result<()> {
        self.make_rows()?; // those of a problem, before anything is taken apart
        let nothing = Arc::new(Input::Rows(Cow::Owned(Csr::identity(0))));
        let A = Arc::try_unwrap(std::mem::replace(&mut self.A, nothing)).unwrap_or_else(|shared| (*shared).clone());
        self.A = Arc::new(A.with_values(values)?);
        self.forget_values();
        let (A, mut at) = (self.A(), 0..);
        let A = A.view().host()?;
        self.methods.retain_mut(|(_, method)| tell(at.next().unwrap_or(0), (**method).get_mut(), A));
        self.is_behind = false;
        self.update_rounded()
    }

    /// Values have changed, and whoever changed them has looked at them.
    pub(super) fn forget_values(&mut self) {
        self.factors.clear();
        (self.many, self.uploaded, self.matched, self.scaled) = (None, None, None, None);
        (self.facts, self.power) = (Facts::default(), OnceCell::new());
        (self.checked, self.chosen) = (true, [None, None]);
        self.suitable.clear();
    }

    /// Solves by a method as a strategy says.
    pub(super) fn solve(
        &mut self,
        solver: &Solver,
        strategy: &Strategy,
        b: &[S],
        start: Option<&[S]>,
    ) -> Result<Solution<S>> {
        self.method(solver, strategy)?.solve(solver, b, start)
    }

    /// A prepared method; prepared now if it was not.
    fn method(&mut self, solver: &Solver, strategy: &Strategy) -> Result<&mut Iterative<S>> {
        let (triangular, device) = (solver.triangular, solver.device);
        let key = Key { strategy: strategy.clone(), triangular, device };
        let at = match self.methods.iter().position(|(known, _)| *known == key) {
            Some(at) => at,
            None => {
                self.upload(&Solver { choice: solver.device.into(), ..solver.clone() });
                let uploaded = self.uploaded.take();
                let made = Iterative::prepare(solver, strategy, (self.A.view(), &self.facts), uploaded.as_ref())?;
                self.methods.push((key, Box::new(made)));
                self.methods.len() - 1
            }
        };
        Ok((*self.methods[at].1).get_mut())
    }

    /// Solves for several right-hand sides that share each pass over the matrix; none where the method of the last
    /// solve cannot.
    pub(crate) fn solve_together(
        &mut self,
        solver: &Solver,
        bs: &[&[S]],
        starts: &[&[S]],
    ) -> Result<Option<Vec<Solution<S>>>> {
        if self.methods.is_empty() {
            return Ok(None);
        }
        self.make_rows()?;
        let Some((key, one)) = self.methods.last() else { return Ok(None) };
        let one = (**one).get();
        if self.many.as_ref().is_none_or(|many| (**many).get().columns() != bs.len()) {
            self.many = None; // its memory may be needed
            self.many =
                Many::prepare(one, self.A.view().host()?, bs.len())?.map(|many| Box::new(many) as Hidden<Many<S>>);
        }
        let Some(many) = &mut self.many else { return Ok(None) };
        let mut solutions = (**many).get_mut().solve(solver, one, (bs, starts))?;
        for Solution { report, .. } in &mut solutions {
            (report.device, report.threads) = (key.device, threads_used(key.device));
            (report.rtol, report.atol) = (solver.rtol_for::<S>(), solver.atol);
            report.tried = report.attempts();
        }
        Ok(Some(solutions))
    }

    /// The prepared methods.
    pub(crate) fn methods(&mut self) -> impl Iterator<Item = &mut Iterative<S>> {
        self.methods.iter_mut().map(|(_, method)| (**method).get_mut())
    }
}
