//! What drives waves: data on pieces of the boundary, point sources, and f in the domain. A problem may be driven in
//! several ways; their right-hand sides share A(k).

use super::condition::Data;
use crate::forest::geometry::Point;
use crate::form::Field;
use galerkit_linalg::c64;
use std::collections::BTreeMap;

/// A point source: f is a multiple of Dirac's delta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSource {
    /// Where it is.
    pub place: Point,
    /// The multiple.
    pub amplitude: c64,
}

/// What drives a problem; nothing at first.
#[derive(Clone, Debug, Default)]
pub struct Excitation {
    pub(super) data: BTreeMap<i32, Data>,
    pub(super) sources: Vec<PointSource>,
    pub(super) density: Option<Field>,
}

impl Excitation {
    /// Sets the data on a piece of the boundary: u where a wall is soft, else du/dn - i k beta u.
    pub fn data(mut self, tag: i32, data: Data) -> Self {
        self.data.insert(tag, data);
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
    /// The data on a piece.
    pub(super) fn on(&self, tag: i32) -> &Data {
        self.data.get(&tag).unwrap_or(&Data::Zero)
    }
}
