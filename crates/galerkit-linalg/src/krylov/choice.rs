//! The method as a user names it: `cg`, `bicgstab`, `gmres:30`, `idr:4`.

use super::{Run, Stop};
use super::{
    bicgstab, cg, compressed_gmres, fgmres, flexible_cg, gcr, gmres, idr, minres, orthodir, pipelined_cg, vpgcr,
};
use crate::engine::{Engine, Operator};
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Which Krylov method, as a value that can be chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Krylov {
    /// Conjugate gradients: Hermitian positive definite A and M.
    Cg,
    /// Conjugate gradients with a preconditioner that may change.
    FlexibleCg,
    /// Conjugate gradients with one reduction an iteration, beside the product.
    PipelinedCg,
    /// Minimal residuals: Hermitian A, positive definite M.
    Minres,
    /// Stabilised biconjugate gradients: any A.
    Bicgstab,
    /// Induced dimension reduction: any A.
    Idr {
        /// Dimension of the shadow space.
        s: usize,
    },
    /// Generalised conjugate residuals: any A with (r, A M r) not zero; M may change.
    Gcr {
        /// Directions kept.
        restart: usize,
    },
    /// Orthogonal directions: any A.
    Orthodir {
        /// Directions kept.
        restart: usize,
    },
    /// Generalised minimal residuals: any A.
    Gmres {
        /// Directions kept.
        restart: usize,
    },
    /// GMRES with its basis in single precision: any A.
    CompressedGmres {
        /// Directions kept.
        restart: usize,
    },
    /// GMRES with a preconditioner that may change.
    Fgmres {
        /// Directions kept.
        restart: usize,
    },
    /// GCR whose preconditioner is an inner solve, with a safeguard against one that fails.
    Vpgcr {
        /// Directions kept.
        restart: usize,
    },
}

/// Directions kept where none are given.
const RESTART: usize = 30;
/// Dimension of the shadow space where none is given.
const SHADOW: usize = 4;
/// More directions than this are refused: their programs would take longer to compile than any solve.
const MOST: usize = 200;

impl Krylov {
    /// The names, with their parameters.
    pub const NAMES: &str =
        "cg, fcg, pipecg, minres, bicgstab, idr:S, gcr:M, orthodir:M, gmres:M, cbgmres:M, fgmres:M, vpgcr:M";

    /// Every method with its usual parameter.
    pub const ALL: [Krylov; 12] = [
        Krylov::Cg,
        Krylov::FlexibleCg,
        Krylov::PipelinedCg,
        Krylov::Minres,
        Krylov::Bicgstab,
        Krylov::Idr { s: SHADOW },
        Krylov::Gcr { restart: RESTART },
        Krylov::Orthodir { restart: RESTART },
        Krylov::Gmres { restart: RESTART },
        Krylov::CompressedGmres { restart: RESTART },
        Krylov::Fgmres { restart: RESTART },
        Krylov::Vpgcr { restart: RESTART },
    ];

    /// Solves A x = b from x; M approximates the inverse of A.
    #[rustfmt::skip]
    pub fn run<E: Engine>(self, e: &mut E, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
        match self {
            Krylov::Cg => cg(e, A, M, b, x, stop),
            Krylov::FlexibleCg => flexible_cg(e, A, M, b, x, stop),
            Krylov::PipelinedCg => pipelined_cg(e, A, M, b, x, stop),
            Krylov::Minres => minres(e, A, M, b, x, stop),
            Krylov::Bicgstab => bicgstab(e, A, M, b, x, stop),
            Krylov::Idr { s } => idr(e, s, A, M, b, x, stop),
            Krylov::Gcr { restart } => gcr(e, restart, A, M, b, x, stop),
            Krylov::Orthodir { restart } => orthodir(e, restart, A, M, b, x, stop),
            Krylov::Gmres { restart } => gmres(e, restart, A, M, b, x, stop),
            Krylov::CompressedGmres { restart } => compressed_gmres(e, restart, A, M, b, x, stop),
            Krylov::Fgmres { restart } => fgmres(e, restart, A, M, b, x, stop),
            Krylov::Vpgcr { restart } => {
                let none = e.number(0.0);
                let failures = e.carry(none); // who wants to know them calls `vpgcr`
                vpgcr(e, (restart, &failures), A, M, b, x, stop)
            }
        }
    }

    /// The same method keeping so many directions, if it keeps any.
    pub fn with_restart(self, restart: usize) -> Self {
        match self {
            Krylov::Gcr { .. } => Krylov::Gcr { restart },
            Krylov::Orthodir { .. } => Krylov::Orthodir { restart },
            Krylov::Gmres { .. } => Krylov::Gmres { restart },
            Krylov::CompressedGmres { .. } => Krylov::CompressedGmres { restart },
            Krylov::Fgmres { .. } => Krylov::Fgmres { restart },
            Krylov::Vpgcr { .. } => Krylov::Vpgcr { restart },
            other => other,
        }
    }

