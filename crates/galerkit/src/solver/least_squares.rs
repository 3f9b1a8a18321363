//! Singular systems that are not too large for it: the least-squares solution of least norm, and the dimension of the
//! null space. A consistent system is solved so; of another the report says what no x can do better.

use super::direct::{Refined, concluded};
use super::elimination::{AFFORDABLE, Elimination};
use super::prepared::PreparedMatrix;
use super::{Solution, Solver};
use crate::choice::{Device, Method};
use crate::device::threads_used;
use crate::error::{Error, Result};
use crate::stages::{Stage, Stages};
use galerkit_direct::least_squares;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Outcome, norm, residual};
use std::time::Instant;

/// What may be spent on the null space of a system that is solved already.
pub(super) const IN_PASSING: f64 = 1e9;
/// What may be spent where there is no other answer.
pub(super) const AS_THE_ANSWER: f64 = AFFORDABLE;

impl Solver {
    /// A system with empty rows, where b must vanish, too; none where there are none, or too large a matrix.
    pub(super) fn solve_without_empty_rows<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
    ) -> Result<Option<Solution<S>>> {
        let A = prepared.A();
        if prepared.facts().empty_row(A.view())?.is_none() {
            return Ok(None);
        }
        let rows = A.view().host()?;
        let empty = |i: &usize| rows.row_length(*i) == 0;
        let alone: Vec<S> = (0..rows.rows()).filter(empty).map(|i| b[i]).collect();
        if norm(&alone) > self.threshold::<S>(norm(b)) {
            let row = (0..rows.rows()).filter(empty).find(|&i| b[i] != S::zero()).unwrap_or_default();
            return Err(Error::EmptyRow { row });
        }
        let mut solution = self.solve_singular(prepared, b, AS_THE_ANSWER)?;
        solution.iter_mut().for_each(|solution| solution.report.tried = solution.report.attempts());
        Ok(solution)
    }

    /// The least-squares solution of a system whose matrix is singular; none where it is not, or where finding out takes
    /// more than so many multiplications.
    pub(super) fn solve_singular<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        b: &[S],
        multiplications: f64,
    ) -> Result<Option<Solution<S>>> {
        let A = prepared.A();
        if !Elimination::looks_at(A.view().nnz()) {
            return Ok(None);
        }
        let (rows, is_self_adjoint) = (A.view().host()?, prepared.facts().is_nearly_self_adjoint(A.view()));
        let begun = Instant::now();
        let Some(found) = least_squares(rows, is_self_adjoint, b, multiplications)?.filter(|found| found.nullity > 0)
        else {
            return Ok(None);
        };
        let mut spent = Stages::default();
        spent.add(Stage::Factorisation, begun.elapsed().as_secs_f64());
        let norms = vec![norm(b), norm(&residual(rows, b, &found.x))];
        let mut solution = concluded(self, Method::Lu, (rows, b), Refined { x: found.x, norms }, (0.0, &spent));
        let report = &mut solution.report;
        let dimension = match found.is_complete {
            true => format!("{}", found.nullity),
            false => format!("{} or more", found.nullity),
        };
        (report.device_reason, report.threads) = ("lu runs on the CPU only".into(), threads_used(Device::Cpu));
        report.null_space = Some(found.nullity);
        report.reason_first(&format!(
            "singular, with a null space of dimension {dimension}; lu of a regular matrix nearby, refined, gives the \
             least-squares solution of least norm"
        ));
        if report.outcome == Outcome::Stagnated && found.is_complete {
            report.advice = Some(format!(
                "the matrix is singular, with a null space of dimension {dimension}, and b is not in its range: no x \
                 brings the relative residual below {:.1e}, and this x is the least-squares solution of least norm",
                report.true_residual
            ));
        }
        Ok(Some(solution))
    }
}
