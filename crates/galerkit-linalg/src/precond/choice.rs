//! The preconditioner as a user names it: `none`, `jacobi`, `block-jacobi:4`, `ssor:1.5`, `ilu0`, `ilu:2`, `ic0`,
//! `ilu0-blocks:8`, `ilu0-sweeps:3`, `chebyshev:4`.

use super::{BlockDiagonal, Chebyshev, Class, Factors, Prepared, Recipe, Ssor};
use super::{block_jacobi, blocks, chebyshev, diagonal, ilu, jacobi, ssor};
use crate::error::{Error, Result};
use crate::map::LinearMap;
use crate::multigrid::amg::{Amg, Built};
use crate::multigrid::recurrence;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
use std::fmt;
use std::str::FromStr;

/// Which preconditioner, as a value that can be chosen at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Preconditioner {
    /// The identity.
    #[default]
    None,
    /// The diagonal.
    Jacobi,
    /// Dense diagonal blocks.
    BlockJacobi {
        /// Rows of a block.
        block: usize,
    },
    /// Symmetric successive over-relaxation.
    Ssor {
        /// Relaxation, strictly between 0 and 2.
        omega: f64,
    },
    /// Incomplete LU.
    Ilu {
        /// Highest level of fill that is kept; 0 is the pattern of A.
        fill: usize,
    },
    /// Incomplete Cholesky on the pattern of A.
    Ic0 {
        /// The diagonal is multiplied by one plus this.
        shift: f64,
    },
    /// ILU(0) of diagonal blocks, each by itself; couplings between them are dropped.
    Ilu0Blocks {
        /// How many, of nearly equal size.
        blocks: usize,
    },
    /// ILU(0) with triangular solves by Jacobi sweeps.
    Ilu0Sweeps {
        /// Sweeps for each triangle.
        sweeps: usize,
    },
    /// ParILU: ILU(0) by fixed-point sweeps. Its older name `ilu0-fixed` is read too.
    ParIlu0 {
        /// Sweeps over all entries.
        sweeps: usize,
        /// Jacobi sweeps for each triangle; none: exact solves.
        solves: Option<usize>,
    },
    /// A cycle of algebraic multigrid.
    Amg(Amg),
    /// A polynomial in L^-1 A, L of the scaled l1 norms of rows.
    Chebyshev {
        /// Its degree: products with A.
        degree: usize,
    },
}

/// Beyond this an exact factorisation is cheaper.
const MOST_FILL: usize = 100;
/// Beyond this exact solves are cheaper.
const MOST_SWEEPS: usize = 100;

per_scalar! {
    fn prepare<S>(name: &Preconditioner, A: &Csr<S>, class: Class) -> Result<Prepared<S>> = Preconditioner::make;
    fn of_factors<S>(name: &Preconditioner, factors: Factors<S>, class: Class) -> Result<Prepared<S>> = Preconditioner::make_of;
}

impl Preconditioner {
    /// The names that can be read.
    pub const NAMES: &str = "none, jacobi, block-jacobi:ROWS, ssor:OMEGA, ilu0, ilu:FILL, ic0, ic0:SHIFT, ilu0-blocks:BLOCKS, ilu0-sweeps:SWEEPS, parilu0:SWEEPS, parilu0:SWEEPS:SOLVES, chebyshev:DEGREE, amg[:sa|classical|pairs][,KEY=VALUE...]";

    /// The host part: M^-1 for A, ready to be loaded into an engine. Everything that can be refused is refused here:
    /// entries to divide by that are zero, and for [`Class::PositiveDefinite`] diagonal entries or pivots that are not
    /// positive.
    pub fn prepare<S: Scalar>(&self, A: &Csr<S>, class: Class) -> Result<Prepared<S>> {
        prepare(self, A, class)
    }

    fn make<S: Scalar>(&self, A: &Csr<S>, class: Class) -> Result<Prepared<S>> {
        let positive = class == Class::PositiveDefinite;
        if let Some(recipe) = self.recipe() {
            return self.of_factors(recipe.factorise(A)?, class);
        }
        Ok(match *self {
            Preconditioner::None => Prepared::Identity,
            Preconditioner::Jacobi => {
                check_diagonal(A, positive, "Jacobi")?;
                Prepared::Map(Box::new(jacobi(A)?))
            }
            Preconditioner::BlockJacobi { block } => Prepared::Map(Box::new(BlockDiagonal::from_csr(A, block)?)),
            Preconditioner::Ssor { omega } => {
                check_diagonal(A, positive, "SSOR")?;
                Prepared::Map(Box::new(Ssor::from_csr(A, omega)?))
            }
            Preconditioner::Chebyshev { degree } => {
                check_diagonal(A, positive, "Chebyshev")?;
                Prepared::Chebyshev(Chebyshev::from_csr(A, degree)?)
            }
            Preconditioner::Amg(amg) => Prepared::Amg(Box::new(Built::new(A, positive, &amg, &[])?)),
            Preconditioner::Ilu { .. }
            | Preconditioner::Ic0 { .. }
            | Preconditioner::Ilu0Blocks { .. }
            | Preconditioner::Ilu0Sweeps { .. }
            | Preconditioner::ParIlu0 { .. } => unreachable!("these have a recipe"),
        })
    }

