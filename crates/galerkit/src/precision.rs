//! In which precision a system is solved: single, double, or both, the inner solve in single precision and everything
//! that decides about the answer in double ("hybrid", source 001).

use crate::choice::{Device, unknown};
use crate::error::{Error, Result};
use crate::matrix::MatrixRef;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::gallery::GridMatrix;
use galerkit_linalg::parallel;
use galerkit_linalg::scalar::shown;
use galerkit_linalg::sparse::Csr;
use std::fmt;
use std::str::FromStr;

/// In which precision a system is solved. Left to the program it is hybrid where that pays, else double.
///
/// ```
/// use galerkit::{Choice, Precision};
///
/// assert_eq!("f32".parse::<Precision>()?, Precision::Single);
/// assert_eq!("auto".parse::<Choice<Precision>>()?, Choice::Auto);
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 24 bits of mantissa.
    Single,
    /// 53 bits of mantissa; a matrix that comes in single precision is solved in that.
    #[default]
    Double,
    /// Double outside, single in an inner solve.
    Hybrid,
}

impl Precision {
    /// The names; `double` is `f64` and `single` is `f32`.
    pub const NAMES: &str = "f64, f32, hybrid, double, single";
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Precision::Single => "single",
            Precision::Double => "double",
            Precision::Hybrid => "hybrid",
        })
    }
}

impl FromStr for Precision {
    type Err = galerkit_linalg::Error;
    fn from_str(name: &str) -> galerkit_linalg::Result<Self> {
        match name {
            "f32" | "single" => Ok(Precision::Single),
            "f64" | "double" => Ok(Precision::Double),
            "hybrid" => Ok(Precision::Hybrid),
            _ => Err(unknown("precision", name, Self::NAMES)),
        }
    }
}

/// Entries that one thread looks at.
const PART: usize = 1 << 16;

/// Whether numbers of this scalar have the 24 bits of single precision.
pub(crate) fn is_single<S: Scalar>() -> bool {
    S::eps() > 1e-10
}

/// An error if an entry of A overflows in single precision, or vanishes there.
pub(crate) fn require_range<S: Scalar>(A: &Csr<S>) -> Result<()> {
    // Without a branch for each, and so by SIMD.
    let misfits = |part: &[S]| part.iter().fold(false, |any, value| any | misfit(value));
    let part_of = |k: usize| &A.val()[k * PART..A.nnz().min((k + 1) * PART)];
    let found = parallel::values(A.nnz().div_ceil(PART), &|k| misfits(part_of(k)));
    let Some(part) = found.into_iter().position(|misfit| misfit) else { return Ok(()) };
    let Some(k) = (part * PART..A.nnz()).find(|&k| misfit(&A.val()[k])) else { return Ok(()) };
    let row = A.start().partition_point(|&start| start <= k as u64) - 1;
    let overflows = !A.val()[k].to_single().finite();
    Err(Error::BeyondSingle { row, col: A.col()[k] as usize, value: shown(A.val()[k]), overflows })
}

/// The same for values that a few points of a stencil may have.
pub(crate) fn require_values_in_range<S: Scalar>(A: MatrixRef<'_, S>) -> Result<()> {
    let fits = |grid: &GridMatrix<S>| grid.stencil().iter().all(|(_, value)| !misfit(value));
    if A.grid().is_some_and(fits) { Ok(()) } else { require_range(A.host()?) }
}

/// Whether a value overflows in single precision, or vanishes there.
fn misfit<S: Scalar>(value: &S) -> bool {
    let single = S::widen(value.to_single());
    !single.finite() || (single == S::zero() && *value != S::zero())
}

/// Where the operating system does not tell.
const USUAL_CACHE: usize = 32 << 20;

/// Bytes of the last cache before memory; none for the reference, whose speed is no concern.
pub(crate) fn cache(device: Device) -> Option<usize> {
    match device {
        Device::Cpu => Some(processor_cache().unwrap_or(USUAL_CACHE)),
        Device::Cuda(number) => Some(Gpu::open(number).ok()?.properties().l2),
        Device::Reference => None,
    }
}

/// The largest cache of the first core, as Linux tells: `32768K`.
fn processor_cache() -> Option<usize> {
    let folder = std::fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?;
    let size = |path: std::path::PathBuf| -> Option<usize> {
        let text = std::fs::read_to_string(path.join("size")).ok()?;
        text.trim().strip_suffix('K')?.parse::<usize>().ok().map(|kilobytes| kilobytes << 10)
    };
    folder.flatten().filter_map(|entry| size(entry.path())).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::c64;

    #[test]
    fn names_and_their_older_forms() {
        let read = |name: &str| name.parse::<Precision>().unwrap();
        assert_eq!(["f32", "f64", "hybrid"].map(read), ["single", "double", "hybrid"].map(read));
        for precision in [Precision::Single, Precision::Double, Precision::Hybrid] {
            assert_eq!(read(&precision.to_string()), precision);
        }
        assert!("half".parse::<Precision>().unwrap_err().to_string().contains("hybrid"));
    }

    #[test]
    fn what_overflows_or_vanishes_is_named() {
        let matrix = |value: f64| Csr::new(2, 2, vec![0, 1, 3], vec![0, 0, 1], vec![1.0, value, 1.0]).unwrap();
        for good in [1.0, -3e38, 1e-44, 0.0] {
            require_range(&matrix(good)).unwrap();
        }
        let error = require_range(&matrix(1e39)).unwrap_err().to_string();
        assert!(
            error.contains("(2, 1)") && error.contains("overflows") && error.contains("double precision"),
            "{error}"
        );
        let error = require_range(&matrix(1e-60)).unwrap_err().to_string();
        assert!(error.contains("vanishes"), "{error}");
        let complex = matrix(1.0).map_values(|value| c64::new(value, 1e39));
        assert!(require_range(&complex).is_err());
    }
}
