//! New values that are computed where a prepared method runs: the host's copy of the matrix is behind then, until
//! somebody on the host needs it.

use super::input_order::ComputeRhs;
use super::machine::Engine as Recorded;
use super::prepared::PreparedMatrix;
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, cpu_executor};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;

/// What computes the entries: an engine, and the vector that holds them.
pub(crate) type Compute<'a, S> = &'a mut dyn FnMut(&mut Recorded<S>, &mut Held<Vector>);

impl<S: Scalar> PreparedMatrix<'_, S> {
    /// Computes the entries where the last method runs. What comes back are values that could not stay there: they are
    /// to be given as if they came from the host.
    pub(crate) fn compute(&mut self, compute: Compute<'_, S>) -> Result<Option<Vec<S>>> {
        if self.methods().last().is_some_and(|method| method.refill.is_none()) {
            self.fetch()?; // a closure has panicked since
        }
        let A = self.A();
        let A = A.view().host()?;
        let Some(method) = self.methods().last() else { return Ok(Some(on_the_host(A, compute))) };
        let values = method.update_with(A, compute)?;
        if values.is_none() {
            self.forget_values();
            self.is_behind = true;
        }
        Ok(values)
    }

    /// Brings values that were computed elsewhere to the host, and from there to the other methods.
    pub(crate) fn fetch(&mut self) -> Result<()> {
        if !self.is_behind {
            return Ok(());
        }
        let A = self.A();
        let last = self.methods().count() - 1;
        let Some(method) = self.methods().last() else { return Ok(()) };
        let values = method.entries(A.view().host()?)?;
        drop(A);
        self.update(&values, |at, method, A| {
            if at < last {
                return method.update(A);
            }
            method.note_values(A);
            true
        })
    }
}

/// Where no method is prepared, threads of the host compute.
fn on_the_host<S: Scalar>(A: &Csr<S>, compute: Compute<'_, S>) -> Vec<S> {
    let mut e = Recorded::over(cpu_executor());
    let mut entries = e.upload(A.val());
    compute(&mut e, &mut entries);
    e.download(&entries)
}

/// The same for a right-hand side of so many rows.
pub(super) fn rhs_on_the_host<S: Scalar>(rows: usize, compute: ComputeRhs<'_, S>) -> Vec<S> {
    let mut e = Recorded::over(cpu_executor());
    let [mut b, x] = [(); 2].map(|()| e.zeros(rows, Precision::Full));
    compute(&mut e, &mut b, &x);
    e.download(&b)
}
