//! Cells of a regular grid of lines, in the plane or in space, some of them left out; and points found again by integer
//! keys, so that cells share them exactly.

use crate::error::Result;
use crate::key_map::KeyMap;
use crate::mesh::lattice::lattice;
use crate::mesh::{Block, Facet, Mesh, Shape};

/// The region of generated cells.
pub(super) const BODY: i32 = 1;

/// Points by integer key.
#[derive(Default)]
pub(super) struct KeyedPoints {
    numbers: KeyMap<u32>,
    pub(super) points: Vec<[f64; 3]>,
}

impl KeyedPoints {
    /// The number of the point with this key, which is made when it is first asked for.
    pub(super) fn number(&mut self, key: [i32; 4], position: impl FnOnce([i32; 4]) -> [f64; 3]) -> u32 {
        let [i, j, l, m] = key.map(|at| u64::from(at as u32));
        *self.numbers.entry([i << 32 | j, l << 32 | m]).or_insert_with(|| {
            self.points.push(position(key));
            self.points.len() as u32 - 1
        })
    }
}

/// The box from `low` to `high`, cut n times along each direction, without the cells that are not kept; sides tagged 1
/// to 2 d, what lies on none of them 2 d + 1. In the plane the third count is 0.
pub(super) fn grid(low: [f64; 3], high: [f64; 3], n: [usize; 3], keep: impl Fn([usize; 3]) -> bool) -> Result<Mesh> {
    grid_of_order(1, [low, high], n, keep)
}

/// The same with nodes for functions of some degree, evenly spaced.
pub(super) fn grid_of_order(
    order: usize,
    [low, high]: [[f64; 3]; 2],
    n: [usize; 3],
    keep: impl Fn([usize; 3]) -> bool,
) -> Result<Mesh> {
    let shape = if n[2] == 0 { Shape::Quadrilateral } else { Shape::Hexahedron };
    let place = |d: usize, i: i32| low[d] + (high[d] - low[d]) * f64::from(i) / (n[d].max(1) * order) as f64;
    let (mut points, positions) = (KeyedPoints::default(), lattice(shape, order));
    let mut block = Block { shape, order, nodes: Vec::new(), tags: Vec::new() };
    for i in 0..n[0] {
        for j in 0..n[1] {
            for l in (0..n[2].max(1)).filter(|&l| keep([i, j, l])) {
                for p in &positions {
                    let key = [i * order + p[0], j * order + p[1], l * order + p[2], 0].map(|at| at as i32);
                    block.nodes.push(points.number(key, |[x, y, z, _]| [place(0, x), place(1, y), place(2, z)]));
                }
                block.tags.push(BODY);
            }
        }
    }
    let mut mesh = Mesh { points: points.points, blocks: vec![block], ..Mesh::default() };
    tag_sides(&mut mesh)?;
    Ok(mesh)
}

const SIDES_OF_A_RECTANGLE: [&str; 5] = ["left", "right", "bottom", "top", "reentrant"];
pub(super) const SIDES_OF_A_BOX: [&str; 7] = ["left", "right", "front", "back", "bottom", "top", "reentrant"];

/// Tags 2 d + 1 and 2 d + 2 where the coordinate d is least and largest.
fn tag_sides(mesh: &mut Mesh) -> Result<()> {
    let dim = mesh.dim();
    let extreme = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    let ends = [0, 1, 2].map(|d| [extreme(d, f64::min), extreme(d, f64::max)]);
    mesh.tag_boundary(|mesh, facet| {
        let nodes = mesh.facet_nodes(facet);
        let lies_at =
            |side: usize| nodes.iter().all(|&node| mesh.points[node as usize][side / 2] == ends[side / 2][side % 2]);
        (0..2 * dim).find(|&side| lies_at(side)).unwrap_or(2 * dim) as i32 + 1
    })?;
    let names = if dim == 2 { &SIDES_OF_A_RECTANGLE[..] } else { &SIDES_OF_A_BOX[..] };
    name_boundary(mesh, names);
    Ok(())
}

/// Names the tags 1, 2, … of the boundary, as far as they occur, and the body.
pub(super) fn name_boundary(mesh: &mut Mesh, names: &[&str]) {
    let dim = mesh.dim();
    let tags = mesh.tags(dim - 1);
    let named = (1..).zip(names).filter(|(tag, _)| tags.contains_key(tag));
    mesh.names.extend(named.map(|(tag, name)| ((dim - 1, tag), (*name).to_owned())));
    mesh.names.insert((dim, BODY), "body".into());
}

/// The mean of a facet's nodes.
pub(super) fn middle(mesh: &Mesh, facet: Facet) -> [f64; 3] {
    let nodes = mesh.facet_nodes(facet);
    let mean = |d: usize| nodes.iter().map(|&node| mesh.points[node as usize][d]).sum::<f64>() / nodes.len() as f64;
    [mean(0), mean(1), mean(2)]
}
