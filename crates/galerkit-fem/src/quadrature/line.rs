//! Points and weights on an interval.

/// A rule in one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Points, ascending.
    pub points: Vec<f64>,
    /// Their weights.
    pub weights: Vec<f64>,
}

impl Line {
    /// How many points it has.
    pub fn len(&self) -> usize {
        self.points.len()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
    /// The rule of [-1, 1] carried to [a, b].
    pub fn on(&self, a: f64, b: f64) -> Self {
        let half = 0.5 * (b - a);
        Self {
            points: self.points.iter().map(|t| a + half * (t + 1.0)).collect(),
            weights: self.weights.iter().map(|w| half * w).collect(),
        }
    }
    /// The single point t, with weight 1: what stands in the place of an integral over an axis that is held fixed.
    pub fn at(t: f64) -> Self {
        Self { points: vec![t], weights: vec![1.0] }
    }
}
