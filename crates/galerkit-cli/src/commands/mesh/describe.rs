//! What `mesh info` knows about a mesh; the fields are the keys of its JSON.

use super::source::Source;
use anyhow::Result;
use galerkit_fem::mesh::{Boundary, Mesh, Spread};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything `mesh info` says.
#[derive(Serialize)]
pub struct Description {
    pub mesh: String,
    /// The file's format, or `gallery`.
    pub format: &'static str,
    /// The dimension of the body.
    pub dimension: usize,
    pub points: usize,
    /// Every kind of cell in the file.
    pub cells: Vec<CellCount>,
    pub regions: Vec<Piece>,
    pub boundary: Vec<Piece>,
    /// Why it has no boundary, where cells overlap.
    pub boundary_error: Option<String>,
    /// Facets between two cells that the file lists.
    pub interfaces: usize,
    pub bounding_box: [[f64; 3]; 2],
    /// Cells of parts that share no point.
    pub components: Vec<usize>,
    /// The volume of a solid, the area of a surface.
    pub volume: f64,
    /// What its boundary measures.
    pub surface: f64,
    pub quality: Option<Quality>,
    pub inverted: usize,
    pub degenerate: usize,
    pub duplicates: usize,
    pub unused_points: usize,
    /// Names of the fields on points, and on cells.
    pub fields: [Vec<String>; 2],
}

/// Cells of a shape and order.
#[derive(Serialize)]
pub struct CellCount {
    pub shape: &'static str,
    pub order: usize,
    pub count: usize,
}

/// Cells or facets with a tag.
#[derive(Serialize)]
pub struct Piece {
    pub tag: i32,
    pub name: Option<String>,
    pub count: usize,
    /// Volume, area or length.
    pub measure: f64,
}

/// Statistics of the cells of the body.
#[derive(Serialize)]
pub struct Quality {
    pub volume: Range,
    pub edge_ratio: Range,
    /// The smallest angle of each cell, in degrees.
    pub angle: Option<Range>,
    pub scaled_jacobian: Option<Range>,
}

/// Least, mean and largest.
#[derive(Clone, Copy, Serialize)]
pub struct Range {
    pub min: f64,
    pub mean: f64,
    pub max: f64,
}

impl From<Spread> for Range {
    fn from(Spread { min, mean, max }: Spread) -> Self {
        Self { min, mean, max }
    }
}

/// Looks at a mesh from all sides.
pub fn describe(name: &str, source: &Source) -> Result<Description> {
    let mesh = &source.contents.mesh;
    let (findings, dim) = (mesh.check()?, mesh.dim());
    let (boundary, boundary_error) = match mesh.boundary() {
        Ok(boundary) => (boundary, None),
        Err(error) => (Boundary::default(), Some(error.to_string())),
    };
    let sides = Mesh { points: mesh.points.clone(), blocks: mesh.blocks_on(&boundary.facets), ..Mesh::default() };
    let names = |fields: &[galerkit_fem::io::Field]| fields.iter().map(|field| field.name.clone()).collect();
    Ok(Description {
        mesh: name.to_string(),
        format: source.format,
        dimension: dim,
        points: mesh.points.len(),
        cells: mesh.blocks.iter().filter(|block| !block.is_empty()).map(count).collect(),
        regions: pieces(mesh, mesh, dim)?,
        boundary: boundary_pieces(mesh, &sides, &boundary)?,
        boundary_error,
        interfaces: boundary.interfaces.len(),
        bounding_box: bounding_box(mesh),
        components: findings.components,
        volume: mesh.volumes(dim)?.iter().sum(),
        surface: if dim > 1 { sides.volumes(dim - 1)?.iter().sum() } else { 0.0 },
        quality: quality(mesh)?,
        inverted: findings.inverted.len(),
        degenerate: findings.degenerate.len(),
        duplicates: findings.duplicates.len(),
        unused_points: findings.unused_points,
        fields: [names(&source.contents.point_data), names(&source.contents.cell_data)],
    })
}

fn count(block: &galerkit_fem::mesh::Block) -> CellCount {
    CellCount { shape: block.shape.name(), order: block.order, count: block.len() }
}

fn quality(mesh: &Mesh) -> Result<Option<Quality>> {
    Ok(mesh.quality()?.map(|quality| Quality {
        volume: quality.volume.into(),
        edge_ratio: quality.edge_ratio.into(),
        angle: quality.angle.map(Range::from),
        scaled_jacobian: quality.scaled_jacobian.map(Range::from),
    }))
}

/// Cells of a dimension by tag; names are those of the mesh.
fn pieces(mesh: &Mesh, cells: &Mesh, dim: usize) -> Result<Vec<Piece>> {
    let mut by_tag: BTreeMap<i32, (usize, f64)> = BTreeMap::new();
    let tags = cells.blocks_of(dim).flat_map(|block| block.tags.iter().copied());
    for (tag, measure) in tags.zip(cells.volumes(dim)?) {
        let (count, sum) = by_tag.entry(tag).or_default();
        *count += 1;
        *sum += measure;
    }
    let piece = |(tag, (count, measure))| Piece { tag, name: mesh.names.get(&(dim, tag)).cloned(), count, measure };
    Ok(by_tag.into_iter().map(piece).collect())
}

fn boundary_pieces(mesh: &Mesh, sides: &Mesh, boundary: &Boundary) -> Result<Vec<Piece>> {
    match mesh.dim() {
        0 | 1 => Ok(Vec::new()),
        _ if boundary.facets.is_empty() => Ok(Vec::new()),
        dim => pieces(mesh, sides, dim - 1),
    }
}

fn bounding_box(mesh: &Mesh) -> [[f64; 3]; 2] {
    let bound = |start: f64, better: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|d| mesh.points.iter().map(|point| point[d]).fold(start, better))
    };
    [bound(f64::INFINITY, f64::min), bound(f64::NEG_INFINITY, f64::max)]
}
