//! Orthographic views: where the viewer stands, which way is up, and the scale at which everything fits.

use super::triangle::Triangle;
use crate::mesh::geometry::{cross, dot};
use galerkit_linalg::parallel;

/// A direction of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// To the right, of length 1.
    pub right: [f64; 3],
    /// Upwards, of length 1.
    pub up: [f64; 3],
    /// Towards the viewer, of length 1.
    pub towards: [f64; 3],
}

impl View {
    /// Towards a viewer in this direction, with an axis that points upwards as far as it can.
    pub fn from(towards: [f64; 3], up: [f64; 3]) -> Self {
        let towards = unit(towards).unwrap_or([0.0, 0.0, 1.0]);
        let aside = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let right = [up, aside[0], aside[1]].into_iter().find_map(|up| unit(cross(up, towards)));
        let right = right.unwrap_or([1.0, 0.0, 0.0]);
        Self { right, up: cross(towards, right), towards }
    }
    /// For plane bodies: x to the right, y upwards.
    pub fn plane() -> Self {
        Self::from([0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    }
    /// For bodies in space: z upwards, from where three sides of a box are seen, none at the same angle as another.
    pub fn space() -> Self {
        Self::from([1.0, 0.62, 0.58], [0.0, 0.0, 1.0])
    }
    /// Coordinates to the right, upwards and towards the viewer.
    pub fn coordinates(&self, point: [f32; 3]) -> [f64; 3] {
        let point = point.map(f64::from);
        [dot(self.right, point), dot(self.up, point), dot(self.towards, point)]
    }
}

fn unit(direction: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(direction, direction).sqrt();
    (length > 1e-9).then(|| direction.map(|x| x / length))
}

/// A rectangle of the image in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Its upper left corner.
    pub origin: [f64; 2],
    /// Its width and height.
    pub size: [f64; 2],
}

/// Triangles that one thread takes at a time.
const PART: usize = 4096;

/// A view with a scale: from points to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    view: View,
    centre: [f64; 3],
    pixel: [f64; 2],
    /// Pixels for a unit of length.
    pub scale: f64,
}

impl Camera {
    /// The camera that shows these triangles as large as a frame allows.
    pub fn fitted(view: View, triangles: &[Triangle], frame: Frame) -> Self {
        let none = || ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let extended = |(low, high): ([f64; 3], [f64; 3]), triangle: &Triangle| {
            triangle.corners.iter().map(|corner| view.coordinates(corner.point)).fold((low, high), joined_with)
        };
        let part = |k: usize| &triangles[k * PART..triangles.len().min((k + 1) * PART)];
        let boxes = parallel::values(triangles.len().div_ceil(PART), &|k| part(k).iter().fold(none(), extended));
        let (low, high) = boxes.into_iter().fold(none(), |a, b| joined_with(joined_with(a, b.0), b.1));
        let extent = |d: usize| (high[d] - low[d]).max(0.0);
        let fits = (0..2).filter(|&d| extent(d) > 0.0).map(|d| frame.size[d] / extent(d)).reduce(f64::min);
        let centre = [0, 1, 2].map(|d| if low[d] <= high[d] { 0.5 * (low[d] + high[d]) } else { 0.0 });
        let pixel = [0, 1].map(|d| frame.origin[d] + 0.5 * frame.size[d]);
        Self { view, centre, pixel, scale: fits.unwrap_or(1.0) }
    }
    /// Pixels to the right and downwards, and how near the viewer.
    pub fn project(&self, point: [f32; 3]) -> [f64; 3] {
        let seen = self.view.coordinates(point);
        let [x, y, z] = [0, 1, 2].map(|d| (seen[d] - self.centre[d]) * self.scale);
        [self.pixel[0] + x, self.pixel[1] - y, z]
    }
}

fn joined_with((low, high): ([f64; 3], [f64; 3]), x: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    if x.iter().any(|x| x.is_nan()) {
        return (low, high);
    }
    ([0, 1, 2].map(|d| low[d].min(x[d])), [0, 1, 2].map(|d| high[d].max(x[d])))
}
