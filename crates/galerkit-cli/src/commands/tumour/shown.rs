//! Pictures and files at output times.

use super::history::History;
use crate::plan::tumour::TumourPlan;
use anyhow::Result;
use galerkit::fem::collocation::picture::Portrait;
use galerkit::fem::collocation::{Evolution, files};
use galerkit::fem::io::write_pvd;
use galerkit::fem::picture::gif::write_gif;
use galerkit::fem::picture::png::write_png;
use galerkit::fem::picture::{Film, Image};
use std::path::{Path, PathBuf};

/// Pixels of pictures.
const SIZE: [usize; 2] = [540, 520];
const MILLISECONDS: u16 = 120;

/// What was shown so far.
pub struct Shown {
    portrait: Portrait,
    images: Vec<Image>,
    /// Times and files for ParaView.
    steps: Vec<(f64, String)>,
}

impl Shown {
    /// Nothing yet.
    pub fn new(plan: &TumourPlan) -> Self {
        let peak = plan.space.nodal().into_iter().map(|k| plan.coefficients[k]).fold(0.0, f64::max);
        let most = peak.max(10.0 * plan.threshold);
        let portrait = Portrait { threshold: plan.threshold, most, size: SIZE, has_units: !plan.dimensionless };
        Self { portrait, images: Vec::new(), steps: Vec::new() }
    }

    /// Shows the state of the moment.
    pub fn add(&mut self, plan: &TumourPlan, history: &History, evolution: &mut Evolution) -> Result<()> {
        if plan.files.gif.is_none() && plan.files.vtu.is_none() {
            return Ok(());
        }
        let a = evolution.coefficients();
        if plan.files.gif.is_some() {
            self.images.push(self.portrait.draw(&plan.space, &a, &title(plan, history)));
        }
        if let Some(path) = &plan.files.vtu {
            let name = frame_file(path, self.steps.len());
            files::write(&path.with_file_name(&name), &plan.space, &a)?;
            self.steps.push((history.time(), name));
        }
        Ok(())
    }

    /// Writes what goes into files of its own at the end.
    pub fn finish(self, plan: &TumourPlan, history: &History, a: &[f64]) -> Result<()> {
        if let Some(path) = &plan.files.png {
            write_png(path, &self.portrait.draw(&plan.space, a, &title(plan, history)))?;
        }
        if let Some(path) = &plan.files.vtu {
            write_pvd(path, &self.steps)?;
        }
        match &plan.files.gif {
            Some(path) if path.extension().is_some_and(|end| end == "png" || end == "apng") => {
                let mut film = Film::new(MILLISECONDS);
                self.images.into_iter().try_for_each(|image| film.push(image))?;
                film.write(path)?;
            }
            Some(path) => write_gif(path, &self.images, MILLISECONDS)?,
            None => {}
        }
        Ok(())
    }
}

fn title(plan: &TumourPlan, history: &History) -> String {
    let (mass, radius) = history.last();
    let growth = mass / history.mass[0];
    match plan.dimensionless {
        true => format!("t = {:.3}   mass {growth:.2} x start   radius {radius:.3}", history.time()),
        false => format!("day {:.0}   mass {growth:.2} x start   radius {radius:.2} cm", history.time()),
    }
}

/// c.pvd has c-000.vtu, c-001.vtu, ... beside it.
fn frame_file(path: &Path, number: usize) -> String {
    let stem = PathBuf::from(path.file_stem().unwrap_or_default());
    format!("{}-{number:03}.vtu", stem.display())
}
