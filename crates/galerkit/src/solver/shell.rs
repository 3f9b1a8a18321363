//! Where generic calls become those of one scalar. A program that calls a generic function compiles all below it once
//! more; what stands below [`Solver`] and [`System`](crate::System) is every method on every engine, which takes
//! minutes. So they call it through a table of functions for each of the four scalars, compiled here and nowhere else.

use super::computed::{Compute, rhs_on_the_host};
use super::input_order::ComputeRhs;
use super::many::MOST_COLUMNS;
use super::open_map::OpenPreconditioner;
use super::prepared::PreparedMatrix;
use super::prepared_map::PreparedMap;
use super::{Solution, Solver, Start, require_vector};
use crate::assembly::Assembly;
use crate::device::on_threads;
use crate::error::{Error, Result};
use crate::report::Report;
use galerkit_direct::Transposition;
use galerkit_linalg::engine::Counters;
use galerkit_linalg::error::check_length;
use galerkit_linalg::{Error as LinalgError, Scalar, per_scalar};
use std::sync::Arc;

/// What is done with a prepared matrix; [`System`](crate::System) documents each.
pub(crate) trait Shell<S: Scalar>: Sync {
    fn solve(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
        start: Option<&[S]>,
    ) -> Result<Solution<S>> {
        prepared.fetch()?;
        solver.solve_in(prepared, b, start)
    }

    fn solve_map(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMap<S>,
        b: &[S],
        start: Option<&[S]>,
    ) -> Result<Solution<S>> {
        prepared.solve(solver, b, start)
    }

    fn update_map_with(&self, solver: &Solver, prepared: &mut PreparedMap<S>, compute: Compute<'_, S>) -> Result<()> {
        prepared.update_with(solver, compute)
    }

    fn assemble_map(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMap<S>,
        assembly: &mut Assembly<S>,
        inputs: &[&[S]],
    ) -> Result<()> {
        prepared.update_with(solver, &mut |e, entries| assembly.run(e, entries, inputs))
    }

    fn precondition_map_by(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMap<S>,
        M: Arc<dyn OpenPreconditioner<S>>,
    ) -> Result<()> {
        prepared.precondition_by(solver, M)
    }

    fn counters_of_map(&self, prepared: &PreparedMap<S>) -> Counters {
        prepared.counters()
    }

    fn reset_map(&self, prepared: &mut PreparedMap<S>) {
        prepared.reset();
    }

    fn solve_transposed(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMatrix<'_, S>,
        transposition: Transposition,
        b: &[S],
    ) -> Result<Solution<S>> {
        prepared.fetch()?;
        solver.solve_transposed_in(prepared, transposition, b)
    }

    /// No starts at all: from x = 0.
    fn solve_many(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMatrix<'_, S>,
        (bs, starts): (&[&[S]], &[&[S]]),
    ) -> Result<Vec<Solution<S>>> {
        bs.iter().try_for_each(|b| require_vector("a right-hand side", prepared.rows(), b))?;
        starts.iter().try_for_each(|start| require_vector("a start", prepared.rows(), start))?;
        prepared.fetch()?;
        let mut solutions = Vec::with_capacity(bs.len());
        let mut starts = starts.chunks(MOST_COLUMNS);
        for bs in bs.chunks(MOST_COLUMNS) {
            solutions.extend(solve_some(solver, prepared, bs, starts.next().unwrap_or_default())?);
        }
        Ok(solutions)
    }

    fn update(&self, prepared: &mut PreparedMatrix<'_, S>, values: &[S]) -> Result<()> {
        check_length("the new values (as many as the matrix has entries)", prepared.nnz(), values.len())?;
        if let Some(k) = values.iter().position(|value| !value.finite()) {
            let A = prepared.A();
            let A = A.view().host()?;
            let row = A.start().partition_point(|&start| start <= k as u64);
            let place = format!("row {row}, column {}", A.col()[k] as usize + 1);
            let value = values[k].to_string();
            return Err(Error::Linalg(LinalgError::NonFinite { what: "the new values", value, place }));
        }
        prepared.update(values, |_, method, A| method.update(A))
    }

