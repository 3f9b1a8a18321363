//! Which functions span a space on simplices. The space is the same, its coefficients and its matrix are not: values at
//! nodes, or coefficients of functions that stay when the degree grows.

use super::hierarchical;
use super::lagrange::{self, Barycentric};

/// The functions of a space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Functions {
    /// One at a node, zero at the others.
    #[default]
    Lagrange,
    /// Of vertices, edges, faces and interiors.
    Hierarchical,
}

/// The place of each local corner of a cell among all of them, sorted by global number.
pub type Order = [u8; 4];

impl Functions {
    /// The order of a cell's corners, as far as functions depend on it.
    pub fn order(self, corners: &[u32]) -> Order {
        let rank = |a: usize| match corners.get(a) {
            Some(corner) if self == Self::Hierarchical => corners.iter().filter(|other| *other < corner).count() as u8,
            _ => a as u8,
        };
        std::array::from_fn(rank)
    }

    /// All functions of degree k at a point of a cell whose corners are in this order, and their derivatives by its
    /// barycentric coordinates.
    pub fn at(self, nodes: &[[u8; 4]], k: usize, order: &Order, lambda: &Barycentric) -> Vec<(f64, Barycentric)> {
        if self == Self::Lagrange {
            return lagrange::functions(nodes, k, lambda);
        }
        let sorted_nodes: Vec<[u8; 4]> = nodes.iter().map(|node| sorted(node, order)).collect();
        let mut found = hierarchical::functions(&sorted_nodes, &sorted(lambda, order));
        found.iter_mut().for_each(|(_, slopes)| *slopes = order.map(|rank| slopes[rank as usize]));
        found
    }
}

/// Values by local corner as values by rank.
fn sorted<T: Copy + Default>(values: &[T; 4], order: &Order) -> [T; 4] {
    let mut sorted = [T::default(); 4];
    values.iter().zip(order).for_each(|(&value, &rank)| sorted[rank as usize] = value);
    sorted
}
