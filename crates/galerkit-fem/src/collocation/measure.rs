//! What is measured after each step, where it runs: the mass, and the part of the domain in which c is above what
//! imaging shows. A cell that the contour crosses counts by the share of it that lies inside, as if c were linear
//! there.

use super::equations::Equations;
use super::krylov::{StepEngine, StepVector};
use super::line::Line;
use super::space::Collocation;
use crate::error::Result;
use galerkit_linalg::engine::{Engine, Entry, Resident};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::Precision;

/// What measures, loaded into an engine.
pub struct Measures {
    mass: StepVector,
    threshold: f64,
    nodes: Resident<StepEngine>,
    /// Corners of cells: left below, right below, left above, right above.
    corners: [Resident<StepEngine>; 4],
    area: StepVector,
    count: usize,
}

impl Measures {
    /// For equations on a space.
    ///
    /// # Errors
    /// If there are more unknowns than indices count.
    pub fn new(e: &mut StepEngine, space: &Collocation, equations: &Equations, threshold: f64) -> Result<Self> {
        let [along, across] = space.nodes();
        let rise = usize::from(across > 1);
        let cells: Vec<[usize; 2]> =
            (0..along - 1).flat_map(|i| (0..(across - 1).max(1)).map(move |j| [i, j])).collect();
        let corner = |di: usize, dj: usize| {
            let index = cells.iter().map(|[i, j]| ((i + di) * across + j + dj * rise) as u32).collect();
            Gather::new(along * across, index)
        };
        let corners = [corner(0, 0)?, corner(1, 0)?, corner(0, 1)?, corner(1, 1)?];
        let area: Vec<f64> =
            cells.iter().map(|&[i, j]| space.x().length(i) * space.y().map_or(1.0, |y: &Line| y.length(j))).collect();
        Ok(Self {
            mass: e.upload(&equations.mass()?),
            threshold,
            nodes: e.load(equations.nodes()?),
            corners: corners.map(|gather| e.load(gather_map(gather))),
            area: e.upload(&area),
            count: along * across,
        })
    }

    /// The mass.
    pub fn mass(&self, e: &mut StepEngine, a: &StepVector) -> <StepEngine as Engine>::Num {
        e.dot(&self.mass, a)
    }

    /// Length or area in which c is above the threshold.
    pub fn visible(&self, e: &mut StepEngine, a: &StepVector) -> <StepEngine as Engine>::Num {
        let mut u = e.zeros(self.count, Precision::Full);
        e.apply(&self.nodes, a, &mut u);
        let [mut c0, mut c1, mut c2, mut c3] = e.vectors_like::<4>(&self.area);
        for (corner, c) in self.corners.iter().zip([&mut c0, &mut c1, &mut c2, &mut c3]) {
            e.apply(corner, &u, c);
        }
        let mut share = e.zeros_like(&self.area);
        let threshold = self.threshold;
        e.pointwise([&mut share], [&c0, &c1, &c2, &c3], |_, [c0, c1, c2, c3]| [inside(threshold, [c0, c1, c2, c3])]);
        e.dot(&share, &self.area)
    }
}

/// The share of a cell in which a linear function is above a threshold, exact where it varies along one axis.
fn inside<N: Entry>(threshold: f64, [c0, c1, c2, c3]: [N; 4]) -> N {
    let [half, quarter, zero, one, least, threshold] =
        [0.5, 0.25, 0.0, 1.0, f64::MIN_POSITIVE, threshold].map(N::constant);
    let mean = quarter * (c0 + c1 + c2 + c3);
    let range = half * ((c1 + c3 - c0 - c2).abs() + (c2 + c3 - c0 - c1).abs());
    (half + (mean - threshold) / (range + least)).max(zero).min(one)
}
