//! Cells a wavelength: below two there is no wave on the mesh, and below some points more than that errors are large.

use super::Session;
use crate::plan::helmholtz::HelmholtzPlan;
use crate::plan::helmholtz::words::Truncation;
use anyhow::{Result, bail};
use galerkit::fem::Mesh;
use galerkit::fem::mesh::generate::LAYER_REGION;
use std::f64::consts::TAU;

/// Below so many cells times degree a wavelength there is a warning.
const FEW: f64 = 8.0;
/// Below so many cells a wavelength it is an error.
const LEAST: f64 = 2.0;

/// How fine a mesh is.
pub struct Resolution {
    /// The size of a cell: that of the mean volume.
    pub size: f64,
    /// Cells for each of the shortest wavelengths; infinite for k = 0.
    pub cells: f64,
    /// The longest side of the box around the mesh.
    pub extent: f64,
}

impl Resolution {
    /// Of a mesh.
    pub fn new(plan: &HelmholtzPlan, mesh: &Mesh) -> Self {
        let dim = mesh.dim();
        // in layers there are no waves to resolve
        let counts = |region: i32| region != LAYER_REGION || !matches!(plan.truncation, Truncation::Layer { .. });
        let (mut longest, mut cells) = (0.0f64, 0usize);
        for block in mesh.blocks_of(dim) {
            cells += block.len();
            for (nodes, _) in block.cells().zip(&block.tags).filter(|(_, region)| counts(**region)) {
                let corners = &nodes[..block.shape.corners()];
                let longest_edge = |&a: &u32| {
                    let x = mesh.points[a as usize];
                    let away = |&b: &u32| (0..3).map(|d| (x[d] - mesh.points[b as usize][d]).powi(2)).sum::<f64>();
                    let mut ways: Vec<f64> = corners.iter().filter(|&&b| b != a).map(away).collect();
                    ways.sort_by(f64::total_cmp);
                    ways.get(dim - 1).copied().unwrap_or(0.0).sqrt() // edges end at the nearest corners, as many as axes
                };
                longest = corners.iter().map(longest_edge).fold(longest, f64::max);
            }
        }
        let volume: f64 = mesh.volumes(dim).map_or(0.0, |volumes| volumes.iter().sum());
        let size = (volume / cells.max(1) as f64).powf(1.0 / dim as f64);
        let largest = plan.wavenumbers.iter().fold(0.0f64, |most, k| most.max(plan.local(*k).re));
        Self { size, cells: if largest > 0.0 { TAU / largest / longest } else { f64::INFINITY }, extent: extent(mesh) }
    }

    /// In words; nothing where there are no waves.
    pub fn said(&self) -> String {
        if self.cells.is_finite() { format!(", {:.1} cells a wavelength", self.cells) } else { String::new() }
    }

    /// An error or a warning where the mesh is too coarse.
    pub fn check(&self, session: &Session<'_>) -> Result<()> {
        let (plan, cells) = (session.plan, self.cells);
        if cells < LEAST && !plan.force {
            bail!(
                "the mesh has {cells:.2} cells a wavelength, at least 2 are needed: take more --cells or a lower frequency, \
                 or --force to go on"
            );
        }
        if cells * (plan.degree as f64) < FEW {
            session.note(&format!(
                "warning: {cells:.1} cells of degree {} a wavelength: errors may be large; 8 / degree are a beginning",
                plan.degree
            ));
        }
        Ok(())
    }
}

/// The longest side of the box around a mesh.
fn extent(mesh: &Mesh) -> f64 {
    let end = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    (0..3).map(|d| end(d, f64::max) - end(d, f64::min)).fold(0.0, f64::max)
}
