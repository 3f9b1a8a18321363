//! The map from the reference cell: Kronecker property, exact polynomials, derivatives against differences.

use galerkit_fem::mesh::Shape::{self, Hexahedron, Line, Prism, Pyramid, Quadrilateral, Tetrahedron, Triangle};
use galerkit_fem::mesh::{Block, Geometry, Mesh};

const SHAPES: [Shape; 7] = [Line, Triangle, Quadrilateral, Tetrahedron, Hexahedron, Prism, Pyramid];

fn all() -> impl Iterator<Item = (Shape, usize, Geometry)> {
    let degrees = |shape: Shape| (1..=shape.max_order()).map(move |k| (shape, k, Geometry::new(shape, k).unwrap()));
    SHAPES.into_iter().flat_map(degrees)
}

/// A point in every reference cell that is nothing special.
const XI: [f64; 3] = [0.23, 0.31, 0.17];

#[test]
fn functions_are_one_at_their_node_and_zero_at_the_others() {
    for (shape, k, geometry) in all() {
        for (a, node) in geometry.nodes().into_iter().enumerate() {
            for (b, value) in geometry.at(node).values.into_iter().enumerate() {
                let expected = if a == b { 1.0 } else { 0.0 };
                assert!((value - expected).abs() < 1e-10, "{shape:?} of degree {k}: N_{b} at node {a} is {value}");
            }
        }
    }
}

#[test]
fn polynomials_of_their_degree_are_reproduced() {
    for (shape, k, geometry) in all() {
        let dim = shape.dim();
        let f = |x: [f64; 3]| (0..dim).map(|d| (d + 2) as f64 * x[d]).sum::<f64>().powi(k as i32);
        let at = geometry.at(XI);
        let found: f64 = geometry.nodes().iter().zip(&at.values).map(|(node, value)| f(*node) * value).sum();
        assert!((found - f(XI)).abs() < 1e-11 * f(XI).abs(), "{shape:?} of degree {k}: {found}, not {}", f(XI));
    }
}

#[test]
fn gradients_are_derivatives() {
    const STEP: f64 = 1e-5;
    for (shape, k, geometry) in all() {
        let at = geometry.at(XI);
        for d in 0..3 {
            let moved = |by: f64| {
                let mut xi = XI;
                xi[d] += by;
                geometry.at(xi).values
            };
            for (a, (up, down)) in moved(STEP).into_iter().zip(moved(-STEP)).enumerate() {
                let difference = if d < shape.dim() { (up - down) / (2.0 * STEP) } else { 0.0 };
                assert!((difference - at.gradients[a][d]).abs() < 1e-7, "{shape:?} of degree {k}: N_{a}, axis {d}");
            }
        }
    }
}

#[test]
fn an_affine_cell_has_its_matrix_as_Jacobian() {
    let matrix = [[2.0, 0.5, 0.0], [0.25, 1.5, 0.0], [1.0, -0.5, 3.0]]; // columns
    for (shape, k, geometry) in all() {
        let image = |x: [f64; 3]| [0, 1, 2].map(|d| 7.0 + (0..3).map(|j| matrix[j][d] * x[j]).sum::<f64>());
        let points: Vec<_> = geometry.nodes().into_iter().map(image).collect();
        let cell: Vec<u32> = (0..points.len() as u32).collect();
        let mapped = geometry.at(XI).map(&points, &cell);
        for (found, expected) in mapped.columns.iter().zip(matrix).take(shape.dim()) {
            assert!((0..3).all(|d| (found[d] - expected[d]).abs() < 1e-10), "{shape:?} of degree {k}");
        }
        let expected = [2.0, 2.875, 8.625][shape.dim() - 1];
        assert!((mapped.determinant() - expected).abs() < 1e-9, "{shape:?} of degree {k}: {}", mapped.determinant());
    }
}

#[test]
fn volumes_of_reference_cells_are_exact() {
    for (shape, order, geometry) in all() {
        let points = geometry.nodes();
        let nodes = (0..points.len() as u32).collect();
        let mesh = Mesh { points, blocks: vec![Block { shape, order, nodes, tags: vec![1] }], ..Mesh::default() };
        let expected = match shape {
            Line => 2.0,
            Quadrilateral => 4.0,
            Hexahedron => 8.0,
            Triangle => 0.5,
            Tetrahedron => 1.0 / 6.0,
            Prism => 1.0,
            _ => 4.0 / 3.0,
        };
        let volume = mesh.volumes(shape.dim()).unwrap()[0];
        assert!((volume - expected).abs() < 1e-12, "{shape:?} of degree {order}: {volume}");
    }
}

#[test]
fn degrees_that_are_not_known_are_refused() {
    for (shape, order) in [(Hexahedron, 0), (Hexahedron, 5), (Pyramid, 3)] {
        let error = Geometry::new(shape, order).unwrap_err().to_string();
        assert!(error.contains(&format!("degree {order}")) && error.contains(shape.name()), "{error}");
    }
}

#[test]
fn affine_cells_are_told_from_others() {
    let image = |[x, y, z]: [f64; 3]| [3.0 + 2.0 * x - 0.3 * y, 0.1 * x + y + 0.7 * z, 5.0 * z - x];
    for (shape, order, geometry) in all() {
        let cell: Vec<u32> = (0..shape.nodes(order) as u32).collect();
        let mut points: Vec<_> = geometry.nodes().into_iter().map(image).collect();
        assert!(geometry.is_affine(&points, &cell), "{shape:?} of degree {order}");
        points[0][0] += 1e-6; // another affine cell only where there are no more corners than dimensions and one
        let is_simplex = order == 1 && matches!(shape, Line | Triangle | Tetrahedron);
        assert_eq!(geometry.is_affine(&points, &cell), is_simplex, "{shape:?} of degree {order}");
    }
}
