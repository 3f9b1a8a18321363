//! Where the nodes of a cell of degree k stand: integer positions (i, j, l) on the lattice that cuts each edge k times,
//! in the order of [`Block::nodes`](super::Block): corners, edges, faces, interior, as VTK orders its Lagrange cells.
//!
//! A file format with another order has another `Numbering`; matching positions gives the permutation between the
//! two.

use super::Shape;

/// In which order a format lists the edges and faces of a shape, and the nodes inside of quadrilaterals and hexahedra.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering {
    /// Corners at the two ends of each edge; its nodes go from the first to the second.
    pub(crate) edges: fn(Shape) -> &'static [[usize; 2]],
    /// Corners around each face; its first axis goes from the first corner to the second.
    pub(crate) faces: fn(Shape) -> &'static [&'static [usize]],
    /// Inside of quadrilaterals and hexahedra: smaller cells within each other (corners first), or row by row.
    pub(crate) nested: bool,
}

/// The order of VTK's Lagrange cells, which is that of this crate.
pub(crate) const VTK: Numbering = Numbering { edges: vtk_edges, faces: vtk_faces, nested: false };

fn vtk_edges(shape: Shape) -> &'static [[usize; 2]] {
    match shape {
        Shape::Vertex => &[],
        Shape::Line => &[[0, 1]],
        Shape::Triangle => &[[0, 1], [1, 2], [2, 0]],
        Shape::Quadrilateral => &[[0, 1], [1, 2], [3, 2], [0, 3]],
        Shape::Tetrahedron => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
        Shape::Hexahedron => {
            &[[0, 1], [1, 2], [3, 2], [0, 3], [4, 5], [5, 6], [7, 6], [4, 7], [0, 4], [1, 5], [2, 6], [3, 7]]
        }
        Shape::Prism => &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]],
        Shape::Pyramid => &[[0, 1], [1, 2], [3, 2], [0, 3], [0, 4], [1, 4], [2, 4], [3, 4]],
    }
}

fn vtk_faces(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Vertex | Shape::Line => &[],
        Shape::Triangle => &[&[0, 1, 2]],
        Shape::Quadrilateral => &[&[0, 1, 2, 3]],
        Shape::Tetrahedron => &[&[0, 1, 3], &[2, 3, 1], &[0, 3, 2], &[0, 2, 1]],
        Shape::Hexahedron => {
            &[&[0, 3, 7, 4], &[1, 2, 6, 5], &[0, 1, 5, 4], &[3, 2, 6, 7], &[0, 1, 2, 3], &[4, 5, 6, 7]]
        }
        Shape::Prism => &[&[0, 1, 2], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        Shape::Pyramid => &[&[0, 1, 2, 3], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
    }
}

/// Corners on the lattice of degree 1.
pub(crate) fn corners(shape: Shape) -> &'static [[usize; 3]] {
    const TRIANGLE: [[usize; 3]; 3] = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    const SQUARE: [[usize; 3]; 4] = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
    match shape {
        Shape::Vertex => &[[0, 0, 0]],
        Shape::Line => &[[0, 0, 0], [1, 0, 0]],
        Shape::Triangle => &TRIANGLE,
        Shape::Quadrilateral => &SQUARE,
        Shape::Tetrahedron => &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        Shape::Hexahedron => &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]],
        Shape::Prism => &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]],
        Shape::Pyramid => &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]],
    }
}

/// Positions of the nodes of a cell of degree k, in the order of [`Block::nodes`](super::Block).
pub fn lattice(shape: Shape, k: usize) -> Vec<[usize; 3]> {
    numbered(shape, k, VTK)
}

/// Positions of the nodes in the order of a format.
pub(crate) fn numbered(shape: Shape, k: usize, numbering: Numbering) -> Vec<[usize; 3]> {
    if k == 0 || shape == Shape::Vertex {
        return vec![[0; 3]];
    }
    let corner = corners(shape);
    let mut nodes: Vec<_> = corner.iter().map(|position| position.map(|x| k * x)).collect();
    for &[a, b] in (numbering.edges)(shape) {
        nodes.extend((1..k).map(|m| [0, 1, 2].map(|d| corner[a][d] * (k - m) + corner[b][d] * m)));
    }
    for face in (numbering.faces)(shape) {
        let inside = if face.len() == 3 { inside(Shape::Triangle, k, numbering) } else { square_inside(k, numbering) };
        nodes.extend(inside.into_iter().map(|position| on_face(corner, face, k, position)));
    }
    if shape.dim() == 3 {
        nodes.extend(inside(shape, k, numbering));
    }
    nodes
}

/// The lattice point of a cell that lies at (i, j) on one of its faces; faces are affine images of the reference square
/// or triangle.
pub(crate) fn on_face(corner: &[[usize; 3]], face: &[usize], k: usize, [i, j, _]: [usize; 3]) -> [usize; 3] {
    let (origin, first, last) = (corner[face[0]], corner[face[1 % face.len()]], corner[face[face.len() - 1]]);
    [0, 1, 2].map(|d| k * origin[d] + i * first[d] + j * last[d] - (i + j) * origin[d])
}

fn square_inside(k: usize, numbering: Numbering) -> Vec<[usize; 3]> {
    if !numbering.nested {
        return (1..k).flat_map(|j| (1..k).map(move |i| [i, j, 0])).collect();
    }
    if k < 2 {
        return Vec::new();
    }
    numbered(Shape::Quadrilateral, k - 2, numbering).into_iter().map(|[i, j, _]| [i + 1, j + 1, 0]).collect()
}

/// The nodes on no edge and, for solids, on no face.
fn inside(shape: Shape, k: usize, numbering: Numbering) -> Vec<[usize; 3]> {
    let smaller = |by: usize| if k < by { Vec::new() } else { numbered(shape, k - by, numbering) };
    match shape {
        Shape::Triangle => smaller(3).into_iter().map(|[i, j, _]| [i + 1, j + 1, 0]).collect(),
        Shape::Tetrahedron => smaller(4).into_iter().map(|position| position.map(|x| x + 1)).collect(),
        Shape::Hexahedron if numbering.nested => smaller(2).into_iter().map(|p| p.map(|x| x + 1)).collect(),
        Shape::Hexahedron => {
            let layer = |l| square_inside(k, numbering).into_iter().map(move |[i, j, _]| [i, j, l]);
            (1..k).flat_map(layer).collect()
        }
        Shape::Prism => {
            let layer = |l| inside(Shape::Triangle, k, numbering).into_iter().map(move |[i, j, _]| [i, j, l]);
            (1..k).flat_map(layer).collect()
        }
        _ => Vec::new(), // pyramids are known to degree 2 only, where nothing is inside
    }
}

/// For each node of the first list, where the second has it.
///
/// # Panics
/// Where the lists are not permutations of each other.
pub(crate) fn permutation(wanted: &[[usize; 3]], found: &[[usize; 3]]) -> Vec<usize> {
    let place = |node| found.iter().position(|other| other == node).expect("both list the nodes of one shape");
    wanted.iter().map(place).collect()
}

/// The nodes of a cell in the order that turns it inside out: its first two axes change places. Lines stay as they are.
pub fn mirrored(shape: Shape, k: usize) -> Vec<usize> {
    let nodes = lattice(shape, k);
    if shape.dim() < 2 {
        return (0..nodes.len()).collect();
    }
    let swapped: Vec<_> = nodes.iter().map(|&[i, j, l]| [j, i, l]).collect();
    permutation(&swapped, &nodes)
}
