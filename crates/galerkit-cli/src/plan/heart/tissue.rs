//! What conducts, as meant: conductivities everywhere and by region, scars, fibres.

use super::geometry::{Geometry, Shape};
use super::spot::{KEYS, Spot, numbers};
use super::{Purpose, positive};
use crate::args::HeartRun;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::Conductivity;
use galerkit::fem::cardiac::fibres::Angles;
use galerkit::fem::cardiac::fibres::surfaces::SurfaceTags;
use galerkit::fem::mesh::Mesh;
use std::path::PathBuf;

/// Where fibres come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Fibres {
    /// All in one direction.
    Constant([f64; 3]),
    /// From the mesh file where it has some, else along x.
    OfFile,
    /// From a field of the mesh file.
    Field(String),
    /// From a .lon file.
    Lon(PathBuf),
    /// By rule, with angles at endocardium and epicardium.
    Rule(Angles),
}

/// What is different in a part of the tissue.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionPlan {
    /// Where.
    pub spot: Spot,
    /// What conducts there: another conductivity, or a multiple of what is there; 0 is a hole.
    pub change: Change,
}

/// How a region conducts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// So.
    To(Conductivity),
    /// So many times as well.
    Times(f64),
}

/// D along and across, from the options.
pub fn conductivity(arguments: &HeartRun, geometry: &Geometry, purpose: Purpose) -> Result<Conductivity> {
    let conductivity = if arguments.d_iso.is_some() || arguments.d_ani.is_some() {
        Conductivity { iso: arguments.d_iso.unwrap_or(0.0), ani: arguments.d_ani.unwrap_or(0.0) }
    } else {
        let along = arguments.D.unwrap_or(1.0);
        let ratio = arguments.anisotropy.unwrap_or(if purpose.is_free() { geometry.anisotropy() } else { 1.0 });
        Conductivity { iso: ratio * along, ani: along - ratio * along }
    };
    let Conductivity { iso, ani } = conductivity;
    for (what, value, options) in [
        ("D across the fibres", iso, "--D times --anisotropy, or --d-iso"),
        ("D along the fibres", iso + ani, "--D, or --d-iso + --d-ani"),
    ] {
        if !(value > 0.0 && value.is_finite()) {
            bail!("{what} ({options}) is {value}: it must be positive");
        }
    }
    Ok(conductivity)
}

impl Fibres {
    /// From the options, or what the geometry has.
    pub fn new(arguments: &HeartRun, geometry: &Geometry) -> Result<Self> {
        let angles = match arguments.fibre_angles[..] {
            [] => Angles::default(),
            [endo, epi] => Angles { endo, epi },
            _ => bail!("--fibre-angles takes two numbers, at the endocardium and at the epicardium: 60,-60"),
        };
        let constant = match arguments.fibre[..] {
            [] => None,
            [x, y, z] => Some([x, y, z]),
            _ => bail!("--fibre takes three numbers, as in --fibre 0,1,0"),
        };
        let is_file = matches!(geometry, Geometry::File { .. });
        let is_ventricle = matches!(geometry, Geometry::BuiltIn { shape: Shape::Ventricle | Shape::Biventricle, .. });
        Ok(match (arguments.fibres.as_deref(), constant) {
            (None, Some(fibre)) => Self::Constant(fibre),
            (None, None) if is_ventricle => Self::Rule(angles),
            (None, None) if is_file => Self::OfFile,
            (None, None) => Self::Constant([1.0, 0.0, 0.0]),
            (Some("rule"), _) => Self::Rule(angles),
            (Some("file"), _) if is_file => Self::OfFile,
            (Some(name), _) if name.ends_with(".lon") => Self::Lon(name.into()),
            (Some(name), _) if is_file => Self::Field(name.into()),
            (Some(name), _) => {
                bail!("--fibres {name}: built-in geometry takes 'rule' or a .lon file, or --fibre x,y,z")
            }
        })
    }
}

/// What --region and --scar say, the later over the earlier.
pub fn regions(arguments: &HeartRun) -> Result<Vec<RegionPlan>> {
    let regions = arguments.region.iter().map(|text| region(text).with_context(|| format!("--region '{text}'")));
    let scars = arguments.scar.iter().map(|text| scar(text).with_context(|| format!("--scar '{text}'")));
    regions.chain(scars).collect()
}

/// Where, and the numbers of the other keys.
fn parts<const N: usize>(text: &str, names: [&str; N]) -> Result<(Spot, [Option<f64>; N])> {
    let (mut spot, mut found) = (None, [None; N]);
    for pair in text.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if let Some(read) = Spot::read(key.trim(), value).with_context(|| format!("in '{pair}'"))? {
            spot = Some(read);
            continue;
        }
        let Some(place) = names.iter().position(|name| *name == key.trim()) else {
            bail!("there is no '{key}': the keys are {}, {}", KEYS.join(", "), names.join(", "));
        };
        match numbers(value).with_context(|| format!("in '{pair}'"))?[..] {
            [number] => found[place] = Some(number),
            _ => bail!("'{pair}' takes one number"),
        }
    }
    Ok((spot.context("it does not say where: box=, sphere=, tag=, nodes= or all")?, found))
}

fn region(text: &str) -> Result<RegionPlan> {
    let (spot, [along, anisotropy]) = parts(text, ["D", "anisotropy"])?;
    let along = along.context("a region needs D=, in mm2/ms along the fibres")?;
    let ratio = positive("region anisotropy", anisotropy.unwrap_or(1.0))?;
    Ok(RegionPlan { spot, change: Change::To(Conductivity { iso: ratio * along, ani: along - ratio * along }) })
}

fn scar(text: &str) -> Result<RegionPlan> {
    let (spot, [scale]) = parts(text, ["scale"])?;
    match scale.unwrap_or(0.0) {
        scale if scale >= 0.0 && scale.is_finite() => Ok(RegionPlan { spot, change: Change::Times(scale) }),
        scale => bail!("scale={scale} makes no sense: 0 takes the tissue away, 0.1 leaves a tenth of its conductivity"),
    }
}

/// Tags of surfaces from 'epi=1,lv=2,rv=3,base=4', where tags may be names.
pub fn surface_tags(text: &str, mesh: &Mesh) -> Result<SurfaceTags> {
    let find = |wanted: &str| -> Result<Option<i32>> {
        for pair in text.split(',') {
            let (key, value) =
                pair.split_once('=').with_context(|| format!("--surfaces '{pair}': name=tag is expected"))?;
            if !["epi", "lv", "rv", "base"].contains(&key.trim()) {
                bail!("--surfaces: there is no surface '{key}': they are epi, lv, rv and base");
            }
            if key.trim() == wanted {
                let tag = mesh.tag_named(2, value.trim());
                return tag
                    .map(Some)
                    .with_context(|| format!("--surfaces: no piece of the boundary has the tag {value}"));
            }
        }
        Ok(None)
    };
    let needed = |name: &str| find(name)?.with_context(|| format!("--surfaces: {name}= is missing"));
    Ok(SurfaceTags { epi: needed("epi")?, lv: needed("lv")?, rv: find("rv")?, base: needed("base")? })
}
