//! The forest: its leaves in order. Children stand in their parent's place.

use super::cell::{Cell, MAX_LEVEL};
use super::closure::{entity, too_large};
use super::coarse::{Coarse, Orientation};
use super::geometry::{CellMap, Geometry, Point};
use super::key::Key;
use super::part::Part;
use super::size::Size;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use galerkit_linalg::parallel;
use std::collections::HashMap;

/// How far outside of a cell a point may lie by rounding, in reference coordinates.
const NEAR: f64 = 1e-9;

/// Trees over a coarse mesh, cut into cells.
#[derive(Clone, Debug)]
pub struct Forest {
    coarse: Coarse,
    geometry: Geometry,
    regions: Vec<i32>,
    pub(super) cells: Vec<Cell>,
}

impl Forest {
    /// One cell for each quadrilateral or hexahedron of the mesh.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let coarse = Coarse::new(mesh)?;
        let geometry = Geometry::new(mesh)?;
        check_shared(&coarse, &geometry)?;
        let regions = mesh.blocks_of(mesh.dim()).flat_map(|block| block.tags.iter().copied()).collect();
        let cells = (0..coarse.trees() as u32).map(Cell::root).collect();
        Ok(Self { coarse, geometry, regions, cells })
    }
    /// 2 or 3.
    pub fn dim(&self) -> usize {
        self.coarse.dim()
    }
    /// The cells.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
    /// The coarse mesh's topology.
    pub fn coarse(&self) -> &Coarse {
        &self.coarse
    }
    /// The map of cell e.
    pub fn map(&self, e: usize) -> CellMap<'_> {
        self.geometry.of(&self.cells[e])
    }
    /// The region of cell e: that of its tree.
    pub fn region(&self, e: usize) -> i32 {
        self.regions[self.cells[e].tree as usize]
    }
    /// The name of a part of cell e, and how its axes lie in the cell.
    pub fn entity(&self, e: usize, part: Part) -> (Key, Orientation) {
        entity(&self.coarse, &self.cells[e], part)
    }
    /// The tag of a facet of cell e if it lies on the boundary.
    pub fn boundary_tag(&self, e: usize, facet: Part) -> Option<i32> {
        let (key, _) = self.entity(e, facet);
        self.coarse.boundary_tag(key.coarse)
    }

    /// Cuts cells by number, and as many others as the forest needs to stay 1-irregular. Tells of each new cell which
    /// old one it was or comes from.
    pub fn refine(&mut self, cells: &[usize]) -> Result<Vec<usize>> {
        let mut marked = vec![false; self.cells.len()];
        for &e in cells {
            *marked.get_mut(e).ok_or(Error::NoSuchCell { cell: e, cells: self.cells.len() })? = true;
        }
        let mut origin: Vec<usize> = (0..self.cells.len()).collect();
        while marked.contains(&true) {
            origin = self.cut(&marked)?.into_iter().map(|e| origin[e]).collect();
            marked = too_large(&self.coarse, &self.cells);
        }
        Ok(origin)
    }
    /// Cuts all cells a number of times.
    pub fn refine_all(&mut self, times: usize) -> Result<Vec<usize>> {
        Size::of_cells(self.dim(), self.cells.len() as f64).cut(times).check()?;
        let mut origin: Vec<usize> = (0..self.cells.len()).collect();
        for _ in 0..times {
            origin = self.cut(&vec![true; self.cells.len()])?.into_iter().map(|e| origin[e]).collect();
        }
        Ok(origin)
    }

    fn cut(&mut self, marked: &[bool]) -> Result<Vec<usize>> {
        let dim = self.dim();
        let added = marked.iter().filter(|marked| **marked).count() * ((1 << dim) - 1);
        Size::of_cells(dim, (self.cells.len() + added) as f64).check()?;
        let (mut cells, mut origin) = (Vec::new(), Vec::new());
        for (e, cell) in self.cells.iter().enumerate() {
            if !marked[e] {
                cells.push(*cell);
            } else if cell.level < MAX_LEVEL {
                cells.extend(cell.children(dim));
            } else {
                return Err(Error::TooFine { cell: e, levels: MAX_LEVEL as usize });
            }
            origin.resize(cells.len(), e);
        }
        self.cells = cells;
        Ok(origin)
    }

    /// Whether cell e, its boundary included, contains a point.
    pub fn touches(&self, e: usize, point: &Point) -> bool {
        let inside = |t: Point| t.iter().all(|t| t.abs() <= 1.0 + NEAR);
        self.map(e).inverse(point).is_some_and(inside)
    }
    /// The corner of cell e at which a point lies: the ends of its axes.
    pub fn corner_at(&self, e: usize, point: &Point) -> Option<[bool; 3]> {
        let dim = self.dim();
        let t = self.map(e).inverse(point)?;
        let is_corner = (0..dim).all(|a| (t[a].abs() - 1.0).abs() <= NEAR);
        is_corner.then(|| [0, 1, 2].map(|a| a < dim && t[a] > 0.0))
    }
    /// A cell that contains a point, with the point's reference coordinates; none outside of the domain.
    pub fn locate(&self, point: &Point) -> Option<(usize, Point)> {
        let within = |tree: u32| {
            let t = self.geometry.of(&Cell::root(tree)).inverse(point)?;
            t.iter().all(|t| t.abs() <= 1.0 + NEAR).then_some(t)
        };
        let (tree, t) = (0..self.coarse.trees() as u32).find_map(|tree| Some((tree, within(tree)?)))?;
        let first = self.cells.partition_point(|cell| cell.tree < tree);
        let of_tree = self.cells[first..].iter().take_while(|cell| cell.tree == tree);
        let local = |cell: &Cell| {
            let cuts = f64::from(1u32 << cell.level);
            let mut local = [0.0; 3];
            (0..self.dim()).for_each(|a| local[a] = (t[a] + 1.0) * cuts - 2.0 * f64::from(cell.place[a]) - 1.0);
            local
        };
        let tolerance = |cell: &Cell| 1.0 + NEAR * f64::from(1u32 << cell.level);
        let found = |(e, cell): (usize, &Cell)| {
            let local = local(cell);
            local.iter().all(|t| t.abs() <= tolerance(cell)).then_some((first + e, local))
        };
        of_tree.enumerate().find_map(found)
    }
}

