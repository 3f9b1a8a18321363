//! A mesh of an interval with D in layers, and the unknowns of its cubic splines: U_0 | U_1 q_1 | ... | U_{n-1}
//! q_{n-1} | U_n.
//!
//! q_i is the slope seen from the right; seen from the left it is (D_right / D_left) q_i, so that D c_x is single
//! valued for every vector of coefficients. Slopes at both ends are zero and no unknowns.

use super::bands::Bands;
use super::hermite::{self, GAUSS};
use super::layers::{Layers, invalid};
use crate::error::Result;
use std::f64::consts::PI;

/// An interval in elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    nodes: Vec<f64>,
    diffusion: Vec<f64>,
}

/// The functions that do not vanish somewhere: the unknown of each, if it has one, and its factor.
pub type Local = [(Option<usize>, f64); 4];

impl Line {
    /// From nodes that ascend; every interface of the layers must be one of them.
    ///
    /// # Errors
    /// If nodes do not ascend or an interface is none of them.
    pub fn new(nodes: Vec<f64>, layers: &Layers) -> Result<Self> {
        if nodes.len() < 2 {
            return Err(invalid("elements", "0".into(), "at least one element is needed"));
        }
        if let Some(pair) =
            nodes.windows(2).find(|pair| !(pair[1] - pair[0] > 0.0 && pair[1] - pair[0] < f64::INFINITY))
        {
            return Err(invalid("h", (pair[1] - pair[0]).to_string(), "nodes are finite and ascend"));
        }
        let diffusion = layers.on(&nodes)?;
        Ok(Self { nodes, diffusion })
    }

    /// Elements of equal length.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn uniform(ends: [f64; 2], elements: usize, layers: &Layers) -> Result<Self> {
        Self::mapped(ends, elements, layers, |t| t)
    }

    /// Nodes at the images of k / n under a map of [0, 1] onto itself that ascends.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn mapped([a, b]: [f64; 2], elements: usize, layers: &Layers, map: impl Fn(f64) -> f64) -> Result<Self> {
        let node = |k: usize| if k == elements { b } else { a + (b - a) * map(k as f64 / elements as f64) };
        Self::new((0..=elements).map(node).collect(), layers)
    }

    /// Elements that grow from both ends of each layer towards its middle, where they are so many times as long.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if the ratio is not positive.
    pub fn graded(ends: [f64; 2], elements: usize, layers: &Layers, ratio: f64) -> Result<Self> {
        if !(ratio > 0.0 && ratio.is_finite()) {
            return Err(invalid("grade", ratio.to_string(), "a ratio of lengths is a finite number above 0"));
        }
        let Self { nodes: even, diffusion } = Self::uniform(ends, elements, layers)?;
        let share = (1.0 - ratio) / (1.0 + ratio);
        let mut nodes = even.clone();
        let meet = |i: &usize| *i == 0 || *i == elements || diffusion[*i] != diffusion[*i - 1];
        let ends: Vec<usize> = (0..=elements).filter(meet).collect();
        for layer in ends.windows(2) {
            let (from, width) = (even[layer[0]], even[layer[1]] - even[layer[0]]);
            let count = (layer[1] - layer[0]) as f64;
            for (k, node) in nodes[layer[0]..layer[1]].iter_mut().enumerate().skip(1) {
                let t = k as f64 / count;
                *node = from + width * (t + share * (2.0 * PI * t).sin() / (2.0 * PI));
            }
        }
        Ok(Self { nodes, diffusion })
    }

    /// Elements.
    pub fn elements(&self) -> usize {
        self.nodes.len() - 1
    }
    /// Unknowns, two for each element.
    pub fn unknowns(&self) -> usize {
        2 * self.elements()
    }
    /// The nodes.
    pub fn nodes(&self) -> &[f64] {
        &self.nodes
    }
    /// D of each element.
    pub fn diffusion(&self) -> &[f64] {
        &self.diffusion
    }
    /// Where D changes.
    pub fn interfaces(&self) -> Vec<f64> {
        let changes = |i: &usize| self.diffusion[*i] != self.diffusion[*i - 1];
        (1..self.elements()).filter(changes).map(|i| self.nodes[i]).collect()
    }
    /// Both ends.
    pub fn ends(&self) -> [f64; 2] {
        [self.nodes[0], self.nodes[self.elements()]]
    }
    /// The length of an element.
    pub fn length(&self, e: usize) -> f64 {
        self.nodes[e + 1] - self.nodes[e]
    }
    /// Whether all elements have one length, but for rounding.
    pub fn is_uniform(&self) -> bool {
        let [a, b] = self.ends();
        let h = (b - a) / self.elements() as f64;
        (0..self.elements()).all(|e| (self.length(e) - h).abs() <= 1e-10 * h)
    }

    /// The unknown of the value at a node.
    pub fn value(&self, i: usize) -> usize {
        (2 * i).saturating_sub(1)
    }
    /// The unknown of the slope at a node; none at the ends.
    pub fn slope(&self, i: usize) -> Option<usize> {
        (0 < i && i < self.elements()).then_some(2 * i)
    }
    /// By how much the slope from the left differs from that from the right: D_right / D_left.
    pub fn jump(&self, i: usize) -> f64 {
        if 0 < i && i < self.elements() { self.diffusion[i] / self.diffusion[i - 1] } else { 1.0 }
    }

    /// Functions of an element with their unknowns; factors have the rule at interfaces in them.
    pub fn local(&self, e: usize, [h0, h1, h2, h3]: [f64; 4]) -> Local {
        let (left, right) = (e, e + 1);
        [
            (Some(self.value(left)), h0),
            (self.slope(left), h1),
            (Some(self.value(right)), h2),
            (self.slope(right), h3 * self.jump(right)),
        ]
    }

    /// The element of a point, which is the right one for a node; none outside.
    pub fn element(&self, x: f64) -> Option<usize> {
        let [a, b] = self.ends();
        (a <= x && x <= b).then(|| self.nodes[1..self.elements()].partition_point(|node| *node <= x))
    }
    /// The element of a point, and the functions that do not vanish there with their values; none outside.
    pub fn place(&self, x: f64) -> Option<(usize, Local)> {
        let e = self.element(x)?;
        let h = self.length(e);
        Some((e, self.local(e, hermite::values((x - self.nodes[e]) / h, h))))
    }

    /// Gauss points, two for each element, in ascending order.
    pub fn points(&self) -> Vec<f64> {
        let of = |e: usize| GAUSS.map(|s| self.nodes[e] + s * self.length(e));
        (0..self.elements()).flat_map(of).collect()
    }
    /// Their weights.
    pub fn weights(&self) -> Vec<f64> {
        (0..self.elements()).flat_map(|e| [0.5 * self.length(e); 2]).collect()
    }
    /// D at them.
    pub fn diffusion_at_points(&self) -> Vec<f64> {
        self.diffusion.iter().flat_map(|&d| [d; 2]).collect()
    }

    /// C0: values at Gauss points.
    pub fn C0(&self) -> Bands {
        self.collocated(hermite::values)
    }
    /// C2: second derivatives at Gauss points.
    pub fn C2(&self) -> Bands {
        self.collocated(hermite::curvatures)
    }

    fn collocated(&self, functions: fn(f64, f64) -> [f64; 4]) -> Bands {
        let mut bands = Bands::zero(self.unknowns());
        for e in 0..self.elements() {
            for (k, s) in GAUSS.into_iter().enumerate() {
                for (unknown, factor) in self.local(e, functions(s, self.length(e))) {
                    unknown.into_iter().for_each(|j| bands.add(2 * e + k, j, factor));
                }
            }
        }
        bands
    }
}
