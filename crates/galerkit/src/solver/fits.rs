//! Whether what was asked for by name fits the memory of the host, found out before anything is allocated: what does
//! not would be ended by the operating system, without a word.

use crate::choice::Method;
use crate::error::{Error, Result};
use galerkit_direct::Fill;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::sparse::{Csr, memory};

/// What needs less is not asked about.
const LITTLE: f64 = 64e6;
/// Factors with the fronts that are being eliminated, or with what a factorisation rearranges.
const BESIDE_FACTORS: f64 = 1.25;
/// Where the count is a bound, real factors are at least so much of it.
const LEAST_OF_BOUND: f64 = 0.1;
/// Short recurrences keep fewer vectors than that.
const MANY: usize = 12;

/// An error where the factors of a method do not fit. The pattern is looked at only where it might be so.
pub(super) fn require_factors<S: Scalar>(method: Method, A: &Csr<S>) -> Result<()> {
    let (scalar, rows) = (if S::KIND.is_complex() { 16.0 } else { 8.0 }, A.rows() as f64);
    let full = rows * rows * scalar;
    match method {
        Method::Dense => require(
            || "dense elimination with its factors".into(),
            2.0 * full,
            "choose lu, cholesky, or leave the method to the program",
        ),
        Method::Krylov(_) => Ok(()),
        Method::Lu | Method::Cholesky if full <= LITTLE || fits(full * BESIDE_FACTORS).is_ok() => Ok(()),
        Method::Lu | Method::Cholesky => {
            let is_cholesky = method == Method::Cholesky;
            let Some(fill) = (if is_cholesky { Fill::of_cholesky(A) } else { Fill::of_lu(A) }) else { return Ok(()) };
            let share = if fill.is_bound { LEAST_OF_BOUND } else { 1.0 };
            let instead = match is_cholesky {
                true => "choose cg with amg, or leave the method to the program",
                false => "choose gmres or bicgstab with ilu0, or leave the method to the program",
            };
            require(|| format!("{method} with its factors"), BESIDE_FACTORS * share * fill.entries * scalar, instead)
        }
    }
}

/// An error where the vectors of a method do not fit, beside so many others.
pub(super) fn require_vectors<S: Scalar>(method: Krylov, rows: usize, beside: usize) -> Result<()> {
    let needed = ((method.vectors() + beside) * rows * size_of::<S>()) as f64;
    let instead = match method.vectors() > MANY {
        true => "choose fewer directions, or a short recurrence such as bicgstab, or cg where that suits",
        false => "choose single precision, or a machine with more memory",
    };
    require(|| format!("{method} with its vectors"), needed, instead)
}

fn require(what: impl FnOnce() -> String, needed: f64, instead: &'static str) -> Result<()> {
    fits(needed).map_err(|free| Error::TooMuchMemory { what: what(), needed: needed as usize, free, instead })
}

/// The bytes that are free where these do not fit.
fn fits(needed: f64) -> std::result::Result<(), usize> {
    let free = if needed > LITTLE { memory::available() } else { None };
    match free {
        Some(free) if needed > free as f64 => Err(usize::try_from(free).unwrap_or(usize::MAX)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d};

    #[test]
    fn what_fits_is_not_refused_and_what_does_not_is_named() {
        let A = poisson2d(30, Stencil::Points5).unwrap();
        for method in [Method::Dense, Method::Lu, Method::Cholesky] {
            require_factors(method, &A).unwrap();
        }
        let diagonal = Csr::<f64>::identity(3_000_000); // 144 TB as a dense matrix, 24 MB as factors
        let said = require_factors(Method::Dense, &diagonal).unwrap_err().to_string();
        assert!(said.contains("dense elimination") && said.contains("free: choose lu"), "{said}");
        require_factors(Method::Cholesky, &diagonal).unwrap();
        require_vectors::<f64>(Krylov::Gmres { restart: 200 }, 1000, 4).unwrap();
        let said = require_vectors::<f64>(Krylov::Gmres { restart: 200 }, 1 << 40, 4).unwrap_err().to_string();
        assert!(said.contains("gmres:200 with its vectors") && said.contains("fewer directions"), "{said}");
    }
}
