//! A box of Kuhn's tetrahedra, the same as cutting the hexahedra of a brick, but written down instead of looked for:
//! points in the order of their places, z fastest, and the boundary from the cells at the sides. Tens of millions of
//! tetrahedra take a second.

use super::grid::{BODY, SIDES_OF_A_BOX, name_boundary};
use super::kuhn::TETRAHEDRA;
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::facets::facets;
use crate::mesh::lattice::corners;
use crate::mesh::{Block, Mesh, Shape};
use galerkit_linalg::parallel;

/// Six tetrahedra for each of n_x n_y n_z cells. Boundary: 1 and 2 left and right (x), 3 and 4 (y), 5 and 6 (z).
///
/// # Errors
/// If a count is zero, or the box is empty.
pub fn kuhn_box(low: [f64; 3], high: [f64; 3], n: [usize; 3]) -> Result<Mesh> {
    require_counts(&n, 1, "box")?;
    require((0..3).all(|d| low[d] < high[d]), "box", "its corners must be finite, the first below the second")?;
    let place = |d: usize, i: usize| low[d] + (high[d] - low[d]) * i as f64 / n[d] as f64;
    let [rows, columns] = [n[1] + 1, n[2] + 1];
    let points = parallel::collect((n[0] + 1) * rows * columns, &|at| {
        [place(0, at / (rows * columns)), place(1, at / columns % rows), place(2, at % columns)]
    });
    let cells = n[0] * n[1] * n[2];
    let cell_at = |cell: usize| [cell / (n[1] * n[2]), cell / n[2] % n[1], cell % n[2]];
    let node = |cell: usize, corner: usize| {
        let ([i, j, l], p) = (cell_at(cell), corners(Shape::Hexahedron)[corner]);
        (((i + p[0]) * rows + j + p[1]) * columns + l + p[2]) as u32
    };
    let nodes = parallel::collect(cells, &|cell| TETRAHEDRA.map(|corners| corners.map(|corner| node(cell, corner))));
    let body = Block {
        shape: Shape::Tetrahedron,
        order: 1,
        nodes: nodes.into_flattened().into_flattened(),
        tags: vec![BODY; 6 * cells],
    };
    let mut skin = Block { shape: Shape::Triangle, order: 1, nodes: Vec::new(), tags: Vec::new() };
    let outer = sides();
    for (cell, at) in (0..cells).map(|cell| (cell, cell_at(cell))) {
        let is_at = |side: usize| at[side / 2] == [0, n[side / 2] - 1][side % 2];
        for (side, triangle) in outer.iter().filter(|(side, _)| is_at(*side)) {
            skin.nodes.extend(triangle.map(|corner| node(cell, corner)));
            skin.tags.push(*side as i32 + 1);
        }
    }
    let mut mesh = Mesh { points, blocks: vec![body, skin], ..Mesh::default() };
    name_boundary(&mut mesh, &SIDES_OF_A_BOX);
    Ok(mesh)
}

/// The triangles on the sides of a cell by its corners, tetrahedron by tetrahedron, each with its side.
fn sides() -> Vec<(usize, [usize; 3])> {
    let is_on = |side: usize, corner: usize| corners(Shape::Hexahedron)[corner][side / 2] == side % 2;
    let triangles = TETRAHEDRA.iter().flat_map(|tetrahedron| {
        facets(Shape::Tetrahedron).iter().map(|facet| [0, 1, 2].map(|k| tetrahedron[facet[k]]))
    });
    let placed = |triangle: [usize; 3]| {
        let side = (0..6).find(|&side| triangle.iter().all(|&corner| is_on(side, corner)))?;
        Some((side, triangle))
    };
    triangles.filter_map(placed).collect()
}
