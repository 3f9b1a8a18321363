//! The preconditioner as a user names it: `none`, `jacobi`, `block-jacobi:4`, `ssor:1.5`.

use super::{BlockDiagonal, Ssor, block_jacobi, diagonal, jacobi, ssor};
use crate::error::{Error, Result};
use crate::linear::Linear;
use crate::scalar::Scalar;
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
}

impl Preconditioner {
    /// The map M^-1 for conjugate gradients with A; none for the identity. Jacobi and SSOR refuse zero and, because
    /// CG needs a positive definite M, negative or non-real diagonal entries; methods for general A call
    /// [`jacobi`], which refuses only zero.
    pub fn build<S: Scalar>(&self, A: &Csr<S>) -> Result<Option<Linear<S>>> {
        match *self {
            Preconditioner::None => Ok(None),
            Preconditioner::Jacobi => {
                diagonal::require_positive(&diagonal::invertible(A, "Jacobi")?, "Jacobi")?;
                jacobi(A).map(Some)
            }
            Preconditioner::BlockJacobi { block } => {
                BlockDiagonal::from_csr(A, block).map(|M| Some(Linear::BlockDiagonal(M)))
            }
            Preconditioner::Ssor { omega } => Ssor::from_csr(A, omega).map(|M| Some(Linear::Ssor(M))),
        }
    }
}

impl fmt::Display for Preconditioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Preconditioner::None => f.write_str("none"),
            Preconditioner::Jacobi => f.write_str("jacobi"),
            Preconditioner::BlockJacobi { block } => write!(f, "block-jacobi:{block}"),
            Preconditioner::Ssor { omega } => write!(f, "ssor:{omega}"),
        }
    }
}

impl FromStr for Preconditioner {
    type Err = Error;

    /// Reads the name and, after a colon, its parameter; a missing parameter is 4 rows or omega = 1.
    fn from_str(text: &str) -> Result<Self> {
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
            _ => {
                let known = "none, jacobi, block-jacobi:ROWS, ssor:OMEGA".into();
                Err(Error::UnknownName { what: "preconditioner", name: text.into(), known })
            }
        }
    }
}