    /// What the method is on vectors in single precision, where nothing is left to be compressed.
    pub fn in_single(self) -> Self {
        match self {
            Krylov::CompressedGmres { restart } => Krylov::Gmres { restart },
            other => other,
        }
    }

    /// Whether A and M must be Hermitian positive definite.
    pub fn needs_positive_definite(self) -> bool {
        matches!(self, Krylov::Cg | Krylov::FlexibleCg | Krylov::PipelinedCg)
    }

    /// Whether A must be Hermitian.
    pub fn needs_hermitian(self) -> bool {
        self.needs_positive_definite() || self == Krylov::Minres
    }

    /// Whether M may be another map in every iteration, as an inner solve is.
    pub fn is_flexible(self) -> bool {
        matches!(self, Krylov::FlexibleCg | Krylov::Gcr { .. } | Krylov::Fgmres { .. } | Krylov::Vpgcr { .. })
    }

    /// The method of the same kind whose M may change; itself if it is one.
    pub fn flexible(self) -> Self {
        match self {
            Krylov::Cg | Krylov::PipelinedCg => Krylov::FlexibleCg,
            Krylov::Gmres { restart } | Krylov::CompressedGmres { restart } => Krylov::Fgmres { restart },
            Krylov::Orthodir { restart } => Krylov::Gcr { restart },
            Krylov::Minres | Krylov::Bicgstab | Krylov::Idr { .. } => Krylov::Vpgcr { restart: RESTART },
            flexible => flexible,
        }
    }

    /// Vectors that the method keeps, beside b and x. Where it has some in single precision and works in double, two of
    /// them count as one; for work in single precision ask [`in_single`](Krylov::in_single).
    pub fn vectors(self) -> usize {
        match self {
            Krylov::Cg => 4,
            Krylov::FlexibleCg => 4,
            Krylov::PipelinedCg => 9,
            Krylov::Minres => 8,
            Krylov::Bicgstab => 6,
            Krylov::Idr { s } => 3 * s + 3,
            Krylov::Gcr { restart } | Krylov::Orthodir { restart } | Krylov::Fgmres { restart } => 2 * restart + 1,
            Krylov::Gmres { restart } => restart + 2,
            Krylov::CompressedGmres { restart } => restart.div_ceil(2) + 2,
            Krylov::Vpgcr { restart } => 2 * restart + 3,
        }
    }
}

impl fmt::Display for Krylov {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Krylov::Cg => f.write_str("cg"),
            Krylov::FlexibleCg => f.write_str("fcg"),
            Krylov::PipelinedCg => f.write_str("pipecg"),
            Krylov::Minres => f.write_str("minres"),
            Krylov::Bicgstab => f.write_str("bicgstab"),
            Krylov::Idr { s } => write!(f, "idr:{s}"),
            Krylov::Gcr { restart } => write!(f, "gcr:{restart}"),
            Krylov::Orthodir { restart } => write!(f, "orthodir:{restart}"),
            Krylov::Gmres { restart } => write!(f, "gmres:{restart}"),
            Krylov::CompressedGmres { restart } => write!(f, "cbgmres:{restart}"),
            Krylov::Fgmres { restart } => write!(f, "fgmres:{restart}"),
            Krylov::Vpgcr { restart } => write!(f, "vpgcr:{restart}"),
        }
    }
}

impl FromStr for Krylov {
    type Err = Error;

    /// Reads the name and, after a colon, its parameter; a missing one is 30 directions, or a shadow space of 4.
    fn from_str(text: &str) -> Result<Self> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let restart = || count("restart", parameter, RESTART, "1 to 200 directions can be kept");
        Ok(match (name, parameter) {
            ("cg", None) => Krylov::Cg,
            ("fcg", None) => Krylov::FlexibleCg,
            ("pipecg", None) => Krylov::PipelinedCg,
            ("minres", None) => Krylov::Minres,
            ("bicgstab", None) => Krylov::Bicgstab,
            ("idr", _) => Krylov::Idr { s: count("s", parameter, SHADOW, "a shadow space has 1 to 200 dimensions")? },
            ("gcr", _) => Krylov::Gcr { restart: restart()? },
            ("orthodir", _) => Krylov::Orthodir { restart: restart()? },
            ("gmres", _) => Krylov::Gmres { restart: restart()? },
            ("cbgmres", _) => Krylov::CompressedGmres { restart: restart()? },
            ("fgmres", _) => Krylov::Fgmres { restart: restart()? },
            ("vpgcr", _) => Krylov::Vpgcr { restart: restart()? },
            _ => return Err(Error::UnknownName { what: "method", name: text.into(), known: Self::NAMES.into() }),
        })
    }
}

fn count(name: &'static str, text: Option<&str>, usual: usize, expected: &'static str) -> Result<usize> {
    let Some(text) = text else { return Ok(usual) };
    let refuse = || Error::InvalidParameter { name, value: text.into(), expected };
    text.parse().ok().filter(|count| (1..=MOST).contains(count)).ok_or_else(refuse)
}
