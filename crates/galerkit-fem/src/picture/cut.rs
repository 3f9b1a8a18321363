//! The face that a plane leaves in a solid: cells are cut into tetrahedra, of which a plane cuts triangles and
//! quadrilaterals.

use super::body::{Body, Sample};
use super::plane::Plane;
use super::reference::Filling;
use super::triangle::{Corner, Recolour, Triangle, diameter};
use crate::error::Result;
use galerkit_linalg::parallel;

/// The triangles of the face that a plane leaves in a solid.
///
/// # Errors
/// If a geometry is not known.
pub fn cut_faces(body: &dyn Body, plane: &Plane, recolour: Recolour) -> Result<Vec<Triangle>> {
    let mut triangles = Vec::new();
    for (number, kind) in body.kinds().into_iter().enumerate() {
        let cells: Vec<usize> = (0..body.cells()).filter(|&cell| body.kind_of(cell) == number).collect();
        let corners = body.sampler(number, &Filling::of_shape(kind.shape, 1).points)?;
        let is_crossed = |cell: usize| {
            let mut samples = Vec::new();
            corners(cell, &mut samples);
            let slack = if kind.is_curved { 0.3 * diameter(&samples) } else { 0.0 };
            let distances = || samples.iter().map(|sample| plane.distance(sample.point));
            distances().any(|d| d <= slack) && distances().any(|d| d >= -slack)
        };
        let crossed = parallel::values(cells.len(), &|k| is_crossed(cells[k]).then_some(cells[k]));
        let crossed: Vec<usize> = crossed.into_iter().flatten().collect();
        let filling = Filling::of_shape(kind.shape, kind.cuts);
        let sampler = body.sampler(number, &filling.points)?;
        let of_cell = |k: usize| {
            let cell = crossed[k];
            let mut samples = Vec::new();
            sampler(cell, &mut samples);
            let colour = recolour(cell, body.region(cell));
            samples.iter_mut().for_each(|sample| sample.value = colour.map_or(sample.value, f64::from));
            faces(&filling, &samples, plane)
        };
        triangles.extend(parallel::values(crossed.len(), &of_cell).into_iter().flatten());
    }
    Ok(triangles)
}

fn faces(filling: &Filling, samples: &[Sample], plane: &Plane) -> Vec<Triangle> {
    let size = diameter(samples) as f32;
    let mut found = Vec::new();
    for (corners, outlined) in filling.tetrahedra.iter().zip(&filling.outlined) {
        plane.through(&corners.map(|corner| samples[corner]), outlined, |corners, outlined| {
            found.push(Triangle { corners: corners.map(Corner::from), outlined, is_cut: true, size });
        });
    }
    found
}
