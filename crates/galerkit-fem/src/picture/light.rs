//! Diffuse light: how bright each corner of a triangle is, by its normal. Normals of triangles that meet at a shallow
//! angle are averaged at their common corners, so that curved surfaces look curved and creases stay sharp.

use super::triangle::Triangle;
use galerkit_linalg::parallel;
use rayon::prelude::*;

/// Triangles that meet at less than this angle, by its cosine, are one smooth surface: 35 degrees.
const CREASE: f32 = 0.82;
/// Beyond this number triangles are as small as pixels, and averaging would show nothing.
const MOST_SMOOTHED: usize = 400_000;

/// Where light comes from, and how much there is everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the light, of length 1.
    pub direction: [f32; 3],
    /// Towards the viewer, of length 1.
    pub viewer: [f32; 3],
    /// Brightness of what is turned away from the light, from 0 to 1.
    pub ambient: f32,
}

impl Light {
    /// The brightness of the corners of each triangle, of the side that is seen.
    pub fn shades(&self, triangles: &[Triangle]) -> Vec<[f32; 3]> {
        let normals: Vec<[f32; 3]> = parallel::collect(triangles.len(), &|k| self.normal(&triangles[k]));
        if triangles.len() > MOST_SMOOTHED {
            return parallel::collect(normals.len(), &|k| [self.shade(normals[k]); 3]);
        }
        let smooth = smoothed(triangles, &normals);
        parallel::collect(smooth.len(), &|k| smooth[k].map(|normal| self.shade(normal)))
    }

    /// Wrapped around: light fades evenly from what faces it to what is turned away, and no shadow has a border.
    fn shade(&self, normal: [f32; 3]) -> f32 {
        let cosine = dot(normal, self.direction) / dot(normal, normal).sqrt().max(f32::MIN_POSITIVE);
        self.ambient + (1.0 - self.ambient) * (0.5 + 0.5 * cosine).clamp(0.0, 1.0)
    }

    /// Towards the viewer; its length is twice the area of the triangle.
    fn normal(&self, triangle: &Triangle) -> [f32; 3] {
        let [a, b, c] = triangle.corners.map(|corner| corner.point);
        let (u, v) = ([0, 1, 2].map(|d| b[d] - a[d]), [0, 1, 2].map(|d| c[d] - a[d]));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if dot(normal, self.viewer) < 0.0 { normal.map(|x| -x) } else { normal }
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// For each corner the sum of the normals there that make no crease with the triangle's own.
fn smoothed(triangles: &[Triangle], normals: &[[f32; 3]]) -> Vec<[[f32; 3]; 3]> {
    let mut meeting = corners_by_point(triangles);
    meeting.par_sort_unstable();
    let mut smooth: Vec<[[f32; 3]; 3]> = normals.iter().map(|&normal| [normal; 3]).collect();
    for group in meeting.chunk_by(|a, b| a.0 == b.0) {
        for &(_, index) in group {
            let own = normals[index as usize / 3];
            let mut sum = [0.0; 3];
            for other in group.iter().map(|(_, other)| normals[*other as usize / 3]) {
                let cosine = dot(own, other) / (dot(own, own) * dot(other, other)).sqrt().max(f32::MIN_POSITIVE);
                let sign = if cosine > CREASE { 1.0 } else { -f32::from(cosine < -CREASE) };
                (0..3).for_each(|d| sum[d] += sign * other[d]);
            }
            if dot(sum, sum) > 0.0 {
                smooth[index as usize / 3][index as usize % 3] = sum;
            }
        }
    }
    smooth
}

/// The point of each corner on a grid fine enough to tell points apart and coarse enough to forget rounding, with the
/// corner's number.
fn corners_by_point(triangles: &[Triangle]) -> Vec<([i32; 3], u32)> {
    let corners = || triangles.iter().flat_map(|triangle| triangle.corners);
    let largest = corners().flat_map(|corner| corner.point).fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 { 262_144.0 / largest } else { 1.0 };
    corners().zip(0..).map(|(corner, index)| (corner.point.map(|x| (x * scale).round() as i32), index)).collect()
}
