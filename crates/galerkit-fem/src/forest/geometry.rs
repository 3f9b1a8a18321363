//! The map from reference coordinates to points: affine where the coarse cell is a parallelepiped, otherwise Lagrange
//! interpolation of its points (trilinear, or isoparametric of its order).

use super::cell::Cell;
use crate::basis::dense::Dense;
use crate::basis::tensor::Tensor;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use crate::mesh::lattice::lattice;
use galerkit_linalg::parallel;

/// A point in space; in the plane the third coordinate is 0.
pub type Point = [f64; 3];
/// Derivatives of a map: entry (i, a) is that of coordinate i along reference axis a. In the plane the third row and
/// column are the identity's.
pub type Jacobian = [[f64; 3]; 3];

/// The highest order of Lagrange interpolation that meshes have.
const HIGHEST_ORDER: usize = 4;

/// Relative distance of points to an affine map that counts as rounding.
const AFFINE: f64 = 1e-12;

/// The map of each coarse cell.
#[derive(Clone, Debug)]
pub struct Geometry {
    dim: usize,
    trees: Vec<TreeMap>,
}

#[derive(Clone, Debug)]
enum TreeMap {
    Affine { origin: Point, A: Jacobian },
    Lagrange { k: usize, nodes: Vec<Point> }, // on the lattice, last axis fastest
}

/// The map of a cell from [-1, 1]^d.
#[derive(Clone, Copy, Debug)]
pub struct CellMap<'a> {
    tree: &'a TreeMap,
    dim: usize,
    start: Point,
    step: f64, // length of the cell's edge in its tree
}

impl Geometry {
    /// The maps of the cells of a mesh; inverted and degenerate cells are refused by number.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let dim = mesh.dim();
        let mut trees = Vec::new();
        for block in mesh.blocks_of(dim) {
            let (order, each) = (lattice(block.shape, block.order), block.shape.nodes(block.order));
            let nodes = |e: usize| &block.nodes[e * each..][..each];
            let of_cell = |e: usize| TreeMap::new(dim, block.order, &order, &mesh.points, nodes(e));
            trees.extend(parallel::values(block.len(), &of_cell));
        }
        let geometry = Self { dim, trees };
        parallel::try_values(geometry.trees.len(), &|tree| geometry.check(tree))?; // many points of each curved cell
        Ok(geometry)
    }

    /// The map of a cell.
    pub fn of(&self, cell: &Cell) -> CellMap<'_> {
        let step = 1.0 / f64::from(1u32 << cell.level);
        let start = cell.place.map(|x| f64::from(x) * step);
        CellMap { tree: &self.trees[cell.tree as usize], dim: self.dim, start, step }
    }

    /// Whether the edges of a tree are not straight, so that its corners do not tell where they are.
    pub fn is_curved(&self, tree: u32) -> bool {
        matches!(self.trees[tree as usize], TreeMap::Lagrange { k: 2.., .. })
    }

    fn check(&self, tree: usize) -> Result<()> {
        let map = self.of(&Cell::root(tree as u32));
        let TreeMap::Lagrange { k, nodes } = map.tree else { return map.check(tree, [0.0; 3]) };
        let at = |i: usize| i as f64 / *k as f64 - 1.0; // twice as fine as the lattice of the nodes
        let count = [0, 1, 2].map(|a| if a < self.dim { 2 * k + 1 } else { 1 });
        let found = jacobians(self.dim, *k, nodes);
        for place in (0..found.len()).filter(|&place| !is_regular(&found[place], self.dim)) {
            let [i, j, l] = [place / (count[1] * count[2]), place / count[2] % count[1], place % count[2]];
            map.check(tree, [at(i), at(j), at(l)])?;
        }
        Ok(())
    }
}

/// Derivatives on a lattice twice as fine as that of the nodes, axis by axis; the last is the fastest.
fn jacobians(dim: usize, k: usize, nodes: &[Point]) -> Vec<Jacobian> {
    let lines: Vec<_> = (0..=2 * k).map(|i| lagrange(k, i as f64 / (2 * k) as f64)).collect();
    let table = |of: fn(&Line) -> &[f64]| Dense::new(2 * k + 1, k + 1, |q, i| of(&lines[q])[i]);
    let tables = [table(|line| &line.0), table(|line| &line.1)];
    let flat = [[0.0; 3], [0.0; 3], [0.0, 0.0, if dim == 2 { 1.0 } else { 0.0 }]];
    let mut all = vec![flat; lines.len().pow(dim as u32)];
    for c in 0..dim {
        let x = Tensor::cube(dim, k + 1, nodes.iter().map(|x| x[c]).collect());
        for a in 0..dim {
            let slopes = x.along_each((0..dim).map(|axis| &tables[usize::from(axis == a)]));
            all.iter_mut().zip(&slopes.val).for_each(|(J, slope)| J[c][a] = *slope);
        }
    }
    all
}

