//! An inner solve as a preconditioner, by name: `inner:METHOD`, then options after commas.
//!
//! ```text
//! inner:jacobi                                   sweeps that stop by the residual (the default of vpgcr)
//! inner:increments,rtol=0.001                    sweeps that stop by the increment
//! inner:bicgstab,rtol=0.01,limit=50,precond=ssor:1.2
//! ```

use crate::choice::unknown;
use galerkit_linalg::krylov::{InnerMethod, Krylov};
use galerkit_linalg::precond::{Class, Preconditioner};
use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// An inner solve: its method, when it stops, and its own preconditioner.
///
/// ```
/// use galerkit::prelude::*;
/// use galerkit::InnerMethod;
///
/// let inner = InnerSolve { rtol: 0.01, ..InnerSolve::new(InnerMethod::Krylov(Krylov::Cg)) };
/// assert_eq!(inner.to_string(), "inner:cg,rtol=0.01");
/// assert_eq!(inner.limit_for(100), 2000);
/// let A = galerkit::load("gallery:poisson2d?n=20")?.into_real()?;
/// let solver = Solver::new().method(Krylov::FlexibleCg).preconditioner(inner);
/// assert!(solver.solve(&A, &vec![1.0; A.rows()])?.report.converged);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerSolve {
    /// The method.
    pub method: InnerMethod,
    /// Relative tolerance, between 0 and 1.
    pub rtol: f64,
    /// Most iterations of one inner solve; without it 10 n + 1000.
    pub limit: Option<usize>,
    /// Its preconditioner; without one the diagonal if that suits the method.
    pub preconditioner: Option<Preconditioner>,
}

/// Where none is given: of source 001's tolerances the one that takes the fewest sweeps in all.
const RTOL: f64 = 0.1;
const JACOBI: Option<Preconditioner> = Some(Preconditioner::Jacobi);

impl Default for InnerSolve {
    /// Jacobi sweeps.
    fn default() -> Self {
        Self { preconditioner: JACOBI, ..Self::new(InnerMethod::Richardson) }
    }
}

impl InnerSolve {
    /// The options.
    pub const OPTIONS: &str = "rtol, limit, precond";

    /// A method with the usual tolerance, limit and preconditioner.
    pub fn new(method: InnerMethod) -> Self {
        Self { method, rtol: RTOL, limit: None, preconditioner: None }
    }

    /// Most iterations of an inner solve with so many unknowns.
    pub fn limit_for(&self, rows: usize) -> usize {
        self.limit.unwrap_or(10 * rows + 1000)
    }

    /// The Krylov method, if it is one.
    pub(crate) fn krylov(&self) -> Option<Krylov> {
        match self.method {
            InnerMethod::Krylov(method) => Some(method),
            InnerMethod::Richardson | InnerMethod::Increments => None,
        }
    }

    /// What the method demands of its preconditioner.
    pub(crate) fn class(&self) -> Class {
        self.krylov().map_or(Class::General, Class::of)
    }

    fn is_jacobi(&self) -> bool {
        self.method == InnerMethod::Richardson && self.preconditioner == JACOBI
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let refuse = |name, expected| Error::InvalidParameter { name, value: value.into(), expected };
        match name {
            "rtol" => {
                let fits = |rtol: &f64| *rtol > 0.0 && *rtol < 1.0;
                let expected = "an inner solve stops at a fraction of its right-hand side, between 0 and 1";
                self.rtol = value.parse().ok().filter(fits).ok_or_else(|| refuse("rtol", expected))?;
            }
            "limit" => {
                let limit = value.parse().ok().filter(|limit| *limit > 0);
                self.limit = Some(limit.ok_or_else(|| refuse("limit", "an inner solve has 1 iteration or more"))?);
            }
            "precond" => self.preconditioner = Some(value.parse()?),
            _ => return Err(unknown("option of an inner solve", name, Self::OPTIONS)),
        }
        Ok(())
    }
}

impl FromStr for InnerSolve {
    type Err = Error;

    /// Reads what follows `inner:`.
    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let mut choice = Self::new(name.parse()?);
        if matches!(name, "jacobi" | "increments") {
            choice.preconditioner = JACOBI;
        }
        for part in parts {
            let (option, value) =
                part.split_once('=').ok_or_else(|| unknown("option of an inner solve", part, Self::OPTIONS))?;
            if (name, option) == ("jacobi", "precond") {
                let expected = "jacobi is the preconditioner already: choose inner:richardson,precond=NAME";
                return Err(Error::InvalidParameter { name: "precond", value: value.into(), expected });
            }
            choice.set(option, value)?;
        }
        Ok(choice)
    }
}

impl fmt::Display for InnerSolve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_jacobi() {
            true => f.write_str("inner:jacobi")?,
            false => write!(f, "inner:{}", self.method)?,
        }
        write!(f, ",rtol={}", self.rtol)?;
        if let Some(limit) = self.limit {
            write!(f, ",limit={limit}")?;
        }
        match self.preconditioner.filter(|_| !self.is_jacobi()) {
            Some(preconditioner) => write!(f, ",precond={preconditioner}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "jacobi,rtol=0.1",
            "increments,rtol=0.001,precond=jacobi",
            "bicgstab,rtol=0.01,limit=50,precond=ssor:1.2",
            "richardson,rtol=0.5,precond=none",
            "cg,rtol=0.1",
            "gcr:7,rtol=0.1,limit=3",
        ] {
            assert_eq!(text.parse::<InnerSolve>().unwrap().to_string(), format!("inner:{text}"));
        }
        assert_eq!("jacobi".parse::<InnerSolve>().unwrap(), InnerSolve::default());
        assert_eq!(InnerSolve::default().limit_for(2048), 21_480);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let said = |text: &str| text.parse::<InnerSolve>().unwrap_err().to_string();
        assert!(said("vpgcr:5").contains("choose gcr:M"), "{}", said("vpgcr:5"));
        assert!(said("jakobi").contains("increments"));
        assert!(said("cg,rtol=2").contains("between 0 and 1"));
        assert!(said("cg,limit=0").contains("1 iteration"));
        assert!(said("cg,tol=1").contains("rtol, limit, precond"));
        assert!(said("cg,0.1").contains("rtol, limit, precond"));
        assert!(said("jacobi,precond=ssor").contains("richardson"));
        assert!(said("cg,precond=inner").contains("known are"));
    }
}
