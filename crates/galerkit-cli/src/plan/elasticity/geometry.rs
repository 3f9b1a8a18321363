//! Geometries by name, their meshes, and what holds and loads them unless something is said.

use super::words::numbers;
use crate::args::Elasticity;
use anyhow::{Result, bail};
use galerkit::fem::Mesh;
use galerkit::fem::mesh::generate;

/// The height of a girder in chords, of which one is a fifth.
const CHORDS: f64 = 5.0;

/// Which geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Beam,
    Girder,
    Rod,
}

/// A geometry with its cells.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    pub shape: Shape,
    /// Length, width and height.
    size: [f64; 3],
    /// Cells across the thinnest part.
    cells: usize,
    degree: usize,
    simplices: bool,
}

impl Geometry {
    /// By name, with its parameters.
    pub fn new(arguments: &Elasticity) -> Result<Self> {
        let (shape, size, cells, degree) = match arguments.geometry.as_deref().unwrap_or("girder") {
            "beam" => (Shape::Beam, [1.0, 0.1, 0.1], 4, 1),
            "girder" => (Shape::Girder, [5.2, 0.4, 1.0], 3, 1),
            "rod" => (Shape::Rod, [1.0, 0.2, 0.2], 2, 2),
            name => bail!("there is no geometry '{name}': it is beam, girder or rod, or a file with --mesh"),
        };
        let size = arguments.size.as_deref().map_or(Ok(size), |text| numbers("size", text))?;
        if size.iter().any(|length| *length <= 0.0) {
            bail!("--size {} is not allowed: lengths are above 0", arguments.size.as_deref().unwrap_or(""));
        }
        let (cells, degree) = (arguments.cells.unwrap_or(cells), arguments.degree.unwrap_or(degree));
        if cells == 0 {
            bail!("--cells 0 leaves no cells: take at least one");
        }
        if !(1..=4).contains(&degree) {
            bail!("--degree {degree} is not allowed: degrees are from 1 to 4");
        }
        if arguments.simplices && (shape == Shape::Rod || degree > 1) {
            bail!("--simplices needs --geometry beam or girder and --degree 1: other tetrahedra come by --mesh");
        }
        Ok(Self { shape, size, cells, degree, simplices: arguments.simplices })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self.shape {
            Shape::Beam => "beam",
            Shape::Girder => "girder",
            Shape::Rod => "rod",
        }
    }

    /// Its mesh.
    pub fn mesh(&self) -> Result<Mesh> {
        let ([length, width, height], n) = (self.size, self.cells);
        let mesh = match self.shape {
            Shape::Beam => {
                let h = width.min(height) / n as f64;
                let counts = self.size.map(|side| (side / h).round().max(1.0) as usize);
                generate::brick_of_order([0.0; 3], self.size, counts, self.degree)?
            }
            Shape::Girder => {
                let bays = (length / height - 1.0 / CHORDS).round().max(1.0) as usize;
                generate::girder(height, width, bays, n, self.degree)?
            }
            Shape::Rod => {
                let layers = (length / width * n as f64 * 1.5).round().max(1.0) as usize;
                generate::cylinder(0.5 * width, length, n, layers, self.degree)?
            }
        };
        Ok(if self.simplices { generate::to_simplices(&mesh)? } else { mesh })
    }

    /// What is clamped unless something is said.
    pub fn usual_clamp(&self) -> &'static str {
        if self.shape == Shape::Rod { "bottom" } else { "left" }
    }

    /// What acts unless something is said: a traction.
    pub fn usual_traction(&self) -> &'static str {
        match self.shape {
            Shape::Beam => "right=0,0,-1e6",
            Shape::Girder => "top=0,0,-1e5",
            Shape::Rod => "top=-1e9*y,1e9*x,0",
        }
    }
}
