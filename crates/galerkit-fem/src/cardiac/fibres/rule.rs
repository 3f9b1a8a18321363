//! The rule: harmonic functions that are 1 on one surface and 0 on the others say how deep in the wall an element lies
//! and on which side of the septum; another one, from apex to base, which way is up. Fibres lie in the wall and turn
//! with the depth.

use super::frame::{Frame, axes, between, turned, unit};
use super::laplace::harmonic;
use super::surfaces::Surfaces;
use crate::cardiac::matrices::Matrices;
use crate::cardiac::tissue::{Conductivity, Tissue};
use crate::error::Result;

/// Angles between fibres and the circumference in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// At the endocardium.
    pub endo: f64,
    /// At the epicardium.
    pub epi: f64,
}

impl Default for Angles {
    fn default() -> Self {
        Self { endo: 60.0, epi: -60.0 }
    }
}

/// The apex is no point but a cap: this share of the distance to the base.
const CAP: f64 = 0.02;

/// The four harmonic functions.
struct Fields {
    epi: Vec<f64>,
    lv: Vec<f64>,
    rv: Vec<f64>,
    up: Vec<f64>,
}

/// The fibre of each element.
///
/// # Errors
/// If a Laplace problem is not solved.
pub fn fibres(tissue: &Tissue, surfaces: &Surfaces, angles: Angles) -> Result<Vec<[f64; 3]>> {
    let K = Matrices::new(
        &tissue.clone().with_conductivities(vec![Conductivity { iso: 1.0, ani: 0.0 }; tissue.elements()])?,
    )?
    .K;
    let (apex, axis) = apex(tissue.points(), surfaces);
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = tissue.points().len();
    let solve = |ones: &[&[u32]], zeros: &[&[u32]]| {
        let mut given = vec![None; n];
        zeros.iter().for_each(|nodes| nodes.iter().for_each(|&node| given[node as usize] = Some(0.0)));
        ones.iter().for_each(|nodes| nodes.iter().for_each(|&node| given[node as usize] = Some(1.0)));
        harmonic(&K, &given)
    };
    let Surfaces { epi, lv, rv, base } = surfaces;
    let off = |x: &[f64; 3]| (0..3).map(|d| (x[d] - apex[d]).powi(2)).sum::<f64>().sqrt();
    let least = tissue.points().iter().map(off).fold(f64::INFINITY, f64::min);
    let cap: Vec<u32> =
        (0..n as u32).filter(|&i| off(&tissue.points()[i as usize]) <= least.max(CAP * length)).collect();
    let fields = Fields {
        epi: solve(&[epi], &[lv, rv])?,
        lv: solve(&[lv], &[epi, rv])?,
        rv: if rv.is_empty() { vec![0.0; n] } else { solve(&[rv], &[epi, lv])? },
        up: solve(&[base], &[&cap])?,
    };
    Ok((0..tissue.elements()).map(|e| fibre(tissue, e, &fields, angles, axis)).collect())
}

/// The point of the epicardium furthest from the base, and the way from there to the middle of the base.
fn apex(points: &[[f64; 3]], surfaces: &Surfaces) -> ([f64; 3], [f64; 3]) {
    let place = |node: &u32| points[*node as usize];
    let count = surfaces.base.len() as f64;
    let middle = [0, 1, 2].map(|d| surfaces.base.iter().map(|node| place(node)[d]).sum::<f64>() / count);
    let off = |x: [f64; 3]| (0..3).map(|d| (x[d] - middle[d]).powi(2)).sum::<f64>();
    let apex = surfaces.epi.iter().map(place).max_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(middle);
    (apex, [0, 1, 2].map(|d| middle[d] - apex[d]))
}

fn fibre(tissue: &Tissue, e: usize, fields: &Fields, angles: Angles, axis: [f64; 3]) -> [f64; 3] {
    let (nodes, element) = (tissue.nodes(e), tissue.element(e));
    let mean = |field: &[f64]| nodes.iter().map(|&node| field[node as usize]).sum::<f64>() / nodes.len() as f64;
    let slope = |field: &[f64], sign: f64| {
        [0, 1, 2].map(|d| {
            let parts =
                nodes.iter().zip(&element.gradients).map(|(&node, gradient)| field[node as usize] * gradient[d]);
            sign * parts.sum::<f64>()
        })
    };
    let (depth, left, right) = (mean(&fields.epi).clamp(0.0, 1.0), mean(&fields.lv), mean(&fields.rv));
    let side = if left + right > 1e-9 { (right / (left + right)).clamp(0.0, 1.0) } else { 0.0 };
    let angle = (angles.endo * (1.0 - depth) + angles.epi * depth).to_radians();
    // In the cap at the apex nothing points to the base: the axis of the ventricle does.
    let up = unit(slope(&fields.up, 1.0)).unwrap_or(axis);
    let wall = |through: [f64; 3], angle: f64| axes(up, through).map(|frame| turned(frame, angle));
    // From the left cavity to the right one angles change their sign, as the direction through the wall does.
    let across = angle * (1.0 - 2.0 * side);
    let left = wall(slope(&fields.lv, -1.0), across);
    let right = if side > 0.0 { wall(slope(&fields.rv, 1.0), across) } else { None };
    let inner = either(left, right, side);
    either(inner, wall(slope(&fields.epi, 1.0), angle), depth).map_or_else(|| perpendicular(axis), |[fibre, ..]| fibre)
}

/// Between two frames, or the one there is.
fn either(from: Option<Frame>, to: Option<Frame>, share: f64) -> Option<Frame> {
    match (from, to) {
        (Some(from), Some(to)) => Some(between(from, to, share)),
        (one, other) => one.or(other),
    }
}

/// Some direction across an axis.
fn perpendicular(axis: [f64; 3]) -> [f64; 3] {
    let least = (0..3).min_by(|a, b| axis[*a].abs().total_cmp(&axis[*b].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[least] = 1.0;
    axes(axis, other).map_or([1.0, 0.0, 0.0], |[around, ..]| around)
}
