//! The same matrix in single precision, times a power of two, or after a matching, where a solve needs it so.

use super::super::matching::Matched;
use super::super::scaling::{power_of_matrix, times_power};
use super::PreparedMatrix;
use crate::error::Result;
use crate::matrix::Input;
use crate::precision::{is_single, require_range, require_values_in_range};
use crate::stages::Stage;
use galerkit_linalg::Scalar;

impl<S: Scalar> PreparedMatrix<'_, S> {
    /// New values for the matrix in single precision; it is forgotten where one of them does not fit, and the next
    /// solve says which.
    pub(super) fn update_rounded(&mut self) -> Result<()> {
        let Some(mut rounded) = self.rounded.take() else { return Ok(()) };
        let A = self.A();
        let A = A.view().host()?;
        if require_range(A).is_ok() {
            let values: Vec<S::Single> = A.val().iter().map(|value| value.to_single()).collect();
            (*rounded).get_mut().update(&values, |_, method, A| method.update(A))?;
            self.rounded = Some(rounded);
        }
        Ok(())
    }

    /// The matrix in single precision, rounded now if it was not; an error if an entry does not fit.
    pub(in crate::solver) fn round(&mut self) -> Result<&mut PreparedMatrix<'static, S::Single>> {
        if self.rounded.is_none() {
            require_values_in_range(self.A.view())?;
            self.rounded = Some(Box::new(match &*self.A {
                Input::Rows(A) => PreparedMatrix::owned(A.map_values(S::to_single)),
                Input::Problem(problem) => PreparedMatrix::problem(problem.grid.map_values(S::to_single)),
            }));
        }
        Ok(self.rounded().expect("rounded a line above"))
    }

    /// The matrix in single precision, if it was rounded.
    pub(in crate::solver) fn rounded(&mut self) -> Option<&mut PreparedMatrix<'static, S::Single>> {
        self.rounded.as_mut().map(|rounded| (**rounded).get_mut())
    }

    /// The matrix times a power of two, and that power, where its norm is out of range.
    pub(in crate::solver) fn scale(&mut self) -> Option<(i32, &mut PreparedMatrix<'static, S>)> {
        let find = || {
            let norm = self.stages.time(Stage::Checks, || self.facts.frobenius(self.A.view()));
            power_of_matrix(norm, is_single::<S>())
        };
        let power = (*self.power.get_or_init(find))?;
        if self.scaled.is_none() {
            let by = move |value| times_power(&[value], power)[0];
            self.scaled = Some(Box::new(match &*self.A {
                Input::Rows(A) => PreparedMatrix::owned(A.map_values(by)),
                Input::Problem(problem) => PreparedMatrix::problem(problem.grid.map_values(by)),
            }));
        }
        self.scaled.as_mut().map(|scaled| (power, (**scaled).get_mut()))
    }

    /// The matching that was made, if one was.
    pub(in crate::solver) fn matching(&self) -> Option<&Matched> {
        self.matched.as_ref().map(|(matched, _)| matched)
    }
    /// The same with the matrix that it has made.
    pub(in crate::solver) fn matched(&mut self) -> Option<(&Matched, &mut PreparedMatrix<'static, S>)> {
        self.matched.as_mut().map(|(matched, prepared)| (&*matched, (**prepared).get_mut()))
    }
    /// Keeps a matching and the matrix that it has made.
    pub(in crate::solver) fn keep_matched(&mut self, matched: Matched, prepared: PreparedMatrix<'static, S>) {
        self.matched = Some((matched, Box::new(prepared)));
    }
}
