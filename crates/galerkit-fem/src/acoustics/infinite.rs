//! Conjugated infinite elements: behind the boundary, u = sum_j c_j phi (a/r)^p e^(ik(r - a)), p = j + (d - 3)/2, along
//! rays from a centre; test functions have (a/r)^q e^(-ik(r - a)), q = i + 2 + (d - 3)/2, j, i = 1, ..., m. a is the
//! distance of the boundary from the centre; where it is the same everywhere (circle, sphere) the k^2 terms cancel and
//! order m is exact for l < m on a sphere. On other boundaries (ellipses) a varies, alpha = grad a / a, and integrals
//! along r are still closed. Astley's formulation.
//!
//! The first coefficient is u - c_2 - ... - c_m, so that the trace stays that of the cells and c_2, ..., c_m are
//! further unknowns.

use super::wave_space::Sample;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::forest::geometry::Point;

/// The parts of an element's matrix: E = constant + i k odd + k^2 even.
pub struct Parts {
    /// Without k.
    pub constant: Dense,
    /// Times i k.
    pub odd: Dense,
    /// Times k^2.
    pub even: Dense,
}

/// The element behind a side. Rows and columns: the side's functions for the trace, then for each further radial
/// function.
///
/// # Errors
/// If a ray meets the boundary from outside, so that the boundary cannot be convex around the centre.
pub fn element(dim: usize, centre: Point, order: usize, on_side: &[usize], samples: &[Sample]) -> Result<Parts> {
    let n = on_side.len();
    let zeros = || Dense::zeros(n * order, n * order);
    let mut parts = Parts { constant: zeros(), odd: zeros(), even: zeros() };
    for sample in samples {
        add(dim, &Ray::new(dim, centre, sample)?, order, on_side, sample, &mut parts);
    }
    Ok(Parts { constant: hooked(parts.constant, n), odd: hooked(parts.odd, n), even: hooked(parts.even, n) })
}

/// How far points may lie outside of the tangent plane of another, relative to their distance: rounding, and curves
/// that cells approximate.
const OUTSIDE: f64 = 1e-3;
/// Sides that are compared with each other at most.
const COMPARED: usize = 2000;

/// An error unless a boundary, given by points and outer normals, is convex: all of it lies behind each of its tangent
/// planes.
///
/// # Errors
/// With the first point that has others in front of it.
pub fn require_convex(boundary: &[(Point, Point)]) -> Result<()> {
    let step = boundary.len().div_ceil(COMPARED).max(1);
    let behind = |(y, normal): &(Point, Point)| {
        boundary.iter().step_by(step).all(|(z, _)| {
            let way: Point = std::array::from_fn(|i| z[i] - y[i]);
            dot(&way, normal) <= OUTSIDE * dot(&way, &way).sqrt()
        })
    };
    match boundary.iter().step_by(step).find(|of| !behind(of)) {
        Some((y, _)) => Err(not_convex(y)),
        None => Ok(()),
    }
}

fn not_convex(point: &Point) -> Error {
    let place = format!("the point {point:?} of its boundary");
    let problem = "infinite elements need a boundary that is convex, around their centre: take another --boundary, or another mesh";
    Error::InvalidMesh { place, problem: problem.into() }
}

/// What a point of the boundary is for the ray through it.
struct Ray {
    a: f64,
    outward: Point,
    alpha: Point,
    /// The measure of directions, d Omega = (n . y) / a^(d - 1) dS.
    solid: f64,
    cosine: f64,
}

impl Ray {
    fn new(dim: usize, centre: Point, sample: &Sample) -> Result<Self> {
        let y: Point = std::array::from_fn(|i| sample.point[i] - centre[i]);
        let a = dot(&y, &y).sqrt();
        let outward = y.map(|y| y / a);
        let cosine = dot(&outward, &sample.normal);
        if a.is_nan() || a <= 0.0 || cosine.is_nan() || cosine <= 1e-3 {
            return Err(not_convex(&sample.point));
        }
        let alpha = std::array::from_fn(|i| outward[i] - sample.normal[i] / cosine);
        Ok(Self { a, outward, alpha, solid: sample.weight * cosine / a.powi(dim as i32 - 1), cosine })
    }
    /// The gradient on the unit sphere of a function that is constant along rays.
    fn gradient(&self, normal: &Point, g: &Point) -> Point {
        let along = dot(g, &self.outward) / self.cosine;
        std::array::from_fn(|i| self.a * (g[i] - normal[i] * along))
    }
}

fn add(dim: usize, ray: &Ray, order: usize, on_side: &[usize], sample: &Sample, parts: &mut Parts) {
    let (n, a, d, half) = (on_side.len(), ray.a, dim as f64, (dim as f64 - 3.0) / 2.0);
    let slopes: Vec<Point> = on_side.iter().map(|&f| ray.gradient(&sample.normal, &sample.gradients[f])).collect();
    let alpha = dot(&ray.alpha, &ray.alpha);
    for (s, &test) in on_side.iter().enumerate() {
        for (t, &trial) in on_side.iter().enumerate() {
            let (psi, phi) = (sample.values[test], sample.values[trial]);
            let (product, slope) = (phi * psi, dot(&slopes[s], &slopes[t]));
            let (on_test, on_trial) = (phi * dot(&ray.alpha, &slopes[s]), psi * dot(&ray.alpha, &slopes[t]));
            for i in 0..order {
                for j in 0..order {
                    let (p, q) = (j as f64 + 1.0 + half, i as f64 + 3.0 + half);
                    let far = ray.solid * a.powi(dim as i32 - 2) / (p + q + 2.0 - d); // int (a/r)^(p+q) r^(d-3) dr
                    let near = ray.solid * a.powi(dim as i32 - 1) / (p + q + 1.0 - d); // the same with r^(d-2)
                    let at = (i * n + s, j * n + t);
                    parts.constant[at] += far * (p * q * product * (1.0 + alpha) + slope + p * on_test + q * on_trial);
                    parts.odd[at] +=
                        (p - q) * near * product + far * a * (on_trial - on_test + alpha * (p - q) * product);
                    parts.even[at] += far * alpha * a * a * product;
                }
            }
        }
    }
}

/// T^T E T for c_1 = u - c_2 - ... - c_m, on both sides.
fn hooked(mut E: Dense, n: usize) -> Dense {
    let size = E.rows;
    for row in 0..size {
        for column in n..size {
            let first = E[(row, column % n)];
            E[(row, column)] -= first;
        }
    }
    for row in n..size {
        for column in 0..size {
            let first = E[(row % n, column)];
            E[(row, column)] -= first;
        }
    }
    E
}

fn dot(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
