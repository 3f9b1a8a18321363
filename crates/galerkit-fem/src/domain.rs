//! Model domains as coarse meshes of unit squares or cubes, cut `cuts` times along each edge; cells are ordered with x
//! slow, the last axis fast.
//!
//! | domain | what | tags of its boundary |
//! |---|---|---|
//! | [`square`], [`cube`] | (0, 1)^d | 1 |
//! | [`lshape`] | (-1, 1)^2 without [0, 1] x [-1, 0] | 1 on the two re-entrant edges, 2 elsewhere |
//! | [`vertex`] | (0, 1)^3 | 1 on the coordinate planes, 2 elsewhere |
//! | [`fichera`] | (-1, 1)^3 without [0, 1]^3 | 1 |

use crate::mesh::{Block, Mesh, Shape, UNTAGGED};
use std::collections::HashMap;

/// (0, 1)^2.
pub fn square(cuts: usize) -> Mesh {
    lattice(2, [0, 1], cuts, |_| true, |_| 1)
}

/// (0, 1)^3.
pub fn cube(cuts: usize) -> Mesh {
    lattice(3, [0, 1], cuts, |_| true, |_| 1)
}

/// (-1, 1)^2 without [0, 1] x [-1, 0].
pub fn lshape(cuts: usize) -> Mesh {
    let is_reentrant = |[x, y, _]: [f64; 3]| x >= 0.0 && y <= 0.0 && x < 1.0 && y > -1.0;
    let tag = move |center| if is_reentrant(center) { 1 } else { 2 };
    lattice(2, [-1, 1], cuts, |[x, y, _]| x < 0.0 || y > 0.0, tag)
}

/// (0, 1)^3 with a boundary of two pieces.
pub fn vertex(cuts: usize) -> Mesh {
    lattice(3, [0, 1], cuts, |_| true, |center| if center.contains(&0.0) { 1 } else { 2 })
}

/// (-1, 1)^3 without [0, 1]^3.
pub fn fichera(cuts: usize) -> Mesh {
    lattice(3, [-1, 1], cuts, |center| center.iter().any(|&x| x < 0.0), |_| 1)
}

/// The cells of a regular lattice on [low, high]^dim that are kept, with tagged boundary facets; both closures see
/// centers.
fn lattice(
    dim: usize,
    [low, high]: [i32; 2],
    cuts: usize,
    keep: impl Fn([f64; 3]) -> bool,
    tag: impl Fn([f64; 3]) -> i32,
) -> Mesh {
    let n = (high - low) as usize * cuts;
    let step = 1.0 / cuts as f64;
    // Positions in half steps, so that centers of cells and facets are integers too.
    let position =
        |x: [usize; 3]| [0, 1, 2].map(|a| if a < dim { f64::from(low) + 0.5 * step * x[a] as f64 } else { 0.0 });
    let (mut points, mut numbers) = (Vec::new(), HashMap::new());
    let mut number = |x: [usize; 3]| {
        *numbers.entry(x).or_insert_with(|| {
            points.push(position(x));
            points.len() as u32 - 1
        })
    };
    let across = |a: usize| if a < dim { n } else { 1 };
    let (mut body, mut uses) = (Vec::new(), HashMap::<[usize; 3], usize>::new());
    for k in 0..across(0) * across(1) * across(2) {
        let cell = [k / across(2) / across(1), k / across(2) % across(1), k % across(2)];
        let center = [0, 1, 2].map(|a| if a < dim { 2 * cell[a] + 1 } else { 0 });
        if keep(position(center)) {
            body.extend(corners(center, dim, None).into_iter().map(&mut number));
            facets(center, dim).for_each(|facet| *uses.entry(facet).or_default() += 1);
        }
    }
    let mut boundary: Vec<[usize; 3]> =
        uses.into_iter().filter(|&(_, uses)| uses == 1).map(|(facet, _)| facet).collect();
    boundary.sort_unstable();
    let normal = |facet: &[usize; 3]| (0..dim).find(|&a| facet[a].is_multiple_of(2));
    let sides = boundary.iter().flat_map(|facet| corners(*facet, dim, normal(facet))).map(&mut number).collect();
    let tags = boundary.iter().map(|&facet| tag(position(facet))).collect();
    let (shape, side) =
        if dim == 2 { (Shape::Quadrilateral, Shape::Line) } else { (Shape::Hexahedron, Shape::Quadrilateral) };
    let regions = vec![UNTAGGED; body.len() / shape.corners()];
    let blocks = vec![
        Block { shape, order: 1, nodes: body, tags: regions },
        Block { shape: side, order: 1, nodes: sides, tags },
    ];
    Mesh { points, blocks, ..Mesh::default() }
}

/// The centers of the facets around the center of a cell.
fn facets(center: [usize; 3], dim: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..2 * dim).map(move |side| {
        let mut facet = center;
        facet[side / 2] = center[side / 2] + 2 * (side % 2) - 1;
        facet
    })
}

/// The corners around a center, in the order of VTK; of a facet in the plane across its normal.
fn corners(center: [usize; 3], dim: usize, normal: Option<usize>) -> Vec<[usize; 3]> {
    const AROUND: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let axes: Vec<usize> = (0..dim).filter(|&a| Some(a) != normal).collect();
    let corner = |c: usize| {
        let mut corner = center;
        let ends = [AROUND[c % 4][0], AROUND[c % 4][1], c / 4];
        axes.iter().zip(ends).for_each(|(&a, end)| corner[a] = center[a] + 2 * end - 1);
        corner
    };
    (0..1 << axes.len()).map(corner).collect()
}