/// Whether a cell with these derivatives has a volume there.
fn is_regular(J: &Jacobian, dim: usize) -> bool {
    let size = J.iter().take(dim).flatten().fold(0.0f64, |most, j| most.max(j.abs()));
    determinant(J) > 1e-14 * size.powi(dim as i32)
}

impl TreeMap {
    fn new(dim: usize, k: usize, order: &[[usize; 3]], points: &[Point], nodes: &[u32]) -> Self {
        let length = |a: usize| if a < dim { k + 1 } else { 1 };
        let mut placed = vec![[0.0; 3]; nodes.len()];
        for (&[x, y, z], &node) in order.iter().zip(nodes) {
            placed[(x * length(1) + y) * length(2) + z] = points[node as usize];
        }
        let at = |x: usize, y: usize, z: usize| placed[(x * length(1) + y) * length(2) + z];
        let origin = at(0, 0, 0);
        let ends = [at(k, 0, 0), at(0, k, 0), if dim == 3 { at(0, 0, k) } else { origin }];
        let mut A = [[0.0; 3]; 3];
        (0..3).for_each(|i| (0..3).for_each(|a| A[i][a] = ends[a][i] - origin[i]));
        if dim == 2 {
            A[2] = [0.0, 0.0, 1.0];
        }
        let size = A.iter().flatten().fold(0.0f64, |most, a| most.max(a.abs()));
        let is_affine = order.iter().zip(nodes).all(|(lattice, &node)| {
            let xi = lattice.map(|x| x as f64 / k as f64);
            (0..dim).all(|i| (affine(&origin, &A, &xi)[i] - points[node as usize][i]).abs() <= AFFINE * size)
        });
        if is_affine { Self::Affine { origin, A } } else { Self::Lagrange { k, nodes: placed } }
    }

    /// Point and derivatives at coordinates in [0, 1]^d.
    fn at(&self, dim: usize, xi: &Point) -> (Point, Jacobian) {
        let (k, nodes) = match self {
            Self::Affine { origin, A } => return (affine(origin, A, xi), *A),
            Self::Lagrange { k, nodes } => (*k, nodes),
        };
        let line = |a: usize| if a < dim { lagrange(k, xi[a]) } else { lagrange(0, 0.0) };
        let lines = [line(0), line(1), line(2)];
        let length = |a: usize| if a < dim { k + 1 } else { 1 };
        let (mut point, mut J) = ([0.0; 3], [[0.0; 3]; 3]);
        let mut node = nodes.iter();
        for i in 0..length(0) {
            for j in 0..length(1) {
                for l in 0..length(2) {
                    let x = node.next().expect("a point for each place of the lattice");
                    let (u, v, w) = (lines[0].0[i], lines[1].0[j], lines[2].0[l]);
                    let slopes = [lines[0].1[i] * v * w, u * lines[1].1[j] * w, u * v * lines[2].1[l]];
                    for c in 0..dim {
                        point[c] += u * v * w * x[c];
                        (0..dim).for_each(|a| J[c][a] += slopes[a] * x[c]);
                    }
                }
            }
        }
        if dim == 2 {
            J[2][2] = 1.0;
        }
        (point, J)
    }
}

fn affine(origin: &Point, A: &Jacobian, xi: &Point) -> Point {
    [0, 1, 2].map(|i| origin[i] + A[i][0] * xi[0] + A[i][1] * xi[1] + A[i][2] * xi[2])
}

/// Values and derivatives of the functions of an axis.
type Line = ([f64; HIGHEST_ORDER + 1], [f64; HIGHEST_ORDER + 1]);

/// The Lagrange polynomials of the points 0, 1/k, ..., 1 and their derivatives.
fn lagrange(k: usize, x: f64) -> Line {
    let at = |i: usize| i as f64 / k as f64;
    let others = |i: usize| (0..=k).filter(move |&j| j != i);
    let value = |i: usize| -> f64 { others(i).map(|j| (x - at(j)) / (at(i) - at(j))).product() };
    let slope = |i: usize| {
        let term = |m: usize| {
            let rest: f64 = others(i).filter(|&j| j != m).map(|j| (x - at(j)) / (at(i) - at(j))).product();
            rest / (at(i) - at(m))
        };
        others(i).map(term).sum::<f64>()
    };
    let mut line = ([0.0; HIGHEST_ORDER + 1], [0.0; HIGHEST_ORDER + 1]);
    (0..=k).for_each(|i| (line.0[i], line.1[i]) = (value(i), slope(i)));
    line
}

