//! Solves with the transpose or the adjoint: by elimination, whose factors serve all three.

use super::brought_back::brought_back;
use super::prepared::PreparedMatrix;
use super::{Solution, Solver, require_vector, scaling, selection};
use crate::choice::{Choice, Device, Method};
use crate::device::{on_threads, threads_used};
use crate::error::{Error, Result};
use crate::precision::{Precision, is_single};
use galerkit_direct::Transposition;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{norm, residual};

impl Solver {
    /// Solves A^T x = b or A^H x = b with what was prepared.
    pub(crate) fn solve_transposed_in<S: Scalar>(
        &self,
        prepared: &mut PreparedMatrix<'_, S>,
        transposition: Transposition,
        b: &[S],
    ) -> Result<Solution<S>> {
        prepared.check(self)?;
        require_vector("the right-hand side", prepared.rows(), b)?;
        let (method, reason) = self.eliminating(prepared.factorised())?;
        match self.precision {
            Choice::Given(Precision::Hybrid) => return Err(Error::NoIterations { method: method.to_string() }),
            Choice::Given(Precision::Single) if !is_single::<S>() => {
                let A = prepared.A();
                let A = transposition.of(A.view().host()?);
                return self.solve_rounded(PreparedMatrix::new(&*A).round()?, &A, (b, None));
            }
            _ => (),
        }
        prepared.check_method(method, |known| selection::require_suitable(known, method))?;
        let power = scaling::power(b, is_single::<S>()).unwrap_or(0);
        let scaled = Self { atol: self.atol * 2f64.powi(power), ..self.clone() };
        let b = scaling::times_power(b, power);
        let eliminate = || prepared.eliminate(&scaled, (method, transposition), &b);
        let Solution { x, mut report } = on_threads(self.threads, eliminate)?;
        report.spend(&prepared.take_stages());
        report.rhs_norm /= 2f64.powi(power);
        report.reason_first(reason);
        report.tried = report.attempts();
        (report.rtol, report.atol) = (self.rtol_for::<S>(), self.atol);
        let why = format!("{method} runs on the CPU only");
        (report.device, report.device_reason, report.threads) = (Device::Cpu, why, threads_used(Device::Cpu));
        let A = prepared.A();
        let residual_of = |x: &[S]| {
            let rows = A.view().host().ok()?;
            Some(selection::relative(norm(&residual(&transposition.of(rows), &b, x)), norm(&b)))
        };
        Ok(brought_back(&x, power, report, &residual_of))
    }

    /// The elimination that was asked for; where the method is left to the program the one whose factors are there, or
    /// LU.
    fn eliminating(&self, factorised: Option<Method>) -> Result<(Method, &'static str)> {
        match self.method {
            Choice::Given(Method::Krylov(krylov)) => Err(Error::NoFactorsToTranspose { method: krylov.to_string() }),
            Choice::Given(method) => Ok((method, "asked for")),
            Choice::Auto => Ok((factorised.unwrap_or(Method::Lu), "solves with the transpose need factors")),
        }
    }
}
