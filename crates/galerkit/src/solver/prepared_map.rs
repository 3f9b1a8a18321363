//! What was prepared for an operator that is a linear map, kept between solves: a method with everything it needs where
//! it runs.

use super::computed::Compute;
use super::iterative::Iterative;
use super::open_map::{OpenMap, OpenPreconditioner, Spectrum};
use super::prepared::Hidden;
use super::scaling::power;
use super::selection::DIRECTIONS;
use super::{Solution, Solver, require_vector};
use crate::choice::Choice;
use crate::device::{on_threads, threads_used};
use crate::error::Result;
use crate::precision::{Precision, is_single};
use crate::report::{Report, Storage};
use galerkit_linalg::engine::Counters;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Error as LinalgError, Scalar};
use std::sync::Arc;

const ENTRIES: &str = "the entries of a matrix";

/// An operator and what was prepared for it.
pub(crate) struct PreparedMap<S: Scalar> {
    map: OpenMap<S>,
    method: Option<Hidden<Iterative<S>>>,
}

impl<S: Scalar> PreparedMap<S> {
    /// Nothing prepared yet; an error if a solver asks for what such an operator cannot give.
    pub(crate) fn new(solver: &Solver, map: OpenMap<S>) -> Result<Self> {
        let (rows, cols) = map.map.shape();
        if rows != cols {
            return Err(LinalgError::NotSquare { rows, cols, operation: "a solve" }.into());
        }
        map.check_diagonal()?;
        let prepared = Self { map, method: None };
        solver.check_for_map(&prepared.map)?;
        Ok(prepared)
    }
    /// Its order.
    pub(crate) fn rows(&self) -> usize {
        self.map.rows()
    }
    /// What the engine of the method has done so far.
    pub(crate) fn counters(&self) -> Counters {
        self.method.as_ref().map_or(Counters::default(), |method| (**method).get().counters())
    }
    /// Drops what was prepared.
    pub(crate) fn reset(&mut self) {
        self.method = None;
    }

    /// Lets `compute` change the values of an operator that is a matrix, where they are; it is prepared first.
    pub(crate) fn update_with(&mut self, solver: &Solver, compute: Compute<'_, S>) -> Result<()> {
        if !matches!(self.map.map.known::<Matrix<S>>(), Some(Matrix::Csr(_))) {
            return Err(self.map.lacks("new values".into(), "compressed rows", "prepare it anew"));
        }
        let (krylov, _) = solver.method_for(&self.map)?;
        on_threads(solver.threads, || self.method(solver, krylov).map(drop))?;
        self.method(solver, krylov)?.compute_values(compute)
    }

    /// Takes another preconditioner that is brought along.
    pub(crate) fn precondition_by(&mut self, solver: &Solver, M: Arc<dyn OpenPreconditioner<S>>) -> Result<()> {
        if let Some(method) = &mut self.method {
            on_threads(solver.threads, || (**method).get_mut().precondition_by(&*M))?;
        }
        self.map.brought = Some(M);
        Ok(())
    }

    /// The method, prepared where the solver says.
    fn method(&mut self, solver: &Solver, krylov: Krylov) -> Result<&mut Iterative<S>> {
        if self.method.is_none() {
            let (device, _) = solver.choice.resolve_for_map(self.rows());
            let placed = Solver { device, ..solver.clone() };
            self.method = Some(Box::new(Iterative::of_map(&placed, krylov, &self.map)?));
        }
        Ok((**self.method.as_mut().expect("made a line above")).get_mut())
    }

    /// Solves from x = 0 or from a start.
    pub(crate) fn solve(&mut self, solver: &Solver, b: &[S], start: Option<&[S]>) -> Result<Solution<S>> {
        require_vector("the right-hand side", self.rows(), b)?;
        if self.rows() == 0 {
            let report = Report { format: Storage::MatrixFree, ..Report::without_unknowns::<S>() };
            return Ok(Solution { x: Vec::new(), report });
        }
        if let Some(power) = power(b, is_single::<S>()) {
            let solve = |solver: &Solver, b: &[S], start: Option<&[S]>| self.solve(solver, b, start);
            return solver.solve_scaled((b, start), power, solve, &|_, _| None);
        }
        on_threads(solver.threads, || self.solve_here(solver, b, start))
    }

    /// The same on the threads of the moment.
    fn solve_here(&mut self, solver: &Solver, b: &[S], start: Option<&[S]>) -> Result<Solution<S>> {
        let (krylov, why) = solver.method_for(&self.map)?;
        let (device, reason) = solver.choice.resolve_for_map(self.rows());
        let placed = Solver { device, ..solver.clone() };
        let mut solution = self.method(solver, krylov)?.solve(&placed, b, start)?;
        let report = &mut solution.report;
        report.reason_first(why);
        (report.device, report.device_reason, report.threads) = (device, reason, threads_used(device));
        (report.rtol, report.atol) = (solver.rtol_for::<S>(), solver.atol);
        report.tried = report.attempts();
        Ok(solution)
    }
}

impl Solver {
    /// What a solver can ask for that an operator without entries cannot give.
    fn check_for_map<S: Scalar>(&self, map: &OpenMap<S>) -> Result<()> {
        self.check_criteria::<S>()?;
        let alone = "leave it to the program, or assemble the matrix";
        if let Choice::Given(format) = self.format {
            return Err(map.lacks(format!("the format {format}"), ENTRIES, alone));
        }
        if let Choice::Given(ordering) = self.ordering {
            return Err(map.lacks(format!("the ordering {ordering}"), ENTRIES, alone));
        }
        if let Choice::Given(precision @ (Precision::Single | Precision::Hybrid)) = self.precision
            && !is_single::<S>()
        {
            let instead = "choose double precision, or assemble the matrix";
            return Err(map.lacks(format!("{precision} precision"), ENTRIES, instead));
        }
        self.method_for(map).map(drop)
    }

    /// The method for an operator, and why.
    fn method_for<S: Scalar>(&self, map: &OpenMap<S>) -> Result<(Krylov, &'static str)> {
        let krylov = match self.method {
            Choice::Auto => return Ok(usual(map.spectrum)),
            Choice::Given(method) => method.krylov(),
        };
        match krylov {
            Some(Krylov::Vpgcr { .. }) => {
                let instead = "choose the method fgmres or gcr, or assemble the matrix";
                Err(map.lacks("the inner solve of vpgcr".into(), ENTRIES, instead))
            }
            Some(krylov) => Ok((krylov, "asked for")),
            None => {
                let instead = "choose an iterative method such as cg, minres or gmres, or assemble the matrix";
                Err(map.lacks(self.method.to_string(), ENTRIES, instead))
            }
        }
    }
}

/// The method that suits what is known of an operator.
fn usual(spectrum: Spectrum) -> (Krylov, &'static str) {
    match spectrum {
        Spectrum::PositiveDefinite => (Krylov::Cg, "the operator is said to be positive definite"),
        Spectrum::Real => (Krylov::Minres, "the operator is said to be self-adjoint"),
        Spectrum::Unknown => {
            (Krylov::Gmres { restart: DIRECTIONS }, "nothing is known of the operator but its products")
        }
    }
}
