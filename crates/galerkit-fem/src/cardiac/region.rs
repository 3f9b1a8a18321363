//! Regions of tissue, and how much of each node's volume lies in one: the lumped projection of the region's indicator.
//! What a stimulus excites so does not depend on how the mesh happens to meet its boundary.

use super::tissue::Tissue;

/// A part of the tissue.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// Between two corners, in mm.
    Box([f64; 3], [f64; 3]),
    /// Around a centre, with a radius in mm.
    Sphere([f64; 3], f64),
    /// Elements with a tag.
    Tag(i32),
    /// Nodes by number.
    Nodes(Vec<u32>),
    /// Everything.
    Everywhere,
}

/// Sub-intervals of an edge where the boundary of a region crosses an element.
const SAMPLES: usize = 7;
/// Points this near to the boundary (in mm) are inside.
const ROUNDING: f64 = 1e-9;

impl Region {
    /// Whether a point is inside; those by tag or by node know no points.
    fn contains(&self, x: [f64; 3]) -> bool {
        match self {
            Region::Box(low, high) => (0..3).all(|d| low[d] - ROUNDING <= x[d] && x[d] <= high[d] + ROUNDING),
            Region::Sphere(centre, radius) => {
                (0..3).map(|d| (x[d] - centre[d]).powi(2)).sum::<f64>().sqrt() <= radius + ROUNDING
            }
            Region::Everywhere => true,
            Region::Tag(_) | Region::Nodes(_) => false,
        }
    }

    /// Whether an element belongs to it: its centroid, its tag, or all of its nodes.
    pub fn has_element(&self, tissue: &Tissue, e: usize, tag: i32) -> bool {
        match self {
            Region::Tag(wanted) => tag == *wanted,
            Region::Nodes(nodes) => tissue.nodes(e).iter().all(|node| nodes.contains(node)),
            _ => self.contains(tissue.centre(e)),
        }
    }

    /// Whether an element may have a part inside.
    fn may_meet(&self, tissue: &Tissue, nodes: &[u32]) -> bool {
        let (low, high) = match self {
            Region::Box(low, high) => (*low, *high),
            Region::Sphere(centre, radius) => (centre.map(|x| x - radius), centre.map(|x| x + radius)),
            _ => return true,
        };
        (0..3).all(|d| {
            let ends = |[least, most]: [f64; 2], x: &[f64; 3]| [least.min(x[d]), most.max(x[d])];
            let corners = nodes.iter().map(|&node| &tissue.points()[node as usize]);
            let [least, most] = corners.fold([f64::INFINITY, f64::NEG_INFINITY], ends);
            least <= high[d] + ROUNDING && low[d] - ROUNDING <= most
        })
    }

    /// The share of each node's volume that lies inside, from 0 to 1.
    pub fn fractions(&self, tissue: &Tissue) -> Vec<f64> {
        let n = tissue.points().len();
        let mut inside = vec![0.0; n];
        if *self == Region::Everywhere {
            return vec![1.0; n];
        }
        if let Region::Nodes(nodes) = self {
            nodes.iter().filter(|&&node| (node as usize) < n).for_each(|&node| inside[node as usize] = 1.0);
            return inside;
        }
        let tags: Vec<i32> = if let Region::Tag(_) = self { tissue.tags().collect() } else { Vec::new() };
        let meets = tissue.elements_where(&|e| match self {
            Region::Tag(wanted) => tags[e] == *wanted,
            _ => self.may_meet(tissue, tissue.nodes(e)),
        });
        let (mut is_near, lattice) = (vec![false; n], lattice(tissue.corners()));
        for &e in &meets {
            let (volume, nodes) = (tissue.element(e).volume, tissue.nodes(e));
            let shares = match self {
                Region::Tag(_) => [1.0 / nodes.len() as f64; 4],
                _ => self.shares(tissue, nodes, &lattice),
            };
            for (k, &node) in nodes.iter().enumerate() {
                inside[node as usize] += volume * shares[k];
                is_near[node as usize] = true;
            }
        }
        // The whole volume matters only where some of it may be inside.
        let mut whole = vec![0.0; n];
        let around = tissue.elements_where(&|e| tissue.nodes(e).iter().any(|&node| is_near[node as usize]));
        for e in around {
            let (volume, nodes) = (tissue.element(e).volume, tissue.nodes(e));
            nodes.iter().for_each(|&node| whole[node as usize] += volume / nodes.len() as f64);
        }
        let share = |(inside, whole): (&f64, f64)| if *inside > 0.0 { (inside / whole).min(1.0) } else { 0.0 };
        inside.iter().zip(whole).map(share).collect()
    }

    /// The mean over an element of each corner's function times the indicator.
    fn shares(&self, tissue: &Tissue, nodes: &[u32], lattice: &[[f64; 4]]) -> [f64; 4] {
        let mut corners = [[0.0; 3]; 4];
        nodes.iter().zip(&mut corners).for_each(|(&node, corner)| *corner = tissue.points()[node as usize]);
        let corners = &corners[..nodes.len()];
        if corners.iter().all(|corner| self.contains(*corner)) {
            return [1.0 / nodes.len() as f64; 4]; // boxes and spheres are convex
        }
        let mut shares = [0.0; 4];
        for weights in lattice {
            let at = |d: usize| corners.iter().zip(weights).map(|(corner, weight)| weight * corner[d]).sum::<f64>();
            if self.contains([at(0), at(1), at(2)]) {
                shares.iter_mut().zip(weights).for_each(|(share, weight)| *share += weight / lattice.len() as f64);
            }
        }
        shares
    }
}

/// Barycentric coordinates of points spread evenly over the interior of a simplex.
fn lattice(corners: usize) -> Vec<[f64; 4]> {
    let (shift, scale) = (1.0 / corners as f64, SAMPLES as f64 + 1.0);
    let mut points = Vec::new();
    let most = |k: usize| if k < corners - 1 { SAMPLES } else { 0 };
    for i in 0..=most(0) {
        for j in 0..=most(1).min(SAMPLES - i) {
            for l in 0..=most(2).min(SAMPLES - i - j) {
                let mut counts = [i, j, l, 0];
                counts[corners - 1] = SAMPLES - i - j - l;
                let mut weights = [0.0; 4];
                (0..corners).for_each(|k| weights[k] = (counts[k] as f64 + shift) / scale);
                points.push(weights);
            }
        }
    }
    points
}
