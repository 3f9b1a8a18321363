//! The potential over time as pictures and files: film, ParaView's series, CARP's slices, at multiples of
//! `--picture-every`.

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
    /// Between pictures, in ms: whole steps, so that what files say of their times is true.
    apart: f64,
    /// Which multiple of that is the next one.
    next: u64,
    is_wanted: bool,
}

impl Series {
    /// As many as were asked for; those of a run that goes on from a time begin after it.
    pub fn new(plan: &HeartPlan, tissue: &Tissue, from: Option<f64>) -> Result<Self> {
        let apart = plan.scheme.in_steps(plan.picture_every);
        let film = plan.files.film.as_ref().map(|_| Ok::<_, anyhow::Error>((Film::new(60), Camera::new(tissue)?)));
        let igb = plan.files.igb.as_ref().map(|path| IgbWriter::create(path, tissue.points().len(), apart));
        let next = from.map_or(0, |time| (time / apart + 1e-9) as u64 + 1);
        let is_wanted = film.is_some() || igb.is_some() || plan.files.pvd.is_some();
        Ok(Self { film: film.transpose()?, igb: igb.transpose()?, files: Vec::new(), apart, next, is_wanted })
    }

    /// When the next picture is due, if somebody wants it and it is not after a time.
    pub fn due(&self, until: f64) -> Option<f64> {
        let time = self.apart * self.next as f64;
        (self.is_wanted && time <= until + 1e-9).then_some(time)
    }

    /// What is to be said, if pictures are not as far apart as was asked for.
    pub fn note(&self, plan: &HeartPlan) -> Option<String> {
        let (asked, dt, apart) = (plan.picture_every, plan.scheme.dt(), self.apart);
        (self.is_wanted && apart != asked).then(|| {
            format!("{asked} ms are no whole steps of {dt} ms: pictures and slices are {apart} ms apart (see --picture-every)")
        })
    }

    /// Adds the potential at a time.
    pub fn add(&mut self, plan: &HeartPlan, tissue: &Tissue, phi: &[f64], time: f64) -> Result<()> {
        self.next += 1;
        if let Some((film, camera)) = &mut self.film {
            film.push(camera.potential(phi, time)?)?;
        }
        if let Some(igb) = &mut self.igb {
            igb.push(time, phi)?;
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
