//! Bodies given by a signed distance, as tetrahedra: cubes of a lattice whose centre lies inside, cut by Kuhn, and their surface nodes drawn
//! onto the surface as far as no tetrahedron becomes flat.

use crate::error::{Error, Result};
use crate::mesh::generate::kuhn::TETRAHEDRA;
use crate::mesh::{Block, Mesh, Shape};
use std::collections::HashMap;

/// The furthest a node moves, in edges.
const REACH: f64 = 0.45;
/// The least volume of a tetrahedron, over that of a cube's six.
const FLATTEST: f64 = 0.2;
/// Corners of a cube in the order of hexahedra.
const CORNERS: [[i64; 3]; 8] = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// The body between two corners of a box that has one of its lattice planes at the second corner.
pub(super) fn body(distance: &dyn Fn([f64; 3]) -> f64, low: [f64; 3], high: [f64; 3], dx: f64) -> Result<Mesh> {
    let count = |d: usize| ((high[d] - low[d]) / dx).ceil();
    if !(dx > 0.0 && (0..3).map(count).product::<f64>() < 1e9) {
        let problem = format!("edges of {dx} mm are not possible: they must be positive and not too short");
        return Err(Error::InvalidMesh { place: "built-in geometry".into(), problem });
    }
    let place = |[i, j, k]: [i64; 3]| [high[0] - dx * i as f64, high[1] - dx * j as f64, high[2] - dx * k as f64];
    let (mut numbers, mut points, mut cubes) = (HashMap::new(), Vec::new(), Vec::new());
    for i in 0..count(0) as i64 {
        for j in 0..count(1) as i64 {
            for k in 0..count(2) as i64 {
                if distance(place([i, j, k]).map(|x| x - 0.5 * dx)) >= 0.0 {
                    continue;
                }
                cubes.push(CORNERS.map(|[a, b, c]| {
                    *numbers.entry([i + 1 - a, j + 1 - b, k + 1 - c]).or_insert_with_key(|key| {
                        points.push(place(*key));
                        points.len() as u32 - 1
                    })
                }));
            }
        }
    }
    let tetrahedra: Vec<[u32; 4]> =
        cubes.iter().flat_map(|cube| TETRAHEDRA.map(|piece| piece.map(|c| cube[c]))).collect();
    let mut around = vec![0; points.len()];
    cubes.iter().flatten().for_each(|&node| around[node as usize] += 1);
    let is_surface = |node: usize| around[node] < 8;
    draw_onto_surface(distance, &mut points, &tetrahedra, &is_surface, dx);
    let tags = vec![1; tetrahedra.len()];
    let block = Block { shape: Shape::Tetrahedron, order: 1, nodes: tetrahedra.into_flattened(), tags };
    let mut mesh = Mesh { points, blocks: vec![block], ..Mesh::default() };
    mesh.repair()?;
    Ok(mesh)
}

fn draw_onto_surface(
    distance: &dyn Fn([f64; 3]) -> f64,
    points: &mut [[f64; 3]],
    tetrahedra: &[[u32; 4]],
    is_surface: &dyn Fn(usize) -> bool,
    dx: f64,
) {
    let from = points.to_vec();
    let step = |x: [f64; 3]| {
        let h = 1e-3 * dx;
        let slope = [0, 1, 2].map(|d| {
            let [mut up, mut down] = [x, x];
            up[d] += h;
            down[d] -= h;
            (distance(up) - distance(down)) / (2.0 * h)
        });
        let length = slope.iter().map(|s| s * s).sum::<f64>().sqrt().max(1e-12);
        let way = (-distance(x) / length).clamp(-REACH * dx, REACH * dx);
        slope.map(|s| way * s / length)
    };
    let moves: Vec<[f64; 3]> =
        from.iter().enumerate().map(|(i, x)| if is_surface(i) { step(*x) } else { [0.0; 3] }).collect();
    let mut share = vec![1.0; points.len()];
    for round in 0..6 {
        for i in 0..points.len() {
            points[i] = [0, 1, 2].map(|d| from[i][d] + share[i] * moves[i][d]);
        }
        let flat = |piece: &&[u32; 4]| volume(piece.map(|node| points[node as usize])) < FLATTEST * dx.powi(3) / 6.0;
        let nodes: Vec<u32> = tetrahedra.iter().filter(flat).flatten().copied().collect();
        for &node in &nodes {
            share[node as usize] = if round == 4 { 0.0 } else { 0.5 * share[node as usize] };
        }
        if nodes.is_empty() {
            break;
        }
    }
}

fn volume([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|x| [0, 1, 2].map(|k| x[k] - a[k]));
    let determinant =
        u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    determinant.abs() / 6.0
}