    fn update_with(&self, prepared: &mut PreparedMatrix<'_, S>, compute: Compute<'_, S>) -> Result<()> {
        match prepared.compute(compute)? {
            None => Ok(()),
            Some(values) => self.update(prepared, &values),
        }
    }

    fn assemble(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        assembly: &mut Assembly<S>,
        inputs: &[&[S]],
    ) -> Result<()> {
        self.update_with(prepared, &mut |e, entries| assembly.run(e, entries, inputs))
    }

    fn fetch(&self, prepared: &mut PreparedMatrix<'_, S>) -> Result<()> {
        prepared.fetch()
    }

    fn write_rhs(&self, solver: &Solver, prepared: &mut PreparedMatrix<'_, S>, b: &[S]) -> Result<()> {
        require_vector("the right-hand side", prepared.rows(), b)?;
        if prepared.methods().next().is_none() {
            Solver { iterates: true, ..solver.clone() }.solve_in(prepared, b, None)?;
        }
        prepared.methods().last().map_or(Err(Error::NotIterative), |method| method.write_rhs(b))
    }

    fn write_rhs_with(
        &self,
        solver: &Solver,
        prepared: &mut PreparedMatrix<'_, S>,
        compute: ComputeRhs<'_, S>,
    ) -> Result<()> {
        let by_host = match prepared.methods().last() {
            Some(method) => method.write_rhs_with(compute)?,
            None => Some(rhs_on_the_host(prepared.rows(), compute)),
        };
        by_host.map_or(Ok(()), |b| self.write_rhs(solver, prepared, &b))
    }

    fn solve_in_place(&self, solver: &Solver, prepared: &mut PreparedMatrix<'_, S>, start: Start) -> Result<Report> {
        prepared.methods().last().map_or(Err(Error::NotIterative), |method| method.solve_in_place(solver, start))
    }

    fn solution(&self, prepared: &mut PreparedMatrix<'_, S>) -> Result<Vec<S>> {
        prepared.methods().last().map_or(Err(Error::NotIterative), |method| method.solution())
    }

    fn repeat_update(&self, prepared: &mut PreparedMatrix<'_, S>) -> bool {
        prepared.methods().last().is_some_and(|method| method.repeat_update())
    }

    fn counters(&self, prepared: &mut PreparedMatrix<'_, S>) -> Counters {
        let mut all = Counters::default();
        let rounded = prepared.rounded().map(|rounded| Shell::<S::Single>::counters(&Table, rounded));
        for one in prepared.methods().map(|method| method.counters()).chain(rounded) {
            all.programs += one.programs;
            all.hashed += one.hashed;
            all.compiled += one.compiled;
            all.allocations += one.allocations;
            all.vectors += one.vectors;
            all.maps += one.maps;
            all.codes += one.codes;
        }
        all
    }
}

/// At most as many right-hand sides as share a pass.
fn solve_some<S: Scalar>(
    solver: &Solver,
    prepared: &mut PreparedMatrix<'_, S>,
    bs: &[&[S]],
    starts: &[&[S]],
) -> Result<Vec<Solution<S>>> {
    if bs.len() > 1 && prepared.methods().next().is_none() {
        solver.solve_in(prepared, bs[0], starts.first().copied())?; // decides on the method
    }
    let together = match bs.len() {
        0 | 1 => None,
        _ => on_threads(solver.threads, || prepared.solve_together(solver, bs, starts))?,
    };
    let mut alone = |column: usize| solver.solve_in(prepared, bs[column], starts.get(column).copied());
    let Some(solutions) = together else { return (0..bs.len()).map(alone).collect() };
    let met = |(column, solution): (usize, Solution<S>)| match solution.report.converged {
        true => Ok(solution),
        false => alone(column),
    };
    solutions.into_iter().enumerate().map(met).collect()
}

struct Table;

impl<S: Scalar> Shell<S> for Table {}

fn table<S: Scalar>() -> &'static dyn Shell<S> {
    &Table
}

per_scalar! {
    /// The table of a scalar.
    pub(crate) fn shell<S>() -> &'static dyn Shell<S> = table;
}
