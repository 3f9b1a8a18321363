//! Where the points of a cell of order k lie on its lattice, in the order of VTK's Lagrange cells: corners, edges,
//! faces, interior.

/// Lattice coordinates, from 0 to k, of each point of a quadrilateral or a hexahedron.
pub(super) fn lattice(dim: usize, k: usize) -> Vec<[usize; 3]> {
    let around = [[0, 0], [k, 0], [k, k], [0, k]];
    let mut points = Vec::new();
    let heights: &[usize] = if dim == 3 { &[0, k] } else { &[0] };
    heights.iter().for_each(|&z| points.extend(around.map(|[x, y]| [x, y, z])));
    for &z in heights {
        points.extend((1..k).map(|i| [i, 0, z]));
        points.extend((1..k).map(|j| [k, j, z]));
        points.extend((1..k).map(|i| [i, k, z]));
        points.extend((1..k).map(|j| [0, j, z]));
    }
    let inner = || (1..k).flat_map(move |slow| (1..k).map(move |fast| (fast, slow)));
    if dim == 2 {
        points.extend(inner().map(|(i, j)| [i, j, 0]));
        return points;
    }
    around.iter().for_each(|&[x, y]| points.extend((1..k).map(|z| [x, y, z])));
    [0, k].iter().for_each(|&x| points.extend(inner().map(|(y, z)| [x, y, z])));
    [0, k].iter().for_each(|&y| points.extend(inner().map(|(x, z)| [x, y, z])));
    [0, k].iter().for_each(|&z| points.extend(inner().map(|(x, y)| [x, y, z])));
    points.extend((1..k).flat_map(|z| inner().map(move |(x, y)| [x, y, z])));
    points
}
