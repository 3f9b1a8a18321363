//! Numbers that depend linearly on phi: its value at a point, and electrograms after Plonsey, the potential that the
//! tissue's currents make at an electrode in an infinite medium, -1/(4 pi) int (D grad phi) . grad(1/|x - y|) dx. Each
//! is one dot product.

use super::tissue::Tissue;
use galerkit_linalg::parallel;

/// Elements whose contributions are computed on all threads before they are added, one after the other.
const BLOCK: usize = 1 << 19;

/// Where a point lies: nodes and their weights, and how far off the tissue the point is.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// Nodes with their weights.
    pub nodes: Vec<(u32, f64)>,
    /// Distance in mm of the point from where the weights put it.
    pub distance: f64,
}

impl Located {
    /// The element that has the point, or the node that is nearest to it.
    pub fn new(tissue: &Tissue, point: [f64; 3]) -> Self {
        let first = tissue.elements_where(&|e| barycentric(tissue, e, point).is_some()).first().copied();
        let inside = first.and_then(|e| {
            let nodes = tissue.nodes(e).iter().copied().zip(barycentric(tissue, e, point)?).collect();
            Some(Self { nodes, distance: 0.0 })
        });
        inside.unwrap_or_else(|| {
            let apart = |node: &usize| distance(tissue.points()[*node], point);
            let nearest = (0..tissue.points().len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0);
            Self { nodes: vec![(nearest as u32, 1.0)], distance: apart(&nearest) }
        })
    }

    /// The value there of a function given by nodes; none where a node that counts has none.
    pub fn value(&self, values: &[f64], is_known: impl Fn(f64) -> bool) -> Option<f64> {
        let counting = self.nodes.iter().filter(|(_, weight)| *weight > 1e-9);
        counting.map(|&(node, weight)| Some(values[node as usize]).filter(|v| is_known(*v)).map(|v| weight * v)).sum()
    }

    /// As weights of all nodes.
    pub fn weights(&self, n: usize) -> Vec<f64> {
        let mut weights = vec![0.0; n];
        self.nodes.iter().for_each(|&(node, weight)| weights[node as usize] += weight);
        weights
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f64>().sqrt()
}

/// Barycentric coordinates of a point in an element, if it lies there.
fn barycentric(tissue: &Tissue, e: usize, point: [f64; 3]) -> Option<Vec<f64>> {
    let (nodes, first) = (tissue.nodes(e), tissue.points()[tissue.nodes(e)[0] as usize]);
    let reach = nodes[1..].iter().map(|&node| distance(tissue.points()[node as usize], first)).fold(0.0, f64::max);
    if distance(point, first) > reach * (1.0 + 1e-9) {
        return None;
    }
    let element = tissue.element(e);
    let along = |k: usize| (0..3).map(|d| element.gradients[k][d] * (point[d] - first[d])).sum::<f64>();
    let weights: Vec<f64> = (0..nodes.len()).map(|k| along(k) + f64::from(u8::from(k == 0))).collect();
    let at = |d: usize| nodes.iter().zip(&weights).map(|(&node, w)| w * tissue.points()[node as usize][d]).sum::<f64>();
    let is_near = distance([at(0), at(1), at(2)], point) <= 1e-9 * (1.0 + reach);
    (is_near && weights.iter().all(|weight| *weight >= -1e-9)).then_some(weights)
}

/// The electrogram at a point as weights of phi at the nodes.
pub fn electrogram(tissue: &Tissue, electrode: [f64; 3]) -> Vec<f64> {
    let mut weights = vec![0.0; tissue.points().len()];
    for begin in (0..tissue.elements()).step_by(BLOCK) {
        let count = BLOCK.min(tissue.elements() - begin);
        let parts = parallel::collect(count, &|k| contributions(tissue, begin + k, electrode));
        for (e, parts) in (begin..).zip(parts) {
            tissue.nodes(e).iter().zip(parts).for_each(|(&node, part)| weights[node as usize] -= part);
        }
    }
    weights
}

/// What an element adds to the weights of its nodes, with the sign turned.
fn contributions(tissue: &Tissue, e: usize, electrode: [f64; 3]) -> [f64; 4] {
    let (element, centre) = (tissue.element(e), tissue.centre(e));
    let (conductivity, fibre) = (tissue.conductivity(e), tissue.fibre(e));
    // An electrode inside of an element would be infinitely near to one of its points.
    let r = distance(centre, electrode).max(0.5 * element.volume.powf(1.0 / (tissue.corners() - 1) as f64));
    let toward = [0, 1, 2].map(|d| -(centre[d] - electrode[d]) / r.powi(3)); // grad 1/r
    let along: f64 = (0..3).map(|d| fibre[d] * toward[d]).sum();
    let flux = [0, 1, 2].map(|d| conductivity.iso * toward[d] + conductivity.ani * along * fibre[d]);
    [0, 1, 2, 3].map(|k| {
        let slope: f64 = (0..3).map(|d| element.gradients[k][d] * flux[d]).sum();
        element.volume * slope / (4.0 * std::f64::consts::PI)
    })
}
