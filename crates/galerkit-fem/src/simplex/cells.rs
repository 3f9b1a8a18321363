//! The cells of a mesh of triangles or tetrahedra: nodes, regions, the geometry of curved ones, and facets on the
//! boundary.

use super::map::Map;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::mesh::boundary::Facet;
use crate::mesh::facets::facets;
use crate::mesh::{Geometry, Mesh, Shape};
use std::collections::BTreeMap;

/// Relative distance of a node from where it would lie in a straight cell that counts as rounding.
const STRAIGHT: f64 = 1e-12;

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

/// Straight and curved simplices.
#[derive(Clone, Debug)]
pub struct Cells {
    /// 2 or 3.
    pub dim: usize,
    points: Vec<Point>,
    nodes: Vec<Vec<u32>>, // corners, and behind them the other nodes of curved cells
    /// Region of each cell.
    pub regions: Vec<i32>,
    geometries: BTreeMap<usize, Geometry>, // of curved cells, by the number of their nodes
    /// The highest degree of geometry.
    pub order: usize,
}

impl Cells {
    /// The cells of a mesh; an error if there are others than simplices, or degenerate or folded ones.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let dim = mesh.dim();
        let shape = match dim {
            2 => Shape::Triangle,
            3 => Shape::Tetrahedron,
            _ => return refuse("it has no cells of dimension 2 or 3".into()),
        };
        let (points, geometries) = (mesh.points.clone(), BTreeMap::new());
        let mut cells = Self { dim, points, nodes: Vec::new(), regions: Vec::new(), geometries, order: 1 };
        for block in mesh.blocks_of(dim) {
            if block.shape != shape {
                return refuse(format!("{} cells are no simplices", block.shape.name()));
            }
            cells.nodes.extend(block.cells().map(|nodes| nodes.to_vec()));
            cells.regions.extend(&block.tags);
            if block.order > 1 {
                cells.geometries.insert(shape.nodes(block.order), Geometry::new(shape, block.order)?);
            }
        }
        let exists = |&node: &u32| (node as usize) < mesh.points.len();
        if cells.regions.len() != cells.nodes.len() || !cells.nodes.iter().flatten().all(exists) {
            return refuse("the numbers of points, tags and cells do not agree".into());
        }
        if dim == 2 && cells.nodes.iter().flatten().any(|&node| mesh.points[node as usize][2] != 0.0) {
            return refuse("it leaves the plane z = 0: spaces on surfaces are not known".into());
        }
        (0..cells.len()).try_for_each(|e| cells.straighten(e))?;
        let curved = cells.geometries.keys().filter(|count| cells.nodes.iter().any(|nodes| nodes.len() == **count));
        cells.order = curved.max().map_or(1, |&count| (2..5).find(|&k| shape.nodes(k) == count).unwrap_or(1));
        Ok(cells)
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The corners of cell e.
    pub fn corners(&self, e: usize) -> &[u32] {
        &self.nodes[e][..=self.dim]
    }
    /// The map of cell e.
    pub fn map(&self, e: usize) -> Map<'_> {
        let nodes = &self.nodes[e];
        Map { cell: e, dim: self.dim, points: &self.points, nodes, geometry: self.geometries.get(&nodes.len()) }
    }

    /// Forgets the nodes of a cell that is straight; an error if it has no volume, or folds.
    fn straighten(&mut self, e: usize) -> Result<()> {
        let map = self.map(e);
        let Some(geometry) = map.geometry else { return map.at(&[0.25; 4]).map(|_| ()) };
        let flat = Map { geometry: None, ..map };
        let lambdas = geometry.nodes().into_iter().map(|[x, y, z]| [1.0 - x - y - z, x, y, z]);
        let size = |a: Point, b: Point| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
        let [first, second] = [0, 1].map(|a| self.points[map.nodes[a] as usize]);
        let (mut is_straight, mut signs) = (true, Vec::new());
        for (lambda, &node) in lambdas.zip(map.nodes) {
            let (wanted, found) = (flat.at(&lambda)?.point, self.points[node as usize]);
            is_straight &= size(wanted, found) <= STRAIGHT * size(first, second);
            signs.push(geometry.at([lambda[1], lambda[2], lambda[3]]).map(map.points, map.nodes).determinant());
        }
        if signs.iter().any(|sign| sign * signs[0] <= 0.0) {
            let problem = "it is folded: its Jacobian changes its sign".into();
            return Err(Error::InvalidMesh { place: format!("cell {e}"), problem });
        }
        if is_straight {
            self.nodes[e].truncate(self.dim + 1);
        }
        Ok(())
    }

    /// The facets on the boundary, cell by cell.
    pub fn boundary(&self, mesh: &Mesh) -> Result<Vec<BoundaryFacet>> {
        let mut first = vec![0]; // the first cell of each block
        for block in &mesh.blocks {
            let count = if block.shape.dim() == self.dim { block.len() } else { 0 };
            first.push(first[first.len() - 1] + count);
        }
        let facet = |facet: &Facet| {
            let corners = facets(mesh.blocks[facet.block].shape)[facet.side];
            let opposite = (0..=self.dim).find(|corner| !corners.contains(corner)).expect("a simplex has one more");
            BoundaryFacet { cell: first[facet.block] + facet.cell, opposite, tag: facet.tag }
        };
        Ok(mesh.boundary()?.facets.iter().map(facet).collect())
    }
}

fn refuse<T>(problem: String) -> Result<T> {
    Err(Error::InvalidMesh { place: "the mesh".into(), problem })
}
