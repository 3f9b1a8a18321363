//! A body and what its colours mean: a field, tags, or nothing.

use super::body::Body;
use super::mesh_body::{MeshBody, Shown};
use super::solution_body::SolutionBody;
use crate::error::Result;
use crate::mesh::Mesh;
use crate::problem::Solution;
use std::collections::{BTreeMap, BTreeSet};

/// What the colour of a point stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// Nothing: one colour, another where a plane cuts.
    Plain,
    /// The value of the field, by a colour map.
    Field,
    /// The region of a cell.
    Regions,
    /// The tag of a side of a solid.
    Sides,
}

/// What a picture shows.
pub struct Scene<'a> {
    pub(super) body: Box<dyn Body + 'a>,
    pub(super) colouring: Colouring,
    names: BTreeMap<(usize, i32), String>,
}

impl<'a> Scene<'a> {
    /// A mesh alone.
    ///
    /// # Errors
    /// If the mesh has neither surfaces nor solids.
    pub fn of_mesh(mesh: &'a Mesh) -> Result<Self> {
        Ok(Self::of_body(MeshBody::new(mesh, Shown::Nothing)?, Colouring::Plain))
    }
    /// A mesh with a colour for each region, or each piece of the boundary of a solid; plain if there is only one.
    ///
    /// # Errors
    /// If the mesh has neither surfaces nor solids.
    pub fn of_tags(mesh: &'a Mesh) -> Result<Self> {
        let mut scene = Self { names: mesh.names.clone(), ..Self::of_mesh(mesh)? };
        let choices: &[Colouring] =
            if scene.body.dim() == 3 { &[Colouring::Sides, Colouring::Regions] } else { &[Colouring::Regions] };
        for &colouring in choices {
            scene.colouring = colouring;
            if scene.tags()?.len() > 1 {
                return Ok(scene);
            }
        }
        Ok(Self { colouring: Colouring::Plain, ..scene })
    }
    /// The tags that have a colour each, ascending; none where colours stand for something else.
    pub(super) fn tags(&self) -> Result<Vec<i32>> {
        let tags: BTreeSet<i32> = match self.colouring {
            Colouring::Plain | Colouring::Field => BTreeSet::new(),
            Colouring::Regions => (0..self.body.cells()).map(|cell| self.body.region(cell)).collect(),
            Colouring::Sides => self.body.sides()?.iter().map(|side| side.tag).collect(),
        };
        Ok(tags.into_iter().collect())
    }
    /// What each colour of a tag stands for: its name, or the tag itself.
    pub(super) fn labels(&self) -> Result<Vec<String>> {
        let dim = self.body.dim() - usize::from(self.colouring == Colouring::Sides);
        let label = |tag: i32| self.names.get(&(dim, tag)).cloned().unwrap_or_else(|| tag.to_string());
        Ok(self.tags()?.into_iter().map(label).collect())
    }
    /// A field by its values at the points of a mesh.
    ///
    /// # Errors
    /// If the mesh has neither surfaces nor solids, or values are not one for each point.
    pub fn of_points(mesh: &'a Mesh, values: &'a [f64]) -> Result<Self> {
        Ok(Self::of_body(MeshBody::new(mesh, Shown::AtPoints(values))?, Colouring::Field))
    }
    /// A function of a block, a cell of it and a reference point, sampled `cuts` times along each edge.
    ///
    /// # Errors
    /// If the mesh has neither surfaces nor solids.
    pub fn of_function(
        mesh: &'a Mesh,
        cuts: usize,
        function: impl Fn(usize, usize, [f64; 3]) -> f64 + Sync + 'a,
    ) -> Result<Self> {
        let shown = Shown::OnCells(cuts, Box::new(function));
        Ok(Self::of_body(MeshBody::new(mesh, shown)?, Colouring::Field))
    }
    /// A function of an hp space, on the cells of its forest.
    pub fn of_solution(solution: &'a Solution) -> Self {
        Self::of_body(SolutionBody::new(solution), Colouring::Field)
    }
    /// Any body.
    pub fn of_body(body: impl Body + 'a, colouring: Colouring) -> Self {
        Self { body: Box::new(body), colouring, names: BTreeMap::new() }
    }
}
