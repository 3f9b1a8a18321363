//! The ways to solve the systems of a step, by name.

use galerkit_linalg::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How the systems of a step are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In eigenfunctions across the layers: a system of five diagonals for each. Elements along y must be equal.
    Modal,
    /// BiCGSTAB with ILU(0).
    Ilu,
    /// The same with triangular solves on the host, as in the source.
    HostIlu,
    /// Elimination on the host, factors kept.
    Direct,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] = [Method::Modal, Method::Ilu, Method::HostIlu, Method::Direct];
    /// Their names.
    pub const NAMES: &str = "modal, ilu, host-ilu, direct";
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Modal => "modal",
            Method::Ilu => "ilu",
            Method::HostIlu => "host-ilu",
            Method::Direct => "direct",
        })
    }
}

impl FromStr for Method {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        let known = |method: &Method| method.to_string() == name;
        let unknown = || Error::UnknownName { what: "solver", name: name.into(), known: Self::NAMES.into() };
        Self::ALL.into_iter().find(known).ok_or_else(unknown)
    }
}
