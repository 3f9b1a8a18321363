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

    /// Activation times.
    pub fn activation(&self, up: &[f64], path: &Path) -> Result<()> {
        let Activation { shown, last, title } = Activation::new(&self.seen(up), up);
        let scene = Scene::of_points(&self.surface, &shown)?;
        let picture = Picture::of(&scene).edges(0.0).range(0.0, last.max(1.0)).colours(ColourMap::sequential());
        Ok(picture.title(title).write_png(path)?)
    }

    /// Phases in degrees, one colour a triangle: between -180 and 180 nothing can be interpolated.
    pub fn phase(&self, phases: &[f64], path: &Path) -> Result<()> {
        let seen = self.seen(phases);
        let mean = |block: usize, cell: usize, _: [f64; 3]| {
            let corners = self.surface.blocks[block].shape.corners();
            let nodes = &self.surface.blocks[block].nodes[corners * cell..corners * (cell + 1)];
            let sum =
                nodes.iter().map(|&node| seen[node as usize].sin_cos()).fold([0.0; 2], |[s, c], (a, b)| [s + a, c + b]);
            sum[0].atan2(sum[1]).to_degrees()
        };
        let scene = Scene::of_function(&self.surface, 1, mean)?;
        let picture = Picture::of(&scene).edges(0.0).range(-180.0, 180.0).colours(ColourMap::cyclic());
        Ok(picture.title("phase in degrees").write_png(path)?)
    }
}

/// What a map of activation shows.
#[derive(Debug, PartialEq)]
struct Activation {
    /// No number where there was none: colour maps draw that in grey.
    shown: Vec<f64>,
    last: f64,
    title: &'static str,
}

impl Activation {
    /// Of the nodes that are seen, in the range of all.
    fn new(seen: &[f64], up: &[f64]) -> Self {
        let (is_activated, last) = (|time: &f64| *time >= 0.0, up.iter().copied().fold(0.0, f64::max));
        let title = match (up.iter().any(is_activated), seen.iter().all(is_activated)) {
            (false, _) => "nothing was activated (grey)",
            (true, true) => "activation in ms",
            (true, false) => "activation in ms (grey: never)",
        };
        let shown = seen.iter().map(|time| if is_activated(time) { *time } else { f64::NAN }).collect();
        Self { shown, last, title }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes that were never activated had the colour of the last ones.
    #[test]
    fn nodes_that_were_never_activated_are_grey() {
        let Activation { shown, last, title } = Activation::new(&[3.0, -1.0], &[3.0, -1.0, 8.0]);
        assert!(shown[0] == 3.0 && shown[1].is_nan() && last == 8.0);
        assert!(title.contains("grey: never"));
        assert_eq!(Activation::new(&[3.0], &[3.0, -1.0]).title, "activation in ms");
        assert!(Activation::new(&[-1.0], &[-1.0]).title.contains("nothing was activated"));
        let grey = ColourMap::sequential().at(f32::NAN);
        assert!(grey[0] == grey[1] && grey[1] == grey[2]);
    }
}
