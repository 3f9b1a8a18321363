//! Bodies given by a signed distance below a plane, as tetrahedra whose surface nodes lie on the surface: isosurface
//! stuffing after Labelle and Shewchuk 2007. A body-centred lattice is laid over the body; its nodes near the surface
//! are drawn onto it, and what is left of a tetrahedron that the surface still cuts is cut into tetrahedra again. Nodes
//! of the plane stay in it, so its rim is sharp.

mod clip;
mod lattice;

use crate::error::{Error, Result};
use crate::mesh::{Block, Mesh, Shape};
use clip::clipped;
use lattice::{Distance, Lattice};

/// Side of the lattice's cubes, of which each has two nodes, where nodes are as many as those of cubes of side 1.
const CUBE: f64 = 1.26;
/// A node this near to the surface, as a share of the edge on which it lies, is drawn onto it.
const NEAR: f64 = 0.3;

/// The body between two corners of a box; the plane is the upper side.
pub(super) fn body(distance: Distance, low: [f64; 3], high: [f64; 3], dx: f64) -> Result<Mesh> {
    let count = |d: usize| ((high[d] - low[d]) / dx).ceil();
    if !(dx > 0.0 && (0..3).map(count).product::<f64>() < 1e9) {
        let problem = format!("edges of {dx} mm are not possible: they must be positive and not too short");
        return Err(Error::InvalidMesh { place: "built-in geometry".into(), problem });
    }
    // The outermost half cubes have no tetrahedra.
    let cube = CUBE * dx;
    let low = low.map(|x| x - cube);
    let mut lattice = Lattice::new(distance, low, [high[0] + cube, high[1] + cube, high[2]], cube);
    let mut edges = crossed(&lattice);
    let cuts: Vec<[f64; 3]> = edges
        .iter()
        .map(|[a, b]| crossing(distance, lattice.points[*a as usize], lattice.points[*b as usize]))
        .collect();
    draw_onto_surface(distance, &mut lattice, &edges, &cuts);
    let first = lattice.points.len() as u32;
    lattice.points.extend(cuts);
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    let cut = |a: u32, b: u32| {
        let place = edges.binary_search_by(|edge| edge.cmp(&[a.min(b), a.max(b)])).expect("crossed edges have a cut");
        first + place as u32
    };
    let values = |node: u32| lattice.values[node as usize];
    let pieces: Vec<[u32; 4]> = lattice.tetrahedra.iter().flat_map(|cell| clipped(*cell, &values, &cut)).collect();
    let mut mesh = numbered(&lattice.points, pieces, cube);
    mesh.repair()?;
    Ok(mesh)
}

/// Edges from a node inside to one outside, each once, by ascending numbers of their nodes.
fn crossed(lattice: &Lattice) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for cell in &lattice.tetrahedra {
        for (k, &a) in cell.iter().enumerate() {
            let others = cell[..k].iter().filter(|&&b| lattice.values[a as usize] * lattice.values[b as usize] < 0.0);
            edges.extend(others.map(|&b| [a.min(b), a.max(b)]));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Where the surface crosses an edge, by bisection.
fn crossing(distance: Distance, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let at = |t: f64| [0, 1, 2].map(|d| a[d] + t * (b[d] - a[d]));
    let (mut low, mut high, inside_first) = (0.0, 1.0, distance(a) < 0.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if (distance(at(middle)) < 0.0) == inside_first { low = middle } else { high = middle }
    }
    at(0.5 * (low + high))
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f64>().sqrt()
}

/// Moves nodes that the surface nearly meets; nodes of the plane stay in the plane.
fn draw_onto_surface(distance: Distance, lattice: &mut Lattice, edges: &[[u32; 2]], cuts: &[[f64; 3]]) {
    let mut around = vec![Vec::new(); lattice.points.len()];
    for (k, edge) in edges.iter().enumerate() {
        edge.iter().for_each(|&node| around[node as usize].push(k));
    }
    let from = lattice.points.clone();
    for node in 0..from.len() {
        let is_open = |k: &usize| edges[*k].iter().all(|&end| lattice.values[end as usize] != 0.0);
        let length = |k: usize| apart(from[edges[k][0] as usize], from[edges[k][1] as usize]);
        let is_near = |k: &usize| apart(from[node], cuts[*k]) < NEAR * length(*k);
        let near = around[node].iter().copied().filter(|k| is_open(k) && is_near(k));
        let nearest = near.min_by(|a, b| apart(from[node], cuts[*a]).total_cmp(&apart(from[node], cuts[*b])));
        let Some(k) = nearest else { continue };
        let target = if lattice.is_on_plane[node] { slid(distance, from[node]) } else { cuts[k] };
        if apart(target, from[node]) < 2.0 * NEAR * length(k) {
            (lattice.points[node], lattice.values[node]) = (target, 0.0);
        }
    }
}

/// The point of the surface next to this one, at the same height.
fn slid(distance: Distance, mut x: [f64; 3]) -> [f64; 3] {
    for _ in 0..20 {
        let h = 1e-4;
        let [here, right, up] = [x, [x[0] + h, x[1], x[2]], [x[0], x[1] + h, x[2]]].map(distance);
        let slope = [(right - here) / h, (up - here) / h];
        let square = (slope[0] * slope[0] + slope[1] * slope[1]).max(1e-12);
        (0..2).for_each(|d| x[d] -= here * slope[d] / square);
    }
    x
}

/// The mesh of the nodes that are used, neighbours near to each other in memory.
fn numbered(points: &[[f64; 3]], mut cells: Vec<[u32; 4]>, cube: f64) -> Mesh {
    let mut used: Vec<u32> = cells.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let place = |node: &u32| {
        let [x, y, z] = points[*node as usize];
        ((x / cube).floor() as i64, (y / cube).floor() as i64, (1e6 * z) as i64, *node)
    };
    used.sort_by_cached_key(place);
    let mut number = vec![0; points.len()];
    used.iter().zip(0..).for_each(|(&node, new)| number[node as usize] = new);
    cells.iter_mut().flatten().for_each(|node| *node = number[*node as usize]);
    cells.sort_by_cached_key(|cell| cell.iter().copied().min());
    let tags = vec![1; cells.len()];
    let block = Block { shape: Shape::Tetrahedron, order: 1, nodes: cells.into_flattened(), tags };
    Mesh { points: used.iter().map(|&node| points[node as usize]).collect(), blocks: vec![block], ..Mesh::default() }
}
