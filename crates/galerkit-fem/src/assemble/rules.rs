//! Which points a cell is integrated with: Gauss points, more of them than the degree needs where data are not
//! polynomials, and graded towards points where data are singular.

use crate::forest::geometry::Point;
use crate::forest::part::{FREE, HIGH};
use crate::forest::{Forest, Part};
use crate::quadrature::{GRADED_LEVELS, Line, Patch, graded};

/// How integrals are approximated.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Points in each direction beyond p + 1.
    pub extra: usize,
    /// Points where data are singular; cells with such a corner are integrated with graded rules.
    pub singular: Vec<Point>,
    /// Cuts of graded rules.
    pub levels: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self { extra: 3, singular: Vec::new(), levels: GRADED_LEVELS }
    }
}

impl Rules {
    /// Points in each direction where coefficients are constant and the map of a cell is not affine.
    pub fn of_geometry(&self, p: usize) -> usize {
        p + 1 + self.extra.min(1)
    }
    /// The patches of cell e, with degree p.
    pub fn cell(&self, forest: &Forest, e: usize, p: usize) -> Vec<Patch> {
        let (dim, n) = (forest.dim(), p + 1 + self.extra);
        match self.singular.iter().find_map(|point| forest.corner_at(e, point)) {
            Some(corner) => graded(dim, n, self.levels, corner),
            None => vec![Patch::gauss(dim, n)],
        }
    }
    /// The patches of a facet of cell e: on the axis of the normal there is the one point at its end.
    pub fn facet(&self, forest: &Forest, e: usize, p: usize, facet: Part) -> Vec<Patch> {
        let (dim, n) = (forest.dim(), p + 1 + self.extra);
        let (normal, is_high) = facet.normal(dim);
        let at_facet = |corner: &[bool; 3]| corner[normal] == is_high;
        let corner = self.singular.iter().find_map(|point| forest.corner_at(e, point)).filter(at_facet);
        let tangential = match corner {
            Some(corner) => {
                let mut within = [false; 3];
                facet.axes().enumerate().for_each(|(k, a)| within[k] = corner[a]);
                graded(dim - 1, n, self.levels, within)
            }
            None => vec![Patch::gauss(dim - 1, n)],
        };
        tangential.into_iter().map(|patch| embed(patch, dim, facet)).collect()
    }
}

fn embed(patch: Patch, dim: usize, facet: Part) -> Patch {
    let mut lines = patch.axes.into_iter();
    let axis = |a: usize| match facet.0[a] {
        FREE => lines.next().expect("a rule for each axis of the facet"),
        side => Line::at(if side == HIGH { 1.0 } else { -1.0 }),
    };
    Patch { axes: (0..dim).map(axis).collect() }
}
