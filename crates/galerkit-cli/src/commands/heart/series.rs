//! The potential over time as pictures and files: film, ParaView's series, CARP's slices.

use super::pictures::Camera;
use crate::plan::heart::HeartPlan;
use anyhow::{Context, Result};
use galerkit::fem::cardiac::Tissue;
use galerkit::fem::io::{Field, IgbWriter, write_pvd, write_vtu};
use galerkit::fem::picture::Film;
use std::path::Path;

/// What grows with every picture.
pub struct Series {
    film: Option<(Film, Camera)>,
    igb: Option<IgbWriter>,
    files: Vec<(f64, String)>,
}

impl Series {
    /// As many as were asked for.
    pub fn new(plan: &HeartPlan, tissue: &Tissue) -> Result<Self> {
        let film = plan.files.film.as_ref().map(|_| Ok::<_, anyhow::Error>((Film::new(60), Camera::new(tissue)?)));
        let igb =
            plan.files.igb.as_ref().map(|path| IgbWriter::create(path, tissue.points().len(), plan.picture_every));
        Ok(Self { film: film.transpose()?, igb: igb.transpose()?, files: Vec::new() })
    }

    /// Whether anybody wants the potential.
    pub fn is_wanted(&self, plan: &HeartPlan) -> bool {
        self.film.is_some() || self.igb.is_some() || plan.files.pvd.is_some()
    }

    /// Adds the potential at a time.
    pub fn add(&mut self, plan: &HeartPlan, tissue: &Tissue, phi: &[f64], time: f64) -> Result<()> {
        if let Some((film, camera)) = &mut self.film {
            film.push(camera.potential(phi, time)?)?;
        }
        if let Some(igb) = &mut self.igb {
            igb.push(phi)?;
        }
        if let Some(path) = &plan.files.pvd {
            let stem = path.file_stem().map_or("phi".into(), |stem| stem.to_string_lossy().into_owned());
            let name = format!("{stem}-{:05}.vtu", self.files.len());
            let field = Field { name: "potential".into(), components: 1, values: phi.to_vec() };
            write_vtu(&path.with_file_name(&name), tissue.mesh(), &[field], &[])?;
            self.files.push((time, name));
            write_pvd(path, &self.files)?; // whole after each file, so that a run can be watched
        }
        Ok(())
    }

    /// Writes what is written at the end.
    pub fn finish(self, plan: &HeartPlan) -> Result<()> {
        if let (Some(path), Some((film, _))) = (&plan.files.film, &self.film)
            && !film.is_empty()
        {
            film.write(path).with_context(|| unwritten(path))?;
        }
        if let (Some(path), Some(igb)) = (&plan.files.igb, self.igb) {
            igb.finish().with_context(|| unwritten(path))?;
        }
        Ok(())
    }
}

fn unwritten(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
