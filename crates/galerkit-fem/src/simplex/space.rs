//! The nodes of a mesh of triangles or tetrahedra. A node is named by the corners around it and its weights there, so
//! all cells around it agree without looking at orientations.

use super::affine::Affine;
use super::lagrange::{MAX_DEGREE, nodes};
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::mesh::{Mesh, Shape, UNTAGGED};
use std::collections::{BTreeMap, HashMap};

/// Corners and weights of a node, by corner.
type Name = [(u32, u8); 4];

/// A facet on the boundary: cell, the corner opposite to it, tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryFacet {
    /// The cell.
    pub cell: usize,
    /// The corner that is not on it.
    pub opposite: usize,
    /// The tag.
    pub tag: i32,
}

/// Continuous functions that are polynomials of degree k on each cell.
#[derive(Clone, Debug)]
pub struct LagrangeSpace {
    dim: usize,
    degree: usize,
    points: Vec<Point>,
    cells: Vec<Vec<u32>>,
    regions: Vec<i32>,
    local_nodes: Vec<[u8; 4]>,
    functions: Vec<u32>,
    fixed_by: Vec<(i32, Point)>, // of the nodes that follow the unknowns: tag and place
    unknowns: usize,
    boundary: Vec<BoundaryFacet>,
}

impl LagrangeSpace {
    /// The space of degree 1 to 4 on a mesh; nodes on boundary pieces with the tags in `dirichlet` are fixed.
    pub fn new(mesh: &Mesh, degree: usize, dirichlet: &[i32]) -> Result<Self> {
        if !(1..=MAX_DEGREE).contains(&degree) {
            return Err(Error::InvalidDegree { cell: 0, degree, limit: MAX_DEGREE });
        }
        let (dim, cells, regions) = simplices(mesh)?;
        let boundary = boundary(mesh, dim, &cells)?;
        let known: BTreeMap<i32, ()> = boundary.iter().map(|facet| (facet.tag, ())).collect();
        if let Some(&tag) = dirichlet.iter().find(|tag| !known.contains_key(tag)) {
            return Err(Error::NoSuchTag { tag, known: known.into_keys().collect() });
        }
        let local_nodes = nodes(dim, degree);
        let mut space = Self {
            dim,
            degree,
            points: mesh.points.clone(),
            cells,
            regions,
            local_nodes,
            functions: Vec::new(),
            fixed_by: Vec::new(),
            unknowns: 0,
            boundary,
        };
        (0..space.cells.len()).try_for_each(|e| space.map(e).map(|_| ()))?;
        space.number(dirichlet);
        Ok(space)
    }
    /// 2 or 3.
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// k.
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }
    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }
    /// How many nodes there are.
    pub fn dimension(&self) -> usize {
        self.unknowns + self.fixed_by.len()
    }
    /// The nodes of a cell: k times their barycentric coordinates.
    pub fn local_nodes(&self) -> &[[u8; 4]] {
        &self.local_nodes
    }
    /// The global nodes of cell e.
    pub fn functions(&self, e: usize) -> &[u32] {
        let n = self.local_nodes.len();
        &self.functions[e * n..(e + 1) * n]
    }
    /// The corners of cell e.
    pub fn corners(&self, e: usize) -> &[u32] {
        &self.cells[e]
    }
    /// The region of cell e.
    pub fn region(&self, e: usize) -> i32 {
        self.regions[e]
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
    pub fn map(&self, e: usize) -> Result<Affine> {
        let corners = self.cells[e].iter().map(|&node| self.points[node as usize]).collect();
        let flat = || Error::InvalidMesh { place: format!("cell {e}"), problem: "it has no volume".into() };
        Affine::new(corners).ok_or_else(flat)
    }

    fn number(&mut self, dirichlet: &[i32]) {
        let name = |e: usize, node: &[u8; 4]| {
            let mut name: Name = [(u32::MAX, 0); 4];
            let corners = self.cells[e].iter().zip(node).filter(|(_, weight)| **weight > 0);
            corners.zip(&mut name).for_each(|((&corner, &weight), name)| *name = (corner, weight));
            name.sort_unstable();
            name
        };
        let mut fixed: HashMap<Name, i32> = HashMap::new();
        for &wanted in dirichlet.iter().rev() {
            for facet in self.boundary.iter().filter(|facet| facet.tag == wanted) {
                let on_facet = self.local_nodes.iter().filter(|node| node[facet.opposite] == 0);
                on_facet.for_each(|node| _ = fixed.insert(name(facet.cell, node), wanted));
            }
        }
        let (mut numbers, mut fixed_by, mut unknowns) = (HashMap::<Name, u32>::new(), Vec::new(), 0);
        let mut functions = Vec::with_capacity(self.cells.len() * self.local_nodes.len());
        const FIXED: u32 = 1 << 31;
        for e in 0..self.cells.len() {
            for node in &self.local_nodes {
                let name = name(e, node);
                let number = numbers.entry(name).or_insert_with(|| match fixed.get(&name) {
                    Some(&tag) => {
                        fixed_by.push((tag, self.place(&name)));
                        FIXED + fixed_by.len() as u32 - 1
                    }
                    None => {
                        unknowns += 1;
                        unknowns - 1
                    }
                });
                functions.push(*number);
            }
        }
        let shifted = |number: u32| if number < FIXED { number } else { number - FIXED + unknowns };
        self.functions = functions.into_iter().map(shifted).collect();
        (self.fixed_by, self.unknowns) = (fixed_by, unknowns as usize);
    }

    fn place(&self, name: &Name) -> Point {
        let corners = || name.iter().filter(|(_, weight)| *weight > 0);
        [0, 1, 2].map(|i| {
            corners().map(|&(c, w)| f64::from(w) * self.points[c as usize][i]).sum::<f64>() / self.degree as f64
        })
    }
}

