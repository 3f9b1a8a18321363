//! Where something is, as text: box=, sphere=, tag=, nodes= or all. Tags may be names, so what they are is known once
//! the mesh is.

use super::nodes::NodeFile;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::Region;
use galerkit::fem::mesh::Mesh;
use std::path::Path;

/// A part of the tissue, as meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// One that needs no mesh.
    Known(Region),
    /// Nodes by number.
    Nodes(NodeFile),
    /// Elements with a tag, or the boundary with that tag.
    Tag(String),
}

/// The keys that say where.
pub const KEYS: [&str; 5] = ["box", "sphere", "tag", "nodes", "all"];

impl Spot {
    /// From a key and what stands behind its =; none if the key says something else.
    pub fn read(key: &str, value: &str) -> Result<Option<Self>> {
        Ok(Some(match key {
            "box" => match finite(value)?[..] {
                [a, b, c, d, e, f] => Self::Known(Region::Box([a, b, c], [d, e, f])),
                _ => bail!("box takes two corners: box=X0,Y0,Z0,X1,Y1,Z1"),
            },
            "sphere" => match finite(value)?[..] {
                [_, _, _, radius] if radius <= 0.0 => bail!("a sphere of radius {radius} is none: it must be positive"),
                [x, y, z, radius] => Self::Known(Region::Sphere([x, y, z], radius)),
                _ => bail!("sphere takes a centre and a radius: sphere=X,Y,Z,R"),
            },
            "tag" if value.trim().is_empty() => bail!("tag takes a number or a name: tag=2"),
            "tag" => Self::Tag(value.trim().into()),
            "nodes" => Self::Nodes(NodeFile::read(Path::new(value.trim()))?),
            "all" => Self::Known(Region::Everywhere),
            _ => return Ok(None),
        }))
    }

    /// In a mesh; the boundary with a tag is its nodes.
    pub fn region(&self, mesh: &Mesh) -> Result<Region> {
        let name = match self {
            Self::Known(region) => return Ok(region.clone()),
            Self::Nodes(file) => {
                return Ok(Region::Nodes(file.within(mesh.points.len())?.map(|node| node as u32).collect()));
            }
            Self::Tag(name) => name,
        };
        let dim = mesh.dim();
        if let Some(tag) = mesh.tag_named(dim, name) {
            return Ok(Region::Tag(tag));
        }
        let Some(tag) = dim.checked_sub(1).and_then(|below| mesh.tag_named(below, name)) else {
            let tags = |dim: usize| mesh.tags(dim).keys().map(i32::to_string).collect::<Vec<_>>().join(", ");
            let names: Vec<&str> = mesh.names.values().map(String::as_str).collect();
            bail!(
                "nothing has the tag {name}: elements have {}, the boundary has {}, names are {names:?}",
                tags(dim),
                tags(dim - 1)
            );
        };
        let tagged = |block: &galerkit::fem::mesh::Block| {
            let cells = block.cells().zip(block.tags.clone()).filter(|(_, of)| *of == tag);
            cells.flat_map(|(nodes, _)| nodes.to_vec()).collect::<Vec<u32>>()
        };
        let mut nodes: Vec<u32> = mesh.blocks_of(dim - 1).flat_map(tagged).collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Region::Nodes(nodes))
    }
}

/// Numbers separated by commas.
pub fn numbers(text: &str) -> Result<Vec<f64>> {
    let number = |text: &str| text.trim().parse().with_context(|| format!("'{text}' is no number"));
    text.split(',').map(number).collect()
}

/// The same, if all are.
fn finite(text: &str) -> Result<Vec<f64>> {
    let numbers = numbers(text)?;
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => bail!("{number} is no place: it must be finite"),
        None => Ok(numbers),
    }
}
