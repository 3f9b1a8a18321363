//! Meshes and spaces that several tests use: coarse cells turned at random, random refinement, random degrees.

use galerkit_fem::mesh::{Block, Mesh, Shape};
use galerkit_fem::{Forest, Space, domain};
use galerkit_linalg::random::Random;

const AROUND: [usize; 8] = [0, 1, 3, 2, 4, 5, 7, 6]; // of VTK's corners, by the ends of the axes

/// The same mesh with the axes of each cell turned at random.
pub fn rotated(mesh: &Mesh, random: &mut Random) -> Mesh {
    let mut mesh = mesh.clone();
    let dim = mesh.dim();
    let corners = 1 << dim;
    let body = mesh.blocks.iter_mut().find(|block| block.shape.dim() == dim).unwrap();
    for nodes in body.nodes.chunks_exact_mut(corners) {
        let mut axes: Vec<usize> = random.shuffled(dim).iter().map(|&a| a as usize).collect();
        let flip: Vec<bool> = (0..dim).map(|_| random.below(2) == 1).collect();
        let inversions = (0..dim).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| axes[j] > axes[i]).count();
        let mut flip = flip;
        if (inversions + flip.iter().filter(|&&flip| flip).count()) % 2 == 1 {
            flip[0] = !flip[0]; // or the cell would be inverted
        }
        let old: Vec<u32> = (0..corners).map(|c| nodes[AROUND[c]]).collect();
        for c in 0..corners {
            let from = (0..dim).fold(0, |from, a| from | ((c >> a & 1) ^ usize::from(flip[a])) << axes[a]);
            nodes[AROUND[c]] = old[from];
        }
        axes.clear();
    }
    mesh
}

/// The same mesh with its points numbered at random.
pub fn shuffle_points(mesh: &Mesh, random: &mut Random) -> Mesh {
    let mut mesh = mesh.clone();
    let order = random.shuffled(mesh.points.len());
    let old = mesh.points.clone();
    order.iter().enumerate().for_each(|(from, &to)| mesh.points[to as usize] = old[from]);
    mesh.blocks.iter_mut().flat_map(|block| &mut block.nodes).for_each(|node| *node = order[*node as usize]);
    mesh
}

/// A corner domain with turned cells and points in random order, some of its cells cut, `rounds` times.
pub fn random_forest(dim: usize, rounds: usize, random: &mut Random) -> Forest {
    let mesh = if dim == 2 { domain::lshape(1) } else { domain::fichera(1) };
    let mesh = rotated(&mesh, random);
    let mut forest = Forest::new(&shuffle_points(&mesh, random)).unwrap();
    for _ in 0..rounds {
        let e = random.below(forest.cells().len());
        forest.refine(&[e]).unwrap();
    }
    forest
}

/// Random degrees from 1 to `most`.
pub fn random_degrees(forest: &Forest, most: usize, random: &mut Random) -> Vec<usize> {
    forest.cells().iter().map(|_| 1 + random.below(most)).collect()
}

/// A random space on a random forest.
pub fn random_space(dim: usize, rounds: usize, most: usize, dirichlet: &[i32], random: &mut Random) -> Space {
    let forest = random_forest(dim, rounds, random);
    let degrees = random_degrees(&forest, most, random);
    Space::new(forest, &degrees, dirichlet).unwrap()
}

/// A quarter of the ring between the radii 1 and 2 as one cell of order k; axis 0 is the radius, axis 1 the angle. Its
/// outer arc has tag 2, the rest of its boundary tag 1.
pub fn quarter_ring(k: usize) -> Mesh {
    let at = |i: usize, j: usize| {
        let (r, angle) = (1.0 + i as f64 / k as f64, 0.5 * std::f64::consts::PI * j as f64 / k as f64);
        [r * angle.cos(), r * angle.sin(), 0.0]
    };
    let mut lattice = vec![[0, 0], [k, 0], [k, k], [0, k]];
    lattice.extend((1..k).map(|i| [i, 0]));
    lattice.extend((1..k).map(|j| [k, j]));
    lattice.extend((1..k).map(|i| [i, k]));
    lattice.extend((1..k).map(|j| [0, j]));
    lattice.extend((1..k).flat_map(|j| (1..k).map(move |i| [i, j])));
    let points: Vec<[f64; 3]> = lattice.iter().map(|&[i, j]| at(i, j)).collect();
    let nodes = (0..points.len() as u32).collect();
    let body = Block { shape: Shape::Quadrilateral, order: k, nodes, tags: vec![0] };
    let sides = Block { shape: Shape::Line, order: 1, nodes: vec![0, 1, 1, 2, 2, 3, 3, 0], tags: vec![1, 2, 1, 1] };
    Mesh { points, blocks: vec![body, sides], ..Mesh::default() }
}

/// A mesh of one unit cube as a cell of order k, its points in the order of VTK's Lagrange hexahedron; the boundary
/// stays as it was.
pub fn raised(cube: &Mesh, k: usize) -> Mesh {
    let corner = |c: usize| cube.points[cube.blocks[0].nodes[c] as usize].map(|x| (k as f64 * x) as usize);
    let between = |a: [usize; 3], b: [usize; 3], m: usize| [0, 1, 2].map(|d| (a[d] * (k - m) + b[d] * m) / k);
    let edges = [[0, 1], [1, 2], [3, 2], [0, 3], [4, 5], [5, 6], [7, 6], [4, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
    let faces = [[0, 3, 4], [1, 2, 5], [0, 1, 4], [3, 2, 7], [0, 1, 3], [4, 5, 7]]; // origin, first axis, second axis
    let mut lattice: Vec<[usize; 3]> = (0..8).map(corner).collect();
    for [a, b] in edges {
        lattice.extend((1..k).map(|m| between(corner(a), corner(b), m)));
    }
    for [o, a, b] in faces {
        let on_face = |i: usize, j: usize| {
            let (first, second) = (between(corner(o), corner(a), i), between(corner(o), corner(b), j));
            [0, 1, 2].map(|d| first[d] + second[d] - corner(o)[d])
        };
        lattice.extend((1..k).flat_map(|j| (1..k).map(move |i| (i, j))).map(|(i, j)| on_face(i, j)));
    }
    let inner = || 1..k;
    lattice.extend(inner().flat_map(|z| inner().flat_map(move |y| inner().map(move |x| [x, y, z]))));
    let points: Vec<[f64; 3]> = lattice.iter().map(|at| at.map(|x| x as f64 / k as f64)).collect();
    // The corners come first, so the boundary finds them again in the order of the cell.
    let renumber = |node: &u32| cube.blocks[0].nodes.iter().position(|corner| corner == node).unwrap() as u32;
    let sides = Block { nodes: cube.blocks[1].nodes.iter().map(renumber).collect(), ..cube.blocks[1].clone() };
    let body = Block { shape: Shape::Hexahedron, order: k, nodes: (0..points.len() as u32).collect(), tags: vec![0] };
    Mesh { points, blocks: vec![body, sides], ..Mesh::default() }
}