impl CellMap<'_> {
    /// Point and derivatives at reference coordinates in [-1, 1]^d.
    pub fn at(&self, t: &Point) -> (Point, Jacobian) {
        let mut xi = [0.0; 3];
        (0..self.dim).for_each(|a| xi[a] = self.start[a] + 0.5 * self.step * (t[a] + 1.0));
        let (point, mut J) = self.tree.at(self.dim, &xi);
        let scale = 0.5 * self.step;
        J.iter_mut().for_each(|row| row[..self.dim].iter_mut().for_each(|slope| *slope *= scale));
        (point, J)
    }
    /// Whether its derivatives are the same everywhere.
    pub fn is_affine(&self) -> bool {
        matches!(self.tree, TreeMap::Affine { .. })
    }
    /// Whether it is the polynomial of first degree in each coordinate that its corners determine.
    pub fn is_of_corners(&self) -> bool {
        !matches!(self.tree, TreeMap::Lagrange { k: 2.., .. })
    }
    /// The corner at the given ends of the axes.
    pub fn corner(&self, high: [bool; 3]) -> Point {
        self.at(&high.map(|high| if high { 1.0 } else { -1.0 })).0
    }
    /// Reference coordinates of a point, by Newton's method; none if it does not converge. Outside of the cell they
    /// exceed 1.
    pub fn inverse(&self, point: &Point) -> Option<Point> {
        let mut t = [0.0; 3];
        for _ in 0..50 {
            let (x, J) = self.at(&t);
            let (_, inverse) = inverted(&J)?;
            let miss = [0, 1, 2].map(|i| if i < self.dim { point[i] - x[i] } else { 0.0 });
            let step = [0, 1, 2].map(|a| (0..3).map(|i| inverse[a][i] * miss[i]).sum::<f64>());
            (0..self.dim).for_each(|a| t[a] += step[a]);
            let length = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
            if length < 1e-13 || (self.is_affine() && length.is_finite()) {
                return Some(t);
            }
            if t.iter().any(|t| t.is_nan() || t.abs() > 1e6) {
                return None;
            }
        }
        None
    }

    fn check(&self, tree: usize, t: Point) -> Result<()> {
        let (point, J) = self.at(&t);
        if is_regular(&J, self.dim) {
            return Ok(());
        }
        let volume = determinant(&J);
        let problem = if volume < 0.0 { "is inverted: turn its corners around" } else { "is degenerate" };
        let problem = format!("{problem} (Jacobian {volume:e} at {point:?})");
        Err(Error::InvalidMesh { place: format!("cell {tree}"), problem })
    }
}

/// The determinant of derivatives.
pub fn determinant(J: &Jacobian) -> f64 {
    let [a, b, c] = J;
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Determinant and inverse; none where it vanishes.
pub fn inverted(J: &Jacobian) -> Option<(f64, Jacobian)> {
    let volume = determinant(J);
    let minor = |i: usize, j: usize| {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1]
    };
    let inverse = [0, 1, 2].map(|a| [0, 1, 2].map(|i| minor(i, a) / volume));
    (volume != 0.0 && volume.is_finite()).then_some((volume, inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Axis by axis and all at once are the same derivatives, in the plane and in space.
    #[test]
    fn derivatives_on_the_finer_lattice_are_those_of_the_map() {
        for (dim, k) in [(2, 3), (3, 2), (3, 3)] {
            let side = |a: usize| if a < dim { k + 1 } else { 1 };
            let place =
                |i: usize| [i / (side(1) * side(2)), i / side(2) % side(1), i % side(2)].map(|x| x as f64 / k as f64);
            let bent =
                |x: Point| [x[0] + 0.1 * x[1] * x[1], x[1] - 0.2 * x[0] * x[2], x[2] + 0.1 * x[0].powi(k as i32)];
            let flat = |x: Point| if dim == 2 { [x[0], x[1], 0.0] } else { x };
            let nodes: Vec<Point> = (0..side(0) * side(1) * side(2)).map(|i| flat(bent(place(i)))).collect();
            let tree = TreeMap::Lagrange { k, nodes: nodes.clone() };
            let fine = |a: usize| if a < dim { 2 * k + 1 } else { 1 };
            for (i, J) in jacobians(dim, k, &nodes).iter().enumerate() {
                let at =
                    [i / (fine(1) * fine(2)), i / fine(2) % fine(1), i % fine(2)].map(|x| x as f64 / (2 * k) as f64);
                let expected = tree.at(dim, &at).1;
                let apart = |a: usize, b: usize| (J[a][b] - expected[a][b]).abs();
                assert!((0..9).all(|ab| apart(ab / 3, ab % 3) < 1e-12), "degree {k} in {dim}D at {at:?}");
            }
        }
    }
}
