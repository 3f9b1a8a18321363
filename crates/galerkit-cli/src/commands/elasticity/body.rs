//! From the plan to a mesh, and a body with its supports and loads. Conditions on places become tags of their own.

use super::Session;
use crate::plan::elasticity::{Condition, ElasticityPlan, Source};
use anyhow::{Result, bail};
use galerkit::fem::elasticity::Solid;
use galerkit::fem::form::{Elasticity, Field};
use galerkit::fem::mesh::Facet;
use galerkit::fem::{Expression, Mesh, io};
use std::collections::BTreeSet;

/// The mesh; what a file has that a user would want to know is noted.
pub fn mesh(session: &Session<'_>) -> Result<Mesh> {
    let path = match &session.plan.source {
        Source::Geometry(geometry) => return geometry.mesh(),
        Source::File(path) => path,
    };
    let mut mesh = io::read(path)?;
    if mesh.dim() < 3 {
        bail!("{}: there are no hexahedra or tetrahedra, only cells of dimension {}", path.display(), mesh.dim());
    }
    let found = mesh.repair()?;
    if !found.inverted.is_empty() {
        session.note(&format!("note: {}: {} inverted cells were turned round", path.display(), found.inverted.len()));
    }
    Ok(mesh)
}

/// The body.
pub fn solid(plan: &ElasticityPlan, mut mesh: Mesh) -> Result<Solid> {
    let tags = tags(plan, &mut mesh)?;
    let poisson = Field::from(plan.poisson.clone());
    let mut solid = Solid::new(mesh, Elasticity::new(plan.young.clone(), poisson))?;
    for (tag, (_, condition)) in tags.into_iter().zip(&plan.conditions) {
        solid = match condition.clone() {
            Condition::Displacement(u) => solid.displace(tag, move |x| u.at(x)),
            Condition::Traction(t) => solid.traction(tag, move |x| t.at(x)),
            Condition::Pressure(p) => solid.pressure(tag, p),
        };
    }
    Ok(match plan.force.clone() {
        Some(force) => solid.force(move |x| force.at(x)),
        None => solid,
    })
}

/// The tag of each condition's piece; facets that a condition on places chooses get a new one.
fn tags(plan: &ElasticityPlan, mesh: &mut Mesh) -> Result<Vec<i32>> {
    let facets = mesh.boundary()?.facets;
    let known: BTreeSet<i32> = facets.iter().map(|facet| facet.tag).collect();
    let mut next = known.last().copied().unwrap_or(0).max(0) + 1;
    let (mut tags, mut places): (Vec<i32>, Vec<(i32, Expression)>) = (Vec::new(), Vec::new());
    for (piece, _) in &plan.conditions {
        if let Some(tag) = named(mesh, &known, piece) {
            tags.push(tag);
            continue;
        }
        let Some(place) = condition_on_places(piece) else {
            bail!(
                "the boundary has no piece '{piece}': there are {}; or write a condition such as 'x < 0.1'",
                list(mesh, &known)
            );
        };
        if !facets.iter().any(|facet| place.at(&middle(mesh, *facet)) != 0.0) {
            bail!("no facet of the boundary has its middle where '{piece}'");
        }
        places.push((next, place));
        tags.push(next);
        next += 1;
    }
    if !places.is_empty() {
        mesh.tag_boundary(|mesh, facet| {
            let x = middle(mesh, facet);
            places.iter().find(|(_, place)| place.at(&x) != 0.0).map_or(facet.tag, |(tag, _)| *tag)
        })?;
    }
    Ok(tags)
}

/// The tag of a name, or of a number written out.
fn named(mesh: &Mesh, known: &BTreeSet<i32>, piece: &str) -> Option<i32> {
    let of_name = mesh.names.iter().find(|((dim, _), name)| *dim == 2 && *name == piece).map(|((_, tag), _)| *tag);
    of_name.or_else(|| piece.parse().ok()).filter(|tag| known.contains(tag))
}

/// A piece that compares something.
fn condition_on_places(piece: &str) -> Option<Expression> {
    piece.contains(['<', '>', '=']).then(|| piece.parse().ok()).flatten()
}

fn list(mesh: &Mesh, known: &BTreeSet<i32>) -> String {
    let name = |tag: &i32| mesh.names.get(&(2, *tag)).map_or(tag.to_string(), |name| format!("{name} ({tag})"));
    known.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The mean of a facet's nodes.
fn middle(mesh: &Mesh, facet: Facet) -> [f64; 3] {
    let nodes = mesh.facet_nodes(facet);
    let mean = |d: usize| nodes.iter().map(|&node| mesh.points[node as usize][d]).sum::<f64>() / nodes.len() as f64;
    [mean(0), mean(1), mean(2)]
}
