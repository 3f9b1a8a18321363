//! Triangles in space, as few bytes as they need: there can be millions.

use super::body::Sample;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where.
    pub point: [f32; 3],
    /// The field, or the number of a colour.
    pub value: f32,
}

/// Part of a side of a cell, or of a cut through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners.
    pub corners: [Corner; 3],
    /// Whether the edge opposite each corner is one of the cell.
    pub outlined: [bool; 3],
    /// Whether it is part of a cut.
    pub is_cut: bool,
    /// The diameter of its cell: edges of cells too small to be told apart are not drawn.
    pub size: f32,
}

/// The number that a cell with a side of some tag has in place of the field's value.
pub type Recolour<'a> = &'a (dyn Fn(usize, i32) -> Option<f32> + Sync);

impl From<Sample> for Corner {
    fn from(sample: Sample) -> Self {
        Self { point: sample.point.map(|x| x as f32), value: sample.value as f32 }
    }
}

/// The diameter of the box around samples.
pub fn diameter(samples: &[Sample]) -> f64 {
    let along = |d: usize| {
        let coordinates = samples.iter().map(|sample| sample.point[d]);
        let (low, high) = coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    (0..3).map(|d| along(d).powi(2)).sum::<f64>().sqrt()
}