/// Parts that trees share by their corners must be the same curve or surface: their middles are compared.
fn check_shared(coarse: &Coarse, geometry: &Geometry) -> Result<()> {
    let mut middles: HashMap<u32, Point> = HashMap::new();
    let trees = 0..coarse.trees() as u32;
    if !trees.clone().any(|tree| geometry.is_curved(tree)) {
        return Ok(());
    }
    let parts: Vec<Part> = Part::all(coarse.dim()).filter(|part| (1..coarse.dim()).contains(&part.dim())).collect();
    let of_tree = |tree: usize| {
        let map = geometry.of(&Cell::root(tree as u32));
        let middle = |part: &Part| map.at(&part.0.map(|side| [-1.0, 1.0, 0.0][side as usize])).0;
        (distance(&map.corner([false; 3]), &map.corner([true; 3])), parts.iter().map(middle).collect::<Vec<_>>())
    };
    for (tree, (size, of_parts)) in trees.zip(parallel::values(coarse.trees(), &of_tree)) {
        for (&part, middle) in parts.iter().zip(of_parts) {
            let known = middles.entry(coarse.part(tree, part).0).or_insert(middle);
            if distance(known, &middle) > NEAR * size {
                let problem = "it shares corners with another cell, but not the curve or surface between them".into();
                return Err(Error::InvalidMesh { place: format!("cell {tree}"), problem });
            }
        }
    }
    Ok(())
}

fn distance(a: &Point, b: &Point) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}
