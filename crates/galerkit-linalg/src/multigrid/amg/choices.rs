//! What can be chosen by name beside numbers: the hierarchy, how classical points interpolate, the smoother, what is
//! kept.

use crate::error::{Error, Result};
use std::fmt;

/// How a level becomes the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Smoothed aggregation, MIS(2) twice.
    #[default]
    Smoothed,
    /// Points that stay, by PMIS, and interpolation from them.
    Classical,
    /// Two passes of matching, not smoothed.
    Pairs,
}

/// How classical points that do not stay are interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Extended+i: also through neighbours that do not stay either.
    #[default]
    Extended,
    /// From the points that they depend on alone: cheaper, with two to three times the iterations.
    Direct,
}

/// What smooths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Relaxation {
    /// Chebyshev's polynomial of the fourth kind.
    #[default]
    FourthKind,
    /// Chebyshev's own, of the first kind, on the upper part of the spectrum.
    FirstKind,
    /// Damped Jacobi, as many sweeps as the degree.
    Jacobi,
}

/// What the smoother divides residuals by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scaling {
    /// Scaled l1 norms of rows.
    #[default]
    RowNorms,
    /// The diagonal times the largest of these norms by diagonal entries, Gershgorin's bound.
    Gershgorin,
    /// The diagonal times an estimate by so many steps of Lanczos' method.
    Lanczos(usize),
}

/// What is kept when the values of a matrix change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// Nothing: the hierarchy is set up anew.
    #[default]
    None,
    /// Aggregates and all patterns.
    Aggregates,
}

impl fmt::Display for Interpolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interpolation::Extended => "extended",
            Interpolation::Direct => "direct",
        })
    }
}

impl fmt::Display for Relaxation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relaxation::FourthKind => "chebyshev4",
            Relaxation::FirstKind => "chebyshev",
            Relaxation::Jacobi => "jacobi",
        })
    }
}

/// What a value names; `expected` says what it may be.
pub(super) fn named<T: Copy>(
    name: &'static str,
    value: &str,
    known: &[(&str, T)],
    expected: &'static str,
) -> Result<T> {
    let found = known.iter().find(|(known, _)| *known == value).map(|(_, meant)| *meant);
    found.ok_or_else(|| Error::InvalidParameter { name, value: value.into(), expected })
}
