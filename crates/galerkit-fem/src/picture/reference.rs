//! Pieces of reference cells: the triangles that a side is cut into, the tetrahedra that an interior is cut into, and
//! which of their edges and faces lie on edges and faces of the cell.

use crate::error::Result;
use crate::mesh::facets::{facet_shape, facets};
use crate::mesh::generate::kuhn;
use crate::mesh::subdivide::Subdivision;
use crate::mesh::{Geometry, Shape};

/// Triangles of a side of a cell, or of a plane cell.
pub struct Sheet {
    /// Their corners in the reference cell.
    pub points: Vec<[f64; 3]>,
    /// Corners by number.
    pub triangles: Vec<[usize; 3]>,
    /// Whether the edge opposite each corner lies on an edge of the cell.
    pub outlined: Vec<[bool; 3]>,
}

/// Tetrahedra of a solid cell.
pub struct Filling {
    /// Their corners in the reference cell.
    pub points: Vec<[f64; 3]>,
    /// Corners by number.
    pub tetrahedra: Vec<[usize; 4]>,
    /// Whether the face opposite each corner lies on a face of the cell.
    pub outlined: Vec<[bool; 4]>,
}

/// Bits of the facets of a reference cell that a point lies on. Which bit is which does not matter: points with a
/// common bit have a common facet.
fn facets_at(shape: Shape, [x, y, z]: [f64; 3]) -> u8 {
    let bits = |distances: &[f64]| {
        distances.iter().enumerate().fold(0, |bits, (i, distance)| bits | u8::from(distance.abs() < 1e-9) << i)
    };
    match shape {
        Shape::Vertex | Shape::Line => 0,
        Shape::Triangle => bits(&[x, y, 1.0 - x - y]),
        Shape::Tetrahedron => bits(&[x, y, z, 1.0 - x - y - z]),
        Shape::Quadrilateral => bits(&[1.0 - x, 1.0 + x, 1.0 - y, 1.0 + y]),
        Shape::Hexahedron => bits(&[1.0 - x, 1.0 + x, 1.0 - y, 1.0 + y, 1.0 - z, 1.0 + z]),
        Shape::Prism => bits(&[x, y, 1.0 - x - y, 1.0 - z, 1.0 + z]),
        Shape::Pyramid => bits(&[z, 1.0 - z - x, 1.0 - z + x, 1.0 - z - y, 1.0 - z + y]),
    }
}

impl Sheet {
    /// A plane shape cut n times along each edge.
    pub fn of_shape(shape: Shape, n: usize) -> Self {
        let division = Subdivision::new(shape, n);
        let corners: Vec<usize> = division.cells.iter().map(|&corner| corner as usize).collect();
        let halves: &[[usize; 3]] = if shape == Shape::Triangle { &[[0, 1, 2]] } else { &[[0, 1, 2], [0, 2, 3]] };
        let pieces = corners.chunks_exact(shape.corners());
        let triangles: Vec<_> = pieces.flat_map(|piece| halves.iter().map(|half| half.map(|c| piece[c]))).collect();
        let bits: Vec<u8> = division.points.iter().map(|&xi| facets_at(shape, xi)).collect();
        let shared = |a: usize, b: usize| bits[a] & bits[b] != 0;
        let outlined = triangles.iter().map(|&[a, b, c]| [shared(b, c), shared(c, a), shared(a, b)]).collect();
        Self { points: division.points, triangles, outlined }
    }

    /// A side of a solid shape, its points in the reference cell of the solid.
    ///
    /// # Errors
    /// None for known shapes.
    pub fn of_side(shape: Shape, side: usize, n: usize) -> Result<Self> {
        let corners = facets(shape)[side];
        let nodes = Geometry::new(shape, 1)?.nodes();
        let functions = Geometry::new(facet_shape(corners.len()), 1)?;
        let mut sheet = Self::of_shape(facet_shape(corners.len()), n);
        for point in &mut sheet.points {
            let weights = functions.at(*point).values;
            let coordinate = |d: usize| corners.iter().zip(&weights).map(|(&c, weight)| weight * nodes[c][d]).sum();
            *point = [0, 1, 2].map(coordinate);
        }
        Ok(sheet)
    }
}

impl Filling {
    /// A solid shape cut n times along each edge.
    pub fn of_shape(shape: Shape, n: usize) -> Self {
        let division = Subdivision::new(shape, n);
        let corners: Vec<usize> = division.cells.iter().map(|&corner| corner as usize).collect();
        let parts: &[[usize; 4]] = match shape {
            Shape::Hexahedron => &kuhn::TETRAHEDRA,
            Shape::Prism => &[[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]],
            Shape::Pyramid => &[[0, 1, 2, 4], [0, 2, 3, 4]],
            _ => &[[0, 1, 2, 3]],
        };
        let pieces = corners.chunks_exact(shape.corners());
        let tetrahedra: Vec<_> = pieces.flat_map(|piece| parts.iter().map(|part| part.map(|c| piece[c]))).collect();
        let bits: Vec<u8> = division.points.iter().map(|&xi| facets_at(shape, xi)).collect();
        let shared = |a: usize, b: usize, c: usize| bits[a] & bits[b] & bits[c] != 0;
        let faces = |&[a, b, c, d]: &[usize; 4]| [shared(b, c, d), shared(a, c, d), shared(a, b, d), shared(a, b, c)];
        let outlined = tetrahedra.iter().map(faces).collect();
        Self { points: division.points, tetrahedra, outlined }
    }
}