    /// The incomplete factorisation that it is made of, if it is made of one.
    pub fn recipe(&self) -> Option<Recipe> {
        match *self {
            Preconditioner::Ilu { fill } => Some(Recipe::Ilu { fill }),
            Preconditioner::Ilu0Blocks { blocks } => Some(Recipe::Ilu0Blocks { blocks }),
            Preconditioner::Ilu0Sweeps { .. } => Some(Recipe::Ilu { fill: 0 }),
            Preconditioner::Ic0 { shift } => Some(Recipe::Ic { shift }),
            Preconditioner::ParIlu0 { sweeps, .. } => Some(Recipe::FixedPoint { sweeps }),
            _ => None,
        }
    }

    /// The rest of [`prepare`](Self::prepare) for factors by its recipe, whoever has computed them.
    pub fn of_factors<S: Scalar>(&self, factors: Factors<S>, class: Class) -> Result<Prepared<S>> {
        of_factors(self, factors, class)
    }

    fn make_of<S: Scalar>(&self, factors: Factors<S>, class: Class) -> Result<Prepared<S>> {
        let exact = Prepared::Map(Box::new(checked(factors, class == Class::PositiveDefinite)?));
        Ok(match self.sweeps() {
            Some(sweeps) => exact.swept(sweeps),
            None => exact,
        })
    }

    /// Jacobi sweeps in place of each triangular solve, if its name says so.
    pub fn sweeps(&self) -> Option<usize> {
        match *self {
            Preconditioner::Ilu0Sweeps { sweeps } => Some(sweeps),
            Preconditioner::ParIlu0 { solves, .. } => solves,
            _ => None,
        }
    }

    /// Whether applying it is two exact triangular solves on the pattern of A, whose speed on a GPU depends on the
    /// order of the rows. Blocks are not among them: they are ranges of rows, and colour by colour no coupling stays
    /// inside one.
    pub fn solves_triangles(&self) -> bool {
        match *self {
            Preconditioner::Ssor { .. } | Preconditioner::Ic0 { .. } => true,
            Preconditioner::Ilu { fill } => fill == 0,
            Preconditioner::ParIlu0 { solves, .. } => solves.is_none(),
            _ => false,
        }
    }

    /// Whether it is another preconditioner for the same matrix in another order of its rows and columns.
    pub fn depends_on_order(&self) -> bool {
        let is_pointwise = matches!(self, Preconditioner::None | Preconditioner::Jacobi);
        !is_pointwise && !matches!(self, Preconditioner::Chebyshev { .. })
    }

    /// Whether it is another operator in each application, which only flexible methods accept.
    pub fn varies(&self) -> bool {
        matches!(self, Preconditioner::Amg(amg) if amg.varies())
    }

    /// The map M^-1 for conjugate gradients with A; none for the identity. Refuses what [`prepare`](Self::prepare)
    /// refuses for [`Class::PositiveDefinite`], and the preconditioners that are no single map.
    pub fn build<S: Scalar>(&self, A: &Csr<S>) -> Result<Option<Box<dyn LinearMap<S>>>> {
        match self.prepare(A, Class::PositiveDefinite)? {
            Prepared::Identity => Ok(None),
            Prepared::Map(M) => Ok(Some(M)),
            Prepared::Sweeps(_) | Prepared::Chebyshev(_) | Prepared::Amg(_) => Err(Error::InvalidParameter {
                name: "preconditioner",
                value: self.to_string(),
                expected: "a single map is needed; prepare this one and load it into an engine",
            }),
        }
    }
}

fn check_diagonal<S: Scalar>(A: &Csr<S>, positive: bool, preconditioner: &'static str) -> Result<()> {
    let diagonal = diagonal::invertible(A, preconditioner)?;
    if positive { diagonal::require_positive(&diagonal, preconditioner) } else { Ok(()) }
}

/// The factors, if their pivots are positive or need not be. For Hermitian A, U = D L^H and L U has the signs of D; the
/// imaginary parts of complex pivots are rounding.
fn checked<S: Scalar>(factors: Factors<S>, positive: bool) -> Result<Factors<S>> {
    let tolerance = S::eps().sqrt();
    let fits = |value: &S| value.parts().0 > 0.0 && value.parts().1.abs() <= tolerance * value.parts().0;
    match factors.inverse().iter().position(|value| positive && !fits(value)) {
        Some(row) => {
            let pivot = S::one() / factors.inverse()[row];
            Err(Error::NotPositivePivot { row, value: crate::scalar::shown(pivot) })
        }
        None => Ok(factors),
    }
}

