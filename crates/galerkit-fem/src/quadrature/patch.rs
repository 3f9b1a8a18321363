//! A tensor product of rules on a box within the reference cell.

use super::gauss::gauss;
use super::line::Line;

/// One rule for each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// The rules, one an axis.
    pub axes: Vec<Line>,
}

impl Patch {
    /// Gauss points, n in each direction, on the whole reference cell.
    pub fn gauss(dim: usize, n: usize) -> Self {
        Self { axes: vec![gauss(n); dim] }
    }
    /// How many points it has.
    pub fn len(&self) -> usize {
        self.axes.iter().map(Line::len).product()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Points with their weights; the first axis is the slowest. Coordinates beyond the dimension are 0.
    pub fn points(&self) -> impl Iterator<Item = ([f64; 3], f64)> + '_ {
        (0..self.len()).map(|mut q| {
            let (mut point, mut weight) = ([0.0; 3], 1.0);
            for (a, line) in self.axes.iter().enumerate().rev() {
                let k = q % line.len();
                (point[a], weight) = (line.points[k], weight * line.weights[k]);
                q /= line.len();
            }
            (point, weight)
        })
    }
}
