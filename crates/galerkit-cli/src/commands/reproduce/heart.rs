//! `galerkit reproduce heart`: source 004's tables beside ours, and what its model does.

mod figures;
mod tables;

use super::{held, make_folder, places};
use crate::args::ReproduceHeart;
use crate::commands::Ending;
use crate::interrupt;
use crate::output::{Output, json};
use anyhow::{Result, bail};
use galerkit::Device;
use galerkit::linalg::gallery::{williams, williams_names};
use galerkit_bench::reproduce::heart::assembly::{self, CostRow};
use galerkit_bench::reproduce::heart::formats::{self, FormatRow, ReorderRow};
use galerkit_bench::reproduce::heart::physics::{self, FrontRow, SlabRow};
use galerkit_bench::reproduce::heart::published::FAR_CORNER;
use galerkit_bench::reproduce::heart::{HEARTS, heart_matrix, ventricles};
use serde::Serialize;

/// What was measured.
#[derive(Default, Serialize)]
pub struct Study {
    /// Products.
    pub formats: Vec<FormatRow>,
    /// What reordering costs.
    pub reordering: Vec<ReorderRow>,
    /// Assembly against solve.
    pub assembly: Vec<CostRow>,
    /// Planar fronts.
    pub fronts: Vec<FrontRow>,
    /// Degrees, speed over that along fibres, theory.
    pub anisotropy: Vec<(f64, f64, f64)>,
    /// Share of excited nodes over time, with S2 and without.
    pub spiral: [Vec<(f64, f64)>; 2],
    /// Niederer's slab.
    pub slab: Vec<SlabRow>,
    /// phi of one cell over time.
    pub single_cell: Vec<(f64, f64)>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    source: &'static str,
    /// Fronts, fibres, spiral and slab are what is known.
    reproduced: bool,
    device: String,
    study: &'a Study,
}

/// Source 004.
pub fn run(arguments: &ReproduceHeart, output: Output) -> Result<Ending> {
    let names = names(arguments)?;
    if arguments.repetitions == 0 || !(arguments.dx > 0.0 && arguments.dx <= 1.0) {
        bail!("--repetitions must be at least 1, --dx above 0 and at most 1");
    }
    let places = places(&arguments.device, arguments.quiet, output)?;
    let device = places[places.len() - 1].device;
    let mut devices: Vec<Device> = places.iter().map(|place| place.device).collect();
    devices.dedup();
    make_folder(arguments.svg.as_deref())?;
    let _held = held(&places);
    let say = |text: &str| {
        if !arguments.quiet {
            output.note(text);
        }
    };
    let mut study = Study { single_cell: physics::single_cell(), ..Study::default() };
    say("fronts and fibres");
    (study.fronts, study.anisotropy) = (physics::fronts()?, physics::anisotropy()?);
    say("a spiral");
    study.spiral = physics::spiral(device)?;
    say("the slab");
    study.slab = physics::slab(device, arguments.dx)?;
    for name in names {
        if interrupt::was_asked() {
            break;
        }
        say(&format!("products with {name}"));
        let heart = HEARTS.iter().find(|(known, _)| *known == name);
        let A = match heart {
            Some((_, dx)) => heart_matrix(&ventricles(*dx)?)?,
            None => williams(&name, 1)?,
        };
        for device in &devices {
            study.formats.extend(formats::measure(&name, &A, *device, arguments.repetitions)?);
        }
        study.reordering.extend(formats::reordering(&name, &A, device, arguments.repetitions)?);
        if let Some((_, dx)) = heart {
            say(&format!("Newton's method on {name}"));
            study.assembly.extend(assembly::measure(&name, *dx, &places, arguments.milliseconds)?);
        }
    }
    let reproduced = study.is_reproduced();
    if let Some(folder) = &arguments.svg {
        for (name, svg) in figures::draw_all(&study)? {
            output.write(&folder.join(name), &svg)?;
        }
    }
    if arguments.json {
        let source = "Wong, Kuhl, Darve 2015";
        let report = Report {
            galerkit: env!("CARGO_PKG_VERSION"),
            source,
            reproduced,
            device: device.to_string(),
            study: &study,
        };
        output.print(&json::text(&report)?)?;
    } else {
        output.print(&tables::all(&study, reproduced, output.style))?;
    }
    Ok(match (interrupt::was_asked(), reproduced) {
        (true, _) => Ending::Interrupted,
        (false, true) => Ending::Done,
        (false, false) => Ending::NotConverged,
    })
}

/// The source's matrices, its hearts among them, or those that were typed.
fn names(arguments: &ReproduceHeart) -> Result<Vec<String>> {
    let is_other = |name: &&str| !name.contains("eart");
    let mut all: Vec<String> = williams_names().filter(is_other).map(String::from).collect();
    all.extend(HEARTS.iter().map(|(name, _)| (*name).to_string()));
    if arguments.matrices.is_empty() {
        return Ok(all);
    }
    match arguments.matrices.iter().find(|name| *name != "none" && !all.contains(name)) {
        Some(name) => bail!("--matrices {name} is not known: they are {}, or none", all.join(", ")),
        None => Ok(arguments.matrices.iter().filter(|name| *name != "none").cloned().collect()),
    }
}

impl Study {
    /// Whether the model does what is known of it.
    fn is_reproduced(&self) -> bool {
        let fronts = self.fronts.iter().all(|row| row.published.is_none_or(|known| (row.error - known).abs() < 6e-4));
        let fibres = self.anisotropy.iter().all(|(_, found, theory)| (found - theory).abs() < 5e-3);
        let [with, without] = &self.spiral;
        let stays = with.iter().filter(|(tau, _)| *tau >= 70.0).all(|(_, share)| *share > 0.2);
        let dies = without.iter().filter(|(tau, _)| *tau >= 60.0).all(|(_, share)| *share == 0.0);
        let far = self.slab.last().is_some_and(|row| (row.activation - FAR_CORNER).abs() < 0.2);
        fronts && fibres && stays && dies && far
    }
}