/// Dimension, corners and regions of the cells; an error if there are others than straight simplices.
fn simplices(mesh: &Mesh) -> Result<(usize, Vec<Vec<u32>>, Vec<i32>)> {
    let refuse = |problem: String| Err(Error::InvalidMesh { place: "the mesh".into(), problem });
    let dim = mesh.dim();
    let shape = match dim {
        2 => Shape::Triangle,
        3 => Shape::Tetrahedron,
        _ => return refuse("it has no cells of dimension 2 or 3".into()),
    };
    let (mut cells, mut regions) = (Vec::new(), Vec::new());
    for block in mesh.blocks_of(dim) {
        if block.shape != shape || block.order != 1 {
            return refuse(format!("{:?} cells of order {} are not straight simplices", block.shape, block.order));
        }
        cells.extend(block.cells().map(|nodes| nodes.to_vec()));
        regions.extend(&block.tags);
    }
    let exists = |&node: &u32| (node as usize) < mesh.points.len();
    if regions.len() != cells.len() || !cells.iter().flatten().all(exists) {
        return refuse("the numbers of points, tags and cells do not agree".into());
    }
    if dim == 2 && cells.iter().flatten().any(|&node| mesh.points[node as usize][2] != 0.0) {
        return refuse("it leaves the plane z = 0: spaces on surfaces are not known".into());
    }
    Ok((dim, cells, regions))
}

/// Facets of one cell only, with the tags that the mesh gives them.
fn boundary(mesh: &Mesh, dim: usize, cells: &[Vec<u32>]) -> Result<Vec<BoundaryFacet>> {
    let sorted = |mut vertices: Vec<u32>| {
        vertices.sort_unstable();
        vertices
    };
    let mut tags = HashMap::new();
    for block in mesh.blocks_of(dim - 1) {
        for (nodes, &tag) in block.cells().zip(&block.tags) {
            tags.insert(sorted(nodes[..block.shape.corners()].to_vec()), tag);
        }
    }
    let mut seen: HashMap<Vec<u32>, (usize, usize, usize)> = HashMap::new();
    for (cell, corners) in cells.iter().enumerate() {
        for opposite in 0..=dim {
            let facet = corners.iter().enumerate().filter(|(a, _)| *a != opposite).map(|(_, &node)| node).collect();
            let found = seen.entry(sorted(facet)).or_insert((0, cell, opposite));
            found.0 += 1;
            if found.0 > 2 {
                let problem = "a facet belongs to more than two cells: cells overlap".into();
                return Err(Error::InvalidMesh { place: format!("cell {cell}"), problem });
            }
        }
    }
    let single = seen.into_iter().filter(|(_, (count, ..))| *count == 1);
    let facet = |(corners, (_, cell, opposite)): (Vec<u32>, (usize, usize, usize))| BoundaryFacet {
        cell,
        opposite,
        tag: tags.get(&corners).copied().unwrap_or(UNTAGGED),
    };
    let mut facets: Vec<BoundaryFacet> = single.map(facet).collect();
    facets.sort_unstable_by_key(|facet| (facet.cell, facet.opposite));
    Ok(facets)
}
