//! Parts of a body that share no point: union-find over points, joined by the cells.

use super::Mesh;
use std::collections::BTreeMap;

/// Cells of each part, the largest first.
pub fn sizes(mesh: &Mesh) -> Vec<usize> {
    let mut counts = BTreeMap::new();
    labels(mesh).into_iter().for_each(|label| *counts.entry(label).or_insert(0) += 1);
    let mut sizes: Vec<usize> = counts.into_values().collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// For each cell of the body, block after block, the smallest point of its part.
pub fn labels(mesh: &Mesh) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..mesh.points.len() as u32).collect();
    let body = || mesh.blocks_of(mesh.dim()).flat_map(|block| block.cells());
    for cell in body() {
        let mut root = find(&mut parent, cell[0]);
        for &node in &cell[1..] {
            let other = find(&mut parent, node);
            parent[root.max(other) as usize] = root.min(other);
            root = root.min(other);
        }
    }
    body().map(|cell| find(&mut parent, cell[0])).collect()
}

/// The root of a point, halving the path to it.
fn find(parent: &mut [u32], mut point: u32) -> u32 {
    while parent[point as usize] != point {
        let above = parent[parent[point as usize] as usize];
        parent[point as usize] = above;
        point = above;
    }
    point
}
