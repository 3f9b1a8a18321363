//! The functions of a mesh of triangles or tetrahedra, numbered. A node is named by the corners around it and its
//! weights there, so all cells around it agree without looking at orientations.

use super::cells::{BoundaryFacet, Cells};
use super::functions::{Functions, Order};
use super::lagrange::{Barycentric, MAX_DEGREE, nodes};
use super::map::Map;
use super::reference::Integrals;
use super::rule::{Sample, rule};
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::key_map::KeyMap;
use crate::mesh::Mesh;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Continuous functions that are polynomials of degree k on each cell, in its barycentric coordinates.
#[derive(Clone, Debug)]
pub struct SimplexSpace {
    kind: Functions,
    degree: usize,
    cells: Cells,
    orders: Vec<Order>,
    order_of: Vec<u8>,
    local_nodes: Vec<[u8; 4]>,
    functions: Vec<u32>,
    fixed_by: Vec<(i32, Point)>, // of the nodes that follow the unknowns: tag and place
    unknowns: usize,
    boundary: Vec<BoundaryFacet>,
    integrals: OnceLock<Vec<Integrals>>, // by order, when they are first asked for
}

impl SimplexSpace {
    /// The space of degree 1 to 4 on a mesh with Lagrange functions; those on boundary pieces with the tags in
    /// `dirichlet` are fixed.
    pub fn new(mesh: &Mesh, degree: usize, dirichlet: &[i32]) -> Result<Self> {
        Self::with_functions(mesh, degree, Functions::Lagrange, dirichlet)
    }

