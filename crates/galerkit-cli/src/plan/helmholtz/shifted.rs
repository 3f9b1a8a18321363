//! The shifted Laplacian as preconditioner, by name: shifted[:S[:NAME]].

use anyhow::{Context, Result, bail};
use galerkit::linalg::precond::Preconditioner;
use std::fmt;

/// The usual shift.
const SHIFT: f64 = 0.5;
/// That of a cycle, which inverts well enough to need less damping.
const CYCLE_SHIFT: f64 = 0.2;

/// The preconditioner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shifted {
    /// k^2 becomes k^2 (1 + i shift).
    pub shift: f64,
    pub inverse: Inverse,
}

/// Cells a wavelength that aggregates need, at least.
const AGGREGATED: f64 = 10.0;

/// What stands for the inverse of the shifted matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inverse {
    Named(Preconditioner),
    /// A cycle over degrees, down to this one.
    Multigrid {
        lowest: usize,
    },
}

impl Shifted {
    /// As typed; none if it is another preconditioner.
    pub fn parse(text: &str) -> Result<Option<Self>> {
        let Some(rest) = text.strip_prefix("shifted") else { return Ok(None) };
        let wrong = || {
            format!(
                "--precond {text}: write shifted, shifted:S or shifted:S:NAME, as in shifted:0.5:ilu:1 or shifted:0.5:multigrid"
            )
        };
        let usual = Self::incomplete();
        let Some(rest) = rest.strip_prefix(':') else {
            if rest.is_empty() { return Ok(Some(usual)) } else { bail!(wrong()) }
        };
        let (shift, name) = rest.split_once(':').map_or((rest, None), |(shift, name)| (shift, Some(name)));
        let shift: f64 = shift.parse().with_context(wrong)?;
        let inverse = match name {
            None => usual.inverse,
            Some("multigrid") => Inverse::Multigrid { lowest: 1 },
            Some(name) => match name.strip_prefix("multigrid:") {
                Some(lowest) => Inverse::Multigrid { lowest: lowest.parse().with_context(wrong)? },
                None => Inverse::Named(name.parse().with_context(wrong)?),
            },
        };
        Ok(Some(Self { shift, inverse }))
    }

    /// Incomplete factors.
    pub fn incomplete() -> Self {
        Self { shift: SHIFT, inverse: Inverse::Named(Preconditioner::Ilu { fill: 0 }) }
    }

    /// What `auto` takes where elimination is not affordable and cells have spaces of lower degree: a cycle over
    /// degrees, by what was measured (docs/acoustics.md). In 2D from degree 3 on over two, whose coarse space still
    /// resolves waves that the fine one does. In 3D down to degree 1 from degree 2 or 3, because elimination of more
    /// takes too long; above that the smoothing is too weak, and incomplete factors win.
    pub fn usual(degree: usize, dimension: usize) -> Self {
        let cycle = |lowest| Self { shift: CYCLE_SHIFT, inverse: Inverse::Multigrid { lowest } };
        match (dimension, degree) {
            (2, 3..) => cycle(degree.div_ceil(2)),
            (3, 2 | 3) => cycle(1),
            _ => Self::incomplete(),
        }
    }
}

impl Shifted {
    /// Whether aggregates below degree 1 are too coarse for waves on meshes of so many cells a wavelength: with five, a
    /// cube of ten wavelengths takes 453 iterations by a cycle that ends in them and 275 by incomplete factors.
    pub fn is_too_coarse(cells: f64) -> bool {
        cells < AGGREGATED
    }
}

impl fmt::Display for Inverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => name.fmt(f),
            Self::Multigrid { lowest: 1 } => f.write_str("multigrid"),
            Self::Multigrid { lowest } => write!(f, "multigrid:{lowest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_and_inverses_are_read() {
        let read = |text: &str| Shifted::parse(text).unwrap().map(|it| (it.shift, it.inverse.to_string()));
        let usual = |degree, dimension| Shifted::usual(degree, dimension).inverse.to_string();
        assert_eq!([usual(2, 2), usual(3, 2), usual(6, 2)], ["ilu0", "multigrid:2", "multigrid:3"]);
        assert_eq!([usual(1, 3), usual(2, 3), usual(3, 3), usual(4, 3)], ["ilu0", "multigrid", "multigrid", "ilu0"]);
        assert_eq!(read("ilu0"), None);
        assert_eq!(read("shifted"), Some((0.5, "ilu0".into())));
        assert_eq!(read("shifted:0.2"), Some((0.2, "ilu0".into())));
        assert_eq!(read("shifted:1:amg,degree=1"), Some((1.0, "amg,degree=1".into())));
        assert_eq!(read("shifted:0.5:multigrid:2"), Some((0.5, "multigrid:2".into())));
        assert!(
            ["shifted:x", "shiftedx", "shifted:1:none:3", "shifted:1:multigrid:x"]
                .iter()
                .all(|text| Shifted::parse(text).is_err())
        );
    }
}
