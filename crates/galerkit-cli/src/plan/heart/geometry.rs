//! Built-in geometry by name, with its defaults; or a mesh file.

use super::Purpose;
use crate::args::HeartRun;
use anyhow::{Context, Result, bail};
use galerkit::fem::io::carp;
use galerkit::{Choice, Device};
use std::path::PathBuf;

/// What the tissue looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A shape with its extents and edges, in mm.
    BuiltIn {
        /// Which.
        shape: Shape,
        /// Along x, y, z.
        size: [f64; 3],
        /// Length of edges.
        dx: f64,
    },
    /// A file, whose lengths times the factor are mm.
    File {
        /// The file.
        path: PathBuf,
        /// mm of its unit.
        unit: f64,
        /// The unit.
        unit_name: &'static str,
        /// Whether the unit was said, so that any size is meant.
        is_given: bool,
    },
}

/// Edges of two ventricles: about 17,000 nodes for a CPU, 50,000 for a GPU.
const COARSE: f64 = 1.95;
const FINE: f64 = 1.31;
const FINE_NODES: usize = 50_000;

/// Built-in shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Segments along x.
    Cable,
    /// Triangles.
    Sheet,
    /// Tetrahedra.
    Slab,
    /// The left ventricle, of tetrahedra.
    Ventricle,
    /// Both.
    Biventricle,
}

impl Geometry {
    /// From what was typed.
    pub fn new(arguments: &HeartRun, purpose: Purpose, device: Choice<Device>) -> Result<Self> {
        if let Some(path) = &arguments.mesh {
            if !purpose.is_free() {
                bail!(
                    "'heart cv' and 'heart restitution' measure on --geometry cable, sheet or slab: fronts in a mesh file are not planar"
                );
            }
            // CARP's programs have micrometres.
            let usual = if carp::parts(path).is_some() { "um" } else { "mm" };
            let (unit_name, unit) = unit(arguments.unit.as_deref().unwrap_or(usual))?;
            return Ok(Self::File { path: path.clone(), unit, unit_name, is_given: arguments.unit.is_some() });
        }
        if let Some(unit) = &arguments.unit {
            bail!("--unit {unit} is for --mesh: built-in geometry is in mm");
        }
        let default = match purpose {
            Purpose::Beat => "biventricle",
            Purpose::Window => "sheet",
            Purpose::Speed | Purpose::Restitution => "cable",
        };
        // Whether there is a GPU is looked for only where it matters.
        let is_large =
            || arguments.dx.is_none() && matches!(galerkit::heart::device(device, FINE_NODES).0, Device::Cuda(_));
        let (shape, size, dx) = match (arguments.geometry.as_deref().unwrap_or(default), purpose) {
            ("cable", Purpose::Restitution) => (Shape::Cable, [40.0, 0.0, 0.0], 0.5),
            ("cable", _) => (Shape::Cable, [80.0, 0.0, 0.0], 0.5),
            (_, Purpose::Restitution) => bail!("'heart restitution' measures on --geometry cable"),
            ("sheet", Purpose::Beat | Purpose::Window) => (Shape::Sheet, [200.0, 200.0, 0.0], 2.0),
            ("sheet", Purpose::Speed) => (Shape::Sheet, [80.0, 8.0, 0.0], 1.0),
            ("slab", Purpose::Beat | Purpose::Window) => (Shape::Slab, [20.0, 7.0, 3.0], 0.5),
            ("slab", Purpose::Speed) => (Shape::Slab, [40.0, 2.0, 2.0], 1.0),
            ("ventricle", Purpose::Beat | Purpose::Window) => (Shape::Ventricle, [0.0; 3], 1.7),
            ("biventricle", Purpose::Beat | Purpose::Window) => {
                (Shape::Biventricle, [0.0; 3], if is_large() { FINE } else { COARSE })
            }
            ("ventricle" | "biventricle", _) => {
                bail!("'heart cv' measures planar fronts: --geometry cable, sheet or slab")
            }
            (other, _) => {
                bail!("there is no geometry '{other}': they are slab, cable, sheet, ventricle and biventricle")
            }
        };
        let mut extents = size;
        if arguments.size.len() > shape.dim() {
            bail!("--size has {} numbers: a {} takes {}", arguments.size.len(), shape.name(), shape.dim());
        }
        extents.iter_mut().zip(&arguments.size).for_each(|(extent, given)| *extent = *given);
        Ok(Self::BuiltIn { shape, size: extents, dx: arguments.dx.unwrap_or(dx) })
    }

    /// When a run ends unless it is said.
    pub fn end(&self) -> Option<f64> {
        Some(match self {
            Self::BuiltIn { shape: Shape::Slab, .. } => 60.0,
            Self::BuiltIn { shape: Shape::Cable, .. } => 200.0,
            _ => 500.0,
        })
    }

    /// Look every so many ms unless it is said.
    pub fn every(&self) -> f64 {
        match self {
            Self::BuiltIn { shape: Shape::Ventricle | Shape::Biventricle, .. } => 10.0,
            _ => 5.0,
        }
    }

    /// Draw every so many ms unless it is said.
    pub fn picture_every(&self) -> f64 {
        match self {
            Self::BuiltIn { shape: Shape::Ventricle | Shape::Biventricle, .. } => 20.0,
            _ => self.every(),
        }
    }

    /// D across the fibres over D along them.
    pub fn anisotropy(&self) -> f64 {
        match self {
            Self::BuiltIn { shape: Shape::Slab, .. } => 0.132,
            Self::BuiltIn { shape: Shape::Ventricle | Shape::Biventricle, .. } => 0.4,
            _ => 1.0,
        }
    }

    /// What it is called in reports.
    pub fn name(&self) -> String {
        match self {
            Self::BuiltIn { shape, .. } => shape.name().into(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }
}

impl Shape {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cable => "cable",
            Self::Sheet => "sheet",
            Self::Slab => "slab",
            Self::Ventricle => "ventricle",
            Self::Biventricle => "biventricle",
        }
    }
    /// Extents that it has.
    pub fn dim(self) -> usize {
        match self {
            Self::Ventricle | Self::Biventricle => 0,
            Self::Cable => 1,
            Self::Sheet => 2,
            Self::Slab => 3,
        }
    }
}

/// Units of length, with how many mm they are.
pub const UNITS: [(&str, f64); 4] = [("mm", 1.0), ("cm", 10.0), ("m", 1000.0), ("um", 1e-3)];

fn unit(name: &str) -> Result<(&'static str, f64)> {
    let name = if name == "µm" { "um" } else { name };
    let found = UNITS.iter().find(|(known, _)| *known == name).copied();
    found.with_context(|| format!("there is no unit '{name}': they are mm, cm, m and um"))
}
