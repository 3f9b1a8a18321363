//! The surface of a body: the sides of its boundary in space, its cells in the plane, cut into triangles. What lies
//! before a plane is left out.

use super::body::{Body, Sample};
use super::plane::Plane;
use super::reference::Sheet;
use super::triangle::{Corner, Recolour, Triangle, diameter};
use crate::error::Result;
use galerkit_linalg::parallel;
use std::collections::BTreeMap;

/// Triangles that a picture has at most, about; cells are cut less often where there are many.
const MOST_TRIANGLES: f64 = 3e6;

/// A cell, and the tag of its side.
type Patch = (usize, i32);

/// Cells with their tags, by kind and side; plane cells have no side.
type Patches = BTreeMap<(usize, Option<usize>), Vec<Patch>>;

/// Triangles of the surface.
///
/// # Errors
/// If the body has no boundary, or unknown geometry.
pub fn skin(body: &dyn Body, plane: Option<&Plane>, recolour: Recolour) -> Result<Vec<Triangle>> {
    let patches = patches(body)?;
    let count: usize = patches.values().map(Vec::len).sum();
    let most = ((MOST_TRIANGLES / (2.0 * count.max(1) as f64)).sqrt() as usize).max(1);
    let kinds = body.kinds();
    let mut triangles = Vec::new();
    for ((kind, side), cells) in patches {
        let (shape, n) = (kinds[kind].shape, kinds[kind].cuts.min(most));
        let sheet = match side {
            Some(side) => Sheet::of_side(shape, side, n)?,
            None => Sheet::of_shape(shape, n),
        };
        let sampler = body.sampler(kind, &sheet.points)?;
        let of_patch = |k: usize| {
            let ((cell, tag), mut samples): (Patch, Vec<Sample>) = (cells[k], Vec::new());
            sampler(cell, &mut samples);
            let colour = recolour(cell, tag);
            samples.iter_mut().for_each(|sample| sample.value = colour.map_or(sample.value, f64::from));
            pieces(&sheet, &samples, plane)
        };
        triangles.extend(parallel::values(cells.len(), &of_patch).into_iter().flatten());
    }
    Ok(triangles)
}

fn patches(body: &dyn Body) -> Result<Patches> {
    let mut patches = Patches::new();
    if body.dim() == 3 {
        for side in body.sides()? {
            patches.entry((body.kind_of(side.cell), Some(side.side))).or_default().push((side.cell, side.tag));
        }
    } else {
        for cell in 0..body.cells() {
            patches.entry((body.kind_of(cell), None)).or_default().push((cell, body.region(cell)));
        }
    }
    Ok(patches)
}

fn pieces(sheet: &Sheet, samples: &[Sample], plane: Option<&Plane>) -> Vec<Triangle> {
    let size = diameter(samples) as f32;
    let mut found = Vec::with_capacity(sheet.triangles.len());
    for (corners, &outlined) in sheet.triangles.iter().zip(&sheet.outlined) {
        let corners = corners.map(|corner| samples[corner]);
        match plane {
            None => found.push(Triangle { corners: corners.map(Corner::from), outlined, is_cut: false, size }),
            Some(plane) => plane.clip(corners, outlined, |corners, outlined| {
                found.push(Triangle { corners: corners.map(Corner::from), outlined, is_cut: false, size });
            }),
        }
    }
    found
}
