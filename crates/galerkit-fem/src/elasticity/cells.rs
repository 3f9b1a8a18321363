//! The cells of a body as elasticity sees them: nodes, the cells around each, and gradients of functions at points of a
//! cell.

use crate::error::{Error, Result};
use crate::form::Tensor;
use crate::mesh::geometry::{Evaluated, cross, dot};
use crate::mesh::volume::rule;
use crate::mesh::{Block, Geometry, Mesh, Shape};

/// Functions of one kind of cells, at the points of rules.
#[derive(Clone, Debug)]
struct Kind {
    /// Which block of the mesh.
    block: usize,
    /// Its first cell, among all cells of the body.
    first: usize,
    /// Exact for stiffness on parallelepipeds and straight simplices.
    points: Vec<(Evaluated, f64)>,
    /// With more points, for data.
    fine: Vec<(Evaluated, f64)>,
    /// At the nodes.
    nodes: Vec<Evaluated>,
}

/// Which points of a cell are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Of the rule for products of gradients.
    Products,
    /// Of the rule for data.
    Data,
    /// The nodes, in their order; without weights.
    Nodes,
}

/// A point of a cell.
pub(super) struct Point<'a> {
    /// Where.
    pub x: [f64; 3],
    /// The weight times the volume there.
    pub weight: f64,
    /// The functions.
    pub values: &'a [f64],
    /// Their gradients.
    pub gradients: &'a [[f64; 3]],
}

/// All cells.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    kinds: Vec<Kind>,
    count: usize,
    /// Where the cells of each node begin.
    start: Vec<usize>,
    around: Vec<u32>,
}

impl Cells {
    pub(super) fn new(mesh: &Mesh) -> Result<Self> {
        let (mut kinds, mut count) = (Vec::new(), 0);
        for (number, block) in mesh.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == 3) {
            kinds.push(Kind::new(block, number, count)?);
            count += block.len();
        }
        let cells = Self { kinds, count, start: vec![0; mesh.points.len() + 1], around: Vec::new() };
        Ok(cells.with_incidence(mesh))
    }

    fn with_incidence(mut self, mesh: &Mesh) -> Self {
        for e in 0..self.count {
            self.nodes(mesh, e).iter().for_each(|&node| self.start[node as usize + 1] += 1);
        }
        (1..self.start.len()).for_each(|i| self.start[i] += self.start[i - 1]);
        let mut next = self.start.clone();
        self.around = vec![0; self.start[self.start.len() - 1]];
        for e in 0..self.count {
            for &node in self.nodes(mesh, e) {
                self.around[next[node as usize]] = e as u32;
                next[node as usize] += 1;
            }
        }
        self
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }
    /// The cells of a node, in ascending order.
    pub(super) fn around(&self, node: usize) -> &[u32] {
        &self.around[self.start[node]..self.start[node + 1]]
    }
    fn kind(&self, e: usize) -> &Kind {
        &self.kinds[self.kinds.partition_point(|kind| kind.first <= e) - 1]
    }
    /// The nodes of a cell.
    pub(super) fn nodes<'a>(&self, mesh: &'a Mesh, e: usize) -> &'a [u32] {
        let kind = self.kind(e);
        let block = &mesh.blocks[kind.block];
        let stride = block.shape.nodes(block.order);
        &block.nodes[(e - kind.first) * stride..][..stride]
    }
    /// The region of a cell.
    pub(super) fn region(&self, mesh: &Mesh, e: usize) -> i32 {
        let kind = self.kind(e);
        mesh.blocks[kind.block].tags[e - kind.first]
    }

    /// Shows points of a cell, one after the other.
    pub(super) fn visit(
        &self,
        mesh: &Mesh,
        e: usize,
        at: At,
        show: &mut dyn FnMut(usize, Point<'_>) -> Result<()>,
    ) -> Result<()> {
        let (kind, nodes) = (self.kind(e), self.nodes(mesh, e));
        let mut gradients = vec![[0.0; 3]; nodes.len()];
        let mut one = |number: usize, functions: &Evaluated, weight: f64| {
            let mapped = functions.map(&mesh.points, nodes);
            let volume = mapped.determinant();
            if at != At::Nodes && (volume.is_nan() || volume <= 0.0) {
                return Err(folded(e));
            }
            let [a, b, c] = mapped.columns;
            let inverse = [cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|x| x / volume)); // J^-1, by rows
            for (gradient, along) in gradients.iter_mut().zip(&functions.gradients) {
                *gradient = std::array::from_fn(|d| (0..3).map(|j| inverse[j][d] * along[j]).sum());
            }
            let (values, gradients) = (&functions.values[..], &gradients[..]);
            show(number, Point { x: mapped.point, weight: weight * volume, values, gradients })
        };
        match at {
            At::Products => kind.points.iter().enumerate().try_for_each(|(k, (f, w))| one(k, f, *w)),
            At::Data => kind.fine.iter().enumerate().try_for_each(|(k, (f, w))| one(k, f, *w)),
            At::Nodes => kind.nodes.iter().enumerate().try_for_each(|(k, f)| one(k, f, 0.0)),
        }
    }
}

impl Kind {
    fn new(block: &Block, number: usize, first: usize) -> Result<Self> {
        let geometry = Geometry::new(block.shape, block.order)?;
        let evaluated = |points: Vec<([f64; 3], f64)>| points.into_iter().map(|(xi, w)| (geometry.at(xi), w)).collect();
        // gradients on straight tetrahedra are constant
        let is_linear = (block.shape, block.order) == (Shape::Tetrahedron, 1);
        let points = if is_linear { vec![(geometry.centre(), 1.0 / 6.0)] } else { rule(block.shape, block.order + 1) };
        Ok(Self {
            block: number,
            first,
            points: evaluated(points),
            fine: evaluated(rule(block.shape, block.order + 3)),
            nodes: geometry.nodes().into_iter().map(|xi| geometry.at(xi)).collect(),
        })
    }
}

fn folded(e: usize) -> Error {
    Error::InvalidMesh { place: format!("cell {e}"), problem: "it is folded or has no volume".into() }
}

/// The derivatives of a displacement, by its values at the nodes.
pub(super) fn derivatives(nodes: &[u32], gradients: &[[f64; 3]], u: &[[f64; 3]]) -> Tensor {
    let mut grad = [[0.0; 3]; 3];
    for (&node, gradient) in nodes.iter().zip(gradients) {
        let u = u[node as usize];
        (0..3).for_each(|i| (0..3).for_each(|j| grad[i][j] += u[i] * gradient[j]));
    }
    grad
}

/// sum a_ij b_ij.
pub(super) fn contracted(a: &Tensor, b: &Tensor) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(*a, *b)).sum()
}
