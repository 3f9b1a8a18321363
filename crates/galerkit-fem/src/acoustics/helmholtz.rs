//! -div(grad u / rho) - k^2 u / (rho c^2) = f with conditions on pieces of the boundary, on any space that waves are
//! computed in.

use super::condition::{Condition, Data};
use super::excitation::{Excitation, PointSource};
use super::gls::Gls;
use super::medium::Medium;
use super::wave_space::WaveSpace;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use crate::form::Field;
use galerkit_linalg::c64;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A problem; k is said when it is solved.
pub struct Helmholtz<V> {
    pub(super) space: Arc<V>,
    pub(super) medium: Arc<Medium>,
    pub(super) conditions: BTreeMap<i32, Condition>,
    pub(super) sources: Vec<PointSource>,
    pub(super) density: Option<Field>,
    pub(super) gls: Option<Gls>,
}

impl<V: WaveSpace> Helmholtz<V> {
    /// Rigid walls, a uniform medium, no sources yet.
    pub fn new(space: Arc<V>) -> Self {
        let medium = Arc::new(Medium::uniform(space.dim()));
        Self { space, medium, conditions: BTreeMap::new(), sources: Vec::new(), density: None, gls: None }
    }
    /// Sets what sound travels through.
    pub fn medium(mut self, medium: Medium) -> Self {
        self.medium = Arc::new(medium);
        self
    }
    /// Sets the condition on a piece of the boundary. Soft walls are those that the space has fixed.
    pub fn condition(mut self, tag: i32, condition: Condition) -> Self {
        self.conditions.insert(tag, condition);
        self
    }
    /// Adds a point source.
    pub fn source(mut self, source: PointSource) -> Self {
        self.sources.push(source);
        self
    }
    /// Sets f in the whole domain.
    pub fn density(mut self, f: impl Into<Field>) -> Self {
        self.density = Some(f.into());
        self
    }
    /// Corrects the length of waves on bilinear cells.
    pub fn gls(mut self, gls: Gls) -> Self {
        self.gls = Some(gls);
        self
    }
    /// The same problem on another space.
    pub fn on(&self, space: Arc<V>) -> Self {
        let Self { medium, conditions, sources, density, gls, .. } = self;
        let (medium, conditions, sources) = (medium.clone(), conditions.clone(), sources.clone());
        Self { space, medium, conditions, sources, density: density.clone(), gls: *gls }
    }
    /// The space it stands on.
    pub fn space(&self) -> &Arc<V> {
        &self.space
    }

    /// Whether constants are solutions without data for k = 0: nothing fixes the pressure then, and A(0) is singular.
    pub fn floats(&self) -> bool {
        let is_free = |condition: &Condition| matches!(condition, Condition::Velocity(_) | Condition::Impedance { .. });
        self.conditions.values().all(is_free)
    }

    /// Whether sound can leave or be absorbed for a real k. Where it cannot, A(k) is singular at resonances.
    pub fn has_losses(&self) -> bool {
        let loses = |condition: &Condition| match condition {
            Condition::Velocity(_) | Condition::Soft(_) => false,
            Condition::Impedance { admittance, .. } => admittance.re != 0.0,
            Condition::Bgt1 { .. } | Condition::Bgt2 { .. } | Condition::Infinite { .. } => true,
        };
        self.medium.layer.is_some() || self.conditions.values().any(loses)
    }

    /// What its conditions and sources drive it by.
    pub fn excitation(&self) -> Excitation {
        let data = self.conditions.iter().map(|(&tag, condition)| (tag, condition.data().clone())).collect();
        Excitation { data, sources: self.sources.clone(), density: self.density.clone() }
    }

    /// u on the soft walls as coefficients of all numbered functions, real and imaginary.
    pub(super) fn lift(&self, k: c64, drive: &Excitation) -> Result<[Vec<f64>; 2]> {
        let value = |tag: i32, x: &Point| match self.conditions.get(&tag) {
            Some(Condition::Soft(_)) => drive.on(tag).at(k, x, &[0.0; 3]),
            _ => c64::new(0.0, 0.0),
        };
        Ok([self.space.lift(&|tag, x| value(tag, x).re)?, self.space.lift(&|tag, x| value(tag, x).im)?])
    }

    /// The pieces with data that are integrated: not soft, not 0.
    pub(super) fn driven<'a>(&self, tag: i32, drive: &'a Excitation) -> Option<&'a Data> {
        self.conditions.get(&tag).filter(|condition| !condition.is_soft())?;
        Some(drive.on(tag)).filter(|data| !data.is_zero())
    }

    /// An error if a condition stands on a tag that the boundary does not have, or data make no sense.
    pub(super) fn check(&self) -> Result<()> {
        let known = self.space.boundary_tags();
        if let Some(&tag) = self.conditions.keys().find(|tag| !known.contains(tag)) {
            return Err(Error::NoSuchTag { tag, known });
        }
        for condition in self.conditions.values() {
            let (what, value, needed) = match condition {
                Condition::Bgt2 { radius } if !(*radius > 0.0 && radius.is_finite()) => {
                    ("the radius of the boundary", *radius, "positive and finite")
                }
                Condition::Infinite { order, .. } if !(1..=8).contains(order) => {
                    ("the order of infinite elements", *order as f64, "a whole number from 1 to 8")
                }
                _ => continue,
            };
            return Err(Error::InvalidCoefficient { what, value, point: [0.0; 3], needed });
        }
        Ok(())
    }
}
