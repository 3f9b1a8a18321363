//! Topology of the coarse mesh: vertices, edges, faces and cells, numbered, each with axes of its own that all trees
//! around it agree on. An edge points to its vertex of higher number; a face starts at its lowest vertex, its first
//! axis points to the lower of the two neighbours.

use super::part::{FREE, HIGH, LOW, Part};
use crate::error::{Error, Result};
use crate::mesh::{Block, Mesh, Shape, UNTAGGED};
use galerkit_linalg::parallel;
use rayon::prelude::*;
use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// How the axes of an entity lie in a cell: axis k of the entity is axis `axes[k]` of the cell, reversed where
/// `flip[k]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orientation {
    /// Axes of the cell.
    pub axes: [u8; 3],
    /// Which of them point the other way.
    pub flip: [bool; 3],
}

/// The corners of a tree: bit a of the index is the end of axis a.
pub type Corners = [u32; 8];

/// Parts of trees that trees share.
#[derive(Clone, Debug)]
pub struct Coarse {
    dim: usize,
    parts: Vec<(u32, Orientation)>, // of each tree, 3^dim
    entities: usize,
    corners: Vec<Corners>,
    boundary: HashMap<u32, i32>, // facets of one tree only, with their tags
}

impl Coarse {
    /// The topology of a mesh of quadrilaterals or of hexahedra, and the cells' corners.
    pub fn new(mesh: &Mesh) -> Result<Self> {
        let dim = mesh.dim();
        let shape = cell_shape(dim)?;
        let mut corners = Vec::new();
        for block in mesh.blocks_of(dim) {
            if block.shape != shape {
                let problem = format!("{:?} cells cannot be cut into a forest; {shape:?} is needed", block.shape);
                return Err(Error::InvalidMesh { place: "a block of cells".into(), problem });
            }
            check_block(block, &mesh.points)?;
            corners.extend(block.cells().map(|nodes| lattice_corners(nodes, dim)));
        }
        check_corners(&corners, dim)?;
        let (parts, entities) = number(&corners, dim);
        let mut coarse = Self { dim, parts, entities, corners, boundary: HashMap::new() };
        coarse.boundary = coarse.find_boundary(mesh)?;
        Ok(coarse)
    }
    /// The dimension of its cells.
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// How many coarse cells there are.
    pub fn trees(&self) -> usize {
        self.corners.len()
    }
    /// How many coarse entities there are, of all dimensions.
    pub fn entities(&self) -> usize {
        self.entities
    }
    /// The vertices of a tree.
    pub fn corners(&self, tree: u32) -> &Corners {
        &self.corners[tree as usize]
    }
    /// The coarse entity that is a part of a tree, and how its axes lie in the tree.
    pub fn part(&self, tree: u32, part: Part) -> (u32, Orientation) {
        self.parts[tree as usize * 3usize.pow(self.dim as u32) + part.index()]
    }
    /// The tag of a boundary facet; none if the coarse entity is not one.
    pub fn boundary_tag(&self, entity: u32) -> Option<i32> {
        self.boundary.get(&entity).copied()
    }
    /// The tags that the boundary has, each once.
    pub fn boundary_tags(&self) -> Vec<i32> {
        let mut tags: Vec<i32> = self.boundary.values().copied().collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    fn find_boundary(&self, mesh: &Mesh) -> Result<HashMap<u32, i32>> {
        let facets =
            || (0..self.trees() as u32).flat_map(|tree| Part::facets(self.dim).map(move |facet| (tree, facet)));
        let mut uses = vec![0u8; self.entities];
        for (tree, facet) in facets() {
            let count = &mut uses[self.part(tree, facet).0 as usize];
            *count += 1;
            if *count > 2 {
                let problem = "a face belongs to more than two cells: cells overlap".into();
                return Err(Error::InvalidMesh { place: format!("cell {tree}"), problem });
            }
        }
        let (mut boundary, mut by_corners) = (HashMap::new(), HashMap::new());
        for (tree, facet) in facets() {
            let (entity, _) = self.part(tree, facet);
            if uses[entity as usize] == 1 {
                boundary.insert(entity, UNTAGGED);
                by_corners.insert(sorted(part_corners(self.corners(tree), facet)), entity);
            }
        }
        let corners = |block: &Block, nodes: &[u32]| sorted(nodes[..block.shape.corners()].to_vec());
        let cells = |block| Block::cells(block).zip(&block.tags).map(move |(nodes, &tag)| (corners(block, nodes), tag));
        let listed: Vec<(Vec<u32>, i32)> = mesh.blocks_of(self.dim - 1).flat_map(cells).collect();
        for (corners, tag) in listed.into_iter().rev() {
            // so that the first counts where a facet is listed twice, as in Mesh::boundary
            by_corners.get(&corners).into_iter().for_each(|&entity| _ = boundary.insert(entity, tag));
        }
        Ok(boundary)
    }
}

fn sorted(mut vertices: Vec<u32>) -> Vec<u32> {
    vertices.sort_unstable();
    vertices
}

/// The shape of cells that can be cut into a tree.
pub fn cell_shape(dim: usize) -> Result<Shape> {
    match dim {
        2 => Ok(Shape::Quadrilateral),
        3 => Ok(Shape::Hexahedron),
        _ => {
            let problem = "it has no cells of dimension 2 or 3".into();
            Err(Error::InvalidMesh { place: "the mesh".into(), problem })
        }
    }
}

/// Corners in the order of VTK, which goes around, by the ends of the axes.
fn lattice_corners(nodes: &[u32], dim: usize) -> Corners {
    const AROUND: [usize; 4] = [0, 1, 3, 2];
    std::array::from_fn(|c| if c < 1 << dim { nodes[AROUND[c % 4] + c / 4 * 4] } else { NONE })
}

/// Sizes and point numbers; in the plane also that it is one.
fn check_block(block: &Block, points: &[[f64; 3]]) -> Result<()> {
    let refuse = |place: String, problem: &str| Err(Error::InvalidMesh { place, problem: problem.into() });
    if block.order == 0 || block.nodes.len() != block.len() * block.shape.nodes(block.order) {
        return refuse("a block of cells".into(), "the numbers of points, tags and cells do not agree");
    }
    for (e, nodes) in block.cells().enumerate() {
        let place = || format!("cell {e} of its block");
        if nodes.iter().any(|&node| node as usize >= points.len()) {
            return refuse(place(), "a point of it does not exist");
        }
        if block.shape.dim() == 2 && nodes.iter().any(|&node| points[node as usize][2] != 0.0) {
            return refuse(place(), "it leaves the plane z = 0: spaces on surfaces are not known");
        }
    }
    Ok(())
}

fn check_corners(corners: &[Corners], dim: usize) -> Result<()> {
    for (tree, corners) in corners.iter().enumerate() {
        if sorted(corners[..1 << dim].to_vec()).windows(2).any(|pair| pair[0] == pair[1]) {
            let problem = "two of its corners are the same point".into();
            return Err(Error::InvalidMesh { place: format!("cell {tree}"), problem });
        }
    }
    Ok(())
}

/// The corners of a part, by the ends of its axes.
fn part_corners(corners: &Corners, part: Part) -> Vec<u32> {
    let fits = |c: &usize| {
        (0..3).all(|a| match part.0[a] {
            FREE => true,
            side => (c >> a & 1) as u8 == side && (side == LOW || side == HIGH),
        })
    };
    (0..8).filter(fits).map(|c| corners[c]).collect()
}

/// Numbers the parts of all trees; equal parts get equal numbers.
fn number(corners: &[Corners], dim: usize) -> (Vec<(u32, Orientation)>, usize) {
    let each = 3usize.pow(dim as u32);
    let name = |k: usize| {
        let part = Part::from_index((k % each) as u8);
        let (vertices, orientation) = oriented(&corners[k / each], part, dim);
        // The interior of a cell belongs to that cell alone.
        let vertices = if part.dim() == dim { [NONE, NONE, NONE, (k / each) as u32] } else { vertices };
        (vertices, k, orientation)
    };
    let mut named: Vec<_> = parallel::values(corners.len() * each, &name);
    named.par_sort_unstable_by_key(|&(vertices, k, _)| (vertices, k));
    let mut parts = vec![(NONE, Orientation::default()); named.len()];
    let (mut entities, mut last) = (0, None);
    for &(vertices, k, orientation) in &named {
        entities += u32::from(last != Some(vertices));
        last = Some(vertices);
        parts[k] = (entities - 1, orientation);
    }
    (parts, entities as usize)
}

/// The vertices of a part in the order of its own axes, and how those lie in the tree.
fn oriented(corners: &Corners, part: Part, dim: usize) -> ([u32; 4], Orientation) {
    let axes: Vec<usize> = part.axes().collect();
    let at = part_corners(corners, part);
    let orientation = |axes: [usize; 2], flip: [bool; 2]| Orientation {
        axes: [axes[0] as u8, axes[1] as u8, 0],
        flip: [flip[0], flip[1], false],
    };
    match axes[..] {
        _ if part.dim() == dim => ([NONE; 4], Orientation { axes: [0, 1, 2], flip: [false; 3] }),
        [] => ([at[0], NONE, NONE, NONE], Orientation::default()),
        [a] => {
            let flip = at[0] > at[1];
            ([at[0].min(at[1]), at[0].max(at[1]), NONE, NONE], orientation([a, 0], [flip, false]))
        }
        [a, b] => {
            let lowest = (0..4).min_by_key(|&c| at[c]).expect("four corners");
            let flip = [lowest & 1 == 1, lowest & 2 == 2];
            let (next, other, opposite) = (at[lowest ^ 1], at[lowest ^ 2], at[lowest ^ 3]);
            if next < other {
                ([at[lowest], next, other, opposite], orientation([a, b], flip))
            } else {
                ([at[lowest], other, next, opposite], orientation([b, a], [flip[1], flip[0]]))
            }
        }
        _ => unreachable!("a part of a cube's boundary has at most two axes"),
    }
}
