//! A solid body: its mesh and material, how it is held, what acts on it.

use super::cells::Cells;
use crate::error::{Error, Result};
use crate::form::neumann::VectorFunction;
use crate::form::{Elasticity, Field};
use crate::mesh::components::labels;
use crate::mesh::{Facet, Mesh};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What acts on a piece of the boundary.
#[derive(Clone)]
pub enum Traction {
    /// A force for each unit of area.
    Vector(VectorFunction),
    /// A pressure, against the outer normal.
    Pressure(Field),
}

/// A body with its supports and loads.
///
/// ```
/// use galerkit_fem::elasticity::Solid;
/// use galerkit_fem::form::Elasticity;
/// use galerkit_fem::mesh::generate::brick;
///
/// let beam = brick([0.0; 3], [4.0, 1.0, 1.0], [8, 2, 2])?; // tags: 1 left, 2 right
/// let solid = Solid::new(beam, Elasticity::new(1e4, 0.3))?.clamp(1).traction(2, |_| [0.0, 0.0, -1.0]);
/// let equations = solid.assemble()?;
/// assert_eq!(equations.A.rows(), 3 * 8 * 9); // three for each node that is not clamped
/// # Ok::<(), galerkit_fem::Error>(())
/// ```
#[derive(Clone)]
pub struct Solid {
    pub(super) mesh: Arc<Mesh>,
    pub(super) cells: Arc<Cells>,
    pub(super) boundary: Arc<Vec<Facet>>,
    pub(super) material: Elasticity,
    pub(super) supports: Vec<(i32, VectorFunction)>,
    pub(super) force: Option<VectorFunction>,
    pub(super) tractions: Vec<(i32, Traction)>,
}

impl Solid {
    /// A body that nothing holds and nothing acts on.
    ///
    /// # Errors
    /// If the mesh has no solid cells, or three of them share a facet.
    pub fn new(mesh: Mesh, material: Elasticity) -> Result<Self> {
        if mesh.dim() != 3 {
            let problem = format!("its cells have dimension {}: a body needs hexahedra or tetrahedra", mesh.dim());
            return Err(Error::InvalidMesh { place: "the mesh".into(), problem });
        }
        let (cells, boundary) = (Cells::new(&mesh)?, mesh.boundary()?.facets);
        let (supports, tractions) = (Vec::new(), Vec::new());
        let (mesh, cells, boundary) = (Arc::new(mesh), Arc::new(cells), Arc::new(boundary));
        Ok(Self { mesh, cells, boundary, material, supports, force: None, tractions })
    }
    /// u = 0 on a piece of the boundary.
    #[must_use]
    pub fn clamp(self, tag: i32) -> Self {
        self.displace(tag, |_| [0.0; 3])
    }
    /// u is given on a piece of the boundary; where pieces meet the first counts.
    #[must_use]
    pub fn displace(mut self, tag: i32, u: impl Fn(&[f64; 3]) -> [f64; 3] + Send + Sync + 'static) -> Self {
        self.supports.push((tag, Arc::new(u)));
        self
    }
    /// A force for each unit of volume.
    #[must_use]
    pub fn force(mut self, f: impl Fn(&[f64; 3]) -> [f64; 3] + Send + Sync + 'static) -> Self {
        self.force = Some(Arc::new(f));
        self
    }
    /// A force for each unit of area on a piece of the boundary.
    #[must_use]
    pub fn traction(mut self, tag: i32, t: impl Fn(&[f64; 3]) -> [f64; 3] + Send + Sync + 'static) -> Self {
        self.tractions.push((tag, Traction::Vector(Arc::new(t))));
        self
    }
    /// A pressure on a piece of the boundary.
    #[must_use]
    pub fn pressure(mut self, tag: i32, p: impl Into<Field>) -> Self {
        self.tractions.push((tag, Traction::Pressure(p.into())));
        self
    }

    /// Its mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
    /// Its material.
    pub fn material(&self) -> &Elasticity {
        &self.material
    }
    /// How many cells it has.
    pub fn cell_count(&self) -> usize {
        self.cells.count()
    }

    /// The displacement of each node that is held; none for those that can move.
    ///
    /// # Errors
    /// If a tag is none of the boundary's, or a displacement is not finite.
    pub fn held(&self) -> Result<Vec<Option<[f64; 3]>>> {
        self.check_tags()?;
        let mut held = vec![None; self.mesh.points.len()];
        for (tag, u) in &self.supports {
            for facet in self.boundary.iter().filter(|facet| facet.tag == *tag) {
                for node in self.mesh.facet_nodes(*facet) {
                    let place = &mut held[node as usize];
                    if place.is_none() {
                        *place = Some(finite("a displacement", u(&self.mesh.points[node as usize]), node, &self.mesh)?);
                    }
                }
            }
        }
        Ok(held)
    }

    /// An error where a part of the body can move as a whole.
    pub(super) fn check_held(&self, held: &[Option<[f64; 3]>]) -> Result<()> {
        let labels = labels(&self.mesh);
        let is_held = |e: &usize| self.cells.nodes(&self.mesh, *e).iter().any(|&node| held[node as usize].is_some());
        let fast: BTreeSet<u32> = (0..labels.len()).filter(is_held).map(|e| labels[e]).collect();
        let loose = labels.iter().filter(|label| !fast.contains(label)).count();
        if loose > 0 {
            return Err(Error::NotHeld { cells: loose, all: labels.len(), pieces: self.tags() });
        }
        Ok(())
    }

    fn check_tags(&self) -> Result<()> {
        let known = self.tags();
        let tags = self.supports.iter().map(|(tag, _)| *tag).chain(self.tractions.iter().map(|(tag, _)| *tag));
        match tags.into_iter().find(|tag| !known.contains(tag)) {
            Some(tag) => Err(Error::NoSuchTag { tag, known }),
            None => Ok(()),
        }
    }

    fn tags(&self) -> Vec<i32> {
        self.boundary.iter().map(|facet| facet.tag).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The vector, or an error where it is none.
fn finite(what: &'static str, vector: [f64; 3], node: u32, mesh: &Mesh) -> Result<[f64; 3]> {
    match vector.into_iter().find(|x| !x.is_finite()) {
        None => Ok(vector),
        Some(value) => {
            let point = mesh.points[node as usize];
            Err(Error::InvalidCoefficient { what, value, point, needed: "finite" })
        }
    }
}
