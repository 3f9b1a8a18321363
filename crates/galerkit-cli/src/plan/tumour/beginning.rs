//! What `galerkit tumour` begins with: sources, or a solution that is known.

use super::mesh::point;
use crate::args::Tumour;
use anyhow::{Result, bail};
use galerkit::fem::collocation::{Collocation, Eigenfunction, Source, Start};

/// The start of a run.
#[derive(Debug)]
pub enum Beginning {
    /// Sources.
    Sources(Vec<Source>, Start),
    /// What decays as it is known to.
    Known(Eigenfunction),
}

impl Beginning {
    /// As typed.
    pub fn new(arguments: &Tumour, space: &Collocation) -> Result<Self> {
        let start = match arguments.start.as_deref() {
            None | Some("interpolated") => Start::Interpolated,
            Some("collocated") => Start::Collocated,
            Some("eigenfunction") if !arguments.source.is_empty() => {
                bail!("--start eigenfunction has no source: leave --source away")
            }
            Some("eigenfunction") => return Ok(Beginning::Known(Eigenfunction::of(space)?)),
            Some(other) => bail!("--start {other} is not known: interpolated, collocated or eigenfunction"),
        };
        Ok(Beginning::Sources(sources(arguments, space)?, start))
    }
    /// The spline.
    pub fn coefficients(&self, space: &Collocation) -> Result<Vec<f64>> {
        Ok(match self {
            Beginning::Sources(sources, start) => space.sources(sources, *start)?,
            Beginning::Known(exact) => space.interpolated(|point| exact.start(point)),
        })
    }
    /// The solution, if it is known.
    pub fn exact(&self) -> Option<Eigenfunction> {
        match self {
            Beginning::Sources(..) => None,
            Beginning::Known(exact) => Some(*exact),
        }
    }
}

/// As typed, or in the first layer, three quarters of the way to the second.
fn sources(arguments: &Tumour, space: &Collocation) -> Result<Vec<Source>> {
    let eta = arguments.eta.unwrap_or(0.2);
    if !arguments.source.is_empty() {
        let source = |text: &String| Ok(Source { centre: point("--source", text, space.dim())?, eta });
        return arguments.source.iter().map(source).collect();
    }
    let (line, [a, b]) = (space.x(), space.x().ends());
    let changes = (1..line.elements()).find(|&i| line.diffusion()[i] != line.diffusion()[i - 1]);
    let first = changes.map_or(0.5 * (a + b), |i| a + 0.75 * (line.nodes()[i] - a));
    let middle = space.y().map(|y| 0.5 * (y.ends()[0] + y.ends()[1]));
    Ok(vec![Source { centre: std::iter::once(first).chain(middle).collect(), eta }])
}
