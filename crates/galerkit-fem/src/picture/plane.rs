//! Planes: on which side of them a point lies, and where they cut triangles and tetrahedra.

use super::body::Sample;
use crate::mesh::geometry::dot;

/// The points x with (normal, x) = offset. In a picture, the part between the plane and the viewer is taken away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: [f64; 3],
    offset: f64,
}

/// The corners of a plane cut through a tetrahedron, each on an edge from a kept corner to a removed one; edges of the
/// cut lie in the faces that `opposite` names by the corner they lack.
struct Section {
    edges: Vec<[usize; 2]>,
    opposite: Vec<usize>,
}

impl Plane {
    /// Through a point, across a direction.
    pub fn new(point: [f64; 3], normal: [f64; 3]) -> Self {
        let length = dot(normal, normal).sqrt();
        let normal = if length > 0.0 { normal.map(|x| x / length) } else { [1.0, 0.0, 0.0] };
        Self { normal, offset: dot(normal, point) }
    }
    /// Across an axis, at a coordinate: `across(2, 0.5)` is z = 0.5.
    pub fn across(axis: usize, at: f64) -> Self {
        let mut normal = [0.0; 3];
        normal[axis % 3] = 1.0;
        Self { normal, offset: at }
    }
    /// The same plane with its normal towards the viewer.
    pub fn facing(self, towards_viewer: [f64; 3]) -> Self {
        let is_facing = dot(self.normal, towards_viewer) >= 0.0;
        if is_facing { self } else { Self { normal: self.normal.map(|x| -x), offset: -self.offset } }
    }
    /// How far a point lies before the plane.
    pub fn distance(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.offset
    }

    /// Hands on the part of a triangle that lies behind the plane, as triangles; the new edge is outlined.
    pub(super) fn clip(&self, corners: [Sample; 3], outlined: [bool; 3], mut keep: impl FnMut([Sample; 3], [bool; 3])) {
        let distance = corners.map(|corner| self.distance(corner.point));
        let is_behind = distance.map(|distance| distance <= 0.0);
        match is_behind.iter().filter(|&&behind| behind).count() {
            3 => keep(corners, outlined),
            0 => {}
            behind => {
                // Turned so that the first corner is alone on its side; b and c are cut from it.
                let first = is_behind.iter().position(|&b| b == (behind == 1)).unwrap_or(0);
                let turn = [first, (first + 1) % 3, (first + 2) % 3];
                let [a, b, c] = turn.map(|i| corners[i]);
                let [ea, eb, ec] = turn.map(|i| outlined[i]);
                let d = turn.map(|i| distance[i]);
                let (ab, ac) = (between(a, b, d[0], d[1]), between(a, c, d[0], d[2]));
                if behind == 1 {
                    keep([a, ab, ac], [true, eb, ec]);
                } else {
                    keep([ab, b, c], [ea, false, ec]);
                    keep([ab, c, ac], [eb, true, false]);
                }
            }
        }
    }

    fn section(&self, corners: &[Sample; 4]) -> Option<Section> {
        let (kept, removed): (Vec<usize>, Vec<usize>) = (0..4).partition(|&i| self.distance(corners[i].point) <= 0.0);
        let fan = |apex: usize, base: &[usize]| Section {
            edges: base.iter().map(|&other| [apex, other]).collect(),
            opposite: vec![base[2], base[0], base[1]],
        };
        match (&kept[..], &removed[..]) {
            (&[a], base) | (base, &[a]) => Some(fan(a, base)),
            (&[a, b], &[c, d]) => {
                Some(Section { edges: vec![[a, c], [a, d], [b, d], [b, c]], opposite: vec![b, c, a, d] })
            }
            _ => None,
        }
    }

    /// The cut through a tetrahedron.
    pub(super) fn through(
        &self,
        corners: &[Sample; 4],
        outlined: &[bool; 4],
        mut keep: impl FnMut([Sample; 3], [bool; 3]),
    ) {
        let Some(Section { edges, opposite }) = self.section(corners) else { return };
        let distance = corners.map(|corner| self.distance(corner.point));
        let at = |i: usize| {
            let [a, b] = edges[i];
            between(corners[a], corners[b], distance[a], distance[b])
        };
        let on_face = |i: usize| outlined[opposite[i]];
        match edges.len() {
            3 => keep([at(0), at(1), at(2)], [on_face(1), on_face(2), on_face(0)]),
            _ => {
                keep([at(0), at(1), at(2)], [on_face(1), false, on_face(0)]);
                keep([at(0), at(2), at(3)], [on_face(2), on_face(3), false]);
            }
        }
    }
}

/// Where the distance vanishes between two samples.
fn between(a: Sample, b: Sample, da: f64, db: f64) -> Sample {
    let t = if da == db { 0.5 } else { da / (da - db) };
    let mix = |x: f64, y: f64| x + t * (y - x);
    Sample { point: [0, 1, 2].map(|d| mix(a.point[d], b.point[d])), value: mix(a.value, b.value) }
}
