//! Diffusion in layers: constant between interfaces, which must be nodes of the mesh.

use crate::error::{Error, Result};
use galerkit_linalg::Error as LinalgError;

/// Interfaces may miss a node by this share of the interval, which is what writing numbers as text leaves.
const SLACK: f64 = 1e-9;
/// Layers that were to be equally wide may be wider or narrower by this share, to end at a node.
const EQUAL: f64 = 0.01;

/// D of each layer from left to right, and where they meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    diffusion: Vec<f64>,
    /// None: all layers are equally wide.
    interfaces: Option<Vec<f64>>,
}

impl Layers {
    /// Layers of equal width.
    ///
    /// # Errors
    /// If there is none, or D is not a positive number.
    pub fn equal(diffusion: &[f64]) -> Result<Self> {
        check(diffusion)?;
        Ok(Self { diffusion: diffusion.to_vec(), interfaces: None })
    }

    /// Layers that meet at interfaces, one fewer than layers.
    ///
    /// # Errors
    /// If D is not a positive number, or interfaces are not as many as that or do not ascend.
    pub fn between(diffusion: &[f64], interfaces: &[f64]) -> Result<Self> {
        check(diffusion)?;
        let ascend = interfaces.windows(2).all(|pair| pair[0] < pair[1]);
        if interfaces.len() + 1 != diffusion.len() || !ascend || interfaces.iter().any(|x| !x.is_finite()) {
            let expected = "one fewer than layers, finite, ascending";
            return Err(invalid("interfaces", format!("{interfaces:?}"), expected));
        }
        Ok(Self { diffusion: diffusion.to_vec(), interfaces: Some(interfaces.to_vec()) })
    }

    /// D from left to right.
    pub fn diffusion(&self) -> &[f64] {
        &self.diffusion
    }

    /// Where layers meet in an interval.
    pub fn interfaces(&self, [a, b]: [f64; 2]) -> Vec<f64> {
        let count = self.diffusion.len();
        let equal = || (1..count).map(|k| a + (b - a) * k as f64 / count as f64).collect();
        self.interfaces.clone().unwrap_or_else(equal)
    }

    /// D of each element of a mesh. Layers of equal width end at the nearest node, if that changes them by a hundredth
    /// at most.
    ///
    /// # Errors
    /// If an interface is no interior node.
    pub fn on(&self, nodes: &[f64]) -> Result<Vec<f64>> {
        let ends = [nodes[0], nodes[nodes.len() - 1]];
        let width = ends[1] - ends[0];
        let slack = if self.interfaces.is_some() { SLACK * width } else { EQUAL * width / self.diffusion.len() as f64 };
        let mut layer_ends = Vec::new();
        for x in self.interfaces(ends) {
            let near = |node: &f64| (node - x).abs();
            let inner = 1..nodes.len() - 1;
            let (i, node) = nodes.iter().enumerate().min_by(|a, b| near(a.1).total_cmp(&near(b.1))).expect("nodes");
            if near(node) > slack || !inner.contains(&i) {
                return Err(Error::InterfaceNotOnNode { interface: x, nearest: *node });
            }
            layer_ends.push(i);
        }
        if layer_ends.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(invalid("layers", self.diffusion.len().to_string(), "every layer has an element at least"));
        }
        layer_ends.push(nodes.len() - 1);
        let mut of_element = Vec::with_capacity(nodes.len() - 1);
        for (diffusion, &end) in self.diffusion.iter().zip(&layer_ends) {
            of_element.resize(end, *diffusion);
        }
        Ok(of_element)
    }
}

/// Refuses D that is no positive number.
pub(super) fn check(diffusion: &[f64]) -> Result<()> {
    match diffusion.iter().find(|d| !(**d > 0.0 && d.is_finite())) {
        Some(bad) => Err(invalid("D", bad.to_string(), "diffusion is a finite number above 0")),
        None if diffusion.is_empty() => Err(invalid("layers", "none".into(), "at least one layer is needed")),
        None => Ok(()),
    }
}

/// A parameter that is refused.
pub(super) fn invalid(name: &'static str, value: String, expected: &'static str) -> Error {
    LinalgError::InvalidParameter { name, value, expected }.into()
}
