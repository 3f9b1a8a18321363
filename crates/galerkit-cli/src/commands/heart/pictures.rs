//! Tissue seen from where its shape suggests: activation times as a map, the potential as images of a film.

use anyhow::Result;
use galerkit::fem::cardiac::Tissue;
use galerkit::fem::picture::{ColourMap, Image, Picture, Scene};
use std::path::Path;

/// Draws one tissue again and again.
pub struct Camera<'a> {
    tissue: &'a Tissue,
}

impl<'a> Camera<'a> {
    /// Of a tissue.
    pub fn new(tissue: &'a Tissue) -> Self {
        Self { tissue }
    }

    /// phi at a time.
    pub fn potential(&self, phi: &[f64], time: f64) -> Result<Image> {
        let scene = Scene::of_points(self.tissue.mesh(), phi)?;
        let title = format!("potential at {time:.0} ms");
        Ok(Picture::of(&scene).size(640, 512).edges(0.0).range(0.0, 1.0).title(title).render()?)
    }

    /// Activation times; nodes that were never activated have the last one.
    pub fn activation(&self, up: &[f64], path: &Path) -> Result<()> {
        let last = up.iter().copied().fold(0.0, f64::max);
        let shown: Vec<f64> = up.iter().map(|time| if *time < 0.0 { last } else { *time }).collect();
        let scene = Scene::of_points(self.tissue.mesh(), &shown)?;
        let picture = Picture::of(&scene).edges(0.0).range(0.0, last.max(1.0)).colours(ColourMap::sequential());
        Ok(picture.title("activation in ms").write_png(path)?)
    }
}