impl fmt::Display for Preconditioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Preconditioner::None => f.write_str("none"),
            Preconditioner::Jacobi => f.write_str("jacobi"),
            Preconditioner::BlockJacobi { block } => write!(f, "block-jacobi:{block}"),
            Preconditioner::Ssor { omega } => write!(f, "ssor:{omega}"),
            Preconditioner::Ilu { fill: 0 } => f.write_str("ilu0"),
            Preconditioner::Ilu { fill } => write!(f, "ilu:{fill}"),
            Preconditioner::Ic0 { shift: 0.0 } => f.write_str("ic0"),
            Preconditioner::Ic0 { shift } => write!(f, "ic0:{shift}"),
            Preconditioner::Ilu0Blocks { blocks } => write!(f, "ilu0-blocks:{blocks}"),
            Preconditioner::Ilu0Sweeps { sweeps } => write!(f, "ilu0-sweeps:{sweeps}"),
            Preconditioner::ParIlu0 { sweeps, solves: None } => write!(f, "parilu0:{sweeps}"),
            Preconditioner::ParIlu0 { sweeps, solves: Some(solves) } => write!(f, "parilu0:{sweeps}:{solves}"),
            Preconditioner::Chebyshev { degree } => write!(f, "chebyshev:{degree}"),
            Preconditioner::Amg(amg) => amg.fmt(f),
        }
    }
}

impl FromStr for Preconditioner {
    type Err = Error;

    /// Reads the name and, after a colon, its parameter; a missing one is 4 rows, omega = 1, no shift,
    /// 3 Jacobi sweeps, 5 fixed-point sweeps with exact solves, or degree 4.
    fn from_str(text: &str) -> Result<Self> {
        if text.starts_with("amg") {
            return Ok(Preconditioner::Amg(text.parse()?));
        }
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        match (name, parameter) {
            ("none", None) => Ok(Preconditioner::None),
            ("jacobi", None) => Ok(Preconditioner::Jacobi),
            ("block-jacobi", parameter) => {
                let value = parameter.unwrap_or("4");
                let block = value.parse().map_err(|_| block_jacobi::invalid_block(value))?;
                block_jacobi::check_block(block)?;
                Ok(Preconditioner::BlockJacobi { block })
            }
            ("ssor", parameter) => {
                let value = parameter.unwrap_or("1");
                let omega = value.parse().map_err(|_| ssor::invalid_omega(value))?;
                ssor::check_omega(omega)?;
                Ok(Preconditioner::Ssor { omega })
            }
            ("ilu0", None) => Ok(Preconditioner::Ilu { fill: 0 }),
            ("ilu", Some(value)) => Ok(Preconditioner::Ilu { fill: count("fill", value, MOST_FILL, FILL)? }),
            ("ic0", parameter) => {
                let value = parameter.unwrap_or("0");
                let shift = value.parse().map_err(|_| ilu::invalid_shift(value))?;
                ilu::check_shift(shift)?;
                Ok(Preconditioner::Ic0 { shift })
            }
            ("ilu0-blocks", Some(value)) => {
                let blocks = value.parse().map_err(|_| blocks::invalid_blocks(value))?;
                blocks::check_blocks(blocks)?;
                Ok(Preconditioner::Ilu0Blocks { blocks })
            }
            ("ilu0-sweeps", parameter) => {
                let sweeps = count("sweeps", parameter.unwrap_or("3"), MOST_SWEEPS, SWEEPS)?;
                Ok(Preconditioner::Ilu0Sweeps { sweeps })
            }
            ("parilu0" | "ilu0-fixed", parameter) => {
                let (sweeps, solves) = match parameter.unwrap_or("5").split_once(':') {
                    Some((sweeps, solves)) => (sweeps, Some(count("sweeps", solves, MOST_SWEEPS, SWEEPS)?)),
                    None => (parameter.unwrap_or("5"), None),
                };
                let sweeps = count("sweeps", sweeps, MOST_SWEEPS, FIXED_SWEEPS)?;
                Ok(Preconditioner::ParIlu0 { sweeps, solves })
            }
            ("chebyshev", parameter) => {
                let value = parameter.unwrap_or("4");
                let degree = value.parse().map_err(|_| recurrence::invalid_degree(value))?;
                chebyshev::check_degree(degree)?;
                Ok(Preconditioner::Chebyshev { degree })
            }
            _ => {
                let known = Self::NAMES.into();
                Err(Error::UnknownName { what: "preconditioner", name: text.into(), known })
            }
        }
    }
}

const FILL: &str = "levels of fill are 0 to 100";
const FIXED_SWEEPS: &str = "the entries are swept 0 to 100 times";
const SWEEPS: &str = "each triangle is swept 0 to 100 times";

fn count(name: &'static str, text: &str, most: usize, expected: &'static str) -> Result<usize> {
    let refuse = || Error::InvalidParameter { name, value: text.into(), expected };
    text.parse().ok().filter(|count| *count <= most).ok_or_else(refuse)
}
