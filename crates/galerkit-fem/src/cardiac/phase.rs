//! Phase: how far a cell is round the loop that (phi, r) takes in an action potential, an angle in (-pi, pi]. Cells at
//! rest have -3/4 pi, fronts -1/2 pi, tails about 1/2 pi. Where triangles have every phase around them a wave turns: such
//! points are the tips of spirals, the ends of scroll waves (Gray, Pertsov and Jalife 1998).

use super::cell::Cell;
use super::scheme::Recovery;
use super::surface::Surface;
use super::tissue::Tissue;
use std::f64::consts::{PI, TAU};

/// By nodes.
pub fn phases(cell: &impl Cell, tissue: &Tissue, phi: &[f64], recovery: &Recovery) -> Vec<f64> {
    let mean;
    let r = match recovery {
        Recovery::Nodes(r) => r,
        Recovery::Elements(r) => {
            mean = at_nodes(tissue, r);
            &mean
        }
    };
    let [[middle, half], [centre, extent]] = cell.orbit();
    let phase = |(phi, r): (&f64, &f64)| ((r - centre) / extent).atan2((phi - middle) / half);
    phi.iter().zip(r).map(phase).collect()
}

/// The mean of the elements around each node, by their volumes.
fn at_nodes(tissue: &Tissue, values: &[f64]) -> Vec<f64> {
    let (mut sums, mut volumes) = (vec![0.0; tissue.points().len()], vec![0.0; tissue.points().len()]);
    for (e, value) in values.iter().enumerate() {
        let volume = tissue.element(e).volume;
        for &node in tissue.nodes(e) {
            sums[node as usize] += volume * value;
            volumes[node as usize] += volume;
        }
    }
    sums.iter().zip(&volumes).map(|(sum, volume)| sum / volume).collect()
}

/// Where waves turn on a surface: middles of triangles around which the phase winds once.
pub fn singularities(surface: &Surface, phases: &[f64]) -> Vec<[f64; 3]> {
    let at = |vertex: u32| phases[surface.nodes[vertex as usize] as usize];
    // The shorter way round from one phase to another.
    let step = |from: f64, to: f64| (to - from + PI).rem_euclid(TAU) - PI;
    let winds = |triangle: &&[u32; 3]| {
        let [a, b, c] = triangle.map(at);
        (step(a, b) + step(b, c) + step(c, a)).abs() > PI
    };
    let middle = |triangle: &[u32; 3]| {
        let corners = triangle.map(|vertex| surface.positions[vertex as usize]);
        [0, 1, 2].map(|d| corners.iter().map(|x| f64::from(x[d])).sum::<f64>() / 3.0)
    };
    surface.triangles.iter().filter(winds).map(middle).collect()
}
