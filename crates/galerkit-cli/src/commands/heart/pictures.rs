//! Tissue seen from where its shape suggests: activation times as a map, the potential as images of a film. The surface
//! is looked for once.

use anyhow::Result;
use galerkit::fem::cardiac::Tissue;
use galerkit::fem::mesh::{Block, Mesh};
use galerkit::fem::picture::{ColourMap, Image, Picture, Scene};
use std::path::Path;

/// Draws one tissue again and again.
pub struct Camera {
    surface: Mesh,
    /// The node of the tissue of each point of the surface.
    nodes: Vec<u32>,
}

impl Camera {
    /// Of a tissue.
    pub fn new(tissue: &Tissue) -> Result<Self> {
        let mesh = tissue.mesh();
        let sides = if mesh.dim() == 3 { mesh.blocks_on(&mesh.boundary()?.facets) } else { mesh.blocks.clone() };
        let mut nodes: Vec<u32> = sides.iter().flat_map(|block| &block.nodes).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: &u32| nodes.binary_search(node).unwrap_or(0) as u32;
        let renumbered = |block: Block| Block { nodes: block.nodes.iter().map(number).collect(), ..block };
        let points = nodes.iter().map(|&node| mesh.points[node as usize]).collect();
        let blocks = sides.into_iter().map(renumbered).collect();
        Ok(Self { surface: Mesh { points, blocks, ..Mesh::default() }, nodes })
    }

    fn seen(&self, values: &[f64]) -> Vec<f64> {
        self.nodes.iter().map(|&node| values[node as usize]).collect()
    }

    /// phi at a time.
    pub fn potential(&self, phi: &[f64], time: f64) -> Result<Image> {
        let seen = self.seen(phi);
        let scene = Scene::of_points(&self.surface, &seen)?;
        let title = format!("potential at {time:.0} ms");
        Ok(Picture::of(&scene).size(640, 512).edges(0.0).range(0.0, 1.0).title(title).render()?)
    }

    /// Activation times; nodes that were never activated have the last one.
    pub fn activation(&self, up: &[f64], path: &Path) -> Result<()> {
        let last = up.iter().copied().fold(0.0, f64::max);
        let shown: Vec<f64> = self.seen(up).into_iter().map(|time| if time < 0.0 { last } else { time }).collect();
        let scene = Scene::of_points(&self.surface, &shown)?;
        let picture = Picture::of(&scene).edges(0.0).range(0.0, last.max(1.0)).colours(ColourMap::sequential());
        Ok(picture.title("activation in ms").write_png(path)?)
    }
}