    /// The same space with functions of another kind.
    pub fn with_functions(mesh: &Mesh, degree: usize, kind: Functions, dirichlet: &[i32]) -> Result<Self> {
        if !(1..=MAX_DEGREE).contains(&degree) {
            return Err(Error::InvalidDegree { cell: 0, degree, limit: MAX_DEGREE });
        }
        let cells = Cells::new(mesh)?;
        let boundary = cells.boundary(mesh)?;
        let known: BTreeMap<i32, ()> = boundary.iter().map(|facet| (facet.tag, ())).collect();
        if let Some(&tag) = dirichlet.iter().find(|tag| !known.contains_key(tag)) {
            return Err(Error::NoSuchTag { tag, known: known.into_keys().collect() });
        }
        let of_cells: Vec<Order> = (0..cells.len()).map(|e| kind.order(cells.corners(e))).collect();
        let mut orders = of_cells.clone();
        orders.sort_unstable();
        orders.dedup();
        let order_of = of_cells.iter().map(|order| orders.partition_point(|other| other < order) as u8).collect();
        let local_nodes = nodes(cells.dim, degree);
        let (functions, fixed_by, unknowns, integrals) = (Vec::new(), Vec::new(), 0, OnceLock::new());
        let mut space = Self {
            kind,
            degree,
            cells,
            orders,
            order_of,
            local_nodes,
            functions,
            fixed_by,
            unknowns,
            boundary,
            integrals,
        };
        space.number(dirichlet)?;
        Ok(space)
    }
    /// 2 or 3.
    pub fn dim(&self) -> usize {
        self.cells.dim
    }
    /// k.
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// Which functions it has.
    pub fn kind(&self) -> Functions {
        self.kind
    }
    /// The highest degree of its cells' geometry, 1 if all are straight.
    pub fn geometry_order(&self) -> usize {
        self.cells.order
    }
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }
    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }
    /// How many functions there are.
    pub fn dimension(&self) -> usize {
        self.unknowns + self.fixed_by.len()
    }
    /// The nodes of a cell: k times their barycentric coordinates.
    pub fn local_nodes(&self) -> &[[u8; 4]] {
        &self.local_nodes
    }
    /// The global functions of cell e.
    pub fn functions(&self, e: usize) -> &[u32] {
        let n = self.local_nodes.len();
        &self.functions[e * n..(e + 1) * n]
    }
    /// The orders of corners that cells have.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }
    /// The number of cell e's order among them.
    pub fn order_of(&self, e: usize) -> usize {
        self.order_of[e] as usize
    }
    /// The functions of cell e at a point of it, and their derivatives by its barycentric coordinates.
    pub fn functions_at(&self, e: usize, lambda: &Barycentric) -> Vec<(f64, Barycentric)> {
        self.kind.at(&self.local_nodes, self.degree, &self.orders[self.order_of(e)], lambda)
    }
    /// The functions at the points of a rule with n points in each direction.
    pub fn tabulated(&self, n: usize) -> Vec<Sample> {
        let sample = |(lambda, weight): (Barycentric, f64)| {
            let of = |order| self.kind.at(&self.local_nodes, self.degree, order, &lambda);
            Sample { lambda, weight, functions: self.orders.iter().map(of).collect() }
        };
        rule(self.dim(), n).into_iter().map(sample).collect()
    }
    /// The integrals of cell e's functions over the reference simplex, if it is straight.
    pub fn integrals(&self, e: usize) -> Option<&Integrals> {
        let of = || Integrals::of(self.dim(), self.local_nodes.len(), &self.tabulated(self.degree + 2));
        (self.geometry_order() == 1).then(|| &self.integrals.get_or_init(of)[self.order_of(e)])
    }
    /// The corners of cell e.
    pub fn corners(&self, e: usize) -> &[u32] {
        self.cells.corners(e)
    }
    /// The region of cell e.
    pub fn region(&self, e: usize) -> i32 {
        self.cells.regions[e]
    }
    /// Tags and places of the fixed nodes, which follow the unknowns.
    pub fn fixed(&self) -> &[(i32, Point)] {
        &self.fixed_by
    }
    /// Facets on the boundary.
    pub fn boundary(&self) -> &[BoundaryFacet] {
        &self.boundary
    }
    /// The map of cell e.
    pub fn map(&self, e: usize) -> Map<'_> {
        self.cells.map(e)
    }
    /// The barycentric coordinates of a local node.
    pub fn place(&self, node: &[u8; 4]) -> Barycentric {
        node.map(|weight| f64::from(weight) / self.degree as f64)
    }

    fn number(&mut self, dirichlet: &[i32]) -> Result<()> {
        let mut fixed = KeyMap::default();
        for &wanted in dirichlet.iter().rev() {
            for facet in self.boundary.iter().filter(|facet| facet.tag == wanted) {
                let on_facet = self.local_nodes.iter().filter(|node| node[facet.opposite] == 0);
                on_facet.for_each(|node| _ = fixed.insert(key(self.corners(facet.cell), node), wanted));
            }
        }
        const FIXED: u32 = 1 << 31;
        let is_inside = |node: &[u8; 4]| node[..=self.dim()].iter().all(|weight| *weight > 0); // no other cell has it
        let (mut numbers, mut fixed_by, mut unknowns) = (KeyMap::default(), Vec::new(), 0);
        let mut functions = Vec::with_capacity(self.cells() * self.local_nodes.len());
        for e in 0..self.cells() {
            for node in &self.local_nodes {
                let known = if is_inside(node) { None } else { Some(key(self.corners(e), node)) };
                let number = match known.and_then(|key| numbers.get(&key).copied()) {
                    Some(number) => number,
                    None => match known.and_then(|key| fixed.get(&key)) {
                        Some(&tag) => {
                            fixed_by.push((tag, self.map(e).at(&self.place(node))?.point));
                            FIXED + fixed_by.len() as u32 - 1
                        }
                        None => {
                            unknowns += 1;
                            unknowns - 1
                        }
                    },
                };
                known.map(|key| numbers.insert(key, number));
                functions.push(number);
            }
        }
        let shifted = |number: u32| if number < FIXED { number } else { number - FIXED + unknowns };
        self.functions = functions.into_iter().map(shifted).collect();
        (self.fixed_by, self.unknowns) = (fixed_by, unknowns as usize);
        Ok(())
    }
}

/// The name of a node on the boundary of its cell: the corners around it, at most three, and its weights there.
fn key(corners: &[u32], node: &[u8; 4]) -> [u64; 2] {
    let mut around = [(u32::MAX, 0); 3];
    let weighted = corners.iter().zip(node).filter(|(_, weight)| **weight > 0);
    weighted.zip(&mut around).for_each(|((&corner, &weight), around)| *around = (corner, weight));
    around.sort_unstable();
    let [(a, at_a), (b, at_b), (c, at_c)] = around.map(|(corner, weight)| (u64::from(corner), u64::from(weight)));
    [a << 32 | b, c << 32 | at_a << 16 | at_b << 8 | at_c]
}
